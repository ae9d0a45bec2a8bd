"""When colour is sent, and how."""

import io
from typing import TextIO

import pytest

from fourfold.clients.terminal.text.ink import Colour, Depth, Ink


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "depth", "unicode"),
    [
        (Terminal(), {"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Depth.TRUE, True),
        (Terminal(), {"TERM": "xterm-256color", "COLORTERM": "24bit"}, Depth.TRUE, True),
        (Terminal(), {"TERM": "xterm-256color"}, Depth.INDEXED, True),
        (Terminal(), {"TERM": "xterm-256color", "NO_COLOR": "1"}, Depth.NONE, True),
        (Terminal(), {"TERM": "xterm-256color", "NO_COLOR": ""}, Depth.INDEXED, True),
        (Terminal(), {"TERM": "dumb"}, Depth.NONE, True),
        (Terminal(), {}, Depth.NONE, True),
        (Terminal("ascii"), {"TERM": "xterm"}, Depth.INDEXED, False),
        (Terminal("iso-8859-1"), {"TERM": "xterm"}, Depth.INDEXED, False),
        (
            io.TextIOWrapper(io.BytesIO(), encoding="utf-8"),
            {"TERM": "xterm", "COLORTERM": "truecolor"},
            Depth.NONE,
            True,
        ),
        (io.StringIO(), {"TERM": "xterm"}, Depth.NONE, False),
    ],
)
def test_what_suits_a_stream(stream: TextIO, environ: dict[str, str], depth: Depth, unicode: bool) -> None:
    ink = Ink.of(stream, environ)
    assert (ink.depth, ink.unicode) == (depth, unicode)


GREEN, BLACK = Colour("#60d1b4", 79), Colour("#101418", 233)


@pytest.mark.parametrize(
    ("depth", "painted"),
    [
        (Depth.TRUE, "\x1b[48;2;96;209;180;38;2;16;20;24;1mGk\x1b[0m"),
        (Depth.INDEXED, "\x1b[48;5;79;38;5;233;1mGk\x1b[0m"),
        (Depth.NONE, "Gk"),
    ],
)
def test_paint(depth: Depth, painted: str) -> None:
    assert Ink(depth).paint("Gk", on=GREEN, in_=BLACK, bold=True) == painted


def test_nothing_asked_for_is_nothing_sent() -> None:
    assert Ink(Depth.TRUE).paint("Gk") == "Gk"
    assert Ink(Depth.NONE).dim("a") == "a"
    assert Ink(Depth.TRUE).dim("a") == "\x1b[2ma\x1b[0m"
