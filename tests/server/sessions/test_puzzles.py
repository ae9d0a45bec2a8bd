"""Puzzles over real sockets: the list of a game's puzzles, and the judgement of a solution."""

from typing import Any, NamedTuple

import pytest

from tests.server.bots.test_dispatch import host_of, key
from tests.server.conftest import Dial, Wire

__all__ = ["key"]

POSITION = "k7/8/8/8/8/8/5R2/K5R1 w - - 0 1"
LINE = ["f2f7", "a8b8", "g1g8"]
"""Two rooks mate in two moves. The puzzle accepts a second last move too."""

PUZZLE = {"ply": 0, "seat": "white", "position": POSITION, "goal": "mate", "line": LINE, "last": ["g1g8", "g1h1"]}
JUDGED = {
    "shares": {"white": 1.0, "black": 0.0}, "best": "Rf7", "seat": "white", "mark": "?", "remark": "Rf7 mates.",
    "out": [], "points": None,
}  # fmt: skip
SUMMARY = {"accuracy": {"white": 80.0, "black": None}, "lost": {"white": 1, "black": None}}


class Reviewed(NamedTuple):
    """A reviewed game, and its players."""

    room: str
    white: Wire
    black: Wire

    async def solve(self, by: Wire | None = None, **asked: Any) -> dict[str, Any]:
        return await (by or self.white).asks("solve", **{"room": self.room, "game": 1, "ply": 0} | asked)


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"fair_play": "account"}


@pytest.fixture
async def reviewed(dial: Dial, key: str) -> Reviewed:
    host, white, black = await host_of(dial, key), await dial(name="Ann"), await dial(name="Bob")
    room = (await white.asks("create", position=POSITION))["room"]
    await white.asks("join", room=room, seat="white")
    await black.asks("join", room=room, seat="black")
    await black.asks("resign", room=room, key="r")
    assert (await white.asks("review", room=room))["type"] == "reviewed"
    job = (await host.seen(lambda frame: frame["type"] == "examine"))["job"]
    for part in ({"judged": JUDGED}, {"summary": SUMMARY, "puzzles": [PUZZLE], "done": True}):
        assert (await host.asks("examined", job=job, **part))["type"] == "ok"
    return Reviewed(room, white, black)


async def test_the_puzzles_of_a_game_are_listed_and_whose_they_are(reviewed: Reviewed) -> None:
    for player, own in ((reviewed.white, True), (reviewed.black, False)):
        (posed,) = (await player.asks("puzzles", room=reviewed.room))["puzzles"]
        wanted = {"room": reviewed.room, "game": 1, "ply": 0, "seat": "white", "goal": "mate", "moves": 2}
        assert posed == {**wanted, "variant": "standard", "own": own}


async def test_a_right_move_is_answered_by_the_reply(reviewed: Reviewed) -> None:
    begun = await reviewed.solve(moves=[])
    assert (begun["right"], begun["done"], begun["played"], begun["turn"]) == (True, False, [], "white")
    first = await reviewed.solve(moves=LINE[:1])
    assert (first["right"], first["done"], first["played"]) == (True, False, LINE[:2])
    assert first["texts"] == ["Rf7", "Kb8"] and "g1g8" in first["legal"]
    for last in PUZZLE["last"]:
        whole = await reviewed.solve(moves=[LINE[0], last])
        assert (whole["right"], whole["done"], whole["played"], whole["legal"]) == (True, True, [*LINE[:2], last], [])


async def test_a_wrong_move_is_not_played(reviewed: Reviewed) -> None:
    for moves, played in ((["f2f6"], []), ([LINE[0], "f7f8"], LINE[:2])):
        wrong = await reviewed.solve(moves=moves)
        assert (wrong["right"], wrong["done"], wrong["played"]) == (False, False, played)


async def test_the_solution_is_shown(reviewed: Reviewed) -> None:
    shown = await reviewed.solve(by=reviewed.black, show=True)
    assert (shown["done"], shown["played"]) == (True, LINE)


async def test_unreadable_illegal_and_unknown_are_told_apart(reviewed: Reviewed) -> None:
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"moves": ["rook"]}, "unreadable", ""),
        ({"moves": ["f2e7"]}, "illegal", ""),
        ({"moves": LINE, "ply": 1}, "refused", "no_such_puzzle"),
        ({"moves": LINE, "game": 2}, "refused", "no_such_puzzle"),
        ({"moves": LINE, "room": "nowhere1"}, "refused", "no_such_room"),
    ]
    for asked, kind, code in cases:
        refused = await reviewed.solve(**asked)
        assert (refused["type"], refused["kind"]) == ("error", kind), (asked, refused)
        assert refused["code"] == (code or refused["code"])
