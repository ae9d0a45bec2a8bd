"""Three-check for four: everybody plays alone, and a player's third check wins.

A move counts once for each king that the mover's army attacks after it. FEN4 has the extra field
``'checks':(0,1,0,0)``, the checks given by red, blue, yellow and green.
"""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.fourplayer.referee import FourPlayerReferee, first
from fourfold.engine.fourplayer.rules import SURVIVOR
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.tables import Man

CHECKS = 3


class FourCheckReferee(FourPlayerReferee):
    """The referee of `threecheck4`."""

    def begin(self, position: Position) -> None:
        """Judge a set-up position. End the game if a player has given all checks."""
        position.checks = position.checks or (0,) * len(position.rules.seats)
        super().begin(position)
        for seat in position.alive:
            self._win(position, seat)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Count checks, eliminate players and pass the turn. End the game with a third check."""
        mover, force = arrived.seat, position.forces[arrived.team]
        lost = [man.seat for man in taken if man.king]
        given = [
            seat
            for seat in position.alive
            if seat != mover
            and seat not in lost
            and position.tables.threats[position.kings[seat]].reached(force, position.total)
        ]
        super().settle(position, arrived, taken)
        if given and position.checks is not None:
            count = min(position.checks[mover] + len(given), CHECKS)
            position.checks = (*position.checks[:mover], count, *position.checks[mover + 1 :])
            position.history = b""  # after a check, no earlier position can recur
            self._win(position, mover)

    def _win(self, position: Position, seat: int) -> None:
        if position.ended is None and position.checks is not None and position.checks[seat] >= CHECKS:
            position.ended = first(position, seat, Termination.THREE_CHECKS)


THREE_CHECK_FOR_FOUR = replace(
    SURVIVOR,
    name="threecheck4",
    title="Three-check for four",
    summary="Four players, each alone: the last king standing wins, and so does the third check.",
    referee=FourCheckReferee(),
    minor_pieces_draw=False,
    record_name="ThreeCheck4",
)
