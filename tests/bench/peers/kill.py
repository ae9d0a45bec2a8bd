"""Counts the acknowledged moves that a server loses after `kill -9` of itself and of its store."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from tests.bench.load import Load
from tests.bench.peers.players import GameTable, plies
from tests.bench.peers.servers import Server
from tests.bench.progress import track
from tests.bench.tables import Table, Tally

_ROOMS: Final = 50
_SECONDS: Final = 3.0


async def lost(server: Server, data: Path) -> tuple[int, int]:
    """The number of acknowledged moves when the server was killed, and the number lost after a restart on the same
    files."""
    with server.start(data) as running:
        load = Load(running, _ROOMS, make=server.make)
        await load.open()
        acknowledged = await _play_until_killed(load)
    with server.start(data) as running:
        kept = [await _standing(table, running.urls[0]) for table in track("coming back", acknowledged)]
    made = list(acknowledged.values())
    return sum(made), sum(max(0, moves - shown) for moves, shown in zip(made, kept, strict=True))


async def _play_until_killed(load: Load) -> dict[Table | GameTable, int]:
    """The tables still in their first game, with the acknowledged moves of their players."""
    tallies = {}
    for table in load.tables:
        table.tally = tallies[table] = Tally()
    load.pace.go()
    await asyncio.sleep(_SECONDS)
    for table in load.tables:
        table.ending = True
    load.running.kill()
    load.pace.halt()
    for table in load.tables:
        for player in table.players:
            await player.wire.ended.wait()
    return {table: tally.moves for table, tally in tallies.items() if not tally.games}


async def _standing(table: Table | GameTable, url: str) -> int:
    """The number of plies that the server at this address has of a table's game; 0 if it died while loading the
    game."""
    if isinstance(table, GameTable):
        try:
            return await table.standing(url)
        except ConnectionRefusedError:
            return 0
    player = table.players[0]
    player.url = url
    await player.connect()
    exported = await player.ask("export", room=table.room, format="fen")
    player.wire.close()
    return plies(exported["text"])
