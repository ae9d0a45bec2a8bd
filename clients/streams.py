"""Queues for one reader, and the lines of a file as such a queue."""

import asyncio
import codecs
import os
import threading
from collections.abc import AsyncIterator
from typing import TypeVar

_Value = TypeVar("_Value")


class Stream(AsyncIterator[_Value]):
    """A queue of values for one reader, as an async iterator."""

    def __init__(self) -> None:
        self._values: asyncio.Queue[_Value | BaseException] = asyncio.Queue()

    async def __anext__(self) -> _Value:
        value = await self._values.get()
        if isinstance(value, BaseException):
            self._values.put_nowait(value)  # no values after the end
            raise value
        return value

    def put(self, value: _Value) -> None:
        """Add a value at the end."""
        self._values.put_nowait(value)

    def end(self, reason: BaseException | None = None) -> None:
        """End the iteration after the waiting values. With a reason, the iteration raises it then."""
        self._values.put_nowait(reason or StopAsyncIteration())


class Lines(Stream[str]):
    """The lines of a file, by its descriptor."""

    def __init__(self, file: int) -> None:
        super().__init__()
        self._file = file
        self._loop = asyncio.get_running_loop()
        # A daemon thread on the file descriptor: neither it nor a lock of the stream delays the process's exit.
        threading.Thread(target=self._read, daemon=True, name="lines").start()

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        rest = ""
        while True:
            try:
                data = os.read(self._file, 65536)
            except OSError:
                data = b""  # the terminal is gone
            *lines, rest = (rest + decoder.decode(data, final=not data)).split("\n")
            if not data and rest:
                lines.append(rest)
            try:
                for line in lines:
                    self._loop.call_soon_threadsafe(self.put, line)
                if not data:
                    self._loop.call_soon_threadsafe(self.end)
                    return
            except RuntimeError:
                return  # the loop is closed
