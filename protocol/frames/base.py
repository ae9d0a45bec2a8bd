"""The base of all frames, and the replies that many requests share."""

from msgspec import UNSET, Struct, UnsetType

ReplyId = int | UnsetType
"""The id of the request that this frame answers. Other frames have no id."""


class Frame(Struct, tag_field="type", tag=str.lower):
    """The base of all frames."""


class Reply(Frame, kw_only=True):
    """A frame that can answer a request."""

    id: ReplyId = UNSET


class Ok(Reply):
    """The server has carried out the request, and the result is durable. `seq` is the version at which this happened.
    If chapters were added, `notes` are sentences about parts of their text that were not read."""

    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET


class Error(Reply):
    """The server refused the request: see *Errors* for the codes.

    `seq` is the room's current version, if the request named a room. `retry` is the number of milliseconds after which
    the same request can succeed, if it only came too early.
    """

    kind: str
    code: str
    message: str
    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    retry: int | UnsetType = UNSET


class Pong(Reply):
    """The server is there. `time` is its time."""

    time: int


class Closing(Frame):
    """The server is about to close the connection. Reconnect after `retry` milliseconds and resume.

    The `reason` is `restart`, or `store`: this server can't reach its store, but another one may.
    """

    reason: str
    retry: int
