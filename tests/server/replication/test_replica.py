"""The copy of a log: each command key is found with its version, however many follow, in little memory."""

import sys
from itertools import count

import pytest

from fourfold.engine.decisions import Decision
from fourfold.engine.match import State
from fourfold.engine.match.events import Created, Moved, Seated, Unseated
from fourfold.engine.match.terms import Terms
from fourfold.server.metrics import Metrics
from fourfold.server.replication.replica import DIGEST, LINEAGES, Replica
from fourfold.server.rooms.retention import USUAL
from fourfold.server.rooms.writer import RoomWriter
from fourfold.server.storage.event_log import AppendRequest, DamagedEntry, OtherLineage
from tests.server.memory_log import MemoryLog


def replica(keys: list[tuple[str, str]]) -> Replica[State]:
    """A copy with decisions made under these keys."""
    log = MemoryLog(lambda: 0)
    held = RoomWriter("room", log, log.now, USUAL, Metrics(), lambda *_: None, lambda _: None, print, dict)
    for seq, (by, key) in enumerate(keys, 1):
        event = Unseated(0) if seq % 2 else Seated(0, "a", "A")
        event = event if seq > 1 else Created("standard", None, "public", "host")
        held.take(Decision(seq, seq, by, key, (event,), seq.to_bytes(8)))
    return held


async def test_a_key_is_found_with_its_version() -> None:
    keys = [("ann" if seq % 2 else "bob", f"k{seq}") for seq in range(1, 1501)]
    held = replica(keys)
    assert held.seq == 1500
    assert [held.version_of(*key) for key in keys] == [*range(1, 1501)]
    assert held.version_of("bob", "k1") is None
    assert held.version_of("ann", "k1501") is None


async def test_the_ends_of_two_digests_are_no_digest() -> None:
    held = replica([("ann", "key")])
    held._digests[:] = b"\7" * 3 + held._digests + b"\7" * (DIGEST - 3)
    assert held.version_of("ann", "key") is None
    held._digests += replica([("ann", "key")])._digests
    assert held.version_of("ann", "key") == 3


async def test_a_long_game_takes_little() -> None:
    held = replica([("ann", f"k{seq}") for seq in range(1500)])
    assert sys.getsizeof(held._digests) < 16_000
    assert len(held._lineages) == LINEAGES


async def test_only_the_latest_lineages_are_known() -> None:
    held = replica([("ann", f"k{seq}") for seq in range(100)])
    assert held.lineage == (100).to_bytes(8)
    assert held.agrees(100, (100).to_bytes(8)) and held.agrees(101 - LINEAGES, (101 - LINEAGES).to_bytes(8))
    assert not held.agrees(100, (99).to_bytes(8))
    assert not held.agrees(100 - LINEAGES, (100 - LINEAGES).to_bytes(8))


async def test_an_entry_without_a_seal_agrees_with_any_lineage() -> None:
    held = replica([("ann", "key")])
    held.take(Decision(2, 2, "ann", "other", (Seated(0, "a", "A"),)))
    assert held.agrees(2, b"anything") and not held.agrees(1, b"anything")


async def opened(delay: int = 0) -> tuple[MemoryLog, Replica]:
    """A log of three decisions, the first at 11, and a copy of it."""
    times = count(11)
    log = MemoryLog(lambda: next(times))
    created = Created("standard", None, "public", "host", terms=Terms(delay=delay))
    for seq, event in enumerate((created, Seated(0, "a", "A"), Unseated(0))):
        await log.append(AppendRequest("room", seq, "", str(seq), (event,)))
    held = RoomWriter("room", log, lambda: 0, USUAL, Metrics(), lambda *_: None, lambda _: None, print, dict)
    for decision in await log.read("room"):
        held.take(decision)
    return log, held


async def test_a_reader_who_knows_when_a_version_was_decided_learns_if_it_is_another() -> None:
    log, held = await opened()
    at = [decision.at for decision in await log.read("room")]
    assert [decision.seq for decision in await held.read(1)] == [2, 3]
    assert [decision.seq for decision in await held.read(2, at[1])] == [3]
    assert await held.read(3, at[2]) == []
    assert [decision.seq for decision in await held.read(0, 5)] == [1, 2, 3], "the copy was empty"
    for after, decided in ((2, at[0]), (4, at[2])):
        with pytest.raises(OtherLineage):
            await held.read(after, decided)


@pytest.mark.parametrize(("delay", "told"), [(0, [3]), (5, [1, 2, 3])])
async def test_a_log_is_read_anew_whole_where_watchers_see_it_late(delay: int, told: list[int]) -> None:
    log, held = await opened(delay)
    fresh = RoomWriter("room", log, lambda: 0, USUAL, Metrics(), lambda *_: None, lambda _: None, print, dict)
    history, _ = await fresh.read_anew()
    assert [decision.seq for decision, _ in history] == told
    assert history[-1][1] == fresh.state == held.state
    assert (fresh.seq, fresh.lineage, fresh.version_of("", "1")) == (3, held.lineage, 2)
    assert fresh.agrees(1, (await log.read("room"))[0].lineage)
    assert not await fresh.missing()


async def test_where_nothing_is_kept_any_more_what_is_held_stays() -> None:
    log, held = await opened()
    del log._rooms["room"]
    assert await held.read_anew() == ([], 0)
    assert held.seq == 3


async def test_a_log_in_which_something_cannot_have_happened_is_damaged() -> None:
    log, held = await opened()
    await log.append(AppendRequest("room", 3, "", "3", (Moved(0, "e2e5", 1),)))
    for reading in (held.read_anew, lambda: take_all(log, held)):
        with pytest.raises(DamagedEntry) as error:
            await reading()
        assert error.value.seq == 4
    assert held.seq == 3


async def take_all(log: MemoryLog, held: Replica) -> None:
    for decision in await log.read("room", held.seq):
        held.take(decision)
