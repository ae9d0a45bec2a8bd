"""A board on which a position is put together piece by piece, before a game begins from it.

A `BoardEditor` is a value like a position: each change returns the next one, so going back is free. It takes
any change that names a square, a seat and a piece, in any order; `faults` says at any time what is still
wrong, and `position` is the game's beginning once nothing is. More is asked here than of a FEN: no king may
be in check.
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
    """The rules of the game to come, and what has been set up so far.

    Seats go by their colour's name or letter (``white``, ``w``), pieces by theirs (``knight``, ``n``), in
    capitals or not. Methods raise `InvalidNotation` with `bad_square`, `unknown_seat` or `unknown_piece` for
    a name that is none.
    """

    rules: Variant
    setup: Setup

    @classmethod
    def empty(cls, rules: Variant) -> BoardEditor:
        """An empty board, the first seat to move."""
        return cls(rules, Setup({}))

    @classmethod
    def of(cls, position: Position) -> BoardEditor:
        """The board of a position, with its turn and rights."""
        return cls(position.rules, position.rules.notation.read(position.fen(), position.rules))

    def put(self, square: str, seat: str, kind: str) -> BoardEditor:
        """With a piece on a square, instead of what stood there."""
        piece = Piece(self._seat(seat), self._kind(kind))
        return self._with_pieces({**self.setup.pieces, self._square(square): piece})

    def remove(self, square: str) -> BoardEditor:
        """Without the piece on a square. Raises `IllegalMove` (`no_piece`) if there is none."""
        number = self._square(square)
        if number not in self.setup.pieces:
            raise IllegalMove("no_piece", f"There is no piece on {square}.")
        return self._with_pieces({where: piece for where, piece in self.setup.pieces.items() if where != number})

    def turn(self, seat: str) -> BoardEditor:
        """With a seat to move."""
        number = self._seat(seat)
        return replace(self, setup=replace(self.setup, turn=number, ply=number, en_passant={}))

    def castling(self, rights: Iterable[tuple[str, bool]]) -> BoardEditor:
        """With these castling rights and no others: pairs of a seat and whether the short side is meant."""
        pairs = frozenset((self._seat(seat), short) for seat, short in rights)
        return replace(self, setup=replace(self.setup, castling=pairs))

    def possible_castling(self) -> list[tuple[str, bool]]:
        """The rights that could be given as the pieces stand, for `castling`."""
        tables = tables_of(self.rules)
        return [
            (seat.name, short)
            for number, seat in enumerate(self.rules.seats)
            for short in (True, False)
            if castle_of(self.setup, tables, number, short) is not None
        ]

    def pieces(self) -> dict[str, Piece]:
        """What stands on the board, by the names of the squares."""
        return {self.rules.geometry.names[square]: piece for square, piece in sorted(self.setup.pieces.items())}

    def faults(self) -> tuple[Fault, ...]:
        """Everything that keeps a game from beginning here."""
        tables = tables_of(self.rules)
        found = faults(self.setup, tables)
        last = (self.setup.turn - 1) % len(self.rules.seats)
        for seat in sorted(attacked_kings(self.setup, tables) - {last}):
            whose = f"{self.rules.seats[seat].called}'s"
            found.append(Fault("king_in_check", f"{whose} king is in check: no game is set up to begin so."))
        return tuple(found)

    def position(self) -> Position:
        """The position, to play from. Raises `InvalidSetup` with all faults."""
        found = self.faults()
        if found:
            raise InvalidSetup(found)
        return Position.from_setup(self.rules, self.setup)

    def _with_pieces(self, pieces: dict[int, Piece]) -> BoardEditor:
        # Nobody has just moved on a board that is being changed.
        return replace(self, setup=replace(self.setup, pieces=pieces, en_passant={}, halfmove=0))

    def _square(self, name: str) -> int:
        square = self.rules.geometry.index.get(name.lower())
        if square is None:
            board = self.rules.geometry.name
            raise InvalidNotation("bad_square", f"'{name[:20]}' is not a square of the {board} board.")
        return square

    def _seat(self, name: str) -> int:
        for number, seat in enumerate(self.rules.seats):
            if name.lower() in (seat.name, seat.letter):
                return number
        names = ", ".join(seat.name for seat in self.rules.seats)
        raise InvalidNotation("unknown_seat", f"'{name[:20]}' is no colour of this game; there are {names}.")

    def _kind(self, name: str) -> PieceKind:
        kind = _KINDS.get(name.lower())
        if kind is None or (kind is PieceKind.PROMOTED_QUEEN and kind not in self.rules.promotions):
            names = ", ".join(PieceKind(number).noun for number in range(PieceKind.PROMOTED_QUEEN))
            raise InvalidNotation("unknown_piece", f"'{name[:20]}' is no piece; there are {names}.")
        return kind
