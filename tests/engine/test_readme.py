"""The engine's page: its code runs, and it names every module."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from fourfold.engine.__main__ import main
from fourfold.engine.perft import perft
from fourfold.engine.variants import opening_of

ENGINE = Path(__file__).parents[2] / "engine"
if not ENGINE.exists():
    pytest.skip("the page is read in a checkout", allow_module_level=True)
PAGE = (ENGINE / "README.md").read_text()
GAME, VARIANT = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
OUTPUT, COMMANDS = re.findall(r"\n\n```\n(.*?)```", PAGE, re.DOTALL)
PATHS = [path.relative_to(ENGINE) for path in ENGINE.rglob("*.py") if not path.stem.startswith("__")]
MODULES = {path.with_suffix("").as_posix() for path in PATHS}


def test_the_game_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(GAME, "README.md", "exec"), {})
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == OUTPUT.splitlines()


def test_the_variant_is_played() -> None:
    names: dict[str, Any] = {}
    exec(compile(VARIANT, "README.md", "exec"), names)
    assert perft(opening_of(names["DUEL"]), 2) == 395


def test_the_commands_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    legal, count, _ = (line.split("fourfold.engine ")[1] for line in COMMANDS.splitlines())
    command, moves = legal.split(' --moves "')
    assert main([*command.split(), "--moves", moves.strip('"')]) == 0
    assert main(count.replace("perft 4", "perft 2").split()) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "395"


def test_every_module_is_named() -> None:
    named = re.findall(r"^\| ((?:`[\w/]+`(?:, )?)+) \|", PAGE.split("## Every module")[1], re.MULTILINE)
    assert sorted(name for row in named for name in re.findall(r"`([\w/]+)`", row)) == sorted(MODULES)


def test_every_file_linked_is_there() -> None:
    links = re.findall(r"\]\(([^)]+)\)", PAGE)
    assert all((ENGINE / link).exists() for link in links if not link.startswith("http"))
