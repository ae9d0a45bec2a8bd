"""The moves played from each position in the first moves of a game, for the explorer. Pure, except that it lets other
tasks run.

A position's key depends only on a text that this module defines. It is the text's BLAKE2b digest of eight bytes, as a
big-endian signed number. The text has these parts, divided by slashes:

1. the variant, and the options of its rules if they are not the usual ones, as PGN4 names them;
2. the letter of the seat to move, then those of all seats that are still in the game;
3. the pieces, sorted and divided by blanks: square, seat's letter, kind's letter, and an `x` if it is grey;
4. the castling rights, sorted: the seat's letter and the rook's square;
5. the squares on which the side to move can capture en passant, sorted.

So counters, points and earlier moves do not matter. `tests/server/archive/test_paths.py` checks known keys.
"""

import asyncio
from hashlib import blake2b
from typing import Final

from fourfold.engine.match import State
from fourfold.engine.notation import options
from fourfold.engine.position import Position
from fourfold.engine.variants import rules_of

PLIES: Final = 40
"""How many of a game's first moves are counted."""

AT_ONCE: Final = 5
"""How many moves are made in one turn of the event loop: about a millisecond of work."""

Path = tuple[tuple[int, str], ...]
"""Pairs of a position's key and the move played there, each pair once."""


def key(position: Position) -> int:
    """The key of a position, a signed number of 64 bits: the same on every server and in every version."""
    rules = position.rules
    letters = [seat.letter for seat in rules.seats]
    names = rules.geometry.names
    usual = rules == rules_of(rules.name)
    pieces = (
        f"{square}{letters[piece.seat] if piece.seat >= 0 else '-'}{piece.kind.letter}{'x' if piece.grey else ''}"
        f"{'~' if piece.promoted else ''}"
        for square, piece in position.pieces().items()
    )
    castles = (f"{letter}{names[castle.rook.source]}" for seat, letter in enumerate(letters)
               for castle in position.castles(seat))  # fmt: skip
    steps = (names[step.skipped] for step in position.steps if position.takes(step))
    hands = "".join(f"/{' '.join(map(str, hand))}" for hand in position.hands)
    text = hands + "/".join(
        (
            rules.name if usual else f"{rules.name} {options.write(rules)}",
            letters[position.turn] + " " + "".join(letters[seat] for seat in position.alive),
            " ".join(sorted(pieces)),
            " ".join(sorted(castles)),
            " ".join(sorted(steps)),
        )
    )
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)


async def path(state: State) -> Path:
    """The players' moves at the beginning of a game. The moves of dead kings, which are random, are left out."""
    position = state.start
    found: dict[tuple[int, str], None] = {}
    plies = 0
    for step in state.line:
        if step.move is not None:
            if position.turn not in position.walking:
                found[key(position), step.move] = None
            plies += 1
            if plies == PLIES:
                break
            if plies % AT_ONCE == 0:
                await asyncio.sleep(0)  # let other tasks run
        position = step.play(position)
    return tuple(found)
