"""Nearly valid inputs: valid ones, with pieces cut out, doubled, moved, exchanged or changed.

They come from a `random.Random`, so that the same seed gives the same inputs, and so that hypothesis can make its own
choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

MOST = 8192
"""The longest input, in bytes."""


def mutate(random: Random, seeds: Sequence[bytes], words: Sequence[bytes], edits: int = 6) -> bytes:
    """One of the seeds after up to `edits` edits."""
    data = random.choice(seeds)
    if len(data) > MOST // 2:
        start = random.randrange(len(data) - MOST // 2)
        data = data[start : start + MOST // 2]
    for _ in range(random.randint(1, edits)):
        data = random.choice(_EDITS)(random, data, seeds, words)[:MOST]
    return data


def _slice(random: Random, data: bytes) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice((1, 1, 2, 4, 8, 32, 128)))


def _cut(random: Random, data: bytes, _: Sequence[bytes], __: Sequence[bytes]) -> bytes:
    start, end = _slice(random, data)
    return data[:start] + data[end:]


def _double(random: Random, data: bytes, _: Sequence[bytes], __: Sequence[bytes]) -> bytes:
    start, end = _slice(random, data)
    return data[:end] + data[start:end] * random.choice((1, 1, 2, 10, 500)) + data[end:]


def _move(random: Random, data: bytes, _: Sequence[bytes], __: Sequence[bytes]) -> bytes:
    start, end = _slice(random, data)
    rest = data[:start] + data[end:]
    place = random.randint(0, len(rest))
    return rest[:place] + data[start:end] + rest[place:]


def _say(random: Random, data: bytes, _: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    start, end = _slice(random, data)
    return data[:start] + random.choice(words) + data[random.choice((start, end)) :]


def _splice(random: Random, data: bytes, seeds: Sequence[bytes], _: Sequence[bytes]) -> bytes:
    other = random.choice(seeds)
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _bend(random: Random, data: bytes, _: Sequence[bytes], __: Sequence[bytes]) -> bytes:
    if not data:
        return bytes([random.randrange(256)])
    place = random.randrange(len(data))
    byte = data[place] ^ 1 << random.randrange(8) if random.randrange(2) else random.randrange(256)
    return data[:place] + bytes([byte]) + data[place + 1 :]


_EDITS: tuple[Callable[[Random, bytes, Sequence[bytes], Sequence[bytes]], bytes], ...] = (
    _cut, _double, _move, _say, _splice, _bend,
)  # fmt: skip
