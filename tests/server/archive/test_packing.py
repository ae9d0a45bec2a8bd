"""The archive returns a log byte for byte as the store had it, or reports that it can't."""

import msgpack
import pytest

from fourfold.engine.match.commands import Create
from fourfold.server.archive.packing import lineages_of, pack, unpack
from fourfold.server.storage.event_log import DamagedEntry
from tests.server.archive.played import Game, mate, of_four


@pytest.mark.parametrize("game", [mate(), of_four(), Game(Create("standard"), ["ann", "bob"], sealed=False)])
def test_a_log_comes_back_as_it_was(game: Game) -> None:
    assert unpack(pack(game.entries), lineages_of(game.entries)[-1]) == game.entries


def test_a_log_is_much_smaller() -> None:
    game = of_four()
    assert len(pack(game.entries)) < sum(len(entry.packed) for entry in game.entries) / 2


def test_the_lineage_is_that_of_the_last_decision() -> None:
    game = mate()
    assert lineages_of(game.entries)[-1] == game.decisions[-1].lineage


@pytest.mark.parametrize("damage", ["cut", "another", "form", "nonsense"])
def test_damage_is_noticed(damage: str) -> None:
    entries = mate().entries
    packed, lineage = pack(entries), lineages_of(entries)[-1]
    match damage:
        case "cut":
            packed = packed[:-5]
        case "another":
            packed = pack(entries[:-1])
        case "form":
            packed = pack(entries)
            lineage = b"another!"
        case "nonsense":
            packed = msgpack.packb("nonsense")
    with pytest.raises(DamagedEntry):
        unpack(packed, lineage)
