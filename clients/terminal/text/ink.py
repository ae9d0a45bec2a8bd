"""Colours on a terminal: how many there are, and text painted in them by `rich`.

Rich is imported when it is needed, so that output without colour does not wait for it.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from rich.color import Color, ColorSystem
    from rich.style import Style


class Colour(NamedTuple):
    """A colour as `#rrggbb`, and the one of xterm's 256 that looks most like it."""

    rgb: str
    xterm: int


class Ink:
    """Paints text in the colours of one system; without one (None) it returns the text as it is.

    `unicode` says whether characters beyond ASCII may be used.
    """

    def __init__(self, system: ColorSystem | None = None, *, unicode: bool = True) -> None:
        self.system = system
        self.unicode = unicode

    @classmethod
    def of(cls, stream: TextIO) -> Ink:
        """The ink for a stream: colours only on a terminal, unless FORCE_COLOR (force-color.org) asks for them, and
        none with NO_COLOR (no-color.org) or on a dumb terminal; 24 bits if COLORTERM says so, else 8."""
        unicode = (stream.encoding or "ascii").lower().replace("-", "") in {"utf8", "utf16", "utf32"}
        if "TERM" not in os.environ:
            return cls(unicode=unicode)
        from rich.color import ColorSystem
        from rich.console import Console

        console = Console(file=stream)
        if console.color_system is None or console.no_color:
            return cls(unicode=unicode)
        true = console.color_system == "truecolor"
        return cls(ColorSystem.TRUECOLOR if true else ColorSystem.EIGHT_BIT, unicode=unicode)

    @property
    def coloured(self) -> bool:
        """Whether text is painted."""
        return self.system is not None

    def paint(
        self, text: str, *, on: Colour | None = None, in_: Colour | None = None, bold: bool = False, dim: bool = False
    ) -> str:
        """The text on a background and in a colour."""
        if self.system is None:
            return text
        return _style(self.system, on, in_, bold, dim).render(text, color_system=self.system)


@lru_cache(256)
def _style(system: ColorSystem, on: Colour | None, in_: Colour | None, bold: bool, dim: bool) -> Style:
    from rich.color import Color, ColorSystem
    from rich.style import Style

    def known(colour: Colour | None) -> Color | None:
        if colour is None:
            return None
        # Rich would choose nearest colours itself; these are chosen so that the seats stay easy to tell apart.
        return Color.from_ansi(colour.xterm) if system is ColorSystem.EIGHT_BIT else Color.parse(colour.rgb)

    return Style(color=known(in_), bgcolor=known(on), bold=bold or None, dim=dim or None)
