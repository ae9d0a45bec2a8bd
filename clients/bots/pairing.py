"""Who is to play whom on a ladder of bots. Pure.

Who has waited longest plays next, with those it has met least. A bot that does not answer, or says no, rests for a
while; two who have come from one address do not sit at a table of more than two where each is alone.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from fourfold.engine.variants import rules_of, seats
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Challenge, Person

REST: Final = 300.0
"""Seconds for which a bot is not asked that has said no, or nothing."""

APART: Final = 3600.0
"""Seconds for which two are kept apart of whom the server says that they may have one address."""

SPEEDS: Final = {"bullet": 3, "blitz": 8, "rapid": 25}
"""The speeds of a clock, and below how many minutes a player's time is for 40 moves; above the last it is classical."""

SAME_ADDRESS: Final = "same_address"


@dataclass(frozen=True, slots=True)
class Tableau:
    """A table to be: a variant, and the player of each seat."""

    variant: str
    seats: Mapping[str, str]

    @property
    def players(self) -> list[str]:
        """Who is to play, in the order of seats."""
        return list(self.seats.values())


class Pairing:
    """Chooses tables of some variants with one clock; `played` and `refused` say what became of them."""

    def __init__(self, variants: Sequence[str], clock: Clock, chance: random.Random | None = None) -> None:
        self._variants = list(variants)
        self._speed = speed_of(clock)
        self._chance = chance or random.Random()
        self._number = 0
        self._last: dict[str, int] = {}  # the number of each bot's latest table
        self._met: Counter[frozenset[str]] = Counter()
        self._first: Counter[str] = Counter()  # how often each has had the first seat
        self._resting: dict[str, float] = {}
        self._apart: dict[frozenset[str], float] = {}

    def choose(self, idle: Iterable[Person], now: float) -> Tableau | None:
        """The next table of bots that are idle, at a time in seconds; None if there is none. Variants take turns."""
        awake = [one for one in idle if self._resting.get(one.player, now) <= now]
        awake.sort(key=lambda one: (self._last.get(one.player, 0), one.player))
        for variant in self._variants:
            able = [one.player for one in awake if plays(one, variant, self._speed)]
            players = self._gather(able, len(seats(variant)), variant, now)
            if players:
                self._variants.remove(variant)
                self._variants.append(variant)
                self._chance.shuffle(players)
                players.sort(key=lambda player: self._first[player])
                return Tableau(variant, dict(zip(seats(variant), players, strict=True)))
        return None

    def lacking(self, bots: Collection[Person]) -> dict[str, int]:
        """The variants for which these bots are too few, each with the number of bots that play it."""
        able = {name: sum(plays(one, name, self._speed) for one in bots) for name in sorted(self._variants)}
        return {name: count for name, count in able.items() if count < len(seats(name))}

    def _gather(self, able: list[str], count: int, variant: str, now: float) -> list[str]:
        """So many players who may sit together, beginning with the first who can; none if there are too few."""
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
        """A table's game has begun."""
        self._number += 1
        for player in table.players:
            self._last[player] = self._number
        for two in combinations(table.players, 2):
            self._met[frozenset(two)] += 1
        self._first[table.players[0]] += 1

    def refused(self, table: Tableau, over: Challenge, now: float) -> None:
        """Its game has not begun: somebody has said no, or nothing in time."""
        no = [one.player for one in over.seats if one.answer is False and one.player is not None]
        yes = [one.player for one in over.seats if one.answer and one.player is not None]
        if over.reason == SAME_ADDRESS:
            for player in no:
                self._apart |= {frozenset((player, other)): now + APART for other in yes}
            return
        for player in no or set(table.players) - set(yes):
            self._resting[player] = now + REST


def alone(variant: str) -> bool:
    """Whether more than two play, each alone."""
    return len(seats(variant)) > 2 and not rules_of(variant).in_teams


def plays(bot: Person, variant: str, speed: str) -> bool:
    """Whether a bot plays a rated game of a variant at a speed, as it says itself."""
    told = bot.plays
    if told is None or told.rated is False:
        return False
    return (not told.variants or variant in told.variants) and (not told.speeds or speed in told.speeds)


def speed_of(clock: Clock) -> str:
    """The speed of a clock."""
    minutes = (clock.base + 40 * (clock.increment + clock.delay)) / 60_000
    return next((speed for speed, limit in SPEEDS.items() if minutes < limit), "classical")
