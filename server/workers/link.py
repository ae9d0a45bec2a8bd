"""The messages between a supervisor and a worker: JSON, one message per line, over a pair of sockets."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, Generic, TypeVar

import msgspec

from fourfold.server.vitals import History, Reading

VARIABLE: Final = "FOURFOLD_WORKER"
"""The environment variable that makes a server a worker: its number, and two inherited sockets, as `3:7:8`. The first
socket carries connections to serve, the second messages."""

SUPERVISOR: Final = "FOURFOLD_SUPERVISOR"
"""The environment variable that tells a worker which newer messages its supervisor knows. After an upgrade in place,
an older supervisor runs newer workers."""

VITALS: Final = "vitals"
"""Its value: the supervisor knows `Vital` and `AskHistory`."""

LONGEST: Final = 16 * 1024 * 1024
"""The most bytes of a message. Pages of metrics are long."""


class Ready(msgspec.Struct, tag=True):
    """A worker is ready for connections."""


class Holds(msgspec.Struct, tag=True):
    """A worker holds a room from now on, or no longer."""

    room: str
    held: bool


class AskPages(msgspec.Struct, tag=True):
    """A worker wants the metrics of all workers."""


class Page(msgspec.Struct, tag=True):
    """A worker's metrics."""

    text: str


class AdminCode(msgspec.Struct, tag=True):
    """The code that makes an account the first admin, while there is no admin."""

    code: str


class Vital(msgspec.Struct, tag=True):
    """A worker's vital signs."""

    reading: Reading


class AskHistory(msgspec.Struct, tag=True):
    """A worker wants the vital signs of all workers after a time (ms since 1970)."""

    since: int


class Begin(msgspec.Struct, tag=True):
    """Players can connect to the server."""


class AskPage(msgspec.Struct, tag=True):
    """The supervisor wants a worker's metrics."""


class Pages(msgspec.Struct, tag=True):
    """The metrics of the workers, by their numbers."""

    by_worker: dict[str, str]


class Kept(msgspec.Struct, tag=True):
    """The vital signs of all workers."""

    history: History


FromWorker = Ready | Holds | AskPages | Page | AdminCode | Vital | AskHistory
FromSupervisor = Begin | AskPage | Pages | Kept

_encode: Final = msgspec.json.Encoder().encode
_Heard = TypeVar("_Heard")


class Link(Generic[_Heard]):
    """One end of the pair of sockets."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, heard: Any) -> None:
        """`heard` is the type of the other end's messages."""
        self._reader = reader
        self._writer = writer
        self._decoder: msgspec.json.Decoder[_Heard] = msgspec.json.Decoder(heard)

    def send(self, message: FromWorker | FromSupervisor) -> None:
        """Send a message. Never blocks; sends nothing once the other end is gone."""
        if not self._writer.is_closing():
            self._writer.write(_encode(message) + b"\n")

    async def __aiter__(self) -> AsyncIterator[_Heard]:
        """The messages of the other end, until it is gone."""
        try:
            while line := await self._reader.readline():
                yield self._decoder.decode(line)
        except OSError:
            return

    def close(self) -> None:
        """Stop sending and receiving."""
        self._writer.close()
