"""The QR codes of rooms' links, to be read by a phone's camera."""

from functools import lru_cache
from io import BytesIO
from typing import Final

import segno

MASK: Final = 0
"""The pattern that data are mixed with. Any can be read; to look for the best takes five times as long."""


@lru_cache(maxsize=256)
def code(link: str) -> str:
    """A link's code as an SVG image, dark on white, with the margin that readers need."""
    image = BytesIO()
    segno.make_qr(link, error="m", mask=MASK).save(image, kind="svg", border=4, light="#fff", omitsize=True, nl=False)
    return image.getvalue().decode()
