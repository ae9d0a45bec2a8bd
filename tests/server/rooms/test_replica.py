"""What is held of a log: each command key is found again with its version, whatever lies between, in little memory."""

import sys

from fourfold.engine.match.events import Created, Decision, Seated, Unseated
from fourfold.server.metrics import Metrics
from fourfold.server.rooms.replica import DIGEST, LINEAGES, Replica
from fourfold.server.rooms.retention import USUAL
from fourfold.server.rooms.writer import RoomWriter
from tests.server.memory_log import MemoryLog


def replica(keys: list[tuple[str, str]]) -> Replica:
    """What is held of decisions made under these keys."""
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
