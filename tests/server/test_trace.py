"""The path of a move through the server's modules, as in server/README.md."""

import inspect
import re
import sys
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from fourfold.server.transport.connection import Connection
from tests.server.conftest import Wire

SERVER = Path(__file__).resolve().parents[2] / "server"
MOST = 16

Dial = Any  # see conftest
SEATS = {"standard": ["white", "black"], "ffa": ["red", "blue", "yellow", "green"]}
MOVES = 12


class Trace:
    """The server's modules that run between the arrival of a frame and the send to another connection."""

    def __init__(self, to: Wire) -> None:
        self._to = to.connection.local_address
        self._running = False
        self._resumed: tuple[FrameType, str] | None = None
        self.modules: set[str] = set()

    def __enter__(self) -> "Trace":
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code is Connection.data_received.__code__:
            self._running = True
        if not self._running:
            return
        if self._resumed is not None:  # a coroutine that only passes on an await does nothing itself
            if event != "call" or frame.f_back is not self._resumed[0]:
                self.modules.add(self._resumed[1])
            self._resumed = None
        if event == "call" and (module := module_of(code.co_filename)):
            if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
                self._resumed = frame, module
            else:
                self.modules.add(module)
        if event == "return" and code is Connection.flush.__code__:
            sent = frame.f_locals["self"].transport.get_extra_info("peername")
            if sent == self._to and "replication/feed" in self.modules:  # otherwise it is a different pending frame
                sys.setprofile(None)
                self._running = False


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
    ways = []
    for number in range(MOVES):
        turn = await host.asks("legal", room=room)
        other = next(wire for seat, wire in players.items() if seat != turn["seat"])
        with Trace(other) as trace:
            move, mover = turn["moves"][number], players[turn["seat"]]
            done = await mover.asks("move", room=room, move=move, seq=turn["seq"], key=f"k{number}")
            assert done["type"] == "ok"
            await other.seq(done["seq"])
        ways.append(trace.modules)
    way = set.intersection(*ways)  # timers run other modules meanwhile
    assert way == named()
    assert len(way) <= MOST
