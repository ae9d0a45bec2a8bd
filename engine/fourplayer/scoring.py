"""Points, in games for four that are decided by points: what is won when.

A capture is worth the piece's value, a king or a mate `KING`, and a check to several kings at once by the
piece that moved has a bonus. Grey pieces are worth nothing, and a walking king earns nothing and counts for
no bonus. Where the rules do not score, these functions do nothing.
"""

from __future__ import annotations

from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.tables import Man

KING = 20
"""For a mate or the capture of a king, for being stalemated oneself, and at the end to the last active player
for each king that still walks."""

DRAW = 10
"""To each active player, for a draw, and for the stalemate of a walking king."""

BONUS = {2: (1, 5), 3: (5, 20)}
"""For a check to so many kings: by a queen, by any other piece."""

_QUEENS = (PieceKind.QUEEN, PieceKind.PROMOTED_QUEEN)


def captured(position: Position, mover: int, taken: tuple[Man, ...]) -> None:
    """The mover gets the values of the pieces taken; a king counts apart."""
    if mover in position.alive:
        values = position.rules.values
        _add(position, (mover,), sum(values[man.kind] for man in taken if man.team >= 0))


def checked(position: Position, arrived: Man) -> None:
    """The mover gets the bonus for a check to several kings by the piece that moved."""
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
    """Somebody mated or took a king, live or walking."""
    _add(position, (by,), KING)


def stalemated(position: Position, seat: int) -> None:
    """A player who is stalemated gets the worth of a king; for a walking king, each active player gets `DRAW`."""
    if seat in position.alive:
        _add(position, (seat,), KING)
    else:
        _add(position, position.alive, DRAW)


def may_claim(position: Position, seat: int) -> bool:
    """Whether one of the last two leads by so much that even a mate would not let the other catch up."""
    points = position.points
    if points is None or len(position.alive) != 2 or seat not in position.alive:
        return False
    (other,) = (rival for rival in position.alive if rival != seat)
    return points[seat] - points[other] >= position.rules.claim_lead + KING * len(position.walking)


def claimed(position: Position, seat: int) -> Outcome:
    """The end of a game that a leader of the last two claims: as if the leader left, and the other were the last
    player; or if the other has nothing but the king, as if the game were drawn by insufficient material."""
    (other,) = (rival for rival in position.alive if rival != seat)
    if len(position._armies[other]) == 1:
        return decided(position, Termination.POINTS, draw=True)
    walking = (*position.walking, seat) if position.rules.dead_kings_walk else position.walking
    return decided(position.replace(alive=(other,), walking=walking), Termination.POINTS, draw=False)


def decided(position: Position, termination: Termination, draw: bool) -> Outcome:
    """The end of a game by points, with what the end itself is worth to those still in."""
    kings = len(position.walking)
    award = DRAW + DRAW * kings if draw else KING * kings
    final = [points + award * (seat in position.alive) for seat, points in enumerate(position.points or ())]
    standings = tuple(1 + sum(other > points for other in final) for points in final)
    winners = tuple(seat for seat, place in enumerate(standings) if place == 1)
    return Outcome(termination, winners, standings, tuple(final))


def _add(position: Position, seats: tuple[int, ...], points: int) -> None:
    if position.points is not None and points:
        position.points = tuple(had + points * (seat in seats) for seat, had in enumerate(position.points))
