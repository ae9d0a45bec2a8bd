"""The paths of a move and of a resignation through the server's modules, as in server/README.md."""

import asyncio
import inspect
import re
import sys
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Self

import pytest

from fourfold.server.archive.archive import Archive
from fourfold.server.rooms.filing import Filing
from fourfold.server.storage import redis_log
from fourfold.server.storage.pipeline import Append
from fourfold.server.transport.connection import Connection
from tests.conftest import HANG
from tests.server.conftest import Wire, each_moves_twice

SERVER = Path(__file__).resolve().parents[2] / "server"
MOST = 15
MOST_UNTIL_THE_ARCHIVE = 25

Dial = Any  # see conftest
SEATS = {"standard": ["white", "black"], "ffa": ["red", "blue", "yellow", "green"]}
MOVES = 12

LOOP = asyncio.BaseEventLoop
SCHEDULES = {LOOP._call_soon.__code__, LOOP.call_at.__code__}  # type: ignore[attr-defined]
"""The functions of the event loop that return a new callback."""


class Step:
    """One callback of the event loop: the callback that scheduled it (None: an arrival, or one before the trace), those
    that made the appends which the store answers here, its task, the server's modules that ran in it, and which of
    them called which."""

    def __init__(self, scheduled_by: "Step | None") -> None:
        self.scheduled_by = scheduled_by
        self.asked_by: set[Step] = set()
        self.task: asyncio.Task[object] | None = None
        self.modules: set[str] = set()
        self.calls: set[tuple[str, str]] = set()

    def way(self) -> "set[Step]":
        """This step and all that led to it."""
        found, more = {self}, {self}
        while more:
            more = {cause for step in more for cause in (step.scheduled_by, *step.asked_by) if cause} - found
            found |= more
        return found


BEFORE = Step(None)
"""What ran before the trace."""


class Trace:
    """The way of a request through the server's modules, from its arrival on.

    Whatever else runs meanwhile does not count: a step belongs to the way if it led to its end. An answer of the store
    follows from what made the append, not from what wrote it: that may be the answer to an earlier append.
    """

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.calls: set[tuple[str, str]] = set()
        self._steps: dict[asyncio.Handle, Step] = {}
        self._step = Step(None)
        self._appends: dict[int, Step] = {}  # the steps that made appends, by the append's id
        self._resumed: tuple[FrameType, str] | None = None

    def __enter__(self) -> Self:
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, result: object) -> None:
        code = frame.f_code
        if event == "call" and code is asyncio.Handle._run.__code__:
            handle = frame.f_locals["self"]
            self._step = self._steps.setdefault(handle, Step(None))
        elif event == "return" and code in SCHEDULES and isinstance(result, asyncio.Handle):
            self._steps.setdefault(result, Step(self._step))
        if self._resumed is not None:  # a coroutine that only passes on an await does nothing itself
            if event != "call" or frame.f_back is not self._resumed[0]:
                self._ran(*self._resumed)
            self._resumed = None
        if event == "call" and (module := module_of(code.co_filename)):
            if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR) and is_resumed(frame):
                self._resumed = frame, module
            else:
                self._ran(frame, module)
        if event == "call" and code is Append.__init__.__code__:
            self._appends[id(frame.f_locals["self"])] = self._step
        elif event == "call" and code is Append.answered.__code__:
            self._step.asked_by.add(self._appends.get(id(frame.f_locals["self"]), BEFORE))
        self._saw(frame, event)

    def _ran(self, frame: FrameType, module: str) -> None:
        step, caller = self._step, frame.f_back
        step.modules.add(module)
        step.task = step.task or asyncio.current_task()
        while caller is not None and not module_of(caller.f_code.co_filename):
            caller = None if caller.f_code is asyncio.Handle._run.__code__ else caller.f_back
        if caller is not None:
            step.calls.add((module_of(caller.f_code.co_filename), module))

    def _saw(self, frame: FrameType, event: str) -> None:
        """Call `_ended` at the end of the way."""
        raise NotImplementedError

    def _ended(self, way: set[Step]) -> None:
        sys.setprofile(None)
        for step in way:
            self.modules |= step.modules
            self.calls |= step.calls


class MoveTrace(Trace):
    """The way of a move, until the server sends its update to another connection."""

    def __init__(self, to: Wire) -> None:
        super().__init__()
        self._to = to.connection.local_address

    def _saw(self, frame: FrameType, event: str) -> None:
        if event == "return" and frame.f_code is Connection.flush.__code__:
            sent = frame.f_locals["self"].transport.get_extra_info("peername")
            way = self._step.way()
            # otherwise it is a different pending frame
            if sent == self._to and any("replication/feed" in step.modules for step in way):
                self._ended(way)


class FilingTrace(Trace):
    """The way of a game's last command, until the archive has the log of its room."""

    def __init__(self) -> None:
        super().__init__()
        self.done = asyncio.Event()
        self._filing: Step | None = None

    def _saw(self, frame: FrameType, event: str) -> None:
        if event != "call":
            return
        if frame.f_code is Filing._file.__code__ and self._filing is None:
            self._filing = self._step
        elif frame.f_code is Archive.list_games.__code__ and self._filing is not None:  # the log is filed
            self._ended(self._filing.way() | self._steps_of(self._filing))
            self.done.set()

    def _steps_of(self, first: Step) -> set[Step]:
        """The steps of the task that began with a step, and of the tasks that it started."""
        found, tasks = {first}, {first.task}
        while True:
            more = {
                step for step in self._steps.values()
                if step.task is not None and (step.task in tasks or step.scheduled_by in found)
            } - found  # fmt: skip
            if not more:
                return found
            found |= more
            tasks |= {step.task for step in more}


def is_resumed(frame: FrameType) -> bool:
    """Whether a coroutine that is called goes on after an await. Its instruction says so: RESUME has 0 at the start."""
    return frame.f_code.co_code[frame.f_lasti + 1] & 3 != 0


@cache
def module_of(file: str) -> str:
    """The name of a server module by its file; empty for other files, and for the clock, which every module may ask."""
    path = Path(file).resolve()
    if path == SERVER / "clock.py":
        return ""
    return path.relative_to(SERVER).with_suffix("").as_posix() if path.is_relative_to(SERVER) else ""


def named(heading: str) -> set[str]:
    """The modules that a trace in the README names."""
    _, _, behind = (SERVER / "README.md").read_text().partition(f"## {heading}\n")
    return set(re.findall(r"^\| \d+ \| `([\w/]+)` \|", behind.partition("\n##")[0], re.M))


@pytest.fixture(autouse=True)
def certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that has not heard from its store for two seconds asks it about outages before a move. On a busy machine
    that may happen to any move; it is not the way of most."""
    monkeypatch.setattr(redis_log, "FRESH", HANG)


@pytest.mark.interpreted
@pytest.mark.parametrize("variant", SEATS)
async def test_a_move_runs_through_the_modules_that_the_readme_names(dial: Dial, variant: str) -> None:
    players = {seat: await dial(text=number % 2 == 0) for number, seat in enumerate(SEATS[variant])}
    host, *_ = players.values()
    room = (await host.asks("create", variant=variant, clock={"base": 600_000}))["room"]
    for seat, wire in players.items():
        await wire.asks("join", room=room, seat=seat)
    way: set[str] = set()
    for number in range(MOVES):
        turn = await host.asks("legal", room=room)
        other = next(wire for seat, wire in players.items() if seat != turn["seat"])
        with MoveTrace(other) as trace:
            move, mover = turn["moves"][number], players[turn["seat"]]
            done = await mover.asks("move", room=room, move=move, seq=turn["seq"], key=f"k{number}")
            assert done["type"] == "ok"
            await other.seq(done["seq"])
        way |= trace.modules
    assert way == named("The trace of a move")
    assert len(way) <= MOST


@pytest.mark.interpreted
async def test_a_resignation_runs_through_the_modules_that_the_readme_names_until_the_archive_has_the_game(
    dial: Dial,
) -> None:
    players = [await dial(), await dial()]
    room = (await players[0].asks("create", clock={"base": 600_000}))["room"]
    for wire in players:
        await wire.asks("join", room=room)
    await each_moves_twice(players, room)
    with FilingTrace() as trace:
        assert (await players[1].asks("resign", room=room, key="r"))["type"] == "ok"
        async with asyncio.timeout(HANG):
            await trace.done.wait()
    assert trace.modules == named("The trace of a move") | named("The trace of a resignation")
    assert len(trace.modules) <= MOST_UNTIL_THE_ARCHIVE
    assert {(one, other) for one, other in trace.calls if (other, one) in trace.calls and one < other} == set()
