"""How tests wait: for a condition, with a limit that only a hang reaches."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent
HANG = 60
"""Seconds. A shorter limit fails on a busy machine."""

TIMED = {"abuse", "bench", "faults"}
"""Folders that measure, or that make trouble for a time."""


def limits(tree: ast.AST, expected: bool = False) -> Iterator[tuple[int, float]]:
    """The lines and seconds of all numeric limits, except those that a test expects to reach."""
    if isinstance(tree, ast.With | ast.AsyncWith):
        expected = expected or any("TimeoutError" in ast.unparse(item.context_expr) for item in tree.items)
    if isinstance(tree, ast.Call) and not expected:
        name = ast.unparse(tree.func)
        given = {"asyncio.timeout": tree.args[:1], "asyncio.wait_for": tree.args[1:2]}.get(name, [])
        given += [keyword.value for keyword in tree.keywords if keyword.arg == "timeout" and name != "asyncio.wait"]
        for value in given:
            if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
                yield tree.lineno, value.value
    for child in ast.iter_child_nodes(tree):
        yield from limits(child, expected)


def test_a_limit_is_reached_by_a_hang_alone() -> None:
    short = [
        f"{path.relative_to(ROOT)}:{line}: {seconds} s"
        for path in sorted(ROOT.rglob("*.py"))
        if path.relative_to(ROOT).parts[0] not in TIMED
        for line, seconds in limits(ast.parse(path.read_text()))
        if seconds < HANG
    ]
    assert not short, "\n".join(short)
