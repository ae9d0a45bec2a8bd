"""QR codes of links to rooms."""

import asyncio
from collections import OrderedDict
from io import BytesIO
from typing import Final

import segno

MASK: Final = 0
"""The mask pattern. Scanners read any; finding the best one takes five times as long."""

HELD: Final = 256
"""How many codes are cached."""


class QrCodes:
    """Draws QR codes in a thread, one at a time, and caches the latest ones."""

    def __init__(self) -> None:
        self._drawing = asyncio.Lock()
        self._held: OrderedDict[str, str] = OrderedDict()

    async def code(self, link: str) -> str:
        """The code of a link as an SVG image."""
        async with self._drawing:
            if link not in self._held:
                self._held[link] = await asyncio.to_thread(code, link)
                if len(self._held) > HELD:
                    self._held.popitem(last=False)
            self._held.move_to_end(link)
            return self._held[link]


def code(link: str) -> str:
    """The code of a link as an SVG image, dark on white, with the margin that scanners need."""
    image = BytesIO()
    segno.make_qr(link, error="m", mask=MASK).save(image, kind="svg", border=4, light="#fff", omitsize=True, nl=False)
    return image.getvalue().decode()
