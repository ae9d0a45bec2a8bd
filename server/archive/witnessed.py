"""The witness's records of a store, and the losses it finds. Pure."""

from collections.abc import Iterable
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

    @classmethod
    def of(cls, missing: Iterable[int]) -> "Loss":
        """The loss of rooms, each with its number of missing decisions. A room without any does not count."""
        rooms = [decisions for decisions in missing if decisions]
        return cls(len(rooms), sum(rooms))

    def __str__(self) -> str:
        rooms, decisions = ("" if number == 1 else "s" for number in self)
        return f"{self.rooms} room{rooms} went back, by {self.decisions} decision{decisions}"
