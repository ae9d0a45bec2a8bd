"""Texts that are too long for one request: their pieces."""

from typing import Final

import msgspec

PIECE: Final = 7500
"""The most bytes of a text in one request: its frame has room for 8192."""


def pieces(text: str) -> list[str]:
    """Split a text into pieces that fit into one request in any encoding."""
    found, begin, size = [], 0, 0
    for at, sign in enumerate(text):
        length = len(msgspec.json.encode(sign)) - 2  # without the quotes; MessagePack is never longer
        if size + length > PIECE:
            found.append(text[begin:at])
            begin, size = at, 0
        size += length
    return [*found, text[begin:]]
