"""Attacks: names that are not rooms, guesses, spam, floods. Each meets a limit, and other clients go on."""

import asyncio
import json
from contextlib import AsyncExitStack
from typing import Any

import pytest

from fourfold.protocol.errors import CloseCode
from fourfold.server.bots import dispatch as summons
from fourfold.server.limits import turns
from fourfold.server.limits.admission import BOT, EXPORT, KEY, READ, SEAT, SPEECH, Quota
from fourfold.server.lobby import lobby
from fourfold.server.transport import connection as line
from tests.conftest import some
from tests.each import each
from tests.server.transport.test_connection import Raw, answer, ask, caller, scrape, socket_url

Dial = Any  # see conftest
Start = Any
ONE, TWO = "192.0.2.1", "192.0.2.2"


class TestNames:
    """A requested room may be the name of a channel for other messages between nodes."""

    async def test_nobody_makes_a_node_deaf_to_the_lobby(
        self, dial: Dial, elsewhere: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lobby, "TELL_EVERY", 0.1)
        eve, ann, viewer = await dial(), await dial(at=elsewhere), await dial()
        await viewer.asks("rooms", follow=True)
        for name in ("lobby", "summons", "}", "{", "*", "abcdefg", "ABCDEFGH", "lobbylob", "2" * 17, "\0" * 8):
            assert (await eve.asks("watch", room=name))["code"] == "no_such_room"
        room = (await ann.asks("create"))["room"]
        await viewer.seen(
            lambda frame: frame["type"] == "lobby" and room in {listing["room"] for listing in frame["changed"]}
        )

    async def test_nor_to_calls_for_bots(
        self, dial: Dial, elsewhere: str, store: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(summons, "LOOK", 0.1)
        host, ann = await dial(bot=True), await dial(at=elsewhere)
        await host.asks("serve", key=summons.key_of(store.get("fourfold:secret")))
        assert (await (await dial()).asks("watch", room="summons"))["code"] == "no_such_room"
        room = (await ann.asks("create"))["room"]
        await ann.asks("bot", room=room, level=1)
        await host.seen(lambda frame: frame["type"] == "summon" and frame["room"] == room)


class TestHttp:
    """Requests that are odd, too long, doubled, or followed by more."""

    @each(
        ("request_", "status"),
        [
            (b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * 9000), b"414"),
            (b"GET / HTTP/1.1\r\nX: %s\r\n\r\n" % (b"a" * 9000), b"431"),
            (b"GET / HTTP/1.1\r\n%s\r\n" % (b"X: y\r\n" * 200), b"431"),
            (b"POST / HTTP/1.1\r\nHost: x\r\n\r\n", b"405"),
            (b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", b"405"),
            (b"GET http://evil.example/metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"404"),
            (b"GET //metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"404"),
            (b"GET /static/\0 HTTP/1.1\r\nHost: x\r\n\r\n", b"404"),
            (b"GET /static/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", b"404"),
            (b"GET /static/..%5c..%5cpages.py HTTP/1.1\r\nHost: x\r\n\r\n", b"404"),
            (b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n\r\n", b"426"),
            (b"GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\nAccept-Encoding: br\r\nHost: x\r\n\r\n", b"200"),
            (b"GET / HTTP/1.1\r\nIf-None-Match: a\r\nIf-None-Match: *\r\n\r\n", b"304"),
            # One answer, and the end: it is unclear where one request ends and the next begins.
            (b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", b"405"),
            (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n", b"405"),
            (b"GET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n", b"400"),
            (b"GET /healthz HTTP/2.0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"400"),
            (b"GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n", b"400"),
            (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", b"400"),
            (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"400"),
            (b"GET /healthz HTTP/1.1\r\nHo", b""),
        ],
    )
    async def test_one_answer(
        self, address: str, request_: bytes, status: bytes, caplog: pytest.LogCaptureFixture
    ) -> None:
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(request_)
        writer.write_eof()
        async with asyncio.timeout(240):
            answer = await reader.read()
        writer.close()
        assert answer.count(b"HTTP/1.1 ") == (status != b"")
        assert answer.split(b" ")[1:2] == ([status] if status else [])
        assert b"fourfold_" not in answer and b"root:" not in answer
        assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[line.Connection]:
    """All connections so far."""
    lines: list[line.Connection] = []
    made = line.Connection.connection_made

    def remember(one: line.Connection, transport: asyncio.BaseTransport) -> None:
        made(one, transport)
        lines.append(one)

    monkeypatch.setattr(line.Connection, "connection_made", remember)
    return lines


class TestFloods:
    """More at once than can be read, in pieces too small to be useful."""

    async def test_fragments_are_counted(self, start: Start) -> None:
        flood = await Raw.dial(await socket_url(start))
        flood.writer.write(b"\x01\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * line.MAX_CONTROLS)
        assert await flood.closed() == (CloseCode.POLICY, "too many pings or fragments")
        await flood.end()

    async def test_a_message_in_pieces_is_a_message(self, start: Start) -> None:
        wire = await Raw.dial(await socket_url(start))
        text = b'{"type":"ping","id":7}'
        wire.writer.write(b"\x01\x80\0\0\0\0")
        for place in range(len(text)):
            wire.writer.write(bytes([0x80 * (place == len(text) - 1), 0x81, 0, 0, 0, 0, text[place]]))
        frame = b""
        while b"pong" not in frame:
            _, frame = await wire.frame()
        assert b'"id":7' in frame
        await wire.end()

    async def test_who_keeps_sending_after_the_end_is_hung_up_on(
        self, start: Start, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(line, "GRACE", 0.2)
        flood = await Raw.dial(await socket_url(start))

        async def pour() -> None:
            while True:
                flood.writer.write(b"\x89\x80\0\0\0\0" * 1000)
                await flood.writer.drain()
                await asyncio.sleep(0.01)

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(pour(), 240)
        await flood.end()

    async def test_what_is_too_much_at_once_is_kept_as_it_came(
        self, start: Start, lines: list[line.Connection]
    ) -> None:
        """Thousands of tiny frames that arrive together are not parsed into objects ahead of time."""
        flood = await Raw.dial(await socket_url(start, max_rate=50))
        flood.say("hello")
        flood.writer.write(b"\x81\x82\0\0\0\0{}" * 30_000)  # each is refused as unreadable; the 20th is the last
        most = 0
        async with asyncio.timeout(240):
            closed = asyncio.create_task(flood.closed())
            while not closed.done():
                most = max(most, len(lines[-1].inbox))
                await asyncio.sleep(0)
        assert (await closed)[0] == CloseCode.POLICY
        assert 0 < most <= line.BITE // 8 + line.MAX_BACKLOG
        await flood.end()

    async def test_what_is_left_unread_by_who_has_gone_is_not_carried_out(self, start: Start) -> None:
        address = await start(max_rate=10)
        url = f"{address.replace('http', 'ws')}/ws"
        for _ in range(5):
            hasty = await Raw.dial(url)
            hasty.say("hello")
            for _ in range(500):
                hasty.say("rooms")
            await hasty.writer.drain()
            await hasty.frame()
            await hasty.end()
        for _ in range(50):
            if "fourfold_connections 0.0" in await asyncio.to_thread(scrape, address):
                break
            await asyncio.sleep(0.1)
        else:
            pytest.fail("they are still being served")

    async def test_what_was_said_before_leaving_is_carried_out(self, start: Start) -> None:
        url = await socket_url(start)
        async with caller(url) as ann, caller(url) as bob:
            room = (await ask(ann, "create"))["room"]
            await ask(ann, "join", room=room)
            await ask(bob, "join", room=room)
            for _ in range(10):
                await ann.send('{"type":"ping"}')
            await ann.send(f'{{"type":"resign","room":"{room}","key":"r"}}')
            await ann.close()
            async with asyncio.timeout(240):
                while '"resigned"' not in await bob.recv():
                    pass


class TestDeeds:
    """The limits of an address per minute, over all its connections and identities; other addresses are not
    affected."""

    @pytest.mark.parametrize("deed", some(2, SEAT, SPEECH, BOT, EXPORT, READ, KEY), ids=lambda deed: deed.what)
    async def test_it_is_bounded_for_each_address(
        self, start: Start, deed: Quota, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        url = await socket_url(start, trust_proxy=1, max_rate=0)
        async with caller(url, ONE) as one, caller(url, ONE) as again, caller(url, TWO) as two:
            rooms = {wire: (await ask(wire, "create", variant="ffa"))["room"] for wire in (one, again, two)}
            for wire, room in rooms.items():
                await ask(wire, "watch", room=room)

            async def does(wire: Any) -> str | None:
                room = rooms[wire]
                match deed.what:
                    case "seats taken":
                        await ask(wire, "leave", room=room)
                        reply = await ask(wire, "join", room=room)
                    case "bots invited":
                        reply = await ask(wire, "bot", room=room, level=1)
                    case "things said":
                        reply = await ask(wire, "say", room=room, text="Buy!")
                    case "exports":
                        reply = await ask(wire, "export", room=room, format="fen")
                    case "games read":
                        reply = await ask(wire, "read", text="1. e4")
                    case "keys tried":
                        reply = await ask(wire, "serve", key="guess")
                if "from your address" in reply.get("message", ""):
                    assert reply["code"] == "too_fast" and 0 < reply["retry"] <= 60_000
                    return "bounded"
                return None

            for number in range(deed.most):
                assert await does((one, again)[number % 2]) is None
            assert await does(one) == await does(again) == "bounded"
            assert await does(two) is None

    async def test_an_address_has_its_share_of_the_requests(self, start: Start) -> None:
        """Ten connections from one address are read as slowly together as two of them alone."""
        url = await socket_url(start, trust_proxy=1, max_rate=40)
        loop = asyncio.get_running_loop()
        async with AsyncExitStack() as stack:
            other = await stack.enter_async_context(caller(url, TWO))
            wires = [await stack.enter_async_context(caller(url, ONE)) for _ in range(10)]
            began = loop.time()

            async def pings(wire: Any) -> None:
                for _ in range(30):  # each of which alone would have been read at once
                    await ask(wire, "ping")

            asking = asyncio.gather(*map(pings, wires))
            for _ in range(5):
                assert (await ask(other, "ping"))["type"] == "pong"
            assert not asking.done()
            await asking
            assert loop.time() - began > 1  # 300, after a burst of 160 less the hellos, at 80 a second

    @pytest.mark.interpreted
    async def test_a_players_move_does_not_wait_for_others_of_their_address(
        self, start: Start, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        url = await socket_url(start, trust_proxy=1, max_rate=10)
        dear = {"type": "explore", "moves": ["a"] * 500, "id": 1}
        async with AsyncExitStack() as stack:
            ann, bob = [await stack.enter_async_context(caller(url, address)) for address in (ONE, TWO)]
            room = (await ask(ann, "create"))["room"]
            for player in (ann, bob):
                await ask(player, "join", room=room)
            others = [await stack.enter_async_context(caller(url, ONE)) for _ in range(10)]
            answered = 0

            async def explores(wire: Any) -> None:
                nonlocal answered
                for _ in range(3):
                    await wire.send(json.dumps(dear))
                for _ in range(3):
                    await answer(wire)
                    answered += 1

            asking = [asyncio.create_task(explores(wire)) for wire in others]
            await asyncio.wait(asking, timeout=0.1)
            now = asyncio.get_running_loop().time()
            monkeypatch.setattr(turns, "monotonic", lambda: now)  # the store may let the move wait for seconds
            before = answered
            reply = await ask(ann, "move", room=room, move="e2e4", seq=3, key="1")
            assert reply["type"] == "ok"
            assert answered - before < 5, "each of them makes the next wait for a second"
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)

    async def test_keys_and_tokens_that_are_none_end_the_connection(self, start: Start) -> None:
        url = await socket_url(start)
        for request in ({"type": "serve", "key": "guess"}, {"type": "hello", "token": "a.b.c"}):
            wire = await Raw.dial(url)
            if request["type"] == "serve":
                wire.say("hello")
            for _ in range(20):
                wire.say(**request)
            assert (await wire.closed())[0] == CloseCode.POLICY
            await wire.end()
