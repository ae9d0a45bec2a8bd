"""The command line from a user's view: `fourfold demo` and `fourfold watch` in separate processes."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Server = Any  # see conftest

ROOT = Path(__file__).parents[2]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "fourfold.clients", *arguments]


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=ROOT,
        env=os.environ | environ,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize(("players", "ranks"), [(2, 8), (4, 14)])
def test_a_demo_is_played_to_its_end(server: Server, players: int, ranks: int) -> None:
    first, *lines = run("demo", "--players", str(players), "--url", server.url, "--seed", "2").stdout.splitlines()
    room = re.fullmatch(rf"room (\w+) {re.escape(server.url)}/r/(\w+)", first)
    assert room is not None
    assert room[1] == room[2]
    moves = [line for line in lines if re.fullmatch(r" *\d+ (white|black|red|blue|yellow|green) +\w+", line)]
    boards = [number for number, line in enumerate(lines) if re.match(rf"{ranks:>2} ", line)]
    assert len(boards) == 2
    assert boards[0] == 0
    assert boards[1] > lines.index(moves[-1])
    assert [int(line.split()[0]) for line in moves] == list(range(1, len(moves) + 1))
    assert re.match(r"(Draw|White wins|Black wins|Red wins|Blue wins|Yellow wins|Green wins) \w.*\.$", lines[-1])


def test_the_same_seed_is_the_same_game_and_another_is_another(server: Server) -> None:
    games = [run("demo", "--url", server.url, "--seed", seed).stdout.split("\n", 1)[1] for seed in ("5", "5", "6")]
    assert games[0] == games[1] != games[2]


def test_a_demo_of_each_level(server: Server) -> None:
    done = run("demo", "--players", "4", "--levels", "1,2,3,4", "--url", server.url, "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert re.match(r"(Draw|\w+ wins) \w.*\.$", done.stdout.splitlines()[-1])


def test_the_server_can_be_named_by_the_environment(server: Server) -> None:
    done = run("demo", "--seed", "3", FOURFOLD_URL=server.url)
    assert done.returncode == 0
    assert server.url in done.stdout


def test_a_spectator_sees_the_same_end(server: Server, tmp_path: Path) -> None:
    demo = subprocess.Popen(
        command("demo", "--url", server.url, "--seed", "2", "--delay", "2", "--record", str(tmp_path)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert demo.stdout is not None
    _, room, url = demo.stdout.readline().split()
    by_id = subprocess.Popen(command("watch", room, "--url", server.url), cwd=ROOT, stdout=subprocess.PIPE, text=True)
    by_url = run("watch", url)
    shown, _ = demo.communicate(timeout=240)
    watched, _ = by_id.communicate(timeout=240)
    assert (demo.returncode, by_id.returncode, by_url.returncode) == (0, 0, 0)
    end = shown.splitlines()[-12:]
    assert len(end[0].split()) == 9  # the eighth rank: all of the last board is compared
    assert watched.splitlines()[-12:] == by_url.stdout.splitlines()[-12:] == end
    late = run("watch", room, "--url", server.url).stdout.splitlines()
    assert late == end
    records = {path.stem: path.read_text().splitlines() for path in tmp_path.glob("*.jsonl")}
    assert set(records) == {"watcher", "white", "black"}
    for client, lines in records.items():
        frames = [json.loads(line) for line in lines]
        assert {frame["client"] for frame in frames} == {client}
        assert frames[0]["dir"] == "out"
        assert frames[0]["frame"]["type"] == "hello"
        assert frames[1]["frame"]["type"] == "welcome"
        assert all("token" not in frame["frame"] for frame in frames)
        times = [frame["at"] for frame in frames]
        assert times == sorted(times)


def test_a_demo_outlives_its_server(mortal_server: Server) -> None:
    demo = subprocess.Popen(
        command("demo", "--players", "4", "--url", mortal_server.url, "--seed", "8"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert demo.stdout is not None
    lines = [demo.stdout.readline() for _ in range(60)]
    mortal_server.kill()
    mortal_server.start()
    rest, errors = demo.communicate(timeout=240)
    assert demo.returncode == 0
    lost, back = f"Lost the connection to {mortal_server.url}; trying again...", f"Back at {mortal_server.url}."
    said = errors.splitlines()
    assert said and said == [lost, back] * (len(said) // 2)  # more than once if a busy server was silent for long
    again = run("demo", "--players", "4", "--url", mortal_server.url, "--seed", "8").stdout
    assert again.split("\n", 1)[1] == "".join(lines[1:]) + rest


def test_no_server(server: Server) -> None:
    for arguments in (("demo",), ("watch", "room")):
        done = run(*arguments, "--url", "http://127.0.0.1:9")
        assert done.returncode == 2
        assert done.stderr.startswith("fourfold: No Fourfold server answers at http://127.0.0.1:9")
        assert "fourfold-server" in done.stderr
        assert done.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["watch", "nowhere"], 1, "fourfold: There is no such room."),
        (["demo", "--players", "3"], 2, "argument --players: invalid choice"),
        (["demo", "--players", "4", "--variant", "standard"], 2, "standard is for 2 players, not 4"),
        (["demo", "--variant", "checkers"], 2, "There is no variant 'checkers'. Variants: standard"),
        (["demo", "--levels", "1,x"], 2, "levels are 1 to 5, not 'x'"),
        (["demo", "--delay", "-1"], 2, "'-1' is not a number of milliseconds from 0"),
        (["demo", "--delay", "soon"], 2, "'soon' is not a number of milliseconds from 0"),
        (["demo", "--url", "localhost:8080"], 2, "use http://HOST:PORT"),
        (["bot", "nowhere"], 1, "fourfold: There is no such room."),
        (["bot", "room", "--level", "9"], 2, "levels are 1 to 5, not '9'"),
        (["uci", "room", "--engine", "/no/such/program"], 1, "fourfold: /no/such/program cannot be run"),
        (["uci", "room", "--engine", "x", "--option", "Hash"], 2, "write an option as NAME=VALUE, not 'Hash'"),
        ([], 2, "required"),
        (["win"], 2, "invalid choice: 'win'"),
    ],
)
def test_mistakes_are_explained(server: Server, arguments: list[str], code: int, message: str) -> None:
    done = run(*arguments, FOURFOLD_URL=server.url)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.fixture
def heeded() -> Iterator[None]:
    """Let started programs react to Ctrl-C. A shell that runs the tests in the background makes them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded")
def test_ctrl_c_ends_quietly(server: Server) -> None:
    demo = subprocess.Popen(
        command("demo", "--url", server.url, "--seed", "3", "--delay", "20"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert demo.stdout is not None
    for _ in range(20):
        demo.stdout.readline()
    demo.send_signal(signal.SIGINT)
    _, errors = demo.communicate(timeout=240)
    assert (demo.returncode, errors) == (130, "")


def test_a_reader_that_leaves_ends_the_demo_quietly(server: Server) -> None:
    demo = subprocess.Popen(
        command("demo", "--url", server.url, "--seed", "3", "--delay", "5"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert demo.stdout is not None
    assert demo.stderr is not None
    demo.stdout.readline()
    demo.stdout.close()
    assert demo.stderr.read() == ""
    demo.stderr.close()
    assert demo.wait(timeout=240) == 1


@pytest.mark.parametrize("environ", [{"TERM": "xterm-256color"}, {"TERM": "xterm-256color", "NO_COLOR": "1"}])
def test_on_a_terminal_the_board_is_redrawn_in_place(server: Server, environ: dict[str, str]) -> None:
    main, terminal = pty.openpty()
    demo = subprocess.Popen(
        command("demo", "--url", server.url, "--seed", "2", "--delay", "0"),
        cwd=ROOT,
        env=os.environ | {"LINES": "24", "COLUMNS": "80", "NO_COLOR": ""} | environ,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    screen = b""
    while select.select([main], [], [], 60)[0]:
        try:
            screen += os.read(main, 65536)
        except OSError:  # Linux: the other end is closed
            break
    os.close(main)
    assert demo.wait(timeout=240) == 0
    text = screen.decode()
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1
    redraw = "\x1b[13F"  # cursor up: nine board lines, two seat lines, the news and a notice
    assert text.rindex("\x1b[?25h") > text.rindex(redraw)
    assert text.count(redraw) > 20
    assert ("\x1b[48;5;" in text) is ("NO_COLOR" not in environ)


def test_a_game_is_exported(server: Server) -> None:
    room = run("demo", "--url", server.url, "--seed", "2").stdout.split()[1]
    done = run("export", room, "--url", server.url)
    assert done.returncode == 0
    assert done.stdout.startswith('[Event "Fourfold game"]\n')
    assert run("export", f"{server.url}/r/{room}", "--format", "fen").stdout.count("/") == 7
    refused = run("export", room, "--url", server.url, "--format", "pgn4")
    assert refused.returncode == 1
    assert "pgn, smith, fen, json" in refused.stderr
