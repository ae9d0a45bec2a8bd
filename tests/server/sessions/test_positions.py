"""The position that a request names: directly or in a room's game, and then after more moves."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match import State, decide, evolve
from fourfold.engine.match.commands import Command, Create, Move, Resign, Sit
from fourfold.protocol.from_client import Explore
from fourfold.server.limits.refused import RequestRejected
from fourfold.server.sessions.positions import asked
from fourfold.server.yielding_lock import YieldingLock

MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def after(*commands: tuple[str, Command]) -> State:
    """The match after some players' commands."""
    state: State | None = None
    for seq, (by, command) in enumerate([("a", Create("standard")), ("a", Sit("A")), ("b", Sit("B")), *commands], 1):
        if state is not None and isinstance(command, Move):
            command = replace(command, seq=state.seq)
        events = decide(state, command, by, 0)
        assert not isinstance(events, Rejection), events
        state = evolve(state, Decision(seq, 0, by, "", events))
    assert state is not None
    return state


async def found(state: State | None = None, **fields: Any) -> str:
    """The FEN for a request, or the code of the refusal."""

    async def room(_: Any) -> Any:
        return SimpleNamespace(feed=SimpleNamespace(shown_to=lambda _: state))

    services = SimpleNamespace(long_work=YieldingLock())
    session: Any = SimpleNamespace(room=room, player_id="a", services=services)
    try:
        position = await asked(session, Explore(room=None if state is None else "room", **fields))
    except RequestRejected as error:
        return error.rejection.code
    return position.fen().split()[0]


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, START),
        ({"moves": ["e2e4"]}, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"),
        ({"position": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "moves": ["e1g1"]}, "4k3/8/8/8/8/8/8/5RK1"),
        ({"position": "4k3/8"}, "invalid_fen"),
        ({"position": "8/8/8/8/8/8/8/4K3 w - - 0 1"}, "invalid_setup"),
        ({"moves": ["e2e9"]}, "bad_destination"),
        ({"moves": ["e2e5"]}, "cannot_move_there"),
        ({"moves": [*MATE, "a2a3"]}, "game_over"),
    ],
)
async def test_a_position_that_is_named(fields: dict[str, Any], expected: str) -> None:
    assert await found(**fields) == expected


async def test_a_position_of_a_game() -> None:
    game = after(*(("ab"[ply % 2], Move(text, 0)) for ply, text in enumerate(("e2e4", "e7e5"))))
    assert await found(game, ply=0) == START
    assert await found(game) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    assert await found(game, ply=1, moves=["c7c5"]) == "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR"


async def test_the_end_of_a_game_by_a_player_who_left_it_is_as_it_was_before() -> None:
    game = after(("a", Move("e2e4", 0)), ("b", Resign()))
    assert await found(game, moves=["e7e5"]) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    mate = after(*(("ab"[ply % 2], Move(text, 0)) for ply, text in enumerate(MATE)))
    assert await found(mate, moves=["a2a3"]) == "game_over", "nobody has left it"
