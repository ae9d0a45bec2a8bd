"""The interface of the event log. It stores everything that happens in a room.

A room's log is a list of decisions, numbered from 1 without gaps. It only grows, by `append`, which names the expected
version. If two writers expect the same version, one wins. Servers need no other coordination. Each entry has a lineage,
a digest of all entries before it. Writers name it too. A reader that names its lineage learns whether the log has
changed since, because the store went back or lost its end.

Servers that share a log also share a clock (`now`), the times when the store was away (`outages`), the list of live
servers (`watch`), messages about a room that are not stored (`tell`), and a list of rooms to check at a time
(`remind`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, Protocol

from fourfold.engine.decisions import Decision


class AppendConflict(Exception):
    """The log is not at the expected version, because another writer was first. Read on and decide again."""


class LogUnavailable(Exception):
    """The store can't be reached, or refuses writes. An append may still have been stored: read the log to find out."""


class LogRefused(LogUnavailable):
    """The store answers, and refuses."""


@contextmanager
def unless_unavailable(log: Any, lack: str, **about: object) -> Iterator[None]:
    """Run a block whose effect can be missed. If the store or the archive is unavailable, the rest of the block is left
    out, and `log` has an event at level debug: the `lack`, such as "call not sent", and what it is `about`."""
    try:
        yield
    except LogUnavailable as error:
        log.debug(lack, **about, error=str(error))


async def every(seconds: float, work: Callable[[], Awaitable[object]], log: Any, lack: str) -> None:
    """Run `work` every `seconds`, for ever, first after `seconds`: see `unless_unavailable`."""
    while True:
        await asyncio.sleep(seconds)
        with unless_unavailable(log, lack):
            await work()


async def until_available(seconds: float, work: Callable[[], Awaitable[object]], log: Any, lack: str) -> None:
    """Run `work`, and again after `seconds` until the store and the archive are available: see `unless_unavailable`."""
    while True:
        with unless_unavailable(log, lack):
            await work()
            return
        await asyncio.sleep(seconds)  # paces the attempts


class OtherLineage(Exception):
    """The log does not continue the reader's copy: the store has lost data. Read from the start."""


class UnreadableEntry(Exception):
    """Entry `seq` of a log can't be read or applied here. So no later entry can."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"Entry {seq} cannot be read: {why}.")
        self.seq = seq


class DamagedEntry(UnreadableEntry):
    """The entry differs from what was written, or can't have happened."""


class NewerEntry(UnreadableEntry):
    """A newer version of this server wrote the entry."""


class Outage(NamedTuple):
    """A period, in milliseconds since 1970, in which no write could be acknowledged: no server reached the store, or
    too few of its replicas answered."""

    start: int
    end: int


class Notification(NamedTuple):
    """Decision `seq` of a room was appended. `lineage` is None if unknown; `decision` returns the decision.

    `decision` takes the lineage of the entry before, or None if unknown. It raises `OtherLineage` or `UnreadableEntry`.
    """

    seq: int
    lineage: bytes | None
    decision: Callable[[bytes | None], Decision]


class Listener:
    """Gets the notifications of a room. Methods that are not overridden do nothing. Methods never block."""

    def notified(self, notification: Notification) -> None:
        """A decision was appended. Calls come in order; some may be missing or come twice.

        A server's own appends may or may not be notified.
        """

    def told(self, message: bytes) -> None:
        """A server, perhaps this one, has sent a message about the room."""

    def missed(self) -> None:
        """Notifications and messages may have been missed."""


class Witness:
    """Records outside the store what the store has acknowledged. This base class records nothing. Methods never
    block."""

    def note(self, room: str, decision: Decision, keep: int | None) -> None:
        """A decision was acknowledged; its log is kept for `keep` milliseconds (None: for ever)."""

    def forget(self, room: str) -> None:
        """The log has left the store, because it is in the archive."""

    def doubt(self, room: str | None = None) -> None:
        """The store may have lost a room's log; with None, any of them."""

    def went_back(self, room: str, kept: int) -> bool:
        """A room was found at version `kept`, which is less than was acknowledged. Returns whether that was unknown."""
        return True


NO_WITNESS: Final = Witness()


class Callbacks(NamedTuple):
    """Callbacks for events that concern all rooms.

    `outage` is called with each new outage, `lost` with the names of dead servers, and `back` if other servers had
    declared this one dead. `loss` is called when the store has lost data, after `missed` of all listeners. `replaced`
    is called, also after `missed`, when a replica of the store has taken over. It may lack what was written last.
    """

    outage: Callable[[Outage], None] = lambda _: None
    lost: Callable[[Collection[str]], None] = lambda _: None
    back: Callable[[], None] = lambda: None
    loss: Callable[[], None] = lambda: None
    replaced: Callable[[], None] = lambda: None


class AppendRequest(NamedTuple):
    """One decision to append.

    `expected` is the version of the log before the append. `by` is a player's id and `key` the key of their command. A
    writer that can't know whether an append was stored looks for both in the log. If nothing more is appended for
    `keep` milliseconds (or a hundredth less), the room's whole log is deleted; with None it stays. `lineage` is that of
    the last entry. With None the new entry has no seal, like the entries of older servers.
    """

    room: str
    expected: int
    by: str
    key: str
    events: tuple[Any, ...]
    keep: int | None = None
    lineage: bytes | None = None


class Messages(Protocol):
    """Messages between the servers that share a store, each under the id of a room. They are not stored. Some rooms
    exist only for their messages. `node` is the name of this server. Every `EventLog` implements it; most users need
    no more."""

    node: str

    async def follow(self, room: str, listener: Listener) -> None:
        """Notify `listener` of the room's events from now on. Each room has one listener; the last one counts.

        Raises `LogUnavailable`.
        """

    async def unfollow(self, room: str, listener: Listener) -> None:
        """Stop notifying `listener`."""

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        """Send a message to the listeners of a room on all servers, in the order of appends. It is not stored.

        Returns the number of servers that get it, this one included if it follows. In rare cases a server gets it
        twice, or misses it; then its listener's `missed` is called. Fails with `LogUnavailable`.
        """

    def watch(self, callbacks: Callbacks) -> None:
        """Add callbacks."""


class EventLog(Messages, Protocol):
    """The contract of every log. `RedisLog` implements it, and a log in memory in the tests; both pass the same tests.
    Logs report acknowledged decisions to `witness`."""

    witness: Witness = NO_WITNESS

    def append(self, request: AppendRequest) -> asyncio.Future[Decision]:
        """Add one decision. The future is done once it is durable.

        Fails with `AppendConflict`, also if the log has another lineage. Fails with `LogUnavailable`; then the decision
        may still have been stored.
        """

    async def keep_line(self, room: str, line: bytes, most: int, life: int) -> None:
        """Keep a line of a room's chat beside its log: the latest `most` lines, for `life` milliseconds after the last
        one. They end with a log that has left the store. Raises `LogUnavailable`."""

    async def lines(self, room: str) -> list[bytes]:
        """The kept lines of a room's chat, oldest first. Raises `LogUnavailable`."""

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        """All decisions after version `after`, oldest first.

        With the `lineage` that the reader holds at that version, raises `OtherLineage` if the log has none or another
        there, or if its entries do not follow each other. Raises `UnreadableEntry`, and `LogUnavailable`.
        """

    def now(self) -> int:
        """The time by the log's own clock, in milliseconds since 1970. It is almost the same on all servers."""

    @property
    def crowded(self) -> str | None:
        """Why the store is too full for new rooms; None if it is not."""

    @property
    def read_only(self) -> str | None:
        """Why no decision is written now, in a sentence for players; None if they are."""

    @property
    def certain(self) -> bool:
        """Whether all outages so far are known: the store has answered a request from the last two seconds."""

    async def beat(self) -> None:
        """Ask the store now whether it was away. Raises `LogUnavailable`."""

    async def steady(self) -> None:
        """Wait until the store has answered a request made after this call. Then all outages so far are known."""

    def outages(self) -> Sequence[Outage]:
        """The latest outages, oldest first."""

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        """Set reminders for rooms (None: remove), and take up to `take` rooms whose time has come.

        A taken room is put off by `lease` milliseconds, so that no other server takes it at once. Raises
        `LogUnavailable`.
        """
