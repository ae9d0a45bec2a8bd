"""What may lie in the store once a world has come to rest. Any other key is left behind.

A key has the form of a rule, holds the kind of value that the rule says, and ends in time. A key without an end stays
for ever, so only few may lack one. Entries of such keys, and of keys that live for months, must be about something that
is still there. Servers remove some entries only after a while: a world that has any waits for that, in virtual time.
"""

import asyncio
import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, NamedTuple

from fourfold.engine.match.events import Finished, Started
from fourfold.server.clock import DAY
from fourfold.server.lobby import challenges, listing_store, neighbours, player_rooms
from fourfold.server.replication.ids import is_study
from fourfold.server.rooms import chat, hand_over
from fourfold.server.storage import heartbeat, redis_log
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.records import unpack
from fourfold.server.storage.reminders import REMINDERS
from tests.world.cluster import Cluster
from tests.world.redis import Members, Redis, Sorted, Stream

CLEAN: Final = (challenges.LIFE + challenges.TOLD) / 1000 + 10
"""Seconds after which servers have removed all that they remove after a while. A challenge takes the longest."""

LOOK: Final = 1.0
"""Seconds between two looks at what is left."""

OVERDUE: Final = 5_000
"""Milliseconds after which a reminder that no server has taken is left behind."""

LONGEST: Final = 90 * DAY
"""Milliseconds for which the log of a running game is kept, and the study of a guest: longer than others."""


class Held(NamedTuple):
    """A key that the store holds: the part of its name that differs, its value, and the milliseconds until its end
    (None: it has none)."""

    name: str
    value: Any
    left: int | None


class Rule(NamedTuple):
    """The keys of one form: the kind of their values, the most milliseconds until their end (None: they need none), and
    what is wrong with one, if anything is."""

    form: str
    kind: type
    longest: int | None = None
    wrong: Callable[["Remains", Held], Iterable[str]] = lambda _, __: ()


class Remains:
    """What a store holds now."""

    def __init__(self, redis: Redis, archives: bool, spoiled: Collection[str] = (), went_back: bool = False) -> None:
        """`archives`: whether finished games move to the archive; otherwise the store keeps them for ever. Nothing is
        expected of rooms whose logs are `spoiled`. If the store `went_back`, the archive may have another log of a
        game, which then stays in the store: a server looks at it every hour."""
        self.archives = archives
        self.went_back = went_back
        self.now = redis.milliseconds
        self.data = {key.decode(): redis.look(key) for key in list(redis.data)}
        self._ends = {key.decode(): end for key, end in redis.ends.items()}
        self._spoiled = spoiled

    def log(self, room: str) -> Stream | None:
        """The log of a room."""
        found = self.data.get(redis_log.stream(room))
        return found if isinstance(found, Stream) else None

    def reminded(self, room: str) -> bool:
        """Whether a server will look at a room."""
        alarms = self.data.get(REMINDERS)
        return isinstance(alarms, Sorted) and room.encode() in alarms

    def gone(self, room: str) -> bool:
        """Whether a room has no log, or has been archived."""
        log = self.log(room)
        return room not in self._spoiled and (log is None or has_left(log))

    def left(self, key: str) -> int | None:
        """The milliseconds until the end of a key; None if it has none."""
        return self._ends[key] - self.now if key in self._ends else None

    def wrong(self) -> list[str]:
        """What nothing accounts for, by key."""
        return [f"{key}: {why}" for key in sorted(self.data) if self.data[key] is not None for why in self._of(key)]

    def _of(self, key: str) -> Iterable[str]:
        for rule in RULES:
            found = re.fullmatch(rule.form, key)
            if found is not None:
                break
        else:
            yield "no rule knows such a key"
            return
        name, value, left = found[1] if found.groups() else "", self.data[key], self.left(key)
        if name in self._spoiled:
            return
        if type(value) is not rule.kind:
            yield f"a {type(value).__name__}"
            return
        if rule.longest is not None and (left is None or left > rule.longest):
            yield "it never ends" if left is None else f"it ends only after {left} ms"
        yield from rule.wrong(self, Held(name, value, left))


def has_left(log: Stream) -> bool:
    """Whether a log has left the store, which keeps its last entry for some minutes."""
    return len(log.ids) == 1 and log.ids[0][0] > 1


def is_over(log: Stream) -> bool:
    """Whether the game of a log is over, as far as its entries can be read."""
    for (seq, _), fields in zip(reversed(log.ids), reversed(log.fields), strict=True):
        entry = dict(zip(fields[::2], fields[1::2], strict=True))
        try:
            events = unpack(seq, int(entry[b"t"]), entry[b"d"], entry.get(b"s")).events
        except (UnreadableEntry, KeyError):
            continue
        for event in reversed(events):
            if isinstance(event, Finished | Started):
                return isinstance(event, Finished)
    return False


def _log(remains: Remains, held: Held) -> Iterable[str]:
    if has_left(held.value) and (held.left is None or held.left > hand_over.LEFT):
        yield f"it has left the store, but ends only after {held.left} ms"
    stays = is_study(held.name) or (not remains.archives and is_over(held.value))  # studies of accounts stay
    if held.left is None and not stays and not (remains.went_back and remains.reminded(held.name)):
        yield "it never ends"
    elif held.left is not None and held.left > LONGEST:
        yield f"it ends only after {held.left} ms"


def _chat(remains: Remains, held: Held) -> Iterable[str]:
    if remains.gone(held.name) and (held.left is None or held.left > hand_over.LEFT):
        yield f"its room has left the store, but it ends only after {held.left} ms"


def _alarms(remains: Remains, held: Held) -> Iterable[str]:
    for room, at in held.value.items():
        if remains.gone(room.decode()):
            yield f"a reminder of {room.decode()}, which is not there"
        elif at < remains.now - OVERDUE:
            yield f"a reminder of {room.decode()}, which nobody has taken for {remains.now - at:.0f} ms"


def _servers(remains: Remains, held: Held) -> Iterable[str]:
    for node, at in held.value.items():
        if at < remains.now - heartbeat.ALIVE * 1000 - OVERDUE:
            yield f"the server {node.decode()}, which is dead"


def _rooms(remains: Remains, held: Held) -> Iterable[str]:
    """Of a hash by rooms."""
    for room in held.value:
        if remains.gone(room.decode()):
            yield f"{room.decode()}, which is not there"


def _challenges(remains: Remains, held: Held) -> Iterable[str]:
    for id in held.value:
        yield f"the challenge {id.decode()}"


def _studies(remains: Remains, held: Held) -> Iterable[str]:
    yield from _rooms(remains, held)
    if held.left is not None and held.left > LONGEST:
        yield f"it ends only after {held.left} ms"


ID: Final = "[A-Za-z0-9_-]+"
NAME: Final = "[A-Za-z0-9_:-]+"

RULES: Final = (
    # one of each: the form of the data, the archive's id, the first admin's code, what servers know of each other
    Rule("fourfold:form", bytes),
    Rule("fourfold:archive", bytes),
    Rule(r"fourfold:\{admin\}", dict),
    Rule(r"fourfold:\{alive\}:at", bytes),
    Rule(r"fourfold:\{alive\}:data", dict),
    Rule(r"fourfold:\{alive\}:outages", list),
    Rule(r"fourfold:\{alive\}:nodes", Sorted, None, _servers),
    Rule(r"fourfold:\{alive\}:probe", bytes, 1000),
    Rule(r"fourfold:\{alive\}:departed", Members, redis_log.REMEMBERED * 1000),
    # accounts, which stay, and devices that were signed out, until their tokens end
    Rule(r"fourfold:\{accounts\}:names", dict),
    Rule(r"fourfold:\{accounts\}:void", dict),
    # the moderators' orders, ended ones for a day
    Rule(r"fourfold:\{orders\}:held", dict),
    # about rooms that are there
    Rule(REMINDERS, Sorted, None, _alarms),
    Rule(r"fourfold:\{lobby\}:listings", dict, None, _rooms),
    Rule(r"fourfold:\{challenges\}", dict, None, _challenges),
    # rooms, for as long as they are kept
    Rule(rf"fourfold:\{{({ID})\}}:log", Stream, None, _log),
    Rule(rf"fourfold:\{{({ID})\}}:chat", list, chat.LIFE, _chat),
    Rule(rf"fourfold:\{{{ID}\}}:read", bytes, 1000),
    Rule(rf"fourfold:ranges:({ID})", dict, listing_store.KEPT),
    Rule(rf"fourfold:seekers:({NAME})", dict, listing_store.KEPT),
    # players, pools and addresses
    Rule(rf"fourfold:\{{({NAME})\}}:rooms", dict, player_rooms.KEPT, _rooms),
    Rule(rf"fourfold:\{{({NAME})\}}:seeks", dict, listing_store.SOUGHT),
    Rule(rf"fourfold:\{{({ID})\}}:players", Sorted, neighbours.KEPT),
    Rule(rf"fourfold:\{{({NAME})\}}:studies", dict, None, _studies),
)
"""The keys that may stay."""


async def left_behind(cluster: Cluster, spoiled: Collection[str] = (), *, went_back: bool = False) -> list[str]:
    """What the store of a cluster at rest holds that it should not. Waits until servers have removed what they remove
    after a while, as long as there is any."""
    loop = asyncio.get_running_loop()
    until = loop.time() + CLEAN
    while True:
        found = Remains(cluster.store.redis, cluster.archives, spoiled, went_back).wrong()
        if not found or loop.time() > until:
            return [f"left behind in the store: {one}" for one in found]
        await asyncio.sleep(LOOK)
