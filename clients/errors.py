"""What can go wrong for a client: there is no talking to the server, or the server says no."""

from msgspec import UNSET

from fourfold.protocol.from_server import Error


class ConnectionFault(ConnectionError):
    """There is no talking to the server."""


class Unreachable(ConnectionFault):
    """No Fourfold server answered at the URL; one may later."""


class Dismissed(ConnectionFault):
    """The server does not want this client, or is no Fourfold server; trying again would not help."""


class RequestError(Exception):
    """The server answered a request with `error`; see `fourfold.protocol.errors` for the kinds.

    `seq` is the version of the room at that moment, None where no room was meant; `retry` is after how many
    milliseconds it may be tried again, None where time does not help.
    """

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.kind = error.kind
        self.code = error.code
        self.message = error.message
        self.seq = None if error.seq is UNSET else error.seq
        self.retry = None if error.retry is UNSET else error.retry
