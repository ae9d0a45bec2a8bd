"""A host of bots: comes when the server calls for computer players, as many as it calls for.

It proves itself by the server's key, and each bot is a connection of its own with the identity that the server
gave it. It keeps nothing: after a crash of either side the server calls again, and the same bots come back.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.thinking import Think, Workers
from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.protocol.from_server import Summon


@dataclass(frozen=True, slots=True)
class Hosting:
    """Where to serve, with which key, in how many processes bots think, and as `Bot`: in seconds, how long about a
    move at most, how long at least, and how long they stay after a game."""

    url: str
    key: str
    workers: int = 1
    budget: float = 1.0
    pace: float = 0.6
    stay: float = 600.0


async def host(wish: Hosting, say: Callable[[str], None], until_eof: bool = False) -> None:
    """Serve until cancelled, or until standard input ends. Raises `ConnectionFault` or `RequestError` (`bad_key`)."""
    with Workers(wish.workers) as workers:
        serving = asyncio.create_task(_serve(wish, workers.player, say))
        ends = [serving]
        if until_eof:
            ends.append(asyncio.create_task(_end_of_input()))
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
        finally:
            for task in ends:
                task.cancel()
            await asyncio.gather(*ends, return_exceptions=True)


async def _serve(wish: Hosting, player: Callable[[int], Think], say: Callable[[str], None]) -> None:
    playing: dict[str, asyncio.Task[None]] = {}  # by token: a bot may change its seat, but not who it is
    async with Connection(wish.url, name="Bot host", bot=True, notice=say) as connection, asyncio.TaskGroup() as tasks:
        async for summon in await connection.serve(wish.key):
            playing = {token: task for token, task in playing.items() if not task.done()}
            if summon.token not in playing:
                playing[summon.token] = tasks.create_task(_answer(wish, summon, player(summon.level), say))


async def _answer(wish: Hosting, summon: Summon, think: Think, say: Callable[[str], None]) -> None:
    """Play one seat. What goes wrong is that seat's misfortune: the server calls again if it still waits."""
    try:
        async with Connection(wish.url, token=summon.token, bot=True) as connection:
            bot = Bot(connection, summon.room, summon.seat, think, budget=wish.budget, pace=wish.pace, stay=wish.stay)
            await bot.play()
            with suppress(RequestError):  # the room may be gone already
                await connection.leave(summon.room)
    except* (ConnectionFault, RequestError) as faults:
        for fault in faults.exceptions:
            say(f"{summon.room} {summon.seat}: {fault}")


async def _end_of_input() -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def read() -> None:
        if not os.read(sys.stdin.fileno(), 4096):
            ended.set()

    loop.add_reader(sys.stdin.fileno(), read)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(sys.stdin.fileno())
