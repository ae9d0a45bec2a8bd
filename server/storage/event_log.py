"""The event log, as an interface: everything that happens in a room is kept through it.

A room's log is a list of decisions, numbered from 1 without gaps. It only grows, by `append`, which names the version
that it expects; of two writers who expect the same version, one wins. There is no other coordination between servers.
Each entry has a lineage, a digest of what lies before it. A writer names that too; a reader who names the lineage it
holds learns if the log has become another one (a store that went back, or lost its end).

The servers that share a log also share a clock (`now`), the times when the store was away (`outages`), the list of
servers that live (`watch`), messages about a room that are not stored (`tell`), and a list of the rooms that a server
must look at (`remind`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

import structlog

from fourfold.engine.match.events import Decision

_log = structlog.get_logger(__name__)


class AppendConflict(Exception):
    """The log is not at the expected version, because another writer was first. Read on and decide again."""


class LogUnavailable(Exception):
    """The store can't be reached, or refuses to write. An append may have been kept all the same: read to find out."""


class LogRefused(LogUnavailable):
    """The store answers, and refuses."""


class OtherLineage(Exception):
    """The log does not continue what its reader holds: the store has lost data. Read from the start."""


class UnreadableEntry(Exception):
    """Entry `seq` of a log can't be read or applied here, and so none after it can."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"Entry {seq} cannot be read: {why}.")
        self.seq = seq


class DamagedEntry(UnreadableEntry):
    """The entry is not what was written, or can't have happened."""


class NewerEntry(UnreadableEntry):
    """The entry was written by a newer version of this server."""


class Outage(NamedTuple):
    """A period, in milliseconds since 1970, in which nothing could be acknowledged: no server reached the store, or too
    few of its replicas answered."""

    start: int
    end: int


class Notification(NamedTuple):
    """Decision `seq` of a room was appended; its lineage, None if that is not told; and what gives the decision.

    `decision` takes the lineage that must lie before it, None if that is not known. It raises `OtherLineage` or
    `UnreadableEntry`.
    """

    seq: int
    lineage: bytes | None
    decision: Callable[[bytes | None], Decision]


class Listener:
    """Is notified of what happens in a room, and does nothing about what it does not override. Its methods never
    block."""

    def notified(self, notification: Notification) -> None:
        """A decision was appended. Calls come in order; some may be missing, some come twice.

        Of decisions that this server appends itself it may be notified or not.
        """

    def told(self, message: bytes) -> None:
        """A server, perhaps this one, has told this about the room."""

    def missed(self) -> None:
        """Notifications and messages may have been missed."""


class Witness:
    """Remembers outside of the store what the store has acknowledged. This one remembers nothing. Its methods never
    block."""

    def note(self, room: str, decision: Decision, keep: int | None) -> None:
        """A decision was acknowledged; its log is kept for `keep` milliseconds (None: for good)."""

    def forget(self, room: str) -> None:
        """The log has left the store, because it is in the archive."""

    def doubt(self, room: str | None = None) -> None:
        """The store may have lost a room's log; with None, any of them."""

    def went_back(self, room: str, kept: int) -> bool:
        """A room was found at version `kept`, which is less than was acknowledged. Returns whether that is news."""
        return True


NO_WITNESS: Final = Witness()


async def learn_again(
    missed: asyncio.Event, learn: Callable[[], Awaitable[None]], pause: float, said: str
) -> None:
    """Call `learn` whenever something was missed. While it raises `LogUnavailable`, the log says `said`, and it is
    called again after `pause` seconds."""
    while True:
        await missed.wait()
        missed.clear()
        try:
            await learn()
        except LogUnavailable as error:
            _log.debug(said, error=str(error))
            missed.set()
            await asyncio.sleep(pause)  # paces the attempts


class Callbacks(NamedTuple):
    """What to call when something happens to all rooms at once.

    `outage` is called with each new one, `lost` with the names of servers that are gone, `back` if this server was
    taken for gone, and `loss` when the store has lost data, after all listeners were told that they missed something.
    """

    outage: Callable[[Outage], None] = lambda _: None
    lost: Callable[[Collection[str]], None] = lambda _: None
    back: Callable[[], None] = lambda: None
    loss: Callable[[], None] = lambda: None


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
    events: tuple[Any, ...]
    keep: int | None = None
    lineage: bytes | None = None


class EventLog(Protocol):
    """What every log promises. `node` is the name of this server among those that share the log; writers tell its
    `witness` what was acknowledged."""

    node: str
    witness: Witness = NO_WITNESS

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
        """Tell `listener` from now on what happens in the room. There is one for each room; the last one counts.

        Raises `LogUnavailable`.
        """
        ...

    async def unfollow(self, room: str, listener: Listener) -> None:
        """Tell `listener` nothing more."""
        ...

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        """Send a message to the listeners of a room on all servers, in the order of appends. It is not stored.

        Gives the number of servers that get it, this one included if it follows. Rarely a server gets it twice, or
        misses it, and then its listener is told of a miss. Fails with `LogUnavailable`.
        """
        ...

    def now(self) -> int:
        """The time by the log's own clock, in milliseconds since 1970. It is almost the same on all servers."""
        ...

    @property
    def crowded(self) -> bool:
        """Whether the store is so full that no new rooms should be opened."""
        ...

    @property
    def certain(self) -> bool:
        """Whether all outages so far are known: the store has answered a question of the last two seconds."""
        ...

    async def beat(self) -> None:
        """Ask the store now whether it was away. Raises `LogUnavailable`."""
        ...

    async def steady(self) -> None:
        """Wait until the store has answered a question asked after this call. Then all outages so far are known."""
        ...

    def outages(self) -> Sequence[Outage]:
        """The latest outages, oldest first."""
        ...

    def watch(self, callbacks: Callbacks) -> None:
        """Call these from now on, and no others."""
        ...

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        """Note when rooms must be looked at (None: no longer), and take up to `take` whose time has come.

        A room that is taken is put off by `lease` milliseconds, so that no other server takes it at once. Raises
        `LogUnavailable`.
        """
        ...
