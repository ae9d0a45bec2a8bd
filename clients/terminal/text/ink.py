"""Colours on a terminal: their number, and text painted in them by `rich`.

Rich is imported on first use, so that output without colour does not wait for it. Without the extra `terminal` there
are no colours.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from rich.color import Color, ColorSystem
    from rich.style import Style


class Colour(NamedTuple):
    """A colour as `#rrggbb`, with the most similar of xterm's 256 colours."""

    rgb: str
    xterm: int


class Ink:
    """Paints text in the colours of one system; without a system (None) it returns the text unchanged.

    `unicode` tells whether characters beyond ASCII are allowed.
    """

    def __init__(self, system: ColorSystem | None = None, *, unicode: bool = True) -> None:
        self.system = system
        self.unicode = unicode

    @classmethod
    def of(cls, stream: TextIO) -> Ink:
        """The ink for a stream. It has colours only on a terminal, or if FORCE_COLOR (force-color.org) is set. It has
        none with NO_COLOR (no-color.org) or on a dumb terminal. COLORTERM can select 24 bits; the default is 8."""
        unicode = (stream.encoding or "ascii").lower().replace("-", "") in {"utf8", "utf16", "utf32"}
        if "TERM" not in os.environ:
            return cls(unicode=unicode)
        try:
            from rich.color import ColorSystem
            from rich.console import Console
        except ModuleNotFoundError:  # the extra `terminal` is not installed
            return cls(unicode=unicode)
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
        # Rich would choose the nearest colours itself; these keep the seats easy to distinguish.
        return Color.from_ansi(colour.xterm) if system is ColorSystem.EIGHT_BIT else Color.parse(colour.rgb)

    return Style(color=known(in_), bgcolor=known(on), bold=bold or None, dim=dim or None)
