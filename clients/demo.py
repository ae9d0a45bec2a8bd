"""`fourfold demo`, `watch` and `export`: a whole game between bots with a connection each, a spectator's view, and a
game as text."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.levels import chooser
from fourfold.clients.bots.thinking import in_thread
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.following import Following
from fourfold.clients.terminal.text.spectator import SpectatorView
from fourfold.clients.transcript import Recorder
from fourfold.clients.websocket import room_url
from fourfold.engine.variants import player_seats

_TICK = 1.0
"""Seconds between two redraws of the clocks of a watched game."""


async def demo(
    url: str, variant: str, levels: Sequence[int], *, seed: int | None, pace: float, record: Path | None
) -> None:
    """Open a room on a server, seat a bot at every seat, and show the game to its end.

    * `levels`: the bots' levels, in the order of seats, repeated as needed.
    * `seed`: makes the game reproducible; without it, every game is different.
    * `pace`: seconds before each move.
    * `record`: a folder for transcripts of all clients.

    Raises `ConnectionFault` or `RequestError`, in an exception group once the game has started.
    """
    async with AsyncExitStack() as stack:
        show = stack.enter_context(SpectatorView(sys.stdout, sys.stderr))
        recorder = stack.enter_context(Recorder(record))
        host = await stack.enter_async_context(
            Connection(url, name="Spectator", observe=recorder.observer("watcher"), notice=show.notice)
        )
        by_seat = dict(zip(player_seats(variant), cycle(levels), strict=False))
        players = {
            seat: await stack.enter_async_context(
                Connection(url, name=f"Demo level {level}", bot=True, observe=recorder.observer(seat))
            )
            for seat, level in by_seat.items()
        }
        # All are connected now. From here on they reconnect after an outage.
        room = await host.create(variant)
        show.line(f"room {room} {room_url(url, room)}")
        async with asyncio.TaskGroup() as tasks:
            frames = host.follow(room)
            for seat, player in players.items():
                choose = chooser(by_seat[seat], None if seed is None else f"{seed} {seat}")
                tasks.create_task(Bot(player, room, seat, in_thread(choose), pace=pace).play())
            await _see(show, frames)


async def watch(url: str, room: str, record: Path | None) -> None:
    """Show a room until its game ends. Raises `ConnectionFault` or `RequestError`."""
    with SpectatorView(sys.stdout, sys.stderr) as show, Recorder(record) as recorder:
        observe = recorder.observer("watcher")
        async with Connection(url, name="Spectator", observe=observe, notice=show.notice, room=room) as connection:
            await _see(show, connection.follow(room))


async def export(url: str, room: str, format: str | None) -> None:
    """Print a room's game, as `text_of` gives it. Raises `ConnectionFault` or `RequestError`."""
    async with Connection(url, name="Spectator") as connection:
        text = await text_of(connection, room, format)
    print(text, end="")


async def text_of(connection: Connection, room: str, format: str | None) -> str:
    """The text of a game or study in a format. It ends with a line feed. The default format is PGN, or PGN4 for a
    game that PGN cannot express. Raises `ConnectionFault` or `RequestError`."""
    try:
        text = await connection.export(room, format or "pgn")
    except RequestError as error:
        if format is not None or error.code != "no_such_format":
            raise
        text = await connection.export(room, "pgn4")
    return text if text.endswith("\n") else f"{text}\n"


async def _see(show: SpectatorView, frames: Following) -> None:
    ticking = asyncio.create_task(_tick(show))
    try:
        async for frame in frames:
            if not show.see(frame):
                return
    finally:
        ticking.cancel()


async def _tick(show: SpectatorView) -> None:
    """Redraw the clocks until cancelled."""
    while True:
        await asyncio.sleep(_TICK)
        show.tick()
