"""A list of ratings from games of the arena: `python -m fourfold.clients.bots.ratinglist FILE`.

`FILE.toml` is a plan (see `plan`): its missing games are played, and the list is written to a folder that a server can
publish (see `publication`). The command can be stopped and started again.

`FILE.jsonl` has results of the arena: the list of its games is printed. With `--play`, players meet first: each of the
`--levels` and each `--engine` plays each other, as far as the games are not in the file yet.

The ratings are those that explain all games of a list best (see `fit`). A list has the games of one variant, budget,
book of openings and number of seats. The errors are for 95 % confidence.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Final

from fourfold.clients.bots.arena import records, results
from fourfold.clients.bots.arena.openings import INCLUDED, BadOpenings
from fourfold.clients.bots.arena.pairing import Player, distributions
from fourfold.clients.bots.arena.results import BadResults, Result, Terms
from fourfold.clients.bots.arena.series import Conditions, Series
from fourfold.clients.bots.profile import profile
from fourfold.clients.bots.ratinglist import plan as plans
from fourfold.clients.bots.ratinglist import publication
from fourfold.clients.bots.ratinglist.lists import RatingList, lists, markdown
from fourfold.clients.bots.ratinglist.plan import BadPlan, Plan, Section
from fourfold.clients.bots.uci.driver import EngineFault

_GAMES: Final = 20
"""Games of each two players with `--play`, by default."""

_STAGES: Final = 10
"""How often at most a variant's list is written while it is played."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parser = _parser()
    values = parser.parse_args(arguments)
    if any(path.suffix == ".toml" for path in values.results):
        return _publish(parser, values)
    if values.to is not None:
        parser.error("--to is for a plan: a file whose name ends in .toml")
    try:
        pairs = list(combinations(_players(values), 2)) if values.play else []
        conditions = Conditions(
            values.variant or "teams", _GAMES if values.games is None else values.games, values.budget, values.seats,
            values.openings or "", workers=values.workers,
        )  # fmt: skip
        if values.play and not pairs:
            raise ValueError("--play needs two players: name them by --levels and --engine")
    except ValueError as error:
        parser.error(str(error))
    try:
        if pairs:
            with Series(conditions, values.results[0]) as series:
                for pair in pairs:
                    series.play(pair)
        found = [result for path in values.results for result in results.read(path)]
        found = [result for result in found if values.variant in (None, result.terms.variant)]
        if not found:
            raise BadResults(f"no games in {', '.join(map(str, values.results))}")
        if values.record is not None:
            records.write(found, values.record)
    except (BadOpenings, BadResults, EngineFault, OSError) as error:
        print(f"ratinglist: {error}", file=sys.stderr)
        return 1
    rated = lists(found)
    print(f"{json.dumps([asdict(one) for one in rated], indent=2)}\n" if values.json else markdown(rated), end="")
    return 0


def _publish(parser: argparse.ArgumentParser, values: argparse.Namespace) -> int:
    """Play the missing games of a plan, and write its list. Returns the exit code."""
    if len(values.results) > 1:
        parser.error("a plan stands alone: name one file")
    (path,) = values.results
    folder = path.with_suffix("") if values.to is None else values.to
    try:
        plan = plans.read(path, games=values.games, workers=values.workers)
        folder.mkdir(parents=True, exist_ok=True)
        for section in plan.sections:
            for games in _stages(section):
                _play(section, games, folder)
                _write(plan, folder)
    except KeyboardInterrupt:
        print("ratinglist: stopped; started again, it continues", file=sys.stderr)
        return 130
    except (BadPlan, BadOpenings, BadResults, EngineFault, OSError) as error:
        print(f"ratinglist: {error}", file=sys.stderr)
        return 1
    print(publication.page(*_write(plan, folder)), end="")
    return 0


def _stages(section: Section) -> list[int]:
    """The numbers of games of each pair at which the list is written: all pairs keep step."""
    whole, size = section.conditions.games, len(distributions(section.conditions.variant, section.conditions.seats))
    step = size * max(1, -(-whole // (size * _STAGES)))
    return [*range(step, whole, step), whole]


def _play(section: Section, games: int, folder: Path) -> None:
    conditions = replace(section.conditions, games=games)
    with Series(conditions, folder / publication.RESULTS) as series:
        for pair in section.pairs:
            series.play(pair, f"{conditions.variant}, {games} of {section.conditions.games} games a pair: ")


def _write(plan: Plan, folder: Path) -> tuple[publication.About, list[RatingList]]:
    """Write the list of the plan's games so far; returns it."""
    found = _of_plan(results.read(folder / publication.RESULTS), plan)
    hardware = plan.hardware or publication.hardware()
    about = publication.About(plan.title, hardware, plan.anchor, datetime.now(UTC))
    order = [section.conditions.variant for section in plan.sections]
    rated = sorted(lists(found, plan.anchor), key=lambda one: order.index(one.variant))
    publication.write(folder, about, rated, found)
    return about, rated


def _of_plan(found: Sequence[Result], plan: Plan) -> list[Result]:
    """The results that a plan wants, in the order of its variants."""
    wanted: set[Terms] = set()
    for section in plan.sections:
        wanted.update(section.conditions.terms(pair) for pair in section.pairs)
    return [result for result in found if result.terms in wanted]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fourfold.clients.bots.ratinglist", description="Rate players by their games in the arena."
    )
    parser.add_argument("results", type=Path, nargs="+", help="a plan in TOML, or files of the arena's --results")
    parser.add_argument("--to", type=Path, metavar="DIR",
                        help="with a plan: the folder of its list (default: its name without .toml)")  # fmt: skip
    parser.add_argument("--variant", help="rate only this variant; with --play, play it (default teams)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write all games here, as PGN or PGN4")
    parser.add_argument("--play", action="store_true", help="first play the missing games, into the first file")
    parser.add_argument("--levels", default="", help="with --play: levels that play, as 3,4,5:1600")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME",
                        help="with --play: a UCI engine that plays, by its profile; can be repeated")  # fmt: skip
    parser.add_argument("--games", type=int, help=f"of each pair (default {_GAMES}, or the plan's)")
    parser.add_argument("--budget", type=float, default=0.1, help="with --play: seconds a move (default 0.1)")
    parser.add_argument("--seats", type=int, default=1, help="with --play: of the first of a pair (default 1)")
    parser.add_argument("--openings", nargs="?", const=INCLUDED, metavar="FILE",
                        help="with --play: the included openings, or those of a file")  # fmt: skip
    parser.add_argument("--workers", type=int, default=1, help="processes to play in (default 1)")
    return parser


def _players(values: argparse.Namespace) -> list[Player]:
    """The players that the arguments name. Raises `ValueError`."""
    levels = [Player.of_level(level) for level in values.levels.split(",") if level]
    players = [*levels, *(Player(engine=profile(name)) for name in values.engine)]
    if len({player.name for player in players}) < len(players):
        raise ValueError("two players have the same name: give one another name in its profile")
    return players


if __name__ == "__main__":
    sys.exit(main())
