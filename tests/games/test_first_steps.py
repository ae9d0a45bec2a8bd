"""`fourfold` alone in a real terminal: a friend is invited to a server that it starts, and comes."""

import os
import re
import sys
from pathlib import Path

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.errors import Unreachable
from tests.games.tmux import Tmux, terminal
from tests.ports import free_port

pytestmark = pytest.mark.usefixtures("tmux")


def environment(folder: Path, url: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(folder), "LANG": "C.UTF-8", "FOURFOLD_URL": url, "DATA_DIR": str(folder / "data")}


def begin(tmux: Tmux, number: int) -> None:
    """Start the program, and choose from its menu."""
    tmux.run([sys.executable, "-m", "fourfold.clients"])
    tmux.until(lambda rows: any("Choose 1 to 5" in row for row in rows), "the menu")
    tmux.type(str(number))


async def test_a_friend_comes_by_the_link(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with terminal(tmp_path, 100, 50, environment(tmp_path, url)) as tmux:
        begin(tmux, 3)
        tmux.type("")
        tmux.until(lambda rows: any("fourfold invite --players 2" in row for row in rows), "the command")
        rows = tmux.until(lambda rows: any("Press Enter" in row for row in rows), "the link")
        said = "\n".join(rows)
        assert "Starting one" in said
        room = re.search(r"/r/(\w+)", said)
        assert room is not None
        if "The code" in said:  # absent if this machine has no network
            assert "▄" in said  # the QR code
        async with Connection(url, name="Friend") as friend:
            await friend.join(room[1])
            tmux.until(lambda rows: any("Friend" in row for row in rows), "the table")
        tmux.press("C-q")
        tmux.until(lambda _: tmux.status is not None, "the end")
    with pytest.raises(Unreachable):
        async with Connection(url):
            pass


def test_a_game_against_the_computer_begins(tmp_path: Path) -> None:
    with terminal(tmp_path, 100, 40, environment(tmp_path, "http://127.0.0.1:9")) as tmux:
        begin(tmux, 1)
        tmux.type("1")
        tmux.until(lambda rows: any("Level 1" in row or "level 1" in row for row in rows), "the board")
        tmux.press("C-q")
        tmux.until(lambda _: tmux.status == 0, "the end")


def test_the_menu_ends_by_q(tmp_path: Path) -> None:
    with terminal(tmp_path, 80, 24, environment(tmp_path, "http://127.0.0.1:9")) as tmux:
        tmux.run([sys.executable, "-m", "fourfold.clients"])
        rows = tmux.until(lambda rows: any("Choose 1 to 5" in row for row in rows), "the menu")
        assert not [row for row in rows if len(row) > 80]
        tmux.type("q")
        tmux.until(lambda _: tmux.status == 0, "the end")


def test_a_server_says_who_can_connect(tmp_path: Path) -> None:
    with terminal(tmp_path, 100, 40, environment(tmp_path, "http://127.0.0.1:9")) as tmux:
        tmux.run([sys.executable, "-m", "fourfold.server", "--port", "0", "--bots", "0"])
        rows = tmux.until(lambda rows: any("Only this machine" in row for row in rows), "who can connect")
        assert any(re.fullmatch(r"ready http://127\.0\.0\.1:\d+", row) for row in rows)
        assert "Only this machine can connect; --host 0.0.0.0 lets others in." in rows
        tmux.press("C-c")
        tmux.until(lambda _: tmux.status == 0, "the end")
