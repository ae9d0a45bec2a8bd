"""A room on this node: the writer of its log, the feed to its followers, and the deadlines of its match.

The room sees sessions as followers that take frames. It has no access to sockets or Redis.
"""

import asyncio
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import ClassVar, Final, NamedTuple, TypeVar

import structlog

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match import State, Status
from fourfold.engine.match.commands import Command, Credit, Expire, Propose, Return
from fourfold.protocol import from_server as wire
from fourfold.protocol import projection
from fourfold.protocol.projection import Attendance
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.players.identity import is_bot
from fourfold.server.replication.fanout import Encoded, FanoutScheduler, Follower
from fourfold.server.replication.feed import Audience, Feed
from fourfold.server.replication.hosted import Hosted
from fourfold.server.replication.log_writer import ignore
from fourfold.server.replication.replica import History
from fourfold.server.rooms import node_messages
from fourfold.server.rooms.chat import RoomChat
from fourfold.server.rooms.deadlines import Deadlines
from fourfold.server.rooms.hand_over import HandOver
from fourfold.server.rooms.liveness import LivenessCheck
from fourfold.server.rooms.presence import Presence
from fourfold.server.rooms.retention import Retention
from fourfold.server.rooms.seat_presence import SeatPresence
from fourfold.server.rooms.vacancy import AwayLimits, Desertion, Vacancy, missing
from fourfold.server.rooms.writer import RoomWriter
from fourfold.server.storage.event_log import EventLog, Outage, unless_unavailable

_log = structlog.get_logger(__name__)

_T = TypeVar("_T")


class RoomChange(NamedTuple):
    """A change of a room or of its followers, for those who look after all rooms of this node.

    `before` is the match before the change; None if that does not matter. `after` is the match now, and `shown` as
    watchers see it. `news` and `shown_news` say whether their seats or status differ from those before, or may.
    `watchers` is their number on all nodes, and `empty` says that nobody is here. `gone` says that the room has ended
    here.
    """

    room: "Room"
    before: State | None
    after: State
    shown: State
    news: bool
    shown_news: bool
    watchers: int
    empty: bool
    gone: bool


class Departed(NamedTuple):
    """A decision of this node that ended the game or a player's part in it: the room's id, the match after it, and the
    seats whose players are away, each with the start of the absence (ms since 1970)."""

    room: str
    after: State
    decision: Decision
    away: Mapping[int, int]


class Room(Hosted[State, Command]):
    """One room on this node."""

    refuses: ClassVar[Rejection | None] = None
    """Why this node takes no commands to the room; None if it does."""

    def __init__(
        self,
        id: str,
        log: EventLog,
        clock: Clock,
        deadlines: Deadlines,
        scheduler: FanoutScheduler,
        retention: Retention,
        notices: "Collection[Notice]",
        moved: "dict[str, Room]",
        metrics: Metrics,
        away_limits: AwayLimits,
        hand_over: HandOver | None = None,
        heard: "Collection[Notice]" = (),
        departed: Collection[Callable[[Departed], None]] = (),
    ) -> None:
        """`notices` are called when seats, status or followers change, and `heard` when another server has changed
        seats or status. `departed` are called when this server has ended the game or a player's part in it. A room with
        ordinary moves only adds itself to `moved`. Without `hand_over`, a finished game stays in the store."""
        writer = RoomWriter(id, log, clock, retention, metrics, self._taken, self._renewed, self._ended, self._inform)
        writer.refuses = self.refuses
        super().__init__(id, writer, Feed(id, AUDIENCE, writer, scheduler, clock, self._shown_later, self._start_anew))
        self._soon = asyncio.get_running_loop().call_soon
        self._log = log
        self._clock = clock
        self._deadlines = deadlines
        self._notices = notices
        self._heard = heard
        self._departed = departed
        self._moved = moved
        self._away_limits = away_limits
        self._hand_over = hand_over
        self._put_off = 0.0  # the hand-over waits until then
        self._presence = Presence(
            id, log, lambda: writer.seq, lambda: _people(writer.state), self._tell_presence, self._tell_watchers
        )
        self._liveness = LivenessCheck(id, log, writer.do)
        self._seats = SeatPresence(id, self.feed, self._presence, self._liveness, away_limits.absence)
        self.chat = RoomChat(id, log, clock, self.feed, lambda: writer.state)
        self._empty: int | None = None  # since when the room is empty (ms since 1970); None while it is not
        self._deserted: int | None = None  # the same, counting people alone

    @property
    def live(self) -> State | None:
        """The match that commands can change; None once the room has ended here."""
        return self.writer.state if self.writer.end is None else None

    @property
    def shown(self) -> State | None:
        """The match as shown to followers without a seat."""
        return self.feed.shown

    @property
    def idle(self) -> bool:
        """As in `Hosted`. But a room is needed while it is handed over, or while it waits to close a vacancy."""
        handed = self._hand_over is not None and self.id in self._hand_over
        return self.feed.idle and not (self.writer.busy or handed or self._vacancy())

    @property
    def has_left(self) -> bool:
        """Whether only the archive has the room's log."""
        return self._put_off == math.inf

    @property
    def empty(self) -> bool:
        """Whether no player and no watcher is here, on any node."""
        return self._seats.empty

    @property
    def watchers(self) -> int:
        """The number of watchers on all nodes."""
        return self._seats.watchers

    @property
    def _match(self) -> State:
        """The match. The room must exist; only existing rooms are found and followed."""
        state = self.writer.state
        assert state is not None
        return state

    def online(self) -> set[int]:
        """The seats whose players are here, on any node."""
        return self._seats.online(self._match)

    def attendance(self) -> Attendance:
        """Who is here now, on all nodes. Also where watchers see the game late: they get presence at once."""
        return self._seats.attendance(self._match)

    async def check_alive(self, players: Collection[str]) -> Mapping[str, str]:
        """Which of `players` answer a ping now, on any node, with the address of each. Raises `LogUnavailable`."""
        return await self._seats.check(self._match, players, self._clock)

    # -- commands --

    def credit(self, outages: Iterable[Outage]) -> None:
        """Give the player whose clock ran the time of outages back."""
        state = self.state
        if state is None:
            return
        since = None if state.clocks is None else state.clocks.since
        for outage in outages:
            if since is not None and outage.end > max(since, state.credited):
                self.submit(Credit(outage.start, outage.end), "", ignore, "")
        self._tell_presence()

    def _inform(self, command: Propose) -> Propose:
        seats, state = self._seats, self.state
        if state is None:
            return command
        return replace(command, absent=seats.absent(state), absence=seats.absence(state))

    # -- notifications of the log --

    def missed(self) -> None:
        """Notifications may have been missed: read the new decisions, and ask who is here."""
        if not self.writer.closed:
            self._presence.doubt()
            self.writer.look()
            self.writer.do(self.ask())

    def told(self, message: bytes) -> None:
        """A node, perhaps this one, has sent a message."""
        if self.writer.closed:
            return
        match node_messages.read(message):
            case node_messages.Here() as here:
                self._presence.receive(here)
                self.writer.look(here.seq)
                if here.ask:
                    self._liveness.repeat()
            case node_messages.Said() as said if self.state is not None:
                self.chat.said(said)
            case node_messages.Reacted() as reacted if self.state is not None:
                self.chat.reacted(reacted)
            case node_messages.Probe() as probe:
                self._liveness.probed(probe, self.feed.counted())
            case node_messages.Alive() as alive:
                self._liveness.answered(alive)
            case node_messages.Rewritten():
                self.writer.look()

    def lose(self, nodes: Collection[str]) -> None:
        """Some nodes have died, and their players are gone. Read the log, because their last decisions may not have
        arrived here. Call the observers, because theirs may not have acted on these decisions: called a bot, say."""
        if self._presence.lose(nodes):
            self.writer.look()
            if self.state is not None:  # else it is still being loaded
                self.notify()

    def _taken(self, decision: Decision, before: State | None, after: State, ours: bool) -> None:
        if before is None and ours:
            self._empty = self._deserted = decision.at  # nobody has come yet
        self.feed.advance(decision, after)
        same = _is_alike(before, after)
        moved = set() if before is None or before.seats is after.seats else _seating(before) ^ _seating(after)
        if moved and self.feed:
            self._presence.saw(decision)
            self.feed.reseat({player for player, _ in moved})
            self._seats.count()
            self._presence.announce()
            self._tell_presence()
        if after.position_seq == decision.seq:
            self._send_turn()
        if not ours:
            self._follow_up(decision)
            if not same:
                self._tell(self._heard, self.change(before))
            return
        if self._departed and not (same and before is not None and before.out is after.out):
            self._tell(self._departed, Departed(self.id, after, decision, self._seats.away(after)))
        if same:
            self._moved[self.id] = self
        else:
            self.notify(before)
        self._soon(self._follow_up, decision)

    def _follow_up(self, decision: Decision) -> None:
        """Do the work after a decision, apart from its frames. The frames of this node's own decisions are already
        sent."""
        if not self.writer.closed:
            self._presence.saw(decision)
            self._set_alarm()
            if self._match.adjourned is not None:
                for player in self.feed.present()[0]:  # players who came while this was decided
                    self._welcome_back(player)

    def _renewed(self, history: History[State]) -> None:
        """The log has become another one: send all followers the current state."""
        followers = self.feed.restart(history)
        self._seats.count()
        for follower in followers:
            follower.reply(self._snapshot(follower), None)
            self._settle(follower)
        self.notify()
        self.credit(self._log.outages())

    def _ended(self, why: Rejection) -> None:
        if self.state is not None:
            self.notify()
        self._deadlines.set(self.id, None)
        self.send_end(why)

    def _shown_later(self, before: State) -> None:
        """Watchers have been shown later decisions than those that led to the state `before`."""
        assert self.feed.shown is not None
        self._seats.tell_again(before, self.feed.shown)
        self.notify(before)

    def notify(self, before: State | None = None) -> None:
        """Call the notices: this room has changed from the state `before` (None if that does not matter)."""
        self._tell(self._notices, self.change(before))

    def tell_again(self) -> None:
        """See `Hosted`."""
        self.notify()

    def _tell(self, observers: Collection[Callable[[_T], None]], what: _T) -> None:
        """Call observers, in order, once the frames are sent. Each has a turn of the event loop of its own."""
        for observer in observers:
            self._soon(observer, what)

    def change(self, before: State | None = None) -> RoomChange:
        """A change from the state `before` to the room as it is now."""
        shown = self.feed.shown
        assert shown is not None  # there has been a decision
        after, news = self._match, not _is_alike(before, self._match)
        shown_news = news if shown is after else not _is_alike(before, shown)
        return RoomChange(self, before, after, shown, news, shown_news, self.watchers, self.empty, self.live is None)

    # -- deadlines --

    def alarm(self) -> None:
        """A deadline has passed."""
        now, state = self._clock(), self.state
        vacancy, leaves = self._vacancy(), self._leaves()
        for command, by in () if vacancy is None else vacancy.due(now):
            self.submit(command, by, ignore, "")
        if self._hand_over is not None and leaves is not None and leaves <= now:
            self._hand_over.begin(self, self.put_off)
        elif state is not None and (due := state.deadline()) is not None and due <= now:
            self.submit(Expire(), "", ignore, "")
        self._set_alarm()

    def _vacancy(self) -> Vacancy | Desertion | None:
        """The vacancy or desertion of the room: see `vacancy.missing`."""
        state = self.live
        if state is None:
            return None
        outages = self._log.outages()
        outage = outages[-1].end if outages else 0
        return missing(state, self._seats.away, self._empty, self._deserted, outage, self._away_limits)

    def _set_alarm(self) -> None:
        state = self.live
        if state is None or self.writer.closed:
            return
        vacancy = self._vacancy()
        left = None if vacancy is None else vacancy.deadline(self._clock())
        times = (state.deadline(), left, self._leaves())
        self._deadlines.set(self.id, min((time for time in times if time is not None), default=None))

    def _leaves(self) -> int | None:
        """When the room is to be handed over to the archive; None if it is not."""
        due = self._due()
        return None if due is None else max(due, int(self._put_off))

    def due_to_leave(self, now: int) -> bool:
        """Whether the room should have been archived by now (ms since 1970)."""
        due = self._due()
        return due is not None and due < now

    def _due(self) -> int | None:
        """When the room is due for the archive; None if it is not, or has left."""
        state = self.state
        return None if state is None or self._hand_over is None or self.has_left else self._hand_over.due(state)

    def put_off(self, until: float) -> None:
        """Delay the hand-over of the room until a time (ms since 1970); infinity once it has left the store."""
        self._put_off = until
        self._set_alarm()
        if until == math.inf and self.state is not None:
            self.notify()

    def _attend(self) -> None:
        """Record whether the room is empty now, after an arrival or a departure."""
        if self.state is not None and not self.writer.closed:
            if self._seats.deserted is (self._deserted is None):
                self._deserted = self._clock() if self._seats.deserted else None
            if self.empty is (self._empty is None):
                self._empty = self._clock() if self.empty else None
                self.notify(self.state)
        self._set_alarm()

    # -- followers --

    def enter(self, follower: Follower, id: int | None = None, *, preview: bool = False) -> None:
        """Send a follower the snapshot (as the reply to request `id`) and every new decision from now on.

        A player with a seat counts as online from now on, and gets a `turn` if it is their move. With `preview`, the
        follower counts neither as a player nor as a watcher, unless they are here already.
        """
        if self.feed.start(follower, preview=preview):
            self._seats.count()
            follower.reply(self._snapshot(follower), id)
            self._settle(follower)

    async def resume(
        self,
        follower: Follower,
        since: int,
        id: int | None = None,
        *,
        decided: int | None = None,
        preview: bool = False,
    ) -> None:
        """Send a follower everything after version `since`, then every new decision: see `Feed.resume`, and `enter`."""
        if not await self.feed.resume(follower, since, id, decided=decided, preview=preview):
            self._start_anew(follower)
        elif follower in self.feed:
            self._seats.count()
            self._seats.tell_all(follower, self._match)
            self._settle(follower)

    def _start_anew(self, follower: Follower) -> None:
        self.enter(follower, preview=self.feed.is_preview(follower))

    def leave(self, follower: Follower) -> None:
        """Stop sending to a follower."""
        self.feed.leave(follower)
        self.notify(self.state)
        self._seats.count()
        self._presence.announce()
        self._attend()

    def _settle(self, follower: Follower) -> None:
        """After a follower has come: undo the effects of their absence, and send them presence and turn."""
        if not self.feed.is_preview(follower):
            self._welcome_back(follower.player_id)
            self._liveness.came(follower)
        self.notify(self._match)
        self._presence.announce()
        self._tell_presence()
        self._send_turn(follower)

    def _send_turn(self, only: Follower | None = None) -> None:
        """Send `turn` to the player to move, or only to the follower `only` if it is that player."""
        state = self.writer.state
        if state is None or state.status is not Status.PLAYING or state.paused is not None:
            return
        mover = state.seats[state.position.turn]
        frame: Encoded | None = None
        for follower in self.feed.players:
            if follower.player_id in (mover.player, mover.stand_in) and (only is None or follower is only):
                if frame is None:
                    frame = Encoded(projection.turn(self.id, state))
                follower.send(frame)

    def _welcome_back(self, player: str) -> None:
        if _is_missed(self._match, player):
            self.submit(Return(), player, ignore, "")

    def _snapshot(self, follower: Follower) -> wire.Room:
        player = follower.player_id
        state, now = self.feed.shown_to(player), self.feed.time_for(player)
        self._presence.watchers_shown()
        return projection.snapshot(self.id, state, self.attendance(), now)

    # -- presence --

    async def ask(self) -> None:
        """Ask the other nodes who follows the room there."""
        with unless_unavailable(_log, "cannot ask who is here", room=self.id):
            await self._presence.ask()
        self._tell_presence()

    def _tell_presence(self) -> None:
        if self.state is not None:  # else it is still being loaded
            self._seats.tell_changes(self.state)
            self._attend()

    def _tell_watchers(self) -> None:
        self._seats.tell_watchers()
        if self.state is not None:  # else it is still being loaded
            self.notify(self.state)
        self._attend()

    def close(self) -> None:
        """Stop everything; the log remains."""
        super().close()
        self._presence.close()


AUDIENCE: Final = Audience(State.seat_of, projection.update_of, State.lateness)
"""The audience of a match: players are those with a seat."""


Notice = Callable[[RoomChange], None]
"""Called when this node has changed a room, or its followers have."""


def _is_alike(before: State | None, after: State) -> bool:
    """Whether the seats and status of a match are as before."""
    return before is not None and before.seats is after.seats and before.status is after.status


def _is_missed(state: State, player: str) -> bool:
    """Whether this player's return changes something: a bot holds their seat or is invited to it, a vote on their
    absence is open, or the game is adjourned until a person comes back."""
    for index, seat in enumerate(state.seats):
        if seat.player == player:
            absentee = state.proposal is not None and state.proposal.absentee == index
            adjourned = state.adjourned is not None and not is_bot(player)
            return absentee or adjourned or seat.invited is not None or seat.stand_in is not None
    return False


def _people(state: State | None) -> set[str]:
    """The ids of players who hold a seat, or stand in at one."""
    seats = () if state is None else state.seats
    return {one for seat in seats for one in (seat.player, seat.stand_in) if one is not None}


def _seating(state: State) -> set[tuple[str, int]]:
    return {(one, index) for index, seat in enumerate(state.seats) for one in (seat.player, seat.stand_in) if one}
