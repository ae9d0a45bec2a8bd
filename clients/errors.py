"""Errors of the client library: no connection to the server, or a refused request."""

from msgspec import UNSET

from fourfold.protocol.from_server import Error


class ConnectionFault(ConnectionError):
    """There is no connection to the server."""


class Unreachable(ConnectionFault):
    """No Fourfold server answered at the URL. One may answer later."""


class Dismissed(ConnectionFault):
    """The server refuses this client, or is not a Fourfold server. Trying again does not help. `code` is the refusal's
    code, or empty."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class RequestError(Exception):
    """The server answered a request with `error`. `fourfold.protocol.errors` lists kinds and codes.

    `seq` is the version of the room at that moment, or None if the request was not about a room. `retry` is the number
    of milliseconds after which the request can succeed, or None if waiting does not help.
    """

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.kind = error.kind
        self.code = error.code
        self.message = error.message
        self.seq = None if error.seq is UNSET else error.seq
        self.retry = None if error.retry is UNSET else error.retry
