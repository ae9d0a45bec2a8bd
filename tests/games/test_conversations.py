"""Recorded requests of third-party programs to the gateway, sent again: the answers are the same.

Each conversation was recorded from a game of the unmodified program with a person, by `conversation`. The person
repeats their actions now.
"""

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

import pytest
from aiohttp import ClientResponse, ClientSession

from tests.games.conftest import ServerProcess
from tests.games.conversation import SOUGHT, VECTORS, meet
from tests.games.peers import gateway_to
from tests.games.person import Person, person_at
from tests.games.test_gateway import tokens

pytestmark = pytest.mark.by_default

CHALLENGED: Final = [path for path in sorted(VECTORS.glob("*.json")) if path.stem != "cli-chess"]
"""Programs that the person challenged. The user of cli-chess sought a game instead."""


@pytest.mark.parametrize("path", CHALLENGED, ids=lambda path: path.stem)
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
"""The latest moves in the stream of a game."""


async def _heard(stream: ClientResponse, moves: str) -> None:
    """Wait until the gateway, too, has the moves."""
    while _MOVES.get(stream) != moves:
        await _until(stream, '"moves"')


async def _until(stream: ClientResponse, word: str) -> str:
    """The next line of a stream with a word in it."""
    async with asyncio.timeout(240):
        while True:
            line = (await stream.content.readline()).decode()
            assert line, "the stream has ended"
            if '"moves"' in line:
                told = json.loads(line)
                _MOVES[stream] = told.get("state", told)["moves"]
            if word in line:
                return line


async def _act(person: Person, what: str, *how: Any) -> None:
    """Repeat the person's next action."""
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


async def test_a_recorded_conversation_of_one_who_seeks(server: ServerProcess) -> None:
    asked = json.loads((VECTORS / "cli-chess.json").read_text())["asked"]
    _, token = await tokens(server)("play")
    known = {"<token>": token}
    async with _program(server.url, token) as (session, streams), person_at(server.url) as person:
        state: dict[str, Any] = {"moves": ""}
        seat = next(step["person"][1] for step in asked if step.get("person", [""])[0] == "seek")

        async def moves(count: int) -> None:
            """Wait until the program has got `count` moves."""
            game = streams[f"/api/board/game/stream/{known['<room>']}"]
            while len(state["moves"].split()) != count:
                told = json.loads(await _until(game, '"moves"'))
                state.clear()
                state.update(told.get("state", told))

        for step in asked:
            if "person" in step:
                await _answer(person, *step["person"])
                if step["person"][0] == "vote":
                    state["moves"] = "no longer known"
                continue
            step = dict(step)
            for key, value in known.items():
                step |= {field: each.replace(key, value) for field, each in step.items() if isinstance(each, str)}
            if step["path"].endswith("/board/seek"):
                known["<room>"] = await _pair(session, streams, step, person, seat)
                continue
            if re.search("/(move|takeback|draw)/", step["path"]):
                table = await person.until(lambda table: table.turn != seat and table.proposal is None)
                await moves(len(table.moves))
            await _ask(session, streams, step)
        over = await person.until(lambda table: table.status == "finished")
        assert over.result is not None and over.result.winners == [seat]


async def _pair(
    session: ClientSession, streams: dict[str, ClientResponse], step: dict[str, Any], person: Person, seat: str
) -> str:
    """Make both seek until the person has the seat of the recording; returns the room. Seats are drawn."""
    while True:
        seeking = await session.post(step["path"], data=step["body"], headers={"Content-Type": step["type"]})
        assert seeking.status == step["status"]
        room, got = await person.connection.seek("standard", SOUGHT, rated=False)
        told = json.loads(await _until(streams["/api/stream/event"], '"gameStart"'))
        assert told["game"]["gameId"] == room and told["game"]["color"] != got and not told["game"]["hasMoved"]
        assert await seeking.text() == "\n", "it lasts until they are paired"
        person.room, person.table, person.frames = room, None, person.connection.follow(room)
        if got == seat:
            return room
        await person.connection.resign(room)
        await _until(streams["/api/stream/event"], '"gameFinish"')


async def _answer(person: Person, what: str, how: Any) -> None:
    """Repeat the person's actions against an opponent who sought a game."""
    if what == "move":
        table = await person.until(lambda table: how in table.position.legal_texts())
        await person.connection.move(person.room, how, table.seq)
    elif what == "vote":
        table = await person.until(lambda table: table.proposal is not None)
        assert table.proposal is not None
        await person.connection.vote(person.room, table.proposal.proposal, how)
        await person.until(lambda table: table.proposal is None)
