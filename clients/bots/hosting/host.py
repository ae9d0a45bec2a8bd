"""A host of bots: seats a bot at each call of the server, and analyses positions.

The server's key identifies the host. Each bot has its own connection, with an identity from the server. The host stores
nothing: after a crash of either side, the server calls again, and the same bots return.
"""

import asyncio
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.hosting.analyst import Analyst, Answer
from fourfold.clients.bots.profile import Profile
from fourfold.clients.bots.thinking import Think, Workers, random_moves
from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.streams import Lines
from fourfold.protocol.from_server import Dismiss, Summon


@dataclass(frozen=True, slots=True)
class Hosting:
    """The server, its key, the number of thinking processes, the `budget`, `pace` and `stay` of each `Bot` in seconds,
    and the engine for analyses (None: level 5)."""

    url: str
    key: str
    workers: int = 1
    budget: float = 1.0
    pace: float = 0.6
    stay: float = 600.0
    engine: Profile | None = None


async def host(options: Hosting, say: Callable[[str], None], until_eof: bool = False) -> None:
    """Serve until cancelled, until SIGTERM, or until standard input ends. Raises `ConnectionFault` or `RequestError`
    (`bad_key`)."""
    with Workers(options.workers) as workers, Analyst(options.engine) as analyst:
        serving = asyncio.create_task(_serve(options, workers.player, analyst, say, announced=not until_eof))
        ends: list[asyncio.Task[Any]] = [serving, asyncio.create_task(_told_to_end())]
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


async def _serve(
    options: Hosting,
    player: Callable[[int], Think],
    analyst: Analyst,
    say: Callable[[str], None],
    *,
    announced: bool,
) -> None:
    playing: dict[str, asyncio.Task[None]] = {}  # by token, because a bot may change its seat, but not its identity
    connection = Connection(options.url, name="Bot host", bot=True, notice=say)
    async with connection, asyncio.TaskGroup() as tasks:
        summons = await connection.serve(options.key)
        if announced:
            say(f"Computer players for {options.url} run here.")
        tasks.create_task(_consult(connection, analyst))
        async for summon in summons:
            playing = {token: task for token, task in playing.items() if not task.done()}
            if summon.token not in playing:
                playing[summon.token] = tasks.create_task(_answer(options, summon, player(summon.level), say))


async def _answer(options: Hosting, summon: Summon, think: Think, say: Callable[[str], None]) -> None:
    """Play one seat. A fault ends this bot only; the server calls again if the seat still waits."""
    try:
        async with Connection(options.url, token=summon.token, bot=True, room=summon.room) as connection:
            times = {"budget": options.budget, "pace": options.pace, "stay": options.stay}
            bot = Bot(connection, summon.room, summon.seat, think, **times, fallback=random_moves(), report=say)
            await bot.play()
            with suppress(RequestError):  # the room may be gone already
                await connection.leave(summon.room)
    except* (ConnectionFault, RequestError) as faults:
        for fault in faults.exceptions:
            say(f"{summon.room} {summon.seat}: {fault}")
    except* Exception as faults:  # noqa: BLE001 - whatever is wrong with this bot, the others play on
        say(f"{summon.room} {summon.seat}: {''.join(traceback.format_exception(faults))}")


async def _consult(connection: Connection, analyst: Analyst) -> None:
    """Analyse positions at the server's requests. Raises the error that ends the connection."""
    answers: asyncio.Queue[Answer] = asyncio.Queue()

    async def tell() -> None:
        while True:
            answer = await answers.get()
            try:
                await connection.request(answer)
            except RequestError:
                analyst.end(answer.job)  # the job is no longer wanted

    async with asyncio.TaskGroup() as tasks:
        telling = tasks.create_task(tell())
        async for frame in connection.consultations:
            if isinstance(frame, Dismiss):
                analyst.end(frame.job)
            else:
                analyst.begin(frame, answers.put_nowait)
        telling.cancel()


async def _told_to_end() -> None:
    """Return at SIGTERM, on systems that have it, so that the child processes can end first."""
    told, loop = asyncio.Event(), asyncio.get_running_loop()
    with suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGTERM, told.set)
    await told.wait()


async def _end_of_input() -> None:
    async for _ in Lines(sys.stdin.fileno()):
        pass
