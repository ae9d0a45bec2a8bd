"""Points, in games for four players that count them.

A capture earns the piece's value, and a mate or a king's capture earns `KING`. A check to several kings at once by the
moved piece earns a bonus. Grey pieces are worth nothing. A walking king earns no points, and checks to it earn no
bonus. If the rules do not count points, these functions do nothing.
"""

from __future__ import annotations

from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.tables import Man

KING = 20
"""Points for a mate or a king's capture, and for a stalemated player. At the end, the last active player gets them for
each king that still walks."""

DRAW = 10
"""Points for each active player, for a draw or for the stalemate of a walking king."""

BONUS = {2: (1, 5), 3: (5, 20)}
"""Bonus points by the number of checked kings: for a check by a queen, and by any other piece."""

_QUEENS = (PieceKind.QUEEN, PieceKind.PROMOTED_QUEEN)


def captured(position: Position, mover: int, taken: tuple[Man, ...]) -> None:
    """Give the mover the values of the captured pieces. Kings score separately."""
    if mover in position.alive:
        values = position.rules.values
        _add(position, (mover,), sum(values[man.kind] for man in taken if man.team >= 0))


def checked(position: Position, arrived: Man) -> None:
    """Give the mover the bonus for a check to several kings by the moved piece."""
    if position.points is None or len(position.exposed) < 2 or arrived.seat not in position.alive:
        return
    kings = sum(
        position.tables.threats[position.kings[seat]].reached(arrived.mark, position.total)
        for seat in position.exposed
        if seat in position.alive
    )
    if kings in BONUS:
        _add(position, (arrived.seat,), BONUS[kings][arrived.kind not in _QUEENS])


def king_won(position: Position, by: int) -> None:
    """Give a seat the points for mating or capturing a king, live or walking."""
    _add(position, (by,), KING)


def stalemated(position: Position, seat: int) -> None:
    """Give a stalemated player the points of a king. For a walking king, give each active player `DRAW`."""
    if seat in position.alive:
        _add(position, (seat,), KING)
    else:
        _add(position, position.alive, DRAW)


def may_claim(position: Position, seat: int) -> bool:
    """Whether one of the last two players leads by so much that the other cannot catch up even by a mate."""
    points = position.points
    if points is None or len(position.alive) != 2 or seat not in position.alive:
        return False
    (other,) = (rival for rival in position.alive if rival != seat)
    return points[seat] - points[other] >= position.rules.claim_lead + KING * len(position.walking)


def claimed(position: Position, seat: int) -> Outcome:
    """The end of a game that the leader of the last two players claims. It scores as if the leader left and the other
    player were the last. If the other has only a king, it scores as a draw by insufficient material."""
    (other,) = (rival for rival in position.alive if rival != seat)
    if len(position._armies[other]) == 1:
        return decided(position, Termination.POINTS, draw=True)
    walking = (*position.walking, seat) if position.rules.dead_kings_walk else position.walking
    return decided(position.replace(alive=(other,), walking=walking), Termination.POINTS, draw=False)


def decided(position: Position, termination: Termination, draw: bool) -> Outcome:
    """The outcome of a game on points, including the points that the end itself gives to the players still in."""
    kings = len(position.walking)
    award = DRAW + DRAW * kings if draw else KING * kings
    final = [points + award * (seat in position.alive) for seat, points in enumerate(position.points or ())]
    standings = tuple(1 + sum(other > points for other in final) for points in final)
    winners = tuple(seat for seat, place in enumerate(standings) if place == 1)
    return Outcome(termination, winners, standings, tuple(final))


def _add(position: Position, seats: tuple[int, ...], points: int) -> None:
    if position.points is not None and points:
        position.points = tuple(had + points * (seat in seats) for seat, had in enumerate(position.points))
