"""Attacks on the server through a gateway, which stands behind one proxy."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from aiohttp import ClientError, ClientSession, web

from fourfold.clients.gateway.service import application
from tests.abuse.connections import ADDRESS, Got, dialled, every
from tests.abuse.connections import ask as asked

LOOPS = 20

ROUND_TRIP = 0.01
"""Seconds for a round trip between the attacker and the gateway. Without them, refusals come so fast that the test
measures only the attacker's own work on the same machine."""


@asynccontextmanager
async def _gateway(url: str) -> AsyncIterator[ClientSession]:
    """A client of a gateway to a server."""
    runner = web.AppRunner(application(url, proxies=1), handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        async with ClientSession(f"http://127.0.0.1:{runner.addresses[0][1]}", headers=ADDRESS) as session:
            yield session
    finally:
        await runner.cleanup()


async def _count(session: ClientSession, got: Got, method: str, path: str, body: str | None = None) -> None:
    await asyncio.sleep(ROUND_TRIP)
    try:
        async with session.request(method, path, data=body) as response:
            await response.read()
            got[str(response.status)] += 1
    except ClientError as error:
        got[type(error).__name__] += 1


async def look_up(url: str, got: Got) -> None:
    """Loops without a token that look up players and online bots."""
    async with dialled(url) as somebody, _gateway(url) as session:
        await asked(somebody, "hello", name="Somebody")

        async def loop() -> None:
            while True:
                for path in ("/api/user/somebody", "/api/users/status?ids=somebody,else", "/api/bot/online"):
                    await _count(session, got, "GET", path)

        await every(*(loop() for _ in range(LOOPS)))


async def try_tokens(url: str, got: Got) -> None:
    """Loops that test as many forged tokens as they may, and more."""
    async with _gateway(url) as session:

        async def loop(most: int) -> None:
            for number in count():
                tokens = ",".join(f"a.{secrets.token_hex(8)}.{number}" for _ in range(most))
                await _count(session, got, "POST", "/api/token/test", tokens)

        await every(*(loop(most) for most in (1, 1, 10, 100, 1000, 20_000)))
