"""A person who challenges a program, undoes, offers a draw, leaves, comes back and resigns; and the exchanges of both.

`python -m tests.games.conversation [PROGRAM ...]` plays with these programs, or with lichess-bot, BotLi, a script on
berserk and cli-chess, and writes their requests into `conversations`.
"""

import asyncio
import json
import secrets
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from fourfold.clients.bots.levels import chooser
from fourfold.clients.connection import Connection
from fourfold.clients.table import Table
from fourfold.protocol.from_client import Clock
from tests.games.conftest import running
from tests.games.peers import Recorder, Terminal, berserk_board, botli, cli_chess, gateway_to, lichess_bot
from tests.games.person import CLOCK, Person, person_at

VECTORS: Final = Path(__file__).parent / "conversations"

PROGRAMS: Final = {"lichess-bot": lichess_bot, "botli": botli, "berserk": berserk_board}

OPTIONS: Final[dict[str, dict[str, Any]]] = {"lichess-bot": {"max_takebacks_accepted": 1}, "botli": {}, "berserk": {}}
"""Settings that differ from the defaults: otherwise lichess-bot refuses every takeback, and the next proposal must
wait."""

SOUGHT: Final = Clock(30 * 60_000, 20_000)
"""The game that cli-chess seeks by default."""

DOWN, F1 = "\x1b[B", "\x1bOP"
"""The bytes that a terminal sends for these keys."""

PATIENCE: Final = 240
"""Seconds that a program may take for a move, on a busy machine."""


async def meet(person: Person, name: str) -> str:
    """Challenge a program by name, and sit down as white; returns the challenge's id, which is the room's."""
    made = await person.connection.challenge(name, clock=CLOCK, seat="white", rated=False)
    async with asyncio.timeout(PATIENCE):
        while (heard := await person.heard.get()).status != "accepted" or heard.challenge != made.challenge:
            pass
    await person.come(made.challenge)
    return made.challenge


async def play(person: Person, recorder: Recorder | None = None) -> Table:
    """Play with a program as black, until the person resigns."""
    connection, room, choose = person.connection, person.room, chooser(2)

    def note(*what: str | int) -> None:
        if recorder is not None:
            recorder.asked.append({"person": list(what)})

    async def moves(*plies: int) -> Table:
        for ply in plies:
            ready = lambda table, ply=ply: table.status == "playing" and len(table.moves) == ply  # noqa: E731
            table = await person.until(ready, PATIENCE)
            move = choose(table.position, 0.05)
            note("move", move)
            await connection.move(room, move, table.seq)
        return await person.until(lambda table: len(table.moves) == plies[-1] + 2, PATIENCE)

    async def propose(kind: Any, plies: int | None = None) -> Table:
        table = person.table
        assert table is not None  # there have been moves
        note("propose", kind, plies or 0)
        await connection.propose(room, kind, table.seq, plies)
        await person.until(lambda table: table.proposal is not None)
        return await person.until(lambda table: table.proposal is None, PATIENCE)

    await moves(0, 2)
    table = await propose("undo", 2)
    ply = len(table.moves)
    await moves(ply)
    table = await person.until(lambda table: len(table.moves) == ply + 2, PATIENCE)
    note("propose", "draw", 0)
    await connection.propose(room, "draw", table.seq)
    await moves(ply + 2)
    await connection.leave(room)
    note("leave")
    await person.come(room)
    note("come")
    await moves(ply + 4)
    note("resign")
    await connection.resign(room)
    return await person.until(lambda table: table.status == "finished")


async def at_the_keyboard(person: Person, program: Terminal, recorder: Recorder) -> Table:
    """Play with a user of cli-chess, who seeks a game and resigns in the end; returns the final table."""
    await recorder.until("/api/stream/event")
    await program.shows("Online Games")
    program.press(DOWN)
    program.press(F1)
    await recorder.until("/api/board/seek")
    connection = person.connection
    room, seat = await connection.seek("standard", SOUGHT, rated=False)
    person.room, person.frames = room, connection.follow(room)
    recorder.asked.append({"person": ["seek", seat]})
    await recorder.until(f"/api/board/game/stream/{room}")
    choose = chooser(1)

    async def moves(first: int, after: int) -> Table:
        for ply in range(first, after):
            ready = lambda table, ply=ply: table.status == "playing" and len(table.moves) == ply  # noqa: E731
            table = await person.until(ready, PATIENCE)
            move = choose(table.position, 0.1)
            if table.turn == seat:
                recorder.asked.append({"person": ["move", move]})
                await connection.move(room, move, table.seq)
            else:
                program.press(f"{move}\r")
        return await person.until(lambda table: len(table.moves) == after, PATIENCE)

    async def answer(kind: str, *, accept: bool) -> Table:
        table = await person.until(lambda table: table.proposal is not None)
        assert table.proposal is not None and table.proposal.kind == kind
        recorder.asked.append({"person": ["vote", accept]})
        await connection.vote(room, table.proposal.proposal, accept)
        return await person.until(lambda table: table.proposal is None)

    await moves(0, 4)
    program.press("send Good luck\r")
    await recorder.until(f"/api/board/game/{room}/chat")
    program.press("takeback\r")
    table = await answer("undo", accept=True)
    await moves(len(table.moves), 8)
    program.press("draw\r")
    await answer("draw", accept=False)
    await moves(8, 10)
    program.press("resign\r")
    return await person.until(lambda table: table.status == "finished", PATIENCE)


async def record_keyboard() -> None:
    """Play once with a user of cli-chess, and write the requests."""
    recorder = Recorder()
    with running() as server:
        async with Connection(server.url) as owner:
            await owner.register(f"Owner{secrets.token_hex(4)}")
            granted = await owner.grant("play", "cli-chess")
        place = Path(tempfile.mkdtemp(prefix="fourfold-peer-"))
        async with (
            gateway_to(server.url, recorder=recorder) as gateway,
            cli_chess(place, gateway, granted.token) as program,
            person_at(server.url) as person,
        ):
            await at_the_keyboard(person, program, recorder)
            await program.shows("resigned")
        known = {"token": granted.token, "room": person.room}
        (VECTORS / "cli-chess.json").write_text(recorder.vector("cli-chess", known))


async def record(program: str) -> None:
    """Play once, and write the requests."""
    if program == "cli-chess":
        await record_keyboard()
        return
    recorder = Recorder()
    with running() as server:
        async with Connection(server.url) as owner:
            await owner.register(f"Owner{secrets.token_hex(4)}")
            granted = await owner.grant("bot", f"Annbot{secrets.token_hex(4)}")
        place = Path(tempfile.mkdtemp(prefix="fourfold-peer-"))
        async with (
            gateway_to(server.url, recorder=recorder) as gateway,
            PROGRAMS[program](place, gateway, granted.token, 1, **OPTIONS[program]),
            person_at(server.url) as person,
        ):
            await recorder.until("/api/stream/event")
            room = await meet(person, granted.name)
            await play(person, recorder)
            await asyncio.sleep(5)  # its last output
        known = {"token": granted.token, "name": granted.name, "id": granted.name.lower(), "room": room}
        (VECTORS / f"{program}.json").write_text(recorder.vector(program, known))


if __name__ == "__main__":
    for each in sys.argv[1:] or [*PROGRAMS, "cli-chess"]:
        asyncio.run(record(each))
        print(each, len(json.loads((VECTORS / f"{each}.json").read_text())["asked"]))
