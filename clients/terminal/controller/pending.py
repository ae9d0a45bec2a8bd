"""What is done at a server that may not answer: for a moment it is waited for, and then it goes on by itself, so that
other things can be done meanwhile.

It knows tasks and how long to wait. It refuses to know what they do.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

_AT_ONCE: Final = 0.1
"""Seconds in which is done what needs no connection."""


class PendingWork:
    """Those of one desk. `patience` is how many seconds to wait (None: as long as it takes). What goes on by itself, or
    is dropped, is told by `say`; `settled` is called at the end of it, with what was wrong, if that was more than a
    refusal."""

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
        """Hear whether there is a connection: without one nothing is waited for."""
        if connected:
            self._offline.clear()
        else:
            self._offline.set()

    async def run(self, work: Coroutine[Any, Any, bool], name: str) -> bool:
        """Do something; returns what it does, or True if it goes on by itself."""
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
        self._say(f"{'No connection' if self._offline.is_set() else 'No answer yet'}. {name} is kept and will be sent.")
        return True

    def drop(self) -> None:
        """End all that goes on, but what calls this."""
        for task, name in self._names.items():
            if task is not asyncio.current_task():
                task.cancel()
                self._say(f"{name} is not sent any more.")

    def _end(self, task: asyncio.Task[bool]) -> None:
        del self._names[task]
        self._settled(None if task.cancelled() else task.exception())
