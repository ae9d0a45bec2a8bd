"""The commands that README.md and the pages of the server print, typed one after the other against a real server."""

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

COMMANDS = [
    line
    for block in re.findall(r"^```\n(.*?)^```$", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
    if line.startswith("fourfold ")
]
"""Those of players. The server's own need a port that is free, and test_printed_bots.py runs the bot."""


def typed(command: str, server: Server, home: Path, keys: str) -> str:
    """What a command prints before it ends; `keys` are typed into it."""
    _, *arguments = shlex.split(command, comments=True)
    done = subprocess.run(
        [sys.executable, "-m", "fourfold.clients", *arguments],
        env={**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home), "FOURFOLD_URL": server.url},
        input=keys,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def test_every_command_of_a_player_runs(server_with_bots: Server, tmp_path: Path) -> None:
    assert len(COMMANDS) > 3
    printed = {command: typed(command, server_with_bots, tmp_path, "quit\n\n") for command in COMMANDS}
    demo, *_ = (text for command, text in printed.items() if command.startswith("fourfold demo"))
    assert demo.startswith("room ")
    table, *_ = (text for command, text in printed.items() if "--bots 3" in command)
    assert f"{server_with_bots.url}/r/" in table


async def test_a_friend_comes_by_the_link(server: Server, tmp_path: Path) -> None:
    async with Connection(server.url, name="Host") as host:
        room = await host.create("standard")
        said = typed(f"fourfold play {server.url}/r/{room}", server, tmp_path, "quit\n\n")
    assert "Waiting for players" in said  # in the lobby it would say so


async def test_every_command_of_an_operator_runs(mortal_server: Server, tmp_path: Path) -> None:
    """In the order of the pages. Commands about a report, an order or a backup of yours are left out."""
    async with (
        Connection(mortal_server.url, name="A") as ann,
        Connection(mortal_server.url, name="B") as bob,
        Connection(mortal_server.url, name="Host") as host,
    ):
        for player, name in ((ann, "Ann"), (bob, "Bob")):
            await player.register(name)
        rooms = [await host.create("survivor") for _ in range(4)]
        await bob.join(rooms[0], "blue")
        for page in ("MODERATION.md", "OPERATING.md"):
            for command in operating(page):
                words = shlex.split(command, comments=True)[1:]
                room = rooms[0] if "kick" in words else rooms[1]
                done = subprocess.run(
                    [sys.executable, "-m", "fourfold.server", *(room if word == "ROOM" else word for word in words)],
                    env={**os.environ, "DATA_DIR": str(mortal_server.folder / "data")},
                    cwd=tmp_path,
                    capture_output=True,
                    text=True,
                    timeout=120,
                )
                assert done.returncode == 0, (command, done.stdout, done.stderr)


def operating(page: str) -> list[str]:
    """The commands beside a server that a page prints, as far as they are about accounts and rooms."""
    text = (ROOT / "server" / page).read_text()
    blocks = re.findall(r"^```\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    found = [line for line in lines if re.match(r"fourfold-server [a-z]", line) and not re.search(r" ID\b|restore", line)]
    assert len(found) > 5
    return found
