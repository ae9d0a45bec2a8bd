"""The page of recipes: every line runs, and both libraries give the same answer."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import chess
import pytest

from fourfold.engine import Move, Outcome, Piece, Position, SquareSet

PAGE = Path(__file__).parents[2] / "engine" / "RECIPES.md"
if not PAGE.exists():
    pytest.skip("the page is read in a checkout", allow_module_level=True)
TEXT = PAGE.read_text()
ROWS = [
    tuple(cell.replace(r"\|", "|") for cell in row)
    for row in re.findall(r"^\| `(.*?)` \| `(.*?)` \|$", TEXT, re.MULTILINE)
]
INCOMPARABLE = ("board.push", "[board.push", "node", "game.play")
"""The beginnings of lines whose own values differ: both change something, and return what they changed."""


def plain(value: Any) -> Any:
    """A value in a form that both libraries share."""
    if isinstance(value, chess.Move):
        return value.uci()
    if isinstance(value, Move):
        return value.text
    if isinstance(value, chess.Piece):
        return value.symbol()
    if isinstance(value, Piece):
        return value.kind.letter if value.seat else value.kind.letter.upper()
    if isinstance(value, chess.Board):
        return value.fen()
    if isinstance(value, Position):
        return value.fen()
    if isinstance(value, chess.Outcome):
        return value.termination.name.lower(), () if value.winner is None else (1 - value.winner,)
    if isinstance(value, Outcome):
        return value.termination.value, value.winners
    if isinstance(value, chess.SquareSet):
        return sorted(map(chess.square_name, value))
    if isinstance(value, SquareSet):
        return sorted(value)
    if isinstance(value, dict):
        return {chess.square_name(key) if isinstance(key, int) else key: plain(one) for key, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return sorted(map(plain, value))
    return value


def run(line: str, names: dict[str, Any]) -> Any:
    """The value of an expression; None for a statement."""
    try:
        code = compile(line, "RECIPES.md", "eval")
    except SyntaxError:
        exec(compile(line, "RECIPES.md", "exec"), names)
        return None
    return eval(code, names)


def test_every_line_runs_and_says_the_same() -> None:
    theirs: dict[str, Any] = {}
    ours: dict[str, Any] = {}
    exec("from fourfold.engine import questions, symmetry", ours)
    compared = 0
    for left, right in ROWS:
        one, other = run(left, theirs), run(right, ours)
        if one is not None and not left.startswith(INCOMPARABLE):
            assert plain(one) == plain(other), (left, right)
            compared += 1
    assert len(ROWS) == len([line for line in TEXT.splitlines() if line.startswith("| `")]) > 90
    assert compared > 65


def test_the_game_for_four() -> None:
    code, output = re.findall(r"```(?:python)?\n(.*?)```", TEXT, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "RECIPES.md", "exec"), {})
    assert printed.getvalue().splitlines() == output.splitlines()
