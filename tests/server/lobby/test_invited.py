"""Challenges to a seat of an open table: of bots and of people, by its host, on any server."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.server.lobby import challenges
from tests.conftest import some
from tests.server.conftest import Dial, Wire
from tests.server.lobby.test_challenges import accepts, challenged, knows, told

Start = Callable[..., Awaitable[str]]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenges, "LOOK", 0.05)


async def opened(host: Wire, variant: str = "ffa", **fields: Any) -> str:
    """An open table."""
    created = await host.asks("create", variant=variant, **fields)
    assert created["type"] == "created", created
    room: str = created["room"]
    return room


async def seats(wire: Wire, room: str) -> list[str | None]:
    """The player of each seat."""
    return [seat["name"] for seat in (await wire.asks("watch", room=room))["seats"]]


async def test_a_bot_says_yes_and_sits_there(dial: Dial, elsewhere: str) -> None:
    ann, bot = await dial(name="Ann"), await dial(name="Deep", bot=True, at=elsewhere)
    room = await opened(ann, clock={"base": 300_000, "increment": 2000}, rated=False)
    await ann.asks("join", room=room, seat="red")
    made = await challenged(ann, room=room, seats={"yellow": bot.player})
    assert (made["status"], made["room"], made["variant"], made["rated"]) == ("open", room, "ffa", False)
    got = await told(bot, made["challenge"], "open")
    assert [(one["seat"], one["name"], one["answer"]) for one in got["seats"]] == [
        ("red", "Ann", True),
        ("yellow", "Deep", None),
    ]
    assert (got["room"], got["clock"]["base"], got["by"]) == (room, 300_000, ann.player)
    answer = await accepts(bot, made)
    assert (answer["status"], answer["room"]) == ("accepted", room)
    assert (await accepts(bot, made))["status"] == "accepted", "said again"
    assert (await told(ann, made["challenge"], "accepted"))["room"] == room
    assert (await bot.asks("join", room=room))["seat"] == "yellow"
    assert await seats(ann, room) == ["Ann", None, "Deep", None]


async def test_bots_in_several_seats_and_the_game_begins(dial: Dial, elsewhere: str) -> None:
    ann = await dial(name="Ann")
    bots = {seat: await dial(name=f"Deep {seat}", bot=True, at=elsewhere) for seat in ("red", "green", "blue")}
    room = await opened(ann, "survivor", visibility="private")
    await ann.asks("join", room=room, seat="yellow")
    for seat, bot in bots.items():
        made = await challenged(ann, room=room, seats={seat: bot.player}, key=seat)
        await told(bot, made["challenge"], "open")
    made = {frame["challenge"]: frame for bot in bots.values() for frame in bot.frames if frame["type"] == "challenge"}
    answers = await asyncio.gather(
        *(accepts(bot, frame) for frame in made.values() for bot in bots.values() if _asks(frame, bot))
    )
    assert [answer["status"] for answer in answers] == ["accepted"] * 3
    snapshot = await ann.asks_until(lambda reply: reply["status"] == "playing", "watch", room=room)
    assert [seat["name"] for seat in snapshot["seats"]] == ["Deep red", "Deep blue", "Ann", "Deep green"]


def _asks(frame: dict[str, Any], bot: Wire) -> bool:
    return any(one["player"] == bot.player for one in frame["seats"])


async def test_a_person_at_a_table_of_two_by_who_only_watches(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(name=f"Bob {secrets.randbelow(10**6)}", at=elsewhere)
    room = await opened(ann, "standard", password="secret")
    made = await challenged(ann, room=room, seats={"black": bob.player})
    assert [(one["seat"], one["player"]) for one in made["seats"]] == [("black", bob.player)]
    await told(bob, made["challenge"], "open")
    assert (await accepts(bob, made))["status"] == "accepted"
    assert (await bob.asks("join", room=room))["seat"] == "black", "a seated player needs no password"


async def test_a_level_comes_as_it_does_to_any_seat(dial: Dial) -> None:
    ann = await dial(name="Ann")
    room = await opened(ann)
    made = await ann.asks("challenge", room=room, seats={"blue": 4})
    assert (made["status"], made["room"]) == ("accepted", room)
    assert [seat["invited"] for seat in (await ann.asks("watch", room=room))["seats"]] == [None, 4, None, None]


async def test_a_no_is_told_with_its_reason(dial: Dial, elsewhere: str) -> None:
    ann = await dial(name="Ann")
    bot = await dial(name="Deep", bot=True, at=elsewhere)
    narrow = await dial(name="Narrow", bot=True, at=elsewhere, plays={"variants": ["teams"]})
    room = await opened(ann)
    declined = await challenged(ann, room=room, seats={"red": narrow.player})
    assert (declined["status"], declined["reason"]) == ("declined", "variant")
    made = await challenged(ann, room=room, seats={"red": bot.player})
    await told(bot, made["challenge"], "open")
    await bot.asks("answer", challenge=made["challenge"], accept=False, reason="later")
    assert (await told(ann, made["challenge"], "declined"))["reason"] == "later"
    assert await seats(ann, room) == [None] * 4


async def test_the_bots_that_a_table_may_want(dial: Dial, elsewhere: str) -> None:
    mine = secrets.token_urlsafe(6)
    plays: dict[str, dict[str, Any]] = {
        "any": {}, "ffa": {"variants": ["ffa"]}, "teams": {"variants": ["teams"]}, "slow": {"speeds": ["classical"]},
        "casual": {"rated": False}, "rated": {"rated": True, "variants": ["ffa", "standard"]},
    }  # fmt: skip
    bots = {what: await dial(name=f"{mine}{what}", bot=True, at=elsewhere, plays=one) for what, one in plays.items()}
    bots["silent"] = await dial(name=f"{mine}silent", bot=True)
    ann = await dial(name=f"{mine}Ann")
    await knows(ann, {bot.player for bot in bots.values()})

    async def wanted(room: str) -> set[str]:
        told = await ann.asks("people", room=room)
        assert all(one["bot"] for one in told["people"]) and told["next"] is None
        return {one["name"].removeprefix(mine) for one in told["people"] if one["name"].startswith(mine)}

    four = await opened(ann, clock={"base": 600_000})
    assert await wanted(four) == {"any", "ffa", "rated", "silent"}
    assert await wanted(await opened(ann, "teams", clock={"base": 3_600_000}, rated=False)) == {
        "any", "teams", "slow", "casual", "silent",
    }  # fmt: skip
    await bots["any"].asks("join", room=four)
    await bots["ffa"].asks("join", room=await opened(ann, "standard"))
    assert (await ann.asks("people", room="22222222"))["code"] == "no_such_room"


async def test_what_the_host_may_not(dial: Dial) -> None:
    ann, bot = await dial(name="Ann"), await dial(name="Deep", bot=True)
    room = await opened(ann)
    await knows(ann, {bot.player})

    async def refusal(wire: Wire, **fields: Any) -> str:
        answer = await wire.asks("challenge", **({"room": room, "seats": {"red": bot.player}} | fields))
        code: str = answer.get("code", answer["type"])
        return code

    assert await refusal(await dial(name="Bob")) == "not_host"
    assert await refusal(ann, seats={"white": bot.player}) == "no_such_seat"
    assert await refusal(ann, seats={"red": ann.player}) == "bad_challenge"
    assert await refusal(ann, seats={"red": bot.player, "blue": 2}) == "bad_challenge"
    assert await refusal(ann, seat="red") == "bad_challenge"
    assert await refusal(ann, seats={"red": f"Nobody {room}"}) == "no_such_player"
    assert await refusal(ann, room="22222222") == "no_such_room"
    await bot.asks("join", room=room, seat="green")
    assert await refusal(ann) == "already_seated"
    assert await refusal(ann, seats={"green": bot.player}) == "seat_taken"
    await ann.asks("kick", room=room, seat="green", key="k")
    assert await refusal(ann) == "kicked"
    await ann.asks("close", room=room, key="c")
    assert await refusal(ann) == "game_over"


async def test_somebody_else_sits_down_first(dial: Dial, elsewhere: str, third: str) -> None:
    """The challenge ends at once, and the acceptance that was on its way is refused."""
    ann, bob = await dial(name="Ann"), await dial(name="Bob", at=third)
    bot = await dial(name="Deep", bot=True, at=elsewhere)
    room = await opened(ann, "standard")
    made = await challenged(ann, room=room, seats={"white": bot.player})
    await told(bot, made["challenge"], "open")
    await bob.asks("join", room=room, seat="white")
    assert (await told(bot, made["challenge"], "cancelled"))["reason"] == "seat_taken"
    assert (await told(ann, made["challenge"], "cancelled"))["room"] == room
    assert (await accepts(bot, made))["code"] == "challenge_over"
    assert await seats(ann, room) == ["Bob", None]


async def test_a_yes_comes_just_too_late(dial: Dial, elsewhere: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenges, "LOOK", 60.0)
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    bot = await dial(name="Deep", bot=True, at=elsewhere)
    room = await opened(ann, "standard")
    made = await challenged(ann, room=room, seats={"white": bot.player})
    await told(bot, made["challenge"], "open")
    await asyncio.sleep(0.2)  # the checks that were due before
    await bob.asks("join", room=room, seat="white")
    answer = await accepts(bot, made)
    assert answer["code"] in ("seat_taken", "challenge_over")
    assert (await told(ann, made["challenge"], "cancelled"))["reason"] == "seat_taken"
    assert await seats(bot, room) == ["Bob", None]


@pytest.mark.parametrize("end", some(1, "closed", "begun", "taken back"))
async def test_the_table_ends_meanwhile(dial: Dial, elsewhere: str, end: str) -> None:
    ann, bot = await dial(name="Ann"), await dial(name="Deep", bot=True, at=elsewhere)
    room = await opened(ann, "standard")
    await ann.asks("join", room=room, seat="black")
    made = await challenged(ann, room=room, seats={"white": bot.player})
    await told(bot, made["challenge"], "open")
    if end == "closed":
        await ann.asks("close", room=room, key="c")
    elif end == "begun":
        await (await dial()).asks("join", room=room)
    else:
        await ann.asks("cancel", challenge=made["challenge"])
    over = await told(ann, made["challenge"], "cancelled")
    assert over["reason"] == {"closed": "game_over", "begun": "already_started", "taken back": None}[end]
    assert (await accepts(bot, made))["code"] == "challenge_over"


async def test_the_store_has_the_table_no_more(dial: Dial, elsewhere: str, store: Any) -> None:
    ann, bot = await dial(name="Ann"), await dial(name="Deep", bot=True, at=elsewhere)
    room = await opened(ann)
    made = await challenged(ann, room=room, seats={"red": bot.player})
    await told(bot, made["challenge"], "open")
    assert store.delete(f"fourfold:{{{room}}}:log") == 1
    assert (await accepts(bot, made))["code"] == "no_such_room"
    assert (await told(ann, made["challenge"], "cancelled"))["reason"] == "no_such_room"


async def test_it_survives_the_server_of_each(dial: Dial, start: Start, brief: Any) -> None:
    ann = await dial(name="Ann")
    room = await opened(ann)
    async with brief() as other:
        bot = await dial(name="Deep", bot=True, at=other)
        made = await challenged(ann, room=room, seats={"green": bot.player}, key="once")
        await told(bot, made["challenge"], "open")
    later = await start()
    again = await dial(at=later, token=bot.token)
    await told(again, made["challenge"], "open")
    assert (await accepts(again, made))["status"] == "accepted"
    assert (await dial(at=later, token=ann.token)).player == ann.player
    await ann.asks_until(lambda reply: reply["seats"][3]["name"] == "Deep", "watch", room=room)
    resent = await ann.asks("challenge", room=room, seats={"green": bot.player}, key="once")
    assert (resent["challenge"], resent["status"]) == (made["challenge"], "accepted")


async def test_two_are_asked_to_one_seat_and_one_sits(dial: Dial, elsewhere: str) -> None:
    ann = await dial(name="Ann")
    bots = [await dial(name=f"Deep {number}", bot=True, at=elsewhere) for number in range(2)]
    room = await opened(ann)
    made = [await challenged(ann, room=room, seats={"red": bot.player}) for bot in bots]
    for bot, one in zip(bots, made, strict=True):
        await told(bot, one["challenge"], "open")
    answers = await asyncio.gather(*(accepts(bot, one) for bot, one in zip(bots, made, strict=True)))
    codes = sorted(answer.get("code", answer.get("status")) for answer in answers)
    assert codes[0] == "accepted" and codes[1] in ("seat_taken", "challenge_over")


@pytest.mark.slow
async def test_of_two_bots_of_one_address_one_sits(start: Start, dial: Dial) -> None:
    servers = [await start(trust_proxy=1) for _ in range(2)]
    ann = await dial(at=servers[0], name="Ann")
    bots = []
    for at in servers:
        owner = await dial(at=at)
        await owner.asks("register", name=f"Owner {secrets.randbelow(10**9)}")
        token = (await owner.asks("grant", scope="bot", name=f"Deep {secrets.randbelow(10**9)}"))["token"]
        bots.append(await dial(at=at, token=token, headers={"X-Forwarded-For": "192.0.2.7"}))
    room = await opened(ann)
    answers = []
    for bot, seat in zip(bots, ("red", "blue"), strict=True):
        made = await challenged(ann, room=room, seats={seat: bot.player})
        await told(bot, made["challenge"], "open")
        answers.append(await accepts(bot, made))
    assert answers[0]["status"] == "accepted" and answers[1]["code"] == "same_address"
    assert (await told(ann, made["challenge"], "cancelled"))["reason"] == "same_address"
