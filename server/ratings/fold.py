"""Computes the standings after a game from the standings before it. Pure.

Standings are stored in whole numbers, thousandths of a point, and the next game starts from these. So a recompute over
the same games gives the same numbers on every machine, even if their floating-point results differ in the last bits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from fourfold.server.ratings import glicko, plackett_luce
from fourfold.server.ratings.glicko import Glicko
from fourfold.server.ratings.kinds import Kind
from fourfold.server.ratings.levels import is_fixed
from fourfold.server.ratings.plackett_luce import Rating
from fourfold.server.ratings.standing import FINE, UNIT, Standing, now, standing_of


class RatedSeat(NamedTuple):
    """The rated player of a seat, its side, and its place."""

    player: str
    side: int
    place: int


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that changes ratings, and when it ended (ms since 1970). Its seats are in turn order."""

    kind: Kind
    ended: int
    seats: tuple[RatedSeat, ...]


class Change(NamedTuple):
    """The rating change of a seat: its player's standing before and after, the expected and the actual score, in
    thousandths. `expected` is that of the player's side."""

    before: Standing
    after: Standing
    expected: int
    scored: int


def rate(game: RatedGame, standings: Mapping[str, Standing]) -> list[Change]:
    """The rating change of each seat in a game. `standings` has the players who had a standing before.

    A fixed rating does not change. Neither does that of a level which has several seats of the game.
    """
    players = [seat.player for seat in game.seats]
    before = [
        now(player, standings[player], game.ended) if player in standings else standing_of(player, game.kind.variant)
        for player in players
    ]
    rated = (_two if len(players) == 2 else _more)(game, before)
    changes = []
    for player, old, (new, expected, scored) in zip(players, before, rated, strict=True):
        stays = is_fixed(player) or players.count(player) > 1
        after = replace(old if stays else new, games=old.games + 1, last=max(old.last, game.ended))
        changes.append(Change(old, after, round(expected * UNIT), round(scored * UNIT)))
    return changes


_Rated = list[tuple[Standing, float, float]]
"""For each seat: the player's standing, the expected score, and the score."""


def _two(game: RatedGame, before: list[Standing]) -> _Rated:
    players = [Glicko(one.rating / UNIT, one.deviation / UNIT, one.volatility / FINE) for one in before]
    scores = plackett_luce.scored([seat.place for seat in game.seats])
    rated: _Rated = []
    for old, player, other, score in zip(before, players, reversed(players), scores, strict=True):
        new = glicko.rate(player, [(other, score)], periods=0.0)
        volatility = round(new.volatility * FINE)
        after = replace(_standing(old, new.rating, new.deviation), volatility=volatility)
        rated.append((after, glicko.expected(player, other), score))
    return rated


def _more(game: RatedGame, before: list[Standing]) -> _Rated:
    sides = sorted({seat.side for seat in game.seats})
    members = [[index for index, seat in enumerate(game.seats) if seat.side == side] for side in sides]
    ratings = [[Rating(before[index].rating / UNIT, before[index].deviation / UNIT) for index in side]
               for side in members]  # fmt: skip
    places = [min(game.seats[index].place for index in side) for side in members]
    expected, scores = plackett_luce.expected(ratings), plackett_luce.scored(places)
    rated: dict[int, tuple[Standing, float, float]] = {}
    for side, news, expectation, score in zip(members, plackett_luce.rate(ratings, places), expected, scores,
                                              strict=True):  # fmt: skip
        for index, new in zip(side, news, strict=True):
            rated[index] = _standing(before[index], new.rating, new.deviation), expectation, score
    return [rated[index] for index in range(len(before))]


def _standing(old: Standing, rating: float, deviation: float) -> Standing:
    return replace(old, rating=round(rating * UNIT), deviation=round(deviation * UNIT))
