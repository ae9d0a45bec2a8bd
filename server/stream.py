"""A room's stream in Redis: its name, the script that appends to it, and what is on its way there.

The script compares the expected version with the stream's length, stamps the time, adds the entry
at id `<version>-0`, sets how long the stream is kept from now on and, if any other node listens, rings
the room's doorbell, all atomically.
"""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from engine.match.events import Decision, Event
from server.doorbells import TOLD
from server.event_log import AppendConflict, LogUnavailable

APPEND: Final = """
local version = redis.call('XLEN', KEYS[1])
if version ~= tonumber(ARGV[1]) then return {0, version} end
local time = redis.call('TIME')
local at = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
version = version + 1
redis.call('XADD', KEYS[1], version .. '-0', 't', at, 'd', ARGV[2])
if ARGV[3] == '' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
if redis.call('PUBSUB', 'SHARDNUMSUB', KEYS[1])[2] > tonumber(ARGV[4]) then
    redis.call('SPUBLISH', KEYS[1], version .. ' ' .. at .. ' ' .. ARGV[2])
end
return {1, tonumber(at)}
"""
"""KEYS: the stream, whose name is also the doorbell's channel. ARGV: expected version, packed decision,
milliseconds to keep the stream (empty: for good), 1 if the writer's node is among those who listen, else 0.
Returns {1, time in ms} when appended, {0, version} on a conflict.

A writer whose own doorbell was lost a moment ago, and who does not know it yet, may so leave another node
unrung; when his is heard again, what he tells of his version makes that good."""

_SHA: Final = hashlib.sha1(APPEND.encode(), usedforsecurity=False).hexdigest()


def stream(room: str) -> str:
    """The stream's key. The room is its hash tag: on a cluster all keys of a room share a slot."""
    return f"fourfold:{{{room}}}:log"


@dataclass(slots=True)
class Append:
    """An append on its way: to which stream, what to write, what says whether our doorbell there is heard, until when
    to try, whom to tell."""

    place: str
    expected: int
    by: str
    key: str
    events: tuple[Event, ...]
    packed: bytes
    keep: int | None
    hears: Callable[[str], bool]
    deadline: float
    done: asyncio.Future[Decision]

    def command(self) -> tuple[str | int | bytes, ...]:
        """See `Item`."""
        keep = "" if self.keep is None else self.keep
        return "EVALSHA", _SHA, 1, self.place, self.expected, self.packed, keep, int(self.hears(self.place))

    def answered(self, answer: Any) -> None:
        """See `Item`."""
        if self.done.done():
            return
        if answer[0]:
            self.done.set_result(Decision(self.expected + 1, answer[1], self.by, self.key, self.events))
        else:
            self.done.set_exception(AppendConflict(f"{self.place} is at {answer[1]}, not at {self.expected}"))

    def failed(self, reason: str) -> None:
        """See `Item`."""
        if not self.done.done():
            self.done.set_exception(LogUnavailable(f"Not known to be kept: {reason}."))


@dataclass(slots=True)
class Tell:
    """Something told, on its way to those who listen to a stream."""

    place: str
    message: bytes
    deadline: float
    done: asyncio.Future[int]

    def command(self) -> tuple[str | int | bytes, ...]:
        """See `Item`."""
        return "SPUBLISH", self.place, TOLD + self.message

    def answered(self, answer: Any) -> None:
        """See `Item`."""
        if not self.done.done():
            self.done.set_result(answer)

    def failed(self, reason: str) -> None:
        """See `Item`."""
        if not self.done.done():
            self.done.set_exception(LogUnavailable(f"Not known to be told: {reason}."))
