"""One program in one room, from the command line: a level of ours, or anybody's UCI engine."""

from dataclasses import dataclass

from clients.bots.bot import Bot
from clients.bots.profile import Profile
from clients.bots.thinking import Think, Workers
from clients.bots.uci import Engine
from clients.connection import Connection


@dataclass(frozen=True, slots=True)
class Seating:
    """Which seat of which room to take (None: the first free), and as `Bot`: how many seconds to think about a move at
    most, and at least."""

    url: str
    room: str
    seat: str | None
    budget: float
    pace: float


async def seat_level(wish: Seating, level: int) -> None:
    """Play the seat at a level to the end of the game, and say how it ended.

    Raises `ConnectionFault` or `RequestError`.
    """
    with Workers(1) as workers:
        await _seat(wish, f"Level {level}", workers.player(level))


async def seat_engine(wish: Seating, profile: Profile) -> None:
    """The same with a UCI engine. Raises `EngineFault` as well."""
    async with Engine(profile) as engine:
        await _seat(wish, engine.name, engine.think)


async def _seat(wish: Seating, name: str, think: Think) -> None:
    async with Connection(wish.url, name=name, bot=True) as connection:
        table = await Bot(connection, wish.room, wish.seat, think, budget=wish.budget, pace=wish.pace).play()
    if table is not None and table.result is not None:
        winners = ", ".join(table.result.winners) or "nobody"
        print(f"{winners} won: {table.result.reason}")
