"""The path of a move through the server's modules, as in server/README.md."""

import asyncio
import inspect
import re
import sys
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from fourfold.server.storage.pipeline import Append
from fourfold.server.transport.connection import Connection
from tests.server.conftest import Wire

SERVER = Path(__file__).resolve().parents[2] / "server"
MOST = 15

Dial = Any  # see conftest
SEATS = {"standard": ["white", "black"], "ffa": ["red", "blue", "yellow", "green"]}
MOVES = 12

LOOP = asyncio.BaseEventLoop
SCHEDULES = {LOOP._call_soon.__code__, LOOP.call_at.__code__}  # type: ignore[attr-defined]
"""The functions of the event loop that return a new callback."""


class Step:
    """One callback of the event loop: the callback that scheduled it (None: an arrival, or one before the trace), and
    the server's modules that ran in it."""

    def __init__(self, scheduled_by: "Step | None") -> None:
        self.scheduled_by = scheduled_by
        self.modules: set[str] = set()

    def way(self) -> set[str]:
        """The modules of this step and of all that led to it."""
        return self.modules | (self.scheduled_by.way() if self.scheduled_by is not None else set())


class Trace:
    """The server's modules that run between the arrival of a frame and the send to another connection.

    Whatever else runs meanwhile does not count: a step belongs to the way if it led to the write to the store, or to
    the send.
    """

    def __init__(self, to: Wire) -> None:
        self._to = to.connection.local_address
        self._steps: dict[asyncio.Handle, Step] = {}
        self._step = Step(None)
        self._write = self._written = Step(None)  # the latest write to the store, and the latest that was answered
        self._resumed: tuple[FrameType, str] | None = None
        self.modules: set[str] = set()

    def __enter__(self) -> "Trace":
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
                self._step.modules.add(self._resumed[1])
            self._resumed = None
        if event == "call" and (module := module_of(code.co_filename)):
            if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
                self._resumed = frame, module
            else:
                self._step.modules.add(module)
        if event == "call" and code is Append.command.__code__:
            self._write = self._step
        elif event == "call" and code is Append.answered.__code__:
            self._written = self._write
        elif event == "return" and code is Connection.flush.__code__:
            sent = frame.f_locals["self"].transport.get_extra_info("peername")
            way = self._step.way()
            if sent == self._to and "replication/feed" in way:  # otherwise it is a different pending frame
                sys.setprofile(None)
                self.modules = way | self._written.way()


@cache
def module_of(file: str) -> str:
    """The name of a server module by its file; empty for other files, and for the clock, which every module may ask."""
    path = Path(file).resolve()
    if path == SERVER / "clock.py":
        return ""
    return path.relative_to(SERVER).with_suffix("").as_posix() if path.is_relative_to(SERVER) else ""


def named() -> set[str]:
    """The modules that the README's trace names."""
    return set(re.findall(r"^\| \d+ \| `([\w/]+)` \|", (SERVER / "README.md").read_text(), re.M))


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
        with Trace(other) as trace:
            move, mover = turn["moves"][number], players[turn["seat"]]
            done = await mover.asks("move", room=room, move=move, seq=turn["seq"], key=f"k{number}")
            assert done["type"] == "ok"
            await other.seq(done["seq"])
        way |= trace.modules
    assert way == named()
    assert len(way) <= MOST
