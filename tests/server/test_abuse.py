"""What somebody might try: names that are no rooms, guesses, spam, floods. Each meets a limit, and others go on."""

import asyncio
from typing import Any

import pytest

from server import lobby, summons

Dial = Any  # see conftest


class TestNames:
    """What is asked for as a room may be the name of something else that the nodes tell each other about."""

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
    """Requests that are odd, too long, doubled, or with more behind them."""

    @pytest.mark.parametrize(
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
            # Nothing, since nobody can say where the one request ends and the next begins:
            (b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", b""),
            (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n", b""),
            (b"GET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n", b""),
            (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b""),
            (b"GET /healthz HTTP/2.0\r\n\r\n", b""),
            (b"GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n", b""),
            (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", b""),
            (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b""),
        ],
    )
    async def test_one_answer_or_none(
        self, address: str, request_: bytes, status: bytes, caplog: pytest.LogCaptureFixture
    ) -> None:
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(request_)
        async with asyncio.timeout(5):
            answer = await reader.read()
        writer.close()
        assert answer.count(b"HTTP/1.1 ") == (status != b"")
        assert answer.split(b" ")[1:2] == ([status] if status else [])
        assert b"fourfold_" not in answer and b"root:" not in answer
        assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]
