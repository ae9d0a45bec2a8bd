"""The plan of a rating list: a TOML file that says who plays what, and how much.

    title = "Engines for four"      # the heading of the page (default "Engine ratings")
    hardware = "2 cores, 2.6 GHz"   # the machine (default its processor, as the system names it)
    levels = [1, 2, "5:1600", 5]    # levels that play; "5:1600" is level 5 with a strength of 1600
    engines = ["tetrarch", "hornet.toml"]   # engines that play, by their profiles
    games = 24                      # games of each two players (default 24)
    seconds = 0.1                   # processor time for a move (default 0.1)
    openings = "balanced"           # "balanced" (the default), a file of openings, or "" for none
    anchor = {player = "Level 1", rating = 1000}    # the rating of one player; else the mean is 1500

    [variants.teams]
    [variants.ffa]
    games = 60                      # the keys from levels to openings, and seats, can differ for a variant
    seats = 2                       # the first player's seats among four without teams (default half of them)

At least one variant is required. Engines only play the variants that their profiles name. Paths are relative to the
file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from fourfold.clients.bots.arena.openings import INCLUDED
from fourfold.clients.bots.arena.pairing import Player, titled
from fourfold.clients.bots.arena.series import Conditions
from fourfold.clients.bots.levels import LEVELS
from fourfold.clients.bots.profile import BadProfile, profile
from fourfold.engine.variants import VARIANTS, rules_of

TITLE: Final = "Engine ratings"
GAMES: Final = 24
SECONDS: Final = 0.1


class BadPlan(ValueError):
    """The plan cannot be read, or one of its keys is wrong."""


@dataclass(frozen=True, slots=True)
class Section:
    """A variant of a list: the conditions of its games, and its players."""

    conditions: Conditions
    players: tuple[Player, ...]

    @property
    def pairs(self) -> list[tuple[Player, Player]]:
        """Each two players, by name: so results stay valid in whatever order the plan names the players."""
        return list(combinations(sorted(self.players, key=lambda player: player.name), 2))


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan. The fields are the keys of the module docstring; `hardware` is empty if the file has none. The `anchor`
    is a player's name in results, and its rating."""

    title: str
    hardware: str
    anchor: tuple[str, float] | None
    sections: tuple[Section, ...]


_SECTION_KEYS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = {
    "levels": (f"a list of some of the levels {', '.join(map(str, LEVELS))}, and of strengths as '5:1600'", (list,)),
    "engines": ("a list of profiles", (list,)),
    "games": ("a whole number from 1", (int,)),
    "seconds": ("a number of seconds", (int, float)),
    "openings": ("a text", (str,)),
}

_KEYS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = {
    "title": ("a text", (str,)),
    "hardware": ("a text", (str,)),
    "anchor": ('a table such as {player = "Level 1", rating = 1000}', (dict,)),
    "variants": ("tables such as [variants.teams]", (dict,)),
    **_SECTION_KEYS,
}

_OF_VARIANT: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = {
    **_SECTION_KEYS,
    "seats": ("a whole number from 1", (int,)),
}


def read(path: Path, *, games: int | None = None, workers: int = 1) -> Plan:
    """The plan in a file. `games` are played by each two players, instead of the plan's number. Raises `BadPlan`."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadPlan(f"{path} cannot be read: {error}") from error
    try:
        _check(table, _KEYS, "the plan")
        variants = table.get("variants", {})
        if not variants:
            raise BadPlan("name at least one variant, as [variants.teams]")
        sections = tuple(_section(name, own, table, path.parent, games, workers) for name, own in variants.items())
        known = {player.name for section in sections for player in section.players}
        return Plan(table.get("title", TITLE), table.get("hardware", ""), _anchor(table, known), sections)
    except (BadPlan, BadProfile) as error:
        raise BadPlan(f"{path}: {error}") from error


def _check(table: Mapping[str, Any], keys: Mapping[str, tuple[str, tuple[type, ...]]], where: str) -> None:
    for key, value in table.items():
        if key not in keys:
            raise BadPlan(f"unknown key '{key}' of {where}. Keys: {', '.join(keys)}")
        meaning, types = keys[key]
        if type(value) not in types or (isinstance(value, int | float) and not value > 0):
            raise BadPlan(f"{key} of {where} is {meaning}, not {value!r}")


def _section(
    variant: str, own: object, plan: Mapping[str, Any], folder: Path, games: int | None, workers: int
) -> Section:
    if variant not in VARIANTS:
        raise BadPlan(f"unknown variant '{variant}'. Variants: {', '.join(VARIANTS)}")
    if not isinstance(own, dict):
        raise BadPlan(f"{variant} is a table, as [variants.{variant}]")
    _check(own, _OF_VARIANT, f"[variants.{variant}]")
    found = {**plan, **own}
    book = found.get("openings", INCLUDED)
    rules = rules_of(variant)
    teams = len(set(rules.teams))
    try:
        conditions = Conditions(
            variant, games or found.get("games", GAMES), float(found.get("seconds", SECONDS)),
            found.get("seats", max(1, teams // 2)), book if book in ("", INCLUDED) else str(folder / book),
            workers=workers,
        )  # fmt: skip
    except ValueError as error:
        raise BadPlan(f"[variants.{variant}]: {error}") from error
    players = [player for player in _players(found, folder) if _plays(player, variant)]
    names = [titled(player.name) for player in players]
    for name in names:
        if names.count(name) > 1:
            raise BadPlan(f"two players of {variant} are called {name}: give one another name in its profile")
    if len(players) < 2:
        raise BadPlan(f"{variant} needs two players that play it: name them by levels and engines")
    return Section(conditions, tuple(players))


def _players(found: Mapping[str, Any], folder: Path) -> list[Player]:
    levels, engines = found.get("levels", []), found.get("engines", [])
    if not all(type(level) in (int, str) for level in levels):
        raise BadPlan(f"levels is {_SECTION_KEYS['levels'][0]}, not {levels!r}")
    try:
        named_levels = [Player.of_level(str(level)) for level in levels]
    except ValueError as error:
        raise BadPlan(f"levels is {_SECTION_KEYS['levels'][0]}, not {levels!r}: {error}") from error
    if not all(isinstance(name, str) for name in engines):
        raise BadPlan(f"engines is a list of profiles, not {engines!r}")
    named = [str(folder / name) if name.endswith(".toml") else name for name in engines]
    return [*named_levels, *(Player(engine=profile(name)) for name in named)]


def _plays(player: Player, variant: str) -> bool:
    return player.engine is None or player.engine.variants is None or variant in player.engine.variants


def _anchor(table: Mapping[str, Any], known: set[str]) -> tuple[str, float] | None:
    if "anchor" not in table:
        return None
    anchor = table["anchor"]
    player, rating = anchor.get("player"), anchor.get("rating")
    if set(anchor) != {"player", "rating"} or type(rating) not in (int, float):
        raise BadPlan(f"anchor of the plan is {_KEYS['anchor'][0]}, not {anchor!r}")
    for name in known:
        if titled(name) == player:
            return name, float(rating)
    raise BadPlan(f"the anchor is one of the players {', '.join(sorted(map(titled, known)))}, not {player!r}")
