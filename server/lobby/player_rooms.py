"""The rooms in the store where each player has a game: running games, and games that wait for the archive. A pool, such
as a club, has its games too.

The store has a hash for each player and each pool, shared by all servers. The rooms' logs remain the truth: a room from
the hash is checked before it is used. If a server died before it stored a room, the room is stored when it is next
loaded from its log.
"""

from typing import Final

from fourfold.engine.match import State, Status
from fourfold.server.clock import DAY
from fourfold.server.ratings.levels import level_of
from fourfold.server.replication.pending import Pending
from fourfold.server.replication.rejections import GONE
from fourfold.server.rooms.room import RoomChange
from fourfold.server.storage.store import Commands

KEPT: Final = 90 * DAY
"""Milliseconds for which a player's hash is kept after the last addition: as long as a running game."""

NOTE: Final = """
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
"""
"""KEYS: a player's hash. ARGV: a room, the time at which its game was opened, and the hash's lifetime in
milliseconds."""


def _key(player: str) -> str:
    return f"fourfold:{{{player}}}:rooms"


class PlayerRooms:
    """Runs from `open` to `close`."""

    def __init__(self, store: Commands) -> None:
        self._store = store
        # When each player's game in a room began; None: it left the store.
        self._pending = Pending[tuple[str, str], int | None]("player's room", self._note)

    def open(self) -> None:
        """Start storing."""
        self._pending.open()

    async def close(self) -> None:
        """Stop."""
        await self._pending.close()

    def notice(self, change: RoomChange) -> None:
        """This server has changed a room, or its followers."""
        before, state = change.before, change.after
        if not change.news or change.room.writer.end not in (None, GONE):
            return  # other servers may read a log that this one can't
        begins = before is None or (before.status is not Status.PLAYING and state.status is Status.PLAYING)
        noted = {} if before is None or begins else _games(before)
        for player, began in _games(state, change.gone).items():
            if noted.get(player, -1) != began:
                self._pending.put((player, change.room.id), began)

    async def _note(self, seat: tuple[str, str], began: int | None) -> None:
        player, room = seat
        key = _key(player)
        if began is None:
            await self._store.execute(key, "HDEL", key, room)
            return
        await self._store.execute(key, "EVAL", NOTE, 1, key, room, began, KEPT)

    async def of(self, player: str, most: int | None = None) -> list[str]:
        """The rooms in which a player has a game, newest first; all, or at most `most`.

        Raises `LogUnavailable`.
        """
        key = _key(player)
        pending = {room: began for (who, room), began in self._pending.items() if who == player}
        found: dict[bytes, bytes] = await self._store.execute(key, "HGETALL", key)
        noted = {room.decode(): int(began) for room, began in found.items()} | pending
        opened = {room: began for room, began in noted.items() if began is not None}
        return sorted(opened, key=lambda room: opened[room], reverse=True)[:most]

    async def forget(self, player: str, room: str) -> None:
        """A player has no game in a room, although it is stored. Raises `LogUnavailable`."""
        await self._note((player, room), None)


def _games(state: State, gone: bool = False) -> dict[str, int | None]:
    """The players of a room's game, without the service's own bots. Each has the time at which the game was opened, or
    None if the store has no such game: it was archived, or never began, or the room is `gone`."""
    if state.status is Status.OPEN:
        return {}
    kept = not (gone or state.archived) and all(seat.player is not None for seat in state.seats)
    players = [seat.player for seat in state.seats if seat.player is not None and level_of(seat.player) is None]
    if state.terms.pool:
        players.append(of_pool(state.terms.pool))
    return dict.fromkeys(players, state.created if kept else None)


def of_pool(pool: str) -> str:
    """The name under which the games of a pool are stored, like those of a player."""
    return f"pool:{pool}"
