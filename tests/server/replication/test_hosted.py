"""A replicated document without any subject of its own: its commands, state, followers and end."""

from collections.abc import AsyncIterator

import pytest

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match import State
from fourfold.engine.match.commands import Command, Create, Sit
from fourfold.protocol import from_server as wire
from fourfold.server.metrics import Metrics
from fourfold.server.replication.fanout import Encoded, FanoutScheduler
from fourfold.server.replication.feed import Feed
from fourfold.server.replication.hosted import Hosted
from fourfold.server.replication.log_writer import ignore
from fourfold.server.replication.rejections import CLOSED, GONE
from fourfold.server.rooms.retention import USUAL
from fourfold.server.rooms.room import AUDIENCE
from fourfold.server.rooms.writer import RoomWriter
from tests.server.memory_log import MemoryLog

Document = Hosted[State, Command]


def document_on(log: MemoryLog) -> Document:
    """A document of no subclass: a compiled class has none that is interpreted."""

    def taken(decision: Decision, before: State | None, after: State, ours: bool) -> None:
        document.feed.advance(decision, after)

    def ended(why: Rejection) -> None:
        document.send_end(why)

    writer = RoomWriter("abc", log, log.now, USUAL, Metrics(), taken, lambda _: None, ended, lambda proposal: proposal)
    feed = Feed("abc", AUDIENCE, writer, FanoutScheduler(), log.now, lambda _: None, ignore)
    document = Document("abc", writer, feed)
    return document


class Player:
    """A connection of a player, who gets frames at once. A `Follower`."""

    player_id = "bob"
    origin = ""

    def __init__(self) -> None:
        self.frames: list[wire.Frame] = []

    def send(self, frame: Encoded) -> None:
        self.frames.append(frame.frame)

    def reply(self, frame: wire.Reply, id: int | None) -> None:
        self.frames.append(frame)

    async def drained(self) -> None:
        """It has read all."""

    async def answers(self, seconds: float) -> bool:
        return True


@pytest.fixture
async def document() -> AsyncIterator[Document]:
    document = document_on(MemoryLog(lambda: 1_000))
    yield document
    document.close()


async def seated(document: Document) -> Player:
    """A follower with a seat in a new match."""
    assert await document.judge(Create("standard"), "ann") == 1
    assert await document.judge(Sit("bob"), "bob") == 2
    bob = Player()
    document.feed.start(bob, preview=False)
    return bob


async def test_commands_change_the_state_and_followers_hear_of_it(document: Document) -> None:
    assert (document.state, document.seq, document.idle) == (None, 0, True)
    bob = await seated(document)
    assert await document.judge(Sit("ann"), "ann") == 3
    assert document.state is not None and [seat.player for seat in document.state.seats] == ["bob", "ann"]
    assert [frame.seq for frame in bob.frames if isinstance(frame, wire.Update)] == [3]
    assert [decision.seq for decision in await document.decisions()] == [1, 2, 3]
    assert (document.idle, document.gone, document.closed) == (False, False, False)


async def test_decisions_of_another_node_are_read(document: Document) -> None:
    log = MemoryLog(lambda: 1_000)
    here, there = document_on(log), document_on(log)
    await there.judge(Create("standard"), "ann")
    assert here.seq == 0
    await here.refresh()
    assert here.seq == there.seq == 1
    for one in (here, there):
        one.close()


async def test_followers_are_told_why_it_has_ended(document: Document) -> None:
    bob = await seated(document)
    document.writer.stop(GONE)
    assert document.gone
    assert bob.frames == [wire.Error(kind=GONE.kind, code=GONE.code, message=GONE.message, room="abc")]


async def test_once_closed_it_takes_no_commands(document: Document) -> None:
    document.close()
    answer = await document.judge(Create("standard"), "ann")
    assert document.closed and isinstance(answer, Rejection) and answer == CLOSED
