"""The table `ERRORS` has every error code that the source can send."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fourfold.protocol.errors import CLOSES, ERRORS, CloseCode, ErrorKind
from tests.each import each

ROOT = Path(__file__).resolve().parents[2]

SPEAKERS = [
    *sorted((ROOT / "server").rglob("*.py")),
    *sorted((ROOT / "engine" / "match").glob("*.py")),
    *sorted((ROOT / "engine" / "study").glob("*.py")),
    ROOT / "protocol" / "codec.py",
    # the rules: reasons against a move or a start position
    ROOT / "engine" / "position.py",
    ROOT / "engine" / "coordinates.py",
    ROOT / "engine" / "variants.py",
    ROOT / "engine" / "twoplayer" / "fen.py",
    ROOT / "engine" / "fourplayer" / "fen4.py",
]

KINDS = {
    "refused": ErrorKind.REFUSED,
    "Refused": ErrorKind.REFUSED,
    "Unreadable": ErrorKind.UNREADABLE,
    "InvalidNotation": ErrorKind.UNREADABLE,
    "IllegalMove": ErrorKind.ILLEGAL,
}
"""The constructors of errors, with the code as the first argument. `Rejection` has the kind before it."""


@cache
def looked_through(path: Path) -> tuple[list[ast.Call], set[object]]:
    """The calls and the constants in a module."""
    calls, constants = list[ast.Call](), set[object]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant):
            constants.add(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"Rejection", *KINDS}:
            calls.append(node)
    return calls, constants


def sent(path: Path) -> Iterator[tuple[ErrorKind, str]]:
    """The literal codes in a module. Other expressions only pass codes on."""
    for node in looked_through(path)[0]:
        name, arguments = ast.unparse(node.func), list(node.args)
        if name == "Rejection":
            kind = ErrorKind(ast.literal_eval(arguments.pop(0)))
        elif arguments:
            kind = KINDS[name]
        else:
            continue
        code = arguments[0]
        assert not isinstance(code, ast.JoinedStr | ast.Starred), f"{path}:{code.lineno}: a code is written in full"
        if isinstance(code, ast.Constant):
            yield kind, code.value


@each("path", SPEAKERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_sent_is_in_the_table(path: Path) -> None:
    for _, code in sent(path):
        assert code in ERRORS, f"{path}: say in protocol/errors.py what {code!r} means, and what helps"


def test_what_is_in_the_table_is_sent() -> None:
    words = set[object]().union(*(looked_through(path)[1] for path in SPEAKERS))
    assert not ERRORS.keys() - words


def test_kinds_are_as_sent() -> None:
    kinds: dict[str, set[ErrorKind]] = {}
    for path in SPEAKERS:
        for kind, code in sent(path):
            kinds.setdefault(code, set()).add(kind)
    for code, said in kinds.items():
        assert ERRORS[code].kind in said, code


def test_every_close_code_is_explained() -> None:
    assert CLOSES.keys() == set(CloseCode)
