"""A study on this node: the writer of its log, the feed to its followers, and their positions.

It sees sessions as followers that take frames. This module and the engine check rights; clients never do.
"""

from collections.abc import Callable, Collection
from typing import Final

from fourfold.engine.decisions import Decision
from fourfold.engine.study import Study, steps
from fourfold.engine.study import commands as c
from fourfold.engine.study.events import ChapterRemoved
from fourfold.protocol import from_server as wire
from fourfold.protocol import study_projection
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.replication.fanout import Encoded, FanoutScheduler, Follower
from fourfold.server.replication.feed import Audience, Feed
from fourfold.server.replication.hosted import Hosted
from fourfold.server.replication.log_writer import ignore
from fourfold.server.replication.rejections import GONE, WATCHERS_ONLY
from fourfold.server.replication.replica import History
from fourfold.server.storage.event_log import EventLog
from fourfold.server.studies.cursors import Cursors
from fourfold.server.studies.encodings import Encodings, Snapshot
from fourfold.server.studies.writer import Kept, StudyWriter
from fourfold.server.yielding_lock import YieldingLock

AT_ONCE: Final = 4
"""How many moves are made in one turn of the event loop: one or two milliseconds of work."""


class StudyRoom(Hosted[Study, c.Edit]):
    """One study on this node."""

    def __init__(
        self,
        id: str,
        log: EventLog,
        clock: Clock,
        scheduler: FanoutScheduler,
        metrics: Metrics,
        changed: "Callable[[StudyRoom], None]",
        kept: Kept,
        *,
        watchers_only: bool = False,
    ) -> None:
        """`changed` is called with each decision of this node, and when the log has become another one. With
        `watchers_only` every edit is rejected."""
        writer = StudyWriter(kept, id, log, clock, metrics, self._taken, self._renewed, self.send_end)
        writer.refuses = WATCHERS_ONLY if watchers_only else None
        super().__init__(id, writer, Feed(id, AUDIENCE, writer, scheduler, clock, ignore, ignore))
        self._clock = clock
        self._changed = changed
        self.encodings = Encodings()
        self.cursors = Cursors(id, log, lambda: writer.seq, self._tell_cursors)

    @property
    def study(self) -> Study:
        """The study. It must exist; only existing studies are found and followed."""
        state = self.state
        assert state is not None
        return state

    @property
    def gone(self) -> bool:
        """Whether the study has ended here: it was deleted, or its log can't be read."""
        state = self.state
        return self.writer.end is not None or (state is not None and state.deleted)

    # -- edits --

    async def prepare(self, chapter: int, node: int, long_work: YieldingLock) -> int:
        """Make the moves that lead to a node, a few at a time, so that its position is cached and long lines don't
        delay others. Returns how many there were: none if there is no such node."""
        study = self.study
        found = study.chapter(chapter)
        if found is None or node not in found.nodes:
            return 0
        made = 0
        moves = steps.approach(study, found, node)
        while True:
            async with long_work:
                for _ in range(AT_ONCE):
                    if next(moves, moves) is moves:
                        return made
                    made += 1

    # -- notifications of the log --

    def missed(self) -> None:
        """Notifications may have been missed: read the new decisions, and ask for viewers."""
        if not self.writer.closed:
            self.writer.look()
            self.cursors.ask()

    def told(self, message: bytes) -> None:
        """A node, perhaps this one, has sent a message."""
        if not self.writer.closed:
            self.cursors.told(message)

    def lose(self, nodes: Collection[str]) -> None:
        """Some nodes have died. Their viewers are gone, and notifications of their last decisions may be lost."""
        self.cursors.lose(nodes)
        self.writer.look()

    def _taken(self, decision: Decision, before: Study | None, after: Study, ours: bool) -> None:
        self.feed.advance(decision, after)
        if before is not None and self.feed:
            self._review(before, after)
        if any(isinstance(event, ChapterRemoved) for event in decision.events):
            self.encodings.forget(after)
        if ours:
            self._changed(self)

    def tell_again(self) -> None:
        """See `Hosted`."""
        self._changed(self)

    def _review(self, before: Study, after: Study) -> None:
        """Rights may have changed: stop sending to followers who may no longer see the study."""
        if after.deleted:
            self._dismiss(list(self.feed))
            return
        if (before.visibility, before.write, before.writers) == (after.visibility, after.write, after.writers):
            return
        self._dismiss([follower for follower in self.feed if not after.may_see(follower.player_id)])
        players = {follower.player_id for follower in self.feed}
        self.feed.reseat({one for one in players if before.may_write(one) != after.may_write(one)})
        self.cursors.refresh()

    def _dismiss(self, followers: Collection[Follower]) -> None:
        for follower in followers:
            self.feed.leave(follower)
            self.cursors.go(follower)
            follower.send(Encoded(wire.Error(kind=GONE.kind, code=GONE.code, message=HIDDEN, room=self.id)))

    def _renewed(self, history: History[Study]) -> None:
        """The log has become another one: send all followers the current state."""
        for follower in self.feed.restart(history):
            if self.study.may_see(follower.player_id):
                follower.send(self._snapshot(follower.player_id, None))
            else:
                self._dismiss([follower])
        self.cursors.refresh()
        self._changed(self)

    # -- followers --

    def _snapshot(self, player: str, id: int | None) -> Snapshot:
        """The study as a player may see it, as the reply to request `id`."""
        study = self.study
        cursors, count = self.cursors.shown(study.may_write)
        frame = study_projection.head(self.id, study, player, cursors, count, self._clock())
        if id is not None:
            frame.id = id
        return Snapshot(frame, study, self.encodings)

    def is_followed_by(self, follower: Follower) -> bool:
        """Whether a follower gets this study's decisions."""
        return follower in self.feed

    def enter(self, follower: Follower, name: str, id: int | None = None) -> None:
        """Send a follower, a player of this name, the snapshot (as the reply to request `id`) and every new
        decision."""
        if self.feed.start(follower, preview=False):
            self.cursors.come(follower, name)
            follower.send(self._snapshot(follower.player_id, id))

    async def resume(
        self, follower: Follower, name: str, since: int, id: int | None = None, *, decided: int | None = None
    ) -> None:
        """Send a follower everything after version `since`, then every new decision: see `Feed.resume`."""
        if not await self.feed.resume(follower, since, id, decided=decided, preview=False):
            self.enter(follower, name)
        elif follower in self.feed:
            self.cursors.come(follower, name)
            self._tell_cursors(only=follower)

    def leave(self, follower: Follower) -> None:
        """Stop sending to a follower."""
        self.feed.leave(follower)
        self.cursors.go(follower)

    def _tell_cursors(self, only: Follower | None = None) -> None:
        state = self.state
        if state is None:
            return
        frame = Encoded(wire.Cursors(self.id, *self.cursors.shown(state.may_write)))
        if only is None:
            self.feed.send(frame)
        else:
            only.send(frame)

    def close(self) -> None:
        """Stop everything; the log remains."""
        super().close()
        self.cursors.close()
        self._changed = ignore


def _role(study: Study, player: str) -> int | None:
    return 0 if study.may_write(player) else None


def _delay(_: Study) -> None:
    """Everybody sees a study at once."""


AUDIENCE: Final = Audience(_role, study_projection.update, _delay)
"""The audience of a study: writers are its players, and so are served first."""

HIDDEN: Final = "This study is gone, or you may no longer see it."
