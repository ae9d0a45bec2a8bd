"""The log: the port through which everything that happens is kept, and its form in memory.

A room's log is a list of decisions numbered from 1 without gaps. It only grows, by `append`, which
names the version it expects; of two writers who expect the same version, one wins. That is all
the coordination Fourfold has. Each entry has a lineage, which says what lies before it: a writer names that too, and
a reader who names what it holds learns if the log has become another (a store that went back, or lost its end).

Beside the log, the nodes that share it share a clock (`now`), the knowledge of when the store was away
(`outages`) and of who else lives (`watch`), a word about a room that nobody keeps (`tell`), and a list
of the rooms that somebody must look at (`remind`).
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from fourfold.engine.match.events import Decision, Event


class AppendConflict(Exception):
    """The log is not at the expected version: someone else was first. Read on and decide again."""


class LogUnavailable(Exception):
    """The store cannot be reached or refuses to write. Whether an append landed is then unknown: read to find out."""


class LogRefused(LogUnavailable):
    """The store is there, and refuses to do it."""


class OtherLineage(Exception):
    """The log does not go on from what its reader holds: the store has lost what it had kept. Read from the start."""


class UnreadableEntry(Exception):
    """An entry of a log that cannot be read or carried out here; none after it can."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"Entry {seq} cannot be read: {why}.")
        self.seq = seq


class DamagedEntry(UnreadableEntry):
    """It is not what was written, or nothing that can have happened."""


class NewerEntry(UnreadableEntry):
    """A newer version of this server wrote it, and can read it."""


class Outage(NamedTuple):
    """A time, in milliseconds since 1970, in which no node reached the store: nobody could do anything."""

    start: int
    end: int


class Read(Protocol):
    """Gives a decision to a listener who holds the lineage `before` it, or does not say so.

    Raises `OtherLineage`, `UnreadableEntry`, or `LogUnavailable` if it must be read from the log. `lineage` is
    what the doorbell says that the decision's is, None if it does not.
    """

    lineage: bytes | None

    def __call__(self, before: bytes | None = None) -> Decision: ...


class Listener(Protocol):
    """Who follows a room. Its calls never block."""

    def ring(self, seq: int, read: Read) -> None:
        """The log took decision `seq`, which `read` gives. In order; but some may be missed, some ring twice.

        This node's own decisions, of which `append` tells, may ring or not.
        """
        ...

    def hear(self, message: bytes) -> None:
        """Somebody told this about the room; perhaps this very node."""
        ...

    def miss(self) -> None:
        """Decisions may have been taken, and things told, unheard."""
        ...


class AppendRequest(NamedTuple):
    """One decision to append.

    `expected` is the version that the log must be at. `by` is a player's id and `key` that of their command: whoever
    can't know whether an append was kept looks for both in the log. If nothing more is appended for `keep`
    milliseconds (or a hundredth less), the room's whole log is deleted; with None it stays. `lineage` is that of the
    last entry; with None the new one has no seal, like the entries of older servers.
    """

    room: str
    expected: int
    by: str
    key: str
    events: tuple[Event, ...]
    keep: int | None = None
    lineage: bytes | None = None


class EventLog(Protocol):
    """What every log promises. `node` is the name of this node among all that share it."""

    node: str

    def append(self, request: AppendRequest) -> asyncio.Future[Decision]:
        """Add one decision. The future is done once it is durable.

        Fails with `AppendConflict`, also if the log has another lineage, or with `LogUnavailable`: then the decision
        may have been kept all the same.
        """
        ...

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        """All decisions after version `after`, oldest first.

        With the `lineage` that the reader holds at that version, raises `OtherLineage` if the log has none or
        another there, as it does if its entries do not follow each other. Raises `UnreadableEntry`, and
        `LogUnavailable`.
        """
        ...

    async def follow(self, room: str, listener: Listener) -> None:
        """From now on, let `listener` hear of the room: one for each room, the last one counts.

        Raises `LogUnavailable`.
        """
        ...

    async def unfollow(self, room: str, listener: Listener) -> None:
        """Let `listener` hear no more."""
        ...

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        """Let everybody who follows the room hear this, in the order of appends. Nobody keeps it.

        Gives the number of nodes that hear it, this one included if it follows. It may, seldom, be heard
        twice, or not by a node whose listener is then told of a miss. Fails with `LogUnavailable`.
        """
        ...

    def now(self) -> int:
        """The time by the log's own clock, the same on every node within some milliseconds."""
        ...

    @property
    def healthy(self) -> bool:
        """Whether the store has answered within the last two seconds."""
        ...

    @property
    def crowded(self) -> bool:
        """Whether there is so little room left that no new logs should be begun."""
        ...

    async def steady(self) -> None:
        """Wait until the store has answered something asked after this call: until all outages so far are known."""
        ...

    def outages(self) -> Sequence[Outage]:
        """The latest outages, oldest first."""
        ...

    def watch(
        self,
        outage: Callable[[Outage], None],
        lost: Callable[[Collection[str]], None],
        back: Callable[[], None],
        loss: Callable[[], None] = lambda: None,
    ) -> None:
        """Call `outage` with each new one, `lost` with nodes that live no more, `back` if this one was thought lost.

        `loss` is called when the store has lost what it had kept, after all listeners were told of a miss.
        """
        ...

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        """Note when each of some rooms must be looked at (None: no more), and take up to `take` whose time has come.

        One that is taken is put off by `lease` milliseconds, so that nobody else takes it at once.
        Raises `LogUnavailable`.
        """
        ...
