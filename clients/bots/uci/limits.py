"""The limits in a `go` command: time, depth, moves to consider, and pondering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Final

from fourfold.clients.bots.search.alpha_beta import DEEPEST
from fourfold.clients.bots.thinking import allowance
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

USUAL: Final = 1.0
"""Seconds for a move if `go` sets no limit."""

_CLOCKS: Final = tuple(seat + what for seat in "wbryg" for what in ("time", "inc"))
_NUMBERS: Final = ("depth", "nodes", "mate", "movetime", "movestogo", *_CLOCKS)
_FLAGS: Final = ("infinite", "ponder")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits: `numbers` by word, words without a number (`flags`), and the `moves` to choose from, if given."""

    numbers: Mapping[str, int]
    flags: frozenset[str]
    moves: tuple[str, ...] | None

    @staticmethod
    def of(words: Sequence[str]) -> Limits:
        """Parse the words after `go`. Unknown words are ignored."""
        numbers: dict[str, int] = {}
        moves: list[str] | None = None
        word = ""
        for each in words:
            if each in (*_NUMBERS, *_FLAGS, "searchmoves"):
                word = each
                if word == "searchmoves":
                    moves = moves or []
            elif word == "searchmoves" and moves is not None:
                moves.append(each)
            elif word in _NUMBERS:
                with suppress(ValueError):
                    numbers.setdefault(word, int(each))
        return Limits(numbers, frozenset(_FLAGS).intersection(words), None if moves is None else tuple(moves))

    @property
    def pondering(self) -> bool:
        """Whether the engine ponders: the expected move has not been made yet, so the clock does not run."""
        return "ponder" in self.flags

    @property
    def infinite(self) -> bool:
        """Whether to think until `stop`."""
        return "infinite" in self.flags

    @property
    def nodes(self) -> float:
        """The most nodes to search."""
        return max(1, self.numbers.get("nodes", inf))

    def deepest(self, position: Position) -> int:
        """The most plies to search; `mate` counts moves of the mating side."""
        rounds = self.numbers.get("mate", DEEPEST)
        return max(1, min(self.numbers.get("depth", DEEPEST), rounds * len(position.alive), DEEPEST))

    def among(self, position: Position) -> list[Move] | None:
        """The legal moves to choose from; None for all."""
        if self.moves is None:
            return None
        found = []
        for text in self.moves:
            with suppress(IllegalMove, InvalidNotation):
                found.append(position.find(text))
        return list(dict.fromkeys(found))

    def budget(self, position: Position, overhead: int) -> float:
        """Seconds for the move. `overhead` is the cost of a move besides thinking, in milliseconds."""
        numbers, seat = self.numbers, position.seats[position.turn][0]
        if self.infinite:
            return inf
        if "movetime" in numbers:
            return max(0, numbers["movetime"] - overhead) / 1000
        if f"{seat}time" not in numbers:
            return inf if {"depth", "nodes", "mate"} & numbers.keys() else USUAL
        left, increment = numbers[f"{seat}time"], numbers.get(f"{seat}inc", 0)
        return allowance(max(0, left - overhead) / 1000, increment / 1000, numbers.get("movestogo"))
