"""The chat of a room: lines and reactions, for its followers. The store keeps the latest lines as long as the room."""

import math
from collections import deque
from collections.abc import Callable
from typing import Final

import structlog

from fourfold.engine.match import State
from fourfold.protocol import from_server as wire
from fourfold.server.clock import DAY, Clock
from fourfold.server.players.identity import is_bot
from fourfold.server.replication.fanout import Encoded
from fourfold.server.replication.feed import Feed
from fourfold.server.rooms import node_messages
from fourfold.server.rooms.node_messages import Reacted, Said
from fourfold.server.storage.event_log import EventLog, unless_unavailable

RECENT: Final = 20
"""How many lines and reactions a node remembers for reports."""

KEPT: Final = 100
"""How many lines the store keeps for a room."""

LIFE: Final = 90 * DAY
"""Milliseconds for which the store keeps the lines after the last one. When a room leaves the store, they go too."""

_log = structlog.get_logger(__name__)


class RoomChat:
    """Passes on what players write in one room."""

    def __init__(
        self, room: str, log: EventLog, clock: Clock, feed: Feed[State], state: Callable[[], State | None]
    ) -> None:
        self.recent: deque[Said] = deque(maxlen=RECENT)
        """The latest lines and reactions, for reports."""
        self._room = room
        self._log = log
        self._clock = clock
        self._feed = feed
        self._state = state

    async def say(self, player: str, name: str, text: str, to: str) -> None:
        """Send a player's line to all followers, or only to players with a seat (`to` is `all` or `table`), and keep
        it. Raises `LogUnavailable`."""
        said = Said(player, name, text, to, self._clock(), self._seat_of(player))
        message = node_messages.write(said)
        await self._log.tell(self._room, message)
        with unless_unavailable(_log, "a chat line was not kept", room=self._room):  # its readers have it
            await self._log.keep_line(self._room, message, KEPT, LIFE)

    async def react(self, player: str, name: str, reaction: str) -> None:
        """Show a player's reaction to all followers. Raises `LogUnavailable`."""
        await self._log.tell(self._room, node_messages.write(Reacted(player, name, reaction, self._clock())))

    async def lines(self, player: str) -> list[wire.ChatLine]:
        """The kept lines that a player may read, oldest first. Raises `LogUnavailable`."""
        state = self._state()
        assert state is not None  # the room exists
        seated = state.seat_of(player) is not None
        begun = all(seat.player is not None for seat in state.seats)
        delay = state.terms.delay if begun else 0
        until = self._clock() - delay if delay else math.inf  # players' lines are as late as their game
        return [
            wire.ChatLine(said.seat, said.name, said.text, said.to, said.time, is_bot(said.player))
            for said in map(node_messages.read, await self._log.lines(self._room))
            if isinstance(said, Said) and (seated or (said.to == "all" and (said.seat is None or said.time <= until)))
        ]

    def said(self, said: Said) -> None:
        """Pass a line on to followers here."""
        self.recent.append(said)
        seat = self._seat_of(said.player)
        frame = Encoded(wire.Said(self._room, seat, said.name, said.text, said.to, said.time, is_bot(said.player)))
        if said.to == "table":
            self._feed.send_to_players(frame)
        elif seat is None:
            self._feed.send(frame)  # watchers chat about the position they see
        else:
            self._feed.send_when_shown(frame, said.time)

    def reacted(self, one: Reacted) -> None:
        """Pass a reaction on to followers here."""
        seat = self._seat_of(one.player)
        if seat is None:
            return  # the player has just left the seat
        self.recent.append(Said(one.player, one.name, f"({one.reaction.replace('_', ' ')})", "all", one.time, seat))
        frame = wire.Reacted(self._room, seat, one.name, one.reaction, one.time, is_bot(one.player))
        self._feed.send_when_shown(Encoded(frame), one.time)

    def _seat_of(self, player: str) -> str | None:
        state = self._state()
        seat = None if state is None else state.seat_of(player)
        return None if state is None or seat is None else state.seat_name(seat)
