"""Questions that clients ask about a position: a piece's moves, checks, pins, captures, attacked squares.

>>> from fourfold.engine import Position
>>> from fourfold.engine.questions import choices
>>> [move.text for move in choices(Position.start(), "g1").quiet]
['g1f3', 'g1h3']

Squares go by name here, and seats by number. `Position` itself answers questions about pieces, attackers, material and
legal moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from fourfold.engine import coordinates, movegen
from fourfold.engine.moves import Move
from fourfold.engine.pieces import Piece
from fourfold.engine.position import Position
from fourfold.engine.squares import SquareSet


class Choices(NamedTuple):
    """The legal moves of a piece, in two groups."""

    quiet: tuple[Move, ...]
    """The moves that capture nothing."""
    captures: tuple[Move, ...]
    """The captures, including those en passant."""


def choices(position: Position, square: str) -> Choices:
    """The legal moves of the piece on a square, as if it were its player's turn.

    Both groups are empty for an empty square, for a grey piece, and after the end of the game. Raises `InvalidNotation`
    (`bad_source`) if the board has no such square.
    """
    piece = position.piece_at(square)
    source = position.geometry.index[square]
    legal: Iterable[Move] = ()
    if piece is not None and piece.seat == position.turn:
        legal = position.legal_moves
    elif piece is not None and not piece.grey and position.outcome is None:
        legal = position.moves_of(piece.seat)
    moves = sorted((move for move in legal if move.source == source), key=lambda move: move.text)
    captures = tuple(move for move in moves if taken(position, move))
    return Choices(tuple(move for move in moves if move not in captures), captures)


def attempt(position: Position, text: str) -> Position:
    """The position after a move in coordinate notation.

    Raises `InvalidNotation` (`bad_source`, `bad_destination`, `unknown_promotion`) for unreadable text, and
    `IllegalMove` (`no_piece`, `own_piece`, `cannot_move_there` and the other codes of `Position.find`) for a move that
    is not legal here.
    """
    return position.play(position.find(text))


def checkers(position: Position, square: str, seat: int) -> dict[str, Piece]:
    """The pieces that would give check if the seat's king stood on `square`, by their squares. Raises as
    `Position.attackers` does."""
    teams = position.rules.teams
    return {source: piece for source, piece in position.attackers(square).items() if teams[piece.seat] != teams[seat]}


def occupied(position: Position, seat: int | None = None) -> SquareSet:
    """The squares of a seat's live pieces, or of all pieces.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.questions import occupied
    >>> len(occupied(Position.start())), "e1" in occupied(Position.start(), 1)
    (32, False)
    """
    armies = position.armies if seat is None else (position.armies[seat],)
    return SquareSet(position.geometry, sum(1 << square for army in armies for square in army))


def attacks(position: Position, square: str) -> SquareSet:
    """The squares that the piece on a square attacks, pinned or not. Squares of friendly pieces count too. The set is
    empty for an empty square and for a grey piece. Raises `InvalidNotation` (`bad_source`) if the board has no such
    square.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.questions import attacks
    >>> sorted(attacks(Position.start(), "b1"))
    ['a3', 'c3', 'd2']
    """
    man = position.man_at(coordinates.square(position.geometry, square, "bad_source"))
    return SquareSet(position.geometry, 0 if man is None else movegen.attacks(position, man))


def attacked(position: Position) -> dict[int, list[str]]:
    """The squares that each seat's pieces attack, in the board's order. Pinned pieces attack, and squares of friendly
    pieces count too. Grey pieces attack nothing."""
    found = {}
    for seat in range(len(position.seats)):
        mask = 0
        for man in position.men(seat):
            mask |= movegen.attacks(position, man)
        found[seat] = list(SquareSet(position.geometry, mask))
    return found


def pins(position: Position, seat: int | None = None) -> dict[str, SquareSet]:
    """The pinned pieces of a seat, by square; the default is the side to move. Each comes with the squares on which it
    still shields its king: the line to the pinning piece, and that piece's own square.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.questions import pins
    >>> position = Position.from_fen("4k3/8/4r3/8/8/8/4Q3/4K3 w - - 0 1")
    >>> {square: sorted(line) for square, line in pins(position).items()}
    {'e2': ['e2', 'e3', 'e4', 'e5', 'e6']}
    """
    names = position.geometry.names
    found = movegen.pins(position, position.turn if seat is None else seat)
    return {names[square]: SquareSet(position.geometry, line) for square, line in found.items()}


def checks(position: Position) -> dict[int, dict[str, Piece]]:
    """The seats in check, each with the checking pieces by square.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.questions import checks
    >>> {seat: list(pieces) for seat, pieces in checks(Position.start().play("e4").play("f6").play("Qh5")).items()}
    {1: ['h5']}
    """
    names = position.geometry.names
    return {seat: checkers(position, names[position.kings[seat]], seat) for seat in position.checked()}


def gives_check(position: Position, move: Move | str) -> bool:
    """Whether a legal move gives check: some other king then has an attacker that it had not before. A mate is a check.
    Raises as `Position.read_move` does for a text.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.questions import gives_check
    >>> position = Position.start().play("e4").play("f6")
    >>> gives_check(position, "Qh5"), gives_check(position, "Qg4")
    (True, False)
    """
    move = _legal(position, move)
    return bool(newly_checked(position, move, position.play(move)))


def is_capture(position: Position, move: Move | str) -> bool:
    """Whether a legal move captures a piece, en passant included. Raises as `Position.read_move` does for a text.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.questions import is_capture
    >>> is_capture(Position.start().play("e4").play("d5"), "exd5")
    True
    """
    return bool(taken(position, _legal(position, move)))


def is_castling(position: Position, move: Move | str) -> bool:
    """Whether a legal move castles. Raises as `Position.read_move` does for a text.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.questions import is_castling
    >>> is_castling(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "e1g1")
    True
    """
    return position.castle_of(_legal(position, move)) is not None


def is_en_passant(position: Position, move: Move | str) -> bool:
    """Whether a legal move captures a pawn en passant. Raises as `Position.read_move` does for a text.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.questions import is_en_passant
    >>> is_en_passant(Position.from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"), "exd6")
    True
    """
    return taken_in_passing(position, _legal(position, move)) is not None


def newly_checked(position: Position, move: Move, after: Position) -> tuple[int, ...]:
    """The other seats whose king has a new attacker after a legal move, mated kings included. `after` is the position
    after it."""
    checked_now = after.checked()
    if not checked_now and len(after.alive) == len(after.kings):
        return ()  # the usual case
    safe = set(after.alive).difference(checked_now)
    return tuple(
        seat
        for seat, king in enumerate(position.kings)
        if king >= 0
        and king != move.target
        and seat != position.turn
        and seat not in safe
        and not _checking(position, king, seat) >= _checking(after, king, seat)
    )


def _checking(position: Position, king: int, seat: int) -> set[int]:
    """The seats that attack a seat's king."""
    return {piece.seat for piece in checkers(position, position.geometry.names[king], seat).values()}


def _legal(position: Position, move: Move | str) -> Move:
    return move if isinstance(move, Move) else position.read_move(move)


def taken(position: Position, move: Move) -> tuple[Piece, ...]:
    """The pieces that a legal move captures: first the one on its target, then pawns captured en passant."""
    man = position.man_at(move.source)
    if man is None or position.castle_of(move) is not None:
        return ()
    return tuple(taken.piece for taken in position.taken(man, move))


def taken_in_passing(position: Position, move: Move) -> Piece | None:
    """The pawn that a legal move captures en passant, or None."""
    man = position.man_at(move.source)
    passed = [] if man is None else position.passed_by(man, move.target)
    pawn = position.man_at(passed[0].landed) if passed else None
    return None if pawn is None else pawn.piece


def captured(line: Iterable[tuple[Position, Move]]) -> dict[int, list[Piece]]:
    """The pieces that each seat captured in a game, in order. `line` has every move with the position before it. Seats
    without captures are missing from the result."""
    prey: dict[int, list[Piece]] = {}
    for position, move in line:
        pieces = taken(position, move)
        if pieces:
            prey.setdefault(position.turn, []).extend(pieces)
    return prey
