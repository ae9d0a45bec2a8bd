"""What a step changes on the board, for clients that show a game without knowing its rules. Pure.

It follows from the step and what went before. It is told with the step, so that nobody has to play the game to draw it.
"""

from __future__ import annotations

from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.values import value


@value
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
    text = "" if move is None else before.san(move, after)
    names = after.rules.geometry.names
    changes = [(names[square], "" if man is None else man.cell) for square, man in sorted(after.changed.items())]
    return Sight(text, tuple(changes), after.checked(), after.points)
