"""A costly request delays only the client that makes it; over real sockets."""

import asyncio
from collections.abc import Generator
from typing import Any

import pytest

from fourfold.engine.match import rehearse
from fourfold.server.sessions import rooms
from tests.abuse.attacks import shuffle

Dial = Any  # see conftest


async def test_a_game_with_many_moves_holds_up_nobody(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between some of its moves and the next, all other tasks run."""
    turn, made = 0, list[int]()

    async def others() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    def observed(command: Any) -> Generator[None, None, Any]:
        rehearsal = rehearse(command)
        while True:
            try:
                yield next(rehearsal)
            except StopIteration as end:
                return end.value
            made.append(turn)

    monkeypatch.setattr(rooms, "rehearse", observed)
    wire, moves = await dial(), shuffle()
    task = asyncio.create_task(others())
    try:
        room = (await wire.asks("create", moves=moves))["room"]
    finally:
        task.cancel()
    assert (await wire.asks("watch", room=room))["moves"] == moves
    assert len(made) == len(moves)
    assert len(set(made)) >= len(moves) // 10
