"""In what order a search tries moves: what takes much for little first, then what has been good elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fourfold.clients.bots.search_board import SearchBoard
from fourfold.engine.moves import Move
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position

_TAKES: Final = 1 << 18
_KILLS: Final = 1 << 17
_POOR: Final = -(1 << 17)
"""How early moves are tried that take, that have cut nearby, and that take what costs more; between the last two
are the others, by up to `_LEARNED`. With a move's number in ten bits they are below 2**30, which Python sorts fast."""

_LEARNED: Final = 16_000
"""The most that a quiet move is held to be worth for having cut before; what is older counts less and less."""


class Ordering:
    """What one search has learned about moves, on its board."""

    def __init__(self, root: Position, board: SearchBoard, plies: int) -> None:
        self._board = board
        self._two = len(root.alive) == 2
        self._size = root.geometry.size
        self._value = [max(1, value) for value in root.rules.values]
        self._killers: list[Move | None] = [None for _ in range(2 * plies)]
        """By ply: two quiet moves that have cut there, the latest first."""
        self._history = [[0] * self._size**2 for _ in root.seats]
        """By seats, and by a move's source and target as one number."""

    def trust(self, move: Move) -> int:
        """From -4 to 4: how good a quiet move of the side that it belongs to has been elsewhere."""
        return self._history[self._board.owner(move)][move.source * self._size + move.target] * 4 // _LEARNED

    def ordered(self, moves: Sequence[Move], ply: int) -> list[Move]:
        """Moves of the side to move, the most promising first."""
        keys = self._keys(moves, ply, 0, True)
        keys.sort(reverse=True)
        return [moves[-key & 1023] for key in keys]

    def taking(self, seats: Sequence[int]) -> list[Move]:
        """What some seats can take or promote, were it the turn of each; the most promising first."""
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
        """The moves of some seats, were it the turn of each, that `taking` leaves, or the `whole` of them; the most
        promising first."""
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
        """By what to sort moves of a seat; the number of each, from the first on, is in the last ten bits, negative.
        Unless the `whole` is asked for, those that `taking` finds are left out."""
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
        """How early a move is tried that takes or promotes; below nought if it plainly loses, and nought for any other.
        """
        board = self._board
        gain = board.gain(move)
        if gain > 0:
            risk = board.risk(move)
            return 64 * gain - risk + (_POOR if self._two and gain < risk and board.guarded(move) else _TAKES)
        return 0 if move.promotion is None else _TAKES + 64 * self._value[move.promotion] - 64

    def captures(self, seats: Sequence[int], least: int) -> list[tuple[Move, int]]:
        """What some seats can take or promote, were it the turn of each, if it gains so much at the least, with its
        gain; the most promising first. It may plainly lose."""
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
        """Remember that the last of the moves that were tried, a quiet one, was too good for the other side to allow,
        and that the quiet ones before it were not."""
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
