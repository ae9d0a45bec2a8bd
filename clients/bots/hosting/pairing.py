"""The pairings of a ladder of bots. Pure.

The bot that has waited longest plays next, against bots that it has met least. A bot that does not answer, or declines,
rests for a while. Two bots from one address are kept apart at tables for more than two without teams.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from fourfold.engine.variants import player_seats, rules_of
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Challenge, Person

REST: Final = 300.0
"""Seconds before a bot that declined, or did not answer, is asked again."""

APART: Final = 3600.0
"""Seconds for which two bots are kept apart after the server said that they may share an address."""

SPEEDS: Final = {"bullet": 3, "blitz": 8, "rapid": 25}
"""The speeds of clocks, and the number of minutes for 40 moves below which each applies; the last one is classical."""

SAME_ADDRESS: Final = "same_address"


@dataclass(frozen=True, slots=True)
class Tableau:
    """A planned table: a variant, and the player of each seat."""

    variant: str
    seats: Mapping[str, str]

    @property
    def players(self) -> list[str]:
        """The players, in the order of seats."""
        return list(self.seats.values())


class Pairing:
    """Pairs bots for some variants with one clock. Report results by `played` and `refused`."""

    def __init__(self, variants: Sequence[str], clock: Clock, chance: random.Random | None = None) -> None:
        self._variants = list(variants)
        self._speed = speed_of(clock)
        self._chance = chance or random.Random()
        self._number = 0
        self._last: dict[str, int] = {}  # the number of each bot's latest table
        self._met: Counter[frozenset[str]] = Counter()
        self._first: Counter[str] = Counter()  # how often each bot has had the first seat
        self._resting: dict[str, float] = {}
        self._apart: dict[frozenset[str], float] = {}

    def choose(self, idle: Iterable[Person], now: float) -> Tableau | None:
        """The next table of idle bots, at a time in seconds; None if there is none. Variants take turns."""
        awake = [one for one in idle if self._resting.get(one.player, now) <= now]
        awake.sort(key=lambda one: (self._last.get(one.player, 0), one.player))
        for variant in self._variants:
            able = [one.player for one in awake if plays(one, variant, self._speed)]
            players = self._gather(able, len(player_seats(variant)), variant, now)
            if players:
                self._variants.remove(variant)
                self._variants.append(variant)
                self._chance.shuffle(players)
                players.sort(key=lambda player: self._first[player])
                return Tableau(variant, dict(zip(player_seats(variant), players, strict=True)))
        return None

    def lacking(self, bots: Collection[Person]) -> dict[str, int]:
        """The variants for which these bots are too few, with the number of bots that play each."""
        able = {name: sum(plays(one, name, self._speed) for one in bots) for name in sorted(self._variants)}
        return {name: count for name, count in able.items() if count < len(player_seats(name))}

    def _gather(self, able: list[str], count: int, variant: str, now: float) -> list[str]:
        """A group of players who may play together, starting with the first who can; empty if there are too few."""
        for first in able:
            players = [first]
            while len(players) < count:
                others = [one for one in able if one not in players and self._fits(one, players, variant, now)]
                if not others:
                    break
                players.append(min(others, key=lambda one: self._acquaintance(one, players)))
            else:
                return players
        return []

    def _fits(self, player: str, players: Collection[str], variant: str, now: float) -> bool:
        if not alone(variant):
            return True
        return all(self._apart.get(frozenset((player, other)), now) <= now for other in players)

    def _acquaintance(self, player: str, players: Collection[str]) -> int:
        return sum(self._met[frozenset((player, other))] for other in players)

    def played(self, table: Tableau) -> None:
        """Record that a table's game has started."""
        self._number += 1
        for player in table.players:
            self._last[player] = self._number
        for two in combinations(table.players, 2):
            self._met[frozenset(two)] += 1
        self._first[table.players[0]] += 1

    def refused(self, table: Tableau, over: Challenge, now: float) -> None:
        """Record that a table's game has not started: somebody declined, or did not answer in time."""
        no = [one.player for one in over.seats if one.answer is False and one.player is not None]
        yes = [one.player for one in over.seats if one.answer and one.player is not None]
        if over.reason == SAME_ADDRESS:
            for player in no:
                self._apart |= {frozenset((player, other)): now + APART for other in yes}
            return
        for player in no or set(table.players) - set(yes):
            self._resting[player] = now + REST


def alone(variant: str) -> bool:
    """Whether a variant is for more than two players without teams."""
    return len(player_seats(variant)) > 2 and not rules_of(variant).in_teams


def plays(bot: Person, variant: str, speed: str) -> bool:
    """Whether a bot has declared that it plays rated games of a variant at a speed."""
    told = bot.plays
    if told is None or told.rated is False:
        return False
    return (not told.variants or variant in told.variants) and (not told.speeds or speed in told.speeds)


def speed_of(clock: Clock) -> str:
    """The speed of a clock."""
    minutes = (clock.base + 40 * (clock.increment + clock.delay)) / 60_000
    return next((speed for speed, limit in SPEEDS.items() if minutes < limit), "classical")
