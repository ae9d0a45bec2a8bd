"""Watchers in a separate process, so that reading their frames does not slow the measured ones down.

`python -m tests.bench.watchers URL ROOMS WATCHERS`, with ROOMS separated by commas, connects WATCHERS to each of the
rooms, and prints `ready`. When its standard input ends, it prints the results as JSON: the number of frames, the number
of updates that all watchers of a room have got, and the time from the first of them to the last.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import msgpack
import uvloop

from fourfold.protocol.errors import SUBPROTOCOL_MSGPACK
from tests.bench.processes import ROOT
from tests.bench.wire import Wire

AT_ONCE = 50


class Gallery:
    """The process of the watchers, from outside."""

    def __init__(self, url: str, rooms: Sequence[str], watchers: int, *wrapper: str) -> None:
        """`watchers` for each of the rooms; `wrapper` is a command that starts the process."""
        self._wrapper = wrapper
        self._arguments = url, ",".join(rooms), str(watchers)
        self._process: asyncio.subprocess.Process

    async def open(self) -> None:
        """Returns when all are watching."""
        self._process = await asyncio.create_subprocess_exec(
            *(*self._wrapper, sys.executable, "-m", "tests.bench.watchers", *self._arguments),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            limit=64 * 1024 * 1024,
        )
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if line != b"ready\n":
            raise RuntimeError("some watchers could not connect")

    async def close(self) -> dict[str, Any]:
        """Their results."""
        output, _ = await self._process.communicate(b"")  # which closes its input
        seen: dict[str, Any] = json.loads(output)
        return seen


async def _look_on(url: str, rooms: Sequence[str], watchers: int) -> None:
    seen: dict[bytes, list[float]] = {}
    frames = lost = 0
    first = 2 * watchers * len(rooms)  # each gets a welcome and a snapshot of the room
    seated = asyncio.Event()

    def gone() -> None:
        nonlocal lost
        lost += 1

    def hear(data: bytes) -> None:
        nonlocal frames
        frames += 1
        if frames == first:
            seated.set()
        if b"\xa6update" in data[:14]:
            times = seen.get(data)
            if times is None:
                at = time.perf_counter()
                seen[data] = [at, at, 1]
            else:
                times[1] = time.perf_counter()
                times[2] += 1

    turn = asyncio.Semaphore(AT_ONCE)
    wires: list[Wire] = []

    async def come(room: str) -> None:
        async with turn:
            wire = await Wire.dial(f"{url}/ws", hear, gone, SUBPROTOCOL_MSGPACK)
            wire.send(msgpack.packb({"type": "hello"}))
            wire.send(msgpack.packb({"type": "watch", "room": room}))
            wires.append(wire)

    await asyncio.gather(*(come(room) for room in rooms for _ in range(watchers)))
    if first:
        await seated.wait()
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    took = sorted(last - first for first, last, count in seen.values() if count == watchers)
    print(
        json.dumps(
            {
                "watchers": len(wires),
                "frames": frames,
                "lost": lost,
                "updates": len(seen),
                "seen_by_all": len(took),
                "first_to_last_ms": None if not took else {"p50": took[len(took) // 2] * 1000, "most": took[-1] * 1000},
            }
        )
    )


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_look_on(sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])))
