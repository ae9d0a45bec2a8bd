"""The board editor: build a position piece by piece, then start a game from it.

>>> from fourfold.engine import VARIANTS, BoardEditor
>>> board = BoardEditor.empty(VARIANTS["standard"]).put("e1", "white", "king").put("d7", "white", "pawn")
>>> [fault.message for fault in board.faults()]
['Black has no king: put exactly one on the board.']
>>> board.put("h8", "black", "king").position().fen()
'7k/3P4/8/8/8/8/8/4K3 w - - 0 1'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fourfold.engine.errors import Fault, IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.pieces import KIND_OF_LETTER, Piece, PieceKind
from fourfold.engine.position import Position, Variant
from fourfold.engine.setup import Setup, attacked_kings, castle_of, faults
from fourfold.engine.tables import tables_of

_KINDS = KIND_OF_LETTER | {kind.noun: kind for kind in PieceKind if kind is not PieceKind.PROMOTED_QUEEN}


@dataclass(frozen=True, slots=True)
class BoardEditor:
    """An unfinished position. It never changes: each method returns a new editor, so keeping the old one is an undo.

    Changes come in any order, and the board may be impossible in between. `faults` lists the remaining problems.
    `position` gives the position once there are none. The editor is stricter than a FEN: no king may be in check.

    Name seats by colour or letter (``white``, ``w``) and pieces by name or letter (``knight``, ``n``), in upper or
    lower case. Methods raise `InvalidNotation` with code `bad_square`, `unknown_seat` or `unknown_piece` for unknown
    names.
    """

    rules: Variant
    """The variant to play from this position."""
    setup: Setup
    """The board so far, with turn and castling rights."""

    @classmethod
    def empty(cls, rules: Variant) -> BoardEditor:
        """An editor with an empty board. The first seat is to move."""
        return cls(rules, Setup({}))

    @classmethod
    def of(cls, position: Position) -> BoardEditor:
        """An editor with the board, turn and rights of a position."""
        return cls(position.rules, position.rules.notation.read(position.fen(), position.rules))

    def put(self, square: str, seat: str, kind: str) -> BoardEditor:
        """Put a piece on a square. It replaces the piece there, if any."""
        piece = Piece(self._seat(seat), self._kind(kind))
        return self._with_pieces({**self.setup.pieces, self._square(square): piece})

    def remove(self, square: str) -> BoardEditor:
        """Remove the piece from a square. Raises `IllegalMove` (`no_piece`) if the square is empty."""
        number = self._square(square)
        if number not in self.setup.pieces:
            raise IllegalMove("no_piece", f"There is no piece on {square}.")
        return self._with_pieces({where: piece for where, piece in self.setup.pieces.items() if where != number})

    def turn(self, seat: str) -> BoardEditor:
        """Set the seat to move. This clears the en passant rights."""
        number = self._seat(seat)
        return replace(self, setup=replace(self.setup, turn=number, ply=number, en_passant={}))

    def castling(self, rights: Iterable[tuple[str, bool]]) -> BoardEditor:
        """Set the castling rights, replacing all earlier ones. Each right is a pair of a seat and True for the short
        side, False for the long one."""
        pairs = frozenset((self._seat(seat), short) for seat, short in rights)
        return replace(self, setup=replace(self.setup, castling=pairs))

    def possible_castling(self) -> list[tuple[str, bool]]:
        """All castling rights that the present pieces allow, in the form that `castling` takes."""
        tables = tables_of(self.rules)
        return [
            (seat.name, short)
            for number, seat in enumerate(self.rules.seats)
            for short in (True, False)
            if castle_of(self.setup, tables, number, short) is not None
        ]

    def pieces(self) -> dict[str, Piece]:
        """The pieces on the board, by square name."""
        return {self.rules.geometry.names[square]: piece for square, piece in sorted(self.setup.pieces.items())}

    def faults(self) -> tuple[Fault, ...]:
        """Every reason why no game can start here; empty if one can."""
        tables = tables_of(self.rules)
        found = faults(self.setup, tables)
        last = (self.setup.turn - 1) % len(self.rules.seats)
        for seat in sorted(attacked_kings(self.setup, tables) - {last}):
            whose = f"{self.rules.seats[seat].called}'s"
            found.append(Fault("king_in_check", f"{whose} king is in check: a game cannot start like this."))
        return tuple(found)

    def position(self) -> Position:
        """The finished position. Raises `InvalidSetup` with all faults."""
        found = self.faults()
        if found:
            raise InvalidSetup(found)
        return Position.from_setup(self.rules, self.setup)

    def _with_pieces(self, pieces: dict[int, Piece]) -> BoardEditor:
        # A changed board has no last move, so no pawn can be captured en passant.
        return replace(self, setup=replace(self.setup, pieces=pieces, en_passant={}, halfmove=0))

    def _square(self, name: str) -> int:
        square = self.rules.geometry.index.get(name.lower())
        if square is None:
            board = self.rules.geometry.name
            raise InvalidNotation("bad_square", f"There is no square '{name[:20]}' on the {board} board.")
        return square

    def _seat(self, name: str) -> int:
        for number, seat in enumerate(self.rules.seats):
            if name.lower() in (seat.name, seat.letter):
                return number
        names = ", ".join(seat.name for seat in self.rules.seats)
        raise InvalidNotation("unknown_seat", f"There is no colour '{name[:20]}' in this game. Colours: {names}.")

    def _kind(self, name: str) -> PieceKind:
        kind = _KINDS.get(name.lower())
        if kind is None or (kind is PieceKind.PROMOTED_QUEEN and kind not in self.rules.promotions):
            names = ", ".join(PieceKind(number).noun for number in range(PieceKind.PROMOTED_QUEEN))
            raise InvalidNotation("unknown_piece", f"Unknown piece '{name[:20]}'. Pieces: {names}.")
        return kind
