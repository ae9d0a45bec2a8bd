"""Predetermined, endless games, to measure the cost of a move late in a game."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from fourfold.engine.questions import taken
from fourfold.engine.variants import opening
from tests.bench.tables import Pace, Table, Tally


class Scripted(Table):
    """A table whose game is predetermined, and is halted after some plies until it may go on."""

    def __init__(self, url: str, pace: Pace, tally: Tally, script: list[str], halt: int = 0) -> None:
        super().__init__("standard", [url], 2, pace, tally, 0)
        self._script = script
        self._halt = halt
        self._halted: Callable[[], None] | None = None
        self._made = 0
        self.arrived = asyncio.Event()
        """Set while the game is halted."""

    def offer(self, move: Callable[[], None]) -> None:
        if self._made == self._halt:
            self._halted = move
            self.arrived.set()
        elif self._made < len(self._script):
            self.pace.offer(move)

    def choose(self, legal: Any) -> str:
        self._made += 1
        return self._script[self._made - 1]

    def go_on(self, halt: int | None = None) -> None:
        """Let the game go on to its end, or until `plies` plies are made."""
        assert self._halted is not None  # it has arrived
        self._halt = len(self._script) if halt is None else halt
        self.arrived.clear()
        self.pace.offer(self._halted)


def long_game(plies: int, seed: int) -> list[str]:
    """An endless game: no captures, and just enough pawn moves to avoid a draw."""
    chance = random.Random(seed)
    position = opening("standard")
    game: list[str] = []
    while len(game) < plies:
        moves = list(position.legal_moves)
        chance.shuffle(moves)
        # Among the legal moves, a pawn's moves come last; first, when no pawn has moved for long.
        moves.sort(key=lambda move: taken(position, move) != ())
        pawns = [move for move in moves if position.armies[position.turn][move.source].pawn]
        others = [move for move in moves if move not in pawns]
        for move in (*pawns, *others) if position.halfmove > 100 else (*others, *pawns):
            after = position.play(move)
            if after.outcome is None and after.movable():
                break
        game.append(move.text)
        position = after
    return game


def fen_after(game: list[str]) -> str:
    """The position after some moves, as FEN."""
    position = opening("standard")
    for text in game:
        position = position.play(position.find(text))
    return position.fen()
