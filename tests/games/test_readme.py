"""README.md, typed by a newcomer: its commands of the terminal, one after the other, against a real server."""

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
