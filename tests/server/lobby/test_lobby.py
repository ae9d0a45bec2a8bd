"""The lobby over real sockets, on two nodes that share one store: the same list for everyone, soon and permanently."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from redis import Redis, RedisCluster

from fourfold.engine.decisions import Decision
from fourfold.engine.match import decide, replay
from fourfold.engine.match.commands import Resign
from fourfold.engine.match.events import Closed, Closure, Finished, Moved, Resigned, Seated, Started, StoodIn
from fourfold.engine.outcome import Outcome, Termination
from fourfold.protocol.from_server import ListedSeat, Listing
from fourfold.server.lobby import listing_store as board
from fourfold.server.lobby import lobby
from fourfold.server.rooms.registry import new_id
from fourfold.server.storage.event_log import AppendRequest
from fourfold.server.storage.redis_log import RedisLog
from tests.each import each
from tests.server.test_metrics import scrape

Dial = Any  # see conftest
Wire = Any
LISTINGS = "fourfold:{lobby}:listings"


@pytest.fixture
def common_url(every_clean_url: str) -> str:
    """An empty store of each kind."""
    return every_clean_url


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delays of seconds are shortened to tenths."""
    monkeypatch.setattr(lobby, "TELL_EVERY", 0.1)
    monkeypatch.setattr(lobby, "POST_EVERY", 0.1)
    monkeypatch.setattr(lobby, "CHECK_EVERY", 0.1)
    monkeypatch.setattr(lobby, "CHECKED_AFTER", 200)


class Viewer:
    """A follower of the lobby, with the list it has from the frames it got."""

    def __init__(self, wire: Wire, reply: dict[str, Any]) -> None:
        self.wire = wire
        self.more = reply["more"]
        self._rooms = {entry["room"]: entry for entry in reply["rooms"]}
        self._start = len(wire.frames)

    @property
    def told(self) -> list[dict[str, Any]]:
        """The frames with changes."""
        return [frame for frame in self.wire.frames[self._start :] if frame["type"] == "lobby"]

    @property
    def rooms(self) -> dict[str, dict[str, Any]]:
        """The current list."""
        rooms = dict(self._rooms)
        for frame in self.told:
            for room in frame["removed"]:
                del rooms[room]  # KeyError if something is removed twice
            rooms |= {entry["room"]: entry for entry in frame["changed"]}
        return rooms

    async def sees(self, wanted: Callable[[dict[str, dict[str, Any]]], bool]) -> dict[str, dict[str, Any]]:
        """The list, once it is as expected."""
        await self.wire.seen(lambda _: wanted(self.rooms))
        return self.rooms


async def follow(wire: Wire, **fields: Any) -> Viewer:
    return Viewer(wire, await wire.asks("rooms", follow=True, **fields))


async def listed(wire: Wire, **fields: Any) -> list[str]:
    reply = await wire.asks("rooms", **fields)
    assert reply["type"] == "rooms", reply
    return [entry["room"] for entry in reply["rooms"]]


async def until(ask: Callable[[], Awaitable[Any]], wanted: Any) -> None:
    """Ask until the answer is as expected."""
    async with asyncio.timeout(240):
        while await ask() != wanted:
            pass


async def opened(wire: Wire, **fields: Any) -> str:
    room: str = (await wire.asks("create", **fields))["room"]
    return room


async def game(white: Wire, black: Wire, **fields: Any) -> str:
    room = await opened(white, **fields)
    await white.asks("join", room=room)
    await black.asks("join", room=room)
    return room


class TestList:
    async def test_what_an_entry_says(self, dial: Dial, elsewhere: str) -> None:
        ann, bob = await dial(name="Ann"), await dial(at=elsewhere, name="Bob")
        clock = {"base": 300_000, "increment": 2_000}
        room = await opened(ann, clock=clock)
        await ann.asks("join", room=room)
        (entry,) = (await ann.asks("rooms"))["rooms"]
        created = entry.pop("created")
        assert created > 1_600_000_000_000
        assert entry == {
            "room": room,
            "variant": "standard",
            "clock": {**clock, "delay": 0},
            "status": "open",
            "seats": [
                {"seat": "white", "name": "Ann", "bot": False, "player": ann.player},
                {"seat": "black", "name": None, "bot": False, "player": None},
            ],
            "ply": 0,
            "watchers": 0,
            "locked": False,
            "seek": False,
            "rated": True,
            "empty": False,
        }
        await bob.asks("join", room=room)
        await ann.asks("move", room=room, move="e2e4", seq=3, key="k")
        viewer = await follow(await dial(at=elsewhere))
        rooms = await viewer.sees(lambda rooms: rooms.get(room, {}).get("ply") == 1)
        assert rooms[room]["status"] == "playing"
        assert rooms[room]["created"] == created
        assert [seat["name"] for seat in rooms[room]["seats"]] == ["Ann", "Bob"]

    async def test_newest_first_and_filtered(self, dial: Dial, elsewhere: str) -> None:
        ann, bob = await dial(), await dial()
        first = await opened(ann)
        second = await opened(ann, variant="survivor")
        third = await game(ann, bob)
        for wire in (ann, await dial(at=elsewhere)):
            await until(lambda wire=wire: listed(wire), [third, second, first])
            await until(lambda wire=wire: listed(wire, status="playing"), [third])
            assert await listed(wire, status="open") == [second, first]
            assert await listed(wire, variant="standard") == [third, first]
            assert await listed(wire, variant="survivor", status="playing") == []
            assert await listed(wire, variant="unheard-of") == []
            short = await wire.asks("rooms", limit=2)
            assert ([entry["room"] for entry in short["rooms"]], short["more"]) == ([third, second], True)
            assert (await wire.asks("rooms", limit=3))["more"] is False

    async def test_what_is_not_listed(self, dial: Dial) -> None:
        ann, bob = await dial(), await dial()
        await opened(ann, visibility="private")
        over = await game(ann, bob)
        assert await listed(ann) == [over]
        await ann.asks("resign", room=over, key="k")
        assert await listed(ann) == []
        locked = await opened(ann, password="sesame")
        assert [(e["room"], e["locked"]) for e in (await bob.asks("rooms"))["rooms"]] == [(locked, True)]

    async def test_bots_are_told_from_people(self, dial: Dial) -> None:
        ann, bot = await dial(name="Ann"), await dial(name="Deep", bot=True)
        room = await opened(ann)
        await ann.asks("join", room=room, seat="white")
        await ann.asks("bot", room=room, level=2)
        (entry,) = (await ann.asks("rooms"))["rooms"]
        assert [(seat["name"], seat["bot"]) for seat in entry["seats"]] == [("Ann", False), (None, True)]
        await bot.asks("join", room=room)
        (entry,) = (await ann.asks("rooms"))["rooms"]
        assert [(seat["name"], seat["bot"]) for seat in entry["seats"]] == [("Ann", False), ("Deep", True)]

    @each("fields", [{"status": "finished"}, {"limit": 0}, {"limit": 101}, {"variant": ""}])
    async def test_what_cannot_be_asked(self, dial: Dial, fields: dict[str, Any]) -> None:
        reply = await (await dial()).asks("rooms", **fields)
        assert (reply["kind"], reply["code"]) == ("unreadable", "bad_field")

    async def test_a_node_that_starts_knows_it_all(self, dial: Dial, brief: Any, store: Redis) -> None:
        ann = await dial()
        rooms = [await opened(ann) for _ in range(5)]
        for room in rooms:
            await until(lambda room=room: _stored(store, room), True)
        async with brief() as late:
            # in any order: rooms of the same millisecond are as new as each other
            assert sorted(await listed(await dial(at=late))) == sorted(rooms)


class TestFollow:
    async def test_every_change_is_told_on_every_node(self, dial: Dial, elsewhere: str) -> None:
        ann, bob = await dial(name="Ann"), await dial(name="Bob")
        viewers = [await follow(await dial()), await follow(await dial(at=elsewhere, text=False))]
        room = await opened(ann)
        for viewer in viewers:
            await viewer.sees(lambda rooms: room in rooms)
        await ann.asks("join", room=room)
        for viewer in viewers:
            await viewer.sees(lambda rooms: rooms[room]["seats"][0]["name"] == "Ann")
        await ann.asks("leave", room=room)
        for viewer in viewers:
            await viewer.sees(lambda rooms: rooms[room]["seats"][0]["name"] is None)
        await ann.asks("join", room=room)
        await bob.asks("join", room=room)
        for viewer in viewers:
            await viewer.sees(lambda rooms: rooms[room]["status"] == "playing")
        watcher = await dial()
        await watcher.asks("watch", room=room)
        for viewer in viewers:
            await viewer.sees(lambda rooms: rooms[room]["watchers"] == 1)
        await bob.asks("resign", room=room, key="k")
        for viewer in viewers:
            await viewer.sees(lambda rooms: room not in rooms)

    async def test_what_is_told_adds_up_to_the_list(self, dial: Dial, elsewhere: str) -> None:
        """Many rooms at once, on both nodes: however the changes are combined, they lead to the same list."""
        people = [await dial(at=at, name=f"P{n}") for n, at in enumerate([elsewhere, None] * 4) if at] + [
            await dial(name=f"Q{n}") for n in range(4)
        ]
        viewers = [await follow(await dial()), await follow(await dial(at=elsewhere), status="open", limit=5)]

        async def live(n: int) -> None:
            one, other = people[n], people[-1 - n]
            for turn in range(6):
                room = await game(one, other) if turn % 2 else await opened(one, variant="survivor")
                if turn == 3:
                    await other.asks("resign", room=room, key="k")
                elif turn == 4:
                    await one.asks("join", room=room)

        await asyncio.gather(*(live(n) for n in range(4)))
        # the other node has posted the last rooms, and this one may not have heard of them yet
        await viewers[0].sees(lambda rooms: len(rooms) == 4 * (3 + 2))
        for viewer, fields in zip(viewers, ({}, {"status": "open", "limit": 5}), strict=True):

            async def agrees(viewer: Viewer = viewer, fields: dict[str, Any] = fields) -> bool:
                now = (await viewer.wire.asks("rooms", **fields))["rooms"]
                return viewer.rooms == {entry["room"]: entry for entry in now}

            await until(agrees, True)
        assert len(viewers[0].rooms) == 4 * (3 + 2)
        assert len(viewers[1].rooms) == 5

    async def test_only_the_part_that_is_followed(self, dial: Dial) -> None:
        ann = await dial()
        everything = await follow(await dial())
        four = await follow(await dial(), variant="survivor")
        for variant in ("standard", "survivor", "standard"):
            room = await opened(ann, variant=variant)
            await everything.sees(lambda rooms, room=room: room in rooms)
        assert [entry["variant"] for entry in four.rooms.values()] == ["survivor"]

    async def test_the_newest_push_the_oldest_out_and_let_them_back_in(self, dial: Dial) -> None:
        ann, bob = await dial(), await dial()
        viewer = await follow(await dial(), limit=2)
        first, second = await opened(ann), await opened(ann)
        await viewer.sees(lambda rooms: rooms.keys() == {first, second})
        third = await game(ann, bob)
        await viewer.sees(lambda rooms: rooms.keys() == {second, third})
        await ann.asks("resign", room=third, key="k")
        await viewer.sees(lambda rooms: rooms.keys() == {first, second})

    async def test_many_changes_make_few_frames(self, dial: Dial) -> None:
        viewer = await follow(await dial())
        people = [await dial() for _ in range(10)]
        loop = asyncio.get_running_loop()
        start = loop.time()
        rooms = await asyncio.gather(*(opened(wire) for wire in people * 3))
        await viewer.sees(lambda known: known.keys() == set(rooms))
        assert len(viewer.told) <= (loop.time() - start) / lobby.TELL_EVERY + 1

    async def test_until_told_to_stop(self, dial: Dial) -> None:
        ann = await dial()
        witness, viewer = await follow(await dial()), await follow(await dial())
        assert await listed(viewer.wire, status="open") == []  # a request changes nothing
        first = await opened(ann)
        await viewer.sees(lambda rooms: first in rooms)
        assert await listed(viewer.wire, follow=False) == [first]
        heard = len(viewer.told)
        second = await opened(ann)
        await witness.sees(lambda rooms: second in rooms)
        assert len(viewer.told) == heard

    async def test_another_part_instead(self, dial: Dial) -> None:
        ann, wire = await dial(), await dial()
        await follow(wire, variant="standard")
        viewer = await follow(wire, variant="survivor")
        await opened(ann)
        room = await opened(ann, variant="survivor")
        assert (await viewer.sees(lambda rooms: room in rooms)).keys() == {room}


class TestWhatNobodyLooksAt:
    """Changes of only the moves or the watchers are not sent, and cost other nodes nothing."""

    async def test_moves_are_posted_only_while_somebody_looks(
        self, dial: Dial, elsewhere: str, store: Redis, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            # a node that has not heard of the game's start yet, and compares its listing, posts it again
            patch.setattr(lobby, "CHECKED_AFTER", 60_000)
            ann, bob = await dial(), await dial()
            room = await game(ann, bob)
            await until(lambda: _stored(store, room, b"playing"), True)
            later = await opened(ann, variant="survivor")
            await (await follow(await dial(at=elsewhere), variant="survivor")).sees(lambda rooms: later in rooms)
        posted = store.hget(LISTINGS, room)
        seq = 3
        for white, black in (("g1f3", "g8f6"), ("f3g1", "f6g8")):
            for wire, move in ((ann, white), (bob, black)):
                seq = (await wire.asks("move", room=room, move=move, seq=seq, key=move))["seq"]
        # Meanwhile the other node has compared its listing with the log.
        checks = lobby.CHECKED_AFTER / 1000 + 5 * max(lobby.POST_EVERY, lobby.CHECK_EVERY)
        await asyncio.sleep(checks)
        assert store.hget(LISTINGS, room) == posted
        assert not await _holds(elsewhere)
        viewer = await follow(await dial(at=elsewhere))
        await viewer.sees(lambda rooms: rooms[room]["ply"] == 4)
        await ann.asks("move", room=room, move="e2e4", seq=seq, key="e2e4")
        await viewer.sees(lambda rooms: rooms[room]["ply"] == 5)
        assert not await _holds(elsewhere)

    async def test_who_asks_again_is_told_what_has_become_of_it(self, dial: Dial, elsewhere: str) -> None:
        ann, bob = await dial(), await dial()
        room = await game(ann, bob)
        await ann.asks("move", room=room, move="e2e4", seq=3, key="k")
        asking = await dial(at=elsewhere)

        async def ply() -> int | None:
            found = {entry["room"]: entry["ply"] for entry in (await asking.asks("rooms"))["rooms"]}
            return found.get(room)

        await until(ply, 1)


class TestHealing:
    """The log corrects all messages that the lobby has lost."""

    async def test_a_node_that_died_before_it_could_post(self, dial: Dial, elsewhere: str, log: RedisLog) -> None:
        ann, bob = await dial(), await dial()
        room = await game(ann, bob)
        viewer = await follow(await dial(at=elsewhere))
        await viewer.sees(lambda rooms: rooms.get(room, {}).get("status") == "playing")
        state = replay(await log.read(room))
        events = decide(state, Resign(), ann.player, state.at)
        assert isinstance(events, tuple)
        await log.append(AppendRequest(room, state.seq, ann.player, "k", events))
        await viewer.sees(lambda rooms: room not in rooms)

    async def test_a_log_whose_time_was_over(self, dial: Dial, elsewhere: str, store: Redis) -> None:
        ann = await dial()
        room = await opened(ann)
        viewers = [await follow(await dial()), await follow(await dial(at=elsewhere))]
        await viewers[1].sees(lambda rooms: room in rooms)
        store.delete(f"fourfold:{{{room}}}:log")
        for viewer in viewers:
            await viewer.sees(lambda rooms: room not in rooms)

    async def test_a_log_that_went_back(self, dial: Dial, elsewhere: str, log: RedisLog) -> None:
        ann, bob = await dial(), await dial()
        room = await game(ann, bob)
        viewer = await follow(await dial(at=elsewhere))
        await viewer.sees(lambda rooms: rooms.get(room, {}).get("status") == "playing")
        before = Listing(room, "standard", None, "open", [ListedSeat("white", "Ann")], 0, 0, 0)
        await board.ListingStore(log).post([board.Posting(room, 99, before)])
        await viewer.sees(lambda rooms: rooms[room]["status"] == "open")
        await viewer.sees(lambda rooms: rooms[room]["status"] == "playing")

    async def test_what_was_not_heard(
        self, dial: Dial, elsewhere: str, store: Redis, log: RedisLog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Notifications are lost. Meanwhile one room's listing is removed and another's added."""
        # otherwise the log confirms the removed one: its room is left
        monkeypatch.setattr(lobby, "CHECKED_AFTER", 60_000)
        ann = await dial()
        gone = await opened(ann)
        viewers = [await follow(await dial()), await follow(await dial(at=elsewhere))]
        for viewer in viewers:
            await viewer.sees(lambda rooms: gone in rooms)
        await until(lambda: _stored(store, gone), True)
        kept: bytes = store.hget(LISTINGS, gone)  # type: ignore[assignment]
        new = new_id()
        first, *_ = await log.read(gone)
        await log.append(AppendRequest(new, 0, first.by, first.key, first.events))
        store.hset(LISTINGS, new, kept.replace(gone.encode(), new.encode()))  # type: ignore[arg-type]
        store.hdel(LISTINGS, gone)
        everywhere = {"target_nodes": RedisCluster.ALL_NODES} if isinstance(store, RedisCluster) else {}
        store.client_kill_filter(_type="pubsub", **everywhere)
        for viewer in viewers:
            await viewer.sees(lambda rooms: new in rooms and gone not in rooms)

    async def test_whoever_comes_to_an_unlisted_room_makes_it_listed(
        self, dial: Dial, elsewhere: str, store: Redis, log: RedisLog
    ) -> None:
        ann = await dial()
        listed_room = await opened(ann)
        first, *_ = await log.read(listed_room)
        unlisted = new_id()
        await log.append(AppendRequest(unlisted, 0, first.by, first.key, first.events))
        viewer = await follow(await dial())
        await (await dial(at=elsewhere)).asks("watch", room=unlisted)
        await viewer.sees(lambda rooms: rooms.keys() == {listed_room, unlisted})

    async def test_an_older_word_never_replaces_a_newer(self, dial: Dial, store: Redis, log: RedisLog) -> None:
        ann, bob = await dial(name="Ann"), await dial()
        room = await game(ann, bob)
        await until(lambda: _stored(store, room, b"playing"), True)
        (entry,) = (await ann.asks("rooms"))["rooms"]

        old = Listing(room, "standard", None, "open", [ListedSeat("white", "Old")], 0, 0, entry["created"])
        await board.ListingStore(log).post([board.Posting(room, 2, old)])
        assert (await ann.asks("rooms"))["rooms"] == [entry]
        assert await _stored(store, room, b"playing")


async def _holds(address: str) -> bool:
    """Whether a node holds any room."""
    return any(name == "fourfold_rooms" and count for (name, *_), count in (await scrape(address)).items())


async def _stored(store: Redis, room: str, what: bytes = b"") -> bool:
    kept: bytes | None = await asyncio.to_thread(store.hget, LISTINGS, room)  # type: ignore[arg-type]
    return kept is not None and what in kept


@pytest.mark.parametrize(
    ("status", "seek", "ago", "events", "agrees"),
    [
        ("open", False, 0, (Seated(0, "a", "A"),), True),
        ("open", False, 1, (Seated(0, "a", "A"),), False),
        ("open", True, 0, (Seated(0, "a", "A"),), False),
        ("playing", True, 0, (Started(),), True),
        ("playing", False, 1, (Moved(0, "e2e4", 1),), True),
        ("playing", False, -1, (Moved(0, "e2e4", 1),), False),
        ("playing", False, 9, (Moved(0, "e2e4", 1), Closed(1, Closure.SUPERSEDED)), True),
        ("playing", False, 1, (Resigned(0), Finished(Outcome(Termination.RESIGNATION, (1,), (2, 1)), (0, 2))), False),
        ("playing", False, 1, (StoodIn(0, "bot", "Bot"),), False),
    ],
)
def test_a_listing_is_looked_at_again_unless_the_log_has_only_gone_on(
    status: Any, seek: bool, ago: int, events: tuple[Any, ...], agrees: bool
) -> None:
    """No log says whether seekers still wait."""
    listing = Listing("room", "standard", None, status, [], 0, 0, 0, seek=seek)
    assert lobby._agrees(listing, 9, Decision(9 + ago, 0, "", "", events)) is agrees
