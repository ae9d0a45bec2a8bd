"""The gateway in front of a server, over real sockets: one address's floods don't keep others from their answers."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import ClientSession, web

from fourfold.clients import session, websocket
from fourfold.clients.gateway import accounts, requests
from fourfold.clients.gateway.accounts import MOST_TESTED
from fourfold.clients.gateway.service import application
from tests.conftest import HANG
from tests.server.conftest import Dial

Ask = Callable[..., Any]

ANN, EVE = "198.51.100.1", "203.0.113.9"


@pytest.fixture(autouse=True)
def _on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotas do not recover while a test uses them up, and a server that is silent for seconds is waited for."""
    for module, name in ((accounts, "TESTED"), (requests, "LOOKUPS"), (requests, "STRANGE")):
        monkeypatch.setattr(module, name, getattr(module, name)._replace(rate=0.01))
    patient = {"timeout": lambda seconds: asyncio.timeout(seconds and HANG)}  # for an answer of the server
    monkeypatch.setattr(requests, "asyncio", SimpleNamespace(**vars(asyncio) | patient))
    monkeypatch.setattr(accounts, "ANSWER", HANG)
    monkeypatch.setattr(session, "SILENCE", HANG)
    monkeypatch.setattr(websocket, "OPENING", HANG)


@pytest.fixture
async def ask(address: str) -> AsyncIterator[Ask]:
    """Sends a request to a gateway behind one proxy, from an address; returns the status, the answer, and the seconds
    until a retry."""
    runner = web.AppRunner(application(address, proxies=1), handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    async with ClientSession(url) as session:

        async def ask(address: str, method: str, path: str, token: str = "", **how: Any) -> tuple[int, Any, str]:
            headers = {"X-Forwarded-For": address} | ({"Authorization": f"Bearer {token}"} if token else {})
            async with session.request(method, path, headers=headers, **how) as response:
                return response.status, await response.json(), response.headers.get("Retry-After", "")

        yield ask
    await runner.cleanup()


async def test_lookups_of_one_address_fail_nobody_elses(dial: Dial, ask: Ask) -> None:
    await dial(name="Someone")
    statuses: Counter[int] = Counter()

    async def loop() -> None:
        for _ in range(5):
            status, answer, retry = await ask(EVE, "GET", "/api/user/someone")
            statuses[status] += 1
            if status == 429:
                assert int(retry) > 0 and f"try again in {retry} s" in answer["error"]

    loops = [asyncio.create_task(loop()) for _ in range(20)]
    answers = [await ask(ANN, "GET", "/api/users/status?ids=someone") for _ in range(5)]
    await asyncio.gather(*loops)
    assert [(status, answer[0]["online"]) for status, answer, _ in answers] == [(200, True)] * 5
    assert set(statuses) == {200, 429}
    assert statuses[200] <= 60  # at once


async def test_so_many_tokens_are_tested(dial: Dial, ask: Ask) -> None:
    token = (await dial(name="Bot", bot=True)).token
    status, answer, _ = await ask(EVE, "POST", "/api/token/test", data=",".join(["x"] * (MOST_TESTED + 1)))
    assert (status, answer) == (400, {"error": "At most 1000 tokens can be tested at once"})
    status, answer, _ = await ask(EVE, "POST", "/api/token/test", data=f"{token},x.y.z,")
    assert status == 200 and answer[token]["scopes"].startswith("bot:play") and answer["x.y.z"] is None
    status, _, _ = await ask(EVE, "POST", "/api/token/test", data=",".join(["x"] * (MOST_TESTED - 10)))
    assert status == 200
    status, answer, _ = await ask(EVE, "POST", "/api/token/test", data=",".join(["x"] * 100))
    assert status == 429 and "Too many tokens tested" in answer["error"]
    status, _, _ = await ask(ANN, "POST", "/api/token/test", data=token)
    assert status == 200
    status, _, _ = await ask(EVE, "POST", "/api/token/test", data="x" * 300_000)
    assert status == 413


async def test_tokens_that_are_not_good_are_refused_without_asking_the_server(dial: Dial, ask: Ask) -> None:
    token = (await dial(name="Bot", bot=True)).token
    for _ in range(2):
        assert (await ask(EVE, "GET", "/api/account/playing", token))[0] == 200
    answers = await asyncio.gather(*(ask(EVE, "GET", "/api/account", f"a.b.{n}") for n in range(70)))
    assert {status for status, _, _ in answers} == {401, 429}
    assert (await ask(EVE, "GET", "/api/account/playing", token))[0] == 200  # it has its connection
    assert (await ask(ANN, "GET", "/api/account", "a.b.c"))[0] == 401
