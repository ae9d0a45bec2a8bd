"""The lobby: once all faults are mended, visitors of every node get the true lists of public rooms and of people."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from fourfold.clients.table import Table
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.faults.blows import Stage
from tests.faults.guests import Guest, World
from tests.faults.players import Player
from tests.faults.presence import watches
from tests.faults.process import until

SHOWN: Final = 60.0
"""Seconds after which a list is right. A node that died may leave a wrong entry, which others find by the log within
45 seconds."""

MOST: Final = 100
"""How many entries of each list a visitor asks for. No world has more."""


class Visitor(Guest):
    """Follows both lists at one node, and again on each new socket."""

    def __init__(self, world: World) -> None:
        super().__init__(world, "onlooker")
        self.rooms: dict[str, told.Listing] = {}
        self.people: dict[str, told.Person] = {}
        self._asks = False

    async def ask(self) -> None:
        """Get both lists, and follow them."""
        self._asks = True
        await self.connection.request(ask.Rooms(limit=MOST, follow=True))
        await self.connection.request(ask.People(limit=MOST, follow=True))

    def receive(self, message: Any) -> None:
        """See `Guest`."""
        match message:
            case told.Welcome() if self._asks:
                self.world.run(self.ask())
            case told.Rooms():
                self.rooms = {one.room: one for one in message.rooms}
            case told.Lobby():
                self.rooms |= {one.room: one for one in message.changed}
                self.rooms = {room: one for room, one in self.rooms.items() if room not in message.removed}
            case told.People():
                self.people = {one.player: one for one in message.people}
            case told.Online():
                self.people |= {one.player: one for one in message.changed}
                self.people = {player: one for player, one in self.people.items() if player not in message.removed}


@asynccontextmanager
async def watched(stage: Stage, rooms: list[str]) -> AsyncIterator[None]:
    """Meanwhile, a visitor of each node follows the lists. In the end they are right, and another visitor gets the
    same."""
    nodes = stage.cluster.nodes[: stage.plan.nodes]
    async with AsyncExitStack() as visits:
        visitors = [await _come(visits, stage, node.url) for node in nodes]
        yield
        visitors += [await _come(visits, stage, node.url) for node in nodes]

        async def right() -> bool:
            return not any(_mistake(stage, visitor, rooms) for visitor in visitors)

        try:
            await until(right, SHOWN, pause=0.1)
        except TimeoutError:
            stage.wrong += filter(None, (_mistake(stage, visitor, rooms) for visitor in visitors))


async def _come(visits: AsyncExitStack, stage: Stage, url: str) -> Visitor:
    visitor = Visitor(stage.world)
    visitor.connection = await visits.enter_async_context(visitor.visit(visitor.who, url, None))
    await visitor.ask()
    return visitor


def _mistake(stage: Stage, visitor: Visitor, rooms: list[str]) -> str:
    """What is wrong in the lists of a visitor; empty if they are right."""
    guests = [guest for guest in stage.world.guests if not guest.gone]
    tables = {guest.room: guest.table for guest in guests if isinstance(guest, Player) and guest.table is not None}
    for room, table in tables.items():
        if room not in rooms or room in stage.spoiled:
            continue
        listing, right = visitor.rooms.get(room), None if table.status == "finished" else _listed(room, table, guests)
        if (listing and _shown(listing)) != right:
            return f"{visitor.who} finds {listing} in the lobby instead of {right}"
    for guest in guests:
        me = guest.connection
        if guest.bot:
            continue  # of the service: not listed one by one
        person, table = visitor.people.get(me.player), guest.table
        plays = table is not None and table.status != "finished" and guest.room not in stage.spoiled
        sits = plays and table is not None and any(seat.player == me.player for seat in table.seats.values())
        where = (guest.room, table.status) if sits and table is not None else (None, None)
        # a second connection of a player may have given another name
        seen = person and (person.name.partition("+")[0], person.room, person.status, person.account)
        if seen != (me.name, *where, False):
            return f"{visitor.who} finds {guest.who} as {person} instead of {where}"
    return ""


def _listed(room: str, table: Table, guests: list[Guest]) -> tuple[Any, ...]:
    """What the listing of a room must say."""
    seats = [(name, seat.player, seat.name) for name, seat in table.seats.items()]
    watchers = sum(watches(guest, table) for guest in guests if guest.room == room)
    return table.variant, table.status, seats, len(table.moves), watchers, False


def _shown(listing: told.Listing) -> tuple[Any, ...]:
    seats = [(seat.seat, seat.player, seat.name) for seat in listing.seats]
    return listing.variant, listing.status, seats, listing.ply, listing.watchers, listing.empty
