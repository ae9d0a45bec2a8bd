"""Tasks that run as long as the server: one that dies of an exception is logged, counted, and restarted. Also ends
tasks."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, TypeVar

import structlog

AGAIN: Final = 1.0
"""Seconds until a task that died is restarted."""

DEATHS: Final[Counter[str]] = Counter()
"""How often tasks of this process have died, by name."""

_log = structlog.get_logger(__name__)

_T = TypeVar("_T")


def supervise(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.Task[None]:
    """Start a task that runs `work` until it returns or is cancelled, and restarts it whenever it raises.

    The work in progress when it raised is lost.
    """
    return asyncio.create_task(_go_on(name, work), name=name)


async def _go_on(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        try:
            await work()
            return
        except Exception:  # noqa: BLE001 - logged and counted; the task starts again
            DEATHS[name] += 1
            _log.exception("a task died", task=name, again_seconds=AGAIN)
        await asyncio.sleep(AGAIN)


class Tasks(set[asyncio.Task[Any]]):
    """Running tasks that nobody waits for. Each leaves the set when it ends."""

    def start(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Start a task."""
        task = asyncio.create_task(work)
        self.add(task)
        task.add_done_callback(self.discard)
        return task


async def end(tasks: Iterable[asyncio.Task[Any] | None]) -> None:
    """Cancel tasks, and wait until they have ended. None stands for a task that was never started."""
    while running := [task for task in tasks if task is not None and not task.done()]:
        for task in running:
            task.cancel()
        done, _ = await asyncio.wait(running, timeout=1.0)  # redis-py can lose a cancellation; then cancel again
        for task in done:
            if not task.cancelled() and (error := task.exception()) is not None:
                _log.debug("a task failed while it was ended", task=task.get_name(), error=repr(error))
