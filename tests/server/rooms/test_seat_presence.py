"""Absent players: since when, and when others may vote on them; over real sockets, on one node and on several, and
alone."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from fourfold.engine.decisions import Decision
from fourfold.engine.match import State, evolve
from fourfold.engine.match.events import Created
from fourfold.engine.match.state import Seat
from fourfold.protocol import from_server as frames
from fourfold.server.replication.fanout import Encoded
from fourfold.server.rooms.seat_presence import SETTLED, SeatPresence

pytestmark = pytest.mark.usefixtures("no_outages")

Dial = Any  # see conftest
Wire = Any
Start = Callable[..., Awaitable[str]]

ABSENCE = 60_000
"""In the fastest games. Without a clock it is five times as long."""


async def seated(dials: list[Dial], variant: str = "standard", **opening: Any) -> tuple[str, list[Wire]]:
    """A started game: its room, and the players in turn order, each through a different server."""
    wires = [await dial(name=f"P{number}") for number, dial in enumerate(dials)]
    room = (await wires[0].asks("create", variant=variant, **opening))["room"]
    for wire in wires:
        assert (await wire.asks("join", room=room))["type"] == "joined"
    for wire in wires[:-1]:
        await wire.seen(lambda frame: frame["type"] == "update" and frame["events"][-1]["type"] == "started")
    return room, wires


def presences(wire: Wire, seat: str) -> list[tuple[bool, int | None]]:
    """The reports about a seat, in order."""
    frames = (frame for frame in wire.frames if frame["type"] == "presence" and frame["seat"] == seat)
    return [(frame["online"], frame["since"]) for frame in frames]


async def gone(wire: Wire, seat: str) -> int:
    """When the player of a seat left, as reported."""
    frame = await wire.seen(lambda frame: frame["type"] == "presence" and frame["seat"] == seat and not frame["online"])
    since: int = frame["since"]
    return since


async def propose(wire: Wire, room: str, seq: int, **fields: Any) -> dict[str, Any]:
    reply: dict[str, Any] = await wire.asks("propose", room=room, seq=seq, key=f"{fields}", **fields)
    return reply


@pytest.mark.parametrize("fields", [{"kind": "remove"}, {"kind": "stand_in", "level": 1}])
@pytest.mark.parametrize(("clock", "absence"), [(None, 5 * ABSENCE), ({"base": 600_000}, ABSENCE)])
async def test_who_has_just_gone_is_not_voted_about(
    dial: Dial, fields: dict[str, Any], clock: Any, absence: int
) -> None:
    white, black = await dial(), await dial()
    room = (await white.asks("create", clock=clock, rated=False))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)
    before = (await white.asks("ping"))["time"]
    await black.end()
    since = await gone(white, "black")
    refused = await propose(white, room, 3, seat="black", **fields)
    after = (await white.asks("ping"))["time"]
    assert before <= since <= after
    assert refused["code"] == "not_absent"
    assert since + absence - after <= refused["retry"] <= since + absence - before
    snapshot = await (await dial()).asks("watch", room=room)
    assert (snapshot["absence"], snapshot["absentee_votes"]) == (absence, ["remove", "stand_in"])
    assert [(seat["online"], seat["since"]) for seat in snapshot["seats"]] == [(True, None), (False, since)]


async def test_who_is_here_is_not_voted_about(dial: Dial) -> None:
    room, (white, _) = await seated([dial, dial])
    refused = await propose(white, room, 3, kind="remove", seat="black")
    assert (refused["code"], refused["retry"]) == ("not_absent", 5 * ABSENCE)  # if they left now


async def test_in_a_slow_game_the_clock_decides(dial: Dial, start: Start) -> None:
    dial = partial(dial, at=await start(absence=0))
    room, (white, black) = await seated([dial, dial], clock={"base": 604_800_000})
    await black.end()
    await gone(white, "black")
    for seq, fields in enumerate([{"kind": "remove"}, {"kind": "stand_in", "level": 1}]):
        refused = await propose(white, room, 3, seat="black", **fields)
        assert refused["code"] == ("not_absent", "rated_game")[seq]
        assert "retry" not in refused
    snapshot = await (await dial()).asks("watch", room=room)
    assert (snapshot["absence"], snapshot["absentee_votes"]) == (2**53 - 1, [])
    assert (await propose(white, room, 3, kind="draw"))["type"] == "ok"
    assert (await white.seq(4))["events"][0]["electorate"] == ["white", "black"]


async def test_who_is_absent_is_removed_and_asked_about_a_draw_alone(dial: Dial, start: Start) -> None:
    dial = partial(dial, at=await start(absence=0))
    room, (red, blue, yellow, green) = await seated([dial] * 4, "survivor")
    for wire, name in ((blue, "blue"), (green, "green")):
        await wire.end()
        await gone(red, name)
    await gone(yellow, "green")
    assert (await propose(red, room, 5, kind="draw"))["type"] == "ok"
    proposed = (await yellow.seq(6))["events"][0]
    assert proposed["electorate"] == ["red", "blue", "yellow", "green"]
    await yellow.asks("vote", room=room, proposal=1, accept=False, key="v")
    assert (await propose(yellow, room, 7, kind="remove", seat="blue"))["type"] == "ok"
    assert (await yellow.seq(8))["events"][0]["electorate"] == ["red", "yellow"]
    await red.asks("vote", room=room, proposal=2, accept=True, key="v")
    removed = await yellow.seq(9)
    assert [event["type"] for event in removed["events"]] == ["voted", "closed", "removed", "eliminated"]


async def test_whoever_comes_back_ends_the_vote_about_their_absence(dial: Dial, start: Start) -> None:
    dial = partial(dial, at=await start(absence=0))
    room, (red, blue, _, _) = await seated([dial] * 4, "survivor")
    await blue.end()
    await gone(red, "blue")
    await propose(red, room, 5, kind="remove", seat="blue")
    back = await dial(token=blue.token)
    await back.asks("watch", room=room)
    assert (await red.seq(7))["events"] == [{"type": "closed", "proposal": 1, "outcome": "superseded"}]
    await red.seen(lambda _: presences(red, "blue")[-1] == (True, None))


async def test_a_proposal_is_judged_in_its_turn_also_if_the_store_must_be_asked_first(dial: Dial, start: Start) -> None:
    dial = partial(dial, at=await start(absence=0))
    room, (red, blue, _, _) = await seated([dial] * 4, "survivor")
    await blue.end()
    await gone(red, "blue")
    proposing = await red.say("propose", room=room, kind="remove", seat="blue", seq=5, key="p")
    moving = await red.say("move", room=room, move="h2h4", seq=5, key="m")
    replies = [await red.seen(lambda frame, id=id: frame.get("id") == id) for id in (proposing, moving)]
    assert [(reply["type"], reply["seq"]) for reply in replies] == [("ok", 6), ("ok", 7)]


async def test_all_nodes_say_the_same(dial: Dial, address: str, elsewhere: str, third: str) -> None:
    room, (white, black) = await seated([partial(dial, at=address), partial(dial, at=elsewhere)])
    watcher = await dial(at=elsewhere)
    await watcher.asks("watch", room=room)
    before = (await white.asks("ping"))["time"]
    await black.end()
    since = await gone(white, "black")
    assert since == await gone(watcher, "black")
    assert before - 100 <= since, "two nodes' clocks are some milliseconds apart"
    newcomer = await dial(at=third)
    shown = (await newcomer.asks("watch", room=room))["seats"][1]["since"]
    await newcomer.seen(lambda _: since in (shown, *(at for _, at in presences(newcomer, "black"))))


async def test_a_player_who_watches_the_room_again_does_not_leave_it_meanwhile(dial: Dial) -> None:
    room, (white, black) = await seated([dial, dial])
    await white.seen(lambda _: presences(white, "black") == [(True, None)])
    for fields in ({}, {"since": 0}, {"since": 3}, {"preview": True}, {"preview": True, "since": 1}, {}):
        assert (await black.asks("watch", room=room, **fields))["type"] in ("room", "ok")
    assert (await white.asks("move", room=room, move="e2e4", seq=3, key="m"))["type"] == "ok"
    await black.seq(4)
    assert [update["seq"] for update in black.updates() if update["seq"] == 4] == [4], "once"
    fresh = await (await dial()).asks("watch", room=room)
    assert fresh["seats"][1]["online"]
    assert presences(white, "black") == [(True, None)]


async def test_a_spectator_who_watches_the_room_again_is_counted_once(dial: Dial) -> None:
    room, (white, _) = await seated([dial, dial])
    watcher = await dial()
    for fields in ({}, {"since": 1}, {"preview": True}, {}):
        await watcher.asks("watch", room=room, **fields)
    assert (await watcher.asks("watch", room=room))["watchers"] == 1
    await white.seen(lambda frame: frame["type"] == "watchers")
    assert [frame["count"] for frame in white.frames if frame["type"] == "watchers"] == [1]


# -- without a server --


class Stands:
    """Stands in for the feed, the presence and the liveness of a room, with values that a test sets."""

    def __init__(self, *here: str, **since: int) -> None:
        """`since` has the times from which players are away."""
        self.players, self.watchers = frozenset(here), 0
        self.since = since.__getitem__
        self.pinged: list[set[str]] = []
        self.told: list[tuple[str, bool, int | None]] = []
        stands: Any = self
        self.seats = SeatPresence("room", stands, stands, stands, ABSENCE)

    def send(self, frame: Encoded) -> None:
        said = frame.frame
        assert isinstance(said, frames.Presence)
        self.told.append((said.seat, said.online, said.since))

    async def check(self, players: set[str]) -> dict[str, str]:
        self.pinged.append(players)
        return dict.fromkeys(players & self.players, "192.0.2.1")


def table(*players: str | Seat | None) -> State:
    """A match with these players in its seats."""
    state = evolve(None, Decision(1, 1, "", "", (Created("survivor", None, "public", "host"),)))
    seats = (one if isinstance(one, Seat) else Seat(one, one) for one in players)
    return replace(state, seats=tuple(seats))


def test_a_seat_is_away_while_neither_its_player_nor_a_stand_in_is_here() -> None:
    state = table("ann", "bob", Seat("cid", "C", stand_in="bot", stand_in_name="B"), None)
    seats = Stands("ann", bob=5, cid=7, bot=9).seats
    assert seats.away(state) == {1: 5, 2: 9}, "since the later departure"
    assert (seats.online(state), seats.absent(state)) == ({0}, {1: 5 + 5 * ABSENCE, 2: 9 + 5 * ABSENCE})
    assert Stands("ann", "bot", bob=5, cid=7).seats.online(state) == {0, 2}
    assert (seats.empty, Stands().seats.empty) == (False, True)


def test_followers_are_told_of_changes_and_not_that_one_who_sits_down_is_away() -> None:
    stands = Stands("bob", ann=5)
    said = []
    for here, players in (
        ("bob", (None, None)),
        ("bob", ("ann", "bob")),
        ("bob", ("ann", "bob")),
        ("ann bob", ("ann", "bob")),
        ("bob", ("ann", "bob")),
        ("bob", (None, "bob")),
    ):
        stands.players = frozenset(here.split())
        stands.told.clear()
        stands.seats.tell_changes(table(*players, None, None))
        said.append(list(stands.told))
    assert said == [[], [("blue", True, None)], [], [("red", True, None)], [("red", False, 5)], [("red", False, None)]]


async def test_those_who_are_known_to_have_gone_are_not_waited_for() -> None:
    state = table("ann", "bob", "cid", None)
    stands = Stands("ann", bob=1_000, cid=1_001)

    def clock() -> int:
        return 1_000 + SETTLED

    assert await stands.seats.check(state, ["ann", "bob", "cid"], clock) == {"ann": "192.0.2.1"}
    assert stands.pinged == [{"ann", "cid"}], "the third may not be known to have come yet"
    assert await stands.seats.check(state, ["bob"], clock) == {}
    assert len(stands.pinged) == 1
