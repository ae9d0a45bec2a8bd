"""The beat of a node: twice a second it stamps the store, and so learns what all nodes must agree on.

That is: what time it is, by the store's own clock; when nobody reached the store (an outage: for more than
two seconds no node of all has stamped it, because the store was away or every server was); which nodes live;
and whether the store holds other data than before, or has lost some. It knows neither rooms nor games. On a
cluster, the server that holds the stamps speaks for all.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from time import monotonic, monotonic_ns
from typing import Any, Final, NamedTuple

import structlog

from fourfold.server.storage.event_log import LogRefused, LogUnavailable, Outage
from fourfold.server.storage.tasks import end
from fourfold.server.supervision import supervise

PERIOD: Final = 0.5
"""Seconds between beats."""

FRESH: Final = 2.0
"""For so long, in seconds, the answer to a beat counts as health."""

SAMPLES: Final = 16
"""How many of the latest beats the clock is estimated from."""

DRIFT: Final = 1000
"""Microseconds by which two good clocks may drift apart during that."""

STAMP_KEYS: Final = (
    *("fourfold:{alive}:at", "fourfold:{alive}:outages", "fourfold:{alive}:nodes"),
    "fourfold:{alive}:data",  # the data's name, made once, and how many beats it has seen
)
"""Of one hash tag, as a script on a cluster needs it."""

STAMP: Final = """
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local at = string.format('%.0f', now)
local last = tonumber(redis.call('GET', KEYS[1]) or at)
local before = redis.call('ZSCORE', KEYS[3], ARGV[1])
redis.call('SET', KEYS[1], at)
if now - last > 2000 then
    redis.call('RPUSH', KEYS[2], string.format('%.0f %.0f', last, now))
    redis.call('LTRIM', KEYS[2], -1000, -1)
    for _, node in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do redis.call('ZADD', KEYS[3], at, node) end
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
"""KEYS: as above. ARGV: the node, and a name for data that have none. Returns the time (seconds, microseconds), 1 if
the node was not taken to live, the nodes that live, the last outage, the data's name, the number of this beat, and
when the node had stamped the store before (-1: not known) and has now, in milliseconds since 1970. After an outage
nobody is given up: it was not the nodes' fault."""


class _Sample(NamedTuple):
    """What one beat says of the clock: store's time minus ours, and how long the answer took, in microseconds."""

    offset: int
    trip: int


class _Data(NamedTuple):
    """What one beat says of the store's data: see `STAMP`."""

    name: bytes
    beats: int
    before: int
    now: int


class Heartbeat:
    """Beats from `start` to `close`. `stamp` runs the script, `history` reads the list of outages."""

    def __init__(
        self, node: str, stamp: Callable[[], Awaitable[list[Any]]], history: Callable[[], Awaitable[list[bytes]]]
    ) -> None:
        self._node = node.encode()
        self._stamp = stamp
        self._history = history
        self._samples: deque[_Sample] = deque(maxlen=SAMPLES)
        self._offset = 0
        self._answered = -FRESH
        self.heard = monotonic()
        """When the store last answered, be it by a refusal, in seconds of `time.monotonic`."""
        self._last_outage: bytes | None = None
        self._outages: tuple[Outage, ...] = ()
        self._nodes: frozenset[bytes] = frozenset()
        self._data: _Data | None = None  # as last seen
        self._one_at_a_time = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._on_outage: Callable[[Outage], None] = lambda _: None
        self._on_lost: Callable[[Collection[str]], None] = lambda _: None
        self._on_back: Callable[[], None] = lambda: None
        self._on_loss: Callable[[], None] = lambda: None

    async def start(self) -> None:
        """Beat once, then go on by itself. Raises `LogUnavailable`."""
        await self.beat()
        self._task = supervise("heartbeat", self._go_on)

    async def close(self) -> None:
        """Beat no more."""
        if self._task is not None:
            await end([self._task])

    def now(self) -> int:
        """The store's time, in milliseconds since 1970."""
        return (monotonic_ns() // 1000 + self._offset) // 1000

    @property
    def error(self) -> float:
        """By how many milliseconds `now` may be wrong: half the quickest answer's trip."""
        return min(held.trip for held in self._samples) / 2000

    @property
    def healthy(self) -> bool:
        """Whether the last answer is fresh."""
        return monotonic() - self._answered < FRESH

    @property
    def accompanied(self) -> bool:
        """Whether other nodes lived at the last beat."""
        return len(self._nodes) > 1

    @property
    def outages(self) -> Sequence[Outage]:
        """The latest, oldest first."""
        return self._outages

    def watch(
        self,
        outage: Callable[[Outage], None],
        lost: Callable[[Collection[str]], None],
        back: Callable[[], None],
        loss: Callable[[], None],
    ) -> None:
        """See `EventLog.watch`."""
        self._on_outage, self._on_lost, self._on_back, self._on_loss = outage, lost, back, loss

    async def steady(self) -> None:
        """Wait for the answer to a beat that is yet to begin."""
        while True:
            try:
                await self.beat()
                return
            except LogUnavailable:
                await asyncio.sleep(PERIOD / 5)  # paces the attempts

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(PERIOD)
            try:
                await self.beat()
            except LogUnavailable as error:
                _log.debug("no heartbeat", error=str(error))

    async def beat(self) -> None:
        """Stamp the store now: it takes a write. Raises `LogUnavailable`."""
        async with self._one_at_a_time:
            asked = monotonic_ns() // 1000
            try:
                seconds, micros, new, nodes, last_outage, *data = await self._stamp()
            except LogRefused:
                self.heard = monotonic()
                raise
            answered = monotonic_ns() // 1000
            self._set_clock(int(seconds) * 1_000_000 + int(micros), asked, answered)
            if last_outage != self._last_outage:
                await self._learn_outages(last_outage)
            self._answered = self.heard = answered / 1_000_000
            self._meet(frozenset(nodes), new=bool(new))
            self._know_again(_Data(*data))

    def _set_clock(self, time: int, asked: int, answered: int) -> None:
        """The quickest of the latest answers is the most exact; one that contradicts it means a clock was set."""
        sample = _Sample(time - (asked + answered) // 2, answered - asked)
        if self._samples:
            best = min(self._samples, key=lambda held: held.trip)
            if abs(sample.offset - best.offset) > (sample.trip + best.trip) // 2 + DRIFT:
                self._samples.clear()
        self._samples.append(sample)
        self._offset = min(self._samples, key=lambda held: held.trip).offset

    async def _learn_outages(self, last: bytes) -> None:
        first = self._last_outage is None
        known = set(self._outages)
        self._outages = tuple(Outage(*map(int, entry.split())) for entry in await self._history())
        self._last_outage = last
        for outage in self._outages:
            if not first and outage not in known:
                self._on_outage(outage)

    def _know_again(self, data: _Data) -> None:
        """The beats that data have seen only grow, and our own last stamp is still there, unless it was given up."""
        before, self._data = self._data, data
        if before is None:
            return
        other = data.name != before.name
        if other or data.beats <= before.beats or -1 < data.before < before.now:
            what = "holds other data than before" if other else "has gone back"
            _log.error(f"the store {what}: games may have lost their end", beats=data.beats, seen=before.beats)
            self._on_loss()

    def _meet(self, nodes: frozenset[bytes], *, new: bool) -> None:
        lost = self._nodes - nodes
        first, self._nodes = not self._nodes, nodes
        if lost:
            self._on_lost({node.decode() for node in lost})
        if new and not first:
            self._on_back()


_log = structlog.get_logger(__name__)
