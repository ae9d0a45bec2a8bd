"""The feed of one room: it sends each follower every decision after the version that follower knows.

A follower has a cursor: the version it knows. A snapshot sets the cursor to the shown version. `since` sets it to an
older version, and the feed reads the log from there. Once the cursor reaches the latest version that the follower may
see, the follower is live. Players get frames at once. Watchers get them in batches, and in a room with a delay only
when the decision is old enough. Frames that are not logged, such as presence and chat, go to live followers only.

A feed belongs to a match or, in `studies/feed`, to a study. There writers take the role of players.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, NamedTuple

from fourfold.engine.decisions import Decision
from fourfold.engine.match import Status
from fourfold.protocol import from_server as wire
from fourfold.protocol import projection
from fourfold.server.clock import Clock
from fourfold.server.replication.fanout import Encoded, Fanout, FanoutScheduler, Follower
from fourfold.server.replication.log_writer import LogWriter
from fourfold.server.replication.replica import History

AT_ONCE: Final = 32
"""How many missed decisions are sent before the client must have read the earlier ones."""

AHEAD: Final = 2
"""How many versions beyond the shown one a follower may claim to know. The clocks of nodes differ a little."""


class _Held(NamedTuple):
    """A frame that watchers may not see before `due`. A follower that knows the version `seq` already has it. `after`
    is the state after the decision, or None if the frame is no decision."""

    due: int
    frame: Encoded
    seq: int
    after: Any


class _Cursor:
    """The version known to a follower that is not live: behind the version it may see, or ahead of it.

    `seq` is None until the request to resume is answered. `anew` says that the follower then starts from a snapshot.
    `here` says whether the follower counts as present.
    """

    __slots__ = ("anew", "here", "seq")

    def __init__(self, seq: int | None, *, here: bool) -> None:
        self.seq = seq
        self.here = here
        self.anew = False


class Feed:
    """The followers of one room on this node, and their frames."""

    __slots__ = (
        "_advanced", "_clock", "_held", "_latest", "_players", "_previews", "_room", "_timer", "_waiting", "_watchers",
        "_writer", "shown",
    )  # fmt: skip

    def __init__(
        self, room: str, writer: LogWriter, scheduler: FanoutScheduler, clock: Clock, advanced: Callable[[Any], None]
    ) -> None:
        """`advanced` is called with the state shown before, when time alone has changed the state that watchers may
        see."""
        self.shown: Any = None
        """The state shown to followers without a seat; None until the first decision."""
        self._latest: Any = None
        self._room = room
        self._writer = writer
        self._clock = clock
        self._advanced = advanced
        self._players: dict[Follower, int] = {}  # with their seats
        self._watchers = Fanout(scheduler)
        self._waiting: dict[Follower, _Cursor] = {}  # followers that are not live
        self._previews: set[Follower] = set()  # followers that do not count as present
        self._held: list[_Held] = []
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._players) + len(self._watchers) + len(self._waiting)

    def __contains__(self, follower: object) -> bool:
        return follower in self._players or follower in self._watchers or follower in self._waiting

    def __iter__(self) -> Iterator[Follower]:
        """Players first."""
        yield from tuple(self._players)
        yield from self._watchers
        yield from tuple(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether there are no followers and no decisions held back from watchers."""
        return not (self or self._held)

    # -- overridden for a study --

    def update(self, state: Any, decision: Decision) -> wire.Update:
        """A decision as a frame; `state` is the state after it, or a later one."""
        return projection.update(self._room, state.position.seats, decision)

    # -- the view of a follower --

    def shown_to(self, player: str) -> Any:
        """The state as a player may see it: the current one, or the delayed one for a player without a seat in a room
        with a delay."""
        latest, shown = self._latest, self.shown
        assert latest is not None and shown is not None  # only a room that exists has followers
        return latest if shown is latest or latest.seat_of(player) is not None else shown

    def known_to(self, player: str) -> int:
        """The latest version that a player can know. It must not reveal whether, or how many, decisions are held
        back."""
        seq: int = self.shown_to(player).seq
        late = self._latest.terms.delay and not self._seated(player)
        return seq + AHEAD if late else seq

    def time_for(self, player: str) -> int:
        """The time as a player sees it, in milliseconds since 1970. Delayed viewers see an earlier time."""
        now, shown = self._clock(), self.shown
        assert shown is not None  # only a room that exists has followers
        return now if self._seated(player) else now - _delay(shown)

    def _seated(self, player: str) -> bool:
        return self._latest is not None and self._latest.seat_of(player) is not None

    # -- followers --

    def present(self) -> tuple[set[str], int]:
        """The ids of the players who follow, and the number of other followers. Previews do not count."""
        previews = self._previews
        here = [one for one, cursor in self._waiting.items() if cursor.here and one not in previews]
        players = {one.player_id for one in self._players if one not in previews}
        players.update(one.player_id for one in here if self._seated(one.player_id))
        watching = len(self._watchers) - sum(one in self._watchers for one in previews)
        return players, watching + sum(not self._seated(one.player_id) for one in here)

    def counted(self) -> set[Follower]:
        """Live and resuming followers, without previews."""
        return {*self._players, *(one for one, cursor in self._waiting.items() if cursor.here)} - self._previews

    def is_preview(self, follower: Follower) -> bool:
        """Whether a follower does not count as present."""
        return follower in self._previews

    def start(self, follower: Follower, *, preview: bool) -> bool:
        """Make a follower live at the version shown to it now. The caller sends the snapshot before anything else.

        Returns False while the follower's request to resume has no answer yet; that answer will start it anew. Present
        followers stay present, even if they come again for a preview.
        """
        cursor = self._waiting.get(follower)
        if cursor is not None and cursor.seq is None:
            cursor.anew = True
            self._mark(follower, here=cursor.here, preview=preview)
            return False
        self._mark(follower, here=self._detach(follower), preview=preview)
        self._go_live(follower, self.shown_to(follower.player_id).seq)
        return True

    async def resume(
        self, follower: Follower, since: int, id: int | None, *, decided: int | None, preview: bool
    ) -> bool:
        """Answer the request `id` to follow after version `since`, send the missed decisions, and make the follower
        live.

        `decided` is the time of that version, as the follower knows it. It is not compared if the follower may not see
        that version yet: the answer would confirm or deny a guess. Returns False if the follower must start anew
        instead. A present follower stays present meanwhile. Raises `LogUnavailable`, or `OtherLineage` if the version
        was a different one; both before anything is sent.
        """
        here = self._detach(follower)
        self._mark(follower, here=here, preview=preview)
        cursor = self._waiting[follower] = _Cursor(None, here=here)
        visible = self.shown_to(follower.player_id)
        missed: list[Decision] = []
        try:
            if since < visible.seq or (since == visible.seq and decided not in (None, visible.at)):
                missed = await self._writer.read(since, decided)
        except BaseException:
            if self._waiting.get(follower) is cursor:
                self.leave(follower)
            raise
        follower.reply(wire.Ok(room=self._room, seq=max(since, self.shown_to(follower.player_id).seq)), id)
        cursor.seq, cursor.here = since, True
        if cursor.anew:
            return self._waiting.get(follower) is not cursor
        await self._catch_up(follower, cursor, since, missed)
        return True

    async def _catch_up(self, follower: Follower, cursor: _Cursor, seq: int, missed: list[Decision]) -> None:
        """Send the decisions after `seq` until the cursor reaches the shown version, or another start replaces it.

        If the store has fewer decisions than this node, the writer will notice, and all followers start anew.
        """
        shown = self.shown
        while self._waiting.get(follower) is cursor and shown is not None and seq < shown.seq:
            for decision in missed:
                if decision.seq > shown.seq:
                    break
                cursor.seq = seq = decision.seq
                follower.send(Encoded(self.update(shown, decision)))
                if seq % AT_ONCE == 0:
                    await follower.drained()
                    if self._waiting.get(follower) is not cursor:
                        return
            shown = self.shown
            if shown is not None and seq < shown.seq:
                missed = await self._writer.read_on(seq)
                if not missed:
                    self._writer.look()
                    break
                shown = self.shown
        if self._waiting.get(follower) is cursor:
            del self._waiting[follower]
            self._go_live(follower, seq)

    def leave(self, follower: Follower) -> None:
        """Stop sending to a follower."""
        self._detach(follower)
        self._previews.discard(follower)

    def _mark(self, follower: Follower, *, here: bool, preview: bool) -> None:
        if not preview:
            self._previews.discard(follower)
        elif not here:
            self._previews.add(follower)

    def _detach(self, follower: Follower) -> bool:
        """Stop sending to a follower until its cursor is set; returns whether it was present."""
        cursor = self._waiting.pop(follower, None)
        here = follower in self._players or follower in self._watchers or (cursor is not None and cursor.here)
        self._players.pop(follower, None)
        self._watchers.remove(follower)
        return here

    def _go_live(self, follower: Follower, seq: int) -> None:
        """Send a follower the decisions from now on. It knows version `seq`, which is not behind the shown one."""
        assert self._latest is not None and self.shown is not None  # only a room that exists has followers
        seat = self._latest.seat_of(follower.player_id)
        if seat is not None:
            for held in self._held:
                if held.seq > seq:
                    follower.send(held.frame)
            self._players[follower] = seat
        elif seq > self.shown.seq:
            self._waiting[follower] = _Cursor(seq, here=True)
        else:
            self._watchers.add(follower)

    def reseat(self, players: Collection[str]) -> None:
        """The latest decision has seated, moved or unseated some players."""
        assert self._latest is not None and self.shown is not None  # there has been a decision
        for follower in self:
            if follower.player_id not in players:
                continue
            seq = self._latest.seq
            if follower in self._watchers:
                if not self._seated(follower.player_id):
                    continue
                seq = self.shown.seq
                for frame in self._watchers.remove(follower):
                    follower.send(frame)
            elif follower in self._players:
                del self._players[follower]
            else:
                ahead = self._ahead(self._waiting[follower])
                if ahead is None:
                    continue  # the feed is sending it the missed decisions
                seq = ahead
                del self._waiting[follower]
            self._go_live(follower, seq)

    # -- sending --

    def advance(self, decision: Decision, after: Any) -> None:
        """Send a decision, which led to the state `after`, to all who may see it now, and to the others once they
        may."""
        self._latest = after
        if not after.terms.delay:
            self.shown = after
            if self._players or self._watchers:
                self.send(Encoded(self.update(after, decision)))
            return
        self.shown = self.shown or after
        frame = Encoded(self.update(after, decision))
        self.send_to_players(frame)
        self._hold(_Held(_due(decision.at, after), frame, decision.seq, after))

    def send(self, frame: Encoded) -> None:
        """Send a frame to all followers that are live or ahead: to watchers soon, to the others before this returns."""
        self.send_to_players(frame)
        for follower, cursor in self._waiting.items():
            if self._ahead(cursor) is not None:
                follower.send(frame)
        self._watchers.send(frame)

    def _ahead(self, cursor: _Cursor) -> int | None:
        """The version known to a follower, if it is later than the shown one."""
        return cursor.seq if cursor.seq is not None and self.shown and cursor.seq > self.shown.seq else None

    def send_to_players(self, frame: Encoded) -> None:
        """Send a frame to players with a seat."""
        for follower in self._players:
            follower.send(frame)

    def send_when_shown(self, frame: Encoded, at: int) -> None:
        """Send a frame of the time `at` to players now, and to watchers once they may see the decisions of that
        time."""
        if self._latest is None or not self._latest.terms.delay:
            self.send(frame)
        else:
            self.send_to_players(frame)
            self._hold(_Held(_due(at, self._latest), frame, self._latest.seq + 1, None))

    def send_turn(self, only: Follower | None = None) -> None:
        """Send `turn` to the player to move, or only to the follower `only` if it is that player."""
        state = self._latest
        if state is None or state.status is not Status.PLAYING or not self._players:
            return
        turn = state.position.turn
        frame: Encoded | None = None
        for follower, seat in self._players.items():
            if seat == turn and (only is None or follower is only):
                if frame is None:
                    frame = Encoded(projection.turn(self._room, state))
                follower.send(frame)

    def _hold(self, held: _Held) -> None:
        self._held.append(held)
        if len(self._held) == 1:
            self._release()

    def _release(self) -> None:
        """Show watchers the decisions that are due. Followers that already knew them become live."""
        now = self._clock()
        while self._held and self._held[0].due <= now:
            held = self._held.pop(0)
            self._watchers.send(held.frame)
            if held.after is not None:
                self.shown = held.after
                for follower in [one for one, cursor in self._waiting.items() if cursor.seq == held.seq]:
                    del self._waiting[follower]
                    self._go_live(follower, held.seq)
        if self._held:
            wait = (self._held[0].due - now) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait, self._release_later)

    def _release_later(self) -> None:
        before = self.shown
        self._release()
        if before is not None and self.shown is not before:
            self._advanced(before)

    def restart(self, history: History) -> list[Follower]:
        """Replace all decisions by those of another log, with the states after them.

        A room without a delay needs only the latest one. All followers become live at the version shown to them now.
        Returns the followers that need a snapshot of it.
        """
        asking = {one: cursor for one, cursor in self._waiting.items() if cursor.seq is None}
        for cursor in asking.values():
            cursor.anew = True
        followers = [one for one in self if one not in asking]
        for follower in followers:
            self._detach(follower)
        self._stop_timer()
        self._held.clear()
        self.shown = None
        for decision, after in history:
            self.advance(decision, after)
        for follower in followers:
            self._go_live(follower, self.shown_to(follower.player_id).seq)
        return followers

    def close(self) -> None:
        """Drop the frames held back from watchers, and release the room."""
        self._stop_timer()
        self._advanced = _ignore

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def _ignore(_: object) -> None:
    """Replaces the callback of the room once the feed is closed, to break the reference cycle."""


def _delay(state: Any) -> int:
    """Milliseconds by which watchers see a state late: 0 while seats are free."""
    return 0 if any(seat.player is None for seat in state.seats) else state.terms.delay


def _due(at: int, state: Any) -> int:
    """When watchers may see an event at time `at` that led to a state. At once if the state has no delay, even if the
    store's time is a millisecond ahead of this node's clock."""
    delay = _delay(state)
    return at + delay if delay else 0
