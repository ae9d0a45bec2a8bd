"""Players who play one game beside those of the schedule."""

import asyncio
from collections.abc import Awaitable, Callable, Container
from contextlib import suppress
from typing import Any, Final, TypeVar

from msgspec import UNSET

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_server as told
from tests.faults.guests import Guest, World

GIVEN_UP: Final = 120.0
"""Seconds in which players who want the same must get it, in spite of all faults."""

AGAIN: Final = 0.3
"""Seconds until a request is repeated."""

MOVES: Final = 4
"""Moves that somebody makes before they resign."""


class Passer(Guest):
    """Somebody who plays one game for a few moves, and then resigns."""

    def __init__(self, world: World, kind: str, **options: Any) -> None:
        super().__init__(world, kind, **options)
        self.challenges: asyncio.Queue[told.Challenge] = asyncio.Queue()

    def stop(self) -> None:
        """Look at the room no more."""
        for task in self._tasks:
            task.cancel()
        self.table = None

    def receive(self, message: Any) -> None:
        """See `Guest`."""
        if isinstance(message, told.Challenge) and message.id is UNSET:  # no answer to a request of this guest
            self.challenges.put_nowait(message)

    async def play(self) -> None:
        """Play on until the game is over, or its room is lost with what a store lost that went back."""
        moved = 0
        while not self.lost and (self.table is None or self.table.status != "finished"):
            turn = self.turn
            if turn is not None and turn.legal:
                self.turn = None
                with suppress(RequestError):
                    if moved == MOVES:
                        await self.connection.resign(self.room)
                    else:
                        await self.connection.move(self.room, self.chance.choice(turn.legal), turn.seq)
                        moved += 1
            await self.changed(self.chance.uniform(0.05, 0.5))

    async def play_for(self, plies: int) -> None:
        """Play until the game is over or has this many plies."""
        playing = asyncio.create_task(self.play())
        try:
            while not playing.done() and (self.table is None or len(self.table.moves) < plies):
                await self.changed(1)
        finally:
            playing.cancel()

    @property
    def lost(self) -> bool:
        """Whether the room no longer exists."""
        error = self._tasks[0].exception() if self._tasks and self._tasks[0].done() else None
        return isinstance(error, RequestError) and error.code == "no_such_room"

    @property
    def sits(self) -> bool:
        """Whether this guest has a seat, as far as they know."""
        if self.lost:
            return False
        return self.table is None or any(seat.player == self.connection.player for seat in self.table.seats.values())

    async def begun(self) -> bool:
        """Wait until the game begins; False if the seat is lost before, with what a store lost that went back."""
        while self.table is None or self.table.status == "open":
            if not self.sits:
                return False
            await self.changed(1)
        return True


_T = TypeVar("_T")


async def insist(ask: Callable[[], Awaitable[_T]], again: Container[str] = ("unavailable",)) -> _T:
    """The answer to a request, which is repeated while it is refused with one of these codes."""
    while True:
        try:
            return await ask()
        except RequestError as error:
            if error.code not in again:
                raise
            await asyncio.sleep(AGAIN)  # paces the attempts
