"""How tests wait: for a condition, with a limit that only a hang reaches."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.conftest import HANG

ROOT = Path(__file__).parent

TIMED = {"abuse", "bench", "faults", "world"}
"""Folders that measure, or that make trouble for a time."""

CLOCKS = {"time.monotonic", "monotonic", "loop.time"}
"""The clocks from which deadlines are computed."""

WORDS = re.compile("timeout|wait_for|monotonic|loop.time")
"""Only files that match set limits."""

Values = Mapping[str, ast.expr]


def constants(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """The values of the names at the top of a module."""
    found: dict[str, ast.expr] = {}
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            found[node.target.id] = node.value
    return found


def defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The defaults of a function's parameters."""
    places = [*arguments.posonlyargs, *arguments.args]
    last = places[len(places) - len(arguments.defaults) :]
    found = {one.arg: value for one, value in zip(last, arguments.defaults, strict=True)}
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return found | {one.arg: value for one, value in named if value is not None}


def dotted(node: ast.expr) -> str:
    """A name, with at most one dot; empty for other expressions."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def given(node: ast.AST) -> list[ast.expr]:
    """The limit that a call sets, or the deadline that an assignment sets."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.left, ast.Call):
        return [node.value.right] if dotted(node.value.left.func) in CLOCKS else []
    if not isinstance(node, ast.Call):
        return []
    name = dotted(node.func)
    found = {"asyncio.timeout": node.args[:1], "asyncio.wait_for": node.args[1:2]}.get(name, [])
    return found + [one.value for one in node.keywords if one.arg == "timeout" and name != "asyncio.wait"]


def limits(tree: ast.AST, values: Values, expected: bool = False) -> Iterator[tuple[int, float]]:
    """The lines and seconds of all limits that are numbers, constants of the module, or parameters with a default.

    Leaves out limits that a test expects to reach.
    """
    if isinstance(tree, ast.With | ast.AsyncWith):
        expected = expected or any("TimeoutError" in ast.unparse(item.context_expr) for item in tree.items)
    if isinstance(tree, ast.Try):
        kinds = (one.type for one in tree.handlers if one.type is not None)
        expected = expected or any("TimeoutError" in ast.unparse(kind) for kind in kinds)
    if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef):
        parameters = (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)
        hidden = {one.arg for one in parameters}
        values = {name: value for name, value in values.items() if name not in hidden} | defaults(tree.args)
    for value in [] if expected else given(tree):
        number = values.get(value.id) if isinstance(value, ast.Name) else value
        if isinstance(number, ast.Constant) and isinstance(number.value, int | float):
            yield value.lineno, number.value
    for child in ast.iter_child_nodes(tree):
        yield from limits(child, values, expected)


def test_a_limit_is_reached_by_a_hang_alone() -> None:
    short = []
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text()
        if path.relative_to(ROOT).parts[0] not in TIMED and WORDS.search(text):
            tree = ast.parse(text)
            found = limits(tree, constants(tree.body))
            short += [f"{path.relative_to(ROOT)}:{line}: {seconds} s" for line, seconds in found if seconds < HANG]
    assert not short, "\n".join(short)


def test_limits_are_found_wherever_they_are_written() -> None:
    text = """
SOON = 2.0
async def until(condition, seconds: float = 1.0, *, within=3):
    async with asyncio.timeout(seconds):
        process.wait(timeout=within)
    deadline = time.monotonic() + SOON
    async with asyncio.timeout(4), asyncio.timeout(condition):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(nothing(), 5)
def other(SOON):
    process.wait(timeout=SOON)
"""
    tree = ast.parse(text)
    assert [seconds for _, seconds in limits(tree, constants(tree.body))] == [1.0, 3, 2.0, 4]
