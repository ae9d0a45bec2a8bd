"""An event loop with virtual time, on which several machines run: which of them is next is chosen by a seed.

Each machine runs its callbacks in asyncio's order. Time passes a little with every step, and jumps to the next
timer when nobody has anything to do. There are no threads or sockets: connections go through a `Network`.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from heapq import heappop, heappush
from typing import Any, Final
from zlib import crc32

BEGINNING: Final = 1_800_000_000.0
"""The date at which every world begins, in seconds since 1970."""

STEP: Final = 30e-6
"""Seconds that a step takes at most."""

SHOWN: Final = 200
"""Bytes of what arrives that a trace shows."""

BLOCKED: Final = 2e-3
"""Seconds that work of a thread takes at most."""


class Deadlock(Exception):
    """No machine has anything left to do."""


class Machine:
    """Whose work it is: a node, the store, or the world outside. A dead one does nothing; a frozen one, not yet."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.digest = crc32(name.encode())
        self.queue: deque[_Handle] = deque()
        self.frozen = False
        self.dead = False
        self.ends: dict[Any, None] = {}
        """The objects whose `died` is called when it dies, in order."""

    def die(self) -> None:
        """Do nothing any more: nothing is cleaned up, as after kill -9."""
        self.dead = True
        self.queue.clear()
        for end in list(self.ends):
            end.died()
        self.ends.clear()


class _Handle(asyncio.TimerHandle):
    """As asyncio's, with less inside: there are thousands in each world. The loop runs it, and passes over cancelled
    ones."""

    __slots__ = ("machine", "name")

    def __init__(self, callback: Any, args: Any, context: Any, machine: Machine, name: bytes, when: float = 0) -> None:
        self._context = copy_context() if context is None else context
        self._callback = callback
        self._args = args
        self._cancelled = False
        self._when = when
        self.machine = machine
        self.name = name

    def cancel(self) -> None:
        self._cancelled = True
        self._callback = self._args = None


class WorldLoop(asyncio.BaseEventLoop):
    """The loop of one seed. `network` makes its connections; without one there are none."""

    def __init__(self, seed: int, trace: Callable[[float, str, str], None] | None = None) -> None:
        """`trace` gets each step: time, machine, description."""
        super().__init__()
        self.chance = random.Random(f"loop {seed}")
        self.outside = Machine("world")
        self.machines = [self.outside]
        self.current = self.outside
        self.network: Any = None
        self.steps = 0
        self.fingerprint = 0
        """A digest of all steps so far, in order."""
        self.failed: list[str] = []
        """Exceptions that nobody took."""
        self._now = 1000.0
        self._set_by = 0.0
        self.store_behind = 0.0
        """Seconds by which the store's clock has been set back."""
        self._timers: list[tuple[float, int, _Handle]] = []
        self._numbers = 0
        self._owners: dict[asyncio.Task[Any], tuple[Machine, bytes]] = {}  # with the names of their coroutines
        self._trace = trace
        self.set_exception_handler(self._take)

    get_debug: Any = bool
    """Returns False, without a call of Python code: every future asks."""

    # -- time --

    def time(self) -> float:
        return self._now

    def date(self) -> float:
        """Seconds since 1970."""
        return BEGINNING + self._now + self._set_by

    def store_date(self) -> float:
        """Seconds since 1970, by the store's clock."""
        return self.date() - self.store_behind

    def set_date(self, by: float) -> None:
        """From now on, the date is so many seconds later."""
        self._set_by += by

    # -- who does what --

    def machine(self, name: str) -> Machine:
        """A new machine."""
        machine = Machine(name)
        self.machines = [*(one for one in self.machines if not one.dead), machine]
        return machine

    def on(self, machine: Machine, do: Callable[[], Any]) -> Any:
        """Do something now, as a machine."""
        before, self.current = self.current, machine
        try:
            return do()
        finally:
            self.current = before

    def tasks(self, machine: Machine) -> list[str]:
        """The running tasks of a machine."""
        left = [task for task, (owner, _) in self._owners.items() if owner is machine and not task.done()]
        return sorted(f"{task.get_coro().__qualname__} ({task.get_name()})" for task in left)  # type: ignore[union-attr]

    def _owner(self, callback: Any) -> tuple[Machine, bytes]:
        """Whose a callback is, and its description, which is the same in every process."""
        task = getattr(callback, "__self__", None)
        if task.__class__ is asyncio.Task and task in self._owners:
            return self._owners[task]
        if callback.__class__ is partial:
            callback = callback.func
        name: str = getattr(callback, "__qualname__", "") or callback.__class__.__name__
        return self.current, name.encode()

    def create_task(self, coro: Any, *, name: Any = None, context: Any = None) -> asyncio.Task[Any]:
        if self.current.dead:
            coro.close()
            raise asyncio.CancelledError
        if len(self._owners) > 5000:
            self._owners = {task: owner for task, owner in self._owners.items() if not task.done()}
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._owners[task] = self.current, getattr(coro, "__qualname__", "task").encode()
        return task

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        machine, name = self._owner(callback)
        handle = _Handle(callback, args, context, machine, name)
        if not machine.dead:
            machine.queue.append(handle)
        return handle

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        machine, name = self._owner(callback)
        return self._at(when, _Handle(callback, args, context, machine, name, when))

    def call_on(self, machine: Machine, when: float, callback: Any, *args: Any) -> asyncio.TimerHandle:
        """`call_at`, as a machine. The callback is a bound method."""
        return self._at(when, _Handle(callback, args, None, machine, callback.__qualname__.encode(), when))

    def _at(self, when: float, timer: _Handle) -> asyncio.TimerHandle:
        self._numbers += 1
        heappush(self._timers, (when, self._numbers, timer))
        return timer

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    # -- what is next --

    def _run_once(self) -> None:
        """Run steps until the loop is to stop."""
        timers, random, outside = self._timers, self.chance.random, self.outside
        able: list[Machine] = []
        while True:
            if timers and timers[0][0] <= self._now:
                self._ring()
            able.clear()  # in 3.11 a comprehension is a call, and this is done at every step
            for one in self.machines:
                if one.queue and not one.frozen:
                    able.append(one)
            if not able:
                if self._stopping:
                    return
                if not timers:
                    raise Deadlock
                self._now = max(self._now, timers[0][0])
                continue
            machine = able[0] if len(able) == 1 else able[int(random() * len(able))]
            handle = machine.queue.popleft()
            if handle._cancelled:
                continue
            now = self._now = self._now + STEP * random()
            self.steps += 1
            self.fingerprint = crc32(handle.name, self.fingerprint ^ machine.digest ^ hash(now) & 0xFFFFFFFF)
            if self._trace is not None:
                self._trace(now, machine.name, handle.name.decode())
            self.current = machine
            try:
                handle._context.run(handle._callback, *handle._args)
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException as error:  # noqa: BLE001 - as asyncio does
                self._broken(handle, error)
            self.current = outside
            if self._stopping:
                return

    def _ring(self) -> None:
        """Move due timers to their machines."""
        timers, now = self._timers, self._now
        while timers and timers[0][0] <= now:
            timer = heappop(timers)[2]
            machine = timer.machine
            if not timer._cancelled and not machine.dead:
                machine.queue.append(timer)

    def _broken(self, handle: _Handle, error: BaseException) -> None:
        told = {"message": f"Exception in callback {handle.name.decode()}", "exception": error, "handle": handle}
        self.call_exception_handler(told)

    def _mix(self, machine: Machine, what: bytes) -> None:
        self.fingerprint = crc32(what, self.fingerprint ^ machine.digest ^ hash(self._now) & 0xFFFFFFFF)

    def got(self, machine: Machine, data: bytes) -> None:
        """`tell` that data has come. There are thousands of these in each world."""
        mixed = crc32(b"gets", self.fingerprint ^ machine.digest ^ hash(self._now) & 0xFFFFFFFF)
        self.fingerprint = crc32(data, mixed)
        if self._trace is not None:
            self._trace(self._now, machine.name, _shown("gets", data))

    def tell(self, machine: Machine, what: str, data: bytes = b"") -> None:
        """Add something that has happened to the fingerprint, and to the trace, which shows the beginning of `data`."""
        self._mix(machine, what.encode())
        if data:
            self.fingerprint = crc32(data, self.fingerprint)
        if self._trace is not None:
            self._trace(self._now, machine.name, _shown(what, data))

    def note(self, what: Callable[[], str]) -> None:
        """Add something to the trace alone. It is called if there is one."""
        if self._trace is not None:
            self._trace(self._now, self.current.name, what())

    def _take(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if "handle" in context or "protocol" in context:  # otherwise a task failed, and its parent may have handled it
            self.failed.append(f"{self.current.name}: {context['message']}: {error!r}")
        self.tell(self.current, f"! {type(error).__name__}")

    # -- what the machine has besides --

    async def create_connection(self, factory: Any, host: Any = None, port: Any = None, **_: Any) -> Any:
        return await self.network.connect(factory, (host, port))

    async def create_unix_connection(self, factory: Any, path: Any = None, **_: Any) -> Any:
        return await self.network.connect(factory, str(path))

    async def create_server(self, factory: Any, host: Any = None, port: Any = None, sock: Any = None, **_: Any) -> Any:
        [bound] = self.network.bind(host, port) if sock is None else [sock]
        return self.network.listen(factory, bound.getsockname())

    async def create_unix_server(self, factory: Any, path: Any = None, **_: Any) -> Any:
        return self.network.listen(factory, str(path))

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        """Work of a thread takes its time, and nobody else is held up by it."""
        future = self.create_future()

        def work() -> None:
            if future.cancelled():
                return
            try:
                result = func(*args)
            except Exception as error:  # noqa: BLE001 - it belongs to who asked
                future.set_exception(error)
            else:
                future.set_result(result)

        self.call_later(BLOCKED * self.chance.random(), work)
        return future

    async def shutdown_default_executor(self, timeout: Any = None) -> None:  # noqa: ASYNC109 - asyncio's name
        """There is none."""

    def end(self) -> None:
        """Let all tasks that were left go, those of dead machines too; nothing that they do then counts."""
        for machine in self.machines:
            machine.dead = True
            machine.queue.clear()
        self._timers.clear()
        self._trace = None
        for task in [*self._owners]:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                _close(task)
        self._owners.clear()
        self.close()

    def run(self, main: Any) -> Any:
        """Run a coroutine to its end, as the world outside."""
        asyncio.set_event_loop(self)
        try:
            return self.run_until_complete(main)
        finally:
            asyncio.set_event_loop(None)

    def _process_events(self, event_list: Any) -> None:
        raise NotImplementedError

    def _write_to_self(self) -> None:
        pass


def _shown(what: str, data: bytes) -> str:
    return f"{what} {len(data)} {data[:SHOWN]!r}" if data else what


def _close(task: asyncio.Task[Any]) -> None:
    coroutine: Any = task.get_coro()
    for _ in range(100):  # a coroutine may wait again while it ends
        try:
            coroutine.close()
        except BaseException:  # noqa: BLE001 - it is of no world any more
            continue
        return
