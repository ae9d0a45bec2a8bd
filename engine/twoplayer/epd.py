"""EPD, a position with operations (Extended Position Description, PGN standard section 16.2), as in suites of test
positions.

>>> from fourfold.engine.twoplayer import epd
>>> problem = epd.read('6k1/5ppp/8/8/8/8/8/4R1K1 w - - bm Re8#; id "back rank";')
>>> problem.operations
{'bm': (<Move e1e8>,), 'id': ('back rank',)}
>>> epd.write(problem.position, problem.operations)
'6k1/5ppp/8/8/8/8/8/4R1K1 w - - bm Re8#; id "back rank";'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.position import Position, Variant

Operand: TypeAlias = Move | str | int | float
"""A value in an operation."""

_OPERATION = re.compile(r'\s*([A-Za-z]\w*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)')
_OPERAND = re.compile(r'"([^"]*)"|([^\s;"]+)')
_MOVES = ("am", "bm", "sm")
"""The operations with moves from the position: moves to avoid, best moves, and the move to make."""
_LINE = "pv"
"""The operation with a sequence of moves from the position."""
_COUNTERS = ("hmvc", "fmvn")
"""The operations with FEN's two counters."""


class Epd(NamedTuple):
    """A position with operations."""

    position: Position
    """The position."""
    operations: dict[str, tuple[Operand, ...]]
    """The operands of each operation, by its name, such as ``bm``."""


def read(text: str, variant: str | Variant = "standard") -> Epd:
    """Parse a line of EPD. The moves of ``am``, ``bm``, ``sm`` and ``pv`` become `Move` objects, and other operands
    numbers or texts. ``hmvc`` and ``fmvn`` set the position's counters. A FEN with operations is read too.

    Raises `InvalidNotation` (`invalid_epd`, `invalid_fen` and the codes of `Position.read_move`), `InvalidSetup`, and
    `IllegalMove`.
    """
    words = text.split()
    end = next((number for number, word in enumerate(words) if number >= 4 and word[0].isalpha()), len(words))
    fields = words[:end]
    found: dict[str, list[str]] = {}
    rest = re.sub(r"^\s*(?:\S+\s*){%d}" % end, "", text, count=1)  # noqa: UP031  (braces belong to the pattern)
    while rest.strip():
        match = _OPERATION.match(rest)
        if match is None:
            raise InvalidNotation("invalid_epd", f"'{rest.strip()[:20]}' is not an operation such as bm Nf3;")
        found[match[1]] = [quoted or plain for quoted, plain in _OPERAND.findall(match[2])]
        rest = rest[match.end() :]
    fields += ["-"] * (4 - len(fields)) if fields else []
    if fields and not fields[-1].isdecimal():
        fields += [*(found.get(name, [usual])[0] for name, usual in zip(_COUNTERS, "01", strict=True))]
    position = Position.from_fen(" ".join(fields), variant)
    return Epd(position, {name: _values(position, name, operands) for name, operands in found.items()})


def read_all(lines: Iterable[str], variant: str | Variant = "standard") -> Iterator[Epd]:
    """The positions of a text's lines or of an open file. Skips empty lines and those that start with ``#``. Raises as
    `read` does."""
    return (read(line, variant) for line in lines if line.strip() and not line.startswith("#"))


def write(position: Position, operations: Mapping[str, Sequence[Operand]] | None = None) -> str:
    """A position as EPD: its FEN without the two counters, and the operations."""
    words = position.fen().split()[:-2]
    for name, operands in (operations or {}).items():
        words.append(" ".join([name, *_texts(position, name, operands)]) + ";")
    return " ".join(words)


def _values(position: Position, name: str, operands: list[str]) -> tuple[Operand, ...]:
    if name in _MOVES:
        return tuple([position.read_move(text) for text in operands])
    if name == _LINE:
        line: list[Operand] = []
        for text in operands:
            move = position.read_move(text)
            line.append(move)
            position = position.play(move)
        return tuple(line)
    return tuple([_value(text) for text in operands])


def _value(text: str) -> Operand:
    if re.fullmatch(r"[-+]?\d{1,18}", text):
        return int(text)
    return float(text) if re.fullmatch(r"[-+]?\d{1,18}\.\d{1,18}", text) else text


def _texts(position: Position, name: str, operands: Sequence[Operand]) -> Iterator[str]:
    for operand in operands:
        if isinstance(operand, Move):
            yield position.san(operand)
            if name == _LINE:
                position = position.play(operand)
        elif isinstance(operand, str):
            quote = "'"
            yield f'"{operand.replace(chr(34), quote)}"'
        else:
            yield str(operand)
