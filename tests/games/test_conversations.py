"""What programs of others have asked of the gateway, asked again: it is answered as it was then.

Each conversation was recorded from a game of the unmodified program with a person, by `conversation`. The person does
now what that person did.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

import pytest
from aiohttp import ClientResponse, ClientSession

from tests.games.conftest import ServerProcess
from tests.games.conversation import VECTORS, meet
from tests.games.peers import gateway_to
from tests.games.person import Person, person_at
from tests.games.test_gateway import tokens


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.json")), ids=lambda path: path.stem)
async def test_a_recorded_conversation(path: Any, server: ServerProcess) -> None:
    asked = json.loads(path.read_text())["asked"]
    name, token = await tokens(server)(name=f"Annbot{secrets.token_hex(4)}")
    known = {"<token>": token, "<name>": name, "<id>": name.lower()}
    async with _program(server.url, token) as (session, streams), person_at(server.url) as person:

        meeting: asyncio.Task[str] | None = None

        def game() -> ClientResponse:
            return next(stream for path, stream in streams.items() if path.endswith(f"/game/stream/{known['<room>']}"))

        for step in asked:
            if "person" in step:
                await _act(person, *step["person"])
                continue
            step = dict(step)
            for key, value in known.items():
                step |= {field: each.replace(key, value) for field, each in step.items() if isinstance(each, str)}
            if step["path"].endswith("/accept") and "<room>" in step["path"]:
                meeting = asyncio.create_task(meet(person, name))
                told = json.loads(await _until(streams["/api/stream/event"], '"challenge"'))
                known["<room>"] = told["challenge"]["id"]
                step["path"] = step["path"].replace("<room>", known["<room>"])
            if "/move/" in step["path"] and step["status"] == 200:
                table = await person.until(lambda table: table.turn == "black")
                await _heard(game(), " ".join(table.moves))
            for kind in ("takeback", "draw"):
                if f"/{kind}/" in step["path"] and step["status"] == 200:
                    await _until(game(), f'"w{kind}"')
            await _ask(session, streams, step)
            if meeting is not None and step["path"].endswith("/accept"):
                await meeting
        over = await person.until(lambda table: table.status == "finished")
        assert over.result is not None and over.result.winners == ["black"]
        last = json.loads(await _until(game(), '"resign"'))
        assert last["moves"].split() == list(over.moves)
        assert await game().content.read() in (b"", b"\n")


@asynccontextmanager
async def _program(url: str, token: str) -> AsyncIterator[tuple[ClientSession, dict[str, ClientResponse]]]:
    headers = {"Authorization": f"Bearer {token}"}
    async with gateway_to(url) as gateway, ClientSession(gateway, headers=headers) as session:
        streams: dict[str, ClientResponse] = {}
        yield session, streams
        for stream in streams.values():
            stream.close()


async def _ask(session: ClientSession, streams: dict[str, ClientResponse], step: dict[str, Any]) -> None:
    heads = {"Content-Type": step["type"]} if step.get("type") else {}
    response = await session.request(step["method"], step["path"], data=step.get("body"), headers=heads)
    assert response.status == step.get("status", 200), (step, await response.text())
    if "/stream/" in step["path"]:
        streams[step["path"]] = response
    else:
        json.loads(await response.text())


_MOVES: Final[WeakKeyDictionary[ClientResponse, str]] = WeakKeyDictionary()
"""The moves that the stream of a game has told of last."""


async def _heard(stream: ClientResponse, moves: str) -> None:
    """Wait until the gateway, too, has heard of the moves."""
    while _MOVES.get(stream) != moves:
        await _until(stream, '"moves"')


async def _until(stream: ClientResponse, word: str) -> str:
    """The next line of a stream with a word in it."""
    async with asyncio.timeout(30):
        while True:
            line = (await stream.content.readline()).decode()
            assert line, "the stream has ended"
            if '"moves"' in line:
                told = json.loads(line)
                _MOVES[stream] = told.get("state", told)["moves"]
            if word in line:
                return line


async def _act(person: Person, what: str, *how: Any) -> None:
    """Do what the person did then."""
    connection, room = person.connection, person.room
    match what, how:
        case "move", (move,):
            table = await person.until(lambda table: table.turn == "white" and not table.votes_on_line)
            await connection.move(room, move, table.seq)
        case "propose", (kind, plies):
            table = await person.until(lambda table: table.turn == "white")
            await connection.propose(room, kind, table.seq, plies or None)
            if kind == "undo":
                await person.until(lambda table: table.proposal is not None)
        case "leave", ():
            await connection.leave(room)
        case "come", ():
            await person.come(room)
        case _:
            await connection.resign(room)
