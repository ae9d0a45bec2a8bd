"""The heartbeat: twice a second this server writes a stamp to the store, and reads what all servers must agree on.

The stamps give the store's time, the outages, the live servers, and whether the store lost or changed its data. An
outage is a time of more than two seconds without a stamp of any server, because the store, its replicas or every server
was away. On a cluster, the node with the stamps decides for all nodes.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import structlog

from fourfold.server.clock import Ticks, monotonic, ticks
from fourfold.server.storage.event_log import Callbacks, LogRefused, LogUnavailable, Outage, every
from fourfold.server.supervision import Tasks, end, supervise

PERIOD: Final = 0.5
"""Seconds between beats."""

FRESH: Final = 2.0
"""Seconds after a beat for which it is certain that there was no outage."""

ALIVE: Final = 10
"""Seconds after its last stamp for which a server counts as live. The script contains the same number."""

SAMPLES: Final = 16
"""How many of the latest beats the clock estimate uses."""

DRIFT: Final = 1000
"""How many microseconds two good clocks may drift apart over that many beats."""

SET_BACK: Final = 1_000_000
"""Microseconds by which the store's clock must be set back to be logged. A smaller step hardly delays a game."""

STAMP_KEYS: Final = (
    *("fourfold:{alive}:at", "fourfold:{alive}:outages", "fourfold:{alive}:nodes"),
    "fourfold:{alive}:data",  # the data's name, made once, and the number of its beats
)
"""The keys have one hash tag, as a script on a cluster needs it."""

STAMP: Final = """
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local at = string.format('%.0f', now)
local last = tonumber(redis.call('GET', KEYS[1]) or at)
local before = redis.call('ZSCORE', KEYS[3], ARGV[1])
if ARGV[3] == '1' then
    redis.call('SET', KEYS[1], at)
    if now - last > 2000 then
        redis.call('RPUSH', KEYS[2], string.format('%.0f %.0f', last, now))
        redis.call('LTRIM', KEYS[2], -1000, -1)
        for _, node in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do redis.call('ZADD', KEYS[3], at, node) end
    end
end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('(%.0f', now - 10000))
local new = redis.call('ZADD', KEYS[3], at, ARGV[1])
local known = redis.call('LRANGE', KEYS[2], -1, -1)
redis.call('HSETNX', KEYS[4], 'name', ARGV[2])
local beats = redis.call('HINCRBY', KEYS[4], 'beats', 1)
local name = redis.call('HGET', KEYS[4], 'name')
return {t[1], t[2], new, redis.call('ZRANGE', KEYS[3], 0, -1), known[1] or '', name, beats,
    before and tonumber(before) or -1, now}
"""
"""KEYS: as above. ARGV: the server, a name for data without one, and 1 if the store can acknowledge writes (0 prolongs
an outage). Returns the time (seconds, microseconds), 1 if the server was not known to live, the live servers, the last
outage, the data's name, the number of this beat, and when the server stamped the store before (-1: not known) and now,
in milliseconds since 1970. After an outage no server is declared dead, because none could stamp the store."""

_log = structlog.get_logger(__name__)


class _Sample(NamedTuple):
    """The clock sample of one beat: the store's time minus ours, and how long the answer took, in microseconds."""

    offset: int
    trip: int


class StoreData(NamedTuple):
    """The state of the store's data at one beat: see `STAMP`."""

    name: bytes
    beats: int
    before: int
    now: int


class Heartbeat:
    """Beats from `start` to `close`."""

    def __init__(
        self,
        node: str,
        lacking: Callable[[], Awaitable[str | None]],
        stamp: Callable[[bool], Awaitable[list[Any]]],
        history: Callable[[], Awaitable[list[bytes]]],
        ticks: Ticks = ticks,
    ) -> None:
        """`node` is this server's name. `lacking` says why the store can't acknowledge writes although it answers
        (None: it can). `stamp` runs the script, and passes whether it can. `history` reads the list of outages. The
        store's clock is compared with `ticks`."""
        self.offset = 0
        """The store's clock minus this process's ticks, in microseconds."""
        self.outages: tuple[Outage, ...] = ()
        """The latest outages, oldest first."""
        self.callbacks = Callbacks()
        self._node = node.encode()
        self._lacking = lacking
        self._stamp = stamp
        self._history = history
        self._ticks = ticks
        self._samples: deque[_Sample] = deque(maxlen=SAMPLES)
        self.asked = -FRESH
        """When the latest acknowledged beat began, in seconds of the event loop's clock."""
        self.heard = monotonic()
        """When the store last answered, also with a refusal, in seconds of the event loop's clock."""
        self._owed: float | None = None  # since when an answer of the store is pending; None if none is
        self._last_outage: bytes | None = None
        self._nodes: frozenset[bytes] = frozenset()
        self.first: StoreData | None = None
        """The store's data at the first beat; None before."""
        self.data: StoreData | None = None
        """The store's data at the latest beat; None before the first."""
        self._one_at_a_time = asyncio.Lock()
        self._beats = Tasks()  # one in progress, and one that waits for it
        self._next: asyncio.Task[None] | None = None  # the beat that waits
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Beat once, and go on in a task. Raises `LogUnavailable` if the store does not answer."""
        await self._beat()
        self._task = supervise("heartbeat", lambda: every(PERIOD, self.beat, _log, "no heartbeat"))

    async def close(self) -> None:
        """Stop."""
        await end([self._task])
        await end(self._beats)

    @property
    def silence(self) -> float:
        """Seconds for which an answer of the store has been pending; 0 if none is. Time in which this process was too
        busy to ask does not count."""
        return 0.0 if self._owed is None else monotonic() - self._owed

    @property
    def servers(self) -> int:
        """The number of live servers at the last beat."""
        return len(self._nodes)

    async def steady(self) -> None:
        """Wait for the answer to a beat that begins after this call."""
        while True:
            try:
                await self.beat()
                return
            except LogUnavailable:
                await asyncio.sleep(PERIOD / 5)  # paces the attempts

    async def beat(self) -> None:
        """Stamp the store, which is a write, in a beat that begins after this call. Calls during another beat share the
        next one. Raises `LogUnavailable`, also if the store can't acknowledge writes."""
        if self._next is None:
            self._next = self._beats.start(self._beat_in_turn())
            # marks the exception as retrieved if nobody waits
            self._next.add_done_callback(lambda beat: beat.cancelled() or beat.exception())
        await asyncio.shield(self._next)

    async def _beat_in_turn(self) -> None:
        async with self._one_at_a_time:
            self._next = None
            lacking = await self._beat()
        if lacking is not None:
            raise LogUnavailable(lacking)

    async def _beat(self) -> str | None:
        """Stamp the store; returns why it can't acknowledge writes, or None."""
        if self._owed is None:
            self._owed = monotonic()
        try:
            lacking = await self._lacking()
            begun, asked = monotonic(), self._ticks()
            seconds, micros, new, nodes, last_outage, *data = await self._stamp(lacking is None)
        except LogRefused:
            self.heard, self._owed = monotonic(), None
            raise
        answered, self._owed = self._ticks(), None
        self._set_clock(int(seconds) * 1_000_000 + int(micros), asked, answered)
        if last_outage != self._last_outage:
            await self._learn_outages(last_outage)
        self.heard = monotonic()
        if lacking is None:
            self.asked = begun
        self._meet(frozenset(nodes), new=bool(new))
        self._know_again(StoreData(*data))
        return lacking

    def _set_clock(self, time: int, asked: int, answered: int) -> None:
        """Set the clock by the quickest of the latest answers. An answer that contradicts it means that a clock was
        set."""
        sample = _Sample(time - (asked + answered) // 2, answered - asked)
        if self._samples:
            best = min(self._samples, key=lambda held: held.trip)
            if abs(sample.offset - best.offset) > (sample.trip + best.trip) // 2 + DRIFT:
                self._samples.clear()
                if (back := best.offset - sample.offset) > SET_BACK:
                    _log.warning("the store's clock was set back", milliseconds=back // 1000)
        self._samples.append(sample)
        self.offset = min(self._samples, key=lambda held: held.trip).offset

    async def _learn_outages(self, last: bytes) -> None:
        first = self._last_outage is None
        known = set(self.outages)
        self.outages = tuple(Outage(*map(int, entry.split())) for entry in await self._history())
        self._last_outage = last
        for outage in self.outages:
            if not first and outage not in known:
                self.callbacks.outage(outage)

    def _know_again(self, data: StoreData) -> None:
        """Compare the data with before: the number of beats only grows, and our own last stamp is there."""
        before, self.data = self.data, data
        if before is None:
            self.first = data
            return
        other = data.name != before.name
        if other or data.beats <= before.beats or -1 < data.before < before.now:
            what = "holds other data than before" if other else "has gone back"
            _log.error(f"the store {what}: games may have lost their end", beats=data.beats, seen=before.beats)
            self.callbacks.loss()

    def _meet(self, nodes: frozenset[bytes], *, new: bool) -> None:
        lost = self._nodes - nodes
        first, self._nodes = not self._nodes, nodes
        if lost:
            self.callbacks.lost({node.decode() for node in lost})
        if new and not first:
            self.callbacks.back()
