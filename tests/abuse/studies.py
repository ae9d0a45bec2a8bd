"""Attacks with large studies, and with many rooms."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from websockets.asyncio.client import ClientConnection

from tests.abuse.connections import Got, ask, dialled, every

SHUFFLE = "1. e4 e5 " + " ".join(f"{n}. Ke2 Ke7 {n + 1}. Ke1 Ke8" for n in range(2, 290, 2))


async def _large_study(connection: ClientConnection) -> str:
    """A study of some 3,500 moves and 130 kB of comments that everybody may change; its id."""
    await ask(connection, "hello")
    source = {"text": SHUFFLE[:7900] + " *"}
    room: str = (await ask(connection, "study", source=source, visibility="link", write="everybody"))["room"]
    for _ in range(5):
        await _edit(connection, room, type="add_chapters", source=source)
    for node in range(1, 28):
        await _edit(connection, room, type="comment", chapter=1, node=node, text="x" * 4900)
    return room


async def _edit(connection: ClientConnection, room: str, **change: Any) -> str:
    reply = await ask(connection, "edit", room=room, change=change)
    return str(reply.get("code", reply["type"]))


def _at_a_study(attacker: Callable[[ClientConnection, str, Got], Awaitable[None]], many: int) -> Any:
    """Many connections that do the same with one large study."""

    async def attack(url: str, got: Got) -> None:
        async with dialled(url) as owner:
            room = await _large_study(owner)

            async def one() -> None:
                async with dialled(url) as connection:
                    await ask(connection, "hello")
                    await attacker(connection, room, got)

            await every(*(one() for _ in range(many)))

    return attack


async def _large(connection: ClientConnection, got: Got, type: str, **fields: Any) -> None:
    """A request with a large reply, which is counted but not read."""
    await connection.send(json.dumps({"type": type, "id": 2, **fields}))
    while not (data := str(await connection.recv())).endswith('"id":2}'):
        pass
    got[data[9 : data.index('"', 9)]] += 1


async def _watch(connection: ClientConnection, room: str, got: Got) -> None:
    while True:
        await _large(connection, got, "watch", room=room)


async def _export(connection: ClientConnection, room: str, got: Got) -> None:
    """Change a chapter before each export, so that it is written again."""
    for number in count():
        got[await _edit(connection, room, type="comment", chapter=2, node=1, text=f"{number}")] += 1
        await _large(connection, got, "export", room=room, format="pgn")


async def _write(connection: ClientConnection, room: str, got: Got) -> None:
    for number in count():
        text = f"{number}".ljust(4900, "x")
        got[await _edit(connection, room, type="comment", chapter=1, node=1, text=text)] += 1


watch_studies = _at_a_study(_watch, 30)
export_studies = _at_a_study(_export, 10)
write_studies = _at_a_study(_write, 20)


async def follow_rooms(url: str, got: Got) -> None:
    """Many connections follow as many busy rooms as they can."""
    async with dialled(url) as host:
        await ask(host, "hello")
        for _ in range(60):
            await ask(host, "create", variant="ffa")
        rooms = [one["room"] for one in (await ask(host, "rooms", limit=100))["rooms"]]
        assert rooms

        async def follow() -> None:
            async with dialled(url) as connection:
                await ask(connection, "hello")
                while True:
                    for room in rooms:
                        reply = await ask(connection, "watch", room=room)
                        got[reply.get("code", reply["type"])] += 1

        async def stir() -> None:
            while True:
                for room in rooms:
                    for type in ("join", "leave"):
                        reply = await ask(host, type, room=room)
                        got[reply.get("code", reply["type"])] += 1
                await asyncio.sleep(0)

        await every(stir(), *(follow() for _ in range(30)))
