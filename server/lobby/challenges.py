"""All challenges: stored in the store, and known to every server.

They are one hash. A change applies only to the version that the changer has seen, and goes to all servers. Each server
passes it on to the players involved. The last acceptance opens a room with the id of the challenge. So if a server dies
halfway, the player sends the same answer again, and it continues there. Accepting a seat of an open table takes that
seat.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec
import structlog

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Create, Invite
from fourfold.engine.match.terms import Terms
from fourfold.server.clock import Clock
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.lobby.challenge import Challenge, Side
from fourfold.server.lobby.seating import SAME_ADDRESS, Seating
from fourfold.server.replication.collection import ReplicatedCollection, read_hash
from fourfold.server.replication.fanout import Encoded
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.rooms.room import Room
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.store import SharedData
from fourfold.server.supervision import end, supervise

ROOM: Final = "challenges"
"""The room id for messages about challenges between servers. No room has this id."""

KEY: Final = "fourfold:{challenges}"
"""The hash of challenges, by id: the version, a space, and the challenge."""

LIFE: Final = 300_000
"""Milliseconds for which a challenge is open."""

TOLD: Final = 60_000
"""Milliseconds for which an ended challenge is still sent, because a reply may have been lost."""

MADE: Final = 5
"""How many open challenges a player may have made."""

MADE_FROM: Final = 20
"""How many open challenges may come from one address."""

TAKEN: Final = 20
"""How many open challenges a player may have to answer."""

BACK: Final = 3000
"""Milliseconds after which to repeat an answer while another player is away."""

LATE: Final = 500
"""Milliseconds after which a server records an expired challenge. Another server may just have changed it."""

LOOK: Final = 1.0
"""Seconds between checks for expired challenges."""

CHANGE: Final = """
local held = redis.call('HGET', KEYS[1], ARGV[1])
if (held and string.match(held, '^%d+') or '0') ~= ARGV[2] then return held or '' end
redis.call('HSET', KEYS[1], ARGV[1], (ARGV[2] + 1) .. ' ' .. ARGV[3])
return 1
"""
"""KEYS: the hash. ARGV: a challenge's id, the version that was seen, and the new challenge. Returns 1, or the stored
value if that is another version."""

_log = structlog.get_logger(__name__)


class Kept(msgspec.Struct, array_like=True, frozen=True):
    """A challenge at a version."""

    version: int
    challenge: Challenge


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Kept).decode
_decode_one: Final = msgspec.msgpack.Decoder(Challenge).decode


class Challenges(ReplicatedCollection):
    """Runs from `open` to `close`. The methods raise `RequestRefused` and `LogUnavailable`."""

    def __init__(
        self, store: SharedData, clock: Clock, seating: Seating, send: Callable[[str, Encoded], None]
    ) -> None:
        """`send` sends a frame to a player who is connected here."""
        super().__init__(store, ROOM, "challenges")
        self._store = store
        self._clock = clock
        self._seating = seating
        self._send = send
        self._rooms: RoomRegistry
        self._known: dict[str, Kept] = {}
        self._task: asyncio.Task[None] | None = None

    async def open(self, rooms: RoomRegistry) -> None:
        """Load the challenges, and stay informed. Raises `LogUnavailable`."""
        self._rooms = rooms
        await self.start()
        self._task = supervise("challenges that expire", self._look_on)

    async def close(self) -> None:
        """Stop."""
        await end([self._task])
        await self.stop()

    # -- known challenges --

    def of(self, player: str) -> list[Challenge]:
        """The challenges that involve a player, including those that have just ended, oldest first."""
        found = (kept.challenge for kept in self._known.values() if kept.challenge.concerns(player))
        return sorted(found, key=lambda challenge: challenge.made)

    def take(self, message: bytes) -> None:
        """Apply the change of a server."""
        self._apply(_decode(message))

    def _apply(self, kept: Kept) -> None:
        """Apply a change, and send it to the players involved."""
        challenge = kept.challenge
        known = self._known.get(challenge.id)
        if known is not None and known.version >= kept.version:
            return
        self._known[challenge.id] = kept
        frame = Encoded(challenge.frame())
        for player in challenge.players:
            self._send(player, frame)

    async def learn(self) -> None:
        """Read the stored challenges."""
        for held in (await read_hash(self._store, KEY)).values():
            try:
                self._apply(_kept(held))
            except msgspec.DecodeError:
                continue  # of a newer version

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            if self.behind:
                continue  # another server may have changed what looks expired here
            try:
                await self._expire(self._clock())
                await self._call_off()
            except LogUnavailable as error:
                self.missed()
                _log.debug("expired challenges not updated", error=str(error))

    async def _expire(self, now: int) -> None:
        """Expire the unanswered challenges whose time is over, and drop those that ended a while ago."""
        for kept in list(self._known.values()):
            if kept.challenge.lapsed(now - LATE):
                self._apply(Kept(kept.version + 1, kept.challenge.over("expired", kept.challenge.until)))
        over = [id for id, kept in self._known.items() if (kept.challenge.ended or now) + TOLD < now]
        if over:
            await self._store.execute(KEY, "HDEL", KEY, *over)
        for id in over:
            self._known.pop(id, None)

    async def _call_off(self) -> None:
        """End invitations to tables held by this server, if their seats can't be taken any more."""
        for id, kept in list(self._known.items()):
            challenge = kept.challenge
            room = None if challenge.room is None else self._rooms.holding(challenge.room)
            if challenge.ended is not None or challenge.agreed or room is None or room.state is None:
                continue
            why = challenge.hindrance(room.state)
            if why is not None:
                with suppress(RequestRefused):  # it ended at this moment
                    await self._change(id, challenge.by, partial(self._off, why=why))

    def _off(self, challenge: Challenge, why: Rejection) -> Challenge:
        """The challenge, cancelled, unless it has ended or is about to begin."""
        over = challenge.ended is not None or challenge.agreed
        return challenge if over else challenge.over("cancelled", self._clock(), why.code)

    # -- requests of players --

    async def make(self, challenge: Challenge) -> Challenge:
        """Store a new challenge. If it was made before, returns the stored one."""
        open = [kept.challenge for kept in self._known.values() if kept.challenge.ended is None]
        others = [one for one in open if one.id != challenge.id]
        if sum(one.by == challenge.by for one in others) >= MADE:
            raise _too_many(f"You already have {MADE} open challenges")
        if challenge.origin and sum(one.origin == challenge.origin for one in others) >= MADE_FROM:
            raise _too_many(f"Your address already has {MADE_FROM} open challenges")
        for side in challenge.sides:
            to_answer = sum(one.by != side.player and one.concerns(side.player or "") for one in others)
            if side.player not in (None, challenge.by) and to_answer >= TAKEN:
                raise _too_many(f"{side.name} already has {TAKEN} challenges to answer")
        held = await self._put(0, challenge)
        return challenge if held is None else held.challenge

    async def kept(self, id: str) -> Challenge | None:
        """The challenge with an id, as the store has it. Sends it to all servers again."""
        held = await self._store.execute(KEY, "HGET", KEY, id)
        if not held:
            return None
        await self._spread(kept := _kept(held))
        return kept.challenge

    async def _spread(self, kept: Kept) -> None:
        """Send a stored challenge to all servers. A repeated request sends it again, because the server that stored it
        may have died before sending it."""
        self._apply(kept)
        await self._store.tell(ROOM, _encode(kept))

    async def cancel(self, id: str, player: str) -> Challenge:
        """Withdraw a challenge. Only its challenger may."""

        def cancelled(challenge: Challenge) -> Challenge:
            if challenge.by != player:
                raise RequestRefused("not_yours", "Another player made this challenge. Answer it instead.")
            if challenge.agreed and challenge.ended is None:
                raise RequestRefused("challenge_over", "All players have accepted: the game begins.")
            return challenge if challenge.status == "cancelled" else challenge.over("cancelled", self._clock())

        return await self._change(id, player, cancelled)

    async def decline(self, id: str, player: str, reason: str | None, text: str) -> Challenge:
        """Decline a challenge."""

        def declined(challenge: Challenge) -> Challenge:
            mine = _side(challenge, player)
            if mine.answer is False:
                return challenge  # sent again, because the reply was lost
            if mine.answer:
                raise RequestRefused("challenge_over", "You have already accepted. `cancel` withdraws challenges.")
            return challenge.declined(player, reason or "generic", text, self._clock())

        return await self._change(id, player, declined)

    async def accept(
        self,
        id: str,
        player: str,
        here: Callable[[str], bool],
        may_open: Callable[[str], Awaitable[None]],
        origin: str = "",
    ) -> Challenge:
        """Accept a challenge, from an address with the digest `origin`. The last acceptance opens the room. Then all
        players must be `here`, and `may_open` is awaited with the room's id first.

        If players from one address are excluded, the second acceptance from an address declines the challenge."""

        def accepted(challenge: Challenge) -> Challenge:
            if challenge.side(player) is None and challenge.agreed:
                return challenge  # all its players are computer players, who begin at once
            if _side(challenge, player).answer:
                return challenge  # sent again, because the reply was lost
            if challenge.apart and origin and any(side.answer and side.origin == origin for side in challenge.sides):
                return challenge.declined(player, SAME_ADDRESS, "", self._clock())
            after = challenge.answered(player, accept=True, origin=origin)
            needed = [side for side in after.sides if side.player and (after.agreed or side.player == challenge.by)]
            for side in needed:
                if side.player != player and not here(side.player or ""):
                    raise RequestRefused("player_away", f"{side.name} is offline now. Answer again later.", BACK)
            return after

        challenge = await self._change(id, player, accepted)
        if challenge.status == "declined" and challenge.reason == SAME_ADDRESS:
            raise RequestRefused(SAME_ADDRESS, "Another player from your address plays in this rated game.")
        if challenge.status != "open" or not challenge.agreed:
            return challenge
        room = await self._room(challenge, may_open)
        no = room if isinstance(room, Rejection) else await self._begin(challenge, room)

        def begun(challenge: Challenge) -> Challenge:
            if challenge.status != "open":
                return challenge
            if no is not None:
                return challenge.over("cancelled", self._clock(), no.code)
            return msgspec.structs.replace(challenge.over("accepted", self._clock()), room=challenge.room or id)

        if no is None or no.retry is None:  # a temporary refusal does not end it: the answer may be sent again
            challenge = await self._change(id, player, begun)
        if no is not None:
            raise RequestRefused(no.code, no.message, no.retry)
        return challenge

    async def _room(self, challenge: Challenge, may_open: Callable[[str], Awaitable[None]]) -> Room | Rejection:
        """The room of an accepted challenge: its open table, or a new room."""
        if challenge.room is not None:
            try:
                return await self._rooms.find(challenge.room)
            except NoSuchRoom:
                return refused("no_such_room", "The table is gone.")
        await may_open(challenge.id)
        control = None if challenge.clock is None else Control(*challenge.clock)
        arranged = challenge.side(challenge.by) is None
        terms = Terms(rated=challenge.rated, same_address=arranged or self._seating.same_address)
        create = Create(challenge.variant, visibility=challenge.visibility, control=control, terms=terms)
        return await self._rooms.open(challenge.id, create, challenge.by, f"challenge {challenge.id}")

    async def _begin(self, challenge: Challenge, room: Room) -> Rejection | None:
        """Seat all players of an accepted challenge in a room. Steps that are already done are skipped. Returns why a
        player can't sit there."""
        arranged = challenge.arranged()
        for seat, side in arranged:
            if side.level is not None:
                await room.judge(Invite(side.level, seat), challenge.by)  # players who already sit there stay
        for seat, side in arranged:
            if side.player is not None:
                answer = await self._seating.seat(room, side.player, side.name, seat, side.origin)
                if isinstance(answer, Rejection):
                    return answer
        _log.info("challenge accepted", room=room.id, variant=challenge.variant)
        return None

    async def _change(self, id: str, player: str, change: Callable[[Challenge], Challenge]) -> Challenge:
        """Change a challenge, also while others change it. Stores nothing if it stays the same."""
        held = await self._store.execute(KEY, "HGET", KEY, id)
        while held:
            kept = _kept(held)
            challenge = kept.challenge
            if not challenge.concerns(player):
                break
            if challenge.lapsed(self._clock()):
                challenge = challenge.over("expired", challenge.until)
            changed = change(challenge)
            if changed == challenge:
                await self._spread(kept)
                return challenge
            if challenge.ended is not None:
                raise RequestRefused("challenge_over", f"This challenge is {challenge.status}.")
            other = await self._put(kept.version, changed)
            if other is None:
                return changed
            held = b"%d %b" % (other.version, _encode(other.challenge))
        raise RequestRefused("no_such_challenge", "Unknown challenge. It may have ended a while ago.")

    async def _put(self, version: int, challenge: Challenge) -> Kept | None:
        """Store a challenge in place of a version of it, and notify all servers. If the store has another version,
        returns that."""
        answer = await self._store.execute(KEY, "EVAL", CHANGE, 1, KEY, challenge.id, version, _encode(challenge))
        if answer != 1:
            if not answer:
                raise RequestRefused("no_such_challenge", "This challenge no longer exists.")
            return _kept(answer)
        await self._spread(Kept(version + 1, challenge))
        return None


def _side(challenge: Challenge, player: str) -> Side:
    """The seat of a player who answers. Raises `RequestRefused` for a challenger without a seat."""
    side = challenge.side(player)
    if side is None:
        raise RequestRefused("not_yours", "You have no seat in this challenge. `cancel` withdraws it.")
    return side


def _kept(held: bytes) -> Kept:
    version, _, packed = held.partition(b" ")
    return Kept(int(version), _decode_one(packed))


def _too_many(what: str) -> RequestRefused:
    return RequestRefused("too_many_challenges", f"{what}. Wait until one has ended, or cancel one.")
