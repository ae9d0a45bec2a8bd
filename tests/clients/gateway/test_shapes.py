"""The forms of the Lichess API, for tables built here."""

from dataclasses import replace
from typing import Any

import pytest

from fourfold.clients.gateway import shapes
from fourfold.clients.gateway.shapes import Offer, Person
from fourfold.clients.table import Table, TableSeat
from fourfold.engine.variants import opening
from fourfold.protocol.events import Result
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Clocks, Proposal, Rating, Strength

NOW = 1_800_000_000_000
SEATS = {"white": TableSeat("bot:1", "Ann Bot"), "black": TableSeat("2", "Boris")}


def table(variant: str = "standard", moves: str = "", **changes: Any) -> Table:
    start = position = opening(variant, position=changes.pop("start", None))
    for move in moves.split():
        position = position.play(position.find(move))
    known = Table("room", variant, start.fen(), 9, "playing", SEATS, position, tuple(moves.split()))
    return replace(known, **changes)


def proposal(kind: str, seat: str, plies: int | None = None) -> Proposal:
    return Proposal(1, kind, seat, plies, None, None, ["white", "black"], {seat: True}, NOW)


def clocks(base: int = 300_000, increment: int = 2000, delay: int = 0) -> Clocks:
    return Clocks(base, increment, delay, {"white": 200_000, "black": 100_000}, NOW - 5000)


def test_a_game_without_a_clock_is_one_by_correspondence() -> None:
    full = shapes.full(table(), NOW, NOW)
    assert "clock" not in full
    assert full["speed"] == "correspondence"
    assert full["initialFen"] == "startpos"
    assert full["white"] == {"id": "ann_bot", "name": "Ann Bot", "title": "BOT", "rating": 1500, "provisional": True}
    assert full["black"]["title"] is None
    assert full["state"]["wtime"] == full["state"]["btime"] == shapes.FOREVER


def test_times_are_milliseconds_and_the_running_clock_runs() -> None:
    state = shapes.state(table(clocks=clocks()), NOW)
    assert [state[name] for name in ("wtime", "btime", "winc", "binc")] == [195_000, 100_000, 2000, 2000]
    full = shapes.full(table(clocks=clocks()), NOW, NOW)
    assert full["clock"] == {"initial": 300_000, "increment": 2000}
    assert shapes.entry(table(clocks=clocks()), "white", NOW)["secondsLeft"] == 195


def test_a_delay_is_told_as_an_increment() -> None:
    assert shapes.state(table(clocks=clocks(increment=0, delay=3000)), NOW)["winc"] == 3000
    by_the_move = shapes.full(table(clocks=clocks(base=0, increment=0, delay=30_000)), NOW, NOW)
    assert by_the_move["clock"] == {"initial": 30_000, "increment": 30_000}


@pytest.mark.parametrize(
    ("base", "increment", "speed"),
    [(15, 0, "ultraBullet"), (60, 1, "bullet"), (180, 2, "blitz"), (600, 5, "rapid"), (1800, 0, "classical")],
)
def test_speeds(base: int, increment: int, speed: str) -> None:
    assert shapes.speed(Clock(1000 * base, 1000 * increment)) == speed


@pytest.mark.parametrize(
    ("reason", "winners", "status", "winner"),
    [
        ("checkmate", ["white"], "mate", "white"),
        ("resignation", ["black"], "resign", "black"),
        ("time", ["black"], "outoftime", "black"),
        ("time", [], "outoftime", None),
        ("stalemate", [], "stalemate", None),
        ("threefold", [], "draw", None),
        ("abandonment", ["white"], "timeout", "white"),
        ("three_checks", ["white"], "variantEnd", "white"),
        ("aborted", [], "aborted", None),
    ],
)
def test_ends(reason: str, winners: list[str], status: str, winner: str | None) -> None:
    over = table(status="finished", result=Result(reason, winners, {}, None), clocks=clocks())
    state = shapes.state(over, NOW)
    assert (state["status"], state.get("winner")) == (status, winner)
    assert {"moves", "wtime", "btime", "winc", "binc"} <= state.keys()
    entry = shapes.entry(over, "black", NOW)
    assert entry["status"]["name"] == status
    assert state["finalFen"] == entry["finalFen"] == over.fen


def test_votes_are_offers() -> None:
    assert shapes.state(table(proposal=proposal("draw", "black")), NOW)["bdraw"] is True
    after = table(moves="e2e4 e7e5 g1f3")
    assert shapes.takeback(after, "white") == 1  # the last move was white's
    assert shapes.takeback(after, "black") == 2
    for seat, plies, told in (("white", 1, True), ("black", 2, True), ("white", 2, False), ("black", 1, False)):
        state = shapes.state(replace(after, proposal=proposal("undo", seat, plies)), NOW)
        assert state.get(f"{seat[0]}takeback", False) is told


def test_variants_have_the_names_that_programs_know() -> None:
    for name, (key, _) in shapes.VARIANTS.items():
        assert shapes.our_variant(key) == name
    assert shapes.our_variant("bughouse") is None
    fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
    elsewhere = shapes.full(table(start=fen), NOW, NOW)
    assert (elsewhere["variant"]["name"], elsewhere["initialFen"]) == ("From Position", fen)
    assert shapes.full(table("threecheck"), NOW, NOW)["variant"]["name"] == "Three-check"
    assert shapes.full(table("chess960"), NOW, NOW)["initialFen"] != "startpos"


def test_a_challenge() -> None:
    ann, boris = Person("Ann Bot", bot=True), Person("Boris", bot=False)
    told = shapes.challenge(Offer("room", "http://x/r/room", boris, ann, "standard", Clock(90_000, 1000), "white"))
    assert told["timeControl"] == {"type": "clock", "limit": 90, "increment": 1, "show": "1.5+1"}
    assert (told["challenger"]["name"], told["destUser"]["id"]) == ("Boris", "ann_bot")
    assert (told["speed"], told["perf"], told["color"]) == ("bullet", {"name": "Bullet"}, "white")
    assert {"id", "rated", "variant", "perf", "speed", "color", "finalColor", "timeControl"} <= told.keys()
    untimed = shapes.challenge(Offer("room", "http://x/r/room", boris, ann, "standard", None))
    assert untimed["timeControl"] == {"type": "unlimited"}


def test_clocks_that_are_asked_for() -> None:
    assert shapes.clock_of({"time": "1.5", "increment": "2"}, "time", "increment", 60_000) == Clock(90_000, 2000)
    assert shapes.clock_of({"clock.limit": "0", "clock.increment": "1"}, "clock.limit", "clock.increment", 1000) == (
        Clock(3000, 1000)
    )
    assert shapes.clock_of({}, "time", "increment", 60_000) is None
    with pytest.raises(ValueError, match="could not convert"):
        shapes.clock_of({"time": "soon"}, "time", "increment", 60_000)


def test_ratings_are_told_as_they_are_known() -> None:
    known = {"bot:1": Strength("bot:1", 1712, 60, certain=True), "2": None}
    told = shapes.full(table(), NOW, NOW, known)
    assert told["white"]["rating"] == 1712 and "provisional" not in told["white"]
    assert shapes.entry(table(), "black", NOW, known)["opponent"]["rating"] == 1712
    assert told["black"]["rating"] == shapes.UNRATED and told["black"]["provisional"] is True
    nobody = shapes.full(table(), NOW, NOW)
    assert nobody["white"]["rating"] == shapes.UNRATED and nobody["white"]["provisional"] is True
    user = shapes.user(
        shapes.Person("Ann", bot=False),
        [
            Rating("standard", "blitz", 1712, 60, 30, 0, True, []),
            Rating("chess960", "rapid", 1600, 200, 3, 0, False, []),
            Rating("ffa", None, 1900, 60, 30, 0, True, []),
        ],
    )
    assert user["perfs"]["blitz"] == {"games": 30, "rating": 1712, "rd": 60, "prog": 0}
    assert user["perfs"]["chess960"]["prov"] is True and user["perfs"]["chess960"]["rating"] == 1600
    assert user["perfs"]["bullet"]["rating"] == shapes.UNRATED
