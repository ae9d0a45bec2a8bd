"""Reports reach a real HTTP server: in order, signed, and repeated after failures."""

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web

from fourfold.clients.table import Table, TableSeat
from fourfold.clients.webhooks import delivery
from fourfold.clients.webhooks.delivery import Delivery, is_discord, signature
from fourfold.clients.webhooks.reports import Report
from fourfold.engine.variants import opening
from fourfold.protocol.events import Result

SEATS = {"white": TableSeat("1", "Ann"), "black": TableSeat("2", "Boris")}
START = opening("standard")
TABLE = Table("room", "standard", START.fen(), 9, "playing", SEATS, START)
OVER = replace(TABLE, status="finished", result=Result("resignation", ["black"], {}, None))
BEGUN = Report("game.begun", TABLE, "http://x/r/room")


class Receiver:
    """A server that answers each request by the next of its `answers`, then by 200."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.url = ""
        self._came = asyncio.Event()

    async def take(self, request: web.Request) -> web.Response:
        self.got.append((dict(request.headers), await request.read()))
        self._came.set()
        status, heads = self.answers.pop(0) if self.answers else (200, {})
        return web.Response(status=status, headers=heads)

    async def until(self, count: int) -> list[dict[str, Any]]:
        async with asyncio.timeout(240):
            while len(self.got) < count:
                self._came.clear()
                await self._came.wait()
        return [json.loads(body) for _, body in self.got]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    taker = Receiver()
    app = web.Application()
    app.add_routes([web.post("/hook", taker.take)])
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    taker.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    yield taker
    await runner.cleanup()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "PAUSES", (0.01, 0.01))


async def test_reports_come_in_order_and_are_signed(receiver: Receiver) -> None:
    hook = Delivery(receiver.url, "whsec_" + base64.b64encode(b"key").decode(), print)
    hook.put(BEGUN)
    hook.put(Report("game.over", OVER, BEGUN.url))
    task = asyncio.create_task(hook.run())
    first, second = await receiver.until(2)
    task.cancel()
    assert (first["type"], first["data"]["seats"]) == ("game.begun", {"white": "Ann", "black": "Boris"})
    assert second["data"]["winners"] == ["black"]
    assert second["text"] == "The game of Ann and Boris is over: Boris won, by resignation. http://x/r/room"
    heads, body = receiver.got[0]
    assert heads["webhook-id"] == "game.begun.room.1.0"
    signed = f"{heads['webhook-id']}.{heads['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.digest(b"key", signed, hashlib.sha256)).decode()
    assert heads["webhook-signature"] == f"v1,{expected}"


def test_signatures_are_those_of_the_standard() -> None:
    """The example from the Standard Webhooks libraries."""
    secret, id = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
    assert signature(secret, id, 1614265330, b'{"test": 2432232314}') == (
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


@pytest.mark.usefixtures("hasty")
async def test_what_is_not_taken_is_sent_again(receiver: Receiver) -> None:
    receiver.answers = [(500, {}), (429, {"Retry-After": "0"})]
    hook = Delivery(receiver.url, None, print)
    hook.put(BEGUN)
    hook.put(Report("game.over", OVER, BEGUN.url))
    task = asyncio.create_task(hook.run())
    told = await receiver.until(4)
    task.cancel()
    assert [each["type"] for each in told] == ["game.begun"] * 3 + ["game.over"]
    assert len({heads["webhook-id"] for heads, _ in receiver.got[:3]}) == 1
    assert "webhook-signature" not in receiver.got[0][0]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(("status", "attempts"), [(404, 3), (410, 1)])
async def test_what_is_never_taken_is_given_up(receiver: Receiver, status: int, attempts: int) -> None:
    receiver.answers = [(status, {})] * attempts
    complaints: list[str] = []
    hook = Delivery(receiver.url, None, complaints.append)
    hook.put(BEGUN)
    hook.put(Report("game.over", OVER, BEGUN.url))
    task = asyncio.create_task(hook.run())
    await receiver.until(attempts + 1)
    task.cancel()
    assert complaints == [f"game.begun.room.1.0 is given up: HTTP {status}"]


async def test_discord_is_told_a_sentence(receiver: Receiver) -> None:
    hook = Delivery(receiver.url, None, print, discord=True)
    hook.put(replace(BEGUN, kind="game.move", seat="white"))
    task = asyncio.create_task(hook.run())
    told = await receiver.until(1)
    task.cancel()
    sentence = "It is your move, in the game of Ann and Boris. http://x/r/room"
    assert told == [{"content": sentence, "allowed_mentions": {"parse": []}}]


def test_urls() -> None:
    assert is_discord("https://discord.com/api/webhooks/1/x")
    assert not is_discord("https://example.org/api/webhooks/1/x")
    with pytest.raises(ValueError, match="is not a URL"):
        Delivery("ftp://example.org", None, print)
