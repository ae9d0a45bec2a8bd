"""The next request is that of the connection that has used least, and each turn of the event loop serves one."""

import asyncio
from functools import partial
from typing import Any

import pytest

from fourfold.server.limits.turns import DEBT, REST, AddressBudget, Flow, TokenBucket

RICH = 1e9


def connected(share: AddressBudget) -> Flow:
    return share.connect(TokenBucket(RICH, RICH))


async def until(done: list[str], number: int) -> None:
    async with asyncio.timeout(240):
        while len(done) < number:  # noqa: ASYNC110 - each turn of the event loop counts
            await asyncio.sleep(0)


async def test_a_cheap_request_comes_before_costly_ones_of_others() -> None:
    share, done = AddressBudget(RICH, RICH), list[str]()
    assert connected(share).ask(29, lambda: None)
    for _ in range(3):
        assert not connected(share).ask(29, partial(done.append, "costly"))
    assert not connected(share).ask(0.2, partial(done.append, "cheap"))
    await until(done, 4)
    assert done == ["cheap", "costly", "costly", "costly"]


async def test_who_has_taken_more_waits_longer() -> None:
    share, done = AddressBudget(RICH, RICH), list[str]()
    greedy, modest = connected(share), connected(share)

    def again(name: str, flow: Flow, price: float, left: int) -> None:
        """Asks until it has been served, and then `left` more times, each time as soon as it may."""
        done.append(name)
        if left and flow.ask(price, partial(again, name, flow, price, left - 1)):
            raise AssertionError("one request per turn")

    assert connected(share).ask(1, lambda: None)
    assert not greedy.ask(4, partial(again, "greedy", greedy, 4, 9))
    assert not modest.ask(1, partial(again, "modest", modest, 1, 9))
    await until(done, 20)
    assert 2 <= done[:10].count("greedy") <= 3
    assert len(share) == 0


async def test_one_request_in_a_turn_of_the_event_loop() -> None:
    share, done, turn = AddressBudget(RICH, RICH), list[str](), 0
    seen: list[int] = []
    for _ in range(10):
        connected(share).ask(1, lambda: (seen.append(turn), done.append(""))[1])
    while len(done) < 9:
        await asyncio.sleep(0)
        turn += 1
    assert len(set(seen)) == 9


async def test_a_spent_budget_sets_no_timer_that_fires_before_there_is_anything_to_spend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, done, delays = asyncio.get_running_loop(), list[str](), list[float]()
    call_later = loop.call_later

    def noted(delay: float, *call: Any) -> asyncio.TimerHandle:
        delays.append(delay)
        return call_later(delay, *call)

    monkeypatch.setattr(loop, "call_later", noted)
    share = AddressBudget(100_000, 0.001)
    for _ in range(20):
        connected(share).ask(10, partial(done.append, ""))
    async with asyncio.timeout(240):
        while len(done) < 19:  # noqa: ASYNC110 - each turn of the event loop counts
            await asyncio.sleep(0)
    assert delays and min(delays) >= REST and len(delays) <= 20


async def test_a_request_that_nobody_wants_any_more_is_not_paid() -> None:
    share, done = AddressBudget(RICH, RICH), list[str]()
    flow, other = connected(share), connected(share)
    assert not (connected(share).ask(1, lambda: None) and flow.ask(1, partial(done.append, "gone")))
    assert not other.ask(1, partial(done.append, "here"))
    flow.end()
    await until(done, 1)
    assert done == ["here"]


async def test_a_share_is_forgotten_when_it_makes_no_difference() -> None:
    share = AddressBudget(0.001, 1)  # what is spent stays spent for minutes
    assert share.idle()
    flow = connected(share)
    assert not share.idle()
    flow.end()
    assert share.idle()
    assert await share.http_turn(0.5)
    assert not share.idle(), "a new one would have a larger budget"


def test_a_debt_holds_back_what_comes_next_but_not_for_long() -> None:
    bucket = TokenBucket(10, 20)
    assert (bucket.wait(0.0), bucket.full(0.0)) == (0, True)
    bucket.spend(0.0, 25)
    assert (bucket.wait(0.0), bucket.full(0.0)) == (0.5, False)
    bucket.spend(0.0, 1_000)
    assert (bucket.wait(0.0), bucket.wait(DEBT), bucket.full(2 + DEBT)) == (DEBT, 0, True)
