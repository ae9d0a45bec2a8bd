"""The command line of the rules."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from fourfold.engine.__main__ import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "perft", "3") == (0, "8902\n", "")
    assert run(capsys, "perft", "0") == (0, "1\n", "")
    assert run(capsys, "perft", "2", "--variant", "ffa", "--setup", "classic") == (0, "399\n", "")
    assert run(capsys, "perft", "1", "--moves", "e2e4 e7e5") == (0, "29\n", "")


def test_divide_ends_with_the_count(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "perft", "2", "--divide", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    lines = out.splitlines()
    assert status == 0 and lines[-1] == "66" and "e1g1: 3" in lines
    assert lines[:-1] == sorted(lines[:-1]) and len(lines) == 16
    assert run(capsys, "perft", "0", "--divide") == (0, "1\n", "")


def test_legal(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert run(capsys, "legal", "--fen", fen) == (
        0,
        "e1d1 e1d2 e1e2 e1f1 e1f2 e1g1 h1f1 h1g1 h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8\n",
        "",
    )
    status, out, _ = run(capsys, "legal", "--variant", "survivor", "--moves", "h2h4")
    assert status == 0 and len(out.split()) == 20 and out.split() == sorted(out.split())


def test_a_game_that_has_ended_has_no_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "legal", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == (0, "\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft", "1", "--variant", "bughouse"], "There is no variant 'bughouse'"),
        (["legal", "--fen", "nonsense"], "This FEN cannot be read"),
        (["legal", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "White has no king"),
        (["legal", "--moves", "e2e5"], "The pawn on e2 cannot go to e5."),
        (["legal", "--setup", "modern"], "standard has no setup 'modern'"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "") and message in err and err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["perft"], ["perft", "-1"], ["perft", "two"], ["guess"]])
def test_misuse(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
    assert "usage: python -m fourfold.engine" in capsys.readouterr().err


def test_as_a_program() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "fourfold.engine", "perft", "2"],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert (found.returncode, found.stdout) == (0, "400\n")


def test_a_reader_who_leaves_early() -> None:
    read, write = os.pipe()
    os.close(read)
    legal = subprocess.run(
        [sys.executable, "-m", "fourfold.engine", "legal"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        timeout=240,
    )
    os.close(write)
    assert (legal.returncode, legal.stderr) == (1, b"")
