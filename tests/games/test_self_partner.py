"""Self-partner over real sockets: two players with two armies each, people and computers."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.following import RoomFrame
from fourfold.clients.games.game import Opening
from fourfold.clients.games.local import LocalVenue
from fourfold.clients.games.remote import RemoteVenue
from fourfold.protocol import from_client as ask
from fourfold.protocol.from_server import Room, Turn
from tests.conftest import HANG

from .guest import Guest

Server = Any  # see conftest


class Person(Guest):
    """A person who moves at each turn while fewer than `until` plies are played."""

    def __init__(self, connection: Connection, room: str) -> None:
        super().__init__(connection, room)
        self.until = 0
        self.turns: list[str] = []
        self._turn: Turn | None = None

    async def heard(self, frame: RoomFrame) -> None:
        if isinstance(frame, Turn):
            self.turns.append(frame.seat)
            self._turn = frame
        await self._move()

    async def _move(self) -> None:
        turn = self._turn
        if turn is not None and turn.seq == self.table.seq and len(self.table.moves) < self.until:
            self._turn = None
            await self.connection.move(self.room, max(turn.legal), turn.seq)

    async def play(self, until: int) -> None:
        """Play on, up to a number of plies."""
        self.until = until
        await self._move()


async def test_two_people_play_with_two_armies_each(server: Server) -> None:
    async with asyncio.timeout(HANG), AsyncExitStack() as stack:
        ann, bob = [await stack.enter_async_context(Connection(server.url, name=name)) for name in ("Ann", "Bob")]
        room = await ann.create("selfpartner", clock=ask.Clock(base=600_000))
        assert await ann.join(room, "yellow") == "red"
        with pytest.raises(RequestError) as taken:
            await bob.join(room, "red")
        assert taken.value.code == "seat_taken"
        assert await bob.join(room) == "blue"
        people = one, other = Person(ann, room), Person(bob, room)
        for person in people:
            stack.push_async_callback(person.quit)
            await person.sees(lambda person: person.table.status == "playing")

        for person in people:
            await person.play(12)
        table = await one.sees(lambda person: len(person.table.moves) == 12)
        assert [seat.name for seat in table.seats.values()] == ["Ann", "Bob", "Ann", "Bob"]
        assert not table.rated and table.clocks is not None and list(table.clocks.left) == list(table.seats)
        assert set(one.turns) == {"red", "yellow"} and set(other.turns) == {"blue", "green"}

        for person in people:
            await person.play(0)
        await ann.propose(room, "undo", table.seq, 3)
        table = await other.sees(lambda person: person.table.proposal)
        assert table.proposal is not None and table.proposal.electorate == ["red", "blue"]
        await bob.vote(room, table.proposal.proposal, True)
        table = await one.sees(lambda person: len(person.table.moves) == 9)
        assert table.turn == "blue" and table == await other.sees(lambda person: person.table.seq == table.seq)

        await bob.resign(room)
        table = await one.sees(lambda person: person.table.status == "finished")
        assert table.result is not None and (table.result.reason, table.result.unrated) == ("resignation", None)
        assert table.result.winners == ["red", "yellow"]
        (game,) = (await ann.games(ann.player)).games
        assert game.room == room and [seat.player for seat in game.seats] == [ann.player, bob.player] * 2

        await ann.propose(room, "rematch", table.seq)
        table = await other.sees(lambda person: person.table.proposal)
        assert table.proposal is not None
        await bob.vote(room, table.proposal.proposal, True)
        for person in people:
            person.turns.clear()
            await person.play(4)
        table = await one.sees(lambda person: person.table.game == 2 and len(person.table.moves) == 4)
        assert [seat.name for seat in table.seats.values()] == ["Bob", "Ann", "Bob", "Ann"]
        assert set(one.turns) >= {"blue", "green"} and "red" not in one.turns
        assert '[Variant "SelfPartner"]' in await ann.export(room, "pgn4")


async def test_a_player_who_is_away_is_away_at_both_seats(server: Server) -> None:
    async with asyncio.timeout(HANG), AsyncExitStack() as stack:
        ann, bob = [await stack.enter_async_context(Connection(server.url, name=name)) for name in ("Ann", "Bob")]
        room = await ann.create("selfpartner")
        for one in (ann, bob):
            await one.join(room)
        person = Person(ann, room)
        stack.push_async_callback(person.quit)
        await person.sees(lambda person: person.table.status == "playing" and not person.away)
        await bob.__aexit__(None, None, None)
        await person.sees(lambda person: person.away.keys() == {"blue", "green"})


async def test_seekers_and_challenged_players_meet(server: Server) -> None:
    """Two are enough, at any rating, and from one address."""
    async with asyncio.timeout(HANG), AsyncExitStack() as stack:
        ann, bob = [await stack.enter_async_context(Connection(server.url, name=name)) for name in ("Ann", "Bob")]
        clock = ask.Clock(base=300_000, increment=1000)
        room, _ = await ann.seek("selfpartner", clock)
        assert (await bob.seek("selfpartner", clock, rated=False))[0] == room
        person = Person(ann, room)
        stack.push_async_callback(person.quit)
        table = await person.sees(lambda person: person.table.status == "playing")
        assert {seat.name for seat in table.seats.values()} == {"Ann", "Bob"}
        await ann.resign(room)

        made = await ann.challenge(None, "selfpartner", seats={"red": bob.player or ""}, seat="blue")
        assert not made.rated and [seat.seat for seat in made.seats] == ["red", "blue"]
        over = await bob.answer(made.challenge, True)
        assert over.room is not None
        reply = await ann.request(ask.Watch(room=over.room))
        assert isinstance(reply, Room) and reply.status == "playing" and reply.rated is False
        assert [seat.name for seat in reply.seats] == ["Bob", "Ann", "Bob", "Ann"]


@pytest.mark.slow
async def test_a_computer_plays_both_armies(server_with_bots: Server) -> None:
    async with asyncio.timeout(HANG), RemoteVenue(server_with_bots.url, "Ann") as venue:
        game = await venue.create(Opening("selfpartner", levels={"blue": 2}))
        assert game.seats == ("red", "yellow")
        async for news in game.news():
            if len(game.table.moves) >= 12:
                break
            if isinstance(news, Turn) and news.seq == game.table.seq:
                await game.move(max(news.legal))
        names = [seat.name for seat in game.table.seats.values()]
        assert names == ["Ann", "Level 2", "Ann", "Level 2"]
        assert len({seat.player for seat in game.table.seats.values()}) == 2


@pytest.mark.slow
async def test_two_computers_play_each_other(server_with_bots: Server) -> None:
    async with asyncio.timeout(HANG), Connection(server_with_bots.url, name="Ann") as ann, AsyncExitStack() as stack:
        room = await ann.create("selfpartner")
        for level, seat in ((1, "yellow"), (2, "green")):
            await ann.invite(room, level, seat)
        person = Person(ann, room)
        stack.push_async_callback(person.quit)
        table = await person.sees(lambda person: len(person.table.moves) >= 8)
        assert [seat.name for seat in table.seats.values()] == ["Level 1", "Level 2"] * 2


async def test_a_game_at_one_keyboard() -> None:
    """Two people on one machine; then a computer of level 1 takes one of them over."""
    async with asyncio.timeout(HANG), LocalVenue(pace=0) as venue:
        game = await venue.create(Opening("selfpartner"))
        assert game.seats == ("red", "blue", "yellow", "green")
        assert [seat.name for seat in game.table.seats.values()] == ["Player 1", "Player 2"] * 2
        asked = False
        async for news in game.news():
            plies = len(game.table.moves)
            if plies == 4 and not asked:
                asked = True
                await game.bot("green", 1)
            elif plies >= 8:
                break
            elif isinstance(news, Turn) and news.seq == game.table.seq:
                await game.move(max(news.legal))
        assert game.table.seats["blue"].stand_in == game.table.seats["green"].stand_in == "Level 1"
        assert game.seats == ("red", "yellow")
