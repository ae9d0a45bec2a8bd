"""A game of computers for the first page: played while somebody looks, and only then."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.server.lobby import exhibition
from tests.conftest import HANG

Dial = Any  # see conftest
Wire = Any


@pytest.fixture
def common_url(every_clean_url: str) -> str:
    return every_clean_url


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"exhibition": True}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds become tenths. But who looks counts for long: else a short silence of the store ends the game."""
    monkeypatch.setattr(exhibition, "LOOK", 0.05)
    monkeypatch.setattr(exhibition, "TELL_EVERY", 0.1)
    monkeypatch.setattr(exhibition, "LOOKED", HANG)
    monkeypatch.setattr(exhibition, "APART", 100)


async def counted_briefly(servers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on somebody counts as looking for half a second. Returns when each server has heard so."""
    told, heard, all_heard = exhibition.Exhibition.told, set[int](), asyncio.Event()

    def hears(one: exhibition.Exhibition, message: bytes) -> None:
        told(one, message)
        heard.add(id(one))
        if len(heard) == servers:
            all_heard.set()

    monkeypatch.setattr(exhibition, "LOOKED", 0.5)
    monkeypatch.setattr(exhibition.Exhibition, "told", hears)
    await asyncio.wait_for(all_heard.wait(), HANG)


async def calls(host: Wire, dial: Dial, most: int = 4) -> tuple[str, list[Wire]]:
    """Answer the first calls: the room, and who sits there."""
    taken: list[dict[str, Any]] = []
    bots = []
    while len(bots) < most:
        call = await host.seen(lambda frame: frame["type"] == "summon" and frame not in taken)
        taken.append(call)
        bot = await dial(token=call["token"], bot=True)
        if (await bot.asks("join", room=call["room"], seat=call["seat"]))["type"] == "joined":
            bots.append(bot)
    return taken[0]["room"], bots


async def test_a_game_begins_when_somebody_looks_and_ends_when_nobody_does(
    host: Callable[[], Awaitable[Wire]], dial: Dial, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots, ann = await host(), await dial(name="Ann", at=elsewhere)
    await ann.asks("rooms", follow=True)
    room, seated = await calls(bots, dial)
    listed = await ann.seen(
        lambda f: f["type"] == "lobby" and any(r["room"] == room and r["status"] == "playing" for r in f["changed"])
    )
    shown = next(one for one in listed["changed"] if one["room"] == room)
    assert all(seat["bot"] for seat in shown["seats"])
    snapshot = await ann.asks("watch", room=room, preview=True)
    assert (snapshot["host"], snapshot["rated"], snapshot["clocks"]) == ("", False, None)
    await counted_briefly(2, monkeypatch)
    await ann.asks("rooms", follow=False)
    over = await seated[0].seen(
        lambda f: f["type"] == "update" and any(event["type"] == "finished" for event in f["events"])
    )
    assert over["events"][-1]["result"]["reason"] == "aborted"


async def test_none_is_played_without_a_visitor_or_beside_a_game_of_four(
    host: Callable[[], Awaitable[Wire]], dial: Dial
) -> None:
    bots = await host()
    watching = await dial(bot=True)
    await watching.asks("rooms", follow=True)  # a program does not look
    people = [await dial(name=name) for name in ("Ann", "Bo", "Cy", "Di")]
    room = (await people[0].asks("create", variant="ffa"))["room"]
    for person in people:
        await person.asks("join", room=room)
    await people[0].asks("rooms", follow=True)
    for _ in range(20):
        await people[0].asks("ping")
        await asyncio.sleep(exhibition.LOOK)
    assert [frame for frame in bots.frames if frame["type"] == "summon"] == []


async def test_the_first_of_two_servers_opens_it_for_both(
    host: Callable[[], Awaitable[Wire]], dial: Dial, elsewhere: str
) -> None:
    bots, ann, bo = await host(), await dial(name="Ann"), await dial(name="Bo", at=elsewhere)
    for one in (ann, bo):
        await one.asks("rooms", follow=True)
    room, _ = await calls(bots, dial)
    await ann.seen(lambda f: f["type"] == "lobby" and any(r["room"] == room for r in f["changed"]))
    rooms = {frame["room"] for frame in bots.frames if frame["type"] == "summon"}
    assert rooms == {room}
