"""Past positions are the ones that were played, whichever players left before or since."""

import random

import pytest

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match import State, decide, evolve
from fourfold.engine.match.commands import Command, Create, Move, Resign, Sit
from fourfold.server.rooms.past import AT_ONCE, position_at
from fourfold.server.yielding_lock import YieldingLock

MOVES = 4 * AT_ONCE
LEFT = 2 * AT_ONCE + 3
"""The numbers of moves after which a player of four leaves."""


def carried_out(state: State | None, command: Command, by: str) -> State:
    events = decide(state, command, by, 0)
    assert not isinstance(events, Rejection), events
    return evolve(state, Decision(1 if state is None else state.seq + 1, 0, by, "", events))


def played(variant: str, players: str) -> tuple[State, list[str], str]:
    """A game in which the last of four leaves: its end, its positions by ply, and the one before that player left."""
    state = carried_out(None, Create(variant), "a")
    for player in players:
        state = carried_out(state, Sit(player), player)
    chance, positions, before = random.Random(1), [state.position.fen()], ""
    for ply in range(1, MOVES + 1):
        position = state.position
        state = carried_out(state, Move(chance.choice(position.legal_texts()), state.seq), players[position.turn])
        if ply == LEFT and len(players) == 4:
            before = state.position.fen()
            state = carried_out(state, Resign(), players[-1])
        positions.append(state.position.fen())
    return state, positions, before


@pytest.mark.parametrize(("variant", "players"), [("standard", "ab"), ("survivor", "abcd")])
async def test_each_position_is_that_which_was_played(variant: str, players: str) -> None:
    state, positions, before = played(variant, players)
    lock = YieldingLock()
    assert [(await position_at(state, ply, lock)).fen() for ply in range(MOVES + 1)] == positions
    assert [(await position_at(state, ply, lock)).fen() for ply in (None, MOVES + 9)] == [positions[-1]] * 2
    if before:
        assert before != positions[LEFT]
        assert (await position_at(state, LEFT, lock, left=False)).fen() == before
        assert (await position_at(state, LEFT + 1, lock, left=False)).fen() == positions[LEFT + 1]


async def test_nobody_waits_for_many_moves_at_once() -> None:
    state, _, _ = played("standard", "ab")
    pieces = 0

    class Counting(YieldingLock):
        async def __aenter__(self) -> None:
            nonlocal pieces
            pieces += 1
            await super().__aenter__()

    await position_at(state, 3 * AT_ONCE - 1, Counting())
    assert pieces == 3
    await position_at(state, MOVES, Counting())
    assert pieces == 3, "it is cached"
