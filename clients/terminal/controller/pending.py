"""Requests without an answer yet. After a moment they go on in the background, so that the user can do other things."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

_AT_ONCE: Final = 0.1
"""Seconds for work that needs no connection, while there is none."""


class PendingWork:
    """The background work of one desk. `patience` is the time to wait for it in seconds (None: until it ends). `say` is
    called when work goes on in the background or is dropped. `settled` is called when it ends, with its exception, if
    any."""

    def __init__(
        self, patience: float | None, say: Callable[[str], None], settled: Callable[[BaseException | None], None]
    ) -> None:
        self._patience = patience
        self._say = say
        self._settled = settled
        self._offline = asyncio.Event()
        self._names: dict[asyncio.Task[bool], str] = {}

    def __bool__(self) -> bool:
        return bool(self._names)

    def connected(self, connected: bool) -> None:
        """Set whether there is a connection. Without one, requests do not wait."""
        if connected:
            self._offline.clear()
        else:
            self._offline.set()

    async def run(self, work: Coroutine[Any, Any, bool], name: str, *, slow: bool = False) -> bool:
        """Run `work`. Return its result, or True if it goes on in the background. `slow` work is expected to take long,
        and is reported only if the connection is lost."""
        task = asyncio.create_task(work)
        offline = asyncio.create_task(self._offline.wait())
        try:
            await asyncio.wait({task, offline}, timeout=self._patience, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                await asyncio.wait({task}, timeout=_AT_ONCE)
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            offline.cancel()
        if task.done():
            return task.result()
        self._names[task] = name
        task.add_done_callback(self._end)
        if self._offline.is_set():
            self._say(f"No connection. {name} is kept and will be sent.")
        elif not slow:
            self._say(f"No answer yet. {name} is kept and will be sent.")
        return True

    def drop(self) -> None:
        """Cancel all work in the background, except the calling task."""
        for task, name in self._names.items():
            if task is not asyncio.current_task():
                task.cancel()
                self._say(f"{name} was cancelled.")

    def _end(self, task: asyncio.Task[bool]) -> None:
        del self._names[task]
        self._settled(None if task.cancelled() else task.exception())
