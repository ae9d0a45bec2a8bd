"""The ways a message can fail, the codes that name them, and the close codes of a connection.

Three kinds are kept apart, because their cure differs:

* *unreadable*: the bytes or the fields are not what the protocol allows; the client has a bug;
* *refused*: understood, but impossible now (no such room, not your seat, stale); look again;
* *illegal*: a move that the rules of chess forbid in this position; choose another.

Codes are stable and meant for programs; messages are sentences meant for people and may change.
"""

from enum import IntEnum, StrEnum

SUBPROTOCOL_MSGPACK = "fourfold.v1+msgpack"
SUBPROTOCOL_JSON = "fourfold.v1+json"


class Kind(StrEnum):
    """Which of the three kinds an error is."""

    UNREADABLE = "unreadable"
    REFUSED = "refused"
    ILLEGAL = "illegal"


class Unreadable(ValueError):
    """A frame that is no message of this protocol.

    `id` is the request's own id where it could still be read, so that the error can be answered to it.
    """

    def __init__(self, code: str, message: str, id: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id


class CloseCode(IntEnum):
    """Why the server closed a connection (RFC 6455 §7.4; 4000 and up are ours)."""

    POLICY = 1008
    """Too many unreadable frames or pings, or no hello: fix the client first."""
    TOO_BIG = 1009
    """A frame over the size limit."""
    INTERNAL = 1011
    """A fault of the server; connect again and resume with `watch {since}`."""
    RESTART = 1012
    """The server is going away: connect again and resume with `watch {since}`."""
    SLOW_READER = 4001
    """Frames were not read fast enough: connect again and resume with `watch {since}`."""
    SILENT = 4002
    """No sign of life, not even an answer to a ping: connect again and resume with `watch {since}`."""
