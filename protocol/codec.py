"""Bytes to messages and back, in the two forms the wire has: JSON text and MessagePack.

Both carry the same maps. Requests of clients are checked strictly: unknown fields are refused. Frames of servers are
read with tolerance: unknown fields and types are ignored.
"""

import struct
from collections.abc import Callable
from typing import Any, Final, get_args

import msgspec

from fourfold.protocol.errors import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, Unreadable
from fourfold.protocol.events import AnyEvent
from fourfold.protocol.from_client import REQUESTS, AnyRequest
from fourfold.protocol.from_server import AnyFrame, Frame

MAX_FRAME: Final = 8 * 1024
"""The largest frame a client may send, in bytes."""

TEXT: Final = 0x81
"""The first byte of a whole text message (RFC 6455 §5.2)."""

BINARY: Final = 0x82
"""The first byte of a whole binary message."""

SHORT: Final = 125
"""Up to how many bytes of a message have their number in the second byte."""


class Codec:
    """One form of the wire: its subprotocol name, whether its frames are text, and the four directions."""

    def __init__(
        self,
        subprotocol: str,
        *,
        text: bool,
        pack: Callable[[msgspec.Struct], bytes],
        read: Callable[[Any], AnyRequest],
        unpack: Callable[[Any], dict[str, Any]],
    ) -> None:
        self.subprotocol = subprotocol
        self.text = text
        self.encode = pack
        self._first = TEXT if text else BINARY
        self._read = read
        self._unpack = unpack

    def __repr__(self) -> str:
        return f"Codec({self.subprotocol!r})"

    def frame(self, message: Frame) -> bytes:
        """A message as a whole WebSocket frame, unmasked, as servers send it."""
        data = self.encode(message)
        size = len(data)
        if size <= SHORT:
            return bytes((self._first, size)) + data
        if size < 2**16:
            return struct.pack("!BBH", self._first, 126, size) + data
        return struct.pack("!BBQ", self._first, 127, size) + data

    def read_request(self, data: bytes | str) -> AnyRequest:
        """The request in a frame from a client.

        Raises `Unreadable` with code `wrong_frame` (text where binary is due, or the reverse),
        `not_a_message` (no map of this encoding), `no_type`, `unknown_type` or `bad_field`.
        """
        if isinstance(data, str) is not self.text:
            due, got = ("text", "binary") if self.text else ("binary", "text")
            raise Unreadable("wrong_frame", f"{self.subprotocol} is spoken in {due} frames; this one was {got}.")
        try:
            return self._read(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return self._diagnose(data)

    def _diagnose(self, data: bytes | str) -> AnyRequest:
        """Read a frame step by step, so as to say what is wrong with it. Raises `Unreadable`."""
        fields = self._fields(data)
        id = fields.get("id")
        if type(id) is not int:
            id = None
        name = fields.get("type")
        if not isinstance(name, str):
            raise Unreadable("no_type", 'A message needs a "type" that is a string.', id)
        shape = REQUESTS.get(name)
        if shape is None:
            known = ", ".join(sorted(REQUESTS))
            raise Unreadable("unknown_type", f"There is no request {name[:40]!r}; there are {known}.", id)
        try:
            return msgspec.convert(fields, shape)
        except msgspec.ValidationError as error:
            raise Unreadable("bad_field", f"In {name!r}: {error}.", id) from error

    def read_frame(self, data: bytes | str) -> AnyFrame | None:
        """The frame a server sent; None for a type this version does not know. So are events left out of an `update`.

        Raises `Unreadable` with code `not_a_message` or `bad_field`.
        """
        fields = self._fields(data)
        name = fields.get("type")
        if not isinstance(name, str) or name not in _FRAMES:
            return None
        if name == "update" and isinstance(fields.get("events"), list):
            fields["events"] = [event for event in fields["events"] if not _is_news(event)]
        try:
            return msgspec.convert(fields, _FRAMES[name])
        except msgspec.ValidationError as error:
            raise Unreadable("bad_field", f"In the server's {name!r}: {error}.") from error

    def _fields(self, data: bytes | str) -> dict[str, Any]:
        """The map in a frame, its values not looked at yet. Raises `Unreadable` with code `not_a_message`."""
        try:
            return self._unpack(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            what = f'no {self.subprotocol} message, which is a map with a "type", such as {{"type": "ping"}}'
            raise Unreadable("not_a_message", f"This frame is {what}.") from error


def _is_news(event: Any) -> bool:
    """Whether this is an event of a type that this version does not know."""
    name = event.get("type") if isinstance(event, dict) else None
    return isinstance(name, str) and name not in _EVENTS


_FRAMES: dict[str, type[AnyFrame]] = {str(shape.__struct_config__.tag): shape for shape in get_args(AnyFrame)}
_EVENTS: Final = {str(shape.__struct_config__.tag) for shape in get_args(AnyEvent)}

JSON: Final = Codec(
    SUBPROTOCOL_JSON,
    text=True,
    pack=msgspec.json.encode,
    read=msgspec.json.Decoder(AnyRequest).decode,
    unpack=msgspec.json.Decoder(dict[str, Any]).decode,
)
MSGPACK: Final = Codec(
    SUBPROTOCOL_MSGPACK,
    text=False,
    pack=msgspec.msgpack.encode,
    read=msgspec.msgpack.Decoder(AnyRequest).decode,
    unpack=msgspec.msgpack.Decoder(dict[str, Any]).decode,
)
CODECS: Final = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
"""The codecs by subprotocol, the preferred one first."""
