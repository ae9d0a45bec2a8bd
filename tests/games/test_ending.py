"""Commands end in order at a signal, and when their terminal closes; so does the server that they started."""

import fcntl
import os
import pty
import select
import shlex
import signal
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.errors import Unreachable
from tests.conftest import HANG
from tests.games.test_first_steps import environment
from tests.games.tmux import Tmux, terminal
from tests.ports import free_port

CLIENT = [sys.executable, "-m", "fourfold.clients"]


async def is_gone(url: str) -> bool:
    try:
        async with Connection(url):
            return False
    except Unreachable:
        return True


def invite(tmux: Tmux, folder: Path, *, at_the_table: bool) -> int:
    """Invite a friend to a server that is started for it; the id of the process."""
    tmux.run(["sh", "-c", f"echo $$ >{folder / 'pid'}; exec {shlex.join(CLIENT)} invite"])
    tmux.until(lambda rows: any("Press Enter" in row for row in rows), "the link")
    if at_the_table:
        tmux.type("")
        tmux.until(lambda rows: any("Quit" in row for row in rows), "the table")
    return int((folder / "pid").read_text())


@pytest.mark.usefixtures("tmux")
@pytest.mark.parametrize("at_the_table", [False, True], ids=["waiting", "at the table"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_ends_it_and_its_server(tmp_path: Path, number: int, at_the_table: bool) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with terminal(tmp_path, 100, 50, environment(tmp_path, url)) as tmux:
        os.kill(invite(tmux, tmp_path, at_the_table=at_the_table), number)
        tmux.until(lambda _: tmux.status == 128 + number, "the end")
        rows = tmux.until(lambda rows: any("The server has stopped" in row for row in rows), "the last line")
        assert not any("Quit" in row for row in rows)  # the full screen has gone
    assert await is_gone(url)


@pytest.mark.usefixtures("tmux")
async def test_ctrl_c_ends_it_and_its_server(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with terminal(tmp_path, 100, 50, environment(tmp_path, url)) as tmux:
        invite(tmux, tmp_path, at_the_table=False)
        tmux.press("C-c")
        tmux.until(lambda _: tmux.status == 130, "the end")
    assert await is_gone(url)


@contextmanager
def on_a_pty(arguments: list[str], folder: Path, url: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A command on a terminal that does not control it, and the other end of the terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, b"\x30\x00\x70\x00\x00\x00\x00\x00")
    process = subprocess.Popen(
        [*CLIENT, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, start_new_session=True,
        env=environment(folder, url) | {"TERM": "xterm-256color"},
    )  # fmt: skip
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()


def read_until(file: int, text: bytes) -> None:
    said = b""
    while text not in said:
        assert select.select([file], [], [], HANG)[0], f"{text!r} does not come: {said!r}"
        said += os.read(file, 65536)


def closed(process: subprocess.Popen[bytes], file: int) -> None:
    os.close(file)


def unread(process: subprocess.Popen[bytes], file: int) -> None:
    os.write(file, b"zzz\r" * 200)  # each line is answered
    process.terminate()


@pytest.mark.slow
@pytest.mark.parametrize(("event", "number"), [(closed, signal.SIGHUP), (unread, signal.SIGTERM)])
async def test_it_ends_without_its_terminal(
    tmp_path: Path, event: Callable[[subprocess.Popen[bytes], int], None], number: int
) -> None:
    """The terminal closes without a signal, or nobody reads its output."""
    url = f"http://127.0.0.1:{free_port()}"
    with on_a_pty(["invite"], tmp_path, url) as (process, file):
        read_until(file, b"Press Enter")
        os.write(file, b"\r")
        read_until(file, b"Quit")
        event(process, file)
        assert process.wait(HANG) in (-number, 128 + number)
    while not await is_gone(url):
        pass  # it drains
    with (tmp_path / "data" / "store.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # waits for the end of its store, which can't stop in a deleted folder
