"""Colour on a terminal: how much of it there is, and how to ask for it.

It knows the escape sequences of ECMA-48 (SGR) and the conventions about when not to send them. It
refuses to know what is drawn.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final, TextIO


class Depth(Enum):
    """How many colours a terminal can show."""

    NONE = 0
    INDEXED = 256
    TRUE = 1 << 24


RESET: Final = "\x1b[0m"

_CUBE: Final = (0, 95, 135, 175, 215, 255)
"""The steps of each channel in the 6x6x6 cube that fills colours 16 to 231 of the xterm palette."""


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _indexed(colour: str) -> int:
    """The nearest of xterm's 240 fixed colours, by distance in RGB."""
    red, green, blue = _channels(colour)
    cube = {
        16 + 36 * r + 6 * g + b: (_CUBE[r], _CUBE[g], _CUBE[b]) for r in range(6) for g in range(6) for b in range(6)
    }
    greys = {232 + step: (8 + 10 * step,) * 3 for step in range(24)}
    return min(
        (cube | greys).items(),
        key=lambda entry: (entry[1][0] - red) ** 2 + (entry[1][1] - green) ** 2 + (entry[1][2] - blue) ** 2,
    )[0]


class Ink:
    """Paints text at one depth; at depth none it returns the text as it is.

    `unicode` says whether characters beyond ASCII may be used.
    """

    def __init__(self, depth: Depth = Depth.NONE, *, unicode: bool = True) -> None:
        self.depth = depth
        self.unicode = unicode
        self._codes: dict[tuple[str, bool], str] = {}

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

    def paint(self, text: str, *, on: str | None = None, in_: str | None = None, bold: bool = False) -> str:
        """The text on a background and in a colour, each as `#rrggbb`."""
        if not self.coloured:
            return text
        codes = [self._code(colour, back) for colour, back in ((on, True), (in_, False)) if colour is not None]
        if bold:
            codes.append("1")
        return f"\x1b[{';'.join(codes)}m{text}{RESET}" if codes else text

    def dim(self, text: str) -> str:
        """The text of a label: there, but not in the way."""
        return f"\x1b[2m{text}{RESET}" if self.coloured else text

    def _code(self, colour: str, back: bool) -> str:
        known = self._codes.get((colour, back))
        if known is None:
            ground = 48 if back else 38
            if self.depth is Depth.TRUE:
                known = f"{ground};2;{';'.join(map(str, _channels(colour)))}"
            else:
                known = f"{ground};5;{_indexed(colour)}"
            self._codes[colour, back] = known
        return known
