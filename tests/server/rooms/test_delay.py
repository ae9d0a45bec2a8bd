"""A room whose watchers see it late: all of it, none of it early, nothing twice, by whatever road."""

import asyncio
import time
from typing import Any

import pytest

from fourfold.engine.match import Status, evolve
from fourfold.engine.match.events import Created, Decision, Moved, Seated, Started
from fourfold.engine.match.terms import Terms
from fourfold.protocol import from_server as frames
from fourfold.protocol import projection
from fourfold.server.lobby import lobby
from fourfold.server.rooms.audience import Audience, Encoded, Usher
from fourfold.server.rooms.delay import Delay

Dial = Any  # see conftest
Wire = Any

DELAY = 2000
MOVES = ("g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8")


async def table(dial: Dial, **options: Any) -> tuple[str, Wire, Wire]:
    white, black = await dial(name="Ann"), await dial(name="Bob")
    room = (await white.asks("create", delay=DELAY, **options))["room"]
    await white.asks("join", room=room)
    return room, white, black


async def play(players: tuple[Wire, Wire], room: str, seq: int, count: int) -> int:
    for ply in range(seq - 3, seq - 3 + count):
        move = MOVES[ply % len(MOVES)]
        reply = await players[ply % 2].asks("move", room=room, move=move, seq=seq, key=f"{seq}")
        assert (reply["type"], reply["seq"]) == ("ok", seq + 1)
        seq += 1
    return seq


def now() -> int:
    return time.time_ns() // 1_000_000


async def test_those_who_watch_see_the_game_later_and_the_players_do_not(dial: Dial, elsewhere: str) -> None:
    room, white, black = await table(dial)
    watchers = [await dial(), await dial(at=elsewhere)]
    for watcher in watchers:
        snapshot = await watcher.asks("watch", room=room)
        assert (snapshot["seq"], snapshot["delay"], snapshot["status"]) == (2, DELAY, "open")
    await black.asks("join", room=room)
    seq = await play((white, black), room, 3, 4)
    told = (await black.seq(seq))["time"]
    assert now() - told < DELAY
    assert not any(watcher.updates() for watcher in watchers)
    for watcher in watchers:
        for number in range(3, seq + 1):
            update = await watcher.seq(number)
            assert update == await white.seq(number)
        assert DELAY <= now() - told < 2 * DELAY
        assert [frame["seq"] for frame in watcher.updates()] == list(range(3, seq + 1))


async def test_while_seats_are_free_everybody_sees_the_same(dial: Dial) -> None:
    room, white, _ = await table(dial)
    watcher = await dial()
    assert (await watcher.asks("watch", room=room))["seats"][0]["name"] == "Ann"
    await white.asks("leave", room=room)
    update = await watcher.seq(3)
    assert now() - update["time"] < DELAY


async def test_no_road_leads_to_what_is_not_shown_yet(dial: Dial) -> None:
    room, white, black = await table(dial)
    await black.asks("join", room=room)
    early = await dial()
    assert (await early.asks("watch", room=room))["seq"] == 2
    await early.seq(3)
    seq = await play((white, black), room, 3, 3)
    began = (await white.seq(4))["time"]
    watcher = await dial()
    snapshot = await watcher.asks("watch", room=room)
    assert (snapshot["seq"], snapshot["moves"], snapshot["status"]) == (3, [], "playing")
    assert DELAY / 2 < now() - snapshot["time"] < 1.5 * DELAY
    legal = await watcher.asks("legal", room=room)
    assert (legal["seq"], legal["seat"], "e2e4" in legal["moves"]) == (3, "white", True)
    exported = await watcher.asks("export", room=room, format="json")
    assert (exported["seq"], "g1f3" in exported["text"]) == (3, False)
    assert (await watcher.asks("move", room=room, move="e2e4", seq=3, key="k"))["seq"] == 3
    assert (await watcher.asks("leave", room=room))["seq"] == 3
    assert (await watcher.asks("watch", room=room, since=0))["seq"] == 3
    assert now() - began < DELAY, "too slow a machine for this test"
    assert (await white.asks("legal", room=room))["seq"] == seq
    assert "g1f3" in (await white.asks("export", room=room, format="json"))["text"]
    await watcher.seq(seq)
    assert [frame["seq"] for frame in watcher.updates()] == list(range(1, seq + 1))


async def test_no_version_asked_for_tells_how_far_the_game_has_come(dial: Dial, elsewhere: str) -> None:
    """Whatever somebody without a seat claims to know, the answer depends on what is shown alone."""
    rooms = [await table(dial) for _ in range(2)]
    for room, _, black in rooms:
        await black.asks("join", room=room)
    played, white, black = rooms[0]
    await play((white, black), played, 3, 4)
    began = (await white.seq(4))["time"]
    answers = []
    for room, _, _ in rooms:
        for at in (None, elsewhere):
            wire = await dial(**({} if at is None else {"at": at}))
            said = []
            for since in range(12):
                reply = await wire.asks("watch", room=room, since=since)
                said.append((reply["type"], reply.get("code"), reply["seq"]))
                await wire.asks("leave", room=room)
            answers.append(said)
    assert now() - began < DELAY, "too slow a machine for this test"
    assert answers[0] == answers[1] == answers[2] == answers[3]


async def test_nor_does_the_lobby(dial: Dial, elsewhere: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "POST_EVERY", 0.1)
    room, white, black = await table(dial)
    viewer = await dial(at=elsewhere)
    await viewer.asks("rooms", follow=True)

    def listed(**fields: Any) -> Any:
        return lambda frame: any(
            entry["room"] == room and fields.items() <= entry.items()
            for entry in (*frame.get("rooms", ()), *frame.get("changed", ()))
        )

    await black.asks("join", room=room)
    seq = await play((white, black), room, 3, 2)
    await viewer.seen(listed(ply=2))
    assert now() - (await white.seq(5))["time"] >= DELAY
    await white.asks("resign", room=room, key="resign")
    await viewer.seen(lambda frame: frame["type"] == "lobby" and room in frame["removed"])
    assert now() - (await white.seq(seq + 1))["time"] >= DELAY


@pytest.mark.parametrize(
    ("request_", "fields"), [("join", {}), ("close", {}), ("kick", {"seat": "white"}), ("bot", {"level": 1})]
)
async def test_nor_does_a_refusal(dial: Dial, request_: str, fields: dict[str, Any]) -> None:
    """The host has no seat, and is told the same before and after the game has ended."""
    host = await dial()
    room = (await host.asks("create", delay=DELAY))["room"]
    white, black = await dial(), await dial()
    for wire in (white, black):
        await wire.asks("join", room=room)
    before = await host.asks(request_, room=room, **fields)
    await white.asks("resign", room=room, key="resign")
    after = await host.asks(request_, room=room, **fields)
    for reply in (before, after):
        del reply["id"], reply["seq"]
    assert before == after


async def test_a_room_that_is_closed_before_its_game_is_closed_at_once(dial: Dial) -> None:
    room, white, _ = await table(dial)
    watcher = await dial()
    await watcher.asks("watch", room=room)
    done = await white.asks("close", room=room)
    update = await watcher.seq(done["seq"])
    assert now() - update["time"] < DELAY


async def test_resuming_in_the_middle_loses_and_doubles_nothing(dial: Dial, address: str, elsewhere: str) -> None:
    room, white, black = await table(dial)
    await black.asks("join", room=room)
    back = [await dial(at=at) for at in (address, elsewhere) for _ in range(6)]

    async def come(wire: Wire, since: int) -> None:
        await asyncio.sleep(since / 10)
        await wire.asks("watch", room=room, since=since % 3)
        await wire.asks("leave", room=room)
        held = max([frame["seq"] for frame in wire.updates()], default=since % 3)
        await wire.asks("watch", room=room, since=held)

    async def game() -> int:
        seq = 3
        for _ in range(3):
            seq = await play((white, black), room, seq, 4)
            await asyncio.sleep(0.25)
        return seq

    seq, *_ = await asyncio.gather(game(), *(come(wire, number) for number, wire in enumerate(back)))
    for number, wire in enumerate(back):
        await wire.seq(seq)
        assert [frame["seq"] for frame in wire.updates()] == list(range(1 + number % 3, seq + 1))


async def test_who_knows_more_than_is_shown_waits_for_what_is_new(dial: Dial) -> None:
    """Such as one who comes from a node whose clock goes before."""
    room, white, black = await table(dial)
    await black.asks("join", room=room)
    seq = await play((white, black), room, 3, 2)
    watcher = await dial()
    assert (await watcher.asks("watch", room=room, since=seq - 1))["seq"] == seq - 1
    assert (await watcher.asks("watch", room=room, since=seq + 1))["code"] == "ahead"
    await watcher.seq(seq)
    assert [frame["seq"] for frame in watcher.updates()] == [seq]


async def test_talk_of_players_is_late_and_that_of_watchers_is_not(dial: Dial) -> None:
    room, white, black = await table(dial)
    watchers = [await dial(), await dial()]
    for watcher in watchers:
        await watcher.asks("watch", room=room)
    await black.asks("join", room=room)
    await white.asks("say", room=room, text="I fear for my knight", to="all")
    await watchers[0].asks("say", room=room, text="What is he up to?", to="all")
    for wire in (white, black, watchers[1]):
        said = await wire.seen(lambda frame: frame["type"] == "said" and frame["seat"] is None)
        assert now() - said["time"] < DELAY
    assert not [frame for frame in watchers[1].frames if frame["type"] == "said" and frame["seat"]]
    said = await watchers[1].seen(lambda frame: frame["type"] == "said" and frame["seat"] == "white")
    assert now() - said["time"] >= DELAY


@pytest.mark.parametrize("delay", [-1, 900_001, "1", 0.5])
async def test_a_delay_is_bounded(dial: Dial, delay: Any) -> None:
    reply = await (await dial()).asks("create", delay=delay)
    assert (reply["kind"], reply["code"]) == ("unreadable", "bad_field")


class Reader:
    """A follower that notes the versions it is told of."""

    def __init__(self) -> None:
        self.player_id = ""
        self.seqs: list[int] = []

    def send(self, frame: Encoded) -> None:
        assert isinstance(frame.frame, frames.Update)
        self.seqs.append(frame.frame.seq)

    def reply(self, frame: frames.Reply, id: int | None) -> None:
        raise AssertionError("nobody has asked")

    async def drained(self) -> None:
        raise AssertionError("nobody was missed")

    origin = ""

    async def answers(self, seconds: float) -> bool:
        raise AssertionError("nobody is in doubt")


async def test_whoever_changes_sides_gets_each_decision_once() -> None:
    usher = Usher()
    audience = Audience(usher)
    began = now()
    events: list[tuple[Any, ...]] = [
        (Created("standard", None, "public", "host", terms=Terms(delay=1000)),),
        (Seated(0, "a", "A"),),
        (Seated(1, "b", "B"), Started()),
        *((Moved(ply % 2, MOVES[ply], ply + 1),) for ply in range(8)),
    ]
    state = evolve(None, Decision(1, began, "", "", events[0]))
    delay = Delay(audience, now, state, lambda _: None)
    riser, faller, stayer, seated = Reader(), Reader(), Reader(), Reader()
    delay.place(riser, None, 0)
    delay.place(stayer, None, 0)
    delay.place(faller, 0, 0)
    delay.place(seated, 1, 0)
    for seq, happened in enumerate(events[1:], start=2):
        decision = Decision(seq, now(), "", str(seq), happened)
        state = evolve(state, decision)
        update = Encoded(projection.update("room", state.position.seats, decision))
        audience.send_to_players(update)
        delay.hold(update, decision.at, state)
        if seq == 6:
            delay.place(riser, 0, seq)
            assert riser.seqs == [2, 3, 4, 5, 6]
            delay.place(faller, None, seq)
            assert (list(delay.early), audience.watches(faller)) == ([faller], False)
        if seq == 9:
            delay.place(faller, 0, seq)
            assert faller.seqs == list(range(2, 10))
            delay.place(faller, None, seq)
        await asyncio.sleep(0)
    assert state.status is Status.PLAYING
    assert stayer.seqs == [2]
    assert riser.seqs == seated.seqs == list(range(2, 12))
    async with asyncio.timeout(5):
        while delay.shown.seq < 11 or audience.pending:  # noqa: ASYNC110 - time has to pass, and nothing tells of it
            await asyncio.sleep(0.01)
    assert riser.seqs == faller.seqs == stayer.seqs == seated.seqs == list(range(2, 12))
    assert not delay.early
