"""Colour on a terminal: how much of it there is, and how to ask for it.

It knows the escape sequences of ECMA-48 (SGR) and the conventions about when not to send them. It
refuses to know what is drawn.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple, TextIO


class Depth(Enum):
    """How many colours a terminal can show."""

    NONE = 0
    INDEXED = 256
    TRUE = 1 << 24


RESET: Final = "\x1b[0m"


class Colour(NamedTuple):
    """A colour as `#rrggbb`, and the one of xterm's 256 that looks most like it."""

    rgb: str
    xterm: int


class Ink:
    """Paints text at one depth; at depth none it returns the text as it is.

    `unicode` says whether characters beyond ASCII may be used.
    """

    def __init__(self, depth: Depth = Depth.NONE, *, unicode: bool = True) -> None:
        self.depth = depth
        self.unicode = unicode

    @classmethod
    def of(cls, stream: TextIO, environ: Mapping[str, str]) -> "Ink":
        """What suits a stream: colour only on a terminal, and not where NO_COLOR (no-color.org) or a dumb
        terminal forbids it; 24 bits where COLORTERM says so."""
        unicode = (stream.encoding or "ascii").lower().replace("-", "") in {"utf8", "utf16", "utf32"}
        if not stream.isatty() or environ.get("NO_COLOR") or environ.get("TERM", "dumb") == "dumb":
            return cls(Depth.NONE, unicode=unicode)
        true = environ.get("COLORTERM") in {"truecolor", "24bit"}
        return cls(Depth.TRUE if true else Depth.INDEXED, unicode=unicode)

    @property
    def coloured(self) -> bool:
        """Whether colour can tell things apart."""
        return self.depth is not Depth.NONE

    def paint(self, text: str, *, on: Colour | None = None, in_: Colour | None = None, bold: bool = False) -> str:
        """The text on a background and in a colour."""
        if not self.coloured:
            return text
        codes = [self._code(ground, colour) for ground, colour in ((48, on), (38, in_)) if colour is not None]
        if bold:
            codes.append("1")
        return f"\x1b[{';'.join(codes)}m{text}{RESET}" if codes else text

    def dim(self, text: str) -> str:
        """The text of a label: there, but not in the way."""
        return f"\x1b[2m{text}{RESET}" if self.coloured else text

    def _code(self, ground: int, colour: Colour) -> str:
        if self.depth is Depth.INDEXED:
            return f"{ground};5;{colour.xterm}"
        red, green, blue = bytes.fromhex(colour.rgb[1:])
        return f"{ground};2;{red};{green};{blue}"
