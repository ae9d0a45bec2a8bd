"""Dear requests are paid for as dear, and hold up nobody but who makes them; over real sockets."""

import asyncio
from collections.abc import Callable, Generator
from typing import Any

import pytest

from fourfold.engine.match import rehearse
from fourfold.server.sessions import rooms
from tests.abuse.attacks import shuffle

Dial = Any  # see conftest
Start = Callable[..., Any]


@pytest.mark.parametrize(
    ("request_", "fields", "times"),
    [
        ("check", {"variant": "survivor"}, 40),
        ("legal", {}, 160),
        ("rooms", {"limit": 100}, 60),
        ("export", {"format": "fen"}, 9),
        ("watch", {}, 160),
    ],
)
async def test_what_is_dear_is_done_more_seldom(
    dial: Dial, start: Start, request_: str, fields: dict[str, Any], times: int
) -> None:
    at = await start(max_rate=100)
    wire = await dial(at=at)
    if request_ in ("legal", "export", "watch"):
        fields = {"room": (await wire.asks("create"))["room"], **fields}
    loop = asyncio.get_running_loop()
    began = loop.time()
    for _ in range(times - 1):
        await wire.say(request_, **fields)
    assert (await wire.asks(request_, **fields))["type"] != "error"
    assert loop.time() - began > 1.0  # tokens for more than 3 s, of which 2 s are at hand


async def test_a_game_with_many_moves_holds_up_nobody(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between some of its moves and the next, everybody else has their turn."""
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
