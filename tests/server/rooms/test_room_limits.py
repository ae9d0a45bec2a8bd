"""Limits on open rooms, per address and in all; over real sockets."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from tests.server.test_abuse import ONE, TWO
from tests.server.transport.test_connection import ask, caller, socket_url

Start = Callable[..., Any]


async def test_so_many_that_have_not_begun_from_one_address(start: Start) -> None:
    url = await socket_url(start, trust_proxy=1, max_open=3)
    async with AsyncExitStack() as stack:
        one, again, other = [await stack.enter_async_context(caller(url, address)) for address in (ONE, ONE, TWO)]
        rooms = [(await ask(wire, "create"))["room"] for wire in (one, again)]
        assert (await ask(one, "create", key="k"))["type"] == "created"
        for wire in (one, again):
            refusal = await ask(wire, "create")
            assert (refusal["kind"], refusal["code"], "retry" in refusal) == ("refused", "too_many_rooms", False)
            assert (await ask(wire, "seek"))["code"] == "too_many_rooms"
        assert (await ask(one, "create", key="k"))["type"] == "created"  # the existing one: its answer was lost
        assert (await ask(other, "create"))["type"] == "created"
        assert (await ask(one, "close", room=rooms[0]))["type"] == "ok"
        assert (await ask(one, "create"))["type"] == "created"
        assert (await ask(one, "create"))["code"] == "too_many_rooms"
        for wire in (one, other):
            await ask(wire, "join", room=rooms[1])  # it begins
        assert (await ask(again, "create"))["type"] == "created"
        assert (await ask(again, "create"))["code"] == "too_many_rooms"


async def test_what_has_begun_elsewhere_is_known(start: Start) -> None:
    url, elsewhere = [await socket_url(start, trust_proxy=1, max_open=1) for _ in range(2)]
    async with caller(url, ONE) as one, caller(elsewhere, ONE) as two, caller(elsewhere, TWO) as three:
        room = (await ask(one, "create"))["room"]
        assert (await ask(one, "create"))["code"] == "too_many_rooms"
        for wire in (two, three):
            assert (await ask(wire, "join", room=room))["type"] == "joined"
        while (reply := await ask(one, "create"))["type"] != "created":  # as soon as this server is notified
            assert reply["code"] == "too_many_rooms"


async def test_so_many_in_all(start: Start) -> None:
    url = await socket_url(start, trust_proxy=1, max_rooms_total=2)
    async with caller(url, ONE) as one, caller(url) as own:
        rooms = [(await ask(wire, "create"))["room"] for wire in (one, own)]
        for wire in (one, own):
            refusal = await ask(wire, "create")
            assert (refusal["code"], 0 < refusal["retry"] <= 60_000) == ("too_many_rooms", True)
        await ask(own, "close", room=rooms[1])
        assert (await ask(one, "create"))["type"] == "created"


async def test_this_machine_has_no_limit_of_its_own(start: Start) -> None:
    url = await socket_url(start, trust_proxy=1, max_open=1)
    async with caller(url) as own:
        for _ in range(3):
            assert (await ask(own, "create"))["type"] == "created"
