"""Moves, and where a piece may go given what stands around it.

A `Move` is one object for each way from square to square, made once and used in every position. A `Reach`
knows where a piece on one square goes: it looks only at the squares that matter to it, works out the moves
for what it finds there, and remembers them, so that the next time is one look into a table. Whether a move
leaves the king in check is `movegen`'s question, not asked here.

What stands around is a number, the *contents* of the board as one seat sees it: a bit for each occupied
square, and above these another for each square held by a friend (the seat's own pieces and its partner's).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from engine.geometry import Geometry
from engine.pieces import Kind


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move:
    """From one square to another, promoting to a kind of piece if the move does.

    Castling is the king's two-step move and en passant an ordinary one; the position knows what they mean.
    `text` is the move in coordinate notation (``e2e4``, ``e7e8q``), `bit` the target square's bit. There
    is one object for each move of a variant, so moves are compared by identity.
    """

    source: int
    target: int
    promotion: Kind | None
    text: str
    bit: int

    def __repr__(self) -> str:
        return f"<Move {self.text}>"


class MoveTable:
    """All moves of one variant, each made once."""

    def __init__(self, geometry: Geometry) -> None:
        self._names = geometry.names
        self._moves: dict[tuple[int, int, Kind | None], Move] = {}
        self.by_text: dict[str, Move] = {}

    def move(self, source: int, target: int, promotion: Kind | None = None) -> Move:
        """The move between two squares."""
        move = self._moves.get((source, target, promotion))
        if move is None:
            text = self._names[source] + self._names[target]
            if promotion is not None:
                text += promotion.promotion_letter
            move = Move(source, target, promotion, text, 1 << target)
            self._moves[source, target, promotion] = self.by_text[text] = move
        return move


_LIMIT = 512


class Reach(dict[int, tuple[Move, ...]], ABC):
    """Where a piece on one square may go: ``reach[contents & reach.mask]``.

    The mapping fills itself. It is emptied when it has grown to `_LIMIT` entries, so that a server that has
    seen every kind of game holds no more than a bounded amount.
    """

    __slots__ = ("mask",)
    mask: int

    def __missing__(self, contents: int) -> tuple[Move, ...]:
        if len(self) >= _LIMIT:
            self.clear()
        moves = self[contents] = self.work_out(contents)
        return moves

    @abstractmethod
    def work_out(self, contents: int) -> tuple[Move, ...]:
        """The moves, from the contents of the squares that matter."""


class LineReach(Reach):
    """A slider's moves along one line: up to the first piece, and onto it unless it is a friend's.

    The two rays are given nearest move first, the first ray towards higher squares, the second towards
    lower ones.
    """

    __slots__ = ("_copies", "_downwards", "_size", "_upwards", "_upwards_mask")

    def __init__(self, upwards: Sequence[Move], downwards: Sequence[Move], size: int) -> None:
        super().__init__()
        self._size = size
        self._upwards_mask = sum(move.bit for move in upwards)
        squares = self._upwards_mask | sum(move.bit for move in downwards)
        self.mask = squares | squares << size
        self._copies: dict[tuple[Move, ...], tuple[Move, ...]] = {}
        self._upwards = _by_barrier(upwards)
        self._downwards = _by_barrier(downwards)

    def work_out(self, contents: int) -> tuple[Move, ...]:
        friends = contents >> self._size
        occupied = contents ^ friends << self._size
        above = occupied & self._upwards_mask
        barrier = above & -above
        moves = self._upwards[barrier][friends & barrier != 0]
        below = occupied ^ above
        if below:
            below = 1 << below.bit_length() - 1
        moves += self._downwards[below][friends & below != 0]
        # Many contents come to the same moves; to keep one copy spares the processor's cache.
        return self._copies.setdefault(moves, moves)


def _by_barrier(ray: Sequence[Move]) -> dict[int, tuple[tuple[Move, ...], tuple[Move, ...]]]:
    """A ray's moves by the bit of the first piece on it (0: none), if it can be taken and if not."""
    whole = tuple(ray)
    moves = {move.bit: (whole[: number + 1], whole[:number]) for number, move in enumerate(ray)}
    return {0: (whole, whole), **moves}


class LeapReach(Reach):
    """A knight's or king's moves: to any square not held by a friend."""

    __slots__ = ("_moves", "_size")

    def __init__(self, moves: Sequence[Move], size: int) -> None:
        super().__init__()
        self._moves = moves
        self._size = size
        self.mask = sum(move.bit for move in moves) << size

    def work_out(self, contents: int) -> tuple[Move, ...]:
        friends = contents >> self._size
        return tuple(move for move in self._moves if not friends & move.bit)


class PawnReach(Reach):
    """A pawn's moves: ahead to empty squares, aslant onto an enemy; en passant apart.

    `advances` holds the one-step moves and then the two-step move, as groups of moves to one square
    (several where the pawn promotes).
    """

    __slots__ = ("_advances", "_captures", "_size")

    def __init__(self, advances: Sequence[Sequence[Move]], captures: Sequence[Move], size: int) -> None:
        super().__init__()
        self._advances = advances
        self._captures = captures
        self._size = size
        aslant = 0
        for move in captures:
            aslant |= move.bit
        self.mask = aslant | aslant << size
        for group in advances:
            self.mask |= group[0].bit

    def work_out(self, contents: int) -> tuple[Move, ...]:
        moves: list[Move] = []
        for group in self._advances:
            if contents & group[0].bit:
                break
            moves += group
        enemies = contents & ~(contents >> self._size)
        moves += [move for move in self._captures if enemies & move.bit]
        return tuple(moves)
