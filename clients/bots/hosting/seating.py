"""A bot from the command line, a level or a UCI engine: in one room, or online until challenged."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace

from msgspec import structs

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.hosting.online import Seating, wait_for_games
from fourfold.clients.bots.profile import Profile
from fourfold.clients.bots.thinking import Think, Workers, random_moves
from fourfold.clients.bots.uci.driver import Engine, EngineFault
from fourfold.clients.connection import Connection
from fourfold.clients.table import Table
from fourfold.protocol.events import Result


async def seat_level(options: Seating, level: int, elo: int | None = None) -> None:
    """Play the seat at a level to the end of the game, and print the result; or be online. Level 5 can have a strength
    in Elo, which is then a part of its name.

    Raises `ConnectionFault` or `RequestError`.
    """
    name = f"Level {level}" if elo is None else f"Level {level} at {elo}"
    with Workers(1) as workers:
        think = workers.player(level, elo)
        if options.room is None:
            await wait_for_games(options, name, lambda: nullcontext(think), _report, random_moves())
        else:
            await _seat(options, options.room, name, think, random_moves())


async def seat_engine(options: Seating, profile: Profile) -> None:
    """The same with a UCI engine. Each game has its own engine process. Also raises `EngineFault`."""
    async with Engine(profile) as engine:
        if options.room is not None:
            await _seat(options, options.room, engine.name, engine.think)
            return
    plays = options.plays
    if profile.variants is not None:
        known = [each for each in profile.variants if not plays.variants or each in plays.variants]
        if not known:
            raise EngineFault(f"{engine.name} plays {', '.join(profile.variants)} alone")
        options = replace(options, plays=structs.replace(plays, variants=known))
    await wait_for_games(options, engine.name, lambda: _thinking(profile), _report)


@asynccontextmanager
async def _thinking(profile: Profile) -> AsyncIterator[Think]:
    async with Engine(profile) as engine:
        yield engine.think


async def _seat(options: Seating, room: str, name: str, think: Think, fallback: Think | None = None) -> None:
    async with Connection(options.url, name=name, token=options.token, bot=True, room=room) as connection:
        times = {"budget": options.budget, "pace": options.pace}
        bot = Bot(connection, room, options.seat, think, **times, fallback=fallback, report=_report)
        table = await bot.play()
    if table is not None and table.result is not None:
        print(f"{_who_won(table, table.result)}: {table.result.reason}")


def _report(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _who_won(table: Table, result: Result) -> str:
    """The result as a sentence. Several winners are partners, or share the first place."""
    winners = " and ".join(result.winners)
    if len(result.winners) > 1 and not table.position.rules.in_teams:
        return f"{winners} share the first place"
    return f"{winners} won" if winners else "draw"
