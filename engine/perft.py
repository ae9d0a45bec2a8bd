"""Perft: counts of move sequences, the standard test of a move generator.

>>> from fourfold.engine import Position
>>> from fourfold.engine.perft import perft
>>> perft(Position.start(), 3)
8902

Draws by material or repetition do not stop the count, as in published counts. An elimination takes no ply.
"""

from __future__ import annotations

from fourfold.engine.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of `depth` plies from a position; `depth` is at least 0."""
    if depth == 0:
        return 1
    moves = position.movable()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The perft count for each first move, by its text in alphabetical order; `depth` is at least 1."""
    moves = sorted(position.movable(), key=lambda move: move.text)
    return {move.text: perft(position.play(move), depth - 1) for move in moves}
