"""Seekers of the same game, each at any node: those who may meet do, and the others never."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.faults.blows import Stage
from tests.faults.guests import World
from tests.world.blows import loses
from tests.world.passers import GIVEN_UP, Passer
from tests.world.rated import register

KINDS: Final = {"pool": 4, "four": 1, "range": 2, "fill": 1}
"""What is sought, with the weights: a game with a pool, one for four, one within a range of ratings, and one that
computers would fill."""

RANGE: Final = 100
"""Points by which ratings may differ. All who have one have the same."""

LEVEL: Final = 1
"""The level of the computers that would fill a table, if there were any."""

GIVES_UP: Final = 0.2
"""The chance that a seeker gives up for a moment, at each look."""

PASSING: Final = {"unavailable", "store_full"}
"""Codes after which a seek is repeated: of a store that is away."""


class Seeker(Passer):
    """Seeks a game."""

    def __init__(self, world: World, *, has_account: bool) -> None:
        super().__init__(world, "seeker")
        self.has_account = has_account
        self.since = 0.0
        """When they began to seek, in seconds of virtual time."""

    def receive(self, message: Any) -> None:
        """See `Guest`."""
        if isinstance(message, told.Paired):
            self.wait_in(message.room)

    def wait_in(self, room: str) -> None:
        """Follow the room of the seat, and no other."""
        if room != self.room:
            self.stop()
            self.start(room)

    async def seek(self, wish: dict[str, Any]) -> None:
        """Seek until the game begins."""
        await asyncio.sleep(self.chance.uniform(0, 1.5))
        self.since = asyncio.get_running_loop().time()
        while True:
            try:
                room, _ = await self.connection.seek(**wish)
                self.wait_in(room)
                if self.chance.random() < GIVES_UP:
                    await self.changed(self.chance.uniform(0, 0.3))
                    await self.connection.unseek()
                    self._unfollow()
                    continue
            except RequestError as error:
                if error.code not in {*PASSING, "already_started"}:
                    raise
                if error.code in PASSING:
                    await asyncio.sleep(0.1)  # paces the attempts
                    continue
            if await self.begun():
                return
            with suppress(RequestError):  # the room is lost too
                await self.connection.leave(self.room)
            self._unfollow()
            await asyncio.sleep(1)  # paces the attempts

    def _unfollow(self) -> None:
        """Follow no room."""
        self.stop()
        self.room = ""


class _Sought(NamedTuple):
    """What is sought: the request of those with an account, that of the guests, and how many of each meet."""

    by_accounts: dict[str, Any]
    by_guests: dict[str, Any]
    accounts: int
    guests: int


def _sought(kind: str, number: int) -> _Sought:
    """`number` makes the game one that nobody else seeks."""
    clock = ask.Clock(base=60_000 + number)
    match kind:
        case "four":
            wish = {"variant": "ffa", "pool": f"pool{number}", "rated": False}
            return _Sought(wish, wish, 0, 4)
        case "range":
            return _Sought({"clock": clock, "range": RANGE}, {"clock": clock}, 2, 2)
        case "fill":
            wish = {"clock": clock, "fill": LEVEL}
            return _Sought(wish, wish, 0, 2)
    wish = {"pool": f"pool{number}", "rated": False}
    return _Sought(wish, wish, 0, 2)


async def pair(stage: Stage, world: World) -> None:
    """Some seek a game. Those with an account and a range meet, and so do the guests."""
    [kind] = world.chance.choices(list(KINDS), list(KINDS.values()))
    sought = _sought(kind, world.chance.randrange(1000))
    groups = [[Seeker(world, has_account=has) for _ in range(number)]
              for has, number in ((True, sought.accounts), (False, sought.guests)) if number]  # fmt: skip
    everybody = [one for group in groups for one in group]
    await asyncio.gather(*(one.reach() for one in everybody))
    try:
        await asyncio.gather(*(register(stage, one) for one in everybody if one.has_account))
        async with asyncio.timeout(GIVEN_UP):
            wishes = ((one, sought.by_accounts if one.has_account else sought.by_guests) for one in everybody)
            await asyncio.gather(*(one.seek(wish) for one, wish in wishes))
            if not loses(stage):  # also a seat, perhaps
                stage.wrong += filter(None, map(apart, groups))
            await asyncio.gather(*(one.play() for one in everybody))
    except TimeoutError:
        if loses(stage):  # also the start of their game, perhaps, after which nobody seeks again
            return
        stage.wrong.append(f"those who seek the same ({kind}) have not played: {places(everybody)}")
    finally:
        await asyncio.gather(*(one.go() for one in everybody))


def places(seekers: Sequence[Seeker]) -> list[str]:
    """The room of each seeker, and its status."""
    return [f"{one.who} in {one.room}, {one.table and one.table.status}" for one in seekers]


def apart(group: Sequence[Seeker]) -> str:
    """What is wrong, if those of a group have met others; empty otherwise."""
    players = {one.connection.player for one in group}
    for one in group:
        there = set() if one.table is None else {seat.player for seat in one.table.seats.values()}
        if there != players:
            return f"{[other.who for other in group]} seek the same, and {one.who} has met {sorted(map(str, there))}"
    return ""
