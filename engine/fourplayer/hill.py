"""King of the hill for four: everybody plays alone, and a king that reaches one of the four middle squares wins."""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.fourplayer.referee import FourPlayerReferee, first
from fourfold.engine.fourplayer.rules import SURVIVOR
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.tables import Man


class FourHillReferee(FourPlayerReferee):
    """The referee of `kingofthehill4`."""

    def begin(self, position: Position) -> None:
        """Judge a set-up position. End the game if a king is already on the hill."""
        super().begin(position)
        for seat in position.alive:
            self._crown(position, seat)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Eliminate players and pass the turn. End the game if the king has reached the hill."""
        super().settle(position, arrived, taken)
        if arrived.king and arrived.seat in position.alive:
            self._crown(position, arrived.seat)

    def _crown(self, position: Position, seat: int) -> None:
        """End the game if the seat's king is on the hill."""
        if position.ended is None and position.kings[seat] in position.rules.goal:
            position.ended = first(position, seat, Termination.KING_IN_CENTER)


HILL_FOR_FOUR = replace(
    SURVIVOR,
    name="kingofthehill4",
    title="King of the hill for four",
    summary="Four players, each alone: the last king standing wins, and so does the king that reaches the middle.",
    referee=FourHillReferee(),
    goal=frozenset(SURVIVOR.geometry.index[name] for name in ("g7", "h7", "g8", "h8")),
    minor_pieces_draw=False,
    record_name="KingOfTheHill4",
)
