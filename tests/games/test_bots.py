"""Computer players from the view of people: invited to a seat, over real sockets, from separate processes."""

import asyncio
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from fourfold.clients.bots import agreement
from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.hosting import host as hosting
from fourfold.clients.bots.levels.strength import WEAKEST
from fourfold.clients.bots.thinking import Think, random_moves
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.table import Table
from fourfold.engine.position import Position
from fourfold.engine.variants import seats
from fourfold.protocol import from_client as ask
from fourfold.protocol.from_server import Created, Presence, Room, Turn, Update
from fourfold.server.bots.dispatch import key_of
from tests.games.conftest import ServerProcess

Server = Any  # see conftest

ROOT = Path(__file__).parents[2]


async def play(connection: Connection, room: str, moves: int) -> Table:
    """Make the first legal move `moves` times, or until the end of the game."""
    table: Table | None = None
    made = 0
    async for frame in connection.follow(room):
        match frame:
            case Room():
                table = Table.of(frame)
            case Update() if table is not None:
                table = table.after(frame)
                if table.status == "finished":
                    break
            case Turn():
                if made == moves:
                    break
                await connection.move(room, sorted(frame.legal)[0], frame.seq)
                made += 1
    assert table is not None
    return table


async def table_with_bots(connection: Connection, variant: str, level: int) -> str:
    room = await connection.create(variant)
    mine, *others = seats(variant)
    await connection.join(room, mine)
    for seat in others:
        await connection.request(ask.Bot(room=room, level=level, seat=seat))
    return room


@pytest.mark.slow
async def test_a_person_plays_three_bots(server_with_bots: Server) -> None:
    async with asyncio.timeout(240), Connection(server_with_bots.url, name="Ann") as ann:
        room = await table_with_bots(ann, "ffa", 2)
        table = await play(ann, room, 3)
        assert len(table.moves) >= 3 * (4 - len(table.out)), "all who are in the game have moved"
        assert {seat.name for seat in table.seats.values()} == {"Ann", "Level 2"}


async def test_a_bot_plays_with_a_strength(server: Server) -> None:
    """`fourfold bot ROOM --elo N`: its name has the strength."""
    async with asyncio.timeout(240), Connection(server.url, name="Ann") as ann:
        room = await ann.create("standard")
        await ann.join(room, "white")
        bot = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "fourfold.clients", "bot", room, "--url", server.url, "--seat", "black",
            "--elo", str(WEAKEST), "--pace", "0", cwd=ROOT,
        )  # fmt: skip
        try:
            table = await play(ann, room, 2)
        finally:
            bot.terminate()
            await bot.wait()
        assert len(table.moves) == 4
        assert table.seats["black"].name == f"Level 5 at {WEAKEST}"


@pytest.mark.slow
async def test_a_crashed_host_comes_back_to_its_games(server_with_bots: Server) -> None:
    async with asyncio.timeout(240), Connection(server_with_bots.url, name="Ann") as ann:
        room = await table_with_bots(ann, "standard", 3)
        before = await play(ann, room, 2)
        os.kill(host_of(server_with_bots), signal.SIGKILL)
        await ann.leave(room)
        await ann.join(room)
        after = await play(ann, room, 3)
        assert len(after.moves) >= len(before.moves) + 5
        assert {seat.player for seat in after.seats.values()} == {seat.player for seat in before.seats.values()}


@pytest.mark.slow
async def test_bots_go_on_when_the_server_was_killed(server_with_bots: Server) -> None:
    async with asyncio.timeout(240), Connection(server_with_bots.url, name="Ann") as ann:
        room = await table_with_bots(ann, "standard", 1)
        before = await play(ann, room, 1)
        old = host_of(server_with_bots)
        server_with_bots.kill()
        server_with_bots.start()
        await ann.leave(room)
        await ann.join(room)
        after = await play(ann, room, 2)
        assert len(after.moves) >= len(before.moves) + 3
        assert host_of(server_with_bots) != old


async def test_a_bot_stands_in_until_the_player_is_back(server_with_bots: Server) -> None:
    url = server_with_bots.url
    async with asyncio.timeout(240), Connection(url, name="Ann") as ann:
        room = await ann.create("standard", rated=False)
        await ann.join(room, "white")
        async with Connection(url, name="Bea") as bea:
            await bea.join(room, "black")
            token = bea.token
        async for frame in ann.follow(room):
            if isinstance(frame, Presence) and frame.seat == "black" and not frame.online:
                break
        seq = (await table_of(ann, room)).seq
        with pytest.raises(RequestError) as early:
            await ann.propose(room, "stand_in", seq, seat="black", level=2)
        assert early.value.code == "not_absent"
        await asyncio.sleep((early.value.retry or 0) / 1000)
        await ann.propose(room, "stand_in", seq, seat="black", level=2)
        table = await play(ann, room, 2)
        assert table.seats["black"].name == "Bea"
        assert table.seats["black"].stand_in == "Level 2"
        async with Connection(url, token=token) as bea:
            await bea.join(room)
            table = await table_of(bea, room)
            while table.seats["black"].stand_in is not None:
                await bea.ping()
                table = await table_of(bea, room)
            assert table.seats["black"].name == "Bea"


async def table_of(connection: Connection, room: str) -> Table:
    """The current table."""
    reply = await connection.request(ask.Watch(room=room))
    assert isinstance(reply, Room)
    return Table.of(reply)


async def test_bots_leave_a_room_that_is_gone(server_with_bots: Server) -> None:
    url = server_with_bots.url
    async with asyncio.timeout(240), Connection(url, name="Ann") as ann:
        room = await table_with_bots(ann, "ffa", 1)
        await play(ann, room, 1)
        together = await connections(url)
        async with Redis.from_url(server_with_bots.store_url) as store:
            assert await store.delete(f"fourfold:{{{room}}}:log")
        with pytest.raises(RequestError, match="no longer kept"):
            await ann.resign(room)
        while await connections(url) > together - 3:
            await ann.ping()


async def connections(url: str) -> int:
    """The server's number of them."""
    text = await asyncio.to_thread(lambda: urllib.request.urlopen(f"{url}/metrics").read().decode())
    return int(float(re.findall(r"^fourfold_connections (.*)$", text, re.MULTILINE)[0]))


async def test_a_bot_takes_its_time_but_not_more_than_its_clock_has(server: Server) -> None:
    async with asyncio.timeout(240), Connection(server.url) as ann, Connection(server.url, bot=True) as machine:
        budgets: list[float] = []

        async def think(position: Position, budget: float) -> str:
            budgets.append(budget)
            return sorted(position.legal_texts())[0]

        for clock, least, most in ((None, 0.4, 1000), (ask.Clock(base=30_000, increment=0), 0.4, 0.6)):
            reply = await ann.request(ask.Create(variant="standard", clock=clock))
            assert isinstance(reply, Created)
            await ann.join(reply.room, "white")
            bot = asyncio.create_task(Bot(machine, reply.room, "black", think, budget=1000, pace=0.4).play())
            frames = ann.follow(reply.room)
            async for frame in frames:
                if isinstance(frame, Turn):
                    break
            moved = asyncio.get_running_loop().time()
            await ann.move(reply.room, "a2a3", frame.seq)
            async for frame in frames:
                if isinstance(frame, Turn):
                    break
            assert asyncio.get_running_loop().time() - moved >= least
            assert budgets.pop() <= most
            await ann.resign(reply.room)
            await bot


async def test_a_bot_claims_a_draw_that_it_has_no_reason_to_refuse(server: Server) -> None:
    async with asyncio.timeout(240), Connection(server.url) as ann, Connection(server.url, bot=True) as machine:

        async def think(position: Position, _: float) -> str:
            return next(move for move in ("g8f6", "f6g8") if move in position.legal_texts())

        room = await ann.create("standard")
        await ann.join(room, "white")
        bot = asyncio.create_task(Bot(machine, room, "black", think).play())
        knight = itertools.cycle(("g1f3", "f3g1"))
        async for frame in ann.follow(room):
            if isinstance(frame, Turn):
                await ann.move(room, next(knight), frame.seq)
            elif isinstance(frame, Update) and frame.events[-1].__struct_config__.tag == "finished":
                break
        table = await bot
        assert table is not None
        assert table.result is not None
        assert (table.result.reason, table.turn, len(table.moves)) == ("threefold", None, 9)


@pytest.mark.by_default
async def test_a_bot_by_command(server: Server) -> None:
    async with asyncio.timeout(240), Connection(server.url, name="Ann") as ann:
        room = await ann.create("standard")
        await ann.join(room, "white")
        command = ["bot", f"{server.url}/r/{room}", "--level", "2", "--seat", "black", "--pace", "0"]
        bot = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "fourfold.clients", *command, cwd=ROOT, stdout=subprocess.PIPE
        )
        await play(ann, room, 3)
        await ann.resign(room)
        said, _ = await bot.communicate()
        assert said == b"black won: resignation\n"
        assert bot.returncode == 0


async def by_engine(server: Server, room: str, *arguments: str) -> asyncio.subprocess.Process:
    command = ["uci", room, "--url", server.url, *arguments, "--budget", "0.05", "--pace", "0"]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "fourfold.clients", *command, cwd=ROOT, stdout=subprocess.PIPE
    )


async def test_an_engine_by_command(server: Server, stockfish: str) -> None:
    async with asyncio.timeout(240), Connection(server.url, name="Ann") as ann:
        room = await ann.create("standard")
        await ann.join(room, "white")
        engine = await by_engine(server, room, "--engine", stockfish, "--option", "Threads=1")
        table = await play(ann, room, 200)
        said, _ = await engine.communicate()
        assert said == b"black won: checkmate\n"
        assert (table.seats["black"].name or "").startswith("Stockfish")


@pytest.mark.slow
async def test_engines_among_four(server: Server, tmp_path: Path) -> None:
    profile = tmp_path / "ours.toml"
    command = json.dumps([sys.executable, "-m", "fourfold.clients", "engine", "--level", "2"])
    profile.write_text(f'command = {command}\nname = "Two"\nvariants = {{survivor = "survivor"}}')
    async with asyncio.timeout(240), Connection(server.url, name="Ann") as ann:
        room = await ann.create("survivor")
        await ann.join(room, "red")
        engines = [await by_engine(server, room, "--profile", str(profile)) for _ in range(3)]
        table = await play(ann, room, 5)
        assert [seat.name for seat in table.seats.values()] == ["Ann", "Two", "Two", "Two"]
        assert len(table.moves) >= 12
        for engine in engines:
            engine.terminate()
            await engine.communicate()


def test_a_host_needs_the_key(server: Server) -> None:
    command = [sys.executable, "-m", "fourfold.clients", "bots", "--url", server.url]
    without = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert without.returncode == 2
    assert "FOURFOLD_BOTS_KEY" in without.stderr
    wrong = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"FOURFOLD_BOTS_KEY": "x"}, capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip
    assert wrong.returncode == 1
    assert "Wrong key" in wrong.stderr


async def test_a_host_of_ones_own_ends_when_it_is_told_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a bot thinks and a position is analysed. The log has no error afterwards."""
    monkeypatch.setenv("BOTS_KEY", "a-key-of-our-own")
    monkeypatch.setenv("FOURFOLD_BOTS_KEY", "a-key-of-our-own")
    server = ServerProcess(tmp_path)
    server.start()
    command = [sys.executable, "-m", "fourfold.clients", "bots", "--url", server.url, "--budget", "60"]
    host = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=subprocess.PIPE)
    try:
        async with asyncio.timeout(240), Connection(server.url, name="Ann") as ann:
            room = await ann.create("standard", position="6k1/5ppp/8/8/8/8/5PPP/R2R2K1 w - - 0 1")
            await ann.join(room, "black")
            await ann.request(ask.Bot(room=room, level=5, seat="white"))
            while not await _begun(ann):  # the host is not connected yet
                pass
            host.terminate()
            _, said = await host.communicate()
        assert (host.returncode, said.splitlines()[1:]) == (0, []), "it says that it is connected, and no more"
    finally:
        if host.returncode is None:
            host.kill()
            await host.communicate()
        server.stop()


class Faulty:
    """Workers of which level 4 fails, and the other levels play at random."""

    def __init__(self, _: int) -> None:
        pass

    def __enter__(self) -> "Faulty":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def player(self, level: int) -> Think:
        async def fail(position: Position, budget: float) -> str:
            raise KeyError(61)

        return fail if level == 4 else random_moves()


def unsure(table: Table, seat: str) -> bool:
    raise ZeroDivisionError


@pytest.mark.interpreted
async def test_a_fault_in_one_bot_costs_one_seat(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chooser that fails is replaced. After any other failure in a bot, the host plays on elsewhere."""
    monkeypatch.setattr(hosting, "Workers", Faulty)
    monkeypatch.setattr(agreement, "agrees", unsure)
    async with Redis.from_url(server.store_url) as store:
        key = key_of(await store.get("fourfold:secret"))
    reports: list[str] = []
    host = asyncio.create_task(hosting.host(hosting.Hosting(server.url, key, pace=0), reports.append))
    try:
        async with asyncio.timeout(240), Connection(server.url, name="Ann") as ann:
            first, second = [await table_with_bots(ann, "chess960", level) for level in (4, 2)]
            assert len((await play(ann, first, 3)).moves) >= 6
            assert len((await play(ann, second, 1)).moves) >= 2
            assert reports[0] == f"Computer players for {server.url} run here."
            assert [report.splitlines()[-1] for report in reports[1:]] == ["KeyError: 61"]
            await ann.propose(second, "draw", (await table_of(ann, second)).seq)
            async for frame in ann.follow(second):  # the voting bot is gone
                if isinstance(frame, Presence) and frame.seat == "black" and not frame.online:
                    break
            assert "ZeroDivisionError" in reports[-1]
            await ann.leave(first)
            await ann.join(first)
            assert len((await play(ann, first, 2)).moves) >= 10
            assert not host.done()
    finally:
        host.cancel()
        await asyncio.gather(host, return_exceptions=True)


async def _begun(connection: Connection) -> bool:
    """Whether a position is being analysed now."""
    async for lines in await connection.analyse("ffa", lines=1, ms=60_000):
        return not lines.done
    return False


def host_of(server: Server) -> int:
    """The process id of the server's own host, from its log."""
    lines = [line for line in (server.folder / "server.log").read_text().splitlines() if "bot host started" in line]
    return int(lines[-1].rpartition('"pid"')[2].strip(": ").partition(",")[0].strip(" }"))
