"""Antichess: captures are compulsory, and a player without pieces or moves wins
(https://lichess.org/variant/antichess).

The king is a piece like any other: it can be captured, and pawns may become kings. There is no check and no castling.
"""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.movegen import compulsory_moves
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.tables import Man
from fourfold.engine.twoplayer.draws import TwoPlayerReferee, shades, won
from fourfold.engine.twoplayer.rules import STANDARD


class AntichessReferee(TwoPlayerReferee):
    """The referee of `antichess`."""

    def begin(self, position: Position) -> None:
        """End the game if the side to move has no pieces."""
        if not position.men(position.turn):
            position.ended = won(Termination.NO_PIECES, position.turn)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn. End the game if the other side has lost its last piece."""
        super().settle(position, arrived, taken)
        self.begin(position)

    def moves(self, position: Position, seat: int) -> list[Move]:
        """The captures, or all moves if there is none."""
        return compulsory_moves(position, seat)

    def checked(self, position: Position) -> tuple[int, ...]:
        """Nobody is ever in check."""
        return ()

    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, or None. A player without a move wins."""
        return super().outcome(position) if position.can_move() else won(Termination.STALEMATE, position.turn)

    def can_win(self, position: Position, seat: int) -> bool:
        """Whether the other side could capture all pieces of the seat. Bishops on squares of one colour never capture
        those on the other."""
        own, other = list(position.men(seat)), list(position.men(1 - seat))
        bishops = all(man.kind is PieceKind.BISHOP for man in own + other)
        return not own or (bool(other) and not (bishops and shades(position, own) - shades(position, other)))


ANTICHESS = replace(
    STANDARD,
    name="antichess",
    title="Antichess",
    summary="Chess for two, reversed: you must capture if you can. A player without pieces or moves wins.",
    referee=AntichessReferee(),
    starts=(("standard", STANDARD.starts[0][1].replace("KQkq", "-")),),
    castlings=(),
    values=(1, 3, 3, 5, 9, 3, 1),
    promotions=(*STANDARD.promotions, PieceKind.KING),
    own_legality=True,
    kingless=(0, 1),
    giveaway=True,
    decisive=(),
    minor_pieces_draw=False,
    record_name="Antichess",
)
