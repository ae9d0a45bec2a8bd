"""Online bots: they answer challenges by themselves, and play."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Challenge, Played, Room
from tests.games.conftest import ROOT, ServerProcess
from tests.games.conftest import running as started
from tests.games.person import Person, person_at
from tests.games.test_gateway import tokens

pytestmark = pytest.mark.slow

QUICK = Clock(60_000, 1000)


@asynccontextmanager
async def running(server: ServerProcess, token: str, *words: str) -> AsyncIterator[Process]:
    """`fourfold` with these arguments and an access token, once it is online."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "fourfold.clients", *words, "--url", server.url, "--pace", "0",
        stderr=PIPE, cwd=ROOT, env={"FOURFOLD_TOKEN": token, "PATH": "/usr/games:/usr/bin"},
    )  # fmt: skip
    try:
        assert process.stderr is not None
        async with asyncio.timeout(240):
            line = (await process.stderr.readline()).decode()
        assert "is online" in line, line
        yield process
    finally:
        process.terminate()
        await process.wait()


async def answered(person: Person, challenge: Challenge) -> Challenge:
    """The outcome of a challenge."""
    async with asyncio.timeout(240):
        while (heard := await person.heard.get()).challenge != challenge.challenge or heard.status == "open":
            pass
    return heard


async def moves_of(person: Person, room: str) -> None:
    """Make one move as white, and wait for the answer to it."""
    await person.come(room)
    await person.move("e2e4", 0)
    await person.until(lambda table: len(table.moves) == 2)


@pytest.mark.usefixtures("stockfish")
@pytest.mark.parametrize("words", [("bot", "--level", "1"), ("uci", "--profile", "stockfish")])
async def test_it_says_yes_and_plays(words: tuple[str, ...], server: ServerProcess) -> None:
    name, token = await tokens(server)()
    async with running(server, token, *words), person_at(server.url) as person:
        challenge = await person.connection.challenge(name, clock=QUICK, seat="white")
        yes = await answered(person, challenge)
        assert (yes.status, yes.room) == ("accepted", challenge.challenge)
        second = await person.connection.challenge(name, clock=QUICK, seat="white")
        await moves_of(person, challenge.challenge)
        no = await answered(person, second)
        assert (no.status, no.reason) == ("declined", "later")  # it plays one game at once
        await person.connection.resign(challenge.challenge)
        await person.until(lambda table: table.status == "finished")


async def test_it_comes_to_an_open_table(server: ServerProcess) -> None:
    """Bots in two seats of a table of four; one of them plays only one game at a time."""
    async with AsyncExitStack() as stack:
        names = []
        for _ in range(2):
            name, token = await tokens(server)()
            await stack.enter_async_context(running(server, token, "bot", "--level", "1"))
            names.append(name)
        person = await stack.enter_async_context(person_at(server.url))
        room = await person.connection.create("ffa", clock=QUICK)
        await person.come(room, "red")
        await person.connection.invite(room, 1, "green")
        for seat, name in zip(("blue", "yellow"), names, strict=True):
            yes = await answered(person, await person.connection.challenge(seats={seat: name}, room=room))
            assert (yes.status, yes.room) == ("accepted", room)
        await person.until(lambda table: [table.seats[seat].name for seat in ("blue", "yellow")] == names)
        second = await person.connection.create("ffa")
        no = await answered(person, await person.connection.challenge(seats={"red": names[0]}, room=second))
        assert (no.status, no.reason) == ("declined", "later")
        async with AsyncExitStack() as others:
            last = await others.enter_async_context(person_at(server.url, "Last"))
            await last.come(room, "green")
            await person.until(lambda table: table.status == "playing")
            await person.move("h2h4", 0)
            await person.until(lambda table: len(table.moves) == 3)


async def test_servers_are_killed_between_the_question_and_the_game(embedded_url: str) -> None:
    """Three servers on one store: the host's server dies before the answer, the bot's after it."""
    with ExitStack() as stack:
        servers = [stack.enter_context(started(embedded_url, 0)) for _ in range(3)]
        async with Connection(servers[0].url, name="Ann K") as ann, Connection(servers[1].url, bot=True) as bot:
            room = await ann.create("ffa")
            await ann.join(room, "red")
            async with asyncio.timeout(240):
                while bot.player not in {one.player for one in await ann.bots(room)}:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            made = await ann.challenge(seats={"yellow": bot.player or ""}, room=room)
            token, known = ann.token, bot.token
            await asyncio.to_thread(servers[0].kill)
            async with Connection(servers[2].url, token=token) as again:
                async with asyncio.timeout(240):
                    while True:
                        try:
                            answered = await bot.answer(made.challenge, True)
                            break
                        except RequestError as error:
                            assert error.code == "player_away"
                            await asyncio.sleep(0.1)
                assert (answered.status, answered.room) == ("accepted", room)
                await asyncio.to_thread(servers[1].kill)
                await again.join(room)
                snapshot = await anext(frame async for frame in again.follow(room) if isinstance(frame, Room))
                assert [seat.player for seat in snapshot.seats] == [ann.player, None, bot.player, None]
                async with Connection(servers[2].url, token=known, bot=True) as back:
                    assert await back.join(room) == "yellow"


async def test_started_again_it_goes_on_with_its_game(server: ServerProcess) -> None:
    name, token = await tokens(server)()
    async with person_at(server.url) as person:
        async with running(server, token, "bot", "--level", "1"):
            challenge = await person.connection.challenge(name, clock=QUICK, seat="white")
            await answered(person, challenge)
            await moves_of(person, challenge.challenge)
        async with running(server, token, "bot", "--level", "1"):
            await person.move("d2d4", 2)
            await person.until(lambda table: len(table.moves) == 4)


@pytest.mark.usefixtures("stockfish")
async def test_an_engine_says_what_it_plays(server: ServerProcess) -> None:
    name, token = await tokens(server)()
    words = ("uci", "--profile", "stockfish", "--speeds", "bullet,blitz", "--casual", "--games", "2")
    async with running(server, token, *words), person_at(server.url) as person:
        found = next(one for one in (await person.connection.people()).people if one.name == name)
        assert found.plays == Played(["standard"], ["bullet", "blitz"], rated=False, games=2)
        no = await person.connection.challenge(name, "kingofthehill")
        assert (no.status, no.reason) == ("declined", "variant")
        no = await person.connection.challenge(name, rated=False)
        assert (no.status, no.reason) == ("declined", "time_control")
        no = await person.connection.challenge(name, clock=QUICK)
        assert (no.status, no.reason) == ("declined", "casual")
