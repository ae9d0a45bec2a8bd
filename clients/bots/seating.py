"""One bot in one room, from the command line: a level of ours, or any UCI engine."""

from dataclasses import dataclass

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.profile import Profile
from fourfold.clients.bots.thinking import Think, Workers
from fourfold.clients.bots.uci import Engine
from fourfold.clients.connection import Connection
from fourfold.clients.table import Table
from fourfold.protocol.events import Result


@dataclass(frozen=True, slots=True)
class Seating:
    """The seat of a room to take (None: the first free), and the `budget` and `pace` of its `Bot`, in seconds. With an
    access `token` it plays under the name of that token's player."""

    url: str
    room: str
    seat: str | None
    budget: float
    pace: float
    token: str | None = None


async def seat_level(options: Seating, level: int) -> None:
    """Play the seat at a level to the end of the game, and say how it ended.

    Raises `ConnectionFault` or `RequestError`.
    """
    with Workers(1) as workers:
        await _seat(options, f"Level {level}", workers.player(level))


async def seat_engine(options: Seating, profile: Profile) -> None:
    """The same with a UCI engine. Raises `EngineFault` as well."""
    async with Engine(profile) as engine:
        await _seat(options, engine.name, engine.think)


async def _seat(options: Seating, name: str, think: Think) -> None:
    url, room, token = options.url, options.room, options.token
    async with Connection(url, name=name, token=token, bot=True, room=room) as connection:
        bot = Bot(connection, options.room, options.seat, think, budget=options.budget, pace=options.pace)
        table = await bot.play()
    if table is not None and table.result is not None:
        print(f"{_who_won(table, table.result)}: {table.result.reason}")


def _who_won(table: Table, result: Result) -> str:
    """The result as a sentence. Several winners are partners, or share the first place."""
    winners = " and ".join(result.winners)
    if len(result.winners) > 1 and not table.position.rules.in_teams:
        return f"{winners} share the first place"
    return f"{winners} won" if winners else "draw"
