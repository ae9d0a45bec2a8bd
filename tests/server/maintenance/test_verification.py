"""Every kind of damage is found, and reported with its room."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from sqlalchemy import Row, delete, select, update

from fourfold.server.archive.packing import pack_text
from fourfold.server.archive.tables import GAMES, LOGS, SEATS, TEXTS
from fourfold.server.maintenance import backup
from fourfold.server.maintenance.places import Places
from fourfold.server.maintenance.verification import verify
from fourfold.server.storage.records import SCHEMA, seal
from fourfold.server.storage.redis_log import stream
from tests.server.archive.played import archived, mate
from tests.server.maintenance.conftest import DATA, put
from tests.server.maintenance.test_archive import imported


async def damage(places: Places) -> dict[tuple[str, bool], str]:
    return {(room, there): said async for room, there, _, said in verify(*places) if said is not None}


async def test_what_is_well_is_counted(places: Places) -> None:
    looked = [one async for one in verify(*places)]
    assert {(one.room, one.archived) for one in looked} == {
        ("playing", False), ("between", False), ("left", False), ("between", True), ("left", True),
    }  # fmt: skip
    assert all(one.decisions > 0 for one in looked)


@pytest.fixture
async def listed(places: Places) -> Places:
    """No damage: the game that was on its way is listed, too."""
    await archived(places.archive, "between", mate(2))
    return places


async def test_nothing_is_damaged(listed: Places) -> None:
    assert await damage(listed) == {}


async def test_a_game_that_is_not_listed_yet(places: Places) -> None:
    assert await damage(places) == {("between", True): "game 1 is not listed as its log says"}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda entries: entries[:2] + entries[3:], "missing"),
        (lambda entries: [*entries[:2], entries[2]._replace(packed=entries[2].packed + b"?")], "checksum"),
        (lambda entries: [*entries[:2], *mate(9).entries[2:]], "does not follow"),
        (
            lambda entries: [
                entries[0]._replace(sealed=seal(entries[0].sealed[-8:], entries[0].packed, SCHEMA + 1))
            ],
            "schema",
        ),
    ],
    ids=["an entry is missing", "it was changed", "it is of another game", "it is of a newer server"],
)
async def test_a_log_in_the_store(listed: Places, store: Redis, spoil: object, said: str) -> None:
    assert callable(spoil)
    put(store, "bad", spoil(mate(4).entries))
    found = await damage(listed)
    assert found.keys() == {("bad", False)} and said in found["bad", False]


async def test_a_log_that_is_in_neither(listed: Places, store: Redis) -> None:
    put(store, "lost", mate(4).entries[-1:])
    store.xtrim(stream("left"), maxlen=0)
    put(store, "left", [entry._replace(seq=99) for entry in mate(4).entries[-1:]])
    found = await damage(listed)
    assert "the archive does not have it" in found["lost", False]
    assert "its end in the store differs" in found["left", False]


async def test_a_log_in_the_archive(listed: Places) -> None:
    async with listed.archive.transaction(write=True) as connection:
        await connection.execute(update(LOGS).where(LOGS.c.room == "left").values(log=b"garbage"))
        await connection.execute(update(LOGS).where(LOGS.c.room == "between").values(lineage=b"another!"))
    found = await damage(listed)
    assert found.keys() == {("left", True), ("between", True)}
    assert "can't be unpacked" in found["left", True] and "a different lineage" in found["between", True]


async def test_a_list_of_games_that_is_not_what_was_played(listed: Places) -> None:
    async with listed.archive.transaction(write=True) as connection:
        await connection.execute(update(SEATS).where(SEATS.c.room == "left").values(player="mallory"))
        await connection.execute(delete(GAMES).where(GAMES.c.room == "between"))
    said = "game 1 is not listed as its log says"
    assert await damage(listed) == {("left", True): said, ("between", True): said}


async def test_the_text_of_an_imported_game(listed: Places, tmp_path: Path) -> None:
    """`verify` and `backup` report it, and the backup is made anyway."""
    await imported(listed.archive, DATA / "ffa.pgn4")
    assert await damage(listed) == {}
    room, *others = [row.room for row in await texts_of(listed)]
    cases: dict[str, tuple[dict[str, Any], str]] = {
        room: ({"text": b"garbage"}, "can't be unpacked"),
        others[0]: ({"text": pack_text("another game")}, "differs from the imported one"),
    }
    async with listed.archive.transaction(write=True) as connection:
        for spoilt, (values, _) in cases.items():
            await connection.execute(update(TEXTS).where(TEXTS.c.room == spoilt).values(**values))
        await connection.execute(delete(TEXTS).where(TEXTS.c.room == others[1]))
    cases[others[1]] = ({}, "has no text")
    found = await damage(listed)
    assert found.keys() == {(spoilt, True) for spoilt in cases}
    for spoilt, (_, said) in cases.items():
        assert said in found[spoilt, True]
    told: list[tuple[str, str]] = []
    written = await backup.write(tmp_path / "file", *listed, lambda room, why: told.append((room, why)))
    assert backup.look(tmp_path / "file") == written
    assert [spoilt for spoilt, _ in told] == [room] and "can't be unpacked" in told[0][1]


async def texts_of(places: Places) -> Sequence[Row[Any]]:
    async with places.archive.transaction() as connection:
        return (await connection.execute(select(TEXTS).order_by(TEXTS.c.room))).all()
