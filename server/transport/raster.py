"""Pictures as PNG, for programs that show no SVG, such as most chat programs.

A process of low priority draws them, because the drawing library holds Python's lock and would block everything else
here. The process starts with the first picture and ends after a quiet minute. It reads only the SVG itself, no fonts.
"""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from typing import Final

import structlog

SIDE: Final = 840
"""The width and height of a picture, in pixels: 105 for a square of 8x8, 60 for one of 14x14."""

HELD: Final = 64
"""How many pictures are cached: some 5 MB."""

WAITING: Final = 16
"""How many pictures may wait to be drawn: some two seconds of work."""

LONGEST: Final = 30.0
"""Seconds for one picture. It takes 0.1 s, but on a busy machine a process of low priority waits."""

QUIET: Final = 60.0
"""Seconds without a picture after which the drawing process ends. It uses some 30 MB."""

NICE: Final = 10
"""The niceness of the drawing process."""

# The program's argument is its niceness. It reads SVGs and writes PNGs. Before each of them comes its length, in four
# bytes.
_PROGRAM: Final = """
import os, sys
if hasattr(os, "nice"):
    os.nice(int(sys.argv[1]))
import resvg_py
texts, images = sys.stdin.buffer, sys.stdout.buffer
while length := int.from_bytes(texts.read(4), "big"):
    image = bytes(resvg_py.svg_to_bytes(svg_string=texts.read(length).decode(), skip_system_fonts=True))
    images.write(len(image).to_bytes(4, "big") + image)
    images.flush()
"""

_log = structlog.get_logger(__name__)


class NotDrawn(Exception):
    """A picture could not be drawn, or not now. `retry` is when to try again, in seconds."""

    def __init__(self, sentence: str, retry: int | None = None) -> None:
        super().__init__(sentence)
        self.retry = retry


class Rasteriser:
    """Draws SVG as PNG, one picture at a time."""

    def __init__(self) -> None:
        self._drawing = asyncio.Lock()
        self._waiting = 0
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._process: Process | None = None
        self._quiet: asyncio.TimerHandle | None = None

    async def draw(self, svg: str) -> bytes:
        """The picture as a PNG. Raises `NotDrawn`."""
        if (found := self._find(svg)) is not None:
            return found
        if self._waiting >= WAITING:
            raise NotDrawn("Too many pictures are being drawn just now. Try again.", 2)
        self._waiting += 1
        try:
            async with self._drawing:
                found = self._find(svg)  # another request may have drawn it meanwhile
                if found is None:
                    found = self._held[svg] = await self._drawn(svg)
                    if len(self._held) > HELD:
                        self._held.popitem(last=False)
        finally:
            self._waiting -= 1
        return found

    async def close(self) -> None:
        """End the process, if it runs. Call this once no picture is requested any more."""
        async with self._drawing:
            if self._quiet is not None:
                self._quiet.cancel()
            if self._process is not None:
                await self._end(self._process)

    def _find(self, svg: str) -> bytes | None:
        found = self._held.get(svg)
        if found is not None:
            self._held.move_to_end(svg)
        return found

    async def _drawn(self, svg: str) -> bytes:
        """A picture drawn by the process. The process is started if needed, and ended if it fails."""
        if self._quiet is not None:
            self._quiet.cancel()
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _PROGRAM, str(NICE), stdin=PIPE, stdout=PIPE, stderr=PIPE,
                start_new_session=True,  # Ctrl-C is meant for the server
            )  # fmt: skip
        process, drawn = self._process, False
        try:
            async with asyncio.timeout(LONGEST):
                image = await _asked(process, svg.encode())
            drawn = True
        except TimeoutError:
            raise NotDrawn("The picture took too long. Try again.", 2) from None
        except (asyncio.IncompleteReadError, ConnectionError):
            message = (await _stderr(process)).decode(errors="replace")[-500:]
            _log.warning("a picture was not drawn", message=message)
            raise NotDrawn("This server can't draw pictures as PNG; ask for the SVG.") from None
        finally:
            if not drawn:
                await self._end(process)
        self._quiet = asyncio.get_running_loop().call_later(QUIET, _release, process)
        return image

    async def _end(self, process: Process) -> None:
        self._process = None
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()  # until its pipes are closed too


async def _asked(process: Process, text: bytes) -> bytes:
    """The process's picture of an SVG. Raises `IncompleteReadError` or `ConnectionError` if the process has died."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(len(text).to_bytes(4, "big") + text)
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(4), "big")
    return await process.stdout.readexactly(length)


async def _stderr(process: Process) -> bytes:
    """The error output of a process that has died."""
    assert process.stderr is not None
    return await process.stderr.read()


def _release(process: Process) -> None:
    """End an idle process."""
    assert process.stdin is not None
    process.stdin.close()
