"""The content of a drawn board, for text and for widgets. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.engine.editor import BoardEditor
from fourfold.engine.match.display import in_hand
from fourfold.engine.pieces import Piece
from fourfold.engine.position import Position
from fourfold.engine.questions import choices


@dataclass(frozen=True, slots=True)
class View:
    """A board with an `orientation`. `pieces` are by square name (a piece's seat is a number in `seats`). `turn` is the
    seat to move.

    `movable` has the squares of pieces that can move; None if that is not shown. `checked` has the squares of kings in
    check, and `last` those of the last move, from and to. `asked` is the square of the piece whose moves are shown:
    `targets` are its empty target squares, and `captures` those of its captures. `ply` is the past moment in view
    (None: the present). `hands` has the letters of the pieces in each seat's hand, in variants with drops.
    """

    orientation: Orientation
    seats: tuple[str, ...]
    pieces: Mapping[str, Piece]
    turn: str
    movable: frozenset[str] | None = None
    checked: frozenset[str] = frozenset()
    last: tuple[str, ...] = ()
    asked: str | None = None
    targets: frozenset[str] = frozenset()
    captures: frozenset[str] = frozenset()
    ply: int | None = None
    hands: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        position: Position,
        orientation: Orientation | None = None,
        *,
        last: str | None = None,
        brackets: bool = False,
        ply: int | None = None,
    ) -> Self:
        """The view of a position: from the first seat's side by default, with the `last` move (coordinate notation),
        and with the movable pieces if `brackets` is set."""
        names = position.geometry.names
        moves = position.legal_moves if brackets else ()
        return cls(
            orientation=orientation or Orientation.of(position),
            seats=position.seats,
            pieces=position.pieces(),
            turn=position.seats[position.turn],
            movable=frozenset(names[move.source] for move in moves if move.drop is None) if brackets else None,
            checked=frozenset(names[position.kings[seat]] for seat in position.checked()),
            last=() if last is None else squares_of(last),
            ply=ply,
            hands=tuple([in_hand(position, seat) for seat in range(len(position.hands))]),
        )

    def asking(self, position: Position, square: str | None) -> Self:
        """The view with the moves of the piece on a square (None: unchanged). Raises `InvalidNotation` for an unknown
        square."""
        if square is None:
            return self
        names, found = position.geometry.names, choices(position, square)
        targets = frozenset(names[move.target] for move in found.quiet)
        captures = frozenset(names[move.target] for move in found.captures)
        return replace(self, asked=square, targets=targets, captures=captures)

    @classmethod
    def editing(cls, editor: BoardEditor, orientation: Orientation) -> Self:
        """The view of a board in setup mode."""
        seats = tuple(seat.name for seat in editor.rules.seats)
        return cls(orientation, seats, editor.pieces(), seats[editor.setup.turn])


def squares_of(move: str) -> tuple[str, ...]:
    """The squares of a move in coordinate notation: from and to. A drop (``N@f3``) has its letter and ``@`` as the
    first."""
    cut = next(index for index, letter in enumerate(move[1:], start=1) if letter.isalpha())
    return move[:cut], move[cut:].rstrip("qrbndk")
