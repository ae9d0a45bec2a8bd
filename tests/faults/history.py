"""The events of a schedule from the clients' view: the input of the checker, in memory and as JSON.

A history has the log of every room in the store, and all messages of every connection, with the times. All of it is
plain data with the names of the wire protocol, so that a history can be written by hand as well.
"""

import asyncio
import json
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import msgspec

from fourfold.engine.decisions import Decision
from fourfold.engine.match.events import Created
from fourfold.protocol import projection
from fourfold.protocol.from_server import Ok

Frame = dict[str, Any]


class Record(NamedTuple):
    """One message of one connection: its time (milliseconds since 1970), its connection, its direction (`out` or `in`),
    and its content. The direction `holds` is a client's final state of a room: `room`, the `end` of its log at that
    moment, and the `table`, as in a snapshot."""

    at: float
    who: str
    way: Literal["out", "in", "holds"]
    frame: Frame


class Entry(NamedTuple):
    """One decision in the store. The first event of a room's first entry is `created`, which has the fields of a
    `create` request, and the `host` and the `seed`."""

    seq: int
    at: int
    by: str
    key: str
    events: list[Frame]


class Fork(NamedTuple):
    """The store went back: at `at` it still had these `rooms` and these `outages`, and since then others.

    From `until` on, all clients must have the later state.
    """

    at: float
    until: float
    rooms: dict[str, list[Entry]]
    outages: list[tuple[int, int]]


@dataclass
class History:
    """The history of a schedule. All times are in milliseconds.

    `slack` is the largest difference between the clocks of nodes and store. `late` is the longest delay of a received
    frame. `behind` is the longest delay until a node knows of arrivals at another. `returns` are the times when there
    was a node again after there had been none. `rooms` and `outages` are the store's final data, after its `fork`, if
    it went back. `remembered` are outages that it lost then, and that nodes may have known for a moment longer.
    From `calm` on there are no faults, and a decision reaches the followers of its room within `prompt`. `back` is
    by how much the store's clock was set back at most: a decision may be so much later than its time.
    """

    slack: float = 100
    late: float = 100
    returns: list[float] = field(default_factory=list)
    outages: list[tuple[int, int]] = field(default_factory=list)
    rooms: dict[str, list[Entry]] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    fork: Fork | None = None
    behind: float = 100
    remembered: list[tuple[int, int]] = field(default_factory=list)
    calm: float = math.inf
    prompt: float = math.inf
    back: float = 0

    @classmethod
    def read(cls, text: str) -> Self:
        """From JSON."""
        raw = json.loads(text)
        fork = raw.get("fork")
        return cls(
            raw.get("slack", 100),
            raw.get("late", 100),
            raw.get("returns", []),
            [(start, end) for start, end in raw.get("outages", [])],
            _rooms(raw["rooms"]),
            [Record(*record) for record in raw["records"]],
            fork and Fork(fork["at"], fork["until"], _rooms(fork["rooms"]), list(map(tuple, fork["outages"]))),
            raw.get("behind", 100),
        )

    def write(self, path: Path) -> None:
        """As JSON, a line for each entry and record."""
        names = ("slack", "late", "behind", "returns", "outages")
        times = {name: getattr(self, name) for name in names}
        parts = [json.dumps(times)[1:-1], f'"rooms": {_written(self.rooms)}', f'"records": [\n{_lines(self.records)}]']
        if self.fork is not None:
            at, until, rooms, outages = self.fork
            moments = json.dumps({"at": at, "until": until, "outages": outages})[:-1]
            parts.append(f'"fork": {moments}, "rooms": {_written(rooms)}}}')
        path.write_text("{" + ",\n".join(parts) + "}\n")


def _rooms(raw: dict[str, Any]) -> dict[str, list[Entry]]:
    return {room: [Entry(**entry) for entry in entries] for room, entries in raw.items()}


def _written(rooms: dict[str, list[Entry]]) -> str:
    logs = (
        f"{json.dumps(room)}: [\n{_lines(entry._asdict() for entry in entries)}]" for room, entries in rooms.items()
    )
    return "{" + ",\n".join(logs) + "}"


def _lines(values: Iterable[Any]) -> str:
    return ",\n".join(json.dumps(value, separators=(",", ":")) for value in values)


class Recorder:
    """Records the messages of connections; `acknowledged` counts the commands answered with `ok`."""

    def __init__(self) -> None:
        self._records: list[tuple[float, str, Literal["out", "in", "holds"], Any]] = []
        self.acknowledged = 0
        self._more = asyncio.Event()

    def observer(self, who: str) -> Callable[[Literal["in", "out"], Any], None]:
        """The callback for the messages of a connection with this name."""

        def observe(way: Literal["in", "out"], message: Any) -> None:
            self._records.append((time.time() * 1000, who, way, message))
            if way == "in" and isinstance(message, Ok):
                self.acknowledged += 1
                self._more.set()

        return observe

    async def reach(self, acknowledged: int) -> None:
        """Wait until `acknowledged` commands have been acknowledged."""
        while self.acknowledged < acknowledged:
            self._more.clear()
            await self._more.wait()

    def holds(self, who: str, frame: Frame) -> None:
        """Record a client's final state of a room."""
        self._records.append((time.time() * 1000, who, "holds", frame))

    def records(self) -> list[Record]:
        """All of it as plain data."""
        return [Record(at, who, way, msgspec.to_builtins(message)) for at, who, way, message in self._records]


def entry(room: str, names: tuple[str, ...], decision: Decision) -> Entry:
    """A decision in the names of the wire protocol."""
    told = msgspec.to_builtins(projection.update(room, names, decision))
    events = told["events"]
    first = decision.events[0]
    if isinstance(first, Created):
        control = first.control
        clock = None
        if control is not None:
            clock = {"base": control.base, "increment": control.increment, "delay": control.delay}
        created = {"type": "created", "variant": first.variant, "position": first.position, "host": first.host}
        terms = {"delay": first.terms.delay, "rated": first.terms.rated, "fill": first.terms.fill}
        events = [{**created, "clock": clock, "seed": first.seed, **terms}, *events]
    return Entry(decision.seq, decision.at, decision.by, decision.key, events)
