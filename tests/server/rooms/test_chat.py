"""The chat of a room on several nodes, whose clocks differ by milliseconds."""

from dataclasses import replace
from typing import cast

from fourfold.engine.decisions import Decision
from fourfold.engine.match import State, evolve
from fourfold.engine.match.events import Created
from fourfold.engine.match.state import Seat
from fourfold.engine.match.terms import Terms
from fourfold.server.replication.feed import Feed
from fourfold.server.rooms.chat import RoomChat
from tests.server.memory_log import MemoryLog


def chat(log: MemoryLog, now: int, delay: int) -> RoomChat:
    """The chat on a node with a clock of its own, at a table with Ann and Bob."""
    created = Created("standard", None, "public", "ann", terms=Terms(delay=delay))
    state = evolve(None, Decision(1, 1, "", "", (created,)))
    state = replace(state, seats=(Seat("ann", "Ann"), Seat("bob", "Bob")))
    return RoomChat("room", log, lambda: now, cast(Feed[State], None), lambda: state)


async def read(log: MemoryLog, reader: str, now: int, delay: int = 0) -> list[str]:
    return [line.text for line in await chat(log, now, delay).lines(reader)]


async def test_a_line_is_readable_also_where_the_clock_is_behind() -> None:
    log = MemoryLog(lambda: 0)
    await chat(log, 5_000, 0).say("ann", "Ann", "hi", "all")
    for reader in ("ann", "bob", "a watcher"):
        assert await read(log, reader, 4_999) == ["hi"]


async def test_a_delay_hides_a_players_line_from_watchers_for_a_while() -> None:
    log = MemoryLog(lambda: 0)
    await chat(log, 5_000, 200).say("ann", "Ann", "hi", "all")
    assert await read(log, "bob", 5_000, 200) == ["hi"]
    assert await read(log, "a watcher", 5_199, 200) == []
    assert await read(log, "a watcher", 5_200, 200) == ["hi"]
