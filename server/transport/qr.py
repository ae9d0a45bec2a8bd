"""QR codes of links to rooms."""

from functools import lru_cache
from io import BytesIO
from typing import Final

import segno

MASK: Final = 0
"""The mask pattern. Any can be read; to find the best one takes five times as long."""


@lru_cache(maxsize=256)
def code(link: str) -> str:
    """The code of a link as an SVG image, dark on white, with the margin that scanners need."""
    image = BytesIO()
    segno.make_qr(link, error="m", mask=MASK).save(image, kind="svg", border=4, light="#fff", omitsize=True, nl=False)
    return image.getvalue().decode()
