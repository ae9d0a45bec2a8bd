"""The feed of one log: it sends each follower every decision after the version that follower knows.

A follower has a cursor: the version it knows. A snapshot sets the cursor to the shown version. `since` sets it to an
older version, and the feed reads the log from there. Once the cursor reaches the latest version that the follower may
see, the follower is live. Players get frames at once. Watchers get them in batches, and of a log with a delay only
when the decision is old enough. Frames that are not logged, such as presence and chat, go to live followers only.

The feed is given its `Audience`: who is a player, what is late for watchers, and how a decision becomes a frame.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from fourfold.engine.decisions import Decision
from fourfold.protocol import from_server as wire
from fourfold.server.clock import Clock
from fourfold.server.replication.fanout import Encoded, Fanout, FanoutScheduler, Follower
from fourfold.server.replication.log_writer import LogWriter, ignore
from fourfold.server.replication.replica import History, Versioned

AT_ONCE: Final = 32
"""How many missed decisions are sent before the client must have read the earlier ones."""

AHEAD: Final = 2
"""How many versions beyond the shown one a follower may claim to know. The clocks of nodes differ a little."""


_S = TypeVar("_S", bound=Versioned)


class Audience(Generic[_S]):
    """Who follows a log, and what they see of it."""

    __slots__ = ("delay", "role", "update")

    def __init__(
        self,
        role: Callable[[_S, str], int | None],
        update: Callable[[str, _S, Decision], wire.Update],
        delay: Callable[[_S], int | None],
    ) -> None:
        """`role` returns a player's role in a state, such as their seat; None for watchers. `update` makes the frame of
        a decision of the log with this id; the state is the one after it, or a later one. `delay` returns the
        milliseconds by which watchers see a state late; None if they see all of this log at once."""
        self.role = role
        self.update = update
        self.delay = delay


class _Held(Generic[_S]):
    """A frame that watchers may not see before `due`. A follower that knows the version `seq` already has it. `after`
    is the state after the decision, or None if the frame is no decision."""

    __slots__ = ("after", "due", "frame", "seq")

    def __init__(self, due: int, frame: Encoded, seq: int, after: _S | None) -> None:
        self.due = due
        self.frame = frame
        self.seq = seq
        self.after = after


@dataclass(slots=True)
class _Cursor:
    """The version known to a follower that is not live: behind the version it may see, or ahead of it.

    `seq` is None until the request to resume is answered. `anew` says that the follower then starts from a snapshot.
    `here` says whether the follower counts as present. `decided` is the time of a version that could not be compared
    yet: see `Feed.resume`.
    """

    seq: int | None
    here: bool
    anew: bool = False
    decided: int | None = None


class Feed(Generic[_S]):
    """The followers of one log on this node, and their frames."""

    __slots__ = (
        "_advanced", "_audience", "_clock", "_diverged", "_held", "_latest", "_previews", "_room", "_slices", "_timer",
        "_waiting", "_watchers", "_writer", "players", "shown",
    )  # fmt: skip

    def __init__(
        self,
        room: str,
        audience: Audience[_S],
        writer: LogWriter[_S, Any],
        scheduler: FanoutScheduler,
        clock: Clock,
        advanced: Callable[[_S], None],
        diverged: Callable[[Follower], None],
    ) -> None:
        """`advanced` is called with the state shown before, when time alone has changed the state that watchers may
        see. `diverged` is called with a follower that turns out to know a version that the log does not have. It must
        start the follower anew."""
        self.shown: _S | None = None
        """The state shown to watchers; None until the first decision."""
        self._latest: _S | None = None
        self._room = room
        self._audience = audience
        self._writer = writer
        self._clock = clock
        self._advanced = advanced
        self._diverged = diverged
        self.players: dict[Follower, int] = {}
        """The live players, with their roles."""
        self._watchers = Fanout(scheduler)
        self._slices = scheduler.slices
        self._waiting: dict[Follower, _Cursor] = {}  # followers that are not live
        self._previews: set[Follower] = set()  # followers that do not count as present
        self._held: list[_Held[_S]] = []
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self.players) + len(self._watchers) + len(self._waiting)

    def __contains__(self, follower: object) -> bool:
        return follower in self.players or follower in self._watchers or follower in self._waiting

    def __iter__(self) -> Iterator[Follower]:
        """Players first."""
        yield from tuple(self.players)
        yield from self._watchers
        yield from tuple(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether there are no followers and no decisions held back from watchers."""
        return not (self or self._held)

    # -- the view of a follower --

    def shown_to(self, player: str) -> _S:
        """The state as a player may see it: the current one, or the delayed one for a watcher of a log with a delay."""
        latest, shown = self._latest, self.shown
        assert latest is not None and shown is not None  # only a log with decisions has followers
        return latest if shown is latest or self._audience.role(latest, player) is not None else shown

    def known_to(self, player: str) -> int:
        """The latest version that a player can know. It must not reveal whether, or how many, decisions are held
        back."""
        seq, latest = self.shown_to(player).seq, self._latest
        late = latest is not None and self._audience.delay(latest) is not None and not self._plays(player)
        return seq + AHEAD if late else seq

    def time_for(self, player: str) -> int:
        """The time as a player sees it, in milliseconds since 1970. Delayed viewers see an earlier time."""
        now, shown = self._clock(), self.shown
        assert shown is not None  # only a log with decisions has followers
        return now if self._plays(player) else now - (self._audience.delay(shown) or 0)

    def _plays(self, player: str) -> bool:
        return self._latest is not None and self._audience.role(self._latest, player) is not None

    # -- followers --

    def present(self) -> tuple[set[str], int]:
        """The ids of the players who follow, and the number of other followers. Previews do not count."""
        previews = self._previews
        here = [one for one, cursor in self._waiting.items() if cursor.here and one not in previews]
        players = {one.player_id for one in self.players if one not in previews}
        players.update(one.player_id for one in here if self._plays(one.player_id))
        watching = len(self._watchers) - sum(one in self._watchers for one in previews)
        return players, watching + sum(not self._plays(one.player_id) for one in here)

    def counted(self) -> set[Follower]:
        """Live and resuming followers, without previews."""
        return {*self.players, *(one for one, cursor in self._waiting.items() if cursor.here)} - self._previews

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

        `decided` is the time of that version, as the follower knows it. If the follower may not see that version yet,
        it is compared later: the answer would confirm or deny a guess. Returns False if the follower must start anew
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
        cursor.decided = decided if since > visible.seq else None
        if cursor.anew:
            return self._waiting.get(follower) is not cursor
        await self._catch_up(follower, cursor, since, missed)
        return True

    async def _catch_up(self, follower: Follower, cursor: _Cursor, seq: int, missed: list[Decision]) -> None:
        """Send the decisions after `seq`, up to the version that the follower may see. Stops if the follower starts
        anew meanwhile.

        If the store has fewer decisions than this node, the writer will notice, and all followers start anew. Until
        then this one gets none of the decisions that the store has lost.
        """
        visible = self.shown_to(follower.player_id)
        while self._waiting.get(follower) is cursor and seq < visible.seq:
            for first in range(0, len(missed), AT_ONCE):
                async with self._slices:
                    for decision in missed[first : first + AT_ONCE]:
                        if self._waiting.get(follower) is cursor and decision.seq <= visible.seq:
                            cursor.seq = seq = decision.seq
                            follower.send(Encoded(self._audience.update(self._room, visible, decision)))
                await follower.drained()
                if self._waiting.get(follower) is not cursor:
                    return
            visible = self.shown_to(follower.player_id)
            if seq < visible.seq:
                missed = await self._writer.read_on(seq)
                if not missed:
                    self._writer.look()
                    seq = visible.seq
                    break
                visible = self.shown_to(follower.player_id)
        if self._waiting.get(follower) is cursor:
            del self._waiting[follower]
            self._go_live(follower, seq, cursor.decided)

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
        here = follower in self.players or follower in self._watchers or (cursor is not None and cursor.here)
        self.players.pop(follower, None)
        self._watchers.remove(follower)
        return here

    def _go_live(self, follower: Follower, seq: int, decided: int | None = None) -> None:
        """Send a follower the decisions from now on. It knows version `seq`, which is not behind the shown one.
        `decided` is the time of that version if it has not been compared."""
        assert self._latest is not None and self.shown is not None  # only a log with decisions has followers
        role = self._audience.role(self._latest, follower.player_id)
        if role is not None:
            for held in self._held:
                if held.seq > seq:
                    follower.send(held.frame)
            self.players[follower] = role
        elif seq > self.shown.seq:
            self._waiting[follower] = _Cursor(seq, here=True, decided=decided)
        else:
            self._watchers.add(follower)

    def reseat(self, players: Collection[str]) -> None:
        """The latest decision has changed the roles of some players."""
        assert self._latest is not None and self.shown is not None  # there has been a decision
        for follower in self:
            if follower.player_id not in players:
                continue
            seq = self._latest.seq
            if follower in self._watchers:
                if not self._plays(follower.player_id):
                    continue
                seq = self.shown.seq
                for frame in self._watchers.remove(follower):
                    follower.send(frame)
            elif follower in self.players:
                del self.players[follower]
            else:
                cursor = self._waiting[follower]
                ahead = self._ahead(cursor)
                if ahead is None:
                    continue  # the feed is sending it the missed decisions
                if cursor.decided is not None:
                    self._diverged(follower)
                    continue
                seq = ahead
                del self._waiting[follower]
            self._go_live(follower, seq)

    # -- sending --

    def advance(self, decision: Decision, after: _S) -> None:
        """Send a decision, which led to the state `after`, to all who may see it now, and to the others once they
        may."""
        self._latest = after
        delay = self._audience.delay(after)
        if delay is None:
            self.shown = after
            if self.players or self._watchers:
                self.send(Encoded(self._audience.update(self._room, after, decision)))
            return
        self.shown = self.shown or after
        frame = Encoded(self._audience.update(self._room, after, decision))
        self.send_to_players(frame)
        self._hold(_Held(_due(decision.at, delay), frame, decision.seq, after))

    def send(self, frame: Encoded) -> None:
        """Send a frame to all followers that are live or ahead: to watchers soon, to the others before this returns."""
        self.send_to_players(frame)
        for follower, cursor in self._waiting.items():
            if self._ahead(cursor) is not None:
                follower.send(frame)
        self._watchers.send(frame)

    def _ahead(self, cursor: _Cursor) -> int | None:
        """The version known to a follower, if it is later than the shown one."""
        seq, shown = cursor.seq, self.shown
        return seq if seq is not None and shown is not None and seq > shown.seq else None

    def send_to_players(self, frame: Encoded) -> None:
        """Send a frame to players."""
        for follower in self.players:
            follower.send(frame)

    def send_to_watchers(self, frame: Encoded) -> None:
        """Send a frame to live followers that are not players: after all frames already sent to them."""
        self._watchers.send(frame)

    def send_when_shown(self, frame: Encoded, at: int) -> None:
        """Send a frame of the time `at` to players now, and to watchers once they may see the decisions of that
        time."""
        latest = self._latest
        delay = None if latest is None else self._audience.delay(latest)
        if latest is None or delay is None:
            self.send(frame)
        else:
            self.send_to_players(frame)
            self._hold(_Held(_due(at, delay), frame, latest.seq + 1, None))

    def _hold(self, held: _Held[_S]) -> None:
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
                for follower, cursor in [*self._waiting.items()]:
                    if cursor.seq != held.seq:
                        continue
                    if cursor.decided not in (None, held.after.at):
                        self._diverged(follower)
                        continue
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

    def restart(self, history: History[_S]) -> list[Follower]:
        """Replace all decisions by those of another log, with the states after them.

        A log without a delay needs only the latest one. All followers become live at the version shown to them now.
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
        """Drop the frames held back from watchers, and release the callbacks."""
        self._stop_timer()
        self._advanced = self._diverged = ignore

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def _due(at: int, delay: int) -> int:
    """When watchers may see an event of the time `at`. At once if the delay is 0, even if the store's time is a
    millisecond ahead of this node's clock."""
    return at + delay if delay else 0
