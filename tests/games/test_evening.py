"""A whole evening at one table, on three nodes behind one address.

Four people, forty watchers. A checkmate is undone, a draw refused, a node killed, another drained. Two people leave and
are replaced by bots; one of them comes back; and there is a rematch. At the end every client's view equals the log.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.table import Table
from fourfold.engine.match import Decision, replay
from fourfold.protocol import from_client as ask
from fourfold.protocol import projection
from fourfold.protocol.codec import JSON, MSGPACK
from fourfold.protocol.from_server import Created
from fourfold.server.players.identity import Identities
from fourfold.server.storage.redis_log import RedisLog

from .guest import Guest

Server = Any  # see conftest

FOOLS_MATE = ("h2h3", "b5d5", "h13h11", "m6k6", "h3h4", "b9c9", "i14c8", "n7i2")
"""Green mates Red while Blue and Yellow wait."""


def at(seq: int) -> Callable[[Guest], object]:
    return lambda guest: guest.table.seq >= seq


class Evening:
    """The room, the players in their seats, and all watchers."""

    def __init__(self, room: str) -> None:
        self.room = room
        self.seats: dict[str, Guest] = {}
        self.watchers: list[Guest] = []

    async def move(self, text: str | None = None) -> None:
        """The next move, by the player to move, on their newest position; an ordinary legal one if none is given."""
        while True:
            mover = await self.next_mover()
            legal = mover.table.position.legal_texts()
            try:
                seq = await mover.connection.move(self.room, text or sorted(legal)[0], mover.table.seq)
            except RequestError as error:
                if error.code != "stale":
                    raise
            else:
                await asyncio.gather(*(guest.sees(at(seq)) for guest in self.seats.values()))
                return

    async def next_mover(self) -> Guest:
        newest = self.newest()
        assert newest.turn is not None
        mover = self.seats[newest.turn]
        await mover.sees(at(newest.seq))
        return mover

    def newest(self) -> Table:
        """The most recent copy of the table."""
        tables = [guest.known for guest in self.seats.values() if guest.known is not None]
        return max(tables, key=lambda table: table.seq)

    async def vote(self, by: str, kind: Any, *, no: str = "", **fields: Any) -> Table:
        """A proposal and everybody's answers; returns the table after it is closed."""
        proposer = self.seats[by]
        seen = await proposer.sees(at(self.newest().seq))
        key = proposer.connection.new_key()
        request = ask.Propose(room=self.room, kind=kind, seq=seen.seq, key=key, **fields)
        reply: Any = await patiently(lambda: proposer.connection.request(request))
        table = await proposer.sees(at(reply.seq))
        proposal = table.proposal
        for seat in [] if proposal is None else proposal.electorate:
            if seat != by:
                assert proposal is not None
                await self.seats[seat].sees(at(reply.seq))
                await self.seats[seat].connection.vote(self.room, proposal.proposal, seat != no)
                if seat == no:
                    break
        return await proposer.sees(lambda guest: guest.table.seq > reply.seq and guest.table.proposal is None)


async def patiently(ask: Callable[[], Awaitable[Any]]) -> Any:
    """The reply to a request that may come too early: the refusal says when to retry."""
    while True:
        try:
            return await ask()
        except RequestError as error:
            if error.code != "not_absent" or error.retry is None:
                raise
            await asyncio.sleep(error.retry / 1000)


@pytest.mark.slow
async def test_an_evening(three_servers: list[Server], one_address: str) -> None:
    nodes, url = three_servers, one_address
    async with AsyncExitStack() as stack:

        async def come(name: str, seat: str | None = None, **options: Any) -> Guest:
            """Somebody who sits down, or watches."""
            connection = await stack.enter_async_context(Connection(url, name=name, **options))
            if seat is not None:
                assert await connection.join(created.room, seat) == seat
            guest = Guest(connection, created.room)
            stack.push_async_callback(guest.quit)
            return guest

        host = await stack.enter_async_context(Connection(url, name="Host"))
        created = await host.request(ask.Create(variant="survivor", clock=ask.Clock(600_000, 2_000)))
        assert isinstance(created, Created)
        evening = Evening(created.room)

        # Four people sit down, forty watch.
        for name, codec in (("red", JSON), ("blue", MSGPACK), ("yellow", JSON), ("green", MSGPACK)):
            evening.seats[name] = await come(name.title(), name, codec=codec)
        for n in range(40):
            evening.watchers.append(await come(f"Watcher {n}", codec=(JSON, MSGPACK)[n % 2]))
        await asyncio.gather(*(guest.sees(lambda g: g.table.status == "playing") for guest in evening.seats.values()))

        # A checkmate, and its undo: Red is back in the game.
        for text in FOOLS_MATE:
            await evening.move(text)
        assert evening.seats["blue"].table.out == {"red": "checkmate"}
        table = await evening.vote("blue", "undo", plies=1)
        assert (table.out, table.turn, len(table.moves)) == ({}, "green", 7)

        # A draw offer that one player refuses.
        table = await evening.vote("red", "draw", no="yellow")
        assert table.status == "playing"

        # A node is killed, and comes back; another is drained. The game goes on.
        await asyncio.gather(evening.move(), asyncio.to_thread(nodes[0].kill))
        for _ in range(8):
            await evening.move()
        await asyncio.to_thread(nodes[0].start)
        await asyncio.gather(evening.move(), asyncio.to_thread(nodes[1].stop))
        for _ in range(8):
            await evening.move()

        # Two leave; the others vote for bots, who play on.
        gone = {name: evening.seats.pop(name) for name in ("blue", "green")}
        for guest in gone.values():
            await guest.quit()
        await evening.seats["yellow"].sees(lambda g: g.away.keys() == {"blue", "green"})
        store = await RedisLog.open(nodes[0].store_url)
        identities = Identities(await store.secret())
        await store.close()
        for name in gone:
            table = await evening.vote("yellow", "stand_in", seat=name, level=1)
            assert table.seats[name].invited == 1
            token = identities.house_bot(1).token  # as for a bot host
            evening.seats[name] = await come("Level 1", name, bot=True, token=token)
            await evening.seats["yellow"].sees(lambda g, name=name: g.table.seats[name].stand_in is not None)
        for _ in range(8):
            await evening.move()

        # Blue is back, and replaces the bot.
        back = await come("Blue", token=gone["blue"].connection.token)
        await back.sees(lambda g: g.table.seats["blue"].stand_in is None)
        evening.seats["blue"] = back
        for _ in range(4):
            await evening.move()

        # The end, and a rematch: everybody moves one seat on, with their score.
        for name in ("red", "yellow", "blue"):
            await evening.seats[name].connection.resign(evening.room)
        table = await back.sees(lambda g: g.table.status == "finished")
        assert table.result is not None
        assert table.result.winners == ["green"]
        again = await come("Green", token=gone["green"].connection.token)
        evening.seats["green"] = again
        await again.sees(lambda g: g.table.status == "finished")
        await evening.vote("green", "rematch")
        everybody = (*evening.seats.values(), *evening.watchers)
        await asyncio.gather(*(guest.sees(lambda g: g.table.game == 2) for guest in everybody))
        assert {seat.name: seat.score for seat in again.table.seats.values()} == {
            "Red": 0,
            "Blue": 0,
            "Yellow": 0,
            "Green": 1,
        }
        order = ("red", "blue", "yellow", "green")
        evening.seats = {order[(order.index(name) + 1) % 4]: guest for name, guest in evening.seats.items()}
        for _ in range(8):
            await evening.move()

        # Everybody has the same state, and it equals the log.
        log = await RedisLog.open(nodes[0].store_url)
        decisions = await log.read(evening.room)
        await log.close()
        truth = fold(evening.room, decisions)
        for guest in everybody:
            assert await guest.sees(at(len(decisions))) == truth


def fold(room: str, decisions: list[Decision]) -> Table:
    assert [decision.seq for decision in decisions] == list(range(1, len(decisions) + 1))
    keys = [(decision.by, decision.key) for decision in decisions]
    assert len(set(keys)) == len(keys)
    return Table.of(projection.snapshot(room, replay(decisions), projection.Attendance(), 0))
