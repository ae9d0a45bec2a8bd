"""Acknowledged means kept: processes are killed in mid-game, and every client's view is compared with the log."""

import asyncio
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fourfold.engine.match import Decision, State, Status, replay
from fourfold.engine.match.events import Moved
from fourfold.protocol import projection
from fourfold.server.storage.redis_log import RedisLog

ROOT = Path(__file__).parents[2]
Server = Any  # see conftest


class Watched:
    """A demo in a separate process, with lines that can be waited for."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    @classmethod
    async def start(cls, url: str, folder: Path, *arguments: str) -> "Watched":
        command = [sys.executable, "-m", "fourfold.clients", "demo", "--url", url, "--record", str(folder), *arguments]
        with (folder.parent / "demo.err").open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                *command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors
            )
        return cls(process)

    async def line(self, number: int) -> str:
        """The line with this number, counted from 0, once it is there."""
        assert self.process.stdout is not None
        async with asyncio.timeout(240):
            while len(self.lines) <= number:
                line = await self.process.stdout.readline()
                assert line, f"the demo ended early:\n{''.join(self.lines[-5:])}"
                self.lines.append(line.decode())
        return self.lines[number]

    async def end(self) -> str:
        """Its whole output, once it has ended well."""
        assert self.process.stdout is not None
        async with asyncio.timeout(240):
            rest = await self.process.stdout.read()
            assert await self.process.wait() == 0
        return "".join(self.lines) + rest.decode()


async def read_log(server: Server, room: str) -> list[Decision]:
    log = await RedisLog.open(server.store_url)
    try:
        return await log.read(room)
    finally:
        await log.close()


def check_log(decisions: list[Decision]) -> State:
    """The log itself: no gaps, no command done twice, every move legal when it was made."""
    assert [decision.seq for decision in decisions] == list(range(1, len(decisions) + 1))
    commands = Counter((decision.by, decision.key) for decision in decisions)
    assert commands.most_common(1)[0][1] == 1
    return replay(decisions)


def check_view(record: Path, decisions: list[Decision], names: tuple[str, ...], room: str) -> int:
    """One client's view; returns how many acknowledged moves were checked."""
    log = {decision.seq: decision for decision in decisions}
    told = {seq: msgspec.to_builtins(projection.update(room, names, decision)) for seq, decision in log.items()}
    asked: dict[int | None, dict[str, Any]] = {}
    held = acknowledged = 0
    for text in record.read_text().splitlines():
        line = json.loads(text)
        frame = line["frame"]
        if line["dir"] == "out":
            asked[frame.get("id")] = frame
        elif frame["type"] == "ok" and asked[frame["id"]]["type"] == "move":
            request, decision = asked[frame["id"]], log[frame["seq"]]
            assert decision.key == request["key"]
            moved = decision.events[0]
            assert isinstance(moved, Moved)
            assert moved.move == request["move"]
            acknowledged += 1
        elif frame["type"] == "room" and frame["room"] == room:
            held = max(held, frame["seq"])
        elif frame["type"] == "update":
            assert frame == told[frame["seq"]]
            assert frame["seq"] <= held + 1, "a gap"
            held = max(held, frame["seq"])
    assert held == len(decisions), "some decisions never arrived"
    return acknowledged


def check_views(folder: Path, decisions: list[Decision], names: tuple[str, ...], room: str) -> list[int]:
    return [check_view(record, decisions, names, room) for record in folder.glob("*.jsonl")]


async def check_everything(server: Server, room: str, folder: Path) -> State:
    decisions = await read_log(server, room)
    state = check_log(decisions)
    assert state.status is Status.FINISHED
    acknowledged = check_views(folder, decisions, state.position.seats, room)
    assert len(acknowledged) >= len(state.seats)
    assert sum(acknowledged) == sum(isinstance(decision.events[0], Moved) for decision in decisions)
    return state


async def kill_server(server: Server) -> None:
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)


async def kill_store(server: Server) -> None:
    await asyncio.to_thread(server.kill_store)


async def kill_both(server: Server) -> None:
    await asyncio.to_thread(server.kill_store)
    await kill_server(server)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kill", [kill_both, *(pytest.param(kill, marks=pytest.mark.campaign) for kill in (kill_server, kill_store))]
)
async def test_a_demo_of_four_goes_on_by_itself(
    mortal_server: Server, tmp_path: Path, kill: Callable[[Server], Any]
) -> None:
    """Four kills, each after some more moves, at random points of the server's work."""
    folder = tmp_path / "record"
    demo = await Watched.start(
        mortal_server.url, folder, "--players", "4", "--seed", "7", "--delay", "2"
    )
    room = (await demo.line(0)).split()[1]
    chance = random.Random(kill.__name__)
    shown = 40
    for _ in range(4):
        await demo.line(shown)
        await kill(mortal_server)
        shown += chance.randrange(20, 60)
    printed = await demo.end()
    state = await check_everything(mortal_server, room, folder)
    assert state.outcome is not None
    assert state.outcome.termination.value.split("_")[0] in printed.lower().replace("-", " ")


async def test_a_server_told_to_stop_says_goodbye_and_the_game_goes_on(mortal_server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "record"
    demo = await Watched.start(mortal_server.url, folder, "--players", "2", "--seed", "3", "--delay", "2")
    room = (await demo.line(0)).split()[1]
    await demo.line(40)
    await asyncio.to_thread(mortal_server.stop)
    await asyncio.to_thread(mortal_server.start)
    await demo.end()
    await check_everything(mortal_server, room, folder)
    goodbyes = [record for record in folder.glob("*.jsonl") if '"closing"' in record.read_text()]
    assert goodbyes


@pytest.mark.slow
async def test_a_demo_of_four_on_three_servers_of_which_one_dies_at_a_time(
    three_servers: list[Server], one_address: str, tmp_path: Path
) -> None:
    folder = tmp_path / "record"
    demo = await Watched.start(one_address, folder, "--players", "4", "--seed", "11", "--delay", "2")
    room = (await demo.line(0)).split()[1]
    shown = 40
    for server in [*three_servers, three_servers[0]]:
        await demo.line(shown)
        await kill_server(server)
        shown += 40
    await demo.end()
    await check_everything(three_servers[0], room, folder)
