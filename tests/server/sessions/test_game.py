"""Requests about a game over a socket: its whole text, or a past position."""

import pytest

from tests.server.conftest import Dial, Wire

MOVES = ["e2e4", "e7e5", "g1f3"]

FEN = {
    0: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    2: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    3: "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    1500: "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
}


async def played(dial: Dial) -> tuple[Wire, str]:
    """A game of some moves that one player has resigned, and the connection of that player."""
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    room: str = (await ann.asks("create", moves=MOVES))["room"]
    for wire in (ann, bob):
        await wire.asks("join", room=room)
    await ann.asks("resign", room=room, key="r")
    return ann, room


@pytest.mark.parametrize("ply", FEN)
async def test_a_position_of_a_game_is_exported(dial: Dial, ply: int) -> None:
    ann, room = await played(dial)
    reply = await ann.asks("export", room=room, format="fen", ply=ply)
    assert (reply["type"], reply["text"]) == ("exported", FEN[ply])


async def test_no_part_of_a_game_is_exported(dial: Dial) -> None:
    ann, room = await played(dial)
    reply = await ann.asks("export", room=room, format="pgn", ply=2)
    assert reply["code"] == "no_such_format"
    assert (await ann.asks("export", room=room, format="fen", ply=1501))["code"] == "bad_field"
