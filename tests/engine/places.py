"""Positions built for tests."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fourfold.engine.pieces import KIND_OF_LETTER, NOBODY, Piece
from fourfold.engine.position import Position
from fourfold.engine.setup import Setup
from fourfold.engine.variants import VARIANTS


def setup_of(
    variant: str,
    men: str,
    turn: str = "",
    *,
    castling: Collection[tuple[int, bool]] = (),
    en_passant: Mapping[int, str] | None = None,
    halfmove: int = 0,
    dead: str = "",
    points: tuple[int, ...] | None = None,
) -> Setup:
    """A setup from pieces such as ``rKh1`` (colour, kind, square); grey ones have a ``d`` in front."""
    rules = VARIANTS[variant]
    letters = [seat.letter for seat in rules.seats]
    pieces = {}
    for man in men.split():
        grey, plain = (True, man[1:]) if man[0] == "d" else (False, man)
        seat = NOBODY if plain[0] == "?" else letters.index(plain[0])
        pieces[rules.geometry.index[plain[2:]]] = Piece(seat, KIND_OF_LETTER[plain[1].lower()], grey)
    return Setup(
        pieces=pieces,
        turn=letters.index(turn or letters[0]),
        castling=frozenset(castling),
        en_passant={seat: rules.geometry.index[square] for seat, square in (en_passant or {}).items()},
        halfmove=halfmove,
        dead=frozenset(letters.index(letter) for letter in dead),
        points=points,
    )


def place(variant: str, men: str, turn: str = "", **rest: object) -> Position:
    """The position of such a setup."""
    return Position.from_setup(VARIANTS[variant], setup_of(variant, men, turn, **rest))  # type: ignore[arg-type]


def play(position: Position, moves: str) -> Position:
    """The position after moves, separated by blanks."""
    for text in moves.split():
        position = position.play(position.find(text))
    return position


def men(position: Position) -> set[str]:
    """The pieces of a position, in the form that `setup_of` reads."""
    letters = [seat.letter for seat in position.rules.seats]
    return {
        ("d" if piece.grey else "")
        + ("?" if piece.seat == NOBODY else letters[piece.seat])
        + piece.kind.letter.upper()
        + square
        for square, piece in position.pieces().items()
    }
