"""The changes that a step makes on the board, for clients that do not know the rules. Pure.

Events carry them, so that a client can draw a step without playing the game.
"""

from __future__ import annotations

from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.values import value


@value
class Sight:
    """The board after a step, as changes.

    `text` is the move in SAN for two players, in long algebraic notation for four; empty for a departure. `changes` has
    the changed squares, each with its piece now: a cell of FEN4 (``rP``, ``drP`` if grey), with ``w`` and ``b`` for two
    players, or empty. `check` has the seats in check. `points` has each seat's points, where points count.
    """

    text: str
    changes: tuple[tuple[str, str], ...]
    check: tuple[int, ...]
    points: tuple[int, ...] | None


def sight(before: Position, after: Position, move: Move | None = None) -> Sight:
    """The changes between two positions. `move` is the move between them, or None for a departure."""
    text = "" if move is None else before.san(move, after)
    names = after.rules.geometry.names
    changes = [(names[square], "" if man is None else man.cell) for square, man in sorted(after.changed.items())]
    return Sight(text, tuple(changes), after.checked(), after.points)
