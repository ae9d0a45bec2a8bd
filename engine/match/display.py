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
    `hands` has the pieces in each seat's hand, as letters, in variants with drops.
    """

    text: str
    changes: tuple[tuple[str, str], ...]
    check: tuple[int, ...]
    points: tuple[int, ...] | None
    hands: tuple[str, ...] = ()


def sight(before: Position, after: Position, move: Move | None = None) -> Sight:
    """The changes between two positions. `move` is the move between them, or None for a departure."""
    text = "" if move is None else before.san(move, after)
    names = after.rules.geometry.names
    changes = [(names[square], "" if man is None else man.cell) for square, man in sorted(after.changed.items())]
    hands = tuple([in_hand(after, seat) for seat in range(len(after.hands))]) if after.hands else ()
    return Sight(text, tuple(changes), after.checked(), after.points, hands)


def in_hand(position: Position, seat: int) -> str:
    """The pieces in a seat's hand, as letters, the most valuable first."""
    return "".join([kind.letter * position.hands[seat][kind] for kind in reversed(position.rules.drops)])
