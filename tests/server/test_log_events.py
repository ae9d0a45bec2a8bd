"""The tables of log events on the operator's page are those of the source, each under a level that it is logged at."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SERVER: Final = Path(__file__).parents[2] / "server"
PAGE: Final = SERVER / "OPERATING.md"

LEVELS: Final = {"error": "error", "exception": "error", "warning": "warning", "info": "info"}
"""The level of each method. Events at level debug are for developers."""

LONG: Final = 80
"""Characters after which a table may shorten an event, with `…`."""


def texts(node: ast.expr, function: ast.AST) -> list[str]:
    """The values of an event's expression: a constant, one of two, a text with parts, or a name for any of these."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=other):
            return texts(body, function) + texts(other, function)
        case ast.JoinedStr(values=parts):
            found = [""]
            for part in parts:
                values = texts(part.value if isinstance(part, ast.FormattedValue) else part, function) or ["…"]
                found = [before + value for before in found for value in values]
            return found
        case ast.Name():
            given = assigned(node, function)
            return [] if given is None else texts(given, function)
    return []


def assigned(name: ast.Name, function: ast.AST) -> ast.expr | None:
    """The value that a name was given last in a function, before it is used."""
    given = [
        one for one in ast.walk(function)
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == name.id and one.lineno < name.lineno
    ]  # fmt: skip
    return max(given, key=lambda one: one.lineno).value if given else None


def level(method: ast.expr) -> str | None:
    """The level of a method of a log; None for other methods, and for the level debug."""
    is_ours = isinstance(method, ast.Attribute) and "log" in ast.unparse(method.value)
    return LEVELS.get(method.attr) if is_ours and isinstance(method, ast.Attribute) else None


def events(call: ast.Call, function: ast.AST) -> Iterator[tuple[str, str]]:
    """The events of a call, with their levels. A choice between two methods may go with one between two texts."""
    method: ast.expr | None = call.func
    text, *more = call.args
    if more and level(text) is not None:  # as `run(_log.error, "…")` has it
        method, text = text, more[0]
    elif isinstance(method, ast.Name):
        method = assigned(method, function)
    if isinstance(method, ast.IfExp):
        same = isinstance(text, ast.IfExp) and ast.unparse(text.test) == ast.unparse(method.test)
        pairs = [(method.body, text.body if same else text), (method.orelse, text.orelse if same else text)]  # type: ignore[attr-defined]
    else:
        pairs = [] if method is None else [(method, text)]
    for one, said in pairs:
        if (found := level(one)) is not None:
            values = texts(said, function)
            assert values, f"line {call.lineno} logs a text that this test can't read"
            yield from ((value, found) for value in values)


def logged() -> Iterator[tuple[str, str]]:
    """Each event of the source, with a level."""
    methods = re.compile(rf"\.({'|'.join(LEVELS)})\b")
    for path in sorted(SERVER.rglob("*.py")):
        text = path.read_text()
        if methods.search(text) is None:  # most modules log nothing
            continue
        tree = ast.parse(text)
        functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
        for function in functions:
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and call.args:
                    yield from events(call, function)


def listed() -> set[tuple[str, str]]:
    """Each event of the page, with the level of its table."""
    section = PAGE.read_text().partition("\n## The log\n")[2].partition("\n## ")[0]
    found, heading = set(), ""
    for row in section.splitlines():
        cells = row.strip("|").split(" | ")
        if cells[0].strip() in LEVELS:
            heading = cells[0].strip()
        elif row.startswith("| "):
            names = re.findall(r"``(.+?)``|`(.+?)`", cells[0])
            assert names, row
            found |= {(one or other, heading) for one, other in names}
    return found


def shortened(text: str) -> str:
    """A long event as a table has it: its first sentence."""
    return text if len(text) <= LONG or ". " not in text else text.partition(". ")[0] + ". …"


def test_the_page_has_every_event_and_no_other() -> None:
    source = {(shortened(text), level) for text, level in logged()}
    assert len(source) > 80
    assert source - listed() == set()
    assert listed() - source == set()


def test_every_error_and_warning_says_what_to_do() -> None:
    section = PAGE.read_text().partition("\n## The log\n")[2].partition("\n## ")[0]
    rows = [row for row in section.splitlines() if row.startswith("| `")]
    urgent = rows[: next(index for index, row in enumerate(rows) if "`ready`" in row)]
    assert len(urgent) > 40 and all(len(row.strip("|").split(" | ")) == 3 for row in urgent)
