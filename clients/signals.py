"""How a command ends at SIGTERM and SIGHUP: in order, as at Ctrl-C, and then by the same signal.

Writing to a terminal that nobody reads blocks. So an orderly end has a time limit, after which the process exits.
"""

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeAlias

SIGNALS: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

GRACE: Final = 8.0
"""Seconds from the signal until the process exits in any case: less than the ten that Docker waits before it kills."""

_Step: TypeAlias = Callable[[], object]

_LAST: Final[list[_Step]] = []
"""The steps before such an exit."""


async def stoppable(work: Coroutine[Any, Any, None]) -> int:
    """Carry out `work`, and cancel it at the first signal. Returns the signal's number, or 0 if none came."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    came: list[int] = []

    def end(number: int, _: object) -> None:
        if not came:  # closing a terminal can send several
            came.append(number)
            limit = threading.Timer(GRACE, _exit, (number,))
            limit.daemon = True
            limit.start()
            loop.call_soon_threadsafe(task.cancel)

    # not add_signal_handler, whose handlers do not run while a write blocks the event loop
    before = {number: signal.signal(number, end) for number in SIGNALS if signal.getsignal(number) != signal.SIG_IGN}
    try:
        await work
    except (asyncio.CancelledError, OSError):  # OSError: the terminal is gone
        if not came:
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return came[0] if came else 0


def die(number: int) -> int:
    """End this process by a signal, as its parent expects; the exit code, if it does not end."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # the terminal is gone
            stream.flush()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


@contextmanager
def at_last(step: _Step) -> Iterator[None]:
    """Within this context, carry out `step` if the process exits before its work has ended in order."""
    _LAST.append(step)
    try:
        yield
    finally:
        _LAST.remove(step)


def _exit(number: int) -> None:
    for step in _LAST:
        with suppress(OSError):  # the other process has ended
            step()
    os._exit(128 + number)


@contextmanager
def hangup(file: int) -> Iterator[None]:
    """Within this context, this process gets SIGHUP when the terminal `file` closes, even if the terminal does not
    control it."""
    left = threading.Event()

    def watch() -> None:
        poll = select.poll()
        poll.register(file, 0)
        while not left.is_set():
            if any(events & select.POLLHUP for _, events in poll.poll(500)):
                os.kill(os.getpid(), signal.SIGHUP)
                return

    if hasattr(select, "poll"):
        threading.Thread(target=watch, daemon=True, name="hangup").start()
    try:
        yield
    finally:
        left.set()
