"""A room on this node: a writer, and those who follow it here.

It lets followers in and out, sends players and watchers what each may see when he may see it, tells
who is here and passes on what they say. What is decided, and in which order, is the writer's.

The room knows sessions only as something to send frames to. It knows no sockets and no Redis.
"""

import asyncio
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

import structlog

from fourfold.engine.match import State, Status
from fourfold.engine.match.commands import Command, Credit, Expire, Propose, Return
from fourfold.engine.match.events import Decision, Rejection
from fourfold.protocol import from_server as wire
from fourfold.protocol import projection
from fourfold.protocol.projection import Attendance
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.players.identity import is_bot
from fourfold.server.rooms import node_messages as talk
from fourfold.server.rooms.deadlines import Alarms
from fourfold.server.rooms.fanout import Encoded, FanoutScheduler, Follower
from fourfold.server.rooms.feed import Feed
from fourfold.server.rooms.presence import Presence
from fourfold.server.rooms.replica import History
from fourfold.server.rooms.retention import Retention
from fourfold.server.rooms.roll_call import RollCall
from fourfold.server.rooms.vacancy import Patience, Vacancy
from fourfold.server.rooms.writer import Accepted, Answer, RoomWriter
from fourfold.server.storage.event_log import EventLog, LogUnavailable, Outage, Read

SETTLED: Final = 1000
"""Milliseconds after which who has taken a seat on another node, and is there, has been heard of."""

_FREE: Final = False, None
"""How a seat is told of that is free: neither online, nor away since some moment."""

_log = structlog.get_logger(__name__)


class Room:
    """See the module."""

    def __init__(
        self,
        id: str,
        log: EventLog,
        clock: Clock,
        alarms: Alarms,
        scheduler: FanoutScheduler,
        retention: Retention,
        notice: "Notice",
        metrics: Metrics,
        patience: Patience,
    ) -> None:
        self.id = id
        writer = self.writer = RoomWriter(
            id, log, clock, retention, metrics, self._taken, self._read_anew, self._ended, self._absent
        )
        self._log = log
        self._clock = clock
        self._alarms = alarms
        self._notice = notice
        self._patience = patience
        self.feed = Feed(id, writer, scheduler, clock, lambda before: notice(self, before))
        self._presence = Presence(
            id, log, lambda: writer.seq, lambda: _people(writer.state), self._tell_presence, self._tell_watchers
        )
        self._roll = RollCall(id, log, writer.do)
        self._empty: int | None = None  # since when it is; None while it is not
        self._told: dict[int, tuple[bool, int | None]] = {}  # of each seat, whether it is online, and away since when

    @property
    def state(self) -> State | None:
        """The match as it is; None until the room's first decision."""
        return self.writer.state

    @property
    def shown(self) -> State | None:
        """The match as everybody may see it: see `shown_to`."""
        return self.feed.shown

    @property
    def seq(self) -> int:
        """The version of `state`."""
        return self.writer.seq

    @property
    def gone(self) -> bool:
        """Whether nothing can be done with the room any more: it is no longer kept, or can't be read."""
        return self.writer.gone

    @property
    def idle(self) -> bool:
        """Whether nobody here needs the room: it may be dropped and read from the log again."""
        return self.feed.idle and not (self.writer.busy or self._vacancy())

    @property
    def empty(self) -> bool:
        """Whether nobody is here, on no node: neither a player nor anybody who watches."""
        return not (self._presence.players or self._presence.watchers)

    @property
    def watchers(self) -> int:
        """How many watch, on all nodes."""
        return self._presence.watchers

    def online(self) -> set[int]:
        """The seats whose players are here, on any node."""
        assert self.state is not None  # only a room that exists can be followed
        away = self.away()
        return {index for index, seat in enumerate(self.state.seats) if seat.player is not None and index not in away}

    def away(self, state: State | None = None) -> dict[int, int]:
        """The seats (of the match as it is, or as it was) whose players, and those who stand in for them, are not here,
        on no node; and from when on that is counted, in milliseconds since 1970."""
        state = state or self.state
        assert state is not None  # only a room that exists can be followed
        here, since = self._presence.players, self._presence.since
        return {
            index: max(map(since, people))
            for index, seat in enumerate(state.seats)
            if (people := [one for one in (seat.player, seat.stand_in) if one is not None]) and here.isdisjoint(people)
        }

    def attendance(self, player: str) -> Attendance:
        """Who is here, on all nodes, as a player may see it."""
        state = self.shown_to(player)
        bots = {seat for seat, one in enumerate(state.seats) if is_bot(one.player or "")}
        return Attendance(self.away(state), self._presence.watchers, self._patience.absence, bots)

    async def call_roll(self, players: Collection[str]) -> Mapping[str, str]:
        """Which of some players are there now, and from which address: see `RollCall`. Raises `LogUnavailable`.

        Those who are known to have gone are not waited for.
        """
        assert self.state is not None  # only a room that exists has players
        before = self._clock() - SETTLED
        gone = {self.state.seats[seat].player for seat, since in self.away().items() if since <= before}
        doubtful = set(players) - gone
        return await self._roll.call(doubtful) if doubtful else {}

    # -- the writer --

    def submit(self, command: Command, by: str, answer: Answer, key: str = "") -> None:
        """Have a command judged in its turn: see `RoomWriter.submit`."""
        if type(command) is Propose:
            command = replace(command, absence=self._patience.absence)
        self.writer.submit(command, by, answer, key)

    def _absent(self) -> dict[int, int]:
        """From when on the players of seats who are not here count as absent."""
        away = {} if self.state is None else self.away()
        return {seat: since + self._patience.absence for seat, since in away.items()}

    async def judge(self, command: Command, by: str, key: str = "") -> Accepted | Rejection:
        """`submit`, and wait for the answer."""
        answered: asyncio.Future[Accepted | Rejection] = asyncio.get_running_loop().create_future()
        self.submit(command, by, answered.set_result, key)
        return await answered

    def ring(self, seq: int, read: Read) -> None:
        """The doorbell."""
        self.writer.ring(seq, read)

    def miss(self) -> None:
        """The doorbell was not heard for a while: read on, and ask who is here."""
        if not self.writer.closed:
            self._presence.doubt()
            self.writer.look()
            self.writer.do(self.ask())

    def credit(self, outages: Iterable[Outage]) -> None:
        """Give whose clock ran while nobody could move the time back, before anything is held against him."""
        state = self.state
        if state is None:
            return
        for outage in outages:
            if state.clocks is not None and outage.end > max(state.clocks.since or math.inf, state.credited):
                self.submit(Credit(outage.start, outage.end), "", lambda _: None)
        self._tell_presence()

    def alarm(self) -> None:
        """A deadline has passed."""
        vacancy = self._vacancy()
        if vacancy is None:
            self.submit(Expire(), "", lambda _: None)
            return
        for command, by in vacancy.due(self._clock()):
            self.submit(command, by, lambda _: None)
        self._set_alarm()

    def _vacancy(self) -> Vacancy | None:
        """Who is missing; None once the game has begun."""
        state = self.state
        if state is None or state.status is not Status.OPEN or self.gone:
            return None
        outages = self._log.outages()
        empty = None if self._empty is None else max(self._empty, outages[-1].end if outages else 0)
        return Vacancy(state, self.away(), empty, self._patience)

    def _set_alarm(self) -> None:
        state = self.state
        if state is None or self.gone or self.writer.closed:
            return
        vacancy = self._vacancy()
        self._alarms.set(self.id, state.deadline() if vacancy is None else vacancy.deadline(self._clock()))

    def _attend(self) -> None:
        """Look who is here: somebody may have come or gone."""
        if self.state is not None and not self.writer.closed and self.empty is (self._empty is None):
            self._empty = self._clock() if self.empty else None
            self._notice(self, self.state)
        self._set_alarm()

    # -- followers --

    def enter(self, follower: Follower, id: int | None = None, *, preview: bool = False) -> None:
        """Send the snapshot (as the reply to request `id`) and every new decision from now on.

        A follower that holds a seat here comes online by it, and is told if it is their turn. One who comes
        for a preview counts neither as a player nor as a watcher. One who is here already does not go meanwhile.
        """
        if self.feed.start(follower, preview=preview):
            self._count()
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
        """Send everything after version `since`, then every new decision: nothing twice, nothing left out.

        `decided` is when that version was decided, by what the follower was told; `preview` is as in `enter`.
        Raises `LogUnavailable`, or `OtherLineage` if it was another version, before anything is sent, or not at all.
        """
        if not await self.feed.resume(follower, since, id, decided=decided, preview=preview):
            self.enter(follower, preview=self.feed.is_preview(follower))
        elif follower in self.feed:
            self._count()
            self._tell_all_presence(follower)
            self._settle(follower)

    def leave(self, follower: Follower) -> None:
        """Send it nothing more."""
        self.feed.leave(follower)
        self._notice(self, self.state)
        self._count()
        self._presence.announce()
        self._attend()

    def shown_to(self, player: str) -> State:
        """The match as a player may see it."""
        return self.feed.shown_to(player)

    def known_to(self, player: str) -> int:
        """The latest version that a player can know of."""
        return self.feed.known_to(player)

    def _settle(self, follower: Follower) -> None:
        """After a follower has come: tell all who is there now, and him if it is his turn.

        A player who was missed ends what was done about his absence.
        """
        state = self.state
        assert state is not None  # only a room that exists can be followed
        if not self.feed.is_preview(follower) and _was_missed(state, follower.player_id):
            self.submit(Return(), follower.player_id, lambda _: None)
        self._notice(self, state)
        self._presence.announce()
        self._tell_presence()
        self.feed.send_turn(follower)

    def _snapshot(self, follower: Follower) -> wire.Room:
        player = follower.player_id
        state, now = self.feed.shown_to(player), self.feed.time_for(player)
        return projection.snapshot(self.id, state, self.attendance(player), now)

    # -- on all nodes: who is here, and what they say --

    async def ask(self) -> None:
        """Learn from the other nodes who follows the room there."""
        try:
            await self._presence.ask()
        except LogUnavailable as error:
            _log.debug("cannot ask who is here", room=self.id, error=str(error))
        self._tell_presence()

    def lose(self, nodes: Collection[str]) -> None:
        """Some nodes live no more: nobody is here by them, and what they did last may have rung nobody."""
        if self._presence.lose(nodes):
            self.writer.look()

    async def say(self, player: str, name: str, text: str, to: str) -> None:
        """Let everybody here, or the seated alone (`to` is `all` or `table`), hear what a player says.

        Raises `LogUnavailable`.
        """
        await self._log.tell(self.id, talk.write(talk.Said(player, name, text, to, self._clock())))

    def hear(self, message: bytes) -> None:
        """A node, perhaps this one, has told something."""
        if self.writer.closed:
            return
        match talk.read(message):
            case talk.Here() as here:
                self._presence.hear(here)
                self.writer.look(here.seq)
            case talk.Said() as said if self.state is not None:
                self._pass_on(said, self.state)
            case talk.Roll() as roll:
                self._roll.hear(roll, self.feed.counted())
            case talk.Present() as present:
                self._roll.note(present)

    def _pass_on(self, said: talk.Said, state: State) -> None:
        seat = state.seat_of(said.player)
        by = None if seat is None else state.seat_name(seat)
        frame = Encoded(wire.Said(self.id, by, said.name, said.text, said.to, said.time))
        if said.to == "table":
            self.feed.send_to_players(frame)
        elif seat is None:
            self.feed.send(frame)  # those who watch talk about what they see
        else:
            self.feed.send_when_shown(frame, said.time)

    def _count(self) -> None:
        self._presence.count(*self.feed.present())

    def _tell_presence(self) -> None:
        """Tell of which seats the players came or went, or are away since another moment, since this was last told.

        Who has just taken a seat is not told of as away: they are about to come, and the others know of no coming.
        """
        state = self.state
        if state is None:
            return  # still being read
        away = self.away()
        for index, seat in enumerate(state.seats):
            since = away.get(index)
            now = seat.player is not None and since is None, since
            told = self._told.get(index, _FREE)
            self._told[index] = now
            if now != told and (told != _FREE or since is None):
                self.feed.send(Encoded(wire.Presence(self.id, state.seat_name(index), *now)))
        self._attend()

    def _tell_all_presence(self, follower: Follower) -> None:
        """Tell one who resumes who is here, as was last told: who came and went meanwhile is in no log."""
        assert self.state is not None  # only a room that exists can be followed
        for seat in range(len(self.state.seats)):
            told = self._told.get(seat, _FREE)
            follower.send(Encoded(wire.Presence(self.id, self.state.seat_name(seat), *told)))
        follower.send(Encoded(wire.Watchers(self.id, self._presence.watchers)))

    def _tell_watchers(self) -> None:
        self.feed.send(Encoded(wire.Watchers(self.id, self._presence.watchers)))
        self._attend()

    def _taken(self, decision: Decision, before: State | None, after: State, ours: bool) -> None:
        if decision.by:
            self._presence.saw(decision.by, decision.at)
        if before is None and ours:
            self._empty = decision.at  # nobody has come yet
        self._broadcast(decision, before, after)
        if ours:
            self._notice(self, before)
        if before is not None and before.status is Status.OPEN and after.status is not Status.OPEN:
            self._alarms.set(self.id, None)  # what comes now is another deadline, to be noted in the store at once
        self._set_alarm()

    def _read_anew(self, history: History) -> None:
        """The log has become another: whoever follows is sent what there is now, and starts from there."""
        followers = self.feed.restart(history)
        self._count()
        for follower in followers:
            follower.reply(self._snapshot(follower), None)
            self._settle(follower)
        self._notice(self, None)
        self.credit(self._log.outages())

    def _ended(self, why: Rejection) -> None:
        if self.state is not None:
            self._notice(self, None)
        self._alarms.set(self.id, None)
        self.feed.send(Encoded(wire.Error(kind=why.kind, code=why.code, message=why.message, room=self.id)))

    def _broadcast(self, decision: Decision, before: State | None, after: State) -> None:
        self.feed.advance(decision, after)
        if before is not None and before.seats is not after.seats:
            self.feed.reseat({player for player, _ in _seating(before) ^ _seating(after) if player is not None})
            self._count()
            self._presence.announce()
            self._tell_presence()
        if after.position_seq == decision.seq:
            self.feed.send_turn()

    def close(self) -> None:
        """Take and do nothing any more; the log keeps what was."""
        self.writer.close()
        self.feed.close()
        self._presence.close()


Notice = Callable[[Room, State | None], None]
"""Told that this node has changed a room (from a state; None if that does not matter), or who follows it here."""


def _was_missed(state: State, player: str) -> bool:
    """Whether a bot holds or is asked to the seat of this player, or a vote is open on his absence."""
    for index, seat in enumerate(state.seats):
        if seat.player == player:
            absentee = state.proposal is not None and state.proposal.absentee == index
            return absentee or seat.invited is not None or seat.stand_in is not None
    return False


def _people(state: State | None) -> set[str]:
    """Who has a seat, or stands in at one."""
    seats = () if state is None else state.seats
    return {one for seat in seats for one in (seat.player, seat.stand_in) if one is not None}


def _seating(state: State) -> set[tuple[str | None, int]]:
    return {(player, index) for index, seat in enumerate(state.seats) for player in (seat.player, seat.stand_in)}
