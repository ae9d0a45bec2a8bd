"""WebSocket frames (RFC 6455 §5): parsed and built.

Parsing uses the sans-I/O protocol of `websockets`, with a shortcut for the usual frame: one short, whole message.
Before the frames come HTTP requests, one after the other, until one opens the WebSocket.
"""

from collections.abc import Generator, Sequence
from http import HTTPStatus
from typing import Final

from websockets.exceptions import HeaderLineTooLong, RequestLineTooLong, TooManyHeaders
from websockets.frames import Frame
from websockets.http11 import Request, Response
from websockets.protocol import Protocol as BaseProtocol
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.speedups import apply_mask
from websockets.typing import Subprotocol

from fourfold.protocol.codec import BINARY, CODECS, MAX_FRAME, SHORT, TEXT

_MASKED: Final = 0x80
_BEFORE: Final = 6  # a short frame's data: two bytes, and the mask


class WebSocketProtocol(ServerProtocol):
    """One connection's HTTP requests and, after the handshake, its frames."""

    def __init__(self) -> None:
        self.body = False
        """Whether the last HTTP request announces a body. The server does not read it."""
        self.asked = False
        """Whether an HTTP request waits for its answer."""
        self._between = False  # whether the next byte starts a new frame
        super().__init__(max_size=MAX_FRAME)

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """The first of our codecs that the client offers. A client that offers none is accepted too."""
        return next((Subprotocol(name) for name in CODECS if name in subprotocols), None)

    def parse(self) -> Generator[None]:
        """Parse HTTP requests, each after the answer to the one before; after the handshake, frames."""
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
            except Exception as error:  # noqa: BLE001 - whatever a client may send
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
        yield from BaseProtocol.parse(self)

    def _request_line(self, most: int, too_long: type[Exception]) -> Generator[None, None, bytes | bytearray]:
        """The next line of a request, without lines that announce a body: `websockets` would stop reading there."""
        while True:
            line = yield from self.reader.read_line(most, too_long)
            name, _, value = bytes(line).lower().partition(b":")
            if name not in (b"content-length", b"transfer-encoding") or value.strip() == b"0":
                return line
            self.body = True

    def _turn_away(self, status: HTTPStatus, error: Exception) -> None:
        self.handshake_exc = error
        self.writes.append(self.reject(status, "This is not a request by HTTP/1.1, or it is too long.\n").serialize())
        self.send_eof()

    def send_response(self, response: Response, *, last: bool = True) -> None:
        """Answer an HTTP request. Unless it is the last, or opens the WebSocket, the next one may follow."""
        self.asked = False
        if last or response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            super().send_response(response)
        else:
            self.writes.append(response.serialize())

    def receive_data(self, data: bytes | bytearray) -> None:
        """Take bytes from the network."""
        self._between = False
        super().receive_data(data)

    def end(self) -> None:
        """Release the parser when the connection has ended. The parser and this object refer to each other."""
        self.receive_eof()
        self.parser.close()
        self.parser_exc = self.handshake_exc = None

    def recv_frame(self, frame: Frame) -> None:
        """Take a whole frame."""
        super().recv_frame(frame)
        self._between = self.state is State.OPEN and not self.reader.buffer

    def message(self, data: bytes) -> bytes | str | None:
        """The message of an open connection, if the bytes are exactly one short frame. None if `receive_data` has to
        handle them.

        Raises `UnicodeDecodeError` if it is text that is not UTF-8.
        """
        size = len(data) - _BEFORE
        if (
            0 <= size <= SHORT
            and data[1] == _MASKED | size
            and ((first := data[0]) == TEXT or first == BINARY)
            and self._between
            and self.current_size is None
        ):
            content = apply_mask(data[_BEFORE:], data[2:_BEFORE])
            return content.decode() if first == TEXT else content
        return None
