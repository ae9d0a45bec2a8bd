"""What a step changes to the eye, for those who show a game without knowing its rules. Pure.

It follows from the step and what went before; it is told with the step so that nobody need play the game
to draw it.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.fourplayer import lan
from engine.moves import Move
from engine.pieces import NOBODY, Piece
from engine.position import Position
from engine.rules import Rules
from engine.twoplayer import san


@dataclass(frozen=True, slots=True)
class Sight:
    """How the board is to look after a step.

    `text` is the move as people write it: SAN for two, long algebraic notation for four; empty for a
    departure. `changes` are the squares on which something else stands than before, each with what does
    now: a cell of FEN4 (``rP``, ``drP`` if grey), with ``w`` and ``b`` for two, empty if nothing. `check`
    are the seats whose king is attacked, `points` what each seat has where points count.
    """

    text: str
    changes: tuple[tuple[str, str], ...]
    check: tuple[int, ...]
    points: tuple[int, ...] | None


def sight(before: Position, after: Position, move: Move | None = None) -> Sight:
    """What leads from one position to the next: a move, or (None) a departure."""
    text = ""
    if move is not None:
        text = (san if len(before.rules.seats) == 2 else lan).write(before, move, after)
    return Sight(text, changes(before, after), after.checked(), after.points)


def changes(before: Position, after: Position) -> tuple[tuple[str, str], ...]:
    """The squares that differ, in the order of the board, with what stands on them afterwards."""
    # An army that nothing happened to is shared by both.
    armies = [(old, new) for old, new in zip(before.armies, after.armies, strict=True) if old is not new]
    changed: dict[int, str] = {}
    for old, new in armies:
        for square in old.keys() - new.keys():
            changed[square] = ""
    for old, new in armies:
        for square, man in new.items():
            if old.get(square) is not man:
                changed[square] = cell(before.rules, man.piece)
    names = before.geometry.names
    return tuple([(names[square], changed[square]) for square in sorted(changed)])


def cell(rules: Rules, piece: Piece) -> str:
    """A piece as a cell of FEN4."""
    owner = "" if piece.seat == NOBODY else rules.seats[piece.seat].letter
    return ("d" if piece.grey else "") + owner + piece.kind.letter.upper()
