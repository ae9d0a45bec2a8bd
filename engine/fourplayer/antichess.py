"""Antichess for four: captures are compulsory, and the first player without pieces or moves wins.

Everybody plays alone. Kings are pieces like any other: they can be captured, there is no check and no castling, and
pawns may become kings. The grey pieces of a player who left must be captured too, if nothing else can be.
"""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.fourplayer.referee import FourPlayerReferee, first
from fourfold.engine.fourplayer.rules import STARTS, SURVIVOR
from fourfold.engine.movegen import compulsory_moves
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.tables import Man


class FourAntichessReferee(FourPlayerReferee):
    """The referee of `antichess4`."""

    def begin(self, position: Position) -> None:
        """Complete a set-up position. End the game if a player has no pieces."""
        super().begin(position)
        self._win(position, position.alive)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn. End the game if a player has lost the last piece. If two have, the first after the mover
        wins."""
        super().settle(position, arrived, taken)
        lost = [man.seat for man in taken if man.team >= 0]
        if lost:
            self._win(position, tuple([seat for seat in position.tables.clockwise[arrived.seat] if seat in lost]))

    def moves(self, position: Position, seat: int) -> list[Move]:
        """The captures, or all moves if there is none."""
        return compulsory_moves(position, seat)

    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, or None. A player without a move at the own turn wins."""
        if position.can_move():
            return super().outcome(position)
        return first(position, position.turn, Termination.STALEMATE)

    def insufficient(self, position: Position) -> bool:
        """Always False: every army can be captured, or is a draw by lack of progress."""
        return False

    def _win(self, position: Position, seats: tuple[int, ...]) -> None:
        """End the game with the first of the seats that has no pieces, if any."""
        for seat in seats:
            if position.ended is None and not position.men(seat):
                position.ended = first(position, seat, Termination.NO_PIECES)


ANTICHESS_FOR_FOUR = replace(
    SURVIVOR,
    name="antichess4",
    title="Antichess for four",
    summary="Four players, each alone: you must capture if you can. The first player without pieces or moves wins.",
    referee=FourAntichessReferee(),
    starts=tuple((name, text.replace("-1,1,1,1-1,1,1,1-", "-0,0,0,0-0,0,0,0-")) for name, text in STARTS),
    castlings=(),
    values=(1, 3, 3, 5, 9, 3, 1),
    promotions=(*SURVIVOR.promotions, PieceKind.KING),
    own_legality=True,
    kingless=(0, 1, 2, 3),
    giveaway=True,
    decisive=(),
    minor_pieces_draw=False,
    record_name="Antichess4",
)
