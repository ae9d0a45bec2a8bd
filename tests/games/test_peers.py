"""Third-party programs, unmodified, play here through the gateway: with a person who undoes, offers a draw and leaves,
with a level of ours while the gateway is killed, and with each other."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.levels import chooser
from fourfold.clients.bots.thinking import in_thread
from fourfold.clients.connection import Connection
from fourfold.clients.gateway.shapes import id_of
from fourfold.clients.table import Table
from fourfold.protocol.from_server import Game
from tests.games import conversation
from tests.games.conftest import ServerProcess
from tests.games.conversation import OPTIONS, PROGRAMS, meet
from tests.games.peers import Recorder, berserk, botli, cli_chess, gateway_to
from tests.games.person import CLOCK, Person, person_at
from tests.games.test_gateway import tokens
from tests.ports import free_port

pytestmark = pytest.mark.slow


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


async def test_with_each_other(server: ServerProcess, tmp_path: Path) -> None:
    """BotLi challenges lichess-bot, which accepts, and they play to the end."""
    one, two = await tokens(server)(), await tokens(server)()
    recorder = Recorder()
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    async with (
        gateway_to(server.url, recorder=recorder) as gateway,
        PROGRAMS["lichess-bot"](tmp_path / "one", gateway, one[1], 1),
        person_at(server.url) as person,
    ):
        await recorder.until("/api/stream/event")
        challenge = f"challenge {id_of(one[0])} 2+1 white casual"
        async with botli(tmp_path / "two", gateway, two[1], 2, challenge):
            game = await _game_of(person.connection, one[0])
            assert {seat.name for seat in game.seats} == {one[0], two[0]}
            table = await _over(person, game.room)
    assert table.result is not None
    assert table.result.reason not in ("time", "abandonment", "aborted"), table.result
    assert table.seats["white"].name == two[0] and not table.rated and len(table.moves) > 10


async def _game_of(connection: Connection, name: str) -> Game:
    """The finished game of a player."""
    async with asyncio.timeout(240):
        while True:
            people = await connection.people(None, 100)
            player = next((one.player for one in people.people if one.name == name), None)
            games = [] if player is None else (await connection.games(player, limit=5)).games
            if games:
                return games[0]
            await asyncio.sleep(0.2)


async def _over(person: Person, room: str) -> Table:
    """The table of a watched game when it is over."""
    person.room, person.table, person.frames = room, None, person.connection.follow(room)
    return await person.until(lambda table: table.status == "finished", 480)


async def test_a_berserk_script_begins_a_game_with_a_person(server: ServerProcess, tmp_path: Path) -> None:
    """It challenges, chats, takes back, offers a draw, and resigns."""
    _, token = await tokens(server)("play")
    acts = ["hello:0", "takeback:2", "draw:3", "resign:5"]
    async with (
        gateway_to(server.url) as gateway,
        person_at(server.url, "Boris the Berserk") as person,
        berserk(tmp_path, gateway, token, "board", "--challenge", "boris_the_berserk", "--then", *acts) as script,
    ):
        challenge = await asyncio.wait_for(person.heard.get(), 240)
        assert not challenge.rated and challenge.clock is not None and challenge.clock.base == 300_000
        await person.connection.answer(challenge.challenge, accept=True)
        await person.come(challenge.challenge)
        player = Bot(person.connection, person.room, None, in_thread(chooser(1)))
        table = await player.play()
        assert table is not None and table.result is not None
        assert (table.result.reason, table.result.winners) == ("resignation", ["white"])
        for act in ("hello", "takeback", "draw", "resign"):
            await script.says(f"did {act}")
        await script.says("over")
        assert sum(line.startswith("moved") for line in script.said) == 6  # one was taken back


async def test_two_berserk_scripts_seek_and_meet(server: ServerProcess, tmp_path: Path) -> None:
    """Each seeks through the Board API, and they play each other until one resigns."""
    names = []
    async with gateway_to(server.url) as gateway, AsyncExitStack() as stack, person_at(server.url, "Looker") as looker:
        scripts = []
        for acts in ([], ["resign:4"]):
            name, token = await tokens(server)("play")
            names.append(name)
            script = berserk(tmp_path, gateway, token, "board", "--seek", *(["--then", *acts] if acts else []))
            scripts.append(await stack.enter_async_context(script))
        rooms = {(await script.says("^plays")).split()[1] for script in scripts}
        assert len(rooms) == 1
        for script in scripts:
            await script.says("^over")
        await scripts[1].says("did resign")
        assert all(sum(line.startswith("moved") for line in script.said) >= 3 for script in scripts)
        table = await _over(looker, rooms.pop())
    seats = {seat.name: color for color, seat in table.seats.items()}
    assert set(seats) == set(names) and not table.rated
    assert table.clocks is not None and (table.clocks.base, table.clocks.increment) == (300_000, 2000)
    assert table.result is not None
    assert (table.result.reason, table.result.winners) == ("resignation", [seats[names[0]]])


async def test_a_berserk_script_seeks_and_goes_away(server: ServerProcess, tmp_path: Path) -> None:
    """A seeker of the same game meets the running script, and not the one that has ended before."""
    tokens_of = tokens(server)
    async with gateway_to(server.url) as gateway, person_at(server.url, "Boris who seeks") as person:
        _, token = await tokens_of("play")
        (tmp_path / "one").mkdir()
        async with berserk(tmp_path / "one", gateway, token, "board", "--seek"):
            async with asyncio.timeout(240):
                while not any(room.seek for room in await person.connection.rooms(status="open")):  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
        async with asyncio.timeout(240):
            while any(room.seek for room in await person.connection.rooms(status="open")):  # noqa: ASYNC110
                await asyncio.sleep(0.2)
        name, token = await tokens_of("play")
        async with berserk(tmp_path, gateway, token, "board", "--seek") as script:
            room, seat = await person.connection.seek("standard", CLOCK, rated=False)
            await script.says(f"^plays {room}")
            await person.come(room)
            table = await person.until(lambda table: table.status == "playing")
            assert {one.name for one in table.seats.values()} == {name, "Boris who seeks"}
            if seat == "white":
                await person.move("e2e4", 0)
            await script.says("^moved")
            await person.connection.resign(room)
            await script.says("^over")


async def test_lichess_bot_comes_to_an_open_table(server: ServerProcess, tmp_path: Path) -> None:
    """It is invited to a seat of a table of two, and plays there; then again, because its slot is free."""
    name, token = await tokens(server)()
    recorder = Recorder()
    async with (
        gateway_to(server.url, recorder=recorder) as gateway,
        PROGRAMS["lichess-bot"](tmp_path, gateway, token, 1),
        person_at(server.url) as person,
    ):
        await recorder.until("/api/stream/event")
        for _ in range(2):
            room = await person.connection.create("standard", clock=CLOCK, rated=False)
            await person.come(room, "white")
            async with asyncio.timeout(240):
                while name not in {one.name for one in await person.connection.bots(room)}:  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
            made = await person.connection.challenge(seats={"black": name}, room=room)
            async with asyncio.timeout(240):
                while (heard := await person.heard.get()).challenge != made.challenge or heard.status == "open":
                    pass
            assert (heard.status, heard.room) == ("accepted", room)
            await person.move("e2e4", 0)
            table = await person.until(lambda table: len(table.moves) == 2)
            assert table.seats["black"].name == name
            await person.connection.resign(room)
            await person.until(lambda table: table.status == "finished")


async def test_somebody_at_cli_chess(server: ServerProcess, tmp_path: Path) -> None:
    """They seek a game, and play it by keyboard: moves, chat, a takeback, a refused draw, and resignation."""
    _, token = await tokens(server)("play")
    recorder = Recorder()
    async with (
        gateway_to(server.url, recorder=recorder) as gateway,
        cli_chess(tmp_path, gateway, token) as program,
        person_at(server.url) as person,
    ):
        table = await conversation.at_the_keyboard(person, program, recorder)
        assert not table.rated and table.result is not None and table.result.reason == "resignation"
        await program.shows("resigned")
