"""An online bot: it waits for challenges, answers them, and plays several games at once.

It stores nothing: after a restart, it continues its running games.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.thinking import Think
from fourfold.clients.bots.uci.driver import EngineFault
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.streams import Stream
from fourfold.protocol.from_client import Plays
from fourfold.protocol.from_server import Challenge, Frame


@dataclass(frozen=True, slots=True)
class Waiting:
    """The options of an online bot. The server declines challenges to games outside `plays`. `budget` and `pace` are
    the most and the least seconds for a move. `fallback` is that of each `Bot`."""

    url: str
    name: str
    token: str | None = None
    plays: Plays = Plays(games=1)  # noqa: RUF009 - never changed
    budget: float = 1.0
    pace: float = 0.6
    fallback: Think | None = None


async def wait_for_games(
    options: Waiting, player: Callable[[], AbstractAsyncContextManager[Think]], say: Callable[[str], None]
) -> None:
    """Be online until cancelled. `player` creates the chooser of one game. Raises `ConnectionFault`."""
    heard = Stream[Frame]()
    token, plays = options.token, options.plays
    connection = Connection(
        options.url, name=options.name, token=token, bot=True, notice=say, heard=heard.put, plays=plays
    )
    async with connection, asyncio.TaskGroup() as tasks:
        online = _Online(options, connection, player, tasks, say)
        say(f"{connection.name} is online at {options.url}, and accepts challenges.")
        await online.resume()
        async for frame in heard:
            if isinstance(frame, Challenge):
                online.hear(frame)


class _Online:
    def __init__(
        self,
        options: Waiting,
        connection: Connection,
        player: Callable[[], AbstractAsyncContextManager[Think]],
        tasks: asyncio.TaskGroup,
        say: Callable[[str], None],
    ) -> None:
        self._options = options
        self._games = options.plays.games
        self._connection = connection
        self._player = player
        self._tasks = tasks
        self._say = say
        self._promised: set[str] = set()  # the challenges that it has accepted
        self._playing: set[str] = set()

    async def resume(self) -> None:
        """Continue the running games."""
        page = await self._connection.games(self._connection.player, limit=50)
        for game in page.games:
            if game.status == "playing":
                self._begin(game.room)

    def hear(self, challenge: Challenge) -> None:
        """Answer a challenge, or start its game."""
        id = challenge.challenge
        asked = any(one.player == self._connection.player and one.answer is None for one in challenge.seats)
        if challenge.status == "open":
            if asked and id not in self._promised:
                free = self._games is None or len(self._playing | self._promised) < self._games
                if free:
                    self._promised.add(id)
                self._tasks.create_task(self._answer(challenge, free))
            return
        self._promised.discard(id)
        if challenge.status == "accepted" and challenge.room is not None:
            self._begin(challenge.room)

    async def _answer(self, challenge: Challenge, accept: bool) -> None:
        while True:
            try:
                await self._connection.answer(challenge.challenge, accept, None if accept else "later")
            except RequestError as error:
                if error.code == "player_away" and error.retry:  # players come back one after the other
                    await asyncio.sleep(error.retry / 1000)
                    continue
                self._promised.discard(challenge.challenge)
                self._say(f"The challenge is off: {error.message}")
            return

    def _begin(self, room: str) -> None:
        if room not in self._playing:
            self._playing.add(room)
            self._tasks.create_task(self._play(room))

    async def _play(self, room: str) -> None:
        """Play one game to its end. A refusal, or a failing engine, ends this game only."""
        times = {"budget": self._options.budget, "pace": self._options.pace}
        try:
            async with self._player() as think:
                bot = Bot(
                    self._connection, room, None, think, **times, fallback=self._options.fallback, report=self._say
                )
                table = await bot.play()
            if table is not None and table.result is not None:
                self._say(f"{room} is over: {table.result.reason}")
            await self._connection.leave(room)
        except* (RequestError, EngineFault) as errors:
            self._say(f"{room}: {errors.exceptions[0]}")
            if errors.subgroup(EngineFault):
                await self._give_up(room)
        finally:
            self._playing.discard(room)

    async def _give_up(self, room: str) -> None:
        try:
            await self._connection.resign(room)
        except RequestError as error:
            self._say(f"{room}: {error}")
