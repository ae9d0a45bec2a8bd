"""An event loop on which no time passes while something is to be done, and which waits for nothing."""

import asyncio
from collections.abc import Coroutine
from typing import Any


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop whose time jumps to the next timer when nothing else is to do."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self._now = max(self._now, self._scheduled[0]._when)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


def in_virtual_time(main: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(main)
