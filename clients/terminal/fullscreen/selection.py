"""The selected piece on the board, and the move of each pressed square.

Pure. It gets the legal moves, and does not know the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.clients.terminal.text.view import squares_of


class Selection:
    """`square` is the selected piece's square, or None."""

    def __init__(self) -> None:
        self.square: str | None = None
        self._moves: dict[str, dict[str, list[str]]] = {}  # from, to: the moves

    def offer(self, moves: Sequence[str]) -> None:
        """Set the legal moves, in coordinate notation. A selected piece that has none is no longer selected."""
        self._moves = {}
        for move in moves:
            source, target = squares_of(move)
            self._moves.setdefault(source, {}).setdefault(target, []).append(move)
        if self.square not in self._moves:
            self.clear()

    @property
    def targets(self) -> frozenset[str]:
        """The target squares of the selected piece."""
        return frozenset() if self.square is None else frozenset(self._moves[self.square])

    def press(self, square: str, *, dropped: bool = False) -> tuple[str, ...]:
        """The moves of a pressed square: one; several for a choice of promotions; or none.

        `dropped`: the selected piece was dragged there.
        """
        if square in self.targets:
            assert self.square is not None  # otherwise there were no targets
            moves = self._moves[self.square][square]
            self.square = None
            return tuple(moves)
        if dropped:
            return ()
        self.square = square if square in self._moves and square != self.square else None
        return ()

    def clear(self) -> None:
        self.square = None
