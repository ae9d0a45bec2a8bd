"""Horde: White has 36 pawns and no king, and loses when all are captured. Black plays chess and loses by checkmate
(https://lichess.org/variant/horde).

White's pawns may step two squares from the first rank too.
"""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.tables import Man
from fourfold.engine.twoplayer.draws import TwoPlayerReferee, won
from fourfold.engine.twoplayer.rules import STANDARD


class HordeReferee(TwoPlayerReferee):
    """The referee of `horde`."""

    def begin(self, position: Position) -> None:
        """End the game if White has no pieces."""
        super().begin(position)
        if not position.men(0):
            position.ended = won(Termination.NO_PIECES, 1)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn. End the game if White has lost the last piece."""
        super().settle(position, arrived, taken)
        if taken and not position.men(0):
            position.ended = won(Termination.NO_PIECES, 1)

    def insufficient(self, position: Position) -> bool:
        """Always False: Black can always capture the horde."""
        return False

    def can_win(self, position: Position, seat: int) -> bool:
        """Whether the seat could win. A single white piece cannot mate a lone king, nor can two minor pieces."""
        white, black = position.men(0), position.men(1)
        major = position.forces[0] & position.tables.planes.decisive
        return seat == 1 or len(black) > 1 or len(white) > 2 or (len(white) > 1 and bool(major))


HORDE = replace(
    STANDARD,
    name="horde",
    title="Horde",
    summary="Chess for two: White's 36 pawns without a king against Black's usual army.",
    referee=HordeReferee(),
    starts=(("standard", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"),),
    kingless=(0,),
    back_row_pawns=(0,),
    minor_pieces_draw=False,
    record_name="Horde",
)
