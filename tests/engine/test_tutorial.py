"""The tutorial's blocks run in order, and print what the page shows."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "engine" / "TUTORIAL.md"
if not PAGE.exists():
    pytest.skip("the page is read in a checkout", allow_module_level=True)


def test_every_block_prints_what_the_page_says() -> None:
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```\n(.*?)```\n)?", PAGE.read_text(), re.DOTALL)
    assert len(blocks) > 10
    names: dict[str, Any] = {}
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "TUTORIAL.md", "exec"), names)
        assert [line.rstrip() for line in printed.getvalue().splitlines()] == expected.splitlines(), code
