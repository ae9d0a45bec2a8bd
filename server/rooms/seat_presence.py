"""Whether the player of each seat is here, over all nodes, and the frames that report it to followers.

`Presence` knows players; this knows seats. Nothing of it is logged.
"""

from collections.abc import Collection, Mapping
from typing import Final

from fourfold.engine.match import State
from fourfold.engine.match.absence import absence
from fourfold.protocol import from_server as wire
from fourfold.protocol.projection import Attendance
from fourfold.server.clock import Clock
from fourfold.server.players.identity import is_bot
from fourfold.server.replication.fanout import Encoded, Follower
from fourfold.server.replication.feed import Feed
from fourfold.server.rooms.liveness import LivenessCheck
from fourfold.server.rooms.presence import Presence

SETTLED: Final = 1000
"""Milliseconds within which this node hears of a player who has taken a seat on another node."""

_FREE: Final = False, None
"""The state of a free seat: its player is neither online nor away."""


class SeatPresence:
    """Who is here, for one room."""

    __slots__ = ("_feed", "_liveness", "_presence", "_room", "_shortest", "_told")

    def __init__(
        self, room: str, feed: Feed[State], presence: Presence, liveness: LivenessCheck, shortest: int
    ) -> None:
        """`shortest` is for how many milliseconds a player must be away to count as absent, in the fastest games."""
        self._room = room
        self._feed = feed
        self._presence = presence
        self._liveness = liveness
        self._shortest = shortest
        # for each seat: whether it is online, and since when it is away
        self._told: dict[int, tuple[bool, int | None]] = {}

    @property
    def empty(self) -> bool:
        """Whether no player and no watcher is here."""
        return not (self._presence.players or self._presence.watchers)

    @property
    def deserted(self) -> bool:
        """Whether no person is here: no watcher, and only bots as players."""
        return not self._presence.watchers and all(map(is_bot, self._presence.players))

    @property
    def watchers(self) -> int:
        """The number of watchers."""
        return self._presence.watchers

    def online(self, state: State) -> set[int]:
        """The seats whose players are here."""
        away = self.away(state)
        return {index for index, seat in enumerate(state.seats) if seat.player is not None and index not in away}

    def away(self, state: State) -> dict[int, int]:
        """The seats with neither the player nor the stand-in here, each with the start of the absence (ms since
        1970)."""
        here, since = self._presence.players, self._presence.since
        return {
            index: max(map(since, people))
            for index, seat in enumerate(state.seats)
            if (people := [one for one in (seat.player, seat.stand_in) if one is not None]) and here.isdisjoint(people)
        }

    def absent(self, state: State) -> dict[int, int]:
        """The seats that are away, each with the time at which its player counts as absent (ms since 1970). Empty in
        games so slow that no player counts as absent."""
        limit = self.absence(state)
        return {} if limit is None else {seat: since + limit for seat, since in self.away(state).items()}

    def absence(self, state: State) -> int | None:
        """Milliseconds after which an away player counts as absent; None for never."""
        return absence(None if state.clocks is None else state.clocks.control, self._shortest)

    def attendance(self, state: State) -> Attendance:
        """Who is here, for the snapshot of a state."""
        bots = {index for index, seat in enumerate(state.seats) if is_bot(seat.player or "")}
        return Attendance(self.away(state), self._presence.watchers, self.absence(state), bots)

    async def check(self, state: State, players: Collection[str], clock: Clock) -> Mapping[str, str]:
        """Which of `players` answer a ping now, with the address of each. Raises `LogUnavailable`.

        It does not wait for players who are known to be gone.
        """
        before = clock() - SETTLED
        gone = {state.seats[seat].player for seat, since in self.away(state).items() if since <= before}
        doubtful = set(players) - gone
        return await self._liveness.check(doubtful) if doubtful else {}

    def count(self) -> None:
        """Count the followers on this node, without sending anything yet."""
        self._presence.count(*self._feed.present())

    def tell_changes(self, state: State) -> None:
        """Send followers each seat whose player has come, gone, or changed the start of their absence.

        A player who has just taken a seat is not reported as away, because they are about to come.
        """
        away = self.away(state)
        for index, seat in enumerate(state.seats):
            since = away.get(index)
            now = seat.player is not None and since is None, since
            told = self._told.get(index, _FREE)
            self._told[index] = now
            if now != told and (told != _FREE or since is None):
                self._feed.send(Encoded(wire.Presence(self._room, state.seat_name(index), *now)))

    def tell_again(self, before: State, after: State) -> None:
        """Send watchers the presence of each seat that is another's in the state `after` than in the state `before`.

        With a delay, watchers see a player sit down long after that player's presence was sent. Watchers who came in
        between got a snapshot in which the seat was free, and nobody online there.
        """
        for index, seats in enumerate(zip(before.seats, after.seats, strict=True)):
            (player, stand_in), now = [(seat.player, seat.stand_in) for seat in seats]
            if (player, stand_in) != now:
                told = self._told.get(index, _FREE)
                self._feed.send_to_watchers(Encoded(wire.Presence(self._room, after.seat_name(index), *told)))

    def tell_watchers(self) -> None:
        """Send followers the number of watchers."""
        self._feed.send(Encoded(wire.Watchers(self._room, self._presence.watchers)))

    def tell_all(self, follower: Follower, state: State) -> None:
        """Send a resuming follower the latest presence: the log does not contain it."""
        for seat in range(len(state.seats)):
            told = self._told.get(seat, _FREE)
            follower.send(Encoded(wire.Presence(self._room, state.seat_name(seat), *told)))
        follower.send(Encoded(wire.Watchers(self._room, self._presence.watchers)))
        self._presence.watchers_shown()
