"""One node's pipeline: items of one turn of the event loop travel together, each item gets its own answer, and
unanswered items are sent again until their deadline. The node is scripted; `test_event_log` has real ones."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import hiredis
import pytest
from redis.exceptions import ConnectionError, MovedError, NoScriptError, ResponseError

from fourfold.engine.decisions import Decision
from fourfold.engine.match.events import Started
from fourfold.server.storage.event_log import AppendConflict, AppendRequest, LogUnavailable
from fourfold.server.storage.pipeline import END_TRANSACTION, NOBODY, Append, Pipeline, Publish
from fourfold.server.storage.trouble import TroubleReporter

EVENTS = (Started(),)


class Node:
    """The connection to a node, and its client: answers appends and publications as scripted."""

    def __init__(self, *answers: Any, synced: Any = (1, 1)) -> None:
        """Exceptions among the answers are raised. `synced` is the answer to WAITAOF."""
        self.batches: list[list[list[bytes]]] = []
        """The batches of commands."""
        self.loaded = 0
        self.is_connected = False
        self._answers = deque(answers)
        self._synced = synced
        self._unread: deque[Any] = deque()

    async def connect(self) -> None:
        self.is_connected = True

    async def disconnect(self, *, nowait: bool) -> None:
        self.is_connected = False
        self._unread.clear()

    async def send_packed_command(self, packed: bytes, *, check_health: bool) -> None:
        reader = hiredis.Reader()
        reader.feed(packed)
        batch = list(iter(reader.gets, False))
        self.batches.append(batch)
        for name, *_ in batch:
            own = {b"EVAL": None, b"WAIT": 1, b"WAITAOF": list(self._synced)}
            self._unread.append(own[name] if name in own else self._answers.popleft())

    async def read_response(self, *, disconnect_on_error: bool) -> Any:
        answer = self._unread.popleft()
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def script_load(self, script: str) -> None:
        self.loaded += 1


def append(
    expected: int = 0,
    *,
    keep: int | None = None,
    lineage: bytes | None = b"before",
    publishes: bool = True,
    seconds: float = 60,
) -> Append:
    """An append that may be sent for some seconds."""
    loop = asyncio.get_running_loop()
    request = AppendRequest("room", expected, "ann", "key", EVENTS, keep, lineage)
    deadline, done = loop.time() + seconds, loop.create_future()
    return Append(request, "place", "place:new", b"packed", b"lineage", b"seal", deadline, done, publishes)


@asynccontextmanager
async def pipeline(
    node: Any, replicas: int = 0, refresh: Callable[[], Any] | None = None, holder: Any = None
) -> AsyncIterator[Pipeline]:
    async def nothing() -> None:
        """All keys stay on their nodes."""

    writer: Pipeline
    writer = Pipeline(
        node, node, {b"heard"}, TroubleReporter("node"), refresh or nothing, holder or (lambda _: writer), replicas, 1
    )
    writer.start()
    try:
        yield writer
    finally:
        await writer.close()


async def answer(item: Any) -> Any:
    """The answer to an item, or the error."""
    (found,) = await asyncio.wait_for(asyncio.gather(item.done, return_exceptions=True), 240)
    return found


def names(batch: list[list[bytes]]) -> list[str]:
    return [name.decode() for name, *_ in batch]


# -- one item --


async def test_an_append_is_answered_by_its_decision_or_by_a_conflict() -> None:
    kept, late = append(4), append(4)
    assert kept.answered([1, 99]) is None
    assert kept.done.result() == Decision(5, 99, "ann", "key", EVENTS)
    assert kept.done.result().lineage == b"lineage"
    assert late.answered([0, b"7-0"]) is None
    assert isinstance(late.done.exception(), AppendConflict)
    kept.failed("too late")  # it has its answer


async def test_with_replicas_an_append_is_published_once_they_have_it() -> None:
    kept, late, given_up = (append(4, publishes=False) for _ in range(3))
    told = kept.answered([1, 99])
    assert told is not None
    assert (told.channel, told.message) == ("place:new", b"5 99 sealpacked")
    assert late.answered([0, b"7-0"]) is None
    assert isinstance(late.done.exception(), AppendConflict)
    given_up.done.cancel()
    told = given_up.answered([1, 99])
    assert told is not None and told.message == b"5 99 sealpacked", "others are notified although nobody waits here"


async def test_what_the_script_is_given() -> None:
    def arguments(item: Append, *confirmed: bytes) -> tuple[Any, ...]:
        return item.command(set(confirmed))[2:]

    assert arguments(append(4)) == (1, "place", 4, b"packed", -1, 0, b"before", b"seal", ":new")
    assert arguments(append(4, keep=9, lineage=None))[4:] == (9, 0, b"", b"seal", ":new")
    assert arguments(append(4), b"place:new")[5] == 1, "this server gets it anyway"
    assert arguments(append(4, publishes=False), b"place:new")[5] == NOBODY


async def test_a_publication_gives_the_number_of_listeners_to_whoever_wants_it() -> None:
    wanted: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    item = Publish("place", "channel", b"hello", 0, wanted)
    assert item.command(()) == ("SPUBLISH", "channel", b"hello")
    item.answered(3)
    item.failed("too late")
    assert wanted.result() == 3
    Publish("place", "channel", b"hello", 0).answered(3)
    failing: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    Publish("place", "channel", b"hello", 0, failing).failed("away")
    assert isinstance(failing.exception(), LogUnavailable)


# -- batches --


async def test_what_is_put_in_one_turn_travels_together_and_is_answered_in_order() -> None:
    node = Node([1, 10], [0, b"7-0"], [1, 30], [1, 40])
    async with pipeline(node) as writer:
        items = [append(seq) for seq in range(3)]
        for item in items:
            writer.put(item)
        first, second, third = [await answer(item) for item in items]
        assert (first.seq, first.at, third.seq, third.at) == (1, 10, 3, 30)
        assert isinstance(second, AppendConflict)
        writer.put(last := append(3))
        assert (await answer(last)).at == 40
    assert [names(batch) for batch in node.batches] == [["EVAL", *["EVALSHA"] * 3], ["EVALSHA"]]
    assert node.batches[0][0][1].decode() == END_TRANSACTION, "once, before anything else on this connection"
    assert node.loaded == 1


async def test_one_that_the_node_refuses_fails_alone() -> None:
    node = Node([1, 10], ResponseError("OOM command not allowed"), [1, 30])
    async with pipeline(node) as writer:
        items = [append(seq) for seq in range(3)]
        for item in items:
            writer.put(item)
        first, second, third = [await answer(item) for item in items]
    assert (first.seq, third.seq, writer.errors) == (1, 3, 1)
    assert isinstance(second, LogUnavailable) and "OOM" in str(second)


async def test_without_the_script_it_is_loaded_and_the_append_sent_again() -> None:
    node = Node(NoScriptError(), [1, 10])
    async with pipeline(node) as writer:
        writer.put(item := append())
        assert (await answer(item)).at == 10
    assert (node.loaded, writer.errors) == (2, 0)


async def test_what_a_lost_connection_left_unanswered_is_sent_again_on_a_new_one() -> None:
    node = Node([1, 10], ConnectionError("lost"), [0, b"1-0"], [1, 20])
    async with pipeline(node) as writer:
        items = [append(seq) for seq in range(2)]
        for item in items:
            writer.put(item)
        first, second = [await answer(item) for item in items]
    assert isinstance(first, AppendConflict), "it was stored: its key shows that, not the answer"
    assert (second.at, writer.errors) == (20, 1)
    assert [names(batch)[0] for batch in node.batches] == ["EVAL", "EVAL"], "a new connection ends a transaction again"


async def test_after_its_deadline_nothing_is_sent_again() -> None:
    node = Node([1, 10], ConnectionError("lost"))
    async with pipeline(node) as writer:
        writer.put(first := append())
        await answer(first)
        writer.put(item := append(seconds=0))
        failed = await answer(item)
    assert isinstance(failed, LogUnavailable) and "away" in str(failed)
    assert len(node.batches) == 2


async def test_what_belongs_to_another_node_goes_there() -> None:
    refreshed: list[bool] = []

    async def refresh() -> None:
        refreshed.append(True)

    here, there = Node(MovedError("1 127.0.0.1:1")), Node([1, 20])
    async with pipeline(there) as other, pipeline(here, 0, refresh, lambda _: other) as writer:
        writer.put(item := append())
        assert (await answer(item)).at == 20
    assert (refreshed, len(here.batches), len(there.batches)) == ([True], 1, 1)


@pytest.mark.parametrize("synced", [(1, 2), (1, 1)], ids=["on both", "on one of two"])
async def test_an_append_waits_for_the_replicas_that_are_wanted(synced: tuple[int, int]) -> None:
    node = Node([1, 10], 3, synced=synced)
    async with pipeline(node, replicas=2) as writer:
        wanted: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        item = append()
        told = Publish("place", "channel", b"hello", item.deadline, wanted)
        writer.put(item)
        writer.put(told)
        kept = await answer(item)
        assert await answer(told) == 3, "items without `durable` wait for no replica"
    assert names(node.batches[0]) == ["EVAL", "EVALSHA", "SPUBLISH", "WAIT", "WAITAOF"]
    if synced == (1, 2):
        assert (kept.seq, writer.errors) == (1, 0)
    else:
        assert isinstance(kept, LogUnavailable) and "1 of 2 replicas" in str(kept)
        assert writer.errors == 1


async def test_what_waits_when_the_server_stops_fails() -> None:
    async with pipeline(Node()) as writer:
        writer.put(item := append())
    writer.put(late := append())
    assert isinstance(await answer(item), LogUnavailable) and isinstance(await answer(late), LogUnavailable)
