"""The Python connection against a real server: outages, resuming, retries, refusals."""

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from fourfold.clients import session as module
from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.levels import chooser
from fourfold.clients.bots.thinking import in_thread
from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, Dismissed, RequestError, Unreachable
from fourfold.clients.table import Table
from fourfold.protocol import events as happened
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol.codec import JSON, MSGPACK

Server = Any  # see conftest


class Player:
    """A client played by hand: a connection, the frames of one room, and the table built from them."""

    def __init__(self, connection: Connection, room: str, since: Table | None = None) -> None:
        self.connection = connection
        self.room = room
        self.frames = connection.follow(room, None if since is None else since.seq)
        self.known = since
        self.turns: list[told.Turn] = []

    @property
    def table(self) -> Table:
        assert self.known is not None
        return self.known

    async def until(self, seq: int) -> Table:
        """The table, once it is at this version."""
        async with asyncio.timeout(240):
            while self.known is None or self.known.seq < seq:
                match await anext(self.frames):
                    case told.Room() as room:
                        self.known = Table.of(room)
                    case told.Update() as update:
                        assert update.seq == self.table.seq + 1
                        self.known = self.table.after(update)
                    case told.Turn() as turn:
                        self.turns.append(turn)
        return self.table

    async def move(self, move: str) -> int:
        seq = await self.connection.move(self.room, move, self.table.seq)
        await self.until(seq)
        return seq


@asynccontextmanager
async def seated(server: Server, variant: str = "standard", **options: Any) -> AsyncIterator[list[Player]]:
    """A room with a player in each seat, each at the version at which the game began."""
    async with Connection(server.url, **options) as host:
        room = await host.create(variant)
        async with asyncio.timeout(240):
            first = await host.join(room)
        table = await Player(host, room).until(2)
        assert first == table.position.seats[0]
        players = [Player(host, room, table)]
        others = [Connection(server.url, **options) for _ in table.position.seats[1:]]
        for other in others:
            await other.__aenter__()
            await other.join(room)
            players.append(Player(other, room))
        try:
            for player in players:
                await player.until(1 + len(players))
            yield players
        finally:
            for other in others:
                await other.__aexit__(None, None, None)


async def play(players: list[Player], plies: int, seed: int) -> None:
    """Make some random moves, by hand."""
    chooser = random.Random(seed)
    for _ in range(plies):
        table = players[0].table
        mover = players[table.position.turn]
        await mover.until(table.seq)
        seq = await mover.move(chooser.choice(sorted(table.position.legal_texts())))
        for player in players:
            await player.until(seq)


@pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=["msgpack", "json"])
async def test_both_codecs_tell_the_same_game(server: Server, codec: Any) -> None:
    async with seated(server, codec=codec) as players:
        await play(players, 6, seed=1)
        assert players[0].table == players[1].table
        assert len(players[0].table.moves) == 6
        turn = players[1].turns[0]
        assert turn.seat == "black"
        assert len(turn.legal) == 20
        legal = await players[1].connection.legal(players[0].room)
        assert sorted(legal) == sorted(players[0].table.position.legal_texts())
        assert await players[1].connection.legal(players[0].room, "a8") == []  # a piece of the other side


async def test_away_for_fifty_plies_and_an_undo(server: Server) -> None:
    async with seated(server, "survivor") as players, Connection(server.url) as watcher:
        room = players[0].room
        stayed = Player(watcher, room)
        async with Connection(server.url) as leaver:
            left = await Player(leaver, room).until(players[0].table.seq)
        await play(players, 50, seed=2)
        red = players[0]
        seq = await red.connection.propose(room, "undo", red.table.seq, plies=7)
        for player in players:
            await player.until(seq)
        for player in players[1:]:
            assert player.table.proposal is not None
            seq = await player.connection.vote(room, player.table.proposal.proposal, True)
        for player in players:
            await player.until(seq)
        assert len(red.table.moves) == 43
        assert red.table.redo == 7
        await play(players, 3, seed=3)
        last = red.table.seq
        async with Connection(server.url) as returner, Connection(server.url) as newcomer:
            back = await Player(returner, room, since=left).until(last)
            new = await Player(newcomer, room).until(last)
            assert back == new == await stayed.until(last) == red.table
            assert len(back.moves) == 46


@pytest.mark.by_default
async def test_a_killed_server_takes_nothing_along(mortal_server: Server) -> None:
    notices: list[str] = []
    async with seated(mortal_server, notice=notices.append) as players:
        white, black = players
        for number in range(2):
            await play(players, 2, seed=number)
            mortal_server.kill()
            moves = asyncio.create_task(play(players, 2, seed=10 + number))
            await asyncio.to_thread(mortal_server.start)
            await moves
        assert white.table == black.table
        assert len(white.table.moves) == 8
        async with Connection(mortal_server.url) as watcher:
            assert await Player(watcher, white.room).until(white.table.seq) == white.table
    assert sum(notice.startswith("Lost") for notice in notices) == 4
    assert sum(notice.startswith("Back") for notice in notices) == 4


@pytest.mark.by_default
async def test_a_move_said_again_with_its_key_is_made_once(mortal_server: Server) -> None:
    async with seated(mortal_server) as (white, black):
        seq = white.table.seq
        key = white.connection.new_key()
        first = await white.connection.move(white.room, "e2e4", seq, key=key)
        assert await white.connection.move(white.room, "e2e4", seq, key=key) == first
        mortal_server.kill()
        await asyncio.to_thread(mortal_server.start)
        assert await white.connection.move(white.room, "e2e4", seq, key=key) == first
        await white.until(first)
        assert await black.until(first) == white.table
        assert white.table.moves == ("e2e4",)


async def test_a_room_asked_for_again_with_its_key_is_opened_once(mortal_server: Server) -> None:
    async with Connection(mortal_server.url) as connection:
        opening = ask.Create(key=connection.new_key())
        first = await connection.request(opening)
        mortal_server.kill()
        await asyncio.to_thread(mortal_server.start)
        again = await connection.request(opening)
        assert isinstance(first, told.Created) and isinstance(again, told.Created)
        assert again.room == first.room
        assert await connection.create() != first.room


async def test_a_request_unanswered_when_the_socket_dies_is_said_again(mortal_server: Server) -> None:
    """The server is frozen, so that it receives the move but can't answer, and killed in that state."""
    said: asyncio.Queue[ask.Move] = asyncio.Queue()

    def observe(direction: str, message: Any) -> None:
        if direction == "out" and isinstance(message, ask.Move):
            said.put_nowait(message)

    async with seated(mortal_server, observe=observe) as (white, black):
        mortal_server.signal(signal.SIGSTOP)
        move = asyncio.create_task(white.move("e2e4"))
        first = await said.get()
        mortal_server.kill()
        assert not move.done()
        await asyncio.to_thread(mortal_server.start)
        await move
        assert await black.until(white.table.seq) == white.table
        assert white.table.moves == ("e2e4",)
        assert said.get_nowait() == first
        assert said.empty()


async def test_a_silent_server_is_noticed_and_found_again(
    mortal_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SILENCE", 1.5)
    monkeypatch.setattr(module, "IDLE", 0.1)
    lost, back = asyncio.Event(), asyncio.Event()
    async with (
        asyncio.timeout(240),
        Connection(
            mortal_server.url, notice=lambda notice: (lost if notice.startswith("Lost") else back).set()
        ) as connection,
    ):
        await asyncio.sleep(2)
        assert not lost.is_set()  # pings keep an idle connection alive
        mortal_server.signal(signal.SIGSTOP)
        await lost.wait()
        mortal_server.signal(signal.SIGCONT)
        await back.wait()
        assert await connection.ping() > 0


async def test_a_server_that_goes_away_in_order_is_waited_for(mortal_server: Server) -> None:
    heard: list[Any] = []
    async with seated(mortal_server, observe=lambda _, message: heard.append(message)) as players:
        await play(players, 3, seed=4)
        await asyncio.to_thread(mortal_server.stop)
        await asyncio.to_thread(mortal_server.start)
        await play(players, 3, seed=5)
        assert players[0].table == players[1].table
    assert any(isinstance(message, told.Closing) for message in heard)


async def test_patience_ends(mortal_server: Server) -> None:
    async with Connection(mortal_server.url, patience=0.5) as connection:
        room = await connection.create()
        frames = connection.follow(room)
        assert isinstance(await anext(frames), told.Room)
        mortal_server.kill()
        with pytest.raises(Unreachable, match=r"Gave up after 0\.5 s"):
            await connection.ping()
        with pytest.raises(Unreachable):
            assert [frame async for frame in frames if not isinstance(frame, told.Watchers)] == []
        with pytest.raises(Unreachable):
            await connection.create()
        mortal_server.start()


async def test_a_token_brings_the_identity_and_the_seat_back(server: Server) -> None:
    async with Connection(server.url, name="Ada") as first:
        room = await first.create()
        assert await first.join(room, "black") == "black"
    async with Connection(server.url, token=first.token) as again:
        assert (again.player, again.name) == (first.player, "Ada")
    async with Connection(server.url, token=first.token, name="Ada L.") as again:
        assert (again.player, again.name) == (first.player, "Ada L.")
        assert await again.join(room) == "black"
    with pytest.raises(Dismissed):
        async with Connection(server.url, token="forged"):
            pass


async def test_refusals_say_which(server: Server) -> None:
    async with Connection(server.url) as one, Connection(server.url) as other:
        with pytest.raises(RequestError) as caught:
            await anext(one.follow("nowhere"))
        assert (caught.value.kind, caught.value.code) == ("refused", "no_such_room")
        with pytest.raises(RequestError) as caught:
            await one.create("checkers")
        assert caught.value.code == "unknown_variant"
        room = await one.create()
        assert await one.join(room, "white") == "white"
        with pytest.raises(RequestError) as caught:
            await other.join(room, "white")
        assert caught.value.code == "seat_taken"
        assert await other.join(room) == "black"
        with pytest.raises(RequestError) as caught:
            await one.move(room, "e2e5", 3)
        assert (caught.value.kind, caught.value.code, caught.value.seq) == ("illegal", "cannot_move_there", 3)
        with pytest.raises(ValueError, match="a server reads up to"):
            await one.create(position="x" * 9000)


async def test_a_client_ahead_of_the_log_starts_over(server: Server) -> None:
    async with Connection(server.url) as connection:
        room = await connection.create()
        frame = await anext(connection.follow(room, since=1000))
        assert isinstance(frame, told.Room)
        assert frame.seq == 1


async def test_leaving_ends_the_frames(server: Server) -> None:
    async with Connection(server.url) as connection:
        room = await connection.create()
        await connection.join(room)
        frames = connection.follow(room)
        await connection.leave(room)
        heard = [type(frame).__name__ async for frame in frames]
        assert heard[0] == "Room"
        assert Table.of(await anext(connection.follow(room))).seats["white"].player is None


async def test_who_may_not_leave_goes_on_hearing(mortal_server: Server) -> None:
    """The last seat is taken while the player stands up."""
    url, store = mortal_server.url, int((mortal_server.folder / "data" / "store.lock").read_text())
    async with Connection(url) as white, Connection(url) as black:
        room = await white.create()
        await white.join(room)
        player = Player(white, room)
        os.kill(store, signal.SIGSTOP)
        joining = asyncio.create_task(black.join(room))
        await asyncio.sleep(0)
        await black.ping()  # answered without the store, after the server has begun to seat the player
        leaving = asyncio.create_task(white.leave(room))
        await asyncio.sleep(0)
        await white.ping()
        os.kill(store, signal.SIGCONT)
        with pytest.raises(RequestError) as refused:
            await leaving
        assert refused.value.code == "already_started"
        assert await joining == "black"
        await player.until(3)
        assert await player.move("e2e4") == 4


async def test_nothing_can_be_asked_before_or_after(server: Server) -> None:
    connection = Connection(server.url)
    with pytest.raises(ConnectionFault, match="not open"):
        await connection.ping()
    async with connection:
        room = await connection.create()
        frames = connection.follow(room)
    with pytest.raises(ConnectionFault, match="closed"):
        await connection.ping()
    assert [frame async for frame in frames if not isinstance(frame, told.Room)] == []


async def test_closing_at_once_leaves_nothing_open(server: Server) -> None:
    """An open socket would raise a ResourceWarning, which counts as an error."""
    async with Connection(server.url):
        pass


async def test_no_server_is_said_at_once_with_the_url() -> None:
    with pytest.raises(Unreachable, match=r"No Fourfold server answers at http://127\.0\.0\.1:9 \(refused\)"):
        async with Connection("http://127.0.0.1:9"):
            pass


async def test_bots_vote_at_once_and_wait_for_an_undo(server: Server) -> None:
    """A person against a bot: the undo is agreed, the bot plays again, and refuses a draw when clearly better."""
    async with Connection(server.url) as person, Connection(server.url) as machine, asyncio.timeout(240):
        # Black is a queen ahead.
        room = await person.create(position="3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1")
        await person.join(room, "white")
        bot = asyncio.create_task(Bot(machine, room, "black", in_thread(chooser(1, 7))).play())
        player = Player(person, room)
        await player.until(3)
        await player.move("a2a3")
        await player.until(player.table.seq + 1)
        assert len(player.table.moves) == 2
        seq = await person.propose(room, "undo", player.table.seq, plies=2)
        await player.until(seq + 1)
        assert player.table.moves == ()
        assert player.table.redo == 2
        seq = await person.propose(room, "draw", player.table.seq)
        await player.until(seq + 1)
        assert player.table.status == "playing"
        assert player.table.proposal is None
        await player.move("h2h3")
        await player.until(player.table.seq + 1)
        assert len(player.table.moves) == 2
        await person.resign(room)
        ended = happened.Result("resignation", ["black"], {"white": 2, "black": 1}, None, "too_short")
        assert (await bot).result == ended


async def test_bots_do_not_move_while_an_undo_is_open(server: Server) -> None:
    async with (
        asyncio.timeout(240),
        Connection(server.url) as red,
        Connection(server.url) as yellow,
        Connection(server.url) as blue,
        Connection(server.url) as green,
    ):
        room = await red.create("survivor")
        bots = [
            asyncio.create_task(Bot(connection, room, seat, in_thread(chooser(1, 1)), pace=0.3).play())
            for connection, seat in ((blue, "blue"), (green, "green"))
        ]
        await red.join(room, "red")
        await yellow.join(room, "yellow")
        player = Player(red, room)
        while player.known is None or player.table.status != "playing":
            await player.until(player.known.seq + 1 if player.known else 1)
        await player.move("h2h4")
        await player.until(await red.propose(room, "undo", player.table.seq, plies=1))
        proposal = player.table.proposal
        assert proposal is not None
        while len(player.table.proposal.votes) < 3:
            await player.until(player.table.seq + 1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.9):
                await player.until(player.table.seq + 1)
        assert player.table.moves == ("h2h4",)
        await player.until(await yellow.vote(room, proposal.proposal, False))
        await player.until(player.table.seq + 1)
        assert len(player.table.moves) == 2
        for connection in (red, yellow, blue):
            await connection.resign(room)
        assert [(await bot).result.winners for bot in bots] == [["green"]] * 2
