"""What a client asks about a position: where a piece can go, who checks whom, what has been taken.

`Position` itself answers what stands where, what attacks it, what it is worth and which moves are legal. Squares have
names here; seats are numbers, as everywhere in the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from fourfold.engine.movegen import legal_moves
from fourfold.engine.moves import Move
from fourfold.engine.pieces import Piece
from fourfold.engine.position import Position


class Choices(NamedTuple):
    """The legal moves of a piece, captures (those en passant among them) apart from the others."""

    quiet: tuple[Move, ...]
    captures: tuple[Move, ...]


def choices(position: Position, square: str) -> Choices:
    """Where the piece on a square can go, or could if it were the turn of its side: nowhere if there is none, and none
    of a player who is out or of a game that is over. Raises `InvalidNotation` (`bad_source`) for no square of this
    board."""
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
    """The position after a move that somebody has written.

    Raises `InvalidNotation` for what is no move on any board (`bad_source`, `bad_destination`,
    `unknown_promotion`) and `IllegalMove` for what is none on this one (`no_piece`, `own_piece`,
    `cannot_move_there`, and the others of `Position.find`).
    """
    return position.play(position.find(text))


def checkers(position: Position, square: str, seat: int) -> dict[str, Piece]:
    """The pieces that would give the seat check if its king stood on a square. Raises as `Position.attackers`."""
    teams = position.rules.teams
    return {source: piece for source, piece in position.attackers(square).items() if teams[piece.seat] != teams[seat]}


def attacked(position: Position) -> dict[int, list[str]]:
    """The squares that each seat's pieces attack, in the board's order; none for a seat whose pieces are grey. A pinned
    piece attacks, and so does one that guards a piece of its own side."""
    found: dict[int, list[str]] = {seat: [] for seat in range(len(position.seats))}
    for square in position.geometry.names:
        for seat in sorted({piece.seat for piece in position.attackers(square).values()}):
            found[seat].append(square)
    return found


def checks(position: Position) -> dict[int, dict[str, Piece]]:
    """The seats in check, each with the pieces that give it."""
    names = position.geometry.names
    return {seat: checkers(position, names[position.kings[seat]], seat) for seat in position.checked()}


def taken(position: Position, move: Move) -> tuple[Piece, ...]:
    """What a legal move takes: what stands on its target, and then a pawn taken in passing."""
    man = position.man_at(move.source)
    if man is None or position.castle_of(move) is not None:
        return ()
    return tuple(taken.piece for taken in position.taken(man, move))


def taken_in_passing(position: Position, move: Move) -> Piece | None:
    """The pawn that a legal move takes en passant."""
    man = position.man_at(move.source)
    passed = [] if man is None else position.passed_by(man, move.target)
    pawn = position.man_at(passed[0].landed) if passed else None
    return None if pawn is None else pawn.piece


def captured(line: Iterable[tuple[Position, Move]]) -> dict[int, list[Piece]]:
    """What each seat has taken in a game, in order, given every move with the position it was made in. A
    seat that took nothing is left out."""
    prey: dict[int, list[Piece]] = {}
    for position, move in line:
        pieces = taken(position, move)
        if pieces:
            prey.setdefault(position.turn, []).extend(pieces)
    return prey
