"""The explorer over a socket: the moves played from a position, and who may see them."""

from typing import Any

import pytest

from fourfold.server.archive import database
from tests.each import each
from tests.server.conftest import Dial, Wire, left

pytestmark = pytest.mark.archiving

assert database.HEAD, "loaded before the first test, which would otherwise wait for it"


async def play(white: Wire, black: Wire, move: str, **terms: Any) -> str:
    """White plays a move, and Black resigns."""
    room: str = (await white.asks("create", **terms))["room"]
    await white.asks("join", room=room, seat="white")
    seq = (await black.asks("join", room=room, seat="black"))["seq"]
    await white.asks("move", room=room, move=move, seq=seq, key="m")
    await black.asks("resign", room=room, key="r")
    return room


async def test_what_was_played_from_a_position(dial: Dial, common_url: str) -> None:
    ann, bob, eve = await dial(name="Ann"), await dial(name="Bob"), await dial()
    rooms = [await play(ann, bob, "g1f3"), await play(bob, ann, "g1f3"), await play(ann, bob, "e2e4")]
    rooms.append(await play(ann, bob, "d2d4", visibility="private"))
    for room in rooms:
        await left(common_url, room)
    for asked in ({}, {"position": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 30"}):
        found = await eve.asks("explore", **asked)
        assert found["games"] == 3
        assert [(move["move"], move["text"], move["games"], move["drawn"]) for move in found["moves"]] == [
            ("g1f3", "Nf3", 2, 0),
            ("e2e4", "e4", 1, 0),
        ]
        assert found["moves"][0]["seats"] == [
            {"seat": "white", "won": 2, "place": 1.0, "points": None},
            {"seat": "black", "won": 0, "place": 2.0, "points": None},
        ]
    after = await eve.asks("explore", moves=["e2e4"])
    assert (after["games"], after["moves"]) == (0, [])
    assert after["position"].startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b")
    four = await eve.asks("explore", variant="ffa", position="modern", moves=["h2h3"])
    assert (four["variant"], four["games"]) == ("ffa", 0)


@pytest.mark.slow
async def test_what_was_played_from_a_position_of_a_room(dial: Dial, common_url: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    room = await play(ann, bob, "g1f3", visibility="private")
    seen = await play(bob, ann, "g1f3")
    for one in (room, seen):
        await left(common_url, one)
    for asked in (room, seen):
        found = await ann.asks("explore", room=asked, ply=0)
        assert [(move["move"], move["games"]) for move in found["moves"]] == [("g1f3", 1)]  # the private one is not
    for ply in (1, 9, None):  # no other move follows the first
        assert (await ann.asks("explore", room=seen, ply=ply))["games"] == 0
    after = await ann.asks("explore", room=seen, ply=0, moves=["e2e4", "e7e5"])
    assert after["position"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")
    assert (await ann.asks("explore", room=seen, ply=1, moves=["e2e4"]))["code"] == "not_your_piece"
    assert (await ann.asks("explore", room="nowhere2"))["code"] == "no_such_room"


@each(
    ("asked", "code"),
    [
        ({"variant": "shogi"}, "unknown_variant"),
        ({"position": "8/8/8/8/8/8/8/8 w - - 0 1"}, "invalid_setup"),
        ({"position": "nonsense/"}, "invalid_fen"),
        ({"moves": ["e2e4", "e2e4"]}, "no_piece"),
        ({"moves": ["f2f3", "e7e5", "g2g4", "d8h4", "a2a3"]}, "game_over"),
    ],
)
async def test_what_is_no_position(dial: Dial, asked: dict[str, Any], code: str) -> None:
    wire = await dial()
    answer = await wire.asks("explore", **asked)
    assert (answer["type"], answer["code"]) == ("error", code)


async def test_the_end_of_a_game_has_no_moves(dial: Dial) -> None:
    wire = await dial()
    answer = await wire.asks("explore", moves=["f2f3", "e7e5", "g2g4", "d8h4"])
    assert (answer["games"], answer["moves"]) == (0, [])
