"""The messages that nodes send each other about a room. None is logged: a node that missed one may ask again."""

from typing import Final

import msgspec


class Here(msgspec.Struct, tag=True):
    """Who is here by a node: the players' ids, and how many watch. With `ask`, the other nodes are to send theirs.

    `seq` is the version of the room that the node holds: a node that holds an older one has missed something. `left` is
    when players left, or were last known to be on another node, and `began` since when the node has seen everybody come
    and leave (ms since 1970).
    """

    node: str
    players: list[str]
    watchers: int
    seq: int
    ask: bool = False
    left: dict[str, int] = {}
    began: int | None = None


class Said(msgspec.Struct, tag=True):
    """What a player says, to `all` or to the `table`, and when (ms since 1970)."""

    player: str
    name: str
    text: str
    to: str
    time: int


class Probe(msgspec.Struct, tag="Roll"):
    """A node asks which of some players are here now: each is to answer a ping. `number` identifies the question."""

    number: str
    players: list[str]


class Alive(msgspec.Struct, tag="Present"):
    """A player has answered the ping for a probe, from an address (empty: from the machine itself)."""

    number: str
    player: str
    origin: str


class Rewritten(msgspec.Struct, tag=True):
    """A command has changed the room's log, or erased it: what a node holds is to be compared with it."""


NodeMessage = Here | Said | Probe | Alive | Rewritten

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final[msgspec.msgpack.Decoder[NodeMessage]] = msgspec.msgpack.Decoder(NodeMessage)


def write(message: NodeMessage) -> bytes:
    """A message as bytes."""
    return _encoder.encode(message)


def read(message: bytes) -> NodeMessage | None:
    """The message that `write` made these bytes of; None for one that only a newer node knows."""
    try:
        return _decoder.decode(message)
    except msgspec.DecodeError:
        return None
