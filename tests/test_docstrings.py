"""The examples in docstrings run, and print what the docstrings show."""

import doctest
import importlib
from pathlib import Path

import pytest

from tests.each import each

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = [
    ".".join(("fourfold", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for folder in ("engine", "protocol", "clients")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if ">>> " in path.read_text()
]
"""The modules with examples."""

PUBLIC = {
    "fourfold.engine", "fourfold.engine.editor", "fourfold.engine.errors", "fourfold.engine.moves",
    "fourfold.engine.notation.game", "fourfold.engine.outcome", "fourfold.engine.pieces", "fourfold.engine.position",
    "fourfold.engine.questions", "fourfold.engine.squares", "fourfold.engine.symmetry", "fourfold.engine.twoplayer.epd",
    "fourfold.engine.twoplayer.polyglot", "fourfold.engine.match.decide", "fourfold.protocol.codec",
    "fourfold.clients.environments.aec", "fourfold.clients.environments.encoding",
    "fourfold.clients.environments.single", "fourfold.clients.environments.vector",
}  # fmt: skip
"""Modules that must have examples."""


@pytest.mark.interpreted
@each("name", EXAMPLES)
def test_the_examples_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_the_public_modules_have_examples() -> None:
    assert set(EXAMPLES) >= PUBLIC
