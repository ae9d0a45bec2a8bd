"""Bytes to messages and back, in the two encodings of the protocol: JSON text and MessagePack.

>>> from fourfold.protocol.codec import JSON
>>> from fourfold.protocol.from_client import Ping
>>> JSON.encode(Ping(id=1))
b'{"type":"ping","id":1}'
>>> JSON.read_frame('{"type": "pong", "id": 1, "time": 1700000000000}').time
1700000000000

Both encodings carry the same maps. Requests of clients are checked strictly: unknown fields are refused. Frames of
servers are read leniently: unknown fields and types are ignored.
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
"""The largest frame that a client can send, in bytes."""

TEXT: Final = 0x81
"""The first byte of a whole text message (RFC 6455 §5.2)."""

BINARY: Final = 0x82
"""The first byte of a whole binary message."""

SHORT: Final = 125
"""The longest message whose WebSocket header has two bytes, in bytes."""


class Codec:
    """One encoding: its subprotocol name, whether its frames are text, and the functions for both directions."""

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
        """A message as a complete WebSocket frame, unmasked, as servers send it."""
        data = self.encode(message)
        size = len(data)
        if size <= SHORT:
            return bytes((self._first, size)) + data
        if size < 2**16:
            return struct.pack("!BBH", self._first, 126, size) + data
        return struct.pack("!BBQ", self._first, 127, size) + data

    def read_request(self, data: bytes | str) -> AnyRequest:
        """Parse a client's frame.

        Raises `Unreadable` with code `wrong_frame` (text instead of binary, or the reverse), `not_a_message` (not a map
        in this encoding), `no_type`, `unknown_type` or `bad_field`.
        """
        if isinstance(data, str) is not self.text:
            due, got = ("text", "binary") if self.text else ("binary", "text")
            raise Unreadable("wrong_frame", f"{self.subprotocol} uses {due} frames, not {got} ones.")
        try:
            return self._read(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return self._diagnose(data)

    def _diagnose(self, data: bytes | str) -> AnyRequest:
        """Parse a frame step by step, to find its exact error. Raises `Unreadable`."""
        fields = self._fields(data)
        id = fields.get("id")
        if type(id) is not int:
            id = None
        name = fields.get("type")
        if not isinstance(name, str):
            raise Unreadable("no_type", 'A message needs a "type", which must be a string.', id)
        shape = REQUESTS.get(name)
        if shape is None:
            known = ", ".join(sorted(REQUESTS))
            raise Unreadable("unknown_type", f"Unknown request {name[:40]!r}. Requests: {known}.", id)
        try:
            return msgspec.convert(fields, shape)
        except msgspec.ValidationError as error:
            raise Unreadable("bad_field", f"In {name!r}: {error}.", id) from error

    def read_frame(self, data: bytes | str) -> AnyFrame | None:
        """Parse a server's frame. None for a type that this version does not know; unknown events of an `update` are
        left out.

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
        """The map in a frame, before its values are checked. Raises `Unreadable` with code `not_a_message`."""
        try:
            return self._unpack(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            what = f'not a {self.subprotocol} message: a map with a "type", such as {{"type": "ping"}}'
            raise Unreadable("not_a_message", f"This frame is {what}.") from error


def _is_news(event: Any) -> bool:
    """Whether this version does not know the type of an event."""
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
