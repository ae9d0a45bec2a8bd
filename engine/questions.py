"""Questions that clients ask about a position: a piece's moves, checks, captures.

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

from fourfold.engine.movegen import legal_moves
from fourfold.engine.moves import Move
from fourfold.engine.pieces import Piece
from fourfold.engine.position import Position


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
        legal = legal_moves(position, piece.seat)
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


def attacked(position: Position) -> dict[int, list[str]]:
    """The squares that each seat's pieces attack, in the board's order. Pinned pieces attack, and squares of friendly
    pieces count too. Grey pieces attack nothing."""
    found: dict[int, list[str]] = {seat: [] for seat in range(len(position.seats))}
    for square in position.geometry.names:
        for seat in sorted({piece.seat for piece in position.attackers(square).values()}):
            found[seat].append(square)
    return found


def checks(position: Position) -> dict[int, dict[str, Piece]]:
    """The seats in check, each with the checking pieces by square."""
    names = position.geometry.names
    return {seat: checkers(position, names[position.kings[seat]], seat) for seat in position.checked()}


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
