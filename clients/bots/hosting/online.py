"""An online bot: it waits for challenges, answers them, and plays several games at once.

It stores nothing: after a restart, it continues its running games.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.thinking import Think
from fourfold.clients.bots.uci.driver import EngineFault
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.streams import Stream
from fourfold.protocol.from_client import Plays
from fourfold.protocol.from_server import Challenge, Frame


@dataclass(frozen=True, slots=True)
class Seating:
    """The options of a bot: the seat of a room (None: the first free), and the most and the least seconds for a move
    (`budget` and `pace`). With an access `token` it plays as that token's player. Without a room it is online: the
    server declines challenges to games outside `plays`."""

    url: str
    room: str | None
    seat: str | None
    budget: float
    pace: float
    token: str | None = None
    plays: Plays = Plays(games=1)  # noqa: RUF009 - never changed


async def wait_for_games(
    options: Seating,
    name: str,
    player: Callable[[], AbstractAsyncContextManager[Think]],
    say: Callable[[str], None],
    fallback: Think | None = None,
) -> None:
    """Be online until cancelled. `player` creates the chooser of one game, and `fallback` is that of each `Bot`. Raises
    `ConnectionFault`."""
    heard = Stream[Frame]()
    token, plays = options.token, options.plays
    connection = Connection(options.url, name=name, token=token, bot=True, notice=say, heard=heard.put, plays=plays)
    async with connection, asyncio.TaskGroup() as tasks:
        online = _Online(options, connection, player, tasks, say, fallback)
        say(f"{connection.name} is online at {options.url}, and accepts challenges.")
        await online.resume()
        async for frame in heard:
            if isinstance(frame, Challenge):
                online.hear(frame)


@dataclass
class _Online:
    options: Seating
    connection: Connection
    player: Callable[[], AbstractAsyncContextManager[Think]]
    tasks: asyncio.TaskGroup
    say: Callable[[str], None]
    fallback: Think | None
    promised: set[str] = field(default_factory=set)
    """The challenges that it has accepted."""
    playing: set[str] = field(default_factory=set)

    async def resume(self) -> None:
        """Continue the running games."""
        page = await self.connection.games(self.connection.player, limit=50)
        for game in page.games:
            if game.status == "playing":
                self._begin(game.room)

    def hear(self, challenge: Challenge) -> None:
        """Answer a challenge, or start its game."""
        id = challenge.challenge
        asked = any(one.player == self.connection.player and one.answer is None for one in challenge.seats)
        if challenge.status == "open":
            if asked and id not in self.promised:
                most = self.options.plays.games
                free = most is None or len(self.playing | self.promised) < most
                if free:
                    self.promised.add(id)
                self.tasks.create_task(self._answer(challenge, free))
            return
        self.promised.discard(id)
        if challenge.status == "accepted" and challenge.room is not None:
            self._begin(challenge.room)

    async def _answer(self, challenge: Challenge, accept: bool) -> None:
        while True:
            try:
                await self.connection.answer(challenge.challenge, accept, None if accept else "later")
            except RequestError as error:
                if error.code == "player_away" and error.retry:  # players come back one after the other
                    await asyncio.sleep(error.retry / 1000)
                    continue
                self.promised.discard(challenge.challenge)
                self.say(f"The challenge is off: {error.message}")
            return

    def _begin(self, room: str) -> None:
        if room not in self.playing:
            self.playing.add(room)
            self.tasks.create_task(self._play(room))

    async def _play(self, room: str) -> None:
        """Play one game to its end. A refusal, or a failing engine, ends this game only."""
        times = {"budget": self.options.budget, "pace": self.options.pace}
        try:
            async with self.player() as think:
                bot = Bot(self.connection, room, None, think, **times, fallback=self.fallback, report=self.say)
                table = await bot.play()
            if table is not None and table.result is not None:
                self.say(f"{room} is over: {table.result.reason}")
            await self.connection.leave(room)
        except* (RequestError, EngineFault) as errors:
            self.say(f"{room}: {errors.exceptions[0]}")
            if errors.subgroup(EngineFault):
                await self._give_up(room)
        finally:
            self.playing.discard(room)

    async def _give_up(self, room: str) -> None:
        try:
            await self.connection.resign(room)
        except RequestError as error:
            self.say(f"{room}: {error}")
