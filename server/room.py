"""A room on this node: the folded match, those who follow it, and the one writer of its log.

Commands wait in one queue and are judged one at a time: decide, append, and only when the log has
taken the events: evolve, acknowledge, broadcast. Other nodes write to the same log; whatever comes
from there, and whatever we missed, takes the same way in: `apply`.

The room knows sessions only as something to send frames to. It knows no sockets and no Redis.
"""

import asyncio
import itertools
import math
import secrets
from collections import deque
from collections.abc import Callable, Collection, Coroutine, Iterable
from contextvars import Context
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final

import structlog

from engine.match import State, Status, decide, evolve
from engine.match.commands import Command, Credit, Expire, Propose, Return
from engine.match.events import Decision, Finished, Moved, Rejection, refused
from protocol import from_server as wire
from server import outbound, talk
from server.alarms import Alarms
from server.audience import Audience, Follower, Usher
from server.delay import Delay
from server.event_log import AppendConflict, Clock, EventLog, LogUnavailable, Outage
from server.metrics import Metrics
from server.outbound import Encoded
from server.presence import Presence
from server.retention import Retention

REMEMBERED: Final = 128
"""How many of the latest command keys a room holds in memory; older ones are looked up in the log."""

READ_AGAIN: Final = 0.3
"""Seconds between attempts to read on from a store that is away."""

AT_ONCE: Final = 64
"""How many missed decisions are sent before those already sent have to be read."""

_log = structlog.get_logger(__name__)
_NOBODYS: Final = Context()
"""What a room does by itself is not logged as done by the player who happened to set it off."""
_own_keys = (f"node.{secrets.token_hex(6)}.{n}" for n in itertools.count())


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command was carried out: at version `seq`, now in the log."""

    seq: int


Answer = Callable[[Accepted | Rejection], None]


@dataclass(frozen=True, slots=True)
class _Ask:
    """A command in the queue, who asks, under which key, and whom to answer."""

    command: Command
    by: str
    key: str
    answer: Answer


class Room:
    """See the module. `state` is None until the room's first decision."""

    def __init__(
        self,
        id: str,
        log: EventLog,
        clock: Clock,
        alarms: Alarms,
        usher: Usher,
        retention: Retention,
        notice: "Notice",
        metrics: Metrics,
    ) -> None:
        self.id = id
        self.state: State | None = None
        self.gone = False
        """Whether the log's time was found to be over: then this room is no more."""
        self._log = log
        self._clock = clock
        self._alarms = alarms
        self._retention = retention
        self._notice = notice
        self._metrics = metrics
        self._queue: deque[_Ask] = deque()
        self._busy = False
        self._closed = False
        self._heard = 0.0
        self._keys: dict[tuple[str, str], int] = {}
        self._audience = Audience(usher)
        self._delay: Delay | None = None
        self._presence = Presence(id, log, lambda: self.seq, self._tell_presence, self._tell_watchers)
        self._online: set[int] = set()  # as last told
        self._tasks: set[asyncio.Task[None]] = set()
        self._judged = self._handed_on = 0.0  # when the decision now being appended was begun, and when made
        self._settled: asyncio.Future[None] | None = None  # that somebody waits for

    @property
    def seq(self) -> int:
        """The version held here."""
        return 0 if self.state is None else self.state.seq

    @property
    def idle(self) -> bool:
        """Whether nobody here needs the room: it may be dropped and read from the log again."""
        early = self._delay is not None and self._delay.early
        return not (self._audience or early or self._queue or self._busy)

    @property
    def watchers(self) -> int:
        """How many watch, on all nodes."""
        return self._presence.watchers

    def online(self) -> set[int]:
        """The seats whose players are here, on any node."""
        assert self.state is not None  # only a room that exists can be followed
        seats = (self.state.seat_of(player) for player in self._presence.players)
        return {seat for seat in seats if seat is not None}

    # -- the writer --

    def submit(self, command: Command, by: str, answer: Answer, key: str = "") -> None:
        """Judge a command in its turn and answer it: once it is kept, or with the reason why not.

        `by` is the player's id; `key` the client's own for this command, empty where it has none.
        """
        if isinstance(command, Propose) and self.state is not None:
            command = replace(command, absent=frozenset(range(len(self.state.seats))) - self.online())
        self._queue.append(_Ask(command, by, key or next(_own_keys), answer))
        self._next()

    async def settled(self) -> None:
        """Wait until every command there is has been answered."""
        while self._queue or self._busy:
            self._settled = self._settled or asyncio.get_running_loop().create_future()
            await self._settled

    async def judge(self, command: Command, by: str, key: str = "") -> Accepted | Rejection:
        """`submit`, and wait for the answer."""
        answered: asyncio.Future[Accepted | Rejection] = asyncio.get_running_loop().create_future()
        self.submit(command, by, answered.set_result, key)
        return await answered

    def _next(self) -> None:
        if self._heard > self.seq and not self._busy:
            self._heard = 0.0
            self._occupy(self._catch_up())
        while self._queue and not self._busy:
            ask = self._queue[0]
            seq = self._keys.get((ask.by, ask.key))
            if seq is not None:
                self._answer(Accepted(seq))
                continue
            judged = perf_counter()
            verdict = decide(self.state, ask.command, ask.by, self._clock())
            if isinstance(verdict, Rejection):
                if self.state is None:
                    self._answer(verdict)
                else:
                    self._occupy(self._reconsider(ask, verdict))
            elif not verdict:
                self._answer(Accepted(self.seq))
            else:
                self._busy = True
                self._judged, self._handed_on = judged, perf_counter()
                keep = self._retention.after(self.state, verdict)
                future = self._log.append(self.id, self.seq, ask.by, ask.key, verdict, keep)
                future.add_done_callback(self._appended, context=_NOBODYS)
        if self._settled is not None and not self._busy:
            self._settled.set_result(None)
            self._settled = None

    def _answer(self, answer: Accepted | Rejection) -> None:
        self._queue.popleft().answer(answer)

    def _appended(self, future: "asyncio.Future[Decision]") -> None:
        self._busy = False
        error = future.exception()
        if error is None:
            decision, metrics = future.result(), self._metrics
            metrics.append.observe(perf_counter() - self._handed_on)
            self.apply((decision,))
            metrics.decision.observe(perf_counter() - self._judged)
            metrics.moves += type(decision.events[0]) is Moved
            match decision.events[-1]:
                case Finished(outcome=outcome):
                    _log.info("game over", room=self.id, how=outcome.termination.value)
            self._next()
        elif isinstance(error, AppendConflict):
            self._metrics.conflicts += 1
            self._occupy(self._lose())  # then the same command is judged again
        elif isinstance(error, LogUnavailable):
            self._answer(_unavailable(error))
            self._next()
        else:
            raise error

    async def _reconsider(self, ask: _Ask, verdict: Rejection) -> None:
        """Refuse only what the log refuses as it is now: other nodes may have written what is still unheard here."""
        seq = self.seq
        await self._catch_up()
        if self.seq == seq and self._queue and self._queue[0] is ask:  # else it is answered, or judged again
            if len(self._keys) < REMEMBERED:
                self._answer(verdict)
            else:
                await self._recall(ask, verdict)

    async def _recall(self, ask: _Ask, verdict: Rejection) -> None:
        """A refused command may be an old one sent again, its key no longer held: the log knows."""
        try:
            for decision in await self._log.read(self.id):
                if (decision.by, decision.key) == (ask.by, ask.key):
                    self._answer(Accepted(decision.seq))
                    return
        except LogUnavailable as error:
            self._answer(_unavailable(error))
            return
        self._answer(verdict)

    def _occupy(self, work: Coroutine[Any, Any, object]) -> None:
        """Do some reading while no command is judged."""

        async def run() -> None:
            try:
                await work
            finally:
                self._busy = False
            self._next()

        self._busy = True
        self._do(run())

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work, context=_NOBODYS)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- what comes in from the log --

    def apply(self, decisions: Iterable[Decision]) -> None:
        """Take decisions of the log, in order; those already held are passed over.

        The one way in: for this node's own appends, for the doorbell and for catching up.
        """
        for decision in decisions:
            if decision.seq <= self.seq:
                continue
            assert decision.seq == self.seq + 1  # callers close gaps by reading
            before = self.state
            self.state = after = evolve(before, decision)
            self._keys[decision.by, decision.key] = decision.seq
            if len(self._keys) > REMEMBERED:
                del self._keys[next(iter(self._keys))]
            ours = bool(self._queue) and (self._queue[0].by, self._queue[0].key) == (decision.by, decision.key)
            if ours:
                self._answer(Accepted(decision.seq))
            self._broadcast(decision, before, after)
            if ours:
                self._notice(self, before)
            self._alarms.set(self.id, after.deadline())

    def ring(self, seq: int, read: Callable[[], Decision]) -> None:
        """The doorbell. While busy we only note what it said: our own append's answer may tell the same, and first."""
        if seq <= self.seq or self._closed:
            return
        if self._busy:
            self._heard = max(self._heard, seq)
        elif seq == self.seq + 1:
            try:
                self.apply((read(),))
            except LogUnavailable:
                self._occupy(self._catch_up())
        else:
            self._occupy(self._catch_up())

    def miss(self) -> None:
        """The doorbell was not heard for a while: read on, and ask who is here."""
        if self._closed:
            return
        self._heard = math.inf
        self._next()
        self._do(self.ask())

    async def history(self) -> list[Decision]:
        """The whole log, for readers. Raises `LogUnavailable`."""
        return await self._log.read(self.id)

    async def load(self) -> None:
        """Read the log. Raises `LogUnavailable`."""
        self.apply(await self._log.read(self.id, self.seq))

    async def _catch_up(self) -> None:
        """Read on, as soon as the log can be read."""
        while True:
            try:
                await self.load()
                return
            except LogUnavailable as error:
                _log.warning("cannot read on", room=self.id, error=str(error))
                while self._queue:
                    self._answer(_unavailable(error))
            await asyncio.sleep(READ_AGAIN)

    async def _lose(self) -> None:
        """Another node was first: read what it wrote. If nobody wrote anything, the log's time was over."""
        seq = self.seq
        await self._catch_up()
        if self.seq == seq:
            self._vanish()

    def _vanish(self) -> None:
        self.gone = True
        self._notice(self, None)
        self._alarms.set(self.id, None)
        while self._queue:
            self._answer(_GONE)
        frame = wire.Error(kind=_GONE.kind, code=_GONE.code, message=_GONE.message, room=self.id)
        self._audience.send(Encoded(frame))

    def credit(self, outages: Iterable[Outage]) -> None:
        """Give whose clock ran while nobody could move the time back, before anything is held against him."""
        state = self.state
        if state is None:
            return
        for outage in outages:
            if state.clocks is not None and outage.end > max(state.clocks.since or math.inf, state.credited):
                self.submit(Credit(outage.start, outage.end), "", lambda _: None)
        self._alarms.set(self.id, state.deadline())

    def alarm(self) -> None:
        """A deadline has passed."""
        self.submit(Expire(), "", lambda _: None)

    # -- followers --

    def enter(self, follower: Follower, id: int | None = None) -> None:
        """Send the snapshot (as the reply to request `id`) and every new decision from now on.

        A follower that holds a seat here comes online by it, and is told if it is his turn.
        """
        self._recognise(follower)
        self._count()
        follower.reply(self._snapshot(follower), id)
        self._settle(follower)

    async def resume(self, follower: Follower, since: int, id: int | None = None) -> None:
        """Send everything after version `since`, then every new decision: nothing twice, nothing left out.

        Raises `LogUnavailable`.
        """
        player = follower.player_id
        follower.reply(wire.Ok(room=self.id, seq=max(since, self.shown_to(player).seq)), id)
        names = self.shown_to(player).position.seats
        while since < self.shown_to(player).seq:  # more may be decided while we read
            decisions = await self._log.read(self.id, since)
            for decision in decisions:
                if decision.seq > self.shown_to(player).seq:
                    break  # not taken, or not shown, here yet: it will come as a live one
                since = decision.seq
                follower.send(Encoded(outbound.update(self.id, names, decision)))
                if since % AT_ONCE == 0:
                    await follower.drained()
            if not decisions:
                self._recognise(follower, since)
                self._vanish()
                return
        self._recognise(follower, since)
        self._count()
        self._settle(follower)

    def leave(self, follower: Follower) -> None:
        """Send it nothing more."""
        self._audience.leave(follower)
        if self._delay is not None:
            self._delay.leave(follower)
        self._notice(self, self.state)
        self._count()
        self._presence.announce()

    def shown_to(self, player: str) -> State:
        """The room as a player may see it: as it is; or, where watchers see it late and he has no seat, as it was."""
        assert self.state is not None  # a room that is found has one
        if self._delay is None or self.state.seat_of(player) is not None:
            return self.state
        return self._delay.shown

    def _recognise(self, follower: Follower, since: int = 0) -> None:
        """Put a follower with the players or with the watchers, by whether his player has a seat.

        `since` is the version that he knows.
        """
        assert self.state is not None  # only a room that exists can be followed
        seat = self.state.seat_of(follower.player_id)
        if self._delay is None:
            self._audience.place(follower, seat)
        else:
            self._delay.place(follower, seat, since)

    def _settle(self, follower: Follower) -> None:
        """After a follower has come: tell all who is there now, and him if it is his turn.

        A player who was missed ends what was done about his absence.
        """
        state = self.state
        assert state is not None  # only a room that exists can be followed
        if _was_missed(state, follower.player_id):
            self.submit(Return(), follower.player_id, lambda _: None)
        self._notice(self, state)
        self._presence.announce()
        self._tell_presence()
        if state.status is Status.PLAYING and self._audience.players.get(follower) == state.position.turn:
            follower.send(Encoded(outbound.turn(self.id, state)))

    def _snapshot(self, follower: Follower) -> wire.Room:
        state = self.shown_to(follower.player_id)
        now = self._clock() if self._delay is None or follower in self._audience.players else self._delay.now
        return outbound.snapshot(self.id, state, self.online(), self._presence.watchers, now)

    # -- on all nodes: who is here, and what they say --

    async def ask(self) -> None:
        """Learn from the other nodes who follows the room there."""
        try:
            await self._presence.ask()
        except LogUnavailable as error:
            _log.warning("cannot ask who is here", room=self.id, error=str(error))

    def lose(self, nodes: Collection[str]) -> None:
        """Some nodes live no more: nobody is here by them, and what they did last may have rung nobody."""
        if self._presence.lose(nodes):
            self._heard = math.inf
            self._next()

    async def say(self, player: str, name: str, text: str, to: str) -> None:
        """Let everybody here, or the seated alone (`to` is `all` or `table`), hear what a player says.

        Raises `LogUnavailable`.
        """
        await self._log.tell(self.id, talk.write(talk.Said(player, name, text, to, self._clock())))

    def hear(self, message: bytes) -> None:
        """A node, perhaps this one, has told something."""
        if self._closed:
            return
        match talk.read(message):
            case talk.Here() as here:
                self._presence.hear(here)
                self._heard = max(self._heard, here.seq)
                self._next()
            case talk.Said() as said if self.state is not None:
                self._pass_on(said, self.state)

    def _pass_on(self, said: talk.Said, state: State) -> None:
        seat = state.seat_of(said.player)
        by = None if seat is None else state.seat_name(seat)
        frame = Encoded(wire.Said(self.id, by, said.name, said.text, said.to, said.time))
        if said.to == "table":
            self._audience.send_to_players(frame)
        elif seat is None:
            self._audience.send(frame)  # those who watch talk about what they see
        else:
            self._send(frame, said.time)

    def _count(self) -> None:
        self._presence.count({follower.player_id for follower in self._audience.players}, self._audience.watchers)

    def _tell_presence(self) -> None:
        """Tell which seats came online or went offline since this was last told."""
        if self.state is None:
            return  # still being read
        online = self.online()
        for seat in sorted(online ^ self._online):
            self._audience.send(Encoded(wire.Presence(self.id, self.state.seat_name(seat), seat in online)))
        self._online = online

    def _tell_watchers(self) -> None:
        self._audience.send(Encoded(wire.Watchers(self.id, self._presence.watchers)))

    def _broadcast(self, decision: Decision, before: State | None, after: State) -> None:
        audience = self._audience
        if before is None and after.terms.delay:
            self._delay = Delay(audience, self._clock, after)
        if not audience and self._delay is None:
            return
        self._send(Encoded(outbound.update(self.id, after.position.seats, decision)), decision.at, after)
        if before is not None and before.seats is not after.seats:
            moved = {player for player, _ in _seating(before) ^ _seating(after)}
            here = [*audience] if self._delay is None else [*audience, *self._delay.early]
            for follower in here:
                if follower.player_id in moved:
                    self._recognise(follower, after.seq)
            self._count()
            self._presence.announce()
            self._tell_presence()
        if after.status is Status.PLAYING and after.position_seq == decision.seq and audience.players:
            frame = Encoded(outbound.turn(self.id, after))
            for follower, seat in audience.players.items():
                if seat == after.position.turn:
                    follower.send(frame)

    def _send(self, frame: Encoded, at: int, after: State | None = None) -> None:
        """Send a frame of the time `at` to players now, and to watchers when they may see it."""
        if self._delay is None:
            self._audience.send(frame)
        else:
            self._audience.send_to_players(frame)
            self._delay.hold(frame, at, after)

    def close(self) -> None:
        """Take and do nothing any more; the log keeps what was."""
        self._closed = True
        if self._delay is not None:
            self._delay.close()
        self._presence.close()
        for task in self._tasks:
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until what was being done has ended."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


Notice = Callable[[Room, State | None], None]
"""Told that this node has changed a room (from a state; None if that does not matter), or who follows it here."""


def _was_missed(state: State, player: str) -> bool:
    """Whether a bot holds or is asked to the seat of this player, or a vote is open on his absence."""
    for index, seat in enumerate(state.seats):
        if seat.player == player:
            absentee = state.proposal is not None and state.proposal.absentee == index
            return absentee or seat.invited is not None or seat.stand_in is not None
    return False


_GONE: Final = refused("no_such_room", "This room's time is over; it is no longer kept.")


def _unavailable(error: LogUnavailable) -> Rejection:
    return Rejection("refused", "unavailable", f"{error} Send the command again with the same key.")


def _seating(state: State) -> set[tuple[str | None, int]]:
    return {(player, index) for index, seat in enumerate(state.seats) for player in (seat.player, seat.stand_in)}
