"""The gateway's limits by address, and the addresses it counts."""

import asyncio
from collections.abc import Sequence

import pytest

from fourfold.clients.gateway.limits import OPEN, OWN, WAITING, Limits, Quota, TooMany, address
from fourfold.clients.gateway.recent import Recent

THREE = Quota("things", 0.1, 3)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, [], "192.0.2.9"),
        (0, ["198.51.100.1"], "192.0.2.9"),  # anybody can write this header
        (1, ["10.0.0.1, 198.51.100.1"], "198.51.100.1"),
        (2, ["10.0.0.1, 198.51.100.1", "203.0.113.5"], "198.51.100.1"),
        (2, ["198.51.100.1"], "198.51.100.1"),
        (1, [], "192.0.2.9"),
        (1, ["2001:db8:1:2::77"], "2001:db8:1:2::/64"),
        (1, ["::ffff:198.51.100.1"], "198.51.100.1"),
        (1, ["127.0.0.1"], "told 127.0.0.1"),  # only this machine itself has no limits
        (1, [""], "told "),
    ],
)
def test_where_a_request_comes_from(proxies: int, forwarded: Sequence[str], expected: str) -> None:
    assert address("192.0.2.9", forwarded, proxies) == expected
    assert address("::1", [], proxies) == OWN


async def test_each_address_has_a_burst_of_its_own() -> None:
    limits = Limits()
    for _ in range(3):
        limits.spend(THREE, "a")
    with pytest.raises(TooMany, match="Too many things from your address; try again in 10 s") as refusal:
        limits.spend(THREE, "a")
    assert refusal.value.retry == 10
    limits.spend(THREE, "b", 3)
    limits.spend(THREE, OWN, 1000)
    limits.restore(THREE, "a")
    limits.spend(THREE, "a")
    with pytest.raises(TooMany):
        limits.spend(THREE, "b")


async def test_addresses_that_have_rested_are_forgotten() -> None:
    limits, quick = Limits(), Quota("things", 1e9, 1)
    for number in range(1000):
        limits.spend(quick, str(number))
    assert len(limits._full) < 10


async def test_an_address_has_one_turn_and_others_have_theirs() -> None:
    limits, held, go = Limits(), list[str](), asyncio.Event()

    async def work(address: str) -> None:
        async with limits.turn(address):
            held.append(address)
            await go.wait()

    tasks = [asyncio.create_task(work(one)) for one in ["a"] * (WAITING + 1) + ["b"]]
    await asyncio.sleep(0)
    assert held == ["a", "b"]
    with pytest.raises(TooMany):
        await work("a")
    go.set()
    await asyncio.gather(*tasks)
    assert held.count("a") == WAITING + 1


async def test_so_many_requests_are_open() -> None:
    limits = Limits()
    stack = [limits.opened("a") for _ in range(OPEN)]
    for one in stack:
        await one.__aenter__()
    with pytest.raises(TooMany):
        await limits.opened("a").__aenter__()
    async with limits.opened("b"):
        await stack[0].__aexit__(None, None, None)
    async with limits.opened("a"):
        pass


async def test_who_asks_at_once_is_answered_by_one_request() -> None:
    asked = 0
    recent: Recent[int] = Recent(60.0)

    async def ask() -> int:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        if asked == 1:
            raise ValueError
        return asked

    answers = await asyncio.gather(*(recent.get("x", ask) for _ in range(3)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [ValueError] * 3
    assert await asyncio.gather(*(recent.get("x", ask) for _ in range(3))) == [2, 2, 2]
    assert await recent.get("y", ask) == 3
