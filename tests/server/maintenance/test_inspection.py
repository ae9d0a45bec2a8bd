"""The log of a room as lines, from the store or the archive."""

import pytest
from redis import Redis

from fourfold.server.maintenance.inspection import NoSuchRoom, entries_of, lines
from fourfold.server.maintenance.places import Places
from fourfold.server.storage.event_log import DamagedEntry
from tests.server.archive.played import mate
from tests.server.maintenance.conftest import put


@pytest.mark.parametrize(("room", "where"), [("playing", "store"), ("between", "store"), ("left", "archive")])
async def test_a_room_is_found_where_it_is_whole(room: str, where: str, places: Places) -> None:
    found, entries = await entries_of(places, room)
    assert found == where
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert len(list(lines(room, entries))) == len(entries)


async def test_there_is_no_such_room(places: Places, store: Redis) -> None:
    with pytest.raises(NoSuchRoom):
        await entries_of(places, "nowhere")
    put(store, "cut off", mate(4).entries[-1:])
    with pytest.raises(DamagedEntry):
        await entries_of(places, "cut off")


def test_each_line_says_when_who_and_what() -> None:
    entries = mate().entries
    said = list(lines("abc", entries))
    assert "2023-11-14 22:13:20.000  ann " in said[0] and "created standard public" in said[0]
    assert "seated seat=white player=ann name=Ann" in said[1]
    assert "seated seat=black player=bob name=Bob; started" in said[2]
    assert "moved seat=white move=f2f3 ply=1" in said[3] and "sight" not in said[3]
    assert "finished result={reason=checkmate winners=[black]" in said[6]
    assert "server " in said[7] and "archived" in said[7]
    sealed = entries[-1].sealed
    assert sealed is not None and said[7].endswith(f"[{sealed[-8:].hex()}]")


def test_a_damaged_log_is_shown_up_to_there() -> None:
    entries = mate().entries
    entries[4] = entries[4]._replace(packed=b"\xc1")
    shown = lines("abc", entries)
    assert len([next(shown) for _ in range(4)]) == 4
    with pytest.raises(DamagedEntry):
        next(shown)
