"""The folder of a list, which a server publishes with its setting `ENGINE_LIST`.

    results.jsonl       every game, as the arena writes and reads it
    list.json, list.md  the list
    teams.pgn4 …        all games of a variant
    games/ID.json       the games of two players, in a line each
    games/ID-7.pgn4     one of these games

A file is replaced in one step, so a server can read it at any time. `ID` depends on the terms of a match alone: its
links stay valid as the list grows.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from fourfold import __version__
from fourfold.clients.bots.arena import records
from fourfold.clients.bots.arena.pairing import titled
from fourfold.clients.bots.arena.results import Result, Terms
from fourfold.clients.bots.ratinglist.lists import Meeting, RatingList, markdown
from fourfold.engine import position
from fourfold.engine.variants import rules_of

FORMAT: Final = 1
"""The version of the form of `list.json`. The server's `transport.engine_list` knows it too."""

RESULTS: Final = "results.jsonl"
_PROCESSORS: Final = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class About:
    """The facts about a list that its games do not have."""

    title: str
    hardware: str
    anchor: tuple[str, float] | None
    made: datetime


def write(folder: Path, about: About, found: Sequence[RatingList], results: Sequence[Result]) -> None:
    """Write the files of a list. Raises `OSError`."""
    games = folder / "games"
    games.mkdir(parents=True, exist_ok=True)
    by_terms: dict[Terms, list[Result]] = defaultdict(list)
    for result in results:
        by_terms[result.terms].append(result)
    texts: dict[str, list[str]] = defaultdict(list)
    for terms, played in by_terms.items():
        played.sort(key=lambda result: result.number)
        form = rules_of(terms.variant).records
        for result in played:
            file = games / f"{id_of(terms)}-{result.number}.{form}"
            if not file.exists():
                _replace(file, records.text_of(result))
            texts[f"{terms.variant}.{form}"].append(file.read_text(encoding="utf-8"))
        _replace(games / f"{id_of(terms)}.json", json.dumps(_games(terms, played)))
    for name, some in texts.items():
        _replace(folder / name, "".join(some))
    _replace(folder / "list.md", page(about, found))
    _replace(folder / "list.json", json.dumps(_list(about, found, by_terms), indent=1) + "\n")


def id_of(terms: Terms) -> str:
    """The ID of a match."""
    return hashlib.sha256(json.dumps(asdict(terms), sort_keys=True).encode()).hexdigest()[:12]


def page(about: About, found: Sequence[RatingList]) -> str:
    """The list as a page of Markdown."""
    lines = [f"# {about.title}", "", f"{about.made:%Y-%m-%d}, Fourfold {__version__}, {about.hardware}. "]
    lines[-1] += "Ratings and errors at 95 %, from all games of a variant."
    if about.anchor is not None:
        lines[-1] += f" {titled(about.anchor[0])} has the rating {about.anchor[1]:g}."
    return "\n".join(lines) + "\n\n" + markdown(found).rstrip() + "\n"


def hardware() -> str:
    """The processor of this machine and the Python that runs here."""
    try:
        lines = _PROCESSORS.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = named[0] if named else platform.machine()
    compiled = "compiled" if str(position.__file__).endswith((".so", ".pyd")) else "pure Python"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{processor}, {os.cpu_count()} cores, {python}, {compiled}"


def _list(about: About, found: Sequence[RatingList], every: Iterable[Terms]) -> dict[str, Any]:
    ids = {(terms.variant, terms.budget, terms.openings, terms.seats, terms.players): id_of(terms) for terms in every}

    def meeting(one: RatingList, met: Meeting) -> dict[str, Any]:
        key = one.variant, one.budget, one.openings, one.seats, met.players
        return {"id": ids[key], **asdict(met), "players": [titled(name) for name in met.players]}

    anchor = None if about.anchor is None else {"player": titled(about.anchor[0]), "rating": about.anchor[1]}
    return {
        "format": FORMAT,
        "title": about.title,
        "made": f"{about.made:%Y-%m-%d}",
        "version": __version__,
        "hardware": about.hardware,
        "anchor": anchor,
        "lists": [
            {
                "variant": one.variant,
                "name": rules_of(one.variant).title,
                "seconds": one.budget,
                "openings": Path(one.openings).name,
                "seats": one.seats,
                "games": sum(met.games for met in one.meetings),
                "entries": [{**asdict(entry), "player": titled(entry.player)} for entry in one.entries],
                "meetings": [meeting(one, met) for met in one.meetings],
            }
            for one in found
        ],
    }


def _games(terms: Terms, played: Sequence[Result]) -> dict[str, Any]:
    form = rules_of(terms.variant).records
    return {
        "format": FORMAT,
        "variant": terms.variant,
        "players": [titled(name) for name in terms.players],
        "games": [
            {
                "file": f"{id_of(terms)}-{result.number}.{form}",
                "sides": result.sides,
                "points": round(result.points, 2),
                "plies": len(result.played.moves),
                "termination": result.played.termination.replace("_", " "),
            }
            for result in played
        ],
    }


def _replace(path: Path, text: str) -> None:
    new = path.with_name(f".{path.name}.new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)
