"""King of the hill: a king that reaches one of the four middle squares wins. The variant has its own referee."""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.tables import Man
from fourfold.engine.twoplayer.draws import TwoPlayerReferee, won
from fourfold.engine.twoplayer.rules import STANDARD

HILL = frozenset(STANDARD.geometry.index[name] for name in ("d4", "e4", "d5", "e5"))
"""The squares on which a king wins."""


class HillReferee(TwoPlayerReferee):
    """The referee of `kingofthehill`."""

    def begin(self, position: Position) -> None:
        """End the game if a king is already on the hill."""
        for seat, king in enumerate(position.kings):
            if king in position.rules.goal:
                position.ended = won(Termination.KING_IN_CENTER, seat)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn. End the game if a king has reached the hill."""
        super().settle(position, arrived, taken)
        if arrived.king and position.kings[arrived.seat] in position.rules.goal:
            position.ended = won(Termination.KING_IN_CENTER, arrived.seat)


KING_OF_THE_HILL = replace(
    STANDARD,
    name="kingofthehill",
    title="King of the hill",
    summary="Chess for two: checkmate wins, and so does the king that reaches the middle of the board.",
    referee=HillReferee(),
    goal=HILL,
    record_name="King of the Hill",
)
