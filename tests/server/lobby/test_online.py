"""Online players, on all servers: look-ups, lists and updates."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from fourfold.protocol.from_server import Online as Changes
from fourfold.server.lobby import online
from fourfold.server.replication.fanout import Encoded
from tests.server.conftest import Dial, Wire
from tests.virtual_time import in_virtual_time

Start = Callable[..., Awaitable[str]]
Host = Callable[[], Awaitable[Wire]]


async def people(wire: Wire, **page: Any) -> dict[str, Any]:
    return await wire.asks("people", **page)


async def seen(wire: Wire, wanted: Callable[[dict[str, dict[str, Any]]], bool]) -> dict[str, dict[str, Any]]:
    """The people by name, once they are as expected."""
    async with asyncio.timeout(240):
        while True:
            found = {person["name"]: person for person in (await people(wire))["people"]}
            if wanted(found):
                return found
            await asyncio.sleep(0.05)


async def test_people_are_seen_at_all_servers_until_they_go(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob", at=elsewhere)
    here = await seen(ann, lambda found: "Bob" in found)
    assert here["Bob"]["player"] == bob.player and not here["Bob"]["account"] and not here["Bob"]["bot"]
    await seen(bob, lambda found: "Ann" in found)
    second, third = await dial(at=elsewhere, token=bob.token), await dial(name="Rob", at=elsewhere, token=bob.token)
    await seen(ann, lambda found: "Rob" in found and "Bob" not in found)
    await third.end()
    await seen(ann, lambda found: "Bob" in found and "Rob" not in found)
    await bob.end()
    assert "Bob" in {person["name"] for person in (await people(ann))["people"]}, "there is another connection"
    await second.end()
    await seen(ann, lambda found: "Bob" not in found)


async def test_who_waits_comes_first_and_who_plays_last(dial: Dial, elsewhere: str) -> None:
    ann, bob, cy = await dial(name="Ann"), await dial(name="Bob", at=elsewhere), await dial(name="Cy")
    await bob.asks("seek")
    found = await seen(ann, lambda found: found.get("Bob", {}).get("status") == "open")
    room = found["Bob"]["room"]
    assert next(iter(found)) == "Bob"
    await cy.asks("join", room=room)
    found = await seen(ann, lambda found: {one["status"] for one in found.values()} == {None, "playing"})
    assert list(found) == ["Ann", "Bob", "Cy"] and found["Cy"]["room"] == room
    await bob.asks("resign", room=room, key="1")
    await seen(ann, lambda found: {one["room"] for one in found.values()} == {None})


async def test_private_rooms_are_not_told_of(dial: Dial) -> None:
    ann = await dial(name="Ann")
    room = (await ann.asks("create", visibility="private"))["room"]
    await ann.asks("join", room=room)
    assert [one["room"] for one in (await people(ann))["people"]] == [None]


@pytest.mark.slow
async def test_the_list_has_pages_and_its_changes_are_told(dial: Dial, elsewhere: str) -> None:
    wires = [await dial(name=name) for name in ("Ann", "Bob", "Cy")]
    first = await people(wires[0], limit=2)
    assert [one["name"] for one in first["people"]] == ["Ann", "Bob"] and first["count"] == 3
    rest = await people(wires[0], limit=2, after=first["next"])
    assert [one["name"] for one in rest["people"]] == ["Cy"] and rest["next"] is None
    await people(wires[0], follow=True)
    di = await dial(name="Di", at=elsewhere)
    told = await wires[0].seen(lambda frame: frame["type"] == "online")
    assert [one["name"] for one in told["changed"]] == ["Di"] and told["count"] == 4
    await di.end()
    gone = await wires[0].seen(lambda frame: frame["type"] == "online" and frame["removed"])
    assert gone["removed"] == [di.player]
    assert (await people(wires[0], follow=False))["count"] == 3


async def test_a_server_that_ends_takes_its_people_along(
    dial: Dial, brief: Callable[[], AbstractAsyncContextManager[str]]
) -> None:
    ann = await dial(name="Ann")
    async with brief() as other:
        await dial(name="Bob", at=other)
        await seen(ann, lambda found: "Bob" in found)
    await seen(ann, lambda found: "Bob" not in found)


class Loop:
    """A channel between servers that can lose messages."""

    def __init__(self, node: str, others: "list[Loop]") -> None:
        self.node = node
        self.deaf = False
        self.listener: Any = None
        self._others = others
        others.append(self)

    async def follow(self, room: str, listener: Any) -> None:
        self.listener = listener

    async def unfollow(self, room: str, listener: Any) -> None:
        self.listener = None

    def tell(self, room: str, message: bytes) -> "asyncio.Future[int]":
        for other in self._others:
            if not other.deaf and other.listener is not None:
                other.listener.told(message)
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        done.set_result(len(self._others))
        return done


async def test_what_was_missed_is_asked_for(monkeypatch: Any) -> None:
    monkeypatch.setattr(online, "TELL_EVERY", 0.01)
    loops: list[Loop] = []
    one, other = (online.Online(Loop(name, loops), lambda _: False) for name in ("a", "b"))
    await one.open()
    await other.open()
    session: Any = object()
    player = online.Player("x1", "Ann", "", "x1")
    loops[1].deaf = True
    one.come(session, player)
    await asyncio.sleep(0.1)
    loops[1].deaf = False
    assert other.get("x1") is None
    one.come(object(), online.Player("x2", "Bob", "", "x2"))  # type: ignore[arg-type]
    async with asyncio.timeout(240):
        while other.get("x1") is None or other.get("x2") is None:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
    assert [person.player for person in other.named("ANN")] == ["x1"]
    await one.close()
    await other.close()


class Reader:
    """A follower of the list."""

    player_id = "reader"

    def __init__(self) -> None:
        self.people: set[str] = set()

    def send(self, frame: Encoded) -> None:
        assert isinstance(frame.frame, Changes)
        self.people |= {person.player for person in frame.frame.changed}
        self.people -= set(frame.frame.removed)

    async def drained(self) -> None:
        await asyncio.sleep(0)


def test_one_who_follows_between_two_updates_has_the_same_list_as_the_others() -> None:
    async def run() -> None:
        one = online.Online(Loop("a", []), lambda _: False)
        readers: list[Any] = [Reader(), Reader()]
        session: Any = object()
        ann = online.Player("x1", "Ann", "", "x1")
        await one.open()
        one.follow(readers[0], ("", 10))
        one.come(session, ann)
        found, _, _ = one.follow(readers[1], ("", 10))
        readers[1].people = {person.player for person in found}
        one.go(session, ann)  # before Ann was in an update
        one.come(object(), online.Player("x2", "Bob", "", "x2"))  # type: ignore[arg-type]
        await asyncio.sleep(2 * online.SHOW_EVERY)
        assert [reader.people for reader in readers] == [{"x2"}, {"x2"}]
        await one.close()

    in_virtual_time(run())


async def test_a_bot_says_what_it_plays(dial: Dial, elsewhere: str) -> None:
    ann = await dial(name="Ann", plays={"games": 1})
    plays = {"variants": ["standard"], "speeds": ["blitz"], "games": 2}
    bot = await dial(name="Robot", bot=True, plays=plays, at=elsewhere)
    found = await seen(ann, lambda found: "Robot" in found)
    assert found["Robot"]["plays"] == {"variants": ["standard"], "speeds": ["blitz"], "rated": None, "games": 2}
    assert found["Ann"]["plays"] is None, "people have no list of games"
    await bot.end()


async def test_computer_players_are_listed_last_while_there_is_a_host(dial: Dial, host: Host, elsewhere: str) -> None:
    ann, bots = await dial(name="Ann", at=elsewhere), await host()
    found = await seen(ann, lambda found: "Level 5" in found)
    assert list(found) == ["Ann", *(f"Level {level}" for level in range(1, 6))]
    assert found["Level 3"]["player"] == "level3" and found["Level 3"]["bot"] and found["Level 3"]["plays"] is not None
    assert (await people(ann))["count"] == 1
    await bots.end()
    await seen(ann, lambda found: list(found) == ["Ann"])
