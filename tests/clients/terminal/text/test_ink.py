"""The conditions and forms of colours in the output."""

import io
from typing import TextIO

import pytest
from rich.color import ColorSystem

from fourfold.clients.terminal.text.ink import Colour, Ink


class Terminal(io.TextIOWrapper):
    """A stream that claims to be a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "system", "unicode"),
    [
        (Terminal(), {"TERM": "xterm-256color", "COLORTERM": "truecolor"}, ColorSystem.TRUECOLOR, True),
        (Terminal(), {"TERM": "xterm-256color", "COLORTERM": "24bit"}, ColorSystem.TRUECOLOR, True),
        (Terminal(), {"TERM": "xterm-256color"}, ColorSystem.EIGHT_BIT, True),
        (Terminal(), {"TERM": "xterm-256color", "NO_COLOR": "1"}, None, True),
        (Terminal(), {"TERM": "xterm-256color", "NO_COLOR": ""}, ColorSystem.EIGHT_BIT, True),
        (Terminal(), {"TERM": "dumb"}, None, True),
        (Terminal(), {}, None, True),
        (Terminal("ascii"), {"TERM": "xterm"}, ColorSystem.EIGHT_BIT, False),
        (Terminal("iso-8859-1"), {"TERM": "xterm"}, ColorSystem.EIGHT_BIT, False),
        (
            io.TextIOWrapper(io.BytesIO(), encoding="utf-8"),
            {"TERM": "xterm", "COLORTERM": "truecolor"},
            None,
            True,
        ),
        (io.StringIO(), {"TERM": "xterm"}, None, False),
        (io.StringIO(), {"TERM": "xterm", "FORCE_COLOR": "1"}, ColorSystem.EIGHT_BIT, False),
        (io.StringIO(), {"TERM": "dumb", "FORCE_COLOR": "1"}, None, False),
        (io.StringIO(), {"TERM": "xterm", "FORCE_COLOR": "1", "NO_COLOR": "1"}, None, False),
    ],
)
def test_what_suits_a_stream(
    stream: TextIO,
    environ: dict[str, str],
    system: ColorSystem | None,
    unicode: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    ink = Ink.of(stream)
    assert (ink.system, ink.unicode) == (system, unicode)


GREEN, BLACK = Colour("#60d1b4", 79), Colour("#101418", 233)


@pytest.mark.parametrize(
    ("system", "painted"),
    [
        (ColorSystem.TRUECOLOR, "\x1b[1;38;2;16;20;24;48;2;96;209;180mGk\x1b[0m"),
        (ColorSystem.EIGHT_BIT, "\x1b[1;38;5;233;48;5;79mGk\x1b[0m"),
        (None, "Gk"),
    ],
)
def test_paint(system: ColorSystem | None, painted: str) -> None:
    assert Ink(system).paint("Gk", on=GREEN, in_=BLACK, bold=True) == painted


def test_nothing_asked_for_is_nothing_sent() -> None:
    assert Ink(ColorSystem.TRUECOLOR).paint("Gk") == "Gk"
    assert Ink().paint("a", dim=True) == "a"
    assert Ink(ColorSystem.TRUECOLOR).paint("a", dim=True) == "\x1b[2ma\x1b[0m"
