"""Chooses moves in threads or other processes, so that connections do not wait.

The other process gets a level and a position as text, and returns a move.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from time import monotonic
from typing import Final, Self, TypeAlias

from fourfold.clients.bots.levels import Choose, chooser
from fourfold.engine.position import Position
from fourfold.engine.variants import opening

_SHORTEST: Final = 0.02
"""Seconds that every choice can have, however many others wait."""

MOVES_TO_COME: Final = 30
"""The number of future moves for which a clock keeps time."""

Think: TypeAlias = Callable[[Position, float], Awaitable[str]]
"""Chooses as a `Choose` does, without blocking the event loop."""


def allowance(left: float, each_move: float, moves: int | None = None) -> float:
    """Seconds for a move, so that `left` seconds are enough for `moves` moves, or for the rest of a game. `each_move`
    is added with every move."""
    return min(left / min(moves or MOVES_TO_COME, MOVES_TO_COME) + 0.8 * each_move, left / (4 if moves != 1 else 1.25))


def in_thread(choose: Choose) -> Think:
    """Chooses in its own thread."""
    return lambda position, budget: asyncio.to_thread(choose, position, budget)


def random_moves() -> Think:
    """Level 1, in a thread: the fallback of a bot whose chooser fails."""
    return in_thread(chooser(1))


class Workers:
    """A pool of `count` processes that think for any number of players, as a context manager."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def player(self, level: int, elo: int | None = None) -> Think:
        """A player of a level; level 5 can have a strength in Elo."""

        async def think(position: Position, budget: float) -> str:
            deadline = monotonic() + budget  # waiting for a free process takes part of the time
            pool = self._pool
            try:
                return await _run(pool, level, elo, position, deadline)
            except BrokenProcessPool:  # a process was killed, and all players' choices are lost with it
                if self._pool is pool:
                    pool.shutdown(wait=False)
                    self._pool = self._open()
                return await _run(self._pool, level, elo, position, deadline)

        return think

    def _open(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")  # a fork would share the sockets of this process
        return ProcessPoolExecutor(self._count, mp_context=spawn, initializer=_begin)


async def _run(pool: ProcessPoolExecutor, level: int, elo: int | None, position: Position, deadline: float) -> str:
    loop, text, history = asyncio.get_running_loop(), position.fen(), position.history
    return await loop.run_in_executor(pool, _choose, level, elo, position.variant, text, history, deadline)


def _begin() -> None:
    """Prepare a worker process: it ignores Ctrl-C, which is for the pool's owner; it ends with the owner; and it has
    low priority."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    threading.Thread(target=_end_with_owner, daemon=True).start()


def _end_with_owner() -> None:
    owner = multiprocessing.parent_process()
    assert owner is not None  # this is a worker
    owner.join()
    os._exit(1)


def _choose(level: int, elo: int | None, variant: str, text: str, history: bytes, deadline: float) -> str:
    position = opening(variant, position=text).replace(history=history)
    return _chooser(level, elo)(position, max(_SHORTEST, deadline - monotonic()))


@cache
def _chooser(level: int, elo: int | None) -> Choose:
    return chooser(level, elo=elo)
