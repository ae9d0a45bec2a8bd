"""Who plays whom, and who sits where: the games of a match, in rounds.

A match has two sides. Among four without teams, the first side has one seat against three, or more with `seats`. In a
round, every distribution of the seats is played once. So each side plays each opening from every seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from math import inf
from typing import Final

from fourfold.clients.bots.levels import LEVELS
from fourfold.clients.bots.levels.strength import elo as elo_of
from fourfold.clients.bots.profile import Profile
from fourfold.engine.variants import rules_of

LONGEST: Final = 1000
"""Plies after which a game counts as drawn by the players still in."""


@dataclass(frozen=True, slots=True)
class Player:
    """A side of a match: a level, level 5 with a strength in Elo, or a UCI engine by its profile."""

    level: int | None = None
    engine: Profile | None = None
    elo: int | None = None

    @staticmethod
    def of_level(text: str) -> Player:
        """The player that a text names: a level as `3`, or level 5 with a strength in Elo as `5:1600`. Raises
        `ValueError`."""
        level, colon, strength = text.strip().partition(":")
        if level not in map(str, LEVELS):
            raise ValueError(f"levels are {LEVELS[0]} to {LEVELS[-1]}, not {text!r}")
        if colon and level != "5":
            raise ValueError(f"only level 5 has a strength in Elo, not {text!r}")
        return Player(int(level), elo=elo_of(strength) if colon else None)

    @property
    def name(self) -> str:
        """The name in reports and records: the level's number, or the engine's name; with a strength, "5 at 1600"."""
        if self.engine is None:
            return f"{self.level}" if self.elo is None else f"{self.level} at {self.elo}"
        elo = self.engine.options.get("UCI_Elo")
        return (self.engine.name or self.engine.command[0]) + (f" at {elo}" if elo else "")


def titled(name: str) -> str:
    """A player's name as people read it: "Level 5" for a level."""
    return f"Level {name}" if name.partition(" at ")[0].isdecimal() else name


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game to play: the two players, the side of each seat (0 or 1), and the game's number in its match.

    `moves` lead from the start of the variant to the opening, and `draw` is the seed of the start. `budget` is the
    processor time for a move in seconds, unless an engine's profile has its own.
    """

    variant: str
    players: tuple[Player, Player]
    sides: tuple[int, ...]
    number: int
    seed: str
    budget: float
    moves: tuple[str, ...] = ()
    draw: int = 0


def distributions(variant: str, seats: int = 1) -> list[tuple[int, ...]]:
    """The sides of the seats in each game of a round. `seats` is the number of the first side's seats in variants
    without teams for more than two."""
    rules = rules_of(variant)
    teams = sorted(set(rules.teams))
    size = 1 if len(teams) == 2 else seats
    return [tuple(int(team not in first) for team in rules.teams) for first in combinations(teams, size)]


def expected_share(variant: str, seats: int = 1) -> float:
    """The first side's share of the points if both sides are equally strong."""
    teams = len(set(rules_of(variant).teams))
    return 1 / 2 if teams == 2 else seats / teams


def pairings(
    variant: str,
    players: tuple[Player, Player],
    games: float = inf,
    *,
    seed: str = "0",
    budget: float = 0.5,
    seats: int = 1,
    openings: Sequence[tuple[str, ...]] = (),
) -> Iterator[Pairing]:
    """The games of a match in order, up to a number of games. Each round begins with the next of the `openings`.
    Without openings, each game has a start of its own where the variant draws one."""
    turns = distributions(variant, seats)
    for number in count() if games == inf else range(int(games)):
        place = number // len(turns) if openings else number
        moves = openings[place % len(openings)] if openings else ()
        yield Pairing(variant, players, turns[number % len(turns)], number, seed, budget, moves, place)
