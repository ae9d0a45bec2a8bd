"""What the witness remembers of a store, and what it finds lost. Pure."""

from typing import NamedTuple


class Mark(NamedTuple):
    """The last decision of a room that was acknowledged: its version, its lineage and its time (ms since 1970). The
    store may forget the room from `until` on (ms since 1970); None if it keeps it for good."""

    room: str
    seq: int
    lineage: bytes
    at: int
    until: int | None


class Beat(NamedTuple):
    """A beat of the servers: the name of the store's data, the number of the beat, and its time (ms since 1970)."""

    data: str
    beats: int
    at: int


class Loss(NamedTuple):
    """How many rooms hold less than was acknowledged, and how many decisions they lack."""

    rooms: int
    decisions: int

    def __str__(self) -> str:
        rooms, decisions = ("" if number == 1 else "s" for number in self)
        return f"{self.rooms} room{rooms} went back, by {self.decisions} decision{decisions}"
