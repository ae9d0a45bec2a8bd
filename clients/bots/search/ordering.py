"""The order in which a search tries moves: profitable captures first, then moves that have been good elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fourfold.clients.bots.search.board import SearchBoard
from fourfold.engine.moves import Move
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position

_TAKES: Final = 1 << 18
_KILLS: Final = 1 << 17
_POOR: Final = -(1 << 17)
"""The ranks of captures, of killer moves, and of losing captures. Other moves have ranks up to `_LEARNED`, between the
last two. With a move's number in ten bits, ranks stay below 2**30, which Python sorts fast."""

_LEARNED: Final = 16_000
"""The highest history score of a quiet move. Older cutoffs count less and less."""


class Ordering:
    """A search's knowledge about moves, on its board."""

    def __init__(self, root: Position, board: SearchBoard, plies: int) -> None:
        self._board = board
        self._two = len(root.alive) == 2
        self._size = root.geometry.size
        self._value = [max(1, value) for value in root.rules.values]
        self._killers: list[Move | None] = [None for _ in range(2 * plies)]
        """By ply: the two latest quiet moves that caused a cutoff there."""
        self._history = [[0] * self._size**2 for _ in root.seats]
        """The history scores: by seat, and by a move's source and target as one number."""

    def trust(self, move: Move) -> int:
        """From -4 to 4: how good a seat's quiet move has been elsewhere."""
        return self._history[self._board.owner(move)][move.source * self._size + move.target] * 4 // _LEARNED

    def ordered(self, moves: Sequence[Move], ply: int) -> list[Move]:
        """The moves of the side to move, the most promising first."""
        keys = self._keys(moves, ply, 0, True)
        keys.sort(reverse=True)
        return [moves[-key & 1023] for key in keys]

    def taking(self, seats: Sequence[int]) -> list[Move]:
        """The captures and promotions of some seats, as if it were the turn of each, the most promising first."""
        board = self._board
        keys: list[int] = []
        moves: list[Move] = []
        for seat in seats:
            some = board.captures_of(seat)
            for number, move in enumerate(some, len(moves)):
                merit = self._merit(move)
                if merit > 0:
                    keys.append((merit << 10) - number)
            moves += some
        keys.sort(reverse=True)
        return [moves[-key & 1023] for key in keys]

    def others(self, seats: Sequence[int], ply: int, whole: bool) -> list[Move]:
        """The moves of some seats, as if it were the turn of each, the most promising first. Unless `whole`, without
        the moves that `taking` yields."""
        board = self._board
        keys: list[int] = []
        moves: list[Move] = []
        for seat in seats:
            some = board.moves_of(seat)
            keys += self._keys(some, ply, len(moves), whole)
            moves += some
        keys.sort(reverse=True)
        return [moves[-key & 1023] for key in keys]

    def _keys(self, moves: Sequence[Move], ply: int, first: int, whole: bool) -> list[int]:
        """The sort keys of a seat's moves, with each move's number in the last ten bits, negated. Unless `whole`,
        without the moves that `taking` yields."""
        if not moves:
            return []
        size = self._size
        past = self._history[self._board.owner(moves[0])]
        killer, other = self._killers[2 * ply], self._killers[2 * ply + 1]
        keys = []
        for number, move in enumerate(moves, first):
            merit = self._merit(move)
            if merit == 0:
                merit = _KILLS if move is killer or move is other else past[move.source * size + move.target]
            elif merit > 0 and not whole:
                continue
            keys.append((merit << 10) - number)
        return keys

    def _merit(self, move: Move) -> int:
        """The rank of a capture or promotion: negative if it plainly loses, and 0 for other moves."""
        board = self._board
        gain = board.gain(move)
        if gain > 0:
            risk = board.risk(move)
            return 64 * gain - risk + (_POOR if self._two and gain < risk and board.guarded(move) else _TAKES)
        return 0 if move.promotion is None else _TAKES + 64 * self._value[move.promotion] - 64

    def captures(self, seats: Sequence[int], least: int) -> list[tuple[Move, int]]:
        """The captures and promotions of some seats, as if it were the turn of each, that gain at least `least`, with
        their gains, the most promising first. Some may plainly lose."""
        board = self._board
        keys: list[int] = []
        moves: list[Move] = []
        gains: list[int] = []
        for seat in seats:
            for move in board.captures_of(seat):
                gain = board.gain(move)
                if gain > 0:
                    if gain >= least:
                        keys.append((64 * gain - board.risk(move) << 10) - len(moves))
                elif move.promotion is not None and move.promotion in (PieceKind.QUEEN, PieceKind.PROMOTED_QUEEN):
                    gain = 8
                    keys.append((512 << 10) - len(moves))
                moves.append(move)
                gains.append(gain)
        keys.sort(reverse=True)
        return [(moves[-key & 1023], gains[-key & 1023]) for key in keys]

    def note(self, tried: Sequence[Move], depth: int, ply: int) -> None:
        """Record that the last of the tried moves, a quiet one, caused a cutoff, and that the quiet ones before it did
        not."""
        move, board = tried[-1], self._board
        if self._killers[2 * ply] is not move:
            self._killers[2 * ply + 1] = self._killers[2 * ply]
            self._killers[2 * ply] = move
        gain = min(16 * depth * depth, _LEARNED // 10)
        for other in tried:
            if other is move or (other.promotion is None and board.gain(other) == 0):
                past = self._history[board.owner(other)]
                at = other.source * self._size + other.target
                past[at] += (gain if other is move else -gain) - past[at] * gain // _LEARNED
