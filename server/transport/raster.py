"""Pictures as PNG: for programs that show no SVG, as most chat programs.

Each is drawn by a process of its own and of low priority: the library that draws holds Python's lock all the while, and
so would stop everything else here. Nothing is read but the SVG itself, fonts neither.
"""

import asyncio
import contextlib
import sys
from collections import OrderedDict
from typing import Final

import structlog

SIDE: Final = 840
"""How wide and high a picture is, in pixels: 105 for a square of 8x8, 60 for one of 14x14."""

HELD: Final = 64
"""How many pictures are kept: some 5 MB."""

WAITING: Final = 16
"""How many pictures may wait to be drawn: some two seconds' work."""

LONGEST: Final = 10.0
"""After so many seconds a process that has drawn nothing is ended."""

_PROGRAM: Final = """
import os, sys
if hasattr(os, "nice"):
    os.nice(10)
import resvg_py
text = sys.stdin.buffer.read().decode()
sys.stdout.buffer.write(resvg_py.svg_to_bytes(svg_string=text, skip_system_fonts=True))
"""

_log = structlog.get_logger(__name__)


class NotDrawn(Exception):
    """A picture could not be drawn, or not now: `retry` is when to ask again, in seconds."""

    def __init__(self, sentence: str, retry: int | None = None) -> None:
        super().__init__(sentence)
        self.retry = retry


class Rasteriser:
    """Draws SVG as PNG, one picture at a time."""

    def __init__(self) -> None:
        self._drawing = asyncio.Lock()
        self._waiting = 0
        self._held: OrderedDict[str, bytes] = OrderedDict()

    async def draw(self, svg: str) -> bytes:
        """The picture as a PNG. Raises `NotDrawn`."""
        if (found := self._find(svg)) is not None:
            return found
        if self._waiting >= WAITING:
            raise NotDrawn("Too many pictures are asked for just now. Try again.", 2)
        self._waiting += 1
        try:
            async with self._drawing:
                found = self._find(svg)  # it may have been drawn for somebody else meanwhile
                if found is None:
                    found = self._held[svg] = await _drawn(svg)
                    if len(self._held) > HELD:
                        self._held.popitem(last=False)
        finally:
            self._waiting -= 1
        return found

    def _find(self, svg: str) -> bytes | None:
        found = self._held.get(svg)
        if found is not None:
            self._held.move_to_end(svg)
        return found


async def _drawn(svg: str) -> bytes:
    """A picture by a new process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PROGRAM,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the server
    )  # fmt: skip
    try:
        async with asyncio.timeout(LONGEST):
            image, says = await process.communicate(svg.encode())
    except TimeoutError:
        raise NotDrawn("The picture took too long. Try again.", 2) from None
    finally:
        if process.returncode is None:  # too late, or nobody waits any more
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        _log.warning("a picture was not drawn", code=process.returncode, says=says.decode(errors="replace")[-500:])
        raise NotDrawn("This server can't draw pictures as PNG; ask for the SVG.")
    return image
