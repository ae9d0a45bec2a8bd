"""What pressing squares means where somebody is to move: pick a piece up, put it down, or think again.

Pure. It is dealt the legal moves; it refuses to know the rules behind them.
"""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.clients.terminal.text.view import squares_of


class Hand:
    """Holds a piece, or nothing. `holding` is the square that was picked."""

    def __init__(self) -> None:
        self.holding: str | None = None
        self._moves: dict[str, dict[str, list[str]]] = {}  # from, to: the moves

    def deal(self, moves: Sequence[str]) -> None:
        """These are the moves now, in coordinate notation; a piece in hand that has none is put back."""
        self._moves = {}
        for move in moves:
            source, target = squares_of(move)
            self._moves.setdefault(source, {}).setdefault(target, []).append(move)
        if self.holding not in self._moves:
            self.holding = None

    @property
    def targets(self) -> frozenset[str]:
        """Where the piece in hand can go."""
        return frozenset() if self.holding is None else frozenset(self._moves[self.holding])

    def press(self, square: str, *, dropped: bool = False) -> tuple[str, ...]:
        """The move that pressing a square makes, several if it is for a choice of promotions, none if it makes none.

        `dropped`: the piece in hand was let go there.
        """
        if square in self.targets:
            assert self.holding is not None  # else there were no targets
            moves = self._moves[self.holding][square]
            self.holding = None
            return tuple(moves)
        if dropped:
            return ()
        self.holding = square if square in self._moves and square != self.holding else None
        return ()

    def rest(self) -> None:
        """Put the piece back."""
        self.holding = None
