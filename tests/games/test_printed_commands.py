"""The commands that README.md and the pages of the server print, typed one after the other against a real server."""

import asyncio
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from fourfold.clients.connection import Connection
from tests.test_pages import ROOT

Server = Any  # see conftest

PROGRAMS = {"fourfold": "fourfold.clients", "fourfold-server": "fourfold.server"}


def printed(page: str, pattern: str) -> list[str]:
    """The lines of a page's shell blocks that begin with a pattern."""
    blocks = re.findall(r"^```\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
    found = [line for block in blocks for line in block.splitlines() if re.match(pattern, line)]
    assert len(found) > 3
    return found


def typed(command: str, folder: Path, keys: str = "", **variables: str) -> str:
    """A command's output until it ends; `keys` are typed into it."""
    program, *arguments = shlex.split(command, comments=True)
    done = subprocess.run(
        [sys.executable, "-m", PROGRAMS[program], *arguments],
        env={**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder), **variables},
        cwd=folder,
        input=keys,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def test_every_command_of_a_player_runs(server_with_bots: Server, tmp_path: Path) -> None:
    url = server_with_bots.url
    commands = printed("README.md", "fourfold ")
    said = {command: typed(command, tmp_path, "quit\n\n", FOURFOLD_URL=url) for command in commands}
    demo, *_ = (text for command, text in said.items() if command.startswith("fourfold demo"))
    assert demo.startswith("room ")
    table, *_ = (text for command, text in said.items() if "--bots 3" in command)
    assert f"{url}/r/" in table


async def test_a_friend_comes_by_the_link(server: Server, tmp_path: Path) -> None:
    async with Connection(server.url, name="Host") as host:
        room = await host.create("standard")
        said = await asyncio.to_thread(typed, f"fourfold play {server.url}/r/{room}", tmp_path, "quit\n\n")
    assert "Waiting for players" in said  # at the table; the lobby does not say so


async def test_every_command_of_an_operator_runs(mortal_server: Server, tmp_path: Path) -> None:
    """In the order of the pages. Commands that need the id of a report or an order, or a stopped server, are left
    out."""
    url, data = mortal_server.url, str(mortal_server.folder / "data")
    async with (
        Connection(url, name="A") as ann,
        Connection(url, name="B") as bob,
        Connection(url, name="Host") as host,
    ):
        await ann.register("Ann")
        await bob.register("Bob")
        open_room, other_room = await host.create("survivor"), await host.create("survivor")
        await bob.join(open_room, "blue")
        for page in ("server/MODERATION.md", "server/OPERATING.md"):
            for command in printed(page, r"fourfold-server [a-z](?!.* ID\b)(?!estore)"):
                command = command.replace("ROOM", open_room if "kick" in command else other_room)
                await asyncio.to_thread(typed, command, tmp_path, DATA_DIR=data)
