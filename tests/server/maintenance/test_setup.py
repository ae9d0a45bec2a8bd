"""The setup: an admin chooses a few settings in a browser, and the server restarts with them."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import pytest

from fourfold.clients import session, websocket
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.server.config_file import CHOSEN, Start, beneath, chosen, keep
from fourfold.server.console import Choices
from fourfold.server.maintenance.setup import SetupFile
from fourfold.server.settings import Settings, read
from tests.conftest import HANG, some
from tests.forked import AwaitedServer
from tests.ports import free_port
from tests.server.maintenance.conftest import status

CLUB = Choices("Chess club", "closed", False, "https://chess.example.org")


def settings_of(folder: Path, *flags: str, **environment: str) -> tuple[Settings, Start]:
    """The settings of a server that starts on a folder, and its start."""
    arguments = ["--data", str(folder), *flags]
    start = Start({}, chosen(arguments, environment))
    return read(arguments, beneath(arguments, environment)), start


def test_the_choices_hold_from_the_next_start_on(tmp_path: Path) -> None:
    restarts: list[None] = []
    settings, start = settings_of(tmp_path)
    setup = SetupFile(settings, {}, start._replace(restart=lambda: restarts.append(None)))
    assert not setup.done and setup.fixed() == []
    setup.choose(CLUB)
    assert len(restarts) == 1
    settings, start = settings_of(tmp_path)
    assert (settings.service_name, settings.accounts, settings.bots) == ("Chess club", "closed", 0)
    assert settings.allowed_origins == ("https://chess.example.org",)
    again = SetupFile(settings, {}, start)
    assert again.done and again.fixed() == []
    again.choose(Choices("Chess", "open", True, ""))
    settings, _ = settings_of(tmp_path)
    assert (settings.service_name, settings.accounts, settings.bots) == ("Chess", "open", 1)
    assert settings.allowed_origins is None


def test_variables_flags_and_the_config_file_go_over_the_choices(tmp_path: Path) -> None:
    config = tmp_path / "fourfold.toml"
    config.write_text('service_name = "Ours"\n')
    flags = ("--bots", "2", "--config", str(config))
    keep(tmp_path, {"accounts": "open", "bots": 0, "service_name": "Theirs"})
    settings, start = settings_of(tmp_path, *flags, ACCOUNTS="closed", ALLOWED_ORIGINS="")
    assert (settings.service_name, settings.accounts, settings.bots) == ("Ours", "closed", 2)
    setup = SetupFile(settings, {"ACCOUNTS": "closed"}, start._replace(named={"SERVICE_NAME": "Ours"}))
    assert setup.fixed() == ["ACCOUNTS", "BOTS", "SERVICE_NAME"]
    setup.choose(CLUB)
    written = (tmp_path / CHOSEN).read_text()
    assert "allowed_origins" in written and not re.search("^(bots|accounts|service_name)", written, re.MULTILINE)


def test_an_empty_variable_is_none(tmp_path: Path) -> None:
    keep(tmp_path, {"accounts": "closed"})
    settings, _ = settings_of(tmp_path, ACCOUNTS="")  # as Docker Compose passes what is not set
    assert settings.accounts == "closed"


def test_an_engine_needs_computer_players(tmp_path: Path) -> None:
    assert SetupFile(Settings(data_dir=tmp_path, analysis_engine="stockfish"), {}, Start()).fixed() == ["BOTS"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x07b"])
def test_a_name_has_some_visible_characters(name: str) -> None:
    with pytest.raises(SystemExit):
        read(["--service-name", name], {})


class Knocking:
    """Asks a server for its health again and again, and notes the answers."""

    def __init__(self, port: int) -> None:
        self.answers: set[str] = set()
        self._port = port

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._knock())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        [end] = await asyncio.gather(self._task, return_exceptions=True)
        assert isinstance(end, asyncio.CancelledError), end

    async def _knock(self) -> None:
        while True:
            try:
                self.answers.add(await self._ask())
            except ConnectionResetError:
                self.answers.add("reset")  # it was accepted just before the end
            except ConnectionRefusedError:
                self.answers.add("refused")

    async def _ask(self) -> str:
        """The status of an answer; empty if the server closed the connection without one."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return (await reader.readline()).decode()[9:12]
        finally:
            writer.transport.abort()


class Server:
    """A server as a process, and what it prints."""

    def __init__(self, process: AwaitedServer) -> None:
        self.process = process
        self.rest = ""
        """The next line that it has printed by its end."""

    async def line(self) -> str:
        async with asyncio.timeout(240):
            return (await self.process.stdout.readline()).decode().strip()


@pytest.fixture(autouse=True)
def _patient_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client would connect again while a server gets no processor time for seconds."""
    monkeypatch.setattr(session, "SILENCE", HANG)
    monkeypatch.setattr(websocket, "OPENING", HANG)


@asynccontextmanager
async def running(folder: Path, *flags: str) -> AsyncIterator[Server]:
    env = {name: value for name, value in os.environ.items() if name != "ADMIN"}
    process = await AwaitedServer.start("--data", str(folder), "--bots", "0", *flags, env=env)
    try:
        yield (server := Server(process))
    finally:
        process.terminate()
        server.rest = await server.line()
        async with asyncio.timeout(240):
            assert await process.wait() == 0


@pytest.mark.parametrize("workers", some(1, 1, 2))
async def test_the_first_admin_sets_the_server_up_and_it_restarts_in_place(tmp_path: Path, workers: int) -> None:
    port = str(free_port())
    url = f"http://127.0.0.1:{port}"
    async with running(tmp_path, "--port", port, "--workers", str(workers)) as server:
        assert await server.line() == f"ready {url}"
        code = (await server.line()).removeprefix(f"admin {url}/#admin=")
        async with Connection(url, name="Ann") as ann:
            await ann.register("Ann")
            await ann.become_admin(code)
            found = await ann.request(ask.Doctor())
            assert isinstance(found, told.Findings)
            assert found.setup == "open" and found.fixed == ["BOTS"]
            with pytest.raises(RequestError, match="Open this page at https"):
                await ann.request(ask.SetUp(service="Club", origin="https://chess.example.org"))
            async with Knocking(int(port)) as knocking:
                await ann.request(ask.SetUp(service="Chess club", accounts="closed"))
                assert await server.line() == f"ready {url}"  # the same process has started again
            assert "200" in knocking.answers and "refused" not in knocking.answers, knocking.answers
            found = await ann.request(ask.Doctor())
            assert isinstance(found, told.Findings) and found.setup == "done"
            chosen = {one.variable: (one.value, one.source) for one in found.settings}
            assert chosen["SERVICE_NAME"] == ("Chess club", "file") and chosen["ACCOUNTS"] == ("closed", "file")
            assert (await ann.moderation()).acts[0].action == "set up"
        async with Connection(url, name="Bob") as bob:
            with pytest.raises(RequestError, match="no new accounts"):
                await bob.register("Bob")


async def test_without_setup_no_link_is_printed_and_nothing_is_offered(tmp_path: Path) -> None:
    port = str(free_port())
    url = f"http://127.0.0.1:{port}"
    async with running(tmp_path, "--port", port, "--setup", "no") as server:
        assert await server.line() == f"ready {url}"
        async with Connection(url, name="Ann") as ann:
            await ann.register("Ann")
            assert await asyncio.to_thread(status, "account", "role", "Ann", "admin", "--data", str(tmp_path)) == 0
            found = await ann.request(ask.Doctor())
            assert isinstance(found, told.Findings) and found.setup is None
            with pytest.raises(RequestError, match="has no setup"):
                await ann.request(ask.SetUp(service="Club"))
    assert server.rest == ""


async def test_what_a_guest_chooses_and_what_can_not_be_kept_is_refused(tmp_path: Path) -> None:
    port = str(free_port())
    url = f"http://127.0.0.1:{port}"
    (tmp_path / f"{CHOSEN}.new").mkdir()
    async with running(tmp_path, "--port", port) as server:
        await server.line()
        code = (await server.line()).removeprefix(f"admin {url}/#admin=")
        async with Connection(url) as guest:
            with pytest.raises(RequestError, match="Only admins"):
                await guest.request(ask.SetUp(service="Mine"))
        async with Connection(url, name="Ann") as ann:
            await ann.register("Ann")
            await ann.become_admin(code)
            with pytest.raises(RequestError, match="can't use its files"):
                await ann.request(ask.SetUp(service="Club"))
    assert server.rest == ""  # it has not restarted
    assert not (tmp_path / CHOSEN).exists()
