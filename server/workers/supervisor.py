"""Runs the workers of a server: starts them, restarts those that die, replaces them one by one, and stops them.

A connection about a room goes to the worker that holds the room, so that its players meet there. If no worker holds it,
the room's name decides. Other connections go to the workers in turn.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any, Final
from zlib import crc32

import structlog

from fourfold.server.clock import monotonic
from fourfold.server.vitals import Hour
from fourfold.server.workers import link
from fourfold.server.workers.process import Process

SHORTEST_PAUSE: Final = 0.1
"""Seconds before a worker that died is restarted, the first time. Each further failure doubles them."""

LONGEST_PAUSE: Final = 30.0
"""The most seconds before a restart."""

STEADY: Final = 60.0
"""Seconds of running after which the death of a worker no longer counts as a repeated failure."""

START: Final = 120.0
"""Seconds within which a worker must be ready."""

DRAIN: Final = 8.0
"""Seconds within which all workers get their SIGTERM, one after the other."""

END: Final = 20.0
"""Seconds within which a worker must end."""

HURRY: Final = 3.0
"""Seconds within which a worker must end when it is in a hurry."""

PATIENCE: Final = 1.0
"""Seconds for which the supervisor waits for a worker's metrics."""

_log = structlog.get_logger(__name__)


class WorkerFailed(Exception):
    """A worker has ended, or was not ready in time. Its own log says why."""


class Supervisor:
    """Runs workers from `start` to `stop`."""

    def __init__(
        self,
        count: int,
        command: Sequence[str],
        turn_away: Callable[[socket.socket], None],
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """`command` starts a server; the `environment` tells it what it shares with the others. `turn_away` takes the
        connections that no worker takes, and leaves them open."""
        self._numbers = range(count)
        self._command = command
        self._turn_away = turn_away
        self._environment = environment
        self._current: dict[int, Process] = {}  # the workers that get connections, by number
        self._living: set[Process] = set()
        self._leaving: set[Process] = set()
        self._pauses: dict[int, float] = {}
        self._turns = [asyncio.Lock() for _ in self._numbers]  # one start of each number at a time
        self._rooms: dict[str, Process] = {}
        self._begun = False
        self._next = 0
        self._asking = asyncio.Lock()
        self._hour = Hour()  # of all workers, also of those that have ended
        self._stopping = asyncio.Event()
        self.admin_code: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """The code that makes an account the first admin, once a worker finds that there is none."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start all workers, and return when they are ready. Raises `WorkerFailed`."""
        starts = [asyncio.create_task(self._start(number)) for number in self._numbers]
        try:
            await asyncio.gather(*starts)
        finally:
            for start in starts:
                start.cancel()

    def begin(self) -> None:
        """Notify all workers, including later ones, that players can connect."""
        self._begun = True
        for worker in self._current.values():
            worker.link.send(link.Begin())

    async def reload(self) -> None:
        """Replace the workers, one after the other: a new one is ready before the old one gets its SIGTERM.

        If a new one can't be started, the others stay.
        """
        _log.info("reloading", workers=len(self._numbers))
        for number in self._numbers:
            async with self._turns[number]:
                old = self._current.get(number)
                if self._stopping.is_set():
                    return
                try:
                    await self._start(number)
                except (WorkerFailed, OSError) as error:
                    if not self._stopping.is_set():
                        _log.error("reload given up: the old workers stay", worker=number, error=str(error))
                    return
            if old is not None:
                await self._end([old], END, asyncio.Event())
                await self._kill([old])
        _log.info("reloaded", workers=len(self._numbers))

    async def reload_whenever(self, wanted: asyncio.Event) -> None:
        """Reload each time that `wanted` is set, until cancelled."""
        while True:
            await wanted.wait()
            wanted.clear()
            await self.reload()

    def signal(self, what: signal.Signals) -> None:
        """Send a signal to all workers that are ready. It would end those that are not."""
        for worker in self._living:
            if worker.serves:
                worker.signal(what)

    async def stop(self, at_once: asyncio.Event) -> None:
        """End all workers, one after the other; all together once `at_once` is set, or after `DRAIN` seconds.

        Meanwhile new connections are turned away. May be called twice.
        """
        self._stopping.set()
        living = sorted(self._living, key=lambda worker: worker.number)
        for worker in living:
            if not at_once.is_set():
                await self._end([worker], DRAIN / len(living), at_once)
        await self._end(living, END, at_once)
        await self._kill(living)

    def route(self, room: str | None, connection: socket.socket) -> None:
        """Pass a connection to the worker of its room, or to any. If no worker takes it, or while the workers are being
        stopped, it is turned away: an ending worker drops connections that it has not taken yet."""
        among = () if self._stopping.is_set() else self._current.values()
        serving = sorted((worker for worker in among if worker.serves), key=lambda worker: worker.number)
        while serving:
            worker = self._choose(room, serving)
            if worker.take(connection):
                return
            serving.remove(worker)
        self._turn_away(connection)

    def _choose(self, room: str | None, serving: Sequence[Process]) -> Process:
        if room is None:
            self._next += 1
            return serving[self._next % len(serving)]
        holder = self._rooms.get(room)
        if holder is not None and holder in serving:
            return holder
        return serving[crc32(room.encode()) % len(serving)]

    # -- processes --

    async def _start(self, number: int) -> None:
        """Start a worker; once it is ready, connections go to it. Raises `WorkerFailed`, `OSError`."""
        worker = await Process.start(number, self._command, self._environment)
        self._living.add(worker)
        self._do(self._listen(worker), f"worker {number}")
        self._do(self._watch(worker), f"watch {number}")
        _log.info("worker started", worker=number, pid=worker.process.pid)
        tasks = [asyncio.create_task(event.wait()) for event in (worker.ready, worker.ended)]
        try:
            await asyncio.wait(tasks, timeout=START, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
        if not worker.serves:
            worker.signal(signal.SIGKILL)
            raise WorkerFailed(f"worker {number} did not start: see its log")
        self._current[number] = worker
        if self._begun:
            worker.link.send(link.Begin())

    async def _watch(self, worker: Process) -> None:
        """Wait for the end of a worker; if it was not planned, start another one."""
        code = await worker.process.wait()
        worker.close()
        self._living.discard(worker)
        self._rooms = {room: holder for room, holder in self._rooms.items() if holder is not worker}
        if self._current.get(worker.number) is not worker or self._stopping.is_set():
            wanted = worker in self._leaving
            self._leaving.discard(worker)
            _log.info("worker ended" if wanted else "worker failed", worker=worker.number, code=code)
            return
        del self._current[worker.number]
        _log.warning("worker died", worker=worker.number, pid=worker.process.pid, code=code)
        if monotonic() - worker.began > STEADY:
            self._pauses.pop(worker.number, None)
        await self._revive(worker.number)

    async def _revive(self, number: int) -> None:
        while not self._stopping.is_set():
            pause = self._pauses.get(number, SHORTEST_PAUSE)
            self._pauses[number] = min(2 * pause, LONGEST_PAUSE)
            await asyncio.sleep(pause)  # paces the attempts
            async with self._turns[number]:
                if self._stopping.is_set() or number in self._current:
                    return
                try:
                    await self._start(number)
                    return
                except (WorkerFailed, OSError) as error:
                    _log.error("worker not started", worker=number, error=str(error), again=self._pauses[number])

    async def _end(self, workers: Collection[Process], seconds: float, at_once: asyncio.Event) -> None:
        """SIGTERM the workers and wait up to `seconds`; once `at_once` is set, SIGINT them too."""
        for worker in workers:
            if worker not in self._leaving:
                self._leaving.add(worker)
                worker.signal(signal.SIGTERM)
        hurry = asyncio.create_task(at_once.wait())
        ended = asyncio.create_task(_all_ended(workers))
        try:
            await asyncio.wait({hurry, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if at_once.is_set():
                for worker in workers:
                    worker.signal(signal.SIGINT)  # not SIGTERM, which would merge with the first
                await asyncio.wait({ended}, timeout=HURRY)
        finally:
            hurry.cancel()
            ended.cancel()

    async def _kill(self, workers: Collection[Process]) -> None:
        """SIGKILL those that have not ended in time."""
        for worker in workers:
            if not worker.ended.is_set():
                _log.error("worker does not end", worker=worker.number, pid=worker.process.pid)
                worker.signal(signal.SIGKILL)
                await worker.ended.wait()

    # -- messages of workers --

    async def _listen(self, worker: Process) -> None:
        async for message in worker.link:
            match message:
                case link.Ready():
                    worker.ready.set()
                    _log.info("worker ready", worker=worker.number, pid=worker.process.pid)
                case link.Holds(room, True):
                    held = self._rooms.get(room)
                    if held is None or self._current.get(held.number) is not held:
                        self._rooms[room] = worker
                case link.Holds(room, False):
                    if self._rooms.get(room) is worker:
                        del self._rooms[room]
                case link.Page(text) if worker.page is not None and not worker.page.done():
                    worker.page.set_result(text)
                case link.AdminCode(code) if not self.admin_code.done():
                    self.admin_code.set_result(code)
                case link.Vital(reading):
                    self._hour.add(worker.process.pid, reading)
                case link.AskHistory(since):
                    worker.link.send(link.Kept(self._hour.since(since)))
                case link.AskPages():
                    self._do(self._gather(worker), "metrics")

    async def _gather(self, asker: Process) -> None:
        """Send a worker the metrics of all."""
        async with self._asking:
            loop = asyncio.get_running_loop()
            asked = [worker for worker in self._current.values() if worker.serves]
            pages: dict[Process, asyncio.Future[str]] = {worker: loop.create_future() for worker in asked}
            for worker, page in pages.items():
                worker.page = page
                worker.link.send(link.AskPage())
            if pages:
                await asyncio.wait(pages.values(), timeout=PATIENCE)
            asker.link.send(link.Pages({str(one.number): page.result() for one, page in pages.items() if page.done()}))

    def _do(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("a task of the supervisor failed", task=task.get_name(), exc_info=error)


async def _all_ended(workers: Collection[Process]) -> None:
    for worker in workers:
        await worker.ended.wait()


def command() -> list[str]:
    """The command that starts a worker: this program again, with the same flags."""
    return [sys.executable, "-m", "fourfold.server", *sys.argv[1:]]
