"""Errors of the client library: the server cannot be talked to, or it refuses a request."""

from msgspec import UNSET

from fourfold.protocol.from_server import Error


class ConnectionFault(ConnectionError):
    """The server cannot be talked to."""


class Unreachable(ConnectionFault):
    """No Fourfold server answered at the URL; one may later."""


class Dismissed(ConnectionFault):
    """The server refuses this client, or is no Fourfold server; trying again does not help. `code` is that of the
    refusal, empty without one."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class RequestError(Exception):
    """The server answered a request with `error`; `fourfold.protocol.errors` lists kinds and codes.

    `seq` is the version of the room at that moment, None where no room was meant. `retry` is after how many
    milliseconds the request may be repeated, None where time does not help.
    """

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.kind = error.kind
        self.code = error.code
        self.message = error.message
        self.seq = None if error.seq is UNSET else error.seq
        self.retry = None if error.retry is UNSET else error.retry
