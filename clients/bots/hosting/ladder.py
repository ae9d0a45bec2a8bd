"""A permanent ladder: arranges rated games between idle bots that are online, day and night.

It is an ordinary client of the public protocol, with a moderator's token to organize. It stores nothing: running games
go on without it, and the standings are the server's own ratings.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Final

from fourfold.clients.bots.hosting.pairing import Pairing, Tableau
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.websocket import room_url
from fourfold.engine.variants import player_seats
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Challenge, Error, Frame, Person

ASKED: Final = 4
"""The most open challenges at once; the server allows a player one more."""

ANSWER: Final = 30.0
"""Seconds for bots to answer a challenge before it is taken back."""

SHOWN: Final = 15.0
"""Seconds until the list of online players shows that a bot plays. Until then, the bot counts as busy."""

LATER: Final = 5.0
"""Seconds before the next request, after a refusal without `retry`."""

_WAITS: Final = {"too_fast", "too_many_challenges", "too_many_rooms", "unavailable"}
"""Refusals after which to wait. `_GONE` are those of bots that have left. Other refusals end the ladder."""

_SCOPES: Final = ("", "moderate", "organize")
"""The scopes of tokens that can arrange games. The empty scope is that of a device."""

_GONE: Final = {"no_such_player", "challenge_over", "no_such_challenge", "too_many_games"}


@dataclass(frozen=True, slots=True)
class Ladder:
    """The server, a moderator's token to organize, the variants to play in turn, the clock, and the seconds between two
    looks for idle bots."""

    url: str
    token: str | None
    variants: tuple[str, ...] = ("standard", "ffa")
    clock: Clock = Clock(180_000, 2000)  # noqa: RUF009 - never changed
    pause: float = 5.0


async def keep_ladder(options: Ladder, say: Callable[[str], None]) -> None:
    """Arrange games until cancelled. Raises `RequestError` if the token does not allow it, and `ConnectionFault`."""
    outcomes = _Outcomes()
    connection = Connection(options.url, token=options.token, notice=say, heard=outcomes.hear, patience=inf)
    async with connection:
        await _require_organizer(connection)
        say(f"{connection.name} arranges games at {options.url}: {', '.join(options.variants)}.")
        async with asyncio.TaskGroup() as tasks:
            pairing = Pairing(options.variants, options.clock)
            await _Arranging(options, connection, outcomes, tasks, say, pairing).run()


async def _require_organizer(connection: Connection) -> None:
    """Raise `RequestError` unless the connection can arrange games between others."""
    account = await connection.account()
    scope = next((one.scope for one in account.sessions if one.here), "")
    if scope not in _SCOPES:
        message = f"This is a token to {scope}: 'fourfold token organize NAME' makes one to arrange games."
        raise RequestError(Error("refused", "out_of_scope", message))
    if not account.role:
        message = f"Only a moderator may arrange games between others, and {account.name} is not one."
        raise RequestError(Error("refused", "not_moderator", message))


class _Outcomes:
    """The results of challenges, for the tasks that wait for them."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[Challenge]] = {}

    def hear(self, frame: Frame) -> None:
        if isinstance(frame, Challenge) and frame.status != "open":
            waiting = self._waiting.get(frame.challenge)
            if waiting is not None and not waiting.done():
                waiting.set_result(frame)

    async def of(self, challenge: Challenge) -> Challenge:
        """Wait for a challenge's end. Raises TimeoutError."""
        if challenge.status != "open":
            return challenge
        waiting: asyncio.Future[Challenge] = asyncio.get_running_loop().create_future()
        self._waiting[challenge.challenge] = waiting
        try:
            async with asyncio.timeout(ANSWER):
                return await waiting
        finally:
            del self._waiting[challenge.challenge]


@dataclass
class _Arranging:
    options: Ladder
    connection: Connection
    outcomes: _Outcomes
    tasks: asyncio.TaskGroup
    say: Callable[[str], None]
    pairing: Pairing
    lacking: dict[str, int] = field(default_factory=dict)
    """Variants with too few bots online, with the number of bots."""
    asked: set[str] = field(default_factory=set)
    """Players who must still answer, or appear at their table."""
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(ASKED))

    async def run(self) -> None:
        while True:
            bots = [one async for one in self.connection.everybody() if _is_candidate(one)]
            self._say_who_lacks(bots)
            idle = [one for one in bots if one.status is None and one.player not in self.asked]
            table = self.pairing.choose(idle, asyncio.get_running_loop().time())
            if table is None:
                await asyncio.sleep(self.options.pause)
                continue
            await self.room.acquire()
            self.asked.update(table.players)
            self.tasks.create_task(self._arrange(table))

    def _say_who_lacks(self, bots: list[Person]) -> None:
        """Report variants with too few bots online, at each change."""
        lacking = self.pairing.lacking(bots)
        for variant, count in lacking.items():
            if self.lacking.get(variant) != count:
                needed, playing = len(player_seats(variant)), f"{count} {'plays' if count == 1 else 'play'}"
                self.say(f"{variant} needs {needed} bots; of those online, {playing} it with this clock.")
        self.lacking = lacking

    async def _arrange(self, table: Tableau) -> None:
        loop = asyncio.get_running_loop()
        try:
            try:
                over = await self._ask(table)
            finally:
                self.room.release()
            if over is None:
                return
            if over.status == "accepted" and over.room is not None:
                self.pairing.played(table)
                names = ", ".join(one.name for one in over.seats)
                self.say(f"{room_url(self.options.url, over.room)} {over.variant}: {names}")
                await asyncio.sleep(SHOWN)
            else:
                self.pairing.refused(table, over, loop.time())
        finally:
            self.asked.difference_update(table.players)

    async def _ask(self, table: Tableau) -> Challenge | None:
        """Make a challenge and wait for its end; None if it is impossible now."""
        try:
            made = await self.connection.challenge(
                variant=table.variant, clock=self.options.clock, seats=table.seats, rated=True
            )
            try:
                return await self.outcomes.of(made)
            except TimeoutError:
                return await self.connection.cancel(made.challenge)
        except RequestError as error:
            if error.code not in _WAITS | _GONE:
                raise
            await asyncio.sleep(LATER if error.retry is None else error.retry / 1000)
            return None


def _is_candidate(person: Person) -> bool:
    """Whether a bot has a rating and has declared what it plays. The service's own levels do not count."""
    return person.bot and person.account and person.plays is not None
