"""Crazyhouse: captured pieces change sides, and may be dropped on the board instead of a move
(https://lichess.org/variant/crazyhouse).

A promoted piece is a pawn again when it is captured. FEN marks it by a tilde, and has the pieces in hand in square
brackets after the board: ``rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[n] w KQkq - 0 1``.
"""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.movegen import legal_moves
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.tables import Man
from fourfold.engine.twoplayer.draws import TwoPlayerReferee, drawn
from fourfold.engine.twoplayer.rules import STANDARD


class CrazyhouseReferee(TwoPlayerReferee):
    """The referee of `crazyhouse`."""

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn. Captured pieces go to the mover's hand."""
        super().settle(position, arrived, taken)
        for man in taken:
            position.give(arrived.seat, PieceKind.PAWN if man.piece.promoted else man.kind)

    def moves(self, position: Position, seat: int) -> list[Move]:
        """The moves of chess, and the drops. In check, a drop must block."""
        found = legal_moves(position, seat)
        if any(position.hands[seat]):
            free = self._free(position, seat)
            for kind, drops in position.tables.drops.items():
                if position.hands[seat][kind]:
                    found += [drop for drop in drops if drop.bit & free]
        return found

    def _free(self, position: Position, seat: int) -> int:
        """A mask of the squares for drops: the empty ones, and in check those that block it."""
        free = position.tables.full & ~position.total
        threats = position.tables.threats[position.kings[seat]]
        found = position.forces[1 - seat] & threats.mask
        for _, between in threats.sources(found) if found else ():
            if not between & position.total:
                free &= between
        return free

    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, or None. Only the fifth occurrence of a position draws by itself."""
        if not position.can_move():
            return super().outcome(position)
        return drawn(Termination.FIVEFOLD) if position.repetitions() >= 5 else None

    def claims(self, rules: Rules) -> tuple[Termination, ...]:
        """The third occurrence of a position."""
        return (Termination.THREEFOLD,)

    def may_claim(self, position: Position, seat: int) -> Termination | None:
        """A draw by threefold repetition, for the side to move."""
        return Termination.THREEFOLD if seat == position.turn and position.repetitions() >= 3 else None

    def can_win(self, position: Position, seat: int) -> bool:
        """Always True: captured pieces return."""
        return True


CRAZYHOUSE = replace(
    STANDARD,
    name="crazyhouse",
    title="Crazyhouse",
    summary="Chess for two: the pieces that you capture are yours, to drop on the board instead of a move.",
    referee=CrazyhouseReferee(),
    starts=(("standard", STANDARD.starts[0][1].replace(" w", "[] w")),),
    own_legality=True,
    drops=(PieceKind.PAWN, PieceKind.KNIGHT, PieceKind.BISHOP, PieceKind.ROOK, PieceKind.QUEEN),
    minor_pieces_draw=False,
    moves_without_progress=0,
    record_name="Crazyhouse",
)
