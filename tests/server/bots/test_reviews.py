"""Reviews of finished games: made by a host, stored with the archived game, sent to everyone who may see the room."""

from typing import Any

import pytest

from fourfold.server.archive import database
from tests.server.bots.test_dispatch import host_of, key
from tests.server.conftest import Dial, Wire, left

__all__ = ["key"]

pytestmark = pytest.mark.archiving

assert database.HEAD, "loaded before the first test, which would otherwise wait for it"

JUDGED = {
    "shares": {"white": 0.4, "black": 0.6}, "best": "e5", "seat": "white", "mark": "?", "remark": "e5 is best.",
    "out": [], "points": None,
}  # fmt: skip
SUMMARY = {"accuracy": {"white": 80.0, "black": None}, "lost": {"white": 1, "black": None}}


async def played(dial: Dial) -> tuple[str, Wire, Wire]:
    """A game in which Black has resigned after a move."""
    white, black = await dial(name="Ann"), await dial(name="Bob")
    room = (await white.asks("create", visibility="private"))["room"]
    await white.asks("join", room=room, seat="white")
    seq = (await black.asks("join", room=room, seat="black"))["seq"]
    assert (await white.asks("review", room=room))["code"] == "not_finished"
    await white.asks("move", room=room, move="e2e4", seq=seq, key="m")
    await black.asks("resign", room=room, key="r")
    return room, white, black


async def given(host: Wire) -> dict[str, Any]:
    frame: dict[str, Any] = await host.seen(lambda frame: frame["type"] == "examine")
    return frame


async def test_a_review_is_made_once_and_kept(dial: Dial, key: str, common_url: str) -> None:
    host = await host_of(dial, key)
    room, white, black = await played(dial)
    told = await white.asks("review", room=room, start=False)
    assert (told["looked"], told["summary"], told["plies"]) == (None, None, 1)
    assert told["openings"] == [{"ply": 1, "code": "B00", "name": "King's Pawn Game"}]
    assert (await white.asks("review", room=room))["looked"] == 0
    job = await given(host)
    assert (job["variant"], job["steps"]) == ("standard", ["e2e4", "black resignation"])
    assert (await host.asks("examined", job=job["job"], looked=1))["type"] == "ok"
    assert (await black.asks("review", room=room))["looked"] == 1
    assert (await host.asks("examined", job=job["job"], looked=2))["type"] == "ok"
    assert (await black.asks("review", room=room))["looked"] == 2
    assert (await host.asks("examined", job=job["job"], judged=JUDGED))["type"] == "ok"
    assert (await host.asks("examined", job=job["job"], judged=JUDGED))["type"] == "ok"
    assert (await host.asks("examined", job=job["job"], summary=SUMMARY, done=True))["type"] == "ok"
    told = await black.asks("review", room=room)
    assert (told["looked"], told["judged"], told["summary"]) == (None, [JUDGED, JUDGED], SUMMARY)
    await left(common_url, room)
    assert (await white.asks("review", room=room))["summary"] == SUMMARY
    assert len([frame for frame in host.frames if frame["type"] == "examine"]) == 1
    assert (await white.asks("review", room="nowhere2"))["code"] == "no_such_room"


@pytest.mark.slow
async def test_it_outlives_the_server(dial: Dial, key: str, common_url: str, brief: Any) -> None:
    host = await host_of(dial, key)
    room, white, _ = await played(dial)
    await left(common_url, room)
    await white.asks("review", room=room)
    job = await given(host)
    await host.asks("examined", job=job["job"], judged=JUDGED)
    await host.asks("examined", job=job["job"], summary=SUMMARY, done=True)
    await white.asks("review", room=room)
    async with brief() as other:
        stranger = await dial(at=other)
        assert (await stranger.asks("review", room=room, start=False))["summary"] == SUMMARY
        await stranger.end()


async def test_a_review_that_ends_early_can_be_made_again(dial: Dial, key: str) -> None:
    host = await host_of(dial, key)
    room, white, _ = await played(dial)
    await white.asks("review", room=room)
    job = await given(host)
    await host.asks("examined", job=job["job"], judged=JUDGED)
    await host.asks("examined", job=job["job"], done=True)
    told = await white.asks("review", room=room, start=False)
    assert (told["looked"], told["summary"]) == (None, None)
    assert (await white.asks("review", room=room))["looked"] == 0


async def test_an_idle_review_is_for_players_and_one_at_a_time(dial: Dial, key: str) -> None:
    room, white, _ = await played(dial)
    assert (await white.asks("review", room=room, idle=True))["looked"] is None, "without a host"
    host = await host_of(dial, key)
    watcher = await dial(name="Cy")
    assert (await watcher.asks("review", room=room, idle=True))["looked"] is None
    assert (await white.asks("review", room=room, idle=True))["looked"] == 0
    job = await given(host)
    assert job["idle"]
    other, _, loser = await played(dial)
    assert (await loser.asks("review", room=other, idle=True))["looked"] is None
    await host.asks("examined", job=job["job"], judged=JUDGED)
    await host.asks("examined", job=job["job"], summary=SUMMARY, done=True)
    assert (await watcher.asks("review", room=room, idle=True))["summary"] == SUMMARY
    assert (await loser.asks("review", room=other, idle=True))["looked"] == 0


@pytest.mark.parametrize("looked", [0, 2], ids=["waits", "has begun"])
async def test_an_idle_review_gives_way_to_one_that_is_asked_for(dial: Dial, key: str, looked: int) -> None:
    """It would stand still behind every other job, such as the analysis that the same page asks for."""
    host = await host_of(dial, key)
    room, white, black = await played(dial)
    await white.asks("review", room=room, idle=True)
    first = (await given(host))["job"]
    await host.asks("examined", job=first, looked=looked)
    assert (await black.asks("review", room=room, idle=True))["looked"] == looked
    assert (await black.asks("review", room=room))["looked"] == 0
    await host.seen(lambda frame: frame["type"] == "dismiss" and frame["job"] == first)
    again = await host.seen(lambda frame: frame["type"] == "examine" and frame["job"] != first)
    assert not again.get("idle")
    assert (await host.asks("examined", job=again["job"], looked=1))["type"] == "ok"
    assert (await white.asks("review", room=room))["looked"] == 1


AFTER_G4 = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2"
PUZZLES = [
    {"ply": 3, "seat": "black", "goal": "mate", "position": AFTER_G4, "line": ["d8h4"], "last": ["d8h4"]},
    {"ply": 1, "seat": "black", "goal": "gain", "line": ["e7e5", "g2g4", "d8h4"], "last": ["d8h4", "a7a6"],
     "position": "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1"},
]  # fmt: skip


async def test_puzzles_are_kept_with_the_review_and_judged(dial: Dial, key: str, common_url: str) -> None:
    host = await host_of(dial, key)
    room, white, black = await played(dial)
    await left(common_url, room)
    assert (await black.asks("puzzles", room=room))["puzzles"] == []
    await white.asks("review", room=room)
    job = (await given(host))["job"]
    await host.asks("examined", job=job, judged=JUDGED)
    await host.asks("examined", job=job, summary=SUMMARY, puzzles=PUZZLES, done=True)
    assert (await white.asks("review", room=room))["puzzles"] == 2
    posed = (await black.asks("puzzles"))["puzzles"]
    assert posed == (await black.asks("puzzles", room=room))["puzzles"]
    assert [(one["ply"], one["goal"], one["moves"], one["own"]) for one in posed] == [
        (3, "mate", 1, True), (1, "gain", 2, True)
    ]  # fmt: skip
    assert [one["own"] for one in (await white.asks("puzzles"))["puzzles"]] == [False, False]
    assert "line" not in posed[0] and "last" not in posed[0]
    assert (await (await dial(name="Cy")).asks("puzzles"))["puzzles"] == []

    where = {"room": room, "game": 1, "ply": 1}
    told = await black.asks("solve", **where)
    assert (told["right"], told["done"], told["turn"], told["played"]) == (True, False, "black", [])
    assert "e7e5" in told["legal"]
    told = await black.asks("solve", **where, moves=["e7e6"])
    assert (told["right"], told["done"], told["played"], told["position"]) == (False, False, [], PUZZLES[1]["position"])
    told = await black.asks("solve", **where, moves=["e7e5"])
    assert (told["right"], told["done"], told["played"], told["texts"]) == (True, False, ["e7e5", "g2g4"], ["e5", "g4"])
    told = await black.asks("solve", **where, moves=["e7e5", "a7a6"])
    assert (told["right"], told["done"], told["texts"], told["legal"]) == (True, True, ["e5", "g4", "a6"], [])
    told = await black.asks("solve", **where, show=True)
    assert (told["done"], told["texts"], told["check"]) == (True, ["e5", "g4", "Qh4#"], ["white"])
    assert (await black.asks("solve", **where, moves=["e7e2"]))["kind"] == "illegal"
    assert (await black.asks("solve", **where, moves=["?!"]))["kind"] == "unreadable"
    assert (await black.asks("solve", **(where | {"ply": 2})))["code"] == "no_such_puzzle"
    assert (await black.asks("solve", **(where | {"room": "nowhere2"})))["code"] == "no_such_room"
