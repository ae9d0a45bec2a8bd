"""The terminal client while its server is away: nothing waits for the network, and typed commands are kept."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from fourfold.clients.terminal.fullscreen.lobby import LobbyScreen
from fourfold.clients.terminal.fullscreen.room import RoomScreen
from tests.conftest import HANG

from .conftest import ServerProcess
from .test_fullscreen import program
from .test_plain import Terminal, terminal

pytestmark = pytest.mark.slow


def ended(process: subprocess.Popen[bytes], at: Terminal) -> int:
    """The exit code of a process that must end by itself. If it waited for the server, it would never end."""
    deadline = time.monotonic() + HANG
    while process.poll() is None and time.monotonic() < deadline:
        at.drain(0.1)
    assert process.poll() is not None, f"it did not end:\n{at.shown[-2000:]}"
    return process.returncode


def test_a_move_typed_while_the_server_is_away_is_kept_and_sent(mortal_server: ServerProcess, tmp_path: Path) -> None:
    where = ["--url", mortal_server.url, "--plain", "--ascii", "--players", "2"]
    with terminal(tmp_path, *where, NO_COLOR="1") as (at, _), terminal(tmp_path, *_guest(where)) as (other, _):
        room = at.until(": http").rpartition("Room ")[2].removesuffix(": http")
        other.until("Lobby: ")
        other.types(f"join {room}")
        at.until("White to move: ")
        other.until("White plays: ")  # it has the answer too
        mortal_server.kill()
        at.until("trying again...")
        at.types("e2e4")
        at.until("No connection. e2e4 is kept and will be sent.")
        at.types("d2d4")
        at.until("Your move e2e4 has not reached the server yet.")
        at.types("fen")
        at.until("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")
        mortal_server.start()
        at.until("White plays e4 (e2e4).")
        other.until("White plays e4 (e2e4).")


def _guest(where: list[str]) -> list[str]:
    return [*where[:-2], "--name", "Guest"]


def test_quit_does_not_wait_for_the_server(mortal_server: ServerProcess, tmp_path: Path) -> None:
    with terminal(tmp_path, "--url", mortal_server.url, "--plain", "--players", "2", NO_COLOR="1") as (at, process):
        at.until("Waiting for players: ")
        mortal_server.kill()
        at.until("trying again...")
        at.types("undo")
        at.until("undo is kept and will be sent.")
        at.types("quit")
        assert ended(process, at) == 0


def test_the_first_interrupt_ends_it(mortal_server: ServerProcess, tmp_path: Path) -> None:
    with terminal(tmp_path, "--url", mortal_server.url, "--plain", "--players", "2", NO_COLOR="1") as (at, process):
        at.until("Waiting for players: ")
        mortal_server.kill()
        at.until("trying again...")
        process.send_signal(signal.SIGINT)
        assert ended(process, at) == 130


def test_leave_does_not_wait_for_the_server(mortal_server: ServerProcess, tmp_path: Path) -> None:
    with terminal(tmp_path, "--url", mortal_server.url, "--plain", "--players", "2", NO_COLOR="1") as (at, process):
        at.until("Waiting for players: ")
        mortal_server.kill()
        at.until("trying again...")
        at.types("leave")
        at.until("Lobby: ")
        at.types("rooms")
        at.until("rooms is kept and will be sent.")
        mortal_server.start()
        at.until("Back at ")
        # the client learns that the seat was given up when the server is back
        while "white: free" not in at.until("black: free"):
            at.types("rooms")
        at.types("quit")
        assert ended(process, at) == 0


def test_a_frozen_server_keeps_nobody(mortal_server: ServerProcess, tmp_path: Path) -> None:
    """Nothing reports that the connection is lost; there is just no answer."""
    with terminal(tmp_path, "--url", mortal_server.url, "--plain", "--players", "2", NO_COLOR="1") as (at, process):
        at.until("Waiting for players: ")
        mortal_server.signal(signal.SIGSTOP)
        try:
            at.types("say hello")
            at.until("No answer yet. say hello is kept and will be sent.")
            at.types("quit")
            assert ended(process, at) == 0
        finally:
            mortal_server.signal(signal.SIGCONT)


async def test_the_full_screen_leaves_and_quits_without_the_server(mortal_server: ServerProcess) -> None:
    async with program(mortal_server.url, "create 2") as at:
        await at.at(RoomScreen)
        mortal_server.kill()
        await at.until(lambda: at.app.trouble is not None)
        await at.told("rooms", "No connection. rooms is kept and will be sent.")
        await at.pilot.press("f9")
        await at.at(LobbyScreen)
        await at.pilot.press("f10")
        await at.until(lambda: not at.app.is_running)
