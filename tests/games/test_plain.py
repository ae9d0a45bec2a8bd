"""`fourfold play --plain` as a process: through a pipe, and at a pseudo-terminal against a server's computer player."""

import asyncio
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fourfold.clients.connection import Connection

from .conftest import ROOT, ServerProcess

PLAY = [sys.executable, "-m", "fourfold.clients", "play"]


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NO_COLOR", "COLORTERM"))}
    return {**kept, "XDG_STATE_HOME": str(folder), "TERM": "xterm-256color", **more}


def piped(folder: Path, typed: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PLAY, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=240,
        cwd=ROOT,
        env=environment(folder, PYTHONIOENCODING="utf-8", **more),
    )


class Terminal:
    """A process at a pseudo-terminal, whose output is read and answered."""

    def __init__(self, end: int) -> None:
        self._end = end
        self.shown = ""
        self._seen = 0

    def until(self, *texts: str) -> str:
        """Wait until one of some texts appears in the output that no earlier wait has consumed; returns that output."""
        text = " or ".join(texts)
        deadline = time.monotonic() + 240
        while not any(one in self.shown[self._seen :] for one in texts):
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self._end], [], [], max(0, left))
            if not ready:
                pytest.fail(f"{text!r} did not come after:\n{self.shown[-2000:]}")
            try:
                data = os.read(self._end, 65536)
            except OSError:
                data = b""
            if not data:
                pytest.fail(f"it ended before {text!r}:\n{self.shown[-2000:]}")
            self.shown += data.decode(errors="replace")
        start = self._seen
        self._seen = min(self.shown.index(one, start) + len(one) for one in texts if one in self.shown[start:])
        return self.shown[start : self._seen]

    def drain(self, seconds: float) -> None:
        """Read the output. Waits for at most `seconds` if there is none."""
        if select.select([self._end], [], [], seconds)[0]:
            try:
                self.shown += os.read(self._end, 65536).decode(errors="replace")
            except OSError:
                return  # it has ended

    def resize(self, columns: int, rows: int) -> None:
        """Set the terminal's size."""
        termios.tcsetwinsize(self._end, (rows, columns))

    def types(self, line: str) -> None:
        os.write(self._end, f"{line}\n".encode())


@contextmanager
def terminal(
    folder: Path, *arguments: str, command: str = "play", **more: str
) -> Iterator[tuple[Terminal, subprocess.Popen[bytes]]]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PLAY[:-1], command, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env=environment(folder, **more),
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Terminal(ours), process
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_a_whole_game_through_a_pipe(tmp_path: Path) -> None:
    played = piped(tmp_path, "f2f3\ne7e5\ng2 g4\nx\nQh4\nhistory\nquit\n\n", "--local")
    assert played.returncode == 0
    assert played.stderr == ""
    assert "There is no command 'x'." in played.stdout
    assert "Black plays Qh4# (d8h4). Check to white.\nBlack wins by checkmate.\n" in played.stdout
    assert "   1 f3       2 e5" in played.stdout
    assert "\x1b" not in played.stdout and "\a" not in played.stdout


def test_what_comes_through_a_pipe_may_end_anywhere(tmp_path: Path) -> None:
    played = piped(tmp_path, "e2e4\nd7d5", "--local", "--ascii")
    assert played.returncode == 0
    assert played.stdout.isascii()
    assert "Black plays d5 (d7d5)." in played.stdout
    empty = piped(tmp_path, "", "--local", "--players", "4", "--ascii")
    assert empty.returncode == 0
    assert "[Rp]" in empty.stdout


def test_one_who_looks_on_through_a_pipe_sees_it_all(tmp_path: Path) -> None:
    played = piped(tmp_path, "", "--local", "--bots", "white=1,black=3", "--ascii")
    assert played.returncode == 0
    assert re.search(r"(wins|Draw) .*\.\n", played.stdout)


@pytest.mark.slow
def test_a_game_against_a_computer_player_is_played_saved_and_read_again(
    server_with_bots: ServerProcess, tmp_path: Path
) -> None:
    saved = tmp_path / "game.pgn"
    where = ["--url", server_with_bots.url, "--plain", "--ascii", "--name", "Ada"]
    with terminal(tmp_path, *where, "--bots", "1", NO_COLOR="1") as (at, process):
        room = re.search(r"/r/(\w+)", at.until("White to move: "))
        assert room is not None
        at.types("e2e5")
        at.until("Illegal move: The pawn on e2 cannot go to e5.")
        for move in ("e2e4", "d2d4", "g1f3"):
            at.types(move)
            at.until("White plays ")
            at.until("Black plays ")
            at.until("White to move: ")
        at.types("undo 2")
        at.until("2 moves taken back: the game stands after move 4.")
        at.types("who")
        at.until("white: Ada, you, to move")
        at.until("black: Level 1")
        at.types(f"save {saved}")
        at.until(f"Saved to {saved}.")
        at.types("resign")
        at.until("Black wins by resignation.")
        at.types("rematch")
        at.until("Game 2 of the series: white (Level 1), black (Ada).")
        at.until("White plays ")
        at.until("Black to move: ")
        assert "(r)[n](b)(q)(k)(b)[n](r)" in at.shown
        assert "\x07" in at.shown, "the bell"
        at.types("quit")
        at.until("to save the game")
        at.types("")
        assert process.wait(timeout=240) == 0
    with terminal(tmp_path, *where) as (at, process):
        at.until("Lobby: ")
        at.types(f"read {saved}")
        at.until(f"Read 4 moves from {saved}.")
        at.types("history")
        at.until("   1 e4")
        at.types("bot 1")
        at.until("White to move: ")
        at.types("undo 4")
        at.until("4 moves taken back: the game stands after move 0.")
        at.types("quit")
        assert process.wait(timeout=240) == 0
    with terminal(tmp_path, room[1], *where) as (at, _):
        at.until("Black to move: ")  # the seat of the first game is still hers
        at.types("a7a6")
        at.until("Black plays a6 (a7a6).")


def test_two_at_one_machine_are_two_players(server: ServerProcess, tmp_path: Path) -> None:
    where = ["--url", server.url, "--plain", "--ascii"]
    with (
        terminal(tmp_path, *where, "--players", "2") as (one, _),
        terminal(tmp_path, *where, NO_COLOR="1") as (other, _),
    ):
        room = re.search(r"/r/(\w+)", one.until("Waiting for players: "))
        assert room is not None
        other.until("Lobby: ")
        other.types("rooms")
        other.until(f"{room[1]}  standard, untimed, open; ")
        other.types(f"join {room[1]}")
        other.until("White plays: ")  # the move comes to it as news, not with the position
        one.until("The game begins.")
        one.types("e2e4")
        other.until("White plays e4 (e2e4).")
        other.until("Black to move: ")
        one.types("draw")
        other.until("Black, white proposes a draw. Do you agree (yes or no)? ")
        other.types("say Why not?")
        one.until("(black): Why not?")
        other.types("react good game")
        one.until("(black) reacts: Good game")
        other.types("yes")
        one.until("Draw by agreement.")
        other.types("leave")
        other.until("Lobby: ")
        other.types(f"watch {room[1]}")
        other.until("(black): Why not?")
        assert "\x1b" not in other.shown
        assert "\x1b[" in one.shown, "colour, where it is wanted"


def test_the_prompt_comes_back_after_what_others_do(server: ServerProcess, tmp_path: Path) -> None:
    where = ["--url", server.url, "--plain", "--ascii"]
    with (
        terminal(tmp_path, *where, "--name", "Ada Y", NO_COLOR="1") as (one, _),
        terminal(tmp_path, *where, "--name", "Bob Y", NO_COLOR="1") as (other, _),
    ):
        one.until("Lobby: ")
        other.until("Lobby: ")
        other.types("challenge Ada Y")
        one.until("Bob Y challenges you: ")
        one.until("Lobby: ")


def test_an_outage_is_said_and_the_game_resumed(mortal_server: ServerProcess, tmp_path: Path) -> None:
    where = ["--url", mortal_server.url, "--plain", "--ascii"]
    with (
        terminal(tmp_path, *where, "--players", "2") as (one, _),
        terminal(tmp_path, *where) as (other, _),
    ):
        room = re.search(r"/r/(\w+)", one.until("Waiting for players: "))
        assert room is not None
        other.until("Lobby: ")
        other.types(f"join {room[1]}")
        other.until("White plays: ")
        one.until("White to move: ")
        mortal_server.kill()
        one.until("Lost the connection to ")
        mortal_server.start()
        one.until("Back at ")
        one.types("e2e4")
        other.until("White plays e4 (e2e4).")


def test_alone_it_asks_what_to_play_and_helps_page_by_page(tmp_path: Path) -> None:
    with terminal(tmp_path, "--local", "--plain", "--ascii", NO_COLOR="1") as (at, process):
        at.resize(40, 12)
        at.until("Two players or four (2 or 4; Enter: 2)? ")
        at.types("4")
        at.until("Game or setup (Enter: game)? ")
        at.types("game")
        at.until("Red to move: ")
        at.types("help")
        pages = [at.until("Page 1 of 2; Enter: the next. ")]
        at.types("")
        pages.append(at.until("Which piece would you like to find the moves for (a square)? "))
        assert all(page.count("\n") < 12 for page in pages)
        at.types("m7")
        at.until("The green pawn on m7 can move once it is green's turn: to k7 and l7.")
        at.until("Red to move: ")
        at.types("quit")
        assert process.wait(timeout=240) == 0


def test_through_a_pipe_nothing_is_asked_that_was_not_before(tmp_path: Path) -> None:
    played = piped(tmp_path, "help\ne2e4\nhelp\nd7\nquit\n\n", "--local")
    assert played.returncode == 0
    assert "Two players" not in played.stdout
    assert "White plays e4 (e2e4)." in played.stdout
    assert "The black pawn on d7 can move: to d5 and d6." in played.stdout


def test_a_room_that_is_not_there(server: ServerProcess, tmp_path: Path) -> None:
    played = piped(tmp_path, "", "--url", server.url, "nosuchroom")
    assert played.returncode == 1
    assert played.stderr == "fourfold: There is no such room.\n"
    with terminal(tmp_path, "--url", server.url, "--plain", "nosuchroom") as (at, process):
        at.until("fourfold: ")
        assert process.wait(timeout=240) == 1


async def test_a_friend_comes_by_the_link(server: ServerProcess, tmp_path: Path) -> None:
    async with Connection(server.url, name="Host") as host:
        room = await host.create("standard")
        played = await asyncio.to_thread(piped, tmp_path, "quit\n\n", f"{server.url}/r/{room}")
    assert played.returncode == 0
    assert "Waiting for players" in played.stdout  # at the table; the lobby does not say so


def test_a_limit_for_each_move_alone_at_a_server(server: ServerProcess, tmp_path: Path) -> None:
    played = piped(tmp_path, "rooms\n", "--url", server.url, "--players", "2", "--clock", "0d30")
    assert played.returncode == 0
    assert "standard, 30 s for each move, open" in played.stdout


@pytest.mark.by_default
def test_no_server(tmp_path: Path) -> None:
    played = piped(tmp_path, "rooms\n", "--url", "http://127.0.0.1:9")
    assert played.returncode == 2
    assert "No Fourfold server answers at http://127.0.0.1:9" in played.stderr
