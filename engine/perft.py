"""Perft: how many ways the game can go on for so many plies, the proof of every move generator.

It counts what the pieces may do; that a position is drawn by material or repetition does not stop it, as
in the counts that others have published. An elimination costs no ply.
"""

from __future__ import annotations

from fourfold.engine.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` plies from here."""
    if depth == 0:
        return 1
    moves = position.movable()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The same for each first move, by its text in alphabetical order; `depth` is at least 1."""
    moves = sorted(position.movable(), key=lambda move: move.text)
    return {move.text: perft(position.play(move), depth - 1) for move in moves}
