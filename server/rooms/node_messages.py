"""What nodes tell one another about a room. None of it is logged: whoever missed it does without, or asks again."""

from typing import Final

import msgspec


class Here(msgspec.Struct, tag=True):
    """A node's share of those who are here: its players' ids, and how many watch. With `ask`, it wants all others'.

    `seq` is the version of the room that it holds: whoever holds an older one has missed something. `left` is when it
    saw players go, and `began` since when it has seen all who come and go, in milliseconds since 1970.
    """

    node: str
    players: list[str]
    watchers: int
    seq: int
    ask: bool = False
    left: dict[str, int] = {}
    began: int | None = None


class Said(msgspec.Struct, tag=True):
    """What a player says, to `all` or to the `table`, and when."""

    player: str
    name: str
    text: str
    to: str
    time: int


class Roll(msgspec.Struct, tag=True):
    """A node wants to know which of some players are there now: each is to answer a ping. `number` is this roll's."""

    number: str
    players: list[str]


class Present(msgspec.Struct, tag=True):
    """A player of the roll of that `number` has answered, from an address (empty: from the machine itself)."""

    number: str
    player: str
    origin: str


Talk = Here | Said | Roll | Present
"""Any of them."""

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final[msgspec.msgpack.Decoder[Talk]] = msgspec.msgpack.Decoder(Talk)


def write(talk: Talk) -> bytes:
    """As bytes."""
    return _encoder.encode(talk)


def read(message: bytes) -> Talk | None:
    """What `write` made bytes of; None for what only a newer node understands."""
    try:
        return _decoder.decode(message)
    except msgspec.DecodeError:
        return None
