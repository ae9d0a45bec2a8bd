"""Quick pairing on two and three nodes: seekers of the same game meet, despite all races and failures."""

import asyncio
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from redis import Redis

from fourfold.engine.match.clock import Control
from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.lobby import listing_store, lobby
from fourfold.server.lobby import matchmaking as seeks
from fourfold.server.lobby.matchmaking import PROMISED
from fourfold.server.lobby.ranges import Range
from fourfold.server.players.identity import Player
from fourfold.server.ratings.standing import Standing
from fourfold.server.rooms import liveness, vacancy
from fourfold.server.rooms.liveness import LivenessCheck
from tests.conftest import some
from tests.server.transport.test_connection import ask, caller, raw, socket_url

__all__ = ["raw"]

Dial = Any  # see conftest
Wire = Any
BLITZ = {"base": 180_000, "increment": 2_000}


@pytest.fixture
def common_url(every_clean_url: str) -> str:
    """An empty store of each kind."""
    return every_clean_url


@pytest.fixture
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delays of seconds are shortened to tenths."""
    monkeypatch.setattr(seeks, "LOOK", 0.05)
    monkeypatch.setattr(vacancy, "SEEKER", 300)
    monkeypatch.setattr(lobby, "CHECK_EVERY", 0.1)
    monkeypatch.setattr(lobby, "CHECKED_AFTER", 200)


async def seek(wire: Wire, **fields: Any) -> dict[str, Any]:
    reply: dict[str, Any] = await wire.asks("seek", **fields)
    assert reply["type"] == "joined", reply
    return reply


async def listed(wire: Wire, **query: Any) -> str:
    """The only room that the lobby lists, as soon as it does."""
    async with asyncio.timeout(240):
        while not (rooms := (await wire.asks("rooms", **query))["rooms"]):
            pass
    [entry] = rooms
    room: str = entry["room"]
    return room


async def playing(wire: Wire, room: str) -> dict[str, Any]:
    """Wait until the game has begun and its first turn has been sent."""
    frame: dict[str, Any] = await wire.seen(
        lambda f: (
            (f["type"] == "room" and f["room"] == room and f["status"] == "playing")
            or (f["type"] == "update" and f["room"] == room and {"type": "started"} in f["events"])
        )
    )
    return frame


def players(snapshot: dict[str, Any]) -> list[str | None]:
    """The player of each seat."""
    return [seat["player"] for seat in snapshot["seats"]]


async def seated(wire: Wire, room: str) -> list[str | None]:
    """The player of each seat, as the connection's server knows."""
    return players(await wire.asks("watch", room=room))


async def until_seated(wire: Wire, room: str, count: int) -> None:
    """Wait until as many players have a seat, as the connection's server knows."""
    await wire.asks_until(lambda reply: len(players(reply)) - players(reply).count(None) == count, "watch", room=room)


class TestPairing:
    async def test_two_on_two_nodes(self, dial: Dial, elsewhere: str) -> None:
        ann, bob = await dial(name="Ann"), await dial(at=elsewhere, name="Bob")
        first = await seek(ann, clock=BLITZ)
        assert first.keys() == {"type", "id", "room", "seat", "seq"}
        snapshot = await ann.seen(lambda f: f["type"] == "room")
        assert (snapshot["room"], snapshot["status"], snapshot["visibility"]) == (first["room"], "open", "public")
        assert (snapshot["clocks"]["base"], snapshot["clocks"]["increment"]) == (180_000, 2_000)
        second = await seek(bob, clock=BLITZ)
        assert second["room"] == first["room"]
        assert {first["seat"], second["seat"]} == {"white", "black"}
        for wire in (ann, bob):
            await playing(wire, first["room"])

    async def test_four_on_three_nodes(self, dial: Dial, elsewhere: str, third: str) -> None:
        wires = [await dial(), await dial(at=elsewhere), await dial(at=third), await dial(at=elsewhere)]
        replies = [await seek(wire, variant="survivor") for wire in wires]
        assert len({reply["room"] for reply in replies}) == 1
        assert {reply["seat"] for reply in replies} == {"red", "blue", "yellow", "green"}
        for wire in wires:
            await playing(wire, replies[0]["room"])

    async def test_only_the_same_game(self, dial: Dial) -> None:
        games: list[dict[str, Any]] = [
            {},
            {"clock": BLITZ},
            {"clock": {"base": 180_000}},
            {"clock": {"base": 180_000, "delay": 2_000}},
            {"variant": "survivor", "clock": BLITZ},
        ]
        rooms = {(await seek(await dial(), **game))["room"] for game in games}
        assert len(rooms) == len(games)
        assert {(await seek(await dial(), **game))["room"] for game in games} == rooms

    @pytest.mark.parametrize(("variant", "count", "seats"), some(1, ("standard", 20, 2), ("survivor", 16, 4)))
    async def test_many_at_once_on_two_nodes(
        self, dial: Dial, elsewhere: str, variant: str, count: int, seats: int
    ) -> None:
        wires = [await dial(**({"at": elsewhere} if n % 2 else {})) for n in range(count)]
        replies = await asyncio.gather(*(seek(wire, variant=variant) for wire in wires))
        tables: dict[str, set[str]] = {}
        for reply in replies:
            tables.setdefault(reply["room"], set()).add(reply["seat"])
        assert len(tables) == count // seats
        assert all(len(table) == seats for table in tables.values())
        for wire, reply in zip(wires, replies, strict=True):
            await playing(wire, reply["room"])

    async def test_nobody_is_paired_with_himself(self, dial: Dial, elsewhere: str) -> None:
        ann = await dial()
        tabs = [ann, await dial(token=ann.token), await dial(at=elsewhere, token=ann.token)]
        replies = await asyncio.gather(*(seek(tab) for tab in tabs))
        assert len({(reply["room"], reply["seat"]) for reply in replies}) == 1
        room = replies[0]["room"]
        assert set(await seated(ann, room)) == {None, ann.player}
        bob = await dial()
        assert (await seek(bob))["room"] == room
        for tab in tabs:
            await playing(tab, room)

    @pytest.mark.slow
    async def test_colours_are_chance(self, dial: Dial) -> None:
        wires = [await dial() for _ in range(2)]
        seats = []
        for _ in range(20):  # the same result 20 times: once in half a million runs
            reply = await seek(wires[0])
            seats.append(reply["seat"])
            await seek(wires[1])
            await playing(wires[0], reply["room"])
        assert set(seats) == {"white", "black"}

    async def test_an_archive_that_is_away_keeps_nobody_waiting(self, dial: Dial, start: Any) -> None:
        url = await start(database_url="postgresql://nobody@127.0.0.1:9/nothing")
        one, other = [await dial(at=url) for _ in range(2)]
        room = (await seek(one))["room"]
        assert (await seek(other))["room"] == room
        await playing(one, room)

    async def test_a_game_that_cannot_be(self, dial: Dial) -> None:
        wire = await dial()
        reply = await wire.asks("seek", variant="checkers")
        assert (reply["kind"], reply["code"]) == ("unreadable", "unknown_variant")
        assert (await wire.asks("seek", clock={"base": 0}))["code"] == "bad_field"
        await seek(wire)


class TestRepetition:
    """A client that has missed the answer repeats the seek with its key, on any node."""

    async def test_a_seek_is_answered_with_the_game_that_has_begun(self, dial: Dial, elsewhere: str) -> None:
        ann, bob = await dial(), await dial(at=elsewhere)
        first = await seek(ann, key="one")
        assert (await seek(bob, key="one"))["room"] == first["room"]
        await playing(bob, first["room"])
        await ann.end()  # as if it had not seen the answer
        again = await dial(at=elsewhere, token=ann.token)
        repeated = await seek(again, key="one")
        assert (repeated["room"], repeated["seat"]) == (first["room"], first["seat"])
        await again.seen(lambda f: f["type"] == "room" and f["room"] == first["room"])
        assert [one["room"] for one in (await again.asks("rooms"))["rooms"]] == [first["room"]], "no second room"
        assert (await seek(again, key="two"))["room"] != first["room"], "another key is another game"
        assert (await seek(bob))["room"] != first["room"], "and so is no key"

    async def test_a_seeker_who_waits_keeps_the_seat(self, dial: Dial, elsewhere: str) -> None:
        ann = await dial()
        first = await seek(ann, key="one", clock=BLITZ)
        again = await dial(at=elsewhere, token=ann.token)
        assert (await seek(again, key="one", clock=BLITZ))["room"] == first["room"]
        assert set(await seated(again, first["room"])) == {None, ann.player}

    async def test_a_seat_that_was_given_up_is_no_answer(self, dial: Dial) -> None:
        ann, bob, cid = [await dial() for _ in range(3)]
        first = await seek(ann, key="one")
        await ann.asks("unseek")
        for wire in (bob, cid):  # they take the room, and play there
            await seek(wire)
        again = await seek(ann, key="one")
        assert again["room"] != first["room"]
        assert (await seek(ann, key="one"))["room"] == again["room"]

    async def test_attempts_on_three_nodes_at_once_are_one(self, dial: Dial, elsewhere: str, third: str) -> None:
        ann = await dial()
        tabs = [ann, await dial(token=ann.token, at=elsewhere), await dial(token=ann.token, at=third)]
        others = [await dial(at=at) for at in (elsewhere, third, elsewhere)]
        replies, *_ = await asyncio.gather(
            asyncio.gather(*(seek(tab, key="one") for tab in tabs)), *(seek(other) for other in others)
        )
        assert len({(reply["room"], reply["seat"]) for reply in replies}) == 1
        for tab in tabs:
            await playing(tab, replies[0]["room"])

    async def test_computers_fill_the_table_once(self, dial: Dial, elsewhere: str) -> None:
        ann = await dial()
        first = await seek(ann, variant="survivor", fill=3, key="one")
        again = await dial(at=elsewhere, token=ann.token)
        repeated = await seek(again, variant="survivor", fill=3, key="one")
        assert (repeated["room"], repeated["seat"]) == (first["room"], first["seat"])

    @pytest.mark.interpreted
    async def test_claims_expire_and_few_are_kept(self, dial: Dial, store: Redis, monkeypatch: Any) -> None:
        monkeypatch.setattr(listing_store, "_MOST_SOUGHT", 3)
        ann = await dial()
        for number in range(5):
            await seek(ann, key=f"{number}")
            await ann.asks("unseek")
        held = await asyncio.to_thread(store.hgetall, f"fourfold:{{{ann.player}}}:seeks")
        assert held.keys() == {b"3", b"4"}
        left = await asyncio.to_thread(store.pttl, f"fourfold:{{{ann.player}}}:seeks")
        assert 0 < left <= listing_store.SOUGHT


class TestTheRoom:
    async def test_it_is_listed_and_anybody_may_join(self, dial: Dial) -> None:
        ann, bob = await dial(name="Ann"), await dial()
        room = (await seek(ann))["room"]
        (entry,) = (await bob.asks("rooms"))["rooms"]
        assert (entry["room"], entry["seek"], entry["status"]) == (room, True, "open")
        assert (await bob.asks("join", room=room))["type"] == "joined"
        await playing(ann, room)
        assert (await seek(await dial()))["room"] != room

    async def test_rooms_that_were_opened_for_friends_are_left_alone(self, dial: Dial) -> None:
        ann = await dial()
        opened = (await ann.asks("create"))["room"]
        await ann.asks("join", room=opened)
        assert (await seek(await dial()))["room"] != opened

    async def test_who_plays_one_game_may_seek_the_next(self, dial: Dial) -> None:
        ann, bob = await dial(), await dial()
        room = (await seek(ann))["room"]
        await seek(bob)
        await playing(ann, room)
        again = await seek(ann)
        assert again["room"] != room
        assert (await ann.asks("legal", room=room))["type"] == "legal"  # they have not left the first one


class TestGivingUp:
    async def test_unseek(self, dial: Dial, elsewhere: str) -> None:
        ann, bob = await dial(), await dial(at=elsewhere)
        room = (await seek(ann))["room"]
        assert (await ann.asks("unseek"))["type"] == "ok"
        assert (await ann.asks("rooms"))["rooms"] == []
        assert await seated(bob, room) == [None, None]
        assert (await ann.asks("unseek"))["type"] == "ok"
        await seek(bob)
        assert not [f for f in bob.frames if f["type"] == "update" and {"type": "started"} in f["events"]]

    async def test_leave(self, dial: Dial) -> None:
        ann, bob = await dial(), await dial()
        room = (await seek(ann))["room"]
        assert (await ann.asks("leave", room=room))["type"] == "ok"
        assert await seated(bob, room) == [None, None]
        assert (await ann.asks("unseek"))["type"] == "ok"

    async def test_to_seek_another_game(self, dial: Dial) -> None:
        ann, bob = await dial(), await dial()
        first = (await seek(ann))["room"]
        second = (await seek(ann, variant="survivor"))["room"]
        assert await seated(bob, first) == [None, None]
        assert ann.player in await seated(bob, second)

    async def test_too_late(self, dial: Dial) -> None:
        ann, bob = await dial(), await dial()
        room = (await seek(ann))["room"]
        await seek(bob)
        await playing(ann, room)
        reply = await ann.asks("unseek")
        assert (reply["kind"], reply["code"]) == ("refused", "already_started")
        assert (await ann.asks("legal", room=room))["type"] == "legal"


@pytest.mark.usefixtures("_soon")
class TestAbsence:
    @staticmethod
    def are_here(wire: Wire, room: str, count: int) -> bool:
        """Whether the frames of a connection say that `count` players have a seat and are online."""
        here = set[str]()
        for frame in wire.frames:
            if frame["type"] == "room" and frame["room"] == room:
                here = {seat["seat"] for seat in frame["seats"] if seat["online"]}
            elif frame["type"] == "presence" and frame["room"] == room:
                here = here | {frame["seat"]} if frame["online"] else here - {frame["seat"]}
        return len(here) == count

    async def test_a_seeker_who_went_away_loses_his_seat(self, dial: Dial, elsewhere: str) -> None:
        ann, bob, eve = await dial(), await dial(at=elsewhere), await dial()
        room = (await seek(ann))["room"]
        await ann.end()
        await until_seated(eve, room, 0)
        await seek(bob)
        assert not [f for f in bob.frames if f["type"] == "update" and {"type": "started"} in f["events"]]

    async def test_one_who_is_back_in_time_keeps_it(
        self, dial: Dial, elsewhere: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vacancy, "SEEKER", 60_000)
        ann = await dial()
        room = (await seek(ann))["room"]
        await ann.end()
        back = await dial(at=elsewhere, token=ann.token)
        snapshot = await back.asks("watch", room=room)
        assert back.player in [seat["player"] for seat in snapshot["seats"]]
        assert (await seek(await dial()))["room"] == room
        await playing(back, room)

    async def test_of_four_only_the_absent_one_goes(
        self, dial: Dial, elsewhere: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        wires = [await dial(), await dial(at=elsewhere), await dial()]
        with monkeypatch.context() as patch:
            patch.setattr(vacancy, "SEEKER", 60_000)  # a server may not have heard yet who is at the other
            (room,) = {(await seek(wire, variant="survivor"))["room"] for wire in wires}
            for wire in wires[:2]:
                await wire.seen(lambda _, wire=wire: self.are_here(wire, room, 3))
        await wires[1].end()
        await until_seated(wires[0], room, 2)
        last = [await dial(), await dial(at=elsewhere)]
        assert {(await seek(wire, variant="survivor"))["room"] for wire in last} == {room}
        for wire in (wires[0], wires[2], *last):
            await playing(wire, room)

    async def test_whose_node_goes_and_who_stays_away_loses_his_seat(self, dial: Dial, brief: Any) -> None:
        async with brief() as going:
            ann, bob = await dial(at=going), await dial()
            room = (await seek(ann))["room"]
        await until_seated(bob, room, 0)

    async def test_while_somebody_waits_the_place_is_kept(self, dial: Dial, store: Redis) -> None:
        ann = await dial()
        room = (await seek(ann))["room"]
        store.delete("fourfold:seekers:standard")
        async with asyncio.timeout(240):
            while not await asyncio.to_thread(store.exists, "fourfold:seekers:standard"):
                pass
        assert (await seek(await dial()))["room"] == room

    async def test_where_nobody_waits_it_is_not(self, dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(seeks, "HELD", 200)
        ann, bob = await dial(), await dial()
        room = (await seek(ann))["room"]
        await ann.asks("unseek")
        async with asyncio.timeout(240):
            while (await seek(bob))["room"] == room:
                await bob.asks("unseek")


class TestGhosts:
    """A seeker is paired only with people who answer a ping at that moment."""

    @staticmethod
    def alone(wire: Wire) -> bool:
        return not [f for f in wire.frames if f["type"] == "update" and {"type": "started"} in f["events"]]

    @pytest.mark.slow
    async def test_one_whose_connection_has_ended(
        self, dial: Dial, elsewhere: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ann, bob = await dial(), await dial(at=elsewhere)
        room = (await seek(ann))["room"]
        await ann.end()
        with monkeypatch.context() as patch:
            patch.setattr(liveness, "WITHIN", 1.0)
            assert (await seek(bob))["room"] == room
        assert await seated(bob, room) in ([None, bob.player], [bob.player, None])
        assert self.alone(bob)
        carl = await dial()
        await carl.asks_until(lambda reply: bob.player in players(reply), "watch", room=room)
        assert (await seek(carl))["room"] == room
        await playing(bob, room)

    @pytest.mark.parametrize("request_", some(1, "seek", "join"))
    async def test_one_whose_network_is_gone(
        self, dial: Dial, raw: Any, address: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch, request_: str
    ) -> None:
        """The connection looks open to the server, but answers no ping."""
        ghost = await raw(f"{address.replace('http', 'ws')}/ws")
        ghost.say("hello")
        ghost.say("seek", variant="survivor")
        there = await dial()
        room = await listed(there, variant="survivor")
        asked = {"variant": "survivor"} if request_ == "seek" else {"room": room}
        with monkeypatch.context() as patch:
            patch.setattr(liveness, "WITHIN", 1.0)
            reply = await there.asks(request_, **asked)
        again = await (await dial(at=elsewhere)).asks(request_, **asked)
        assert [(one["type"], one["room"]) for one in (reply, again)] == [("joined", room)] * 2
        await until_seated(there, room, 2)

    async def test_one_who_comes_back_at_another_server_while_it_is_asked(
        self, dial: Dial, raw: Any, address: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """That server did not follow the room yet when the question came."""
        asked = asyncio.Event()
        check = LivenessCheck.check

        async def begin(self: LivenessCheck, players: set[str]) -> Any:
            asked.set()
            return await check(self, players)

        monkeypatch.setattr(liveness, "WITHIN", 600.0)
        monkeypatch.setattr(LivenessCheck, "check", begin)
        first, there = await dial(), await dial()
        await first.end()
        ghost = await raw(f"{address.replace('http', 'ws')}/ws")
        ghost.say("hello", token=first.token)
        ghost.say("seek")
        room = await listed(there)
        other = asyncio.create_task(seek(there))
        await asyncio.wait_for(asked.wait(), 240)
        back = await dial(at=elsewhere, token=first.token)
        await back.asks("watch", room=room)
        assert (await asyncio.wait_for(other, 240))["room"] == room
        await playing(back, room)
        assert set(await seated(back, room)) == {first.player, there.player}

    @pytest.mark.interpreted
    async def test_one_who_has_hung_up_before_it_was_their_turn(
        self, dial: Dial, raw: Any, address: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A seeker waits while the player before is pinged. Without a connection by then, the seeker gets no seat."""
        asked, goes_on = asyncio.Event(), asyncio.Event()

        async def nobody(self: object, players: set[str]) -> dict[str, str]:
            asked.set()
            await goes_on.wait()
            return {}

        ghost = await raw(f"{address.replace('http', 'ws')}/ws")
        ghost.say("hello")
        ghost.say("seek")
        there, left, last = await dial(), await dial(), await dial()
        await listed(there)
        with monkeypatch.context() as patch:
            patch.setattr(LivenessCheck, "check", nobody)
            first = asyncio.create_task(seek(there))
            await asyncio.wait_for(asked.wait(), 240)
            await left.say("seek")
            await left.end()
            goes_on.set()
            room = (await first)["room"]
        assert (await seek(last))["room"] == room
        await playing(last, room)
        assert set(await seated(last, room)) == {there.player, last.player}


class TestAddresses:
    """At a table of four, players of one address never sit together."""

    async def test_one_person_with_three_names_meets_no_stranger_thrice(self, start: Any) -> None:
        urls = [await socket_url(start, trust_proxy=1) for _ in range(2)]
        async with AsyncExitStack() as stack:

            async def seeker(number: int, address: str) -> tuple[Any, str]:
                wire = await stack.enter_async_context(caller(urls[number % 2], address))
                reply = await ask(wire, "seek", variant="survivor")
                assert reply["type"] == "joined"
                return wire, reply["room"]

            same = [await seeker(number, "192.0.2.1") for number in range(3)]
            rooms = [room for _, room in same]
            assert len(set(rooms)) == 3
            assert (await ask(same[0][0], "join", room=rooms[1]))["code"] == "same_address"
            others = [await seeker(number, f"192.0.2.{number}") for number in range(2, 5)]
            assert [room for _, room in others] == [rooms[0]] * 3  # the room where seekers have waited longest
            assert (await ask(same[0][0], "legal", room=rooms[0]))["moves"]

    async def test_two_of_one_address_play_each_other(self, start: Any) -> None:
        url = await socket_url(start, trust_proxy=1)
        async with caller(url, "192.0.2.1") as one, caller(url, "192.0.2.1") as other:
            assert (await ask(one, "seek"))["room"] == (await ask(other, "seek"))["room"]


class TestPools:
    """Seekers with a code are paired only with others who have it."""

    async def test_only_who_has_the_code_is_paired(self, dial: Dial, elsewhere: str) -> None:
        ann, bob, cy, di = await dial(), await dial(at=elsewhere), await dial(), await dial(at=elsewhere)
        mine = (await seek(ann, pool="Class-7b"))["room"]
        other = (await seek(bob))["room"]
        assert other != mine and len(mine) == 16
        assert (await seek(cy, pool="class7B"))["room"] == mine, "in any spelling"
        await playing(ann, mine)
        assert (await seek(di, pool="another-code"))["room"] not in (mine, other)
        assert not any(listing["room"] == mine for listing in (await bob.asks("rooms"))["rooms"])
        assert (await ann.asks("seek", pool="no!"))["code"] == "bad_field"

    @pytest.mark.slow
    async def test_while_somebody_waits_in_a_pool_its_place_is_kept(self, dial: Dial, store: Redis) -> None:
        ann = await dial()
        room = (await seek(ann, pool="kept-pool"))["room"]
        key = f"fourfold:seekers:standard:pool:{seeks.pool_of('kept-pool')}"
        assert store.delete(key) == 1
        async with asyncio.timeout(240):
            while not await asyncio.to_thread(store.exists, key):
                pass
        assert not store.exists("fourfold:seekers:standard")
        assert (await seek(await dial(), pool="kept-pool"))["room"] == room


class Ranges:
    """The part of the store for ranges in a room; and ratings, some of which it may not know."""

    def __init__(self, **noted: Range) -> None:
        self.noted = noted
        self.known = True

    async def note_range(self, room: str, player: str, wanted: Range) -> None:
        self.noted[player] = wanted

    async def drop_range(self, room: str, player: str) -> None:
        del self.noted[player]

    async def ranges(self, room: str) -> dict[str, Range]:
        return dict(self.noted)

    async def of(self, players: Any, kind: Any) -> dict[str, Standing]:
        if not self.known:
            raise ArchiveUnavailable("away")
        ratings = {"ann": 1_500, "bob": 1_600, "cid": 1_900}
        return {player: Standing(ratings[player] * 1_000) for player in players if player in ratings}


NOW = 100_000


async def _may_open(_: str) -> None:
    """Anyone may."""


@pytest.mark.parametrize(
    ("player", "points", "seated", "noted", "known", "fits"),
    [
        ("ann", None, "cid", {}, True, True),
        ("ann", 100, "bob", {}, True, True),
        ("ann", 99, "bob", {}, True, False),
        ("ann", 100, "bob", {}, False, False),
        ("ann", None, "bob", {"bob": Range(100, NOW, 0)}, True, True),
        ("ann", None, "bob", {"bob": Range(99, NOW, 0)}, True, False),
        ("ann", None, "bob", {"bob": Range(99, NOW - 1_000, 0)}, True, True),
        ("guest", None, "bob", {"bob": Range(900, NOW, 0)}, True, False),
        # The range of a player without a seat counts for some seconds.
        ("ann", None, "", {"cid": Range(9, NOW, NOW - PROMISED + 1)}, True, False),
        ("ann", None, "", {"cid": Range(9, NOW, NOW - PROMISED)}, True, True),
        ("ann", None, "", {"ann": Range(9, NOW, 0)}, True, True),
    ],
)
async def test_who_may_sit_down_where_others_have_ranges(
    player: str, points: int | None, seated: str, noted: dict[str, Range], known: bool, fits: bool
) -> None:
    store: Any = Ranges(**noted)
    store.known = known
    seat = SimpleNamespace(player=seated or None)
    room: Any = SimpleNamespace(id="room", state=SimpleNamespace(seats=[seat, SimpleNamespace(player=None)]))
    who = Player(player, player, "", player)
    seeker = seeks.Seek(who, "", "standard", None, _may_open, bool, range=points, since=NOW)
    matchmaking = seeks.Matchmaking(store, store, store, lambda: NOW)
    assert await matchmaking._fits(seeker, room) is fits
    assert (player in store.noted) is (points is not None and fits), "only where they sit down"


def test_only_those_are_paired_who_seek_the_same() -> None:
    games = [
        seeks.game_of(variant, control, rated=rated, pool=pool)
        for variant in ("standard", "ffa")
        for control in (None, Control(1, 2), Control(1, 0, 2), Control(12))
        for rated in (True, False)
        for pool in ("", "club")
    ]
    assert len(set(games)) == len(games)
    assert seeks.pool_of("AB-cd") == seeks.pool_of("abCD") != seeks.pool_of("abce")
