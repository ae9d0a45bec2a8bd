"""A process that analyses positions and reviews games for a host of bots. Its priority is low, so running games come
first.

Each job has a thread, so that all jobs advance at the same speed. Jobs beyond `AT_ONCE` wait for their turn. An idle
job, which nobody waits for, stands still while there are others.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from math import inf
from multiprocessing.connection import Connection as Pipe
from multiprocessing.context import SpawnProcess
from time import monotonic
from typing import Final, Self, TypeAlias

from fourfold.clients.bots.analysis.best_lines import Look, analyse, remembering, threats
from fourfold.clients.bots.analysis.examination import examine, summary
from fourfold.clients.bots.analysis.puzzles import puzzles
from fourfold.clients.bots.profile import Profile
from fourfold.clients.bots.uci.engine_lines import EngineLines
from fourfold.engine.match.history import PlayedStep
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening
from fourfold.protocol.from_client import Examined, Found
from fourfold.protocol.from_server import Consult, Examine

AT_ONCE: Final = 6
"""The most positions analysed at the same time."""

GAMES_AT_ONCE: Final = 2
"""The most games reviewed at the same time."""

PONDERED: Final = 2
"""How many times as long a possible puzzle is analysed as another position."""

PACE: Final = 0.15
"""Seconds between two answers about one position; the last answer comes at once."""

LEAVE: Final = 2.0
"""Seconds for the process to stop its engines and itself."""

NICE: Final = 10
"""The niceness of the process and its engines. At 19, the lowest priority, a review takes minutes on a busy machine."""

Job: TypeAlias = Consult | Examine
Answer: TypeAlias = Found | Examined
Report: TypeAlias = Callable[[Answer], None]


class Analyst:
    """The process, as a context manager in an event loop; it starts at the first job. With the profile of an `engine`,
    the engine finds the lines of variants that it plays, and level 5 those of others."""

    def __init__(self, engine: Profile | None = None) -> None:
        self._engine = engine
        self._reports: dict[str, tuple[Job, Report]] = {}
        self._pipe: Pipe | None = None
        self.process: SpawnProcess | None = None
        """The latest process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pipe, self._pipe = self._pipe, None
        if self.process is not None:
            if pipe is not None:
                with suppress(OSError):
                    pipe.send(None)
                self.process.join(LEAVE)
            self.process.kill()
            self.process.join()

    def begin(self, job: Job, report: Report) -> None:
        """Start a job. `report` is called in the event loop with each result, until one is `done`."""
        self._reports[job.job] = job, report
        self._send(self._open(), job)

    def end(self, job: str) -> None:
        """Cancel the job with this id."""
        if self._reports.pop(job, None) is not None and self._pipe is not None:
            self._send(self._pipe, job)

    def _send(self, pipe: Pipe, told: Job | str) -> None:
        try:
            pipe.send(told)
        except OSError:
            self._lost(pipe)

    def _open(self) -> Pipe:
        if self._pipe is None:
            spawn = multiprocessing.get_context("spawn")  # a fork would share the sockets of this process
            self._pipe, theirs = spawn.Pipe()
            self.process = spawn.Process(target=work, args=(theirs, self._engine), daemon=True, name="analyst")
            self.process.start()
            if self.process.pid is not None:
                # Set here, so that the process already starts at a low priority. Its threads and engines inherit it.
                os.setpriority(os.PRIO_PROCESS, self.process.pid, NICE)
            theirs.close()
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._listen, args=(self._pipe, loop), daemon=True, name="analyst").start()
        return self._pipe

    def _listen(self, pipe: Pipe, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # the event loop is closed
            with pipe, suppress(EOFError, OSError):
                while True:
                    loop.call_soon_threadsafe(self._hear, pipe.recv())
            loop.call_soon_threadsafe(self._lost, pipe)

    def _lost(self, pipe: Pipe) -> None:
        """Handle the end of the process: all its jobs end, and the next job starts a new process."""
        if self._pipe is pipe:
            self._pipe = None
            for job, _ in list(self._reports.values()):
                self._hear(ended(job))

    def _hear(self, answer: Answer) -> None:
        if answer.job in self._reports:
            _, report = self._reports[answer.job]
            if answer.done:
                del self._reports[answer.job]
            report(answer)


def ended(job: Job) -> Answer:
    """The last answer about a job without results."""
    if isinstance(job, Examine):
        return Examined(job=job.job, done=True)
    return Found(job=job.job, depth=0, nodes=0, lines=[], threats=[], done=True)


def work(pipe: Pipe, engine: Profile | None = None) -> None:
    """Run the process until it receives None, or the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    engines = None if engine is None else EngineLines(engine, _say)
    try:
        _Desk(pipe, None if engines is None else engines.look).serve()
    finally:
        if engines is not None:
            engines.close()
    os._exit(0)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


class _Precedence:
    """Makes idle jobs stand still while others are in progress."""

    def __init__(self) -> None:
        self._others = 0
        self._none = threading.Condition()

    def __enter__(self) -> None:
        with self._none:
            self._others += 1

    def __exit__(self, *_: object) -> None:
        with self._none:
            self._others -= 1
            self._none.notify_all()

    def clock(self) -> Callable[[], float]:
        """A clock for an idle job. Waits until there are no others, and leaves out that time."""
        stood = 0.0

        def read() -> float:
            nonlocal stood
            if self._others:
                begun = monotonic()
                with self._none:
                    self._none.wait_for(lambda: self._others == 0)
                stood += monotonic() - begun
            return monotonic() - stood

        return read


class _Desk:
    """The jobs of the process, each in a thread."""

    def __init__(self, pipe: Pipe, look: Look | None) -> None:
        self._pipe = pipe
        self._look = look
        self._sending = threading.Lock()
        self._free = {Consult: threading.Semaphore(AT_ONCE), Examine: threading.Semaphore(GAMES_AT_ONCE)}
        self._idle = threading.Semaphore()
        self._precedence = _Precedence()
        self._wanted: set[str] = set()

    def serve(self) -> None:
        """Take jobs, and ids of cancelled jobs."""
        with suppress(EOFError, OSError):
            while (told := self._pipe.recv()) is not None:
                if isinstance(told, str):
                    self._wanted.discard(told)
                else:
                    self._wanted.add(told.job)
                    threading.Thread(target=self._do, args=(told,), daemon=True).start()

    def _clock(self, job: Job) -> Callable[[], float]:
        """The clock of a job; it says infinity once the job is cancelled."""
        clock = self._precedence.clock() if _is_idle(job) else monotonic
        return lambda: clock() if job.job in self._wanted else inf

    def _do(self, job: Job) -> None:
        last = ended(job)
        if isinstance(job, Examine):
            self._send(Examined(job=job.job))  # the job will start; its first look may come late
        idle = _is_idle(job)
        with self._idle if idle else self._free[type(job)], nullcontext() if idle else self._precedence:
            if job.job not in self._wanted:
                return
            try:
                if isinstance(job, Consult):
                    self._deepen(job)
                else:
                    last = self._examine(job)
            finally:
                self._send(last)
                self._wanted.discard(job.job)

    def _deepen(self, consult: Consult) -> None:
        position = opening(consult.variant, position=consult.position)
        dangers = threats(position)
        clock, look = self._clock(consult), self._look or analyse
        begun = monotonic()
        told = 0.0
        kept: Found | None = None
        for found in look(position, consult.lines, begun + consult.ms / 1000, clock):
            kept = Found(
                job=consult.job, depth=found.depth, nodes=found.nodes, lines=found.lines, threats=dangers, done=False
            )
            if monotonic() - told >= PACE:
                told = monotonic()
                self._send(kept)
                kept = None
        if kept is not None:
            self._send(kept)

    def _examine(self, job: Examine) -> Examined:
        start = opening(job.variant, position=job.position)
        steps = steps_of(job.steps, start.seats)
        clock, look = self._clock(job), self._look or remembering()

        def told(looked: int) -> None:
            if job.job in self._wanted:
                self._send(Examined(job=job.job, looked=looked))

        plies = examine(start, steps, job.ms / 1000, clock, look, told, job.theory)
        found = puzzles(start, steps, plies, PONDERED * job.ms / 1000, clock, look)
        if job.job not in self._wanted:
            return Examined(job=job.job, done=True)
        for judged in plies:
            self._send(Examined(job=job.job, judged=judged))
        return Examined(job=job.job, summary=summary(start, plies, job.theory), puzzles=found, done=True)

    def _send(self, answer: Answer) -> None:
        with self._sending, suppress(OSError):  # the other end is closed, so this process ends
            self._pipe.send(answer)


def _is_idle(job: Job) -> bool:
    return isinstance(job, Examine) and job.idle


def steps_of(texts: Sequence[str], seats: Sequence[str]) -> list[PlayedStep]:
    """The steps of an `examine`."""
    steps = []
    for text in texts:
        seat, _, reason = text.partition(" ")
        steps.append(PlayedStep(seats.index(seat), None, Termination(reason)) if reason else PlayedStep(0, text))
    return steps
