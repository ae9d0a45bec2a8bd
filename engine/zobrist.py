"""Zobrist keys: the numbers that position hashes are made of. They are the same in every process and every run.

Zobrist hashing gives each feature of a position (a piece on a square, a right, the turn) a 64-bit number
and combines them by exclusive or. So a move updates the hash by its changes on the board alone.
"""

from __future__ import annotations

KEY_BITS = 64
_MASK = (1 << KEY_BITS) - 1


def key(*feature: int) -> int:
    """The 64-bit key of a feature. The feature is a sequence of small non-negative integers.

    The generator is SplitMix64 (Steele, Lea and Flood, 2014), stepped once for each integer.
    """
    state = 0
    for part in (len(feature), *feature):
        state = (state + (part + 1) * 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state
