"""The limits of a connection, used and exceeded over real sockets; others must not notice."""

import asyncio
import contextlib
import json
import os
import random
import re
import socket
import struct
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from fourfold.engine.match.clock import LAG_QUOTA
from fourfold.protocol.codec import MAX_FRAME
from fourfold.protocol.errors import CloseCode
from fourfold.server.clock import DAY
from fourfold.server.limits import admission, turns
from fourfold.server.sessions import inbound, people, session, studies
from fourfold.server.settings import Settings
from fourfold.server.studies.writer import GUEST
from fourfold.server.transport import connection as line
from fourfold.server.transport import gateway
from tests.conftest import HANG, some

LITTLE = 16_384
"""How many bytes may wait for a slow reader in these tests."""

Dial = Any  # see conftest
Start = Callable[..., Any]
Raws = Callable[..., Any]


@pytest.fixture
async def raw() -> AsyncIterator[Callable[..., Any]]:
    """Opens a `Raw` connection, which answers nothing by itself."""
    async with AsyncExitStack() as stack:

        async def raw(url: str, **options: Any) -> Raw:
            connection = await Raw.dial(url, **options)
            stack.push_async_callback(connection.end)
            return connection

        yield raw


def test_the_published_limits_are_those_of_the_server() -> None:
    page = (Path(__file__).parents[3] / "protocol" / "README.md").read_text().split("## Limits")[1]
    published = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", page, re.M))
    limits = {
        "a frame from a client": f"{MAX_FRAME} bytes",
        "connections from one address": f"{Settings().max_connections}",
        "rooms opened from one address": f"{Settings().max_rooms} a minute",
        "rooms and studies that a connection follows": f"{session.MOST_FOLLOWED}",
        "players that an account follows": f"{people.FOLLOWED}",
        "studies of a player": f"{studies.OWNED}, of a guest {studies.OWNED_BY_GUEST}",
        "bytes written into studies from one address": f"{admission.WRITTEN // 10**6} MB a day",
        "bytes that a guest writes into studies": f"{admission.WRITTEN_BY_GUEST // 10**6} MB a day",
        "a guest's study without changes or readers": f"{GUEST // DAY} days",
    }
    assert {what: published.get(what) for what in limits} == limits
    assert (session.MOST_FOLLOWED, people.FOLLOWED) == (100, 500)


async def socket_url(start: Start, **changes: Any) -> str:
    """The WebSocket URL of a server for this test."""
    http: str = await start(**changes)
    return f"{http.replace('http', 'ws')}/ws"


@asynccontextmanager
async def caller(url: str, address: str = "", **headers: str) -> AsyncIterator[ClientConnection]:
    """A connection that has said hello, from its own address, as the proxy reports."""
    if address:
        headers["X-Forwarded-For"] = address
    async with connect(url, additional_headers=headers, open_timeout=HANG) as connection:
        await ask(connection, "hello")
        yield connection


async def ask(connection: ClientConnection, type: str, **fields: Any) -> dict[str, Any]:
    await connection.send(json.dumps({"type": type, "id": 1, **fields}))
    return await answer(connection)


async def answer(connection: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(240):
        while True:
            frame: dict[str, Any] = json.loads(await connection.recv())
            if frame.get("id") == 1:
                return frame


class Raw:
    """A WebSocket with every byte under the test's control: it may keep silent, flood, or never read."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.head = ""

    @classmethod
    async def dial(cls, url: str, *, extensions: str = "", small: bool = False, then: bytes = b"") -> "Raw":
        """`small`: with the smallest buffers for unread data. `then` is sent together with the handshake."""
        host, port = url.removeprefix("ws://").removesuffix("/ws").split(":")
        tcp = socket.socket()
        if small:
            tcp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        tcp.setblocking(False)
        await asyncio.get_running_loop().sock_connect(tcp, (host, int(port)))
        raw = cls(*await asyncio.open_connection(sock=tcp, limit=256))
        lines = [
            "GET /ws HTTP/1.1", f"Host: {host}", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        ]  # fmt: skip
        if extensions:
            lines.append(f"Sec-WebSocket-Extensions: {extensions}")
        raw.writer.write("\r\n".join([*lines, "", ""]).encode() + then)
        raw.head = (await raw.reader.readuntil(b"\r\n\r\n")).decode()
        return raw

    def send(self, opcode: int, payload: bytes = b"", *, rsv1: bool = False) -> None:
        mask = os.urandom(4)
        size = struct.pack("!BH", 0x80 | 126, len(payload)) if len(payload) > 125 else bytes([0x80 | len(payload)])
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.writer.write(bytes([0x80 | 0x40 * rsv1 | opcode]) + size + mask + masked)

    def say(self, type: str, **fields: Any) -> None:
        self.send(1, json.dumps({"type": type, **fields}).encode())

    async def frame(self) -> tuple[int, bytes]:
        opcode, size = await self.reader.readexactly(2)
        if size == 126:
            size = int.from_bytes(await self.reader.readexactly(2))
        elif size == 127:
            size = int.from_bytes(await self.reader.readexactly(8))
        return opcode & 0x0F, await self.reader.readexactly(size)

    async def closed(self) -> tuple[int, str]:
        """The close code and reason, after any other frames."""
        async with asyncio.timeout(240):
            while True:
                opcode, payload = await self.frame()
                if opcode == 8:
                    return int.from_bytes(payload[:2]), payload[2:].decode()

    async def end(self) -> None:
        """Hang up."""
        self.writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


class TestAddresses:
    async def test_so_many_connections_from_one(self, start: Start) -> None:
        url = await socket_url(start, trust_proxy=1, max_connections=2)
        async with caller(url, "192.0.2.1"), caller(url, "192.0.2.1") as second:
            with pytest.raises(InvalidStatus) as caught:
                await connect(url, additional_headers={"X-Forwarded-For": "10.9.8.7, 192.0.2.1"})
            response = caught.value.response
            assert response.status_code == 429
            assert response.headers["Retry-After"] == "10"
            assert b"already has 2 connections" in response.body
            async with caller(url, "192.0.2.2"):
                pass
            await second.close()
            async with asyncio.timeout(240), caller(url, "192.0.2.1"):
                pass

    async def test_what_is_refused_is_not_counted(self, start: Start) -> None:
        url = await socket_url(start, trust_proxy=1, max_connections=2, allowed_origins=("https://chess.example.org",))
        for _ in range(5):
            with pytest.raises(InvalidStatus):
                await connect(url, origin="https://evil.example", additional_headers={"X-Forwarded-For": "192.0.2.1"})
        async with caller(url, "192.0.2.1"), caller(url, "192.0.2.1"):
            pass

    async def test_so_many_rooms_from_one(self, start: Start) -> None:
        url = await socket_url(start, trust_proxy=1, max_rooms=3)
        async with caller(url, "192.0.2.1") as one, caller(url, "192.0.2.1") as two, caller(url, "192.0.2.2") as other:
            for connection in (one, two, one):
                assert (await ask(connection, "create"))["type"] == "created"
            for connection in (one, two):
                refusal = await ask(connection, "create")
                assert (refusal["kind"], refusal["code"]) == ("refused", "too_many_rooms")
                assert 0 < refusal["retry"] <= 60_000
                assert f"Try again in {-(-refusal['retry'] // 1000)} s" in refusal["message"]
            assert (await ask(other, "create"))["type"] == "created"


    @pytest.mark.interpreted
    async def test_so_many_rooms_are_followed_by_one_connection(
        self, start: Start, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(session, "MOST_FOLLOWED", 5)
        url = await socket_url(start, trust_proxy=1)
        async with caller(url) as host, caller(url, "192.0.2.1") as guest, caller(url, "192.0.2.1") as other:
            rooms = [(await ask(host, "create"))["room"] for _ in range(6)]
            for room in rooms[:-1]:
                assert (await ask(guest, "watch", room=room))["type"] == "room"
            for request in ("watch", "join"):
                refusal = await ask(guest, request, room=rooms[-1])
                assert (refusal["kind"], refusal["code"]) == ("refused", "too_many_rooms_followed")
                assert "You can follow 5 rooms" in refusal["message"]
            assert (await ask(guest, "seek", variant="standard"))["code"] == "too_many_rooms_followed"
            assert (await ask(guest, "watch", room=rooms[0]))["type"] == "room"  # one of them
            assert (await ask(other, "watch", room=rooms[-1]))["type"] == "room"
            assert (await ask(guest, "leave", room=rooms[0]))["type"] == "ok"
            assert (await ask(guest, "join", room=rooms[-1]))["type"] == "joined"
            for room in rooms:  # this machine's own programs have no limit
                assert (await ask(host, "watch", room=room))["type"] == "room"


class TestOrigins:
    async def test_pages_of_other_origins_are_told_why(self, start: Start) -> None:
        url = await socket_url(start, allowed_origins=("https://chess.example.org",))
        with pytest.raises(InvalidStatus) as caught:
            await connect(url, origin="https://evil.example")
        assert caught.value.response.status_code == 403
        assert b"ALLOWED_ORIGINS" in caught.value.response.body
        async with connect(url, origin="https://chess.example.org") as page, caller(url):
            assert (await ask(page, "hello"))["type"] == "welcome"


class AwakeClock:
    """The time of the event loop in seconds, without the time for which this process stood still: from one reading to
    the next it goes on by at most `STEP`."""

    STEP = 0.025

    def __init__(self) -> None:
        self._read = asyncio.get_running_loop().time()
        self._still = 0.0

    def __call__(self) -> float:
        now = asyncio.get_running_loop().time()
        self._still += max(0.0, now - self._read - self.STEP)
        self._read = now
        return now - self._still


class TestPace:
    @pytest.mark.interpreted
    async def test_what_comes_too_fast_is_read_later_and_answered(
        self, start: Start, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        awake = AwakeClock()
        monkeypatch.setattr(turns, "monotonic", awake)  # budgets would recover while this process stands still
        url = await socket_url(start, max_rate=50)
        async with caller(url) as hasty, caller(url) as other:
            began, burst_read = awake(), asyncio.Event()

            async def read_all() -> None:
                for count in range(150):
                    await answer(hasty)
                    if count == 100:
                        burst_read.set()

            for _ in range(150):
                await hasty.send('{"type":"ping","id":1}')
            reading = asyncio.create_task(read_all())
            await burst_read.wait()
            await ask(other, "ping")
            assert not reading.done()
            await reading
            assert awake() - began > 0.5  # 50 after the burst, at 50 a second


class TestSilence:
    @pytest.mark.interpreted
    async def test_no_hello(self, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(inbound, "HELLO", 0.3)
        expect = line.Connection.expect
        waiting: list[tuple[line.Connection, Callable[[], None]]] = []

        def expect_later(one: line.Connection, seconds: float, late: Callable[[], None]) -> None:
            if seconds == inbound.HELLO:
                waiting.append((one, late))
            expect(one, HANG if seconds == inbound.HELLO else seconds, late)

        monkeypatch.setattr(line.Connection, "expect", expect_later)
        url = await socket_url(start)
        async with caller(url) as greeted, connect(url, open_timeout=HANG) as rude:
            assert (await ask(rude, "ping"))["type"] == "pong"  # is no hello
            for one, late in waiting:  # the time begins now: the hello and the ping may have taken longer
                expect(one, inbound.HELLO, late)
            async with asyncio.timeout(240):
                await rude.wait_closed()
            assert (rude.close_code, rude.close_reason) == (
                CloseCode.POLICY, 'no hello within 0 s; say {"type": "hello"} first',
            )  # fmt: skip
            assert (await ask(greeted, "ping"))["type"] == "pong"

    async def test_a_handshake_in_trickles(self, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gateway, "FIRST_REQUEST", 0.3)
        url = await socket_url(start)
        host, port = url.removeprefix("ws://").removesuffix("/ws").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /ws HTTP/1.1\r\nHost: trickle\r\nX-More: ")
        hung_up = asyncio.create_task(reader.read())
        async with asyncio.timeout(240):
            while not hung_up.done():
                writer.write(b"x")
                await asyncio.sleep(0.02)
        writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            assert await hung_up == b""

    @pytest.mark.interpreted
    async def test_an_answer_that_takes_long_is_waited_for(self, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gateway, "FIRST_REQUEST", 0.3)
        turn = admission.Admission.http_turn

        async def late(self: admission.Admission, price: float, address: str) -> Any:
            await asyncio.sleep(1.0)  # the address waits for its turn
            return await turn(self, price, address)

        monkeypatch.setattr(admission.Admission, "http_turn", late)
        host, port = (await socket_url(start)).removeprefix("ws://").removesuffix("/ws").split(":")
        tcp = socket.create_connection((host, int(port)))
        tcp.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")  # it is there when the server accepts the connection
        reader, writer = await asyncio.open_connection(sock=tcp)
        async with asyncio.timeout(HANG):
            assert b" 200 " in await reader.readline()
        writer.transport.abort()

    async def test_no_sign_of_life(self, start: Start, monkeypatch: pytest.MonkeyPatch, raw: Raws) -> None:
        monkeypatch.setattr(gateway, "HEARTBEAT", 0.3)
        url = await socket_url(start)
        dead = await raw(url)
        dead.say("hello")
        async with caller(url) as alive:
            code, reason = await dead.closed()
            assert code == CloseCode.SILENT
            assert "no sign of life" in reason
            await asyncio.sleep(1)  # three more beats, whose pings the library answers
            assert (await ask(alive, "ping"))["type"] == "pong"


class TestRoundTrip:
    @pytest.mark.parametrize("answers", [True, False], ids=["far", "forged"])
    async def test_only_the_answer_to_our_ping_measures_it(
        self, address: str, dial: Dial, raw: Raws, answers: bool
    ) -> None:
        far, near = await raw(f"{address.replace('http', 'ws')}/ws"), await dial()
        opcode, payload = await far.frame()
        assert opcode == 9
        far.send(10, b"forged")
        far.send(10, bytes(len(payload)))
        await asyncio.sleep(0.15)  # the network's part
        if answers:
            far.send(10, payload)
        far.say("hello")
        room = (await near.asks("create", clock={"base": 60_000, "increment": 0}))["room"]
        await near.asks("watch", room=room)
        far.say("join", room=room)
        await near.seq(2)
        await near.asks("join", room=room)
        far.say("move", room=room, move="e2e4", seq=3, key="1")
        await near.seq(4)
        await near.asks("move", room=room, move="e7e5", seq=4, key="2")
        await asyncio.sleep(0.15)  # longer than the time that is given back
        far.say("move", room=room, move="g1f3", seq=5, key="3")
        tick = (await near.seq(6))["events"][0]["tick"]
        assert tick["lag"] == (LAG_QUOTA if answers else 0)


class TestFloods:
    async def test_pings(self, start: Start, raw: Raws) -> None:
        url = await socket_url(start)
        flood = await raw(url)
        for _ in range(line.MAX_CONTROLS):
            flood.send(9, b"x")
        code, reason = await flood.closed()
        assert (code, reason) == (CloseCode.POLICY, "too many pings or fragments")

    @pytest.mark.interpreted
    @pytest.mark.parametrize("first", [bytes([0x89, 0x80]) + bytes(4), b"\x82\xff" + (2**40).to_bytes(8) + bytes(4)])
    async def test_what_comes_after_the_close_frame_is_read_slowly(
        self, start: Start, monkeypatch: pytest.MonkeyPatch, raw: Raws, first: bytes
    ) -> None:
        monkeypatch.setattr(line, "GRACE", 1.0)
        monkeypatch.setattr(line, "ENDING_PAUSE", 0.001)
        flood = await raw(await socket_url(start))
        flood.writer.write(first * line.MAX_CONTROLS)
        await flood.closed()
        poured = 0
        with contextlib.suppress(ConnectionError):  # the server cuts it after `GRACE`
            while True:
                flood.writer.write(first * 1000)
                await flood.writer.drain()
                poured += len(first) * 1000
                await asyncio.sleep(0)
        assert poured < 2**24, "ten reads of 256 KiB, and the buffers of both sockets"

    async def test_a_connection_that_is_closed_before_its_session_begins_is_cut_too(
        self, start: Start, monkeypatch: pytest.MonkeyPatch, raw: Raws
    ) -> None:
        monkeypatch.setattr(line, "GRACE", 0.2)
        giant = bytes([0x82, 0x80 | 127]) + (2**40).to_bytes(8) + b"mask"
        flood = await raw(await socket_url(start), then=giant)
        assert (await flood.closed())[0] == CloseCode.TOO_BIG

        async def pour() -> None:
            while True:
                flood.writer.write(bytes(10_000))
                await flood.writer.drain()
                await asyncio.sleep(0)

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(pour(), HANG)

    async def test_a_frame_over_the_limit_that_is_never_finished(
        self, start: Start, monkeypatch: pytest.MonkeyPatch, raw: Raws
    ) -> None:
        monkeypatch.setattr(gateway, "HEARTBEAT", 0.2)
        url = await socket_url(start)
        giant = await raw(url)
        giant.writer.write(bytes([0x82, 0x80 | 127]) + (2**40).to_bytes(8) + b"mask" + b"x" * 1000)
        assert (await giant.closed())[0] == CloseCode.TOO_BIG

    @pytest.mark.parametrize(
        ("opcode", "payload", "code"),
        [(3, b"", CloseCode.PROTOCOL), (1, b'{"type":"\xff"}', CloseCode.BAD_TEXT)],
        ids=["no-frame", "no-utf-8"],
    )
    async def test_what_no_websocket_sends(
        self, start: Start, raw: Raws, opcode: int, payload: bytes, code: CloseCode
    ) -> None:
        broken = await raw(await socket_url(start))
        broken.send(opcode, payload)
        assert (await broken.closed())[0] == code


class Game:
    """A long two-player game, by random moves."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        self._random = random.Random(2)  # whose game is not over after 450 plies

    async def start(self) -> str:
        self.players = [await self._dial(), await self._dial()]
        self.room: str = (await self.players[0].asks("create"))["room"]
        for player in self.players:
            await player.asks("join", room=self.room)
        self.seq = 3
        return self.room

    async def play(self, plies: int) -> None:
        for ply in range(plies):
            mover = self.players[ply % 2]
            turn = await mover.seen(lambda frame: frame["type"] == "turn" and frame["seq"] == self.seq)
            move = self._random.choice(turn["legal"])
            reply = await mover.asks("move", room=self.room, move=move, seq=self.seq, key=f"{self.seq}")
            assert reply["type"] == "ok"
            self.seq += 1


def scrape(address: str) -> str:
    with urllib.request.urlopen(f"{address}/metrics") as page:
        text: str = page.read().decode()
        return text


class TestSlowReaders:
    """Frames wait in the server until there are too many of them. Then the reader is disconnected, to resume."""

    @pytest.fixture
    def lines(self, monkeypatch: pytest.MonkeyPatch) -> set[line.Connection]:
        """All connections so far. The server buffers little for them, and the system even less."""
        lines: set[line.Connection] = set()
        made = line.Connection.connection_made

        def remember(one: line.Connection, transport: asyncio.BaseTransport) -> None:
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
            made(one, transport)
            lines.add(one)

        monkeypatch.setattr(line.Connection, "connection_made", remember)
        monkeypatch.setattr(line, "MAX_OUTBOX", LITTLE)
        return lines

    @pytest.mark.slow
    @pytest.mark.interpreted
    async def test_one_that_reads_late_is_told_to_resume_and_misses_nothing(
        self, lines: set[line.Connection], address: str, dial: Dial, raw: Raws, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(line, "GRACE", 10 * HANG)  # the game goes on for long before the reader reads the rest
        game = Game(dial)
        room = await game.start()
        slow = await raw(f"{address.replace('http', 'ws')}/ws", small=True)
        slow.say("hello")
        slow.say("watch", room=room, since=0)
        await game.players[0].seen(lambda frame: frame["type"] == "watchers" and frame["count"] == 1)
        await game.play(300)
        seen = []
        async with asyncio.timeout(240):
            while True:
                opcode, payload = await slow.frame()
                if opcode == 8:
                    break
                if opcode == 1 and (frame := json.loads(payload))["type"] == "update":
                    seen.append(frame["seq"])
        assert int.from_bytes(payload[:2]) == CloseCode.SLOW_READER
        assert b"resume" in payload
        assert seen == list(range(1, len(seen) + 1))
        assert len(seen) < game.seq
        back = await dial()
        await back.asks("watch", room=room, since=seen[-1])
        await back.seq(game.seq)
        assert seen + [frame["seq"] for frame in back.updates()] == list(range(1, game.seq + 1))

    @pytest.mark.interpreted
    @pytest.mark.parametrize("grace", some(1, 0.5, 10 * HANG))
    async def test_one_that_never_reads_is_hung_up_on_and_nobody_waits_for_him(
        self,
        lines: set[line.Connection],
        address: str,
        dial: Dial,
        monkeypatch: pytest.MonkeyPatch,
        raw: Raws,
        grace: float,
    ) -> None:
        monkeypatch.setattr(line, "GRACE", grace)
        held = 0
        game = Game(dial)
        room = await game.start()
        deaf = [await raw(f"{address.replace('http', 'ws')}/ws", small=True) for _ in range(10)]
        for wire in deaf:
            wire.say("hello")
            wire.say("watch", room=room)
        watcher = await dial()
        await watcher.asks("watch", room=room)
        await game.players[0].seen(lambda frame: frame["type"] == "watchers" and frame["count"] == 11)
        for _ in range(30):
            await game.play(10)
            held = max(held, *(line.transport.get_write_buffer_size() for line in lines))
        await watcher.seq(game.seq)
        assert LITTLE / 2 < held < LITTLE + 1000  # one frame over
        left = 13 if grace > 10 else 3  # the players, the reading watcher, and the deaf ones until they are dropped
        async with asyncio.timeout(240):
            while f"fourfold_connections {left}.0" not in (page := await asyncio.to_thread(scrape, address)):
                pass
        assert "fourfold_outbox_drops_total 10.0" in page


class TestCompression:
    async def test_it_is_declined(self, start: Start, raw: Raws) -> None:
        wire = await raw(await socket_url(start), extensions="permessage-deflate; client_max_window_bits")
        assert " 101 " in wire.head
        assert "extensions" not in wire.head.lower()
        wire.say("hello", id=1)
        opcode, payload = await wire.frame()
        while opcode == 9:
            opcode, payload = await wire.frame()
        assert json.loads(payload)["type"] == "welcome"
        wire.send(1, b"\x02\x00", rsv1=True)  # compressed anyway
        assert (await wire.closed())[0] == 1002
