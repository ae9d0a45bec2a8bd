"""One computer player in one room, from the command line."""

from dataclasses import dataclass

from clients.bots.bot import Bot
from clients.bots.thinking import Workers
from clients.connection import Connection


@dataclass(frozen=True, slots=True)
class Seating:
    """Which seat of which room to take (None: the first free), at which level, and as `Bot`: how many seconds to think
    about a move at most, and at least."""

    url: str
    room: str
    seat: str | None
    level: int
    budget: float
    pace: float


async def seat_one(wish: Seating) -> None:
    """Play the seat to the end of the game, and say how it ended. Raises `ConnectionFault` or `RequestError`."""
    with Workers(1) as workers:
        async with Connection(wish.url, name=f"Level {wish.level}", bot=True) as connection:
            think = workers.player(wish.level)
            table = await Bot(connection, wish.room, wish.seat, think, budget=wish.budget, pace=wish.pace).play()
    if table is not None and table.result is not None:
        winners = ", ".join(table.result.winners) or "nobody"
        print(f"{winners} won: {table.result.reason}")
