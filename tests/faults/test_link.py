"""The harness's link has its faults on connections, and no other effects."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import ClassVar

import pytest

from tests.conftest import HANG
from tests.faults.link import Link


async def hang_up(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


@asynccontextmanager
async def echo() -> AsyncIterator[tuple[Link, list[bytes]]]:
    """A link to a server that echoes in capitals; and everything it has received."""
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1000):
                heard.append(data)
                writer.write(data.upper())
        await hang_up(writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    link = await Link(lambda: server.sockets[0].getsockname()[:2]).start()
    try:
        yield link, heard
    finally:
        for caller in Caller.all:
            await hang_up(caller.writer)
        Caller.all.clear()
        await link.close()
        server.close()
        await server.wait_closed()
        await asyncio.sleep(0.01)  # until the loop has reported to all sides that they are closed


class Caller:
    """A client of the link."""

    all: ClassVar[list["Caller"]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.all.append(self)

    @classmethod
    async def call(cls, link: Link) -> "Caller":
        return cls(*await asyncio.open_connection("127.0.0.1", link.port))

    async def hears(self, seconds: float = HANG) -> bytes:
        """The next bytes; empty at the end of the connection."""
        async with asyncio.timeout(seconds):
            try:
                return await self.reader.read(1000)
            except ConnectionError:
                return b""


async def test_all_is_passed_on() -> None:
    async with echo() as (link, _):
        caller = await Caller.call(link)
        caller.writer.write(b"hello")
        assert await caller.hears() == b"HELLO"


async def test_a_cut_ends_and_refuses_until_healed() -> None:
    async with echo() as (link, _):
        caller = await Caller.call(link)
        caller.writer.write(b"a")
        assert await caller.hears() == b"A"
        link.cut()
        assert await caller.hears() == b""
        assert await (await Caller.call(link)).hears() == b""
        link.heal()
        again = await Caller.call(link)
        again.writer.write(b"b")
        assert await again.hears() == b"B"


async def test_what_is_held_comes_later_even_if_its_sender_has_gone() -> None:
    async with echo() as (link, heard):
        caller = await Caller.call(link)
        caller.writer.write(b"a")
        assert await caller.hears() == b"A"
        link.hold("to")
        caller.writer.write(b"late")
        await caller.writer.drain()
        await hang_up(caller.writer)
        other = await Caller.call(link)
        other.writer.write(b"b")
        with pytest.raises(TimeoutError):
            await other.hears(0.1)
        assert heard == [b"a"]
        link.heal()
        assert await other.hears() == b"B"
        assert sorted(heard) == [b"a", b"b", b"late"]


async def test_answers_are_lost_though_what_was_asked_is_done() -> None:
    async with echo() as (link, heard):
        caller = await Caller.call(link)
        caller.writer.write(b"a")
        assert await caller.hears() == b"A"
        link.rob("from")
        caller.writer.write(b"b")
        async with asyncio.timeout(HANG):
            while not any(call.robbed for call in link._calls):  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.01)
        with pytest.raises(TimeoutError):
            await caller.hears(0.1)
        link.heal()
        assert await caller.hears() == b"", "nobody can go on after a gap"
        assert heard == [b"a", b"b"]


async def test_slow_is_in_order() -> None:
    async with echo() as (link, _):
        link.slow(0.02)
        caller = await Caller.call(link)
        for letter in (b"a", b"b", b"c"):
            caller.writer.write(letter)
            await asyncio.sleep(0.005)
        said = b""
        while len(said) < 3:
            said += await caller.hears()
        assert said == b"ABC"
