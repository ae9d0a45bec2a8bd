"""What a `go` says: how long to think, how deep, about which moves, and whether it is the opponent's time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Final

from fourfold.clients.bots.search import DEEPEST
from fourfold.clients.bots.thinking import allowance
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

USUAL: Final = 1.0
"""Seconds for a move where `go` sets no limit."""

_CLOCKS: Final = tuple(seat + what for seat in "wbryg" for what in ("time", "inc"))
_NUMBERS: Final = ("depth", "nodes", "mate", "movetime", "movestogo", *_CLOCKS)
_FLAGS: Final = ("infinite", "ponder")


@dataclass(frozen=True, slots=True)
class Limits:
    """The `numbers` by their words, the words without a number (`flags`), and the `moves` to choose from, if given."""

    numbers: Mapping[str, int]
    flags: frozenset[str]
    moves: tuple[str, ...] | None

    @staticmethod
    def of(words: Sequence[str]) -> Limits:
        """The limits of a `go`, by the words that follow it. Unknown words are passed over."""
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
        """Whether the move to think about has not been made yet, so that no time passes."""
        return "ponder" in self.flags

    @property
    def infinite(self) -> bool:
        """Whether to think until `stop`."""
        return "infinite" in self.flags

    @property
    def nodes(self) -> float:
        """How many nodes to search at most."""
        return max(1, self.numbers.get("nodes", inf))

    def deepest(self, position: Position) -> int:
        """How many plies to search at most; a `mate` is told in moves of the one who mates."""
        rounds = self.numbers.get("mate", DEEPEST)
        return max(1, min(self.numbers.get("depth", DEEPEST), rounds * len(position.alive), DEEPEST))

    def among(self, position: Position) -> list[Move] | None:
        """The legal moves that it is to choose from; None if from all."""
        if self.moves is None:
            return None
        found = []
        for text in self.moves:
            with suppress(IllegalMove, InvalidNotation):
                found.append(position.find(text))
        return list(dict.fromkeys(found))

    def budget(self, position: Position, overhead: int) -> float:
        """Seconds for the move; a move costs `overhead` milliseconds besides."""
        numbers, seat = self.numbers, position.seats[position.turn][0]
        if self.infinite:
            return inf
        if "movetime" in numbers:
            return max(0, numbers["movetime"] - overhead) / 1000
        if f"{seat}time" not in numbers:
            return inf if {"depth", "nodes", "mate"} & numbers.keys() else USUAL
        left, increment = numbers[f"{seat}time"], numbers.get(f"{seat}inc", 0)
        return allowance(max(0, left - overhead) / 1000, increment / 1000, numbers.get("movestogo"))
