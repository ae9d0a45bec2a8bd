"""Unstarted rooms that people leave: seats become free, rooms sink in the lobby and close, whichever node dies."""

import asyncio
import math
from collections.abc import Callable
from typing import Any

import pytest
from redis import Redis

from fourfold.engine.decisions import Decision
from fourfold.engine.match import State, decide, evolve
from fourfold.engine.match.commands import Adjourn, Close, Create, Return, Sit, Stand
from fourfold.engine.match.terms import Terms
from fourfold.server.clock import HOUR
from fourfold.server.lobby import lobby
from fourfold.server.rooms import takeover, vacancy
from fourfold.server.rooms.vacancy import (
    ADJOURNED,
    DESERTED,
    LEAST,
    LONE,
    LOOK,
    SEEKER,
    SHARED,
    AwayLimits,
    Desertion,
    Vacancy,
)
from fourfold.server.storage.reminders import REMINDERS
from tests.conftest import HANG

Dial = Any  # see conftest
Start = Callable[..., Any]
Wire = Any


@pytest.fixture
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delays of seconds are shortened to tenths."""
    monkeypatch.setattr(vacancy, "SEEKER", 300)
    monkeypatch.setattr(vacancy, "LEAST", 300)
    monkeypatch.setattr(takeover, "AHEAD", 1_000)
    monkeypatch.setattr(takeover, "GRACE", 100)
    monkeypatch.setattr(takeover, "LOOK", 0.1)
    monkeypatch.setattr(takeover, "REFRESH", 300)
    monkeypatch.setattr(lobby, "POST_EVERY", 0.1)


def length(store: Redis, room: str) -> int:
    entries: int = store.xlen(f"fourfold:{{{room}}}:log")  # type: ignore[assignment]
    return entries


async def grown(store: Redis, room: str, seq: int) -> None:
    """Wait until the log has reached a version."""
    async with asyncio.timeout(240):
        while await asyncio.to_thread(length, store, room) < seq:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.05)


def freed(seat: str) -> Callable[[dict[str, Any]], bool]:
    return lambda f: f["type"] == "update" and {"type": "unseated", "seat": seat} in f["events"]


def listed(room: str, **fields: Any) -> Callable[[dict[str, Any]], bool]:
    def found(frame: dict[str, Any]) -> bool:
        entries = frame.get("rooms", []) + frame.get("changed", [])
        return any(entry["room"] == room and fields.items() <= entry.items() for entry in entries)

    return found


@pytest.mark.usefixtures("_soon")
class TestSeats:
    @pytest.fixture
    async def address(self, start: Start) -> str:
        """Servers on which seats soon become free."""
        one: str = await start(absence=0)
        return one

    @pytest.fixture
    async def elsewhere(self, start: Start) -> str:
        other: str = await start(absence=0)
        return other

    async def test_a_guest_who_has_gone_keeps_no_seat(
        self, dial: Dial, elsewhere: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        host, guest = await dial(), await dial(at=elsewhere)
        room = (await host.asks("create", variant="survivor"))["room"]
        with monkeypatch.context() as patch:
            patch.setattr(vacancy, "LEAST", 60_000)  # the guest's server may not have heard of the host yet
            await host.asks("join", room=room, seat="red")
            await guest.asks("join", room=room, seat="blue")
            await guest.seen(
                lambda f: (f["type"] == "room" and f["seats"][0]["online"])
                or (f["type"] == "presence" and f["seat"] == "red" and f["online"])
            )
        await guest.end()
        await host.seen(freed("blue"))
        back = await dial(token=guest.token)
        assert (await back.asks("join", room=room, seat="green"))["type"] == "joined"  # it was not kicked
        assert not [f for f in host.frames if freed("red")(f)]

    async def test_who_is_back_in_time_keeps_it(
        self, dial: Dial, address: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vacancy, "LEAST", 60_000)
        host, guest = await dial(), await dial(at=elsewhere)
        room = (await host.asks("create"))["room"]
        await host.asks("watch", room=room)
        await guest.asks("join", room=room, seat="white")
        await guest.end()
        await host.seen(lambda f: f["type"] == "presence" and not f["online"])
        back = await dial(at=address, token=guest.token)
        assert (await back.asks("watch", room=room))["seats"][0]["player"] == guest.player

    async def test_also_when_the_node_that_knew_is_gone(self, dial: Dial, brief: Any, store: Redis) -> None:
        async with brief() as going:
            host, guest = await dial(at=going), await dial(at=going)
            room = (await host.asks("create"))["room"]
            await guest.asks("join", room=room)
            assert await asyncio.to_thread(length, store, room) == 2
        await grown(store, room, 3)
        watcher = await dial()
        assert [seat["player"] for seat in (await watcher.asks("watch", room=room))["seats"]] == [None, None]

    @pytest.mark.slow
    async def test_once_the_game_has_begun_seats_are_kept(self, dial: Dial) -> None:
        white, black = await dial(), await dial()
        room = (await white.asks("create"))["room"]
        for wire in (white, black):
            await wire.asks("join", room=room)
            await wire.end()
        await asyncio.sleep(2)  # nothing should happen, so there is nothing to wait for
        watcher = await dial()
        assert (await watcher.asks("watch", room=room))["status"] == "playing"


async def test_the_deadline_of_a_game_is_noted_as_soon_as_it_begins(
    dial: Dial, store: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room had a later deadline before. By that alone, a node that takes over would miss a flag that falls soon."""
    monkeypatch.setattr(takeover, "AHEAD", HOUR)  # a flag that an outage has put off still falls sooner
    monkeypatch.setattr(takeover, "REFRESH", HOUR)  # and no renewal notes it later
    white, black = await dial(), await dial()
    room = (await white.asks("create", clock={"base": 600_000}))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)
    latest = (await white.seq(3))["time"] + 600_000 + takeover.GRACE + 1_000 * HANG
    async with asyncio.timeout(240):
        while (await asyncio.to_thread(store.zscore, REMINDERS, room) or math.inf) > latest:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


@pytest.mark.usefixtures("_soon")
class TestTheLobby:
    async def test_one_in_which_nobody_is_sinks(self, dial: Dial, elsewhere: str) -> None:
        ann, bob = await dial(), await dial(at=elsewhere)
        older, newer = [(await wire.asks("create"))["room"] for wire in (ann, bob)]
        viewer = await dial()
        await viewer.asks("rooms", follow=True)
        await ann.asks("watch", room=older)
        await viewer.seen(listed(older, empty=False))
        await viewer.seen(listed(newer, empty=True))
        assert [entry["room"] for entry in (await viewer.asks("rooms"))["rooms"]] == [older, newer]
        await bob.asks("join", room=newer)
        await viewer.seen(listed(newer, empty=False))
        viewer.frames.clear()
        await ann.end()
        await viewer.seen(listed(older, empty=True))
        assert [entry["room"] for entry in (await viewer.asks("rooms"))["rooms"]] == [newer, older]


@pytest.mark.usefixtures("_soon")
class TestRooms:
    @pytest.fixture
    async def address(self, start: Start) -> str:
        """Servers on which empty rooms soon close."""
        one: str = await start(deserted=1)
        return one

    @pytest.fixture
    async def elsewhere(self, start: Start) -> str:
        other: str = await start(deserted=1)
        return other

    @pytest.mark.slow
    async def test_one_in_which_nobody_is_goes(self, dial: Dial, elsewhere: str) -> None:
        ann, viewer = await dial(), await dial(at=elsewhere)
        await viewer.asks("rooms", follow=True)
        room = (await ann.asks("create"))["room"]
        await viewer.seen(listed(room))
        await ann.asks("watch", room=room)
        await asyncio.sleep(1.5)  # while somebody is there, nothing should happen
        watcher = await dial(at=elsewhere)
        assert (await watcher.asks("watch", room=room))["status"] == "open"
        await ann.end()
        await watcher.end()
        await viewer.seen(lambda f: f["type"] == "lobby" and room in f["removed"])
        late = await dial(at=elsewhere)
        snapshot = await late.asks("watch", room=room)
        assert (snapshot["status"], snapshot["result"]["reason"]) == ("finished", "aborted")

    @pytest.mark.slow
    async def test_also_when_the_node_is_gone_that_held_it(self, dial: Dial, brief: Any, store: Redis) -> None:
        async with brief() as going:
            host = await dial(at=going)
            room = (await host.asks("create"))["room"]
            await host.asks("watch", room=room)
        await grown(store, room, 2)
        watcher = await dial()
        assert (await watcher.asks("watch", room=room))["status"] == "finished"


@pytest.mark.usefixtures("_soon")
class TestUntimedGames:
    """A person who plays a bot leaves the game, and the bot stays."""

    @pytest.fixture
    def _adjourned_soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vacancy, "ADJOURNED", 200)

    @staticmethod
    async def left_to_a_bot(dial: Dial, address: str) -> tuple[str, Wire]:
        """A game whose person has left: its room, and that person's connection."""
        person, bot = await dial(at=address), await dial(bot=True)
        room: str = (await person.asks("create"))["room"]
        for wire in (person, bot):
            assert (await wire.asks("join", room=room))["type"] == "joined"
        await person.asks("move", room=room, move="e2e4", seq=3, key="m")
        await person.end()
        return room, person

    @pytest.mark.usefixtures("_adjourned_soon")
    async def test_one_without_people_leaves_the_list_until_a_player_is_back(self, dial: Dial, elsewhere: str) -> None:
        viewer = await dial(at=elsewhere)
        await viewer.asks("rooms", follow=True)
        room, person = await self.left_to_a_bot(dial, elsewhere)
        await viewer.seen(lambda f: f["type"] == "lobby" and room in f["removed"])
        viewer.frames.clear()
        back = await dial(token=person.token)
        assert (await back.asks("watch", room=room))["status"] == "playing"
        await viewer.seen(listed(room, status="playing"))
        assert (await back.asks("resign", room=room, key="r"))["type"] == "ok"

    @pytest.mark.usefixtures("_adjourned_soon")
    async def test_it_is_closed_at_last_though_its_server_is_gone(
        self, dial: Dial, brief: Any, store: Redis, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vacancy, "LONE", 1_000)
        async with brief() as going:
            room, _ = await self.left_to_a_bot(dial, going)
            await grown(store, room, 5)  # adjourned
        await grown(store, room, 6)
        result = (await (await dial()).asks("watch", room=room))["result"]
        assert (result["reason"], result["winners"]) == ("aborted", [])


class TestDesertion:
    """The decision alone."""

    @staticmethod
    def playing(*players: str) -> State:
        """An untimed game of these players, which began at the time 500."""
        state: State | None = None
        for seq, player in enumerate(("host", *players), 1):
            events = decide(state, Create("standard") if state is None else Sit(player), player, 0)
            assert isinstance(events, tuple)
            state = evolve(state, Decision(seq, 500, player, "", events))
        assert state is not None
        return state

    @classmethod
    def adjourned(cls, *players: str) -> State:
        state = cls.playing(*players)
        [(command, by)] = Desertion(state, 1_000, 0).due(1_000 + ADJOURNED)
        events = decide(state, command, by, 1_000 + ADJOURNED)
        assert isinstance(events, tuple)
        return evolve(state, Decision(state.seq + 1, 1_000 + ADJOURNED, by, "", events))

    def test_it_counts_from_the_latest_of_leaving_moving_and_outages(self) -> None:
        state = self.playing("ann", "bot:x")
        for empty, outage, since in ((1_000, 0, 1_000), (100, 0, 500), (1_000, 7_000, 7_000)):
            assert Desertion(state, empty, outage).deadline(0) == since + ADJOURNED
            assert not list(Desertion(state, empty, outage).due(since + ADJOURNED - 1))

    def test_with_a_person_there_it_is_only_looked_at_again(self) -> None:
        desertion = Desertion(self.playing("ann", "bot:x"), None, 0)
        assert not desertion
        assert desertion.deadline(7) == 7 + LOOK
        assert list(desertion.due(10**12)) == []

    def test_a_game_of_several_people_is_kept_longer(self) -> None:
        now = 1_000 + ADJOURNED
        for players, kept in ((("ann", "bot:x"), LONE), (("ann", "bob"), SHARED), (("bot:x", "bot:y"), LONE)):
            assert list(Desertion(self.playing(*players), 1_000, 0).due(now)) == [(Adjourn(now + kept), "")]

    def test_it_is_closed_when_its_time_is_over_and_not_right_after_an_outage(self) -> None:
        state, end = self.adjourned("ann", "bot:x"), 1_000 + ADJOURNED + LONE
        assert list(Desertion(state, 1_000, 0).due(end - 1)) == []
        assert list(Desertion(state, 1_000, 0).due(end)) == [(Close(), "")]
        assert list(Desertion(state, 1_000, end).due(end)) == []
        assert getattr(decide(state, Close(), "", end - 1), "code", None) == "already_started"
        assert getattr(decide(state, Close(), "host", end), "code", None) == "already_started"
        events = decide(state, Close(), "", end)
        assert isinstance(events, tuple)
        assert evolve(state, Decision(9, end, "", "", events)).status == "finished"

    def test_who_is_back_resumes_it(self) -> None:
        state = self.adjourned("ann", "bot:x")
        events = decide(state, Return(), "ann", 0)
        assert isinstance(events, tuple)
        assert evolve(state, Decision(9, 0, "ann", "", events)).adjourned is None


class TestVacancy:
    """The decision alone."""

    @staticmethod
    def vacancy(away: dict[int, int], empty: int | None, *, seek: bool = False, **patience: Any) -> Vacancy:
        state: State | None = None
        for seq, (by, command) in enumerate(
            [("host", Create("survivor", terms=Terms(seek=seek))), ("a", Sit("A")), ("b", Sit("B"))], 1
        ):
            events = decide(state, command, by, 0)
            assert isinstance(events, tuple)
            state = evolve(state, Decision(seq, 0, by, f"{seq}", events))
        assert state is not None
        return Vacancy(state, away, empty, AwayLimits(**patience))

    def test_each_seat_has_its_time(self) -> None:
        vacancy = self.vacancy({0: 1_000, 1: 5_000}, None)
        assert vacancy.deadline(0) == 61_000
        assert list(vacancy.due(60_999)) == []
        assert list(vacancy.due(61_000)) == [(Stand(), "a")]
        assert list(vacancy.due(65_000)) == [(Stand(), "a"), (Stand(), "b")]

    def test_a_seeker_has_less_and_nobody_less_than_it_takes_to_load_a_page(self) -> None:
        assert self.vacancy({0: 1_000}, None, seek=True).deadline(0) == 1_000 + SEEKER
        assert self.vacancy({0: 1_000}, None, absence=0).deadline(0) == 1_000 + LEAST

    def test_an_empty_room_is_closed_at_last(self) -> None:
        vacancy = self.vacancy({0: 1_000, 1: 1_000}, 1_000)
        assert list(vacancy.due(1_000 + DESERTED)) == [(Close(), "")]
        assert self.vacancy({}, 1_000).deadline(0) == 1_000 + DESERTED

    @pytest.mark.parametrize("empty", [None, 1_000])
    def test_where_nothing_is_due_it_is_looked_at_later(self, empty: int | None) -> None:
        vacancy = self.vacancy({}, empty, deserted=None)
        assert not vacancy
        assert vacancy.deadline(7) == 7 + LOOK
        assert list(vacancy.due(10**12)) == []
