"""In which rooms of the store each player has a game: those that are played, and those that wait to be archived.

There is a hash for each player, in the store, shared by all servers. The rooms' logs remain the truth: a room that is
noted here is looked at before it is told of. What was not noted, because a server died, is noted when the room is next
read from its log.
"""

from typing import Any, Final, Protocol

from fourfold.engine.match import State, Status
from fourfold.server.lobby.pending import Pending
from fourfold.server.ratings.levels import level_of
from fourfold.server.rooms.retention import DAY
from fourfold.server.rooms.room import Room

KEPT: Final = 90 * DAY
"""For how many milliseconds a player's hash is kept after it was last added to: as long as a game that is played."""

NOTE: Final = """
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
"""
"""KEYS: a player's hash. ARGV: a room, when its game was opened, and for how many milliseconds to keep the hash."""


class Store(Protocol):
    """Commands to the store."""

    async def execute(self, key: str, *command: str | bytes | int) -> Any:
        """The answer to one command, which touches one key. Raises `LogUnavailable`."""
        ...


def _key(player: str) -> str:
    return f"fourfold:{{{player}}}:rooms"


class PlayerRooms:
    """Works from `open` to `close`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # When each player's game in a room began; None: it left.
        self._pending = Pending[tuple[str, str], int | None]("player's room", self._note)

    def open(self) -> None:
        """Begin to note what notices tell."""
        self._pending.open()

    async def close(self) -> None:
        """Stop."""
        await self._pending.close()

    def notice(self, room: Room, before: State | None) -> None:
        """This server has changed a room (from the state `before`, None if that does not matter), or who is there."""
        state = room.state
        assert state is not None  # it has just been read or decided
        if before is not None and before.status is state.status and before.seats is state.seats:
            return
        begins = before is None or (before.status is not Status.PLAYING and state.status is Status.PLAYING)
        noted = {} if before is None or begins else _games(before)
        for player, began in _games(state).items():
            if noted.get(player, -1) != began:
                self._pending.put((player, room.id), began)

    async def _note(self, seat: tuple[str, str], began: int | None) -> None:
        player, room = seat
        key = _key(player)
        if began is None:
            await self._store.execute(key, "HDEL", key, room)
            return
        await self._store.execute(key, "EVAL", NOTE, 1, key, room, began, KEPT)

    async def of(self, player: str, most: int | None = None) -> list[str]:
        """The rooms in which a player has a game, those opened last first; all, or at most so many.

        Raises `LogUnavailable`.
        """
        key = _key(player)
        pending = {room: began for (who, room), began in self._pending.items() if who == player}
        found: dict[bytes, bytes] = await self._store.execute(key, "HGETALL", key)
        noted = {room.decode(): int(began) for room, began in found.items()} | pending
        opened = {room: began for room, began in noted.items() if began is not None}
        return sorted(opened, key=lambda room: opened[room], reverse=True)[:most]

    async def forget(self, player: str, room: str) -> None:
        """A player has no game in a room, although it is noted. Raises `LogUnavailable`."""
        await self._note((player, room), None)


def _games(state: State) -> dict[str, int | None]:
    """The players who have a game in a room, but for those that this service calls, with when it was opened; None if it
    has left the store, or never began."""
    if state.status is Status.OPEN:
        return {}
    kept = not state.archived and all(seat.player is not None for seat in state.seats)
    players = [seat.player for seat in state.seats if seat.player is not None and level_of(seat.player) is None]
    return dict.fromkeys(players, state.created if kept else None)
