"""Programs of others, unmodified, play here through the gateway: with a person who undoes, offers a draw and leaves,
and with a level of ours while the gateway is killed."""

import asyncio
from pathlib import Path

import pytest

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.levels import chooser
from fourfold.clients.bots.thinking import in_thread
from tests.games import conversation
from tests.games.conftest import ServerProcess
from tests.games.conversation import OPTIONS, PROGRAMS, meet
from tests.games.peers import Recorder, gateway_to
from tests.games.person import person_at
from tests.games.test_gateway import tokens
from tests.ports import free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.mark.parametrize("program", PROGRAMS)
async def test_with_a_person(program: str, server: ServerProcess, tmp_path: Path) -> None:
    name, token = await tokens(server)()
    recorder = Recorder()
    async with (
        gateway_to(server.url, recorder=recorder) as gateway,
        PROGRAMS[program](tmp_path, gateway, token, 1, **OPTIONS[program]),
        person_at(server.url) as person,
    ):
        await recorder.until("/api/stream/event")
        room = await meet(person, name)
        table = await conversation.play(person)
        assert table.result is not None and table.result.winners == ["black"]
        assert await meet(person, name) != room  # it plays again: its slot is free
        await person.until(lambda table: table.status == "playing")
        await person.connection.resign(person.room)


@pytest.mark.parametrize("program", PROGRAMS)
async def test_with_level_4_while_the_gateway_is_killed(program: str, server: ServerProcess, tmp_path: Path) -> None:
    name, token = await tokens(server)()
    recorder, port = Recorder(), free_port()
    kill, killed = asyncio.Event(), 0

    async def gateway() -> None:
        while True:
            async with gateway_to(server.url, port, recorder):
                await kill.wait()
            kill.clear()

    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(gateway())
        url = f"http://127.0.0.1:{port}"
        async with PROGRAMS[program](tmp_path, url, token, 2), person_at(server.url) as person:
            await recorder.until("/api/stream/event")
            room = await meet(person, name)
            level4 = Bot(person.connection, room, None, in_thread(chooser(4)), budget=0.1, pace=0.3)
            playing = tasks.create_task(level4.play())
            while not playing.done():
                await asyncio.wait([playing], timeout=0.5 if killed < 2 else None)
                killed += 1
                kill.set()
            table = playing.result()
            assert table is not None and table.result is not None
            assert killed > 1
            assert table.result.reason not in ("time", "abandonment", "aborted"), table.result
        running.cancel()
