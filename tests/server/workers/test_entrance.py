"""The entrance: it finds the room of a connection, and passes the connection on unread."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from fourfold.server.transport.listeners import bind
from fourfold.server.workers import entrance as module
from fourfold.server.workers.entrance import Entrance, room_of
from tests.conftest import HANG

pytestmark = pytest.mark.by_default


@pytest.mark.parametrize(
    ("head", "room"),
    [
        (b"GET /ws?room=abcd2345 HTTP/1.1\r\n", "abcd2345"),
        (b"GET /ws?x=1&room=abcd2345&y=2 HTTP/1.1\r\nHost: ", "abcd2345"),
        (b"GET /ws?room=abcd2345", None),  # the rest may be on its way
        (b"GET /ws?room= HTTP/1.1\r\n", None),
        (b"GET /ws?rooms=abcd HTTP/1.1\r\n", None),
        (b"GET /ws?mushroom=abcd HTTP/1.1\r\n", None),
        (b"GET /ws?room=" + b"a" * 33 + b" HTTP/1.1\r\n", None),
        (b"GET /ws?room=../ws HTTP/1.1\r\n", None),
        (b"GET /ws HTTP/1.1\r\nX: GET /ws?room=abcd2345 \r\n", None),
        (b"POST /ws?room=abcd2345 HTTP/1.1\r\n", None),
        (b"", None),
    ],
)
def test_the_room_is_in_the_request(head: bytes, room: str | None) -> None:
    assert room_of(head) == room


Passed = asyncio.Queue[tuple[str | None, socket.socket]]


@pytest.fixture
def passed() -> Passed:
    return asyncio.Queue()


@pytest.fixture
async def address(passed: Passed, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[str, int]]:
    monkeypatch.setattr(module, "SILENT", HANG)  # a busy client is silent for longer than a second
    entrance = Entrance(bind("127.0.0.1", 0), lambda room, one: passed.put_nowait((room, one.dup())))
    entrance.open()
    yield entrance.address
    entrance.close()


async def test_a_connection_is_passed_on_unread(address: tuple[str, int], passed: Passed) -> None:
    _, writer = await asyncio.open_connection(*address)
    request = b"GET /ws?room=abcd2345 HTTP/1.1\r\n\r\n"
    writer.write(request)
    room, connection = await asyncio.wait_for(passed.get(), 240)
    with connection:
        assert (room, connection.recv(100)) == ("abcd2345", request)
    writer.close()


async def test_one_that_says_nothing_is_passed_on_all_the_same(
    address: tuple[str, int], passed: Passed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SILENT", 0.05)
    _, writer = await asyncio.open_connection(*address)
    room, connection = await asyncio.wait_for(passed.get(), 240)
    connection.close()
    assert room is None
    writer.close()


async def test_one_that_goes_at_once_harms_nobody(address: tuple[str, int], passed: Passed) -> None:
    _, writer = await asyncio.open_connection(*address)
    writer.transport.abort()
    _, writer = await asyncio.open_connection(*address)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    while True:
        room, connection = await asyncio.wait_for(passed.get(), 240)
        with connection:
            if room is None and connection.recv(3) == b"GET":
                break
    writer.close()


async def test_it_accepts_at_each_address() -> None:
    passed: Passed = asyncio.Queue()
    listeners = [*bind("127.0.0.1", 0), *bind("127.0.0.2", 0)]
    addresses = [one.getsockname() for one in listeners]
    entrance = Entrance(listeners, lambda room, one: passed.put_nowait((room, one.dup())))
    entrance.open()
    for address in addresses:
        _, writer = await asyncio.open_connection(*address)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        _, connection = await asyncio.wait_for(passed.get(), 240)
        connection.close()
        writer.close()
    entrance.close()
