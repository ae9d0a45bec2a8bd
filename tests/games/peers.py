"""Third-party programs that play on Lichess: pinned, unmodified copies, with their requests recorded.

They are tools of the tests alone, under their own licences (AGPL, GPL), and not in this repository. FOURFOLD_PEERS
names a folder with their sources, `lichess-bot` and `botli`, and an environment `venv` with `peers.txt`. Without it
their tests are skipped.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import pty
import re
import shutil
import struct
import sys
import termios
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web

from fourfold.clients.gateway.service import application
from tests.conftest import skip

VERSIONING = """\
lichess_bot_version: 2026.8.2.1
minimum_python_version: "3.10"
deprecated_python_version: "3.9"
deprecation_date: 2030-01-01
"""
"""A file of lichess-bot that is missing in a copy without its tools."""


def folder(name: str) -> Path:
    """The copy of a program. The test is skipped if there is none."""
    root = os.environ.get("FOURFOLD_PEERS")
    if root is None:
        skip("FOURFOLD_PEERS names no folder with programs that play on Lichess")
    if not (Path(root) / name).is_dir():
        skip(f"there is no copy of {name} in FOURFOLD_PEERS")
    return Path(root) / name


def python() -> str:
    """The interpreter with these programs' packages."""
    return str(Path(os.environ["FOURFOLD_PEERS"]) / "venv" / "bin" / "python")


def engine(place: Path, level: int) -> Path:
    """One of our levels as a separate program, which these programs run as their engine."""
    path = place / f"level{level}"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fourfold.clients engine --level {level}\n')
    path.chmod(0o755)
    return path


def _configure(value: Any, changes: dict[str, Any]) -> Any:
    for key, change in changes.items():
        value[key] = _configure(value.get(key) or {}, change) if isinstance(change, dict) and change else change
    return value


class Peer:
    """A running program, until `peer`'s context ends. `said` is its output."""

    def __init__(self, process: Process) -> None:
        self.said: list[str] = []
        self._process = process
        self._news = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.said.append(line.decode(errors="replace").rstrip())
            self._news.set()
        self._news.set()

    async def says(self, pattern: str, seconds: float = 240) -> str:
        """The first matching line, already printed or still to come."""
        async with asyncio.timeout(seconds):
            looked = 0
            while True:
                for line in self.said[looked:]:
                    if re.search(pattern, line):
                        return line
                looked = len(self.said)
                if self._reader.done():
                    pytest.fail("it has ended:\n" + "\n".join(self.said[-40:]))
                self._news.clear()
                await self._news.wait()

    async def stop(self) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, 9)  # it has child processes
        await self._process.wait()
        await self._reader


@asynccontextmanager
async def lichess_bot(place: Path, url: str, token: str, level: int, **changes: Any) -> AsyncIterator[Peer]:
    """lichess-bot in its own folder, with its default configuration except the changes."""
    copy = place / "lichess-bot"
    shutil.copytree(folder("lichess-bot"), copy)
    for path in (copy, *copy.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)
    versioning = copy / "lib" / "versioning.yml"
    if not versioning.exists():
        versioning.write_text(VERSIONING)
    known = {"name": engine(place, level).name, "dir": str(place), "ponder": False}
    config = yaml.safe_load((copy / "config.yml.default").read_text())
    config["engine"]["uci_options"] = {}
    _configure(config, {"token": token, "url": f"{url}/", "engine": known, "move_overhead": 100, **changes})
    (copy / "config.yml").write_text(yaml.safe_dump(config))
    async with _running(copy, "lichess-bot.py", "-v") as peer:
        yield peer


@asynccontextmanager
async def botli(place: Path, url: str, token: str, level: int, *commands: str, **changes: Any) -> AsyncIterator[Peer]:
    """BotLi in its own folder, with its default configuration except the changes."""
    copy = place / "botli"
    shutil.copytree(folder("botli"), copy)
    for path in (copy, *copy.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)
    config = yaml.safe_load((copy / "config.yml.default").read_text())
    config["engines"]["standard"]["uci_options"] = {}
    known = {"name": engine(place, level).name, "dir": str(place), "ponder": False}
    both = {kind: {"modes": ["casual", "rated"]} for kind in ("human", "bot")}
    _configure(config, {"token": token, "url": url, "engines": {"standard": known}, "challenge": both, **changes})
    (copy / "config.yml").write_text(yaml.safe_dump(config))
    async with _running(copy, "user_interface.py", "--debug", *commands) as peer:
        yield peer


def berserk_board(place: Path, url: str, token: str, _level: int) -> AbstractAsyncContextManager[Peer]:
    """The script on berserk's Board API, which handles draws and takebacks."""
    return berserk(place, url, token, "board")


@asynccontextmanager
async def berserk(place: Path, url: str, token: str, api: str, *arguments: str) -> AsyncIterator[Peer]:
    """Our script that uses berserk; `api` is "bot" or "board"; its arguments are those of the script."""
    folder("venv")
    async with _running(place, str(BERSERK), url, token, api, *arguments) as peer:
        yield peer


class Terminal:
    """A program in its own terminal, until `cli_chess`'s context ends. `shown` is its whole output."""

    def __init__(self, process: Process, master: int) -> None:
        self.shown = ""
        self._process = process
        self._master = master
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(master, self._read)

    def _read(self) -> None:
        try:
            self.shown += os.read(self._master, 65536).decode(errors="replace")
        except OSError:  # it has ended
            asyncio.get_running_loop().remove_reader(self._master)
        self._news.set()

    async def shows(self, text: str, seconds: float = 240) -> None:
        """Wait until it has printed a text."""
        async with asyncio.timeout(seconds):
            while text not in self.shown:
                self._news.clear()
                await self._news.wait()

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    async def stop(self) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        os.close(self._master)


@asynccontextmanager
async def cli_chess(place: Path, url: str, token: str) -> AsyncIterator[Terminal]:
    """cli-chess, from the package index, in a terminal of 120 by 40."""
    program = folder("venv") / "bin" / "cli-chess"
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    kept = {"HOME": str(place), "TERM": "xterm", "XDG_CONFIG_HOME": str(place)}
    process = await asyncio.create_subprocess_exec(
        str(program), "--base-url", url, "--token", token,
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True, env=os.environ | kept,
    )  # fmt: skip
    os.close(slave)
    terminal = Terminal(process, master)
    try:
        yield terminal
    finally:
        await terminal.stop()


BERSERK = Path(__file__).parent / "programs" / "berserk_player.py"
"""A typical player written with berserk."""


@asynccontextmanager
async def _running(copy: Path, *arguments: str) -> AsyncIterator[Peer]:
    process = await asyncio.create_subprocess_exec(
        python(), *arguments, cwd=copy, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, start_new_session=True,
        limit=2**20, env=os.environ | {"PYTHONUNBUFFERED": "1", "NO_COLOR": "1", "COLUMNS": "200"},
    )  # fmt: skip
    peer = Peer(process)
    try:
        yield peer
    finally:
        await peer.stop()


class Recorder:
    """The requests of programs to a gateway, in order: method, path, body, and the status of the answer."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self._came = asyncio.Event()

    async def until(self, path: str, seconds: float = 240) -> None:
        """Wait until a path has been requested."""
        async with asyncio.timeout(seconds):
            while all(asked.get("path") != path for asked in self.asked):
                self._came.clear()
                await self._came.wait()

    def middleware(self) -> Callable[..., Awaitable[web.StreamResponse]]:
        @web.middleware
        async def record(request: web.Request, handler: Callable[..., Any]) -> web.StreamResponse:
            body = (await request.read()).decode()
            kind = request.headers.get("Content-Type", "")
            told: dict[str, Any] = {"method": request.method, "path": request.path_qs}
            told |= {"type": kind, "body": body} if body else {}
            self.asked.append(told)
            self._came.set()
            response: web.StreamResponse = await handler(request)
            told["status"] = response.status
            return response

        return record

    def vector(self, program: str, secrets: dict[str, str]) -> str:
        """The conversation as JSON, without the parts that change from game to game."""
        text = json.dumps({"program": program, "asked": self.asked}, indent=1)
        for name, secret in secrets.items():
            text = text.replace(secret, f"<{name}>")
        return text + "\n"


@asynccontextmanager
async def gateway_to(url: str, port: int = 0, recorder: Recorder | None = None) -> AsyncIterator[str]:
    """A gateway in this process; its address."""
    app = application(url)
    if recorder is not None:
        app.middlewares.insert(0, recorder.middleware())
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
