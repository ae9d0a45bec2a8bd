"""What a step changes on the board, for clients that show a game without knowing its rules. Pure.

It follows from the step and what went before. It is told with the step, so that nobody has to play the game to draw it.
"""

from __future__ import annotations

from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.tables import Castle
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
    if move is None:
        return Sight("", changes(before, after), after.checked(), after.points)
    castle = before.castle_of(move)
    return Sight(before.write_move(move, after), changes(before, after, castle), after.checked(), after.points)


def changes(before: Position, after: Position, castle: Castle | None = None) -> tuple[tuple[str, str], ...]:
    """The squares that differ, in the order of the board, with what stands on them afterwards. A castling that made the
    difference is named."""
    # Where another man stands, another side does, since nobody takes their own; but a king and a rook that castle may
    # change places.
    sides = after.sides
    differing = int.from_bytes(before.sides, "little") ^ int.from_bytes(sides, "little")
    if castle is not None:
        places = {castle.move.source, castle.target, castle.rook.source, castle.rook.target}
        differing |= sum(1 << 8 * square for square in places if before.man_at(square) is not after.man_at(square))
    names = after.geometry.names
    changed = []
    while differing:
        square = (differing & -differing).bit_length() - 1 >> 3
        differing &= -1 << 8 * (square + 1)
        man = after.man_at(square) if sides[square] else None
        changed.append((names[square], "" if man is None else man.cell))
    return tuple(changed)
