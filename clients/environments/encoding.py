"""The observation of an agent as planes of numbers, and the numbers of its moves. Version 2.

Both are turned to the seat that looks: its own pawns go up. The planes of a position are `planes` by rows by columns,
row 0 the one farthest from the seat, as small integers:

| planes, among `n` seats | |
|---|---|
| 7 n | pieces: for the own seat, then the others in the order of turns, a plane for each kind: pawn, knight, bishop, rook, queen, king, promoted queen |
| 1 | grey pieces, of players who are out |
| 1 | rooks with which somebody may still castle |
| 1 | squares that a pawn has skipped, and on which it can be taken: by the side to move, or by the pawn of another seat before the pusher moves again |
| 1 | squares that the last move has changed |
| 1 | squares that exist |
| n | for each seat, as above: 1 everywhere while the player is in |
| n | for each seat: its points everywhere, or the checks that it has given, where they count |
| 1 | plies since a capture or a pawn's move, everywhere |
| 1 | how often the position has stood on the board, everywhere |
| 5 n + 1 | only in variants with drops: for each seat, as above, how many pawns, knights, bishops, rooks and queens are in its hand, everywhere; and promoted pieces |

Numbers above 255 are 255. An action is the number of a move in `Encoding.actions`: all that any piece could ever do on
the board, in the order of the squares that it comes from, the squares that it goes to, and the promotions. Castling is
the king's move as its text has it. Drops follow all moves.
"""  # noqa: E501

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fourfold.clients.environments.layout import Layout, follow, rewards
from fourfold.engine.moves import Move
from fourfold.engine.position import Position, Variant
from fourfold.engine.variants import rules_of

__all__ = ["PLIES", "VERSION", "Encoding", "Mask", "Planes", "encoding_of", "follow", "rewards"]

VERSION: Final = 2
"""The version of the encoding. It changes with the meaning of any plane or action."""

PLIES: Final = 1000
"""The default length at which a game is truncated, in plies."""

Planes: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.int8]


class Encoding:
    """The encoding of one variant. Call `encoding_of` to get it.

    `planes`, `rows` and `columns` are the shape of an observation. `actions` is the number of actions. `layout` writes
    observations and masks into bytes.
    """

    def __init__(self, rules: Variant) -> None:
        self.layout = Layout(rules)
        self.planes, self.actions = self.layout.planes, self.layout.actions
        self.rows = self.columns = self.layout.side
        self.shape = (self.planes, self.rows, self.columns)

    def see(self, position: Position, seat: int) -> Planes:
        """A seat's observation of a position: an array of planes by rows by columns."""
        seen = bytearray(self.layout.size)
        self.layout.see(position, seat, seen, 0)
        return np.frombuffer(seen, np.uint8).reshape(self.shape)

    def mask(self, position: Position, seat: int | None = None) -> Mask:
        """An array with a 1 for each legal action of a seat; the default is the side to move. All are 0 while another
        seat is to move."""
        legal = bytearray(self.actions)
        if seat in (None, position.turn):
            self.layout.mask(position, legal, 0)
        return np.frombuffer(legal, np.int8)

    def action(self, position: Position, move: Move) -> int:
        """The action of a legal move."""
        return self.layout.numbers[position.turn][move]

    def move(self, position: Position, action: int) -> Move | None:
        """The legal move of an action; None if the action is illegal now."""
        return self.layout.move(position, int(action))


@cache
def encoding_of(variant: str) -> Encoding:
    """The encoding of a listed variant, created on first use. Raises `InvalidNotation` for an unknown variant.

    >>> from fourfold.clients.environments.encoding import encoding_of
    >>> encoding_of("standard").shape, encoding_of("standard").actions
    ((25, 8, 8), 1880)
    """
    return Encoding(rules_of(variant))
