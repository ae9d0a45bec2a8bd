"""The witness's records of a store, and the losses it finds. Pure."""

from typing import NamedTuple


class Mark(NamedTuple):
    """The last acknowledged decision of a room: its version, its lineage and its time (ms since 1970). The store may
    delete the room from `until` on (ms since 1970); None if it keeps it for ever."""

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
    """The number of rooms that hold less than was acknowledged, and the number of missing decisions."""

    rooms: int
    decisions: int

    def __str__(self) -> str:
        rooms, decisions = ("" if number == 1 else "s" for number in self)
        return f"{self.rooms} room{rooms} went back, by {self.decisions} decision{decisions}"
