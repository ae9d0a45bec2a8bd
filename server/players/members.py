"""All accounts and signed-out sessions, in the memory of every server.

Both are stored in the store, so that a server has them before it accepts clients, and while the database is away. A
change goes to all servers at once, and takes effect when the store has it.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from fourfold.server.clock import Clock
from fourfold.server.players.names import skeleton
from fourfold.server.replication.collection import ReplicatedCollection, read_hash, write_hash
from fourfold.server.storage.store import SharedData

ROOM: Final = "people"
"""The room id for messages about accounts between servers. No room has this id."""

NAMES: Final = "fourfold:{accounts}:names"
"""The hash of the names of accounts, by player."""

VOID: Final = "fourfold:{accounts}:void"
"""The hash of signed-out sessions, each with the expiry of its token, in milliseconds since 1970."""

_ERASED: Final = "erased:"
"""The prefix of an erased account's name in the store: see `tombstone`."""


class Member(msgspec.Struct, frozen=True, array_like=True):
    """An account: its creation (ms since 1970), and its name, which is empty if the account is closed for good."""

    created: int
    name: str


def tombstone(player: str) -> str:
    """The remains of an erased account: they make its tokens void without revealing whose they were."""
    return _ERASED + hashlib.blake2b(player.encode(), person=b"erased", digest_size=12).hexdigest()


_CLOSED: Final = Member(0, "")


class Change(msgspec.Struct, array_like=True):
    """A message between servers: new or changed accounts, and signed-out sessions."""

    members: dict[str, Member] = {}
    void: dict[str, int] = {}


class Roll:
    """The accounts and signed-out sessions that this server knows."""

    def __init__(self, reserved: str | None = None) -> None:
        """`reserved` is the skeleton of a name that guests can't have either."""
        self._reserved = reserved
        self._members: dict[str, Member] = {}
        self._looks: dict[str, str] = {}  # the account with a name of this skeleton
        self._void: dict[str, int] = {}
        self._erased: set[str] = set()

    def _find(self, player: str) -> Member | None:
        member = self._members.get(player)
        return _CLOSED if member is None and self._is_erased(player) else member

    def _is_erased(self, player: str) -> bool:
        return bool(self._erased) and tombstone(player) in self._erased

    def has(self, player: str) -> bool:
        """Whether a player has an account."""
        member = self._find(player)
        return member is not None and bool(member.name)

    def knows(self, player: str) -> bool:
        """Whether a player has or had an account, so that guest tokens with this id are void."""
        return self._find(player) is not None

    def is_closed(self, player: str) -> bool:
        """Whether a player had an account that is closed. An unknown player may be newer than this list."""
        return self.knows(player) and not self.has(player)

    def name(self, player: str) -> str | None:
        """The name of a player's account; None without an account."""
        member = self._find(player)
        return None if member is None else member.name or None

    def is_taken(self, name: str) -> bool:
        """Whether a name looks like that of an account, or the reserved one."""
        if not self._looks and self._reserved is None:
            return False
        looks = skeleton(name)
        return looks in self._looks or looks == self._reserved

    def named(self, name: str) -> str | None:
        """The player whose account has a name that looks like this one; None if there is none."""
        return self._looks.get(skeleton(name)) if self._looks else None

    def is_void(self, session: str) -> bool:
        """Whether a session is signed out."""
        return session in self._void

    def take(self, change: Change) -> None:
        """Apply changes. Closed accounts stay closed, in whatever order the changes arrive."""
        for player, member in change.members.items():
            if player.startswith(_ERASED):
                self._erased.add(player)
                continue
            if self.is_closed(player):
                continue
            before = self._members.get(player)
            if before is not None and self._looks.get(look := skeleton(before.name)) == player:
                del self._looks[look]
            self._members[player] = member
            if member.name:
                self._looks[skeleton(member.name)] = player
        self._void |= change.void

    def lacking(self, other: "Roll") -> Change:
        """The entries known here that `other` lacks."""
        members = dict.fromkeys(self._erased - other._erased, _CLOSED)
        for player, one in self._members.items():
            if (not other.knows(player) or (not one.name and other.has(player))) and not self._is_erased(player):
                members[player] = one
        void = {one: until for one, until in self._void.items() if one not in other._void and not self._is_erased(one)}
        return Change(members, void)

    def expired(self, now: int) -> list[str]:
        """The sessions whose tokens have expired anyway; forgets them."""
        over = [session for session, until in self._void.items() if until < now]
        for session in over:
            del self._void[session]
        return over


NOBODY: Final = Roll()
"""An empty roll."""


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Change).decode
_decode_member: Final = msgspec.msgpack.Decoder(Member).decode


async def publish(store: SharedData, change: Change) -> None:
    """Store a change, and notify all servers; for callers that are not servers. Raises `LogUnavailable`."""
    await _keep(store, change)
    await store.tell(ROOM, _encode(change))


async def erase(store: SharedData, players: Iterable[str], void: dict[str, int]) -> None:
    """Notify all servers that accounts are erased, with their sessions and the expiry of their tokens. The store keeps
    no data that identifies the players. Raises `LogUnavailable`."""
    ids = list(players)
    gone = {tombstone(player): _CLOSED for player in ids}
    await _keep(store, Change(gone, void))
    for key in (NAMES, VOID):
        await store.execute(key, "HDEL", key, *ids)
    await store.tell(ROOM, _encode(Change(gone | dict.fromkeys(ids, _CLOSED), void)))


async def _keep(store: SharedData, change: Change) -> None:
    await write_hash(store, NAMES, ((player, _encode(member)) for player, member in change.members.items()))
    await write_hash(store, VOID, change.void.items())


class Members(ReplicatedCollection):
    """Keeps a roll up to date from `start` to `stop`."""

    def __init__(
        self, store: SharedData, clock: Clock, changed: Callable[[Change], object], reserved: str | None = None
    ) -> None:
        """`changed` is called with the changes of this and other servers. `reserved` is as in `Roll`."""
        super().__init__(store, ROOM, "accounts")
        self.roll = Roll(reserved)
        self._store = store
        self._clock = clock
        self._changed = changed

    async def start(self) -> None:
        """Load the store's entries, and stay informed. Raises `LogUnavailable`."""
        await asyncio.to_thread(skeleton, "")  # this reads a table from a file
        await super().start()

    async def put(self, change: Change) -> None:
        """Store a change, and notify all servers. After `LogUnavailable` it may have been stored; a retry is safe."""
        await _keep(self._store, change)
        self._apply(change)
        await self._store.tell(ROOM, _encode(change))

    def take(self, message: bytes) -> None:
        """Apply the change of a server."""
        self._apply(_decode(message))

    def _apply(self, change: Change) -> None:
        self.roll.take(change)
        self._changed(change)

    async def learn(self) -> None:
        """Load the stored entries. Entries known here but missing there were lost by the store: store them again."""
        there = Roll()
        change = Change()
        for player, kept in (await read_hash(self._store, NAMES)).items():
            change.members[player] = _decode_member(kept)
        for session, until in (await read_hash(self._store, VOID)).items():
            change.void[session] = int(until)
        there.take(change)
        self._apply(change)
        over = self.roll.expired(self._clock())
        if over:
            await self._store.execute(VOID, "HDEL", VOID, *over)
        lost = self.roll.lacking(there)
        if lost.members or lost.void:
            await self.put(lost)
