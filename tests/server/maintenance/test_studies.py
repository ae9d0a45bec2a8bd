"""Studies among games: verified, inspected, backed up, and erased with their owner."""

from typing import Any

import pytest
from redis import Redis

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.notation.game import Game
from fourfold.engine.position import Position
from fourfold.engine.study import Study, decide, evolve, record
from fourfold.engine.study import commands as c
from fourfold.engine.study.shapes import Shape
from fourfold.server.maintenance import studies
from fourfold.server.maintenance.erasure import erase_account, erase_game, erase_player
from fourfold.server.maintenance.inspection import entries_of, lines
from fourfold.server.maintenance.places import Places
from fourfold.server.maintenance.verification import verify
from fourfold.server.storage.records import BEGINNING, Entry, descend, pack, read, seal
from fourfold.server.storage.redis_log import stream
from fourfold.server.studies import catalogue
from tests.server.maintenance.conftest import put

ID = "study23456789a"


def entries(*edits: tuple[str, str, Any]) -> list[Entry]:
    """The log of a study after these edits, each with a player and a name."""
    found: list[Entry] = []
    study: Study | None = None
    lineage = BEGINNING
    for seq, (by, name, change) in enumerate(edits, 1):
        events = decide(study, c.Edit(name, change), by, 0)
        assert not isinstance(events, Rejection) and events, events
        packed = pack(by, f"k{seq}", events)
        lineage = descend(lineage, packed)
        found.append(Entry(seq, 1000 + seq, packed, seal(lineage, packed)))
        study = evolve(study, Decision(seq, 1000 + seq, by, f"k{seq}", events))
    return found


def written() -> list[Entry]:
    draft = record.draft(Game(Position.start("standard")))
    assert not isinstance(draft, Rejection)
    return entries(
        ("p-ada", "Ada", c.Create("Openings", "public", "everybody", (("First", draft),))),
        ("p-bo", "Bo", c.Play(1, 0, "e2e4")),
        ("p-bo", "Bo", c.Comment(1, 1, "Best by test.")),
        ("p-ada", "Ada", c.Draw(1, 1, (Shape("green", "e2", "e4"), Shape("red", "d5")))),
        ("p-ada", "Ada", c.Allow("named", (("p-bo", "Bo"),))),
    )


@pytest.fixture
def study(places: Places, store: Redis) -> list[Entry]:
    found = written()
    put(store, ID, found)
    store.hset(catalogue.key_of("p-ada"), ID, b"\x01")
    store.zadd(catalogue.CHANGED, {ID: 1})
    store.hset(catalogue.LISTINGS, ID, b"\x01")
    return found


def test_what_is_written_is_read_as_it_was() -> None:
    log = read(written())
    assert studies.is_study(log)
    assert [decision.seq for decision in log] == [1, 2, 3, 4, 5]
    again = entries(("p-ada", "Ada", c.Create("Openings", "public", "everybody")))
    assert read(again)[0].events[0] == log[0].events[0]


async def test_it_is_verified(places: Places, store: Redis, study: list[Entry]) -> None:
    looked = {one.room: one async for one in verify(*places)}
    assert (looked[ID].decisions, looked[ID].damage) == (5, None)
    store.delete(stream(ID))
    alone = entries(("p-ada", "Ada", c.Create("Openings", "public", "everybody")))
    packed = pack("p-bo", "k", read(study)[1].events)  # a move in a chapter that does not exist
    lineage = descend(descend(BEGINNING, alone[0].packed), packed)
    put(store, ID, [*alone, Entry(2, 2000, packed, seal(lineage, packed))])
    damage = {one.room: one.damage async for one in verify(*places)}
    assert "cannot have happened" in (damage[ID] or "") or damage[ID] is None


async def test_it_is_inspected(places: Places, study: list[Entry]) -> None:
    where, found = await entries_of(places, ID)
    told = list(lines(ID, found))
    assert where == "store" and len(told) == 5
    assert "opened title=Openings" in told[0] and "chapter_added" in told[0]
    assert "node_added" in told[1] and "e2e4" in told[1]
    assert "commented chapter=1 node=1 text=Best by test." in told[2]


async def test_it_is_erased_by_its_id(places: Places, store: Redis, study: list[Entry]) -> None:
    assert (await erase_game(places, ID, "op", "asked")).rooms == 1
    assert not store.exists(stream(ID))
    assert not store.hexists(catalogue.key_of("p-ada"), ID)
    assert store.zscore(catalogue.CHANGED, ID) is None and not store.hexists(catalogue.LISTINGS, ID)


async def test_it_goes_with_its_owner(places: Places, store: Redis, study: list[Entry]) -> None:
    erased = await erase_player(places, "p-ada", "op", "asked")
    assert (erased.rooms, erased.left) == (1, {})
    assert not store.exists(stream(ID))


async def test_who_has_only_written_in_it_is_forgotten(places: Places, store: Redis, study: list[Entry]) -> None:
    erased = await erase_account(places, "p-bo", "op", "asked")
    assert (erased.rooms, erased.left) == (1, {})
    entries = await places.store.entries(ID)
    name = b"\xa2Bo"  # as msgpack writes it: the new id is random, and may have the two letters
    assert any(name in entry.packed for entry in study)
    assert not any(b"p-bo" in entry.packed or name in entry.packed for entry in entries)
    found = await studies.fold(read(entries))
    chapter = found.chapters[0]
    assert chapter.nodes[1].move == "e2e4" and chapter.nodes[1].by.startswith("former:")
    assert found.names[chapter.nodes[1].by] == "Former player"
