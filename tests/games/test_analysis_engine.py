"""A server with an analysis engine: our own, and Stockfish if it is installed."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourfold.clients.bots.hosting.analyst import NICE
from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.games.conftest import ROOT, ServerProcess, running
from tests.games.patient import patient
from tests.games.test_bots import host_of

pytestmark = pytest.mark.slow

ENGINE = """
import sys
from fourfold.clients.__main__ import main
sys.exit(main(["engine"]))
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server for which our own engine analyses two variants."""
    script, profile = tmp_path / "engine.py", tmp_path / "ours.toml"
    script.write_text(ENGINE)
    variants = '{standard = "chess", ffa = "ffa"}'
    profile.write_text(f"command = {json.dumps([sys.executable, str(script)])}\nvariants = {variants}\n")
    server = ServerProcess(tmp_path, None, 1, "--analysis-engine", str(profile), begin=patient)
    server.start()
    _await_host(server)
    yield server
    server.stop()


def _await_host(server: ServerProcess) -> None:
    """Requests before a host is connected wait for it, but not for ever."""
    asyncio.run(until(lambda: '"hosts": 1' in log(server)))


def engines(server: ServerProcess) -> list[int]:
    """The process ids of the engines."""
    command = ["pgrep", "-f", str(server.folder / "engine.py")]
    return [int(number) for number in subprocess.run(command, capture_output=True, check=False).stdout.split()]


def field(process: int, number: int) -> int:
    """The fields of /proc/PID/stat, numbered as in its manual."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()[number - 3])


def log(server: ServerProcess) -> str:
    return (server.folder / "server.log").read_text()


async def until(true: Callable[[], bool], pause: float = 0.05) -> None:
    async with asyncio.timeout(240):
        while not true():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(pause)


async def analysed(ann: Connection, variant: str, depths: int = 1) -> None:
    """Analyse the starting position, and stop once the given number of depths has been reported."""
    found: list[told.Lines] = []
    async for one in await ann.analyse(variant, lines=3, ms=60_000):
        assert not one.done and len(one.lines) == 3
        found.append(one)
        if len(found) == depths:
            break
    assert [one.depth for one in found] == sorted({one.depth for one in found}) and len(found) == depths
    await ann.unanalyse()


async def test_what_it_plays_and_what_it_does_not(server: ServerProcess) -> None:
    async with Connection(server.url, name="Ann") as ann:
        await analysed(ann, "survivor")
        assert engines(server) == []
        *_, last = [found async for found in await ann.analyse("survivor", ms=500)]
        assert last.done
        await analysed(ann, "standard", 2)
        (engine,) = engines(server)
        assert field(engine, 19) == NICE  # as the process that asks it
        await analysed(ann, "ffa")
        assert engine in engines(server)  # perhaps with another, if it had not stopped yet
    assert "using level 5" not in log(server)


async def test_an_analysis_that_is_dismissed_stops_the_engine(server: ServerProcess) -> None:
    async with Connection(server.url, name="Ann") as ann:
        async for found in await ann.analyse("ffa", ms=60_000):
            assert not found.done
            break
        (engine,) = engines(server)
        await ann.unanalyse()
        used = -1

        def rests() -> bool:
            nonlocal used
            before, used = used, field(engine, 14)
            return before == used

        await until(rests, 0.5)
        await analysed(ann, "standard")
        assert engine in engines(server)


async def test_an_engine_that_is_killed(server: ServerProcess) -> None:
    async with Connection(server.url, name="Ann") as ann:
        looks = await ann.analyse("standard", ms=10_000)
        async for found in looks:
            assert not found.done
            break
        (engine,) = engines(server)
        os.kill(engine, signal.SIGKILL)
        async with asyncio.timeout(240):
            *_, last = [found async for found in looks]
        assert last.done
        await until(lambda: "using level 5 for analyses instead" in log(server))
        await analysed(ann, "standard")
        assert engines(server) not in ([], [engine])
    assert log(server).count("using level 5 for analyses instead") == 1


async def test_no_engine_outlives_its_host(server: ServerProcess) -> None:
    async with Connection(server.url, name="Ann") as ann:
        async for found in await ann.analyse("standard", ms=60_000):
            assert not found.done
            break
        assert engines(server)
        os.kill(host_of(server), signal.SIGKILL)
        await until(lambda: not engines(server))


async def test_a_host_that_comes_back_without_its_profile(server: ServerProcess) -> None:
    """A wrong profile makes only the server's start fail. Later, games need the host."""
    (server.folder / "ours.toml").unlink()
    os.kill(host_of(server), signal.SIGKILL)
    await until(lambda: log(server).count('"hosts": 1') == 2)
    assert "ours.toml cannot be read" in log(server)
    async with Connection(server.url, name="Ann") as ann:
        await analysed(ann, "standard")
    assert engines(server) == []


async def test_a_review_of_a_game(server: ServerProcess) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        created = await ann.request(ask.Create(moves=["f2f3", "e7e5", "g2g4", "a7a6"]))
        assert isinstance(created, told.Created)
        room = created.room
        await ann.join(room, "white")
        await bob.join(room, "black")
        async for frame in ann.follow(room):
            if isinstance(frame, told.Turn):
                await ann.move(room, "a2a3", frame.seq)
                break
        async for frame in bob.follow(room):
            if isinstance(frame, told.Turn):
                await bob.move(room, "d8h4", frame.seq)
                break
        async with asyncio.timeout(240):
            while (reviewed := await ann.review(room)).summary is None:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.2)
        assert len(reviewed.judged) == 7 and reviewed.puzzles == 1
        assert reviewed.judged[3].remark == "Black can win by force now: Qh4#."
        assert engines(server)


@pytest.mark.usefixtures("stockfish")
async def test_stockfish() -> None:
    with running(None, 1, "--analysis-engine", "stockfish", begin=patient) as server:
        await until(lambda: '"hosts": 1' in log(server))
        async with Connection(server.url, name="Ann") as ann:
            async with asyncio.timeout(240):
                async for found in await ann.analyse("standard", ms=60_000):
                    if found.depth >= 10:  # in a minute, level 5 sees half as far
                        break
            assert not found.done
            await analysed(ann, "ffa")


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("stockfsh", "there is no profile 'stockfsh': use stockfish, "),
        ("missing.toml", "/nonexistent/engine cannot be run: No such file or directory"),
    ],
)
def test_an_engine_that_cannot_be_run(engine: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "missing.toml").write_text('command = ["/nonexistent/engine"]')
    for command in (["fourfold.server", "--port", "0", "--data", str(tmp_path)], ["fourfold.clients", "bots"]):
        done = subprocess.run(
            [sys.executable, "-m", *command, "--analysis-engine", str(tmp_path / engine) if "." in engine else engine],
            cwd=ROOT, capture_output=True, text=True, timeout=240, check=False,
        )  # fmt: skip
        assert done.returncode == 2 and done.stdout == ""
        assert message in done.stderr.splitlines()[-1]
        assert len(done.stderr.splitlines()) == 1 or command[-1] == "bots"
