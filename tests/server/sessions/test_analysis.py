"""Which positions are analysed, and for which players they are not."""

from pathlib import Path
from typing import Any

import pytest

from tests.each import each
from tests.server.bots.test_analysts import given
from tests.server.bots.test_dispatch import host_of, key

__all__ = ["key"]

Dial = Any  # see conftest

GAME = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7")


async def game(dial: Dial, *moves: str, **terms: Any) -> tuple[str, Any, Any]:
    white, black = await dial(name="Ann"), await dial(name="Bob")
    room = (await white.asks("create", moves=list(moves), **terms))["room"]
    await white.asks("join", room=room, seat="white")
    await black.asks("join", room=room, seat="black")
    return room, white, black


@each(
    ("asked", "code"),
    [
        ({"room": "nowhere2"}, "no_such_room"),
        ({"variant": "shogi"}, "unknown_variant"),
        ({"position": "8/8/8/8/8/8/8/8 w - - 0 1"}, "invalid_setup"),
        ({"moves": ["e2e4", "e2e4"]}, "no_piece"),
        ({"moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}, "game_over"),
        ({"lines": 0}, "bad_field"),
        ({"ms": 3_600_000}, "bad_field"),
    ],
)
async def test_what_is_not_analysed(dial: Dial, asked: dict[str, Any], code: str) -> None:
    wire = await dial()
    answer = await wire.asks("analyse", key="a", **asked)
    assert (answer["type"], answer["code"]) == ("error", code)


async def test_a_position_of_a_room(dial: Dial, key: str) -> None:
    host = await host_of(dial, key)
    room, _, _ = await game(dial, *GAME, visibility="private")
    eve = await dial()
    assert (await eve.asks("analyse", room=room, ply=1, key="a"))["type"] == "ok"
    assert (await given(host))["position"].startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b")


async def test_those_who_watch_late_ask_about_what_they_see(dial: Dial, key: str) -> None:
    host = await host_of(dial, key)
    room, white, _ = await game(dial, "e2e4", "e7e5", delay=900_000)
    await white.asks("move", room=room, move="g1f3", seq=3, key="m")
    eve = await dial()
    assert (await eve.asks("analyse", room=room, key="a"))["type"] == "ok"
    assert " w " in (await given(host))["position"]


@pytest.mark.parametrize("seat", ["white", "black"])
async def test_players_are_not_helped_in_their_game(dial: Dial, tmp_path: Path, seat: str) -> None:
    room, white, black = await game(dial, *GAME)
    player = {"white": white, "black": black}[seat]
    near = [{"room": room}, {"moves": list(GAME)}, {"moves": list(GAME[:-2])}, {"moves": [*GAME, "f1e1", "b7b5"]}]
    for asked in near:
        answer = await player.asks("analyse", key="a", **asked)
        assert (answer["type"], answer["code"]) == ("error", "fair_play"), asked
        assert room in answer["message"]
    for asked in ({"room": room, "ply": 0}, {"variant": "ffa"}, {"moves": ["d2d4", "d7d5"]}):
        answer = await player.asks("analyse", key="a", **asked)
        assert answer["type"] == "ok", (asked, answer)
    eve = await dial()
    assert (await eve.asks("analyse", room=room, key="a"))["type"] == "ok"
    await black.asks("resign", room=room, key="r")
    assert (await player.asks("analyse", room=room, key="a"))["type"] == "ok"
