"""Meeting through the Python connection: seeking, the list of rooms, passwords, and chat."""

import asyncio
from typing import Any

import pytest
from redis import Redis

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.protocol import events as happened
from fourfold.protocol import from_server as told
from fourfold.protocol.from_client import Clock

pytestmark = pytest.mark.by_default

Server = Any  # see conftest


async def first(connection: Connection, room: str, kind: type[Any], **options: Any) -> Any:
    """The first frame of a type in a room."""
    async with asyncio.timeout(240):
        async for frame in connection.follow(room, **options):
            if isinstance(frame, kind):
                return frame
    raise AssertionError("the frames ended")


async def test_two_who_seek_the_same_play(server: Server) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        clock = Clock(300_000, increment=2_000)
        room, seat = await ann.seek(clock=clock)
        snapshot = await first(ann, room, told.Room)
        assert snapshot.status == "open"
        listing = next(listing for listing in await bob.rooms("standard", "open") if listing.room == room)
        assert listing.seek
        assert listing.clock == told.Control(300_000, 2_000, 0)
        assert {listed.name for listed in listing.seats} == {"Ann", None}
        assert await bob.seek(clock=clock) == (room, {"white": "black", "black": "white"}[seat])
        mover = ann if seat == "white" else bob
        turn = await first(mover, room, told.Turn)
        await mover.move(room, turn.legal[0], turn.seq)


async def test_what_is_sought_can_be_given_up(server: Server) -> None:
    async with Connection(server.url) as ann:
        room, _ = await ann.seek("survivor")
        await ann.unseek()
        assert room not in [listing.room for listing in await ann.rooms()]


async def test_a_room_that_is_sought_again_is_followed_anew(server: Server) -> None:
    """After `unseek`, the frames of the room end. Another seek that leads there starts with a snapshot."""
    async with asyncio.timeout(240), Connection(server.url) as ann, Connection(server.url) as bob:
        clock = Clock(1_234_000)
        room, _ = await ann.seek("survivor", clock)
        before = ann.follow(room)
        assert (await bob.seek("survivor", clock))[0] == room
        await ann.unseek()
        old = [frame.seq async for frame in before if isinstance(frame, told.Room | told.Update)]
        assert (await ann.seek("survivor", clock))[0] == room
        frame = await anext(ann.follow(room))
        assert isinstance(frame, told.Room)
        assert frame.seq > max(old)


async def test_talk(server: Server) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url) as eve:
        room = await ann.create()
        await ann.join(room)
        await first(eve, room, told.Room)
        await ann.say(room, "at the table", to="table")
        await ann.say(room, "good luck")
        said = await first(eve, room, told.Said)
        assert (said.seat, said.name, said.text) == ("white", "Ann", "good luck")
        with pytest.raises(RequestError) as refusal:
            await eve.say(room, "hush", to="table")
        assert refusal.value.code == "not_seated"


@pytest.mark.slow
async def test_a_password_is_said_again_when_the_server_comes_back(mortal_server: Server) -> None:
    async with Connection(mortal_server.url) as host, Connection(mortal_server.url) as eve:
        room = await host.create(visibility="private", password="sesame")
        with pytest.raises(RequestError) as refusal:
            await eve.join(room, password="simsalabim")
        assert refusal.value.code == "wrong_password"
        await first(eve, room, told.Room, password="sesame")
        mortal_server.kill()
        await asyncio.to_thread(mortal_server.start)
        assert await host.join(room) == "white"
        update = await first(eve, room, told.Update)
        assert [event.seat for event in update.events if isinstance(event, happened.Seated)] == ["white"]


async def test_a_room_whose_time_is_over_ends(server: Server) -> None:
    async with Connection(server.url) as ann, Connection(server.url) as eve:
        room = await ann.create()
        await first(eve, room, told.Room)
        with Redis(unix_socket_path=str(server.folder / "data" / "store.sock")) as store:
            store.delete(f"fourfold:{{{room}}}:log")
        with pytest.raises(RequestError):
            await ann.join(room)
        with pytest.raises(RequestError) as refusal:
            await first(eve, room, told.Update)
        assert refusal.value.code == "no_such_room"
