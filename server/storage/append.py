"""A room's stream in Redis: its name, the script that appends to it, and what is on its way there.

The script compares the expected version and lineage with the last entry's, stamps the time, adds the entry
at id `<version>-0`, sets how long the stream is kept from now on and, if any other node listens, rings
the room's doorbell, all atomically.
"""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from fourfold.engine.match.events import Decision, Event
from fourfold.server.storage.event_log import AppendConflict, LogUnavailable
from fourfold.server.storage.pubsub import TOLD

APPEND: Final = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id, seal = '0-0', nil
if last then id, seal = last[1], last[2][6] end
if id ~= ARGV[1] .. '-0' or seal and ARGV[5] ~= '' and string.sub(seal, -8) ~= ARGV[5] then return {0, id} end
local time = redis.call('TIME')
local at = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local version = ARGV[1] + 1
if ARGV[6] == '' then redis.call('XADD', KEYS[1], version .. '-0', 't', at, 'd', ARGV[2])
else redis.call('XADD', KEYS[1], version .. '-0', 't', at, 'd', ARGV[2], 's', ARGV[6]) end
local keep, left = tonumber(ARGV[3]), redis.call('PTTL', KEYS[1])
if left ~= keep and (left > keep or left < keep * 0.99) then
    if keep < 0 then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], keep) end
end
local channel = KEYS[1] .. ARGV[7]
if redis.call('PUBSUB', 'SHARDNUMSUB', channel)[2] > tonumber(ARGV[4]) then
    redis.call('SPUBLISH', channel, version .. ' ' .. at .. ' ' .. ARGV[6] .. ARGV[2])
end
return {1, tonumber(at)}
"""
"""KEYS: the stream. ARGV: expected version, packed decision,
milliseconds to keep the stream (-1: for good), 1 if the writer's node is among those who listen, else 0,
the lineage expected (empty: not known), the seal (empty: none), and what the doorbell's channel is called more
than the stream.
Returns {1, time in ms} when appended, {0, the last entry's id} on a conflict.

How long the stream is kept is left as it is while it is right to a hundredth: to set it costs as much as the entry.

A writer whose own doorbell was lost a moment ago, and who does not know it yet, may so leave another node
unrung; when it is heard again, what the node tells of its version makes that good."""

NOBODY: Final = 2**53
"""More than ever listen: then the script rings nobody."""

_SHA: Final = hashlib.sha1(APPEND.encode(), usedforsecurity=False).hexdigest()


def stream(room: str) -> str:
    """The stream's key. The room is its hash tag: on a cluster all keys of a room share a slot."""
    return f"fourfold:{{{room}}}:log"


def more(database: int) -> str:
    """What the doorbells' channels are called more than the streams: channels know no databases."""
    return f"@{database}" if database else ""


@dataclass(slots=True)
class Notify:
    """A doorbell, on its way when the append has come to the replicas that are wanted."""

    place: str
    channel: str
    message: bytes
    deadline: float
    durable = False

    def command(self) -> tuple[str | int | bytes, ...]:
        """See `PipelineItem`."""
        return "SPUBLISH", self.channel, self.message

    def answered(self, answer: Any) -> None:
        """See `PipelineItem`."""

    def failed(self, reason: str) -> None:
        """See `PipelineItem`. Whoever has not heard it reads on later."""


@dataclass(slots=True)
class Append:
    """An append on its way: to which stream, what to write on which lineage (empty: not known), what says whether our
    doorbell there is heard, until when to try, whom to tell."""

    place: str
    expected: int
    by: str
    key: str
    events: tuple[Event, ...]
    packed: bytes
    before: bytes
    after: bytes
    sealed: bytes
    keep: int | None
    hears: Callable[[str], bool]
    deadline: float
    done: asyncio.Future[Decision]
    more: str  # see `more`
    rings: bool  # whether the script rings the doorbell; else it is rung when replicas have the entry
    durable = True

    def command(self) -> tuple[str | int | bytes, ...]:
        """See `PipelineItem`."""
        keep = -1 if self.keep is None else self.keep
        hears = int(self.hears(self.place)) if self.rings else NOBODY
        last = self.before, self.sealed, self.more
        return "EVALSHA", _SHA, 1, self.place, self.expected, self.packed, keep, hears, *last

    def answered(self, answer: Any) -> Notify | None:
        """See `PipelineItem`."""
        ring = None
        if answer[0] and not self.rings:
            message = b"%d %d %b%b" % (self.expected + 1, answer[1], self.sealed, self.packed)
            ring = Notify(self.place, self.place + self.more, message, self.deadline)
        if self.done.done():
            return ring
        if answer[0]:
            self.done.set_result(Decision(self.expected + 1, answer[1], self.by, self.key, self.events, self.after))
        else:
            self.done.set_exception(AppendConflict(f"{self.place} ends with another entry than {self.expected}"))
        return ring

    def failed(self, reason: str) -> None:
        """See `PipelineItem`."""
        if not self.done.done():
            self.done.set_exception(LogUnavailable(f"Not known to be kept: {reason}."))


@dataclass(slots=True)
class Publish:
    """Something told, on its way to those who listen to a stream."""

    place: str
    channel: str
    message: bytes
    deadline: float
    done: asyncio.Future[int]
    durable = False

    def command(self) -> tuple[str | int | bytes, ...]:
        """See `PipelineItem`."""
        return "SPUBLISH", self.channel, TOLD + self.message

    def answered(self, answer: Any) -> None:
        """See `PipelineItem`."""
        if not self.done.done():
            self.done.set_result(answer)

    def failed(self, reason: str) -> None:
        """See `PipelineItem`."""
        if not self.done.done():
            self.done.set_exception(LogUnavailable(f"Not known to be told: {reason}."))
