"""Short-lived answers: one request serves all clients that ask the same at about the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Final, Generic, TypeVar

KEPT: Final = 1000
"""The most answers to keep. The oldest is dropped first."""

_A = TypeVar("_A")


class Recent(Generic[_A]):
    """Asks again if the latest answer is older than `seconds`. An error goes only to the clients that waited for it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._asked: dict[Hashable, tuple[float, asyncio.Task[_A]]] = {}

    async def get(self, key: Hashable, ask: Callable[[], Awaitable[_A]]) -> _A:
        """The answer for a key, from `ask` if necessary. Raises what `ask` raises."""
        now = asyncio.get_running_loop().time()
        at, task = self._asked.get(key, (0.0, None))
        if task is None or at + self._seconds < now or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(_await(ask))
            self._asked.pop(key, None)
            self._asked[key] = now, task
            if len(self._asked) > KEPT:
                del self._asked[next(iter(self._asked))]
        return await asyncio.shield(task)  # the others keep waiting


async def _await(ask: Callable[[], Awaitable[Any]]) -> Any:
    return await ask()
