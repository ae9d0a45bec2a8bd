"""The messages between nodes about a room. They are not logged. A node that missed one may ask again."""

from typing import Final

import msgspec


class Here(msgspec.Struct, tag=True):
    """The players on one node: their ids, and the number of watchers. With `ask`, the other nodes reply with theirs.

    `seq` is the version of the room on that node. A node with an older version has missed something. `left` says when
    players left, or were last seen on another node. `began` is the time since when the node has seen all arrivals and
    departures (ms since 1970).
    """

    node: str
    players: list[str]
    watchers: int
    seq: int
    ask: bool = False
    left: dict[str, int] = {}
    began: int | None = None


class Said(msgspec.Struct, tag=True):
    """A chat message of a player, to `all` or to the `table`, its time (ms since 1970), and the player's seat (None for
    a watcher)."""

    player: str
    name: str
    text: str
    to: str
    time: int
    seat: str | None = None


class Reacted(msgspec.Struct, tag=True):
    """A quick reaction of a player, and its time (ms since 1970)."""

    player: str
    name: str
    reaction: str
    time: int


class Probe(msgspec.Struct, tag="Roll"):
    """A node asks which of some players are here now. The nodes ping them. `number` identifies the question."""

    number: str
    players: list[str]


class Alive(msgspec.Struct, tag="Present"):
    """A player has answered the ping of a probe, from an address (empty: from the machine itself)."""

    number: str
    player: str
    origin: str


class Rewritten(msgspec.Struct, tag=True):
    """A command has rewritten or erased the room's log. Nodes must compare their copy with it."""


NodeMessage = Here | Said | Reacted | Probe | Alive | Rewritten

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final[msgspec.msgpack.Decoder[NodeMessage]] = msgspec.msgpack.Decoder(NodeMessage)


def write(message: NodeMessage) -> bytes:
    """A message as bytes."""
    return _encoder.encode(message)


def read(message: bytes) -> NodeMessage | None:
    """The message of these bytes; None for a message type of a newer node."""
    try:
        return _decoder.decode(message)
    except msgspec.DecodeError:
        return None
