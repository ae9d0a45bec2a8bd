"""The commands on the pages are commands of these programs, with existing options."""

import re
import shlex
from collections.abc import Iterator

import pytest

from fourfold.clients.__main__ import parser
from fourfold.server import settings
from fourfold.server.__main__ import MAINTENANCE
from fourfold.server.maintenance import archive, command
from tests.test_pages import CHANGELOG, PAGES, ROOT

SHELL = {"(", ")", ";", "&", "&&", "|", "<", ">", "<<<"}
"""Tokens that end the arguments of a command."""


PLAYERS, ARCHIVE = parser({}), archive.parser({})
OURS = re.compile(r"^[^#]*\b(?:fourfold(?:-server)? |python -m tests\.)")
"""A line with a command of this project."""


def test_every_command_in_a_block_is_understood(capsys: pytest.CaptureFixture[str]) -> None:
    found = [(page, line) for page in PAGES if page != CHANGELOG for line in lines(page.read_text())]
    commands = [(page, words) for page, line in found for words in split(line)]
    assert len([words for _, words in commands if words[0].startswith("fourfold")]) > 50
    strange = []
    for page, words in commands:
        try:
            understand(words)
        except SystemExit as error:
            if error.code:
                strange.append(f"{page.relative_to(ROOT)}: {shlex.join(words)}: {capsys.readouterr().err[-200:]}")
    assert not strange


def lines(text: str) -> Iterator[str]:
    """The lines with commands in the blocks without a language."""
    fence = False
    shell = False
    for line in text.splitlines():
        if line.startswith("```"):
            fence = not fence
            shell = fence and line == "```"
        elif shell and OURS.search(line):
            yield line


def split(line: str) -> Iterator[list[str]]:
    """The commands of a line: each a program's bare name, and its arguments."""
    for inner in re.findall(r"\$\((.*?)\)", line):
        yield from split(inner)
    lexer = shlex.shlex(re.sub(r"\$\(.*?\)", "VALUE", line), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    skip = False
    for word in [*lexer, ";"]:
        if word in SHELL:
            if words:
                yield [words[0].rpartition("/")[2], *words[1:]]
            words, skip = [], word in {"<", ">", "<<<"}
        elif skip or (not words and ("=" in word or word == "export")):
            skip = False
        else:
            words.append(word)


def understand(words: list[str]) -> None:
    """Let the program's own parser read the arguments. Raises `SystemExit` if it rejects them."""
    match words:
        case ["fourfold", "archive", *arguments]:
            ARCHIVE.parse_args(arguments)
        case ["fourfold", *arguments]:
            PLAYERS.parse_args(arguments)
        case ["fourfold-server", name, *arguments] if name in MAINTENANCE:
            command.read(name, arguments, {})
        case ["fourfold-server", *arguments]:
            settings.read(arguments, {})
        case ["python", "-m", module, *_] if module.startswith("tests."):
            path = ROOT.joinpath(*module.split("."))
            if not (path.with_suffix(".py").exists() or (path / "__main__.py").exists()):
                raise SystemExit(f"there is no module {module}")
