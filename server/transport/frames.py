"""WebSocket's frames (RFC 6455 §5): the protocol of `websockets`, which knows no sockets, and a short cut past it.

Nearly all that comes is one short message, whole, in one frame, alone; and nearly all that goes is sent to several.

Before the frames come requests by HTTP: as many as are answered, one after the other, until one opens the WebSocket.
"""

import struct
from collections.abc import Generator, Sequence
from http import HTTPStatus
from typing import Final

from websockets.exceptions import HeaderLineTooLong, RequestLineTooLong, TooManyHeaders
from websockets.frames import Frame
from websockets.http11 import Request, Response
from websockets.protocol import Protocol, State
from websockets.server import ServerProtocol
from websockets.speedups import apply_mask
from websockets.typing import Subprotocol

from fourfold.protocol.codec import CODECS, MAX_FRAME

_TEXT: Final = 0x81  # the first byte of a whole message
_BINARY: Final = 0x82
_MASKED: Final = 0x80
_SHORT: Final = 125  # what is longer has its length elsewhere
_BEFORE: Final = 6  # a short frame's data: two bytes, and the mask


class WebSocketProtocol(ServerProtocol):
    """One connection's frames, after its handshake. Whoever offers none of our codecs is taken too."""

    def __init__(self) -> None:
        self.body = False
        """Whether the last request announces a body. It is not read."""
        self.asked = False
        """Whether a request has no answer yet."""
        self._between = False  # whether nothing of an unfinished frame has come
        super().__init__(max_size=MAX_FRAME)

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """The first of ours that the client offers."""
        return next((Subprotocol(name) for name in CODECS if name in subprotocols), None)

    def parse(self) -> Generator[None]:
        """Read requests, each when the one before has its answer; after that of the handshake, frames."""
        while self.state is State.CONNECTING:
            self.body = False
            try:
                request = yield from Request.parse(self._request_line)
            except EOFError:
                self.send_eof()
            except RequestLineTooLong as error:
                self._turn_away(HTTPStatus.REQUEST_URI_TOO_LONG, error)
            except (HeaderLineTooLong, TooManyHeaders) as error:
                self._turn_away(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, error)
            except Exception as error:  # noqa: BLE001 - whatever a stranger may send
                self._turn_away(HTTPStatus.BAD_REQUEST, error)
            else:
                self.events.append(request)
                self.asked = True
                while self.asked:
                    yield
                continue
            self.parser = self.discard()
            next(self.parser)
            yield
        yield from Protocol.parse(self)

    def _request_line(self, most: int, too_long: type[Exception]) -> Generator[None, None, bytes | bytearray]:
        """The next line of a request, but for those that announce a body: `websockets` would refuse to read on."""
        while True:
            line = yield from self.reader.read_line(most, too_long)
            name, _, value = bytes(line).lower().partition(b":")
            if name not in (b"content-length", b"transfer-encoding") or value.strip() == b"0":
                return line
            self.body = True

    def _turn_away(self, status: HTTPStatus, error: Exception) -> None:
        self.handshake_exc = error
        self.writes.append(self.reject(status, "This is no request by HTTP/1.1, or too long a one.\n").serialize())
        self.send_eof()

    def send_response(self, response: Response, *, last: bool = True) -> None:
        """Answer a request. Unless it is the last, or opens the WebSocket, `receive_data` gives the next one."""
        self.asked = False
        if last or response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            super().send_response(response)
        else:
            self.writes.append(response.serialize())

    def receive_data(self, data: bytes | bytearray) -> None:
        """See `websockets`."""
        self._between = False
        super().receive_data(data)

    def end(self) -> None:
        """The connection is gone. What reads the frames refers to them, and they to it: it is let go, to be freed."""
        self.receive_eof()
        self.parser.close()
        self.parser_exc = self.handshake_exc = None

    def recv_frame(self, frame: Frame) -> None:
        """A whole frame has been read."""
        super().recv_frame(frame)
        self._between = not self.reader.buffer

    def message(self, data: bytes) -> bytes | str | None:
        """The message that this is, if it is just one short frame; None if `receive_data` has to look at it.

        Raises `UnicodeDecodeError` if it is text and no UTF-8.
        """
        size = len(data) - _BEFORE
        if (
            0 <= size <= _SHORT
            and data[1] == _MASKED | size
            and ((first := data[0]) == _TEXT or first == _BINARY)
            and self._between
            and self.current_size is None
            and self.state is State.OPEN
        ):
            content = apply_mask(data[_BEFORE:], data[2:_BEFORE])
            return content.decode() if first == _TEXT else content
        return None


def frame(data: bytes, *, text: bool) -> bytes:
    """A whole message in one frame, as servers send it: unmasked."""
    first, size = _TEXT if text else _BINARY, len(data)
    if size <= _SHORT:
        return bytes((first, size)) + data
    if size < 2**16:
        return struct.pack("!BBH", first, 126, size) + data
    return struct.pack("!BBQ", first, 127, size) + data
