"""Opening names, looked up by position, so that the move order does not matter.

The names come from a public-domain list; `names.txt` names its source.
"""

import base64
from functools import cache
from pathlib import Path
from typing import Final

from fourfold.engine.match import State
from fourfold.engine.position import Position
from fourfold.protocol.lines import Opening
from fourfold.server.archive import paths
from fourfold.server.yielding_lock import YieldingLock

PLIES: Final = 40
"""Positions after this many plies are not looked up. No opening of the list is longer."""

FAMILY: Final = "= "
"""The beginning of a line with the first part of names. It applies to the lines below it."""

_FILE: Final = Path(__file__).with_name("names.txt")
_BITS: Final = 48


def short_key(position: Position) -> str:
    """The key of a position in the file: 48 bits of its key in the archive."""
    bits = paths.key(position) % 2**_BITS
    return base64.urlsafe_b64encode(bits.to_bytes(_BITS // 8)).decode()


@cache
def names() -> dict[str, tuple[str, str]]:
    """Code and name of each named position, by key."""
    found, family = {}, ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith(FAMILY):
            family = line.removeprefix(FAMILY)
        elif not line.startswith("#"):
            code, key, rest = (*line.split(" ", 2), "")[:3]
            found[key] = (code, f"{family}: {rest}" if rest else family)
    return found


def named(position: Position) -> tuple[str, str] | None:
    """Code and name of the opening of a position; None if it has none."""
    return names().get(short_key(position)) if position.variant == "standard" else None


async def openings(state: State, long_work: YieldingLock) -> list[Opening]:
    """The named positions of a game, in their order. They are looked up a few at a time, so that others don't wait."""
    if state.variant != "standard":
        return []
    found: list[Opening] = []
    position, ply = state.start, 0
    steps = iter(state.line)
    while ply < PLIES:
        async with long_work:
            for _ in range(paths.AT_ONCE):
                step = next(steps, None)
                if step is None or step.move is None:
                    return found
                position, ply = step.play(position), ply + 1
                name = named(position)
                if name is not None:
                    found.append(Opening(ply, *name))
    return found
