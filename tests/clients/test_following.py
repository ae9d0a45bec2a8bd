"""The order of a room's frames, for any frames from the server."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.clients import following as followings
from fourfold.clients.following import FollowedRooms, Following
from fourfold.protocol.from_client import Watch
from fourfold.protocol.from_server import Error, Reply, Room, Turn, Update


def snapshot(seq: int) -> Room:
    return Room(
        room="r", variant="standard", status="open", seats=[], start="", position="", moves=[], redo=0, clocks=None,
        turn=None, proposal=None, result=None, watchers=0, seq=seq, time=0,
    )  # fmt: skip


def update(seq: int) -> Update:
    return Update("r", seq, 0, [])


def turn(seq: int) -> Turn:
    return Turn("r", seq, "white", [])


async def read(following: Following) -> list[tuple[str, int]]:
    following.end()
    return [(type(frame).__name__, frame.seq) async for frame in following if isinstance(frame, Room | Update | Turn)]


async def test_starts_with_the_snapshot_and_ignores_what_it_contains() -> None:
    following = Following("r")
    for frame in (update(3), turn(3), snapshot(4), update(4), update(5), turn(5)):
        assert following.take(frame)
    assert await read(following) == [("Room", 4), ("Update", 5), ("Turn", 5)]


async def test_starts_after_since() -> None:
    following = Following("r", since=7)
    assert following.take(update(7))
    assert following.take(update(8))
    assert await read(following) == [("Update", 8)]


async def test_reports_a_gap_and_goes_on_once_it_is_filled() -> None:
    following = Following("r", since=7)
    assert not following.take(update(9))
    assert not following.take(turn(9))
    for seq in (8, 9):
        assert following.take(update(seq))
    assert await read(following) == [("Update", 8), ("Update", 9)]


async def test_a_snapshot_replaces_what_was_seen_also_by_less() -> None:
    following = Following("r", since=7)
    for frame in (snapshot(9), update(10), snapshot(6), update(7)):
        assert following.take(frame)
    assert await read(following) == [("Room", 9), ("Update", 10), ("Room", 6), ("Update", 7)]


async def test_after_forgetting_an_older_snapshot_counts() -> None:
    following = Following("r", since=7)
    following.forget()
    assert following.take(snapshot(2))
    assert await read(following) == [("Room", 2)]


async def test_ends_with_the_reason_every_time() -> None:
    following = Following("r")
    following.take(snapshot(1))
    following.end(ConnectionError("gone"))
    assert isinstance(await anext(following), Room)
    for _ in range(2):
        with pytest.raises(ConnectionError, match="gone"):
            await anext(following)


@given(st.lists(st.tuples(st.sampled_from([update, snapshot]), st.integers(1, 12)), max_size=40))
def test_updates_never_repeat_nor_skip(frames: list) -> None:
    async def run() -> list[tuple[str, int]]:
        following = Following("r", since=3)
        for make, seq in frames:
            following.take(make(seq))
        return await read(following)

    held = 3
    for kind, seq in asyncio.run(run()):
        assert seq == held + 1 or kind == "Room"
        held = seq


async def test_a_room_that_the_server_cannot_read_is_asked_for_again_when_the_server_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seed 500437 of `tests/world` waited three seconds where the server had said one."""
    monkeypatch.setattr(followings, "_RETRY", 3600.0)
    asked: asyncio.Queue[Watch] = asyncio.Queue()
    replies: list[asyncio.Future[Reply]] = []

    def post(request: Watch) -> tuple[int, asyncio.Future[Reply]]:
        asked.put_nowait(request)
        replies.append(asyncio.get_running_loop().create_future())
        return len(replies), replies[-1]

    rooms = FollowedRooms(post)
    rooms.follow("r", 61, None, None)
    for _ in range(3):
        assert (await asyncio.wait_for(asked.get(), 240)).since == 61
        replies[-1].set_result(Error(kind="refused", code="unavailable", message="The store is away.", retry=1))
    rooms.end(None)
