"""Which seats' players are here, on all nodes together, and what followers of the room are told of that.

`Presence` knows who is here by player. None of it is logged.
"""

from collections.abc import Collection, Mapping
from typing import Final

from fourfold.engine.match import State
from fourfold.engine.match.absence import absence
from fourfold.protocol import from_server as wire
from fourfold.protocol.projection import Attendance
from fourfold.server.clock import Clock
from fourfold.server.players.identity import is_bot
from fourfold.server.rooms.fanout import Encoded, Follower
from fourfold.server.rooms.feed import Feed
from fourfold.server.rooms.liveness import LivenessCheck
from fourfold.server.rooms.presence import Presence

SETTLED: Final = 1000
"""Milliseconds after which this node has heard that a player is here who has taken a seat on another one."""

_FREE: Final = False, None
"""What is told of a free seat: its player is neither online, nor away since some time."""


class SeatPresence:
    """Who is here, for one room."""

    __slots__ = ("_feed", "_liveness", "_presence", "_room", "_shortest", "_told")

    def __init__(self, room: str, feed: Feed, presence: Presence, liveness: LivenessCheck, shortest: int) -> None:
        """`shortest` is for how many milliseconds a player must be away to count as absent, in the fastest games."""
        self._room = room
        self._feed = feed
        self._presence = presence
        self._liveness = liveness
        self._shortest = shortest
        self._told: dict[int, tuple[bool, int | None]] = {}  # of each seat: whether it is online, and away since when

    @property
    def empty(self) -> bool:
        """Whether nobody is here: neither a player nor a watcher."""
        return not (self._presence.players or self._presence.watchers)

    @property
    def deserted(self) -> bool:
        """Whether no person is here: no watcher, and no player but bots."""
        return not self._presence.watchers and all(map(is_bot, self._presence.players))

    @property
    def watchers(self) -> int:
        """How many watch."""
        return self._presence.watchers

    def online(self, state: State) -> set[int]:
        """The seats whose players are here."""
        away = self.away(state)
        return {index for index, seat in enumerate(state.seats) if seat.player is not None and index not in away}

    def away(self, state: State) -> dict[int, int]:
        """The seats of which neither the player nor the stand-in is here, each with the time from which that is counted
        (ms since 1970)."""
        here, since = self._presence.players, self._presence.since
        return {
            index: max(map(since, people))
            for index, seat in enumerate(state.seats)
            if (people := [one for one in (seat.player, seat.stand_in) if one is not None]) and here.isdisjoint(people)
        }

    def absent(self, state: State) -> dict[int, int]:
        """The seats that are away, each with the time at which its player counts as absent (ms since 1970); none in a
        game so slow that nobody does."""
        limit = self.absence(state)
        return {} if limit is None else {seat: since + limit for seat, since in self.away(state).items()}

    def absence(self, state: State) -> int | None:
        """For how many milliseconds a player must be away to count as absent; None if nobody ever does."""
        return absence(None if state.clocks is None else state.clocks.control, self._shortest)

    def attendance(self, state: State) -> Attendance:
        """Who is here, for a snapshot of a state."""
        bots = {index for index, seat in enumerate(state.seats) if is_bot(seat.player or "")}
        return Attendance(self.away(state), self._presence.watchers, self.absence(state), bots)

    async def check(self, state: State, players: Collection[str], clock: Clock) -> Mapping[str, str]:
        """Which of some players answer a ping now, and from which address each. Raises `LogUnavailable`.

        Players who are known to have gone are not waited for.
        """
        before = clock() - SETTLED
        gone = {state.seats[seat].player for seat, since in self.away(state).items() if since <= before}
        doubtful = set(players) - gone
        return await self._liveness.check(doubtful) if doubtful else {}

    def count(self) -> None:
        """Count those who follow the room on this node, without telling anybody yet."""
        self._presence.count(*self._feed.present())

    def tell_changes(self, state: State) -> None:
        """Tell followers of each seat whose player came or went, or is away since another time, since it was last told.

        A player who has just taken a seat is not told of as away: they are about to come.
        """
        away = self.away(state)
        for index, seat in enumerate(state.seats):
            since = away.get(index)
            now = seat.player is not None and since is None, since
            told = self._told.get(index, _FREE)
            self._told[index] = now
            if now != told and (told != _FREE or since is None):
                self._feed.send(Encoded(wire.Presence(self._room, state.seat_name(index), *now)))

    def tell_watchers(self) -> None:
        """Tell followers how many watch."""
        self._feed.send(Encoded(wire.Watchers(self._room, self._presence.watchers)))

    def tell_all(self, follower: Follower, state: State) -> None:
        """Tell a follower who has resumed what was last told: the log does not say who came and went meanwhile."""
        for seat in range(len(state.seats)):
            told = self._told.get(seat, _FREE)
            follower.send(Encoded(wire.Presence(self._room, state.seat_name(seat), *told)))
        follower.send(Encoded(wire.Watchers(self._room, self._presence.watchers)))
