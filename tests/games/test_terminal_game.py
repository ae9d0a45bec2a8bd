"""The contract of a game, in a server's room and in this process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from fourfold.clients.errors import RequestError
from fourfold.clients.games.game import Game, News, Notice, Opening, Sought, Venue
from fourfold.clients.games.local import LocalVenue
from fourfold.clients.games.remote import RemoteVenue
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Room, Said, Turn, Update
from tests.conftest import some
from tests.games.conftest import ServerProcess

pytestmark = pytest.mark.by_default

FOUR = ("h2h4", "b7d7", "h13h11", "m8k8")


class Sides:
    """All players of one game, over any number of keyboards: `who(seat)` is the game as seen by that seat's keyboard.
    Its news is read all the time."""

    def __init__(self) -> None:
        self.games: list[Game] = []
        self.heard: list[News] = []
        self._changed = asyncio.Event()
        self._readers: list[asyncio.Task[None]] = []

    def add(self, game: Game) -> None:
        self.games.append(game)
        self._readers.append(asyncio.create_task(self._read(game)))

    async def _read(self, game: Game) -> None:
        async for news in game.news():
            if game is self.games[0]:
                self.heard.append(news)
            self._changed.set()

    async def until(self, ready: Callable[[], bool]) -> None:
        async with asyncio.timeout(240):
            while not ready():
                self._changed.clear()
                await self._changed.wait()

    async def settled(self, seq: int) -> None:
        """Wait until every keyboard has a version."""
        await self.until(lambda: all(game.table.seq >= seq for game in self.games))

    def who(self, seat: str) -> Game:
        return next(game for game in self.games if seat in game.seats)

    @property
    def table(self) -> Any:
        return self.games[0].table

    async def play(self, *moves: str) -> None:
        for move in moves:
            await self.settled(await self.who(self.table.turn).move(move))

    async def agree(self) -> None:
        """All players who have not voted say yes."""
        while self.table.proposal is not None:
            voter = next(game for game in self.games if game.voter is not None)
            await self.settled(await voter.vote(True))

    async def end(self) -> None:
        for game in self.games:
            await game.leave()
        async with asyncio.timeout(240):
            await asyncio.gather(*self._readers)

    def events(self) -> list[str]:
        return [type(event).__name__ for news in self.heard if isinstance(news, Update) for event in news.events]


class House:
    """Opens games with a person in every seat without a bot."""

    def __init__(self, kind: str, stack: AsyncExitStack, url: str) -> None:
        self.kind = kind
        self._stack = stack
        self._url = url

    async def venue(self) -> Venue:
        if self.kind == "local":
            return await self._stack.enter_async_context(LocalVenue(pace=0))
        return await self._remote()

    async def _remote(self) -> RemoteVenue:
        return await self._stack.enter_async_context(RemoteVenue(self._url))

    async def open(self, opening: Opening) -> Sides:
        sides = Sides()
        first = await (await self.venue()).create(opening)
        sides.add(first)
        if self.kind == "remote":
            others = len(first.table.seats) - 1 - len(opening.levels)
            for _ in range(others):
                sides.add(await (await self._remote()).join(first.table.room))
        # a short clock may have run down already
        await sides.until(lambda: bool(sides.heard) and all(game.table.status != "open" for game in sides.games))
        self._stack.push_async_callback(sides.end)
        return sides


@pytest.fixture(params=some(1, "local", "remote"))
async def house(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    server = "server_with_bots" if "bots" in request.node.name else "server"
    url = request.getfixturevalue(server).url if request.param == "remote" else ""
    async with AsyncExitStack() as stack:
        yield House(request.param, stack, url)


async def test_moves_are_made_and_heard(house: House) -> None:
    sides = await house.open(Opening())
    assert isinstance(sides.heard[0], Room)
    await sides.play("e2e4", "e7e5")
    assert sides.table.moves == ("e2e4", "e7e5")
    await sides.until(lambda: isinstance(sides.heard[-1], Turn))
    assert sides.games[0].mover == "white"
    assert sides.events().count("Moved") == 2


async def test_four_play_the_cross(house: House) -> None:
    sides = await house.open(Opening("survivor"))
    await sides.play(*FOUR)
    assert sides.table.moves == FOUR
    await sides.settled(await sides.who("red").resign("red"))
    assert sides.table.out == {"red": "resignation"}
    assert sides.table.turn == "blue"


@pytest.mark.parametrize(
    ("move", "code"),
    [("e2e5", "cannot_move_there"), ("e7e5", "not_your_piece"), ("x9e4", "bad_source"), ("e4e5", "no_piece")],
)
async def test_bad_moves_are_told_apart(house: House, move: str, code: str) -> None:
    sides = await house.open(Opening())
    with pytest.raises(RequestError) as caught:
        await sides.who("white").move(move)
    assert caught.value.code == code
    assert sides.table.moves == ()


async def test_an_undo_needs_everybody_and_can_be_redone(house: House) -> None:
    sides = await house.open(Opening("survivor"))
    await sides.play(*FOUR)
    await sides.settled(await sides.who("red").propose("undo", 2))
    assert sides.table.proposal.votes == {"red": True}
    await sides.agree()
    assert sides.table.moves == FOUR[:2]
    assert sides.table.redo == 2
    await sides.settled(await sides.who("yellow").propose("redo", 2))
    await sides.agree()
    assert sides.table.moves == FOUR


async def test_one_no_ends_a_vote(house: House) -> None:
    sides = await house.open(Opening())
    await sides.play("e2e4")
    proposer = sides.who("black")
    await sides.settled(await proposer.propose("draw"))
    voter = next(game for game in sides.games if game.voter is not None)
    assert voter.voter == "white"
    await sides.settled(await voter.vote(False))
    assert sides.table.proposal is None
    assert sides.table.status == "playing"
    with pytest.raises(RequestError) as caught:
        await voter.vote(True)
    assert caught.value.code == "no_such_proposal"


async def test_a_draw_and_a_rematch(house: House) -> None:
    sides = await house.open(Opening())
    await sides.play("e2e4")
    await sides.settled(await sides.who("black").propose("draw"))
    await sides.agree()
    assert sides.table.result.reason == "agreement"
    white = sides.table.seats["white"].player
    await sides.settled(await sides.games[0].propose("rematch"))
    await sides.agree()
    await sides.until(lambda: sides.table.status == "playing")
    assert sides.table.game == 2
    assert sides.table.seats["black"].player == white
    assert [seat.score for seat in sides.table.seats.values()] == [0.5, 0.5]
    await sides.play("d2d4")


async def test_a_resignation_and_an_abortion(house: House) -> None:
    sides = await house.open(Opening())
    await sides.settled(await sides.games[0].abort())
    assert sides.table.result.reason == "aborted"
    again = await house.open(Opening())
    await again.settled(await again.who("black").resign("black"))
    assert again.table.result.winners == ["white"]
    with pytest.raises(RequestError) as caught:
        await again.who("white").move("e2e4")
    assert caught.value.code in ("game_over", "not_your_turn")


async def test_a_mate_ends_the_game(house: House) -> None:
    sides = await house.open(Opening())
    await sides.play("f2f3", "e7e5", "g2g4", "d8h4")
    assert (sides.table.result.reason, sides.table.result.winners) == ("checkmate", ["black"])
    assert sides.games[0].mover is None


async def test_a_clock_runs_down(house: House) -> None:
    sides = await house.open(Opening(clock=Clock(2000)))
    white = sides.who("white")
    left = white.left("white")
    assert left is not None and 0 <= left <= 2000
    assert white.left("black") == 2000
    await sides.until(lambda: sides.table.status == "finished")
    assert sides.table.result.reason == "time"
    assert sides.table.result.winners == ["black"]


async def test_a_game_goes_on_from_a_position_and_moves(house: House) -> None:
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    sides = await house.open(Opening(position=start, moves=("e2e4", "e8e7")))
    assert sides.table.moves == ("e2e4", "e8e7")
    assert sides.table.start == start
    await sides.play("e4e5")
    with pytest.raises(RequestError) as caught:
        await house.open(Opening(moves=("e2e4", "e2e4")))
    assert caught.value.code == "no_piece"


@pytest.mark.parametrize(("variant", "formats"), [("standard", ("pgn", "smith", "fen")), ("survivor", ("pgn4", "fen"))])
async def test_it_is_written_down(house: House, variant: str, formats: tuple[str, ...]) -> None:
    sides = await house.open(Opening(variant))
    moves = ("e2e4", "e7e5") if variant == "standard" else FOUR
    await sides.play(*moves)
    for format in formats:
        assert (await sides.games[0].export(format)).strip()
    with pytest.raises(RequestError) as caught:
        await sides.games[0].export("pgn4" if variant == "standard" else "pgn")
    assert caught.value.code == "no_such_format"
    record = await sides.games[0].record()
    assert [step.move.text for step in record.line.steps if step.move is not None] == list(moves)
    assert record.position.fen() == sides.table.fen


async def test_a_departure_is_on_record(house: House) -> None:
    sides = await house.open(Opening("survivor"))
    await sides.play(*FOUR)
    await sides.settled(await sides.who("green").resign("green"))
    await sides.play("d2d3")
    record = await sides.games[0].record()
    assert record.position.fen() == sides.table.fen


@pytest.mark.slow
async def test_bots_play_and_vote(house: House) -> None:
    sides = await house.open(Opening("survivor", levels={"blue": 1, "yellow": 2, "green": 1}))
    game = sides.games[0]
    assert game.seats == ("red",)
    for _ in range(2):
        await sides.until(lambda: game.mover == "red")
        await game.move(min(game.table.position.legal_texts()))
        await sides.until(lambda: game.mover is None)
    await sides.until(lambda: game.mover == "red")
    assert len(game.table.moves) == 8
    await game.propose("undo", 4)
    await sides.until(lambda: len(game.table.moves) == 4)
    assert game.mover == "red"


async def test_people_talk(house: House) -> None:
    sides = await house.open(Opening())
    await sides.games[0].say("Good luck!")
    await sides.until(lambda: isinstance(sides.heard[-1], Said))
    said = sides.heard[-1]
    assert isinstance(said, Said)
    assert (said.seat, said.text) == ("white", "Good luck!")


async def test_it_ends_when_it_is_left(house: House) -> None:
    venue = await house.venue()
    game = await venue.create(Opening())
    await game.leave()
    async with asyncio.timeout(240):
        heard = [type(news).__name__ async for news in game.news()]
    assert heard[0] == "Room"


async def test_what_cannot_be_opened_is_refused(house: House) -> None:
    venue = await house.venue()
    with pytest.raises(RequestError) as caught:
        await venue.create(Opening(position="8/8/8/8/8/8/8/8 w - - 0 1"))
    assert caught.value.code == "invalid_setup"
    assert await venue.rooms() is not None


async def test_a_room_that_does_not_exist_cannot_be_joined(server: ServerProcess) -> None:
    async with RemoteVenue(server.url) as venue:
        with pytest.raises(RequestError) as caught:
            await venue.join("nowhere")
        assert caught.value.code == "no_such_room"


async def test_a_room_that_is_followed_is_one_game(server: ServerProcess) -> None:
    async with RemoteVenue(server.url) as venue:
        wish = Sought("teams", Clock(60_000))
        sought = await venue.seek(wish)
        assert await venue.seek(wish) is sought
        assert await venue.join(sought.table.room) is sought
        assert await venue.watch(sought.table.room) is sought
        await sought.leave()
        again = await venue.seek(wish)
        assert again is not sought
        assert [listing.room for listing in await venue.rooms("teams")] == [again.table.room]


async def test_who_comes_back_has_the_seat(server: ServerProcess) -> None:
    async with RemoteVenue(server.url, "Ada") as venue:
        game = await venue.create(Opening())
        token, room = venue.token, game.table.room
    async with RemoteVenue(server.url, token=token) as venue:
        game = await venue.join(room)
        assert game.seats == ("white",)
        assert game.table.seats["white"].name == "Ada"


@pytest.mark.slow
async def test_an_outage_is_news(mortal_server: ServerProcess) -> None:
    async with RemoteVenue(mortal_server.url) as venue:
        game = await venue.create(Opening())
        heard: list[Notice] = []
        async with asyncio.timeout(240):
            async for news in game.news():
                if isinstance(news, Room):
                    mortal_server.kill()
                if isinstance(news, Notice):
                    heard.append(news)
                    if news.connected:
                        break
                    mortal_server.start()
        assert [notice.connected for notice in heard] == [False, True]
