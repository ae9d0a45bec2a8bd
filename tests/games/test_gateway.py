"""Programs for the Lichess API play through the gateway, over real sockets: their requests, and the answers."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from aiohttp import ClientPayloadError, ClientSession, ClientTimeout

from fourfold.clients.connection import Connection
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Challenge
from tests.games.conftest import ServerProcess
from tests.games.peers import gateway_to
from tests.games.person import CLOCK, Person, person_at

pytestmark = pytest.mark.slow

MATE = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]


class Lines:
    """A stream, line by line: `next` is the next object."""

    def __init__(self, response: Any) -> None:
        self._response = response

    async def next(self, *types: str) -> dict[str, Any]:
        """The next object, of these types if any are given. Raises EOFError at the end of the stream."""
        async with asyncio.timeout(240):
            while line := await self._response.content.readline():
                if line.strip():
                    told: dict[str, Any] = json.loads(line)
                    if not types or told["type"] in types:
                        return told
        raise EOFError

    async def full(self, moves: str) -> None:
        """The whole game, once the gateway has these moves, which arrive later than at the player."""
        if (await self.next("gameFull"))["state"]["moves"] != moves:
            await self.state(moves=moves)

    async def state(self, **wanted: Any) -> dict[str, Any]:
        """The next state with these values."""
        while True:
            told = await self.next("gameState")
            if all(told.get(key) == value for key, value in wanted.items()):
                return told


class Program:
    """A program with a token."""

    def __init__(self, session: ClientSession, name: str, token: str) -> None:
        self.session = session
        self.name = name
        self.token = token

    async def ask(self, method: str, path: str, **how: Any) -> tuple[int, Any]:
        async with self.session.request(method, path, **how) as response:
            return response.status, await response.json()

    async def get(self, path: str, **how: Any) -> Any:
        status, answer = await self.ask("GET", path, **how)
        assert status == 200, answer
        return answer

    async def post(self, path: str, **how: Any) -> Any:
        status, answer = await self.ask("POST", path, **how)
        assert status in (200, 201), answer
        return answer

    @asynccontextmanager
    async def stream(self, path: str) -> AsyncIterator[Lines]:
        async with self.session.get(path) as response:
            assert response.status == 200, await response.text()
            yield Lines(response)


@pytest.fixture
async def gateway(server: ServerProcess) -> AsyncIterator[str]:
    async with gateway_to(server.url) as address:
        yield address


Tokens = Callable[..., Awaitable[tuple[str, str]]]


@pytest.fixture
async def make(server: ServerProcess) -> Callable[..., Awaitable[tuple[str, str]]]:
    """Makes an access token: the name of its player, and the token."""
    return tokens(server)


def tokens(server: ServerProcess) -> Tokens:
    async def make(scope: str = "bot", name: str | None = None) -> tuple[str, str]:
        async with Connection(server.url) as owner:
            await owner.register(f"Owner {secrets.token_hex(5)}")
            granted = await owner.grant(scope, name or f"Ann Bot {secrets.token_hex(5)}")  # type: ignore[arg-type]
            return granted.name, granted.token

    return make


@pytest.fixture
async def program(gateway: str, make: Tokens) -> AsyncIterator[Callable[..., Awaitable[Program]]]:
    """Makes a program that plays as a bot, or as a person."""
    async with AsyncExitStack() as stack:

        async def start(scope: str = "bot", at: str = gateway, make: Tokens = make) -> Program:
            name, token = await make(scope)
            headers = {"Authorization": f"Bearer {token}"}
            session = ClientSession(at, headers=headers, timeout=ClientTimeout(total=20))
            return Program(await stack.enter_async_context(session), name, token)

        yield start


@pytest.fixture
async def person(server: ServerProcess) -> AsyncIterator[Person]:
    async with person_at(server.url) as someone:
        yield someone


async def test_a_bot_plays_a_game_to_mate(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot = await program()
    room = await person.sit("black")
    async with bot.stream("/api/stream/event") as events:
        await bot.post(f"/api/challenge/{room}/accept")
        begun = (await events.next())["game"]
        assert (begun["id"], begun["gameId"], begun["color"], begun["hasMoved"]) == (room, room, "white", False)
        assert begun["opponent"]["username"] == "Boris"
        assert (await bot.get("/api/account/playing"))["nowPlaying"][0]["isMyTurn"] is True
        async with bot.stream(f"/api/bot/game/stream/{room}") as game:
            full = await game.next()
            assert (full["type"], full["white"]["name"], full["white"]["title"]) == ("gameFull", bot.name, "BOT")
            assert full["clock"] == {"initial": 300_000, "increment": 2000}
            assert full["state"]["moves"] == ""
            for ply, move in enumerate(MATE):
                if ply % 2:
                    await person.move(move, ply)
                else:
                    await bot.post(f"/api/bot/game/{room}/move/{move}", params={"offeringDraw": "false"})
                told = await game.state(moves=" ".join(MATE[: ply + 1]))
            assert (told["status"], told["winner"]) == ("mate", "white")
            assert told["winc"] == 2000 and 0 < told["wtime"] <= 310_000
            with pytest.raises(EOFError):
                await game.next()
        over = await events.next()
        assert (over["type"], over["game"]["status"]["name"]) == ("gameFinish", "mate")
        assert (await bot.get("/api/account/playing"))["nowPlaying"] == []
    async with bot.session.get(f"/game/export/{room}") as response:
        assert f'[White "{bot.name}"]' in await response.text()


@pytest.mark.parametrize("sits", [True, False])
async def test_a_bot_is_asked_to_an_open_table(
    program: Callable[..., Awaitable[Program]], person: Person, server: ServerProcess, sits: bool
) -> None:
    """The program sees it as a challenge with the id of its game, as it expects."""
    bot = await program()
    clock = Clock(300_000, 2000)
    async with bot.stream("/api/stream/event") as events:
        room = await person.connection.create("standard", clock=clock, rated=False)
        if sits:
            await person.come(room, "black")
        await known(person, bot)
        (found,) = [one for one in await person.connection.bots(room) if one.name == bot.name]
        for answer in ("decline", "accept"):
            made = await person.connection.challenge(seats={"white": found.player}, room=room)
            told = (await events.next("challenge"))["challenge"]
            assert (told["id"], told["color"], told["rated"]) == (room, "black", False)
            assert told["challenger"]["name"] == ("Boris" if sits else "Host")
            assert told["destUser"]["name"] == bot.name and told["timeControl"]["limit"] == 300
            await bot.post(f"/api/challenge/{room}/{answer}", data={"reason": "later"} if answer == "decline" else None)
            over = await outcome(person, made)
            assert (over.status, over.reason) == (("declined", "later") if answer == "decline" else ("accepted", None))
        if not sits:
            await person.come(room, "black")
        begun = (await events.next("gameStart"))["game"]
        assert (begun["id"], begun["color"]) == (room, "white")
        async with bot.stream(f"/api/bot/game/stream/{room}") as game:
            await game.full("")
            for ply, move in enumerate(MATE):
                if ply % 2:
                    await person.move(move, ply)
                else:
                    await bot.post(f"/api/bot/game/{room}/move/{move}")
                state = await game.state(moves=" ".join(MATE[: ply + 1]))
            assert (state["status"], state["winner"]) == ("mate", "white")


async def test_who_asks_to_a_table_takes_it_back(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot = await program()
    async with bot.stream("/api/stream/event") as events:
        room = await person.sit("black")
        await known(person, bot)
        (found,) = [one for one in await person.connection.bots(room) if one.name == bot.name]
        made = await person.connection.challenge(seats={"white": found.player}, room=room)
        assert (await events.next("challenge"))["challenge"]["id"] == room
        await person.connection.cancel(made.challenge)
        assert (await events.next("challengeCanceled"))["challenge"]["id"] == room
        four = await person.connection.create("ffa")
        assert (await person.connection.challenge(seats={"red": found.player}, room=four)).reason == "variant"


async def known(person: Person, bot: Program) -> None:
    """Wait until a bot is seen online."""
    async with asyncio.timeout(240):
        while bot.name not in {one.name for one in (await person.connection.people(None, 100)).people}:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def outcome(person: Person, challenge: Challenge) -> Challenge:
    """The outcome of a challenge."""
    async with asyncio.timeout(240):
        while (heard := await person.heard.get()).challenge != challenge.challenge or heard.status == "open":
            pass
    return heard


async def test_who_a_token_is(program: Callable[..., Awaitable[Program]], gateway: str) -> None:
    bot, human = await program(), await program("play")
    assert (await bot.get("/api/account"))["title"] == "BOT"
    assert "title" not in await human.get("/api/account")
    assert (await bot.post("/api/bot/account/upgrade")) == {"ok": True}
    assert (await human.ask("POST", "/api/bot/account/upgrade"))[0] == 400
    bad = "nobody.bm9ib2R5.x"
    told = await bot.post("/api/token/test", data=",".join((bot.token, human.token, bad)))
    assert "bot:play" in told[bot.token]["scopes"].split(",")
    assert "board:play" in told[human.token]["scopes"].split(",")
    assert told[bad] is None
    id = (await bot.get("/api/account"))["id"]
    assert (await bot.get("/api/users/status", params={"ids": f"{id},nobody"}))[0]["online"] is True
    assert (await bot.get("/api/users/status", params={"ids": f"{id},nobody"}))[1]["online"] is False
    async with ClientSession(gateway) as stranger:
        async with stranger.get("/api/account") as response:
            assert (response.status, await response.json()) == (401, {"error": "No such token"})
        async with stranger.get("/api/account", headers={"Authorization": f"Bearer {bad}"}) as response:
            assert response.status == 401


async def test_what_can_not_be_done_is_said(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot = await program()
    room = await person.sit()
    assert (await bot.ask("GET", f"/api/bot/game/stream/{room}"))[0] == 404  # has no seat
    assert (await bot.ask("GET", "/api/bot/game/stream/nothere1"))[0] == 404
    assert (await bot.ask("POST", "/api/challenge/nothere1/accept"))[0] == 404
    assert (await bot.ask("GET", "/api/no/such/path"))[0] == 404
    await bot.post(f"/api/challenge/{room}/accept")
    status, answer = await bot.ask("POST", f"/api/bot/game/{room}/move/e7e5")
    assert (status, answer) == (400, {"error": "Not your turn, or game already over"})
    await person.move("e2e4", 0)
    await person.until(lambda table: len(table.moves) == 1)
    async with bot.stream(f"/api/bot/game/stream/{room}") as game:
        await game.full("e2e4")
        status, answer = await bot.ask("POST", f"/api/bot/game/{room}/move/e7e4")
        assert status == 400 and "cannot go to e4" in answer["error"]
        await bot.post(f"/api/bot/game/{room}/move/e7e5")
        await bot.post(f"/api/bot/game/{room}/move/e7e5")  # its answer was lost
        assert (await game.state(moves="e2e4 e7e5"))["status"] == "started"
        assert (await bot.ask("POST", f"/api/bot/game/{room}/abort"))[0] == 400
        assert (await bot.ask("POST", f"/api/bot/game/{room}/claim-victory"))[0] == 400
        assert (await bot.ask("POST", f"/api/bot/game/{room}/claim-draw"))[0] == 400
        assert (await bot.ask("POST", f"/api/bot/game/{room}/berserk"))[0] == 400
        await bot.post(f"/api/bot/game/{room}/resign")
        assert (await game.state(status="resign"))["winner"] == "white"


async def test_draws_are_votes(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot = await program()
    room = await person.sit()
    await bot.post(f"/api/challenge/{room}/accept")
    async with bot.stream(f"/api/bot/game/stream/{room}") as game:
        await person.move("e2e4", 0)
        await game.state(moves="e2e4")
        await bot.post(f"/api/bot/game/{room}/move/e7e5", params={"offeringDraw": "true"})
        await game.state(moves="e2e4 e7e5", bdraw=True)
        table = await person.until(lambda table: table.proposal is not None)
        assert table.proposal is not None and (table.proposal.kind, table.proposal.seat) == ("draw", "black")
        await person.connection.vote(room, table.proposal.proposal, accept=False)
        await game.state(bdraw=None)
        await person.connection.propose(room, "draw", table.seq)
        await game.state(wdraw=True)
        await bot.post(f"/api/bot/game/{room}/draw/no")
        await game.state(wdraw=None)
        await person.move("d2d4", 2)
        await game.state(moves="e2e4 e7e5 d2d4")


async def test_a_draw_is_agreed_to_with_a_move(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot = await program()
    room = await person.sit()
    await bot.post(f"/api/challenge/{room}/accept")
    async with bot.stream(f"/api/bot/game/stream/{room}") as game:
        await person.move("e2e4", 0)
        table = await person.until(lambda table: len(table.moves) == 1)
        await person.connection.propose(room, "draw", table.seq)
        await game.state(wdraw=True)
        await bot.post(f"/api/bot/game/{room}/move/e7e5", params={"offeringDraw": "true"})
        told = await game.state(status="draw")
        assert (told["moves"], "winner" in told) == ("e2e4", False)


async def test_the_third_repetition_is_claimed(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot = await program()
    room = await person.sit()
    await bot.post(f"/api/challenge/{room}/accept")
    async with bot.stream(f"/api/bot/game/stream/{room}") as game:
        moves = 2 * ["g1f3", "g8f6", "f3g1", "f6g8"] + ["g1f3"]
        for ply, move in enumerate(moves):
            if ply % 2:
                await bot.post(f"/api/bot/game/{room}/move/{move}")
            else:
                await person.move(move, ply)
            await game.state(moves=" ".join(moves[: ply + 1]))
        await bot.post(f"/api/bot/game/{room}/move/g8f6", params={"offeringDraw": "true"})
        assert (await game.state(status="draw"))["moves"] == " ".join(moves)


async def test_takebacks_are_votes_on_an_undo(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot = await program()
    room = await person.sit()
    await bot.post(f"/api/challenge/{room}/accept")
    async with bot.stream(f"/api/bot/game/stream/{room}") as game:
        await person.move("e2e4", 0)
        await game.state(moves="e2e4")
        await bot.post(f"/api/bot/game/{room}/move/e7e5")
        table = await person.until(lambda table: len(table.moves) == 2)
        await person.connection.propose(room, "undo", table.seq, 2)
        await game.state(wtakeback=True)
        await bot.post(f"/api/bot/game/{room}/takeback/yes")
        await game.state(moves="", wtakeback=None)
        await person.move("d2d4", 0)
        await game.state(moves="d2d4")
        await bot.post(f"/api/bot/game/{room}/move/d7d5")
        await game.state(moves="d2d4 d7d5")
        await bot.post(f"/api/bot/game/{room}/takeback/yes")  # asks for one
        await game.state(btakeback=True)
        table = await person.until(lambda table: table.proposal is not None)
        assert table.proposal is not None and table.proposal.plies == 1
        await person.connection.vote(room, table.proposal.proposal, accept=True)
        await game.state(moves="d2d4")


async def test_an_undo_that_is_no_takeback_is_refused(
    program: Callable[..., Awaitable[Program]], person: Person
) -> None:
    """A program could not follow it: BotLi always takes back one or two moves."""
    bot = await program()
    room = await person.sit()
    await bot.post(f"/api/challenge/{room}/accept")
    async with bot.stream(f"/api/bot/game/stream/{room}") as game:
        await person.move("e2e4", 0)
        await game.state(moves="e2e4")
        await bot.post(f"/api/bot/game/{room}/move/e7e5")
        table = await person.until(lambda table: len(table.moves) == 2)
        await person.connection.propose(room, "undo", table.seq, 1)
        await person.until(lambda table: table.proposal is not None)
        await person.until(lambda table: table.proposal is None)
        await person.move("d2d4", 2)
        assert "wtakeback" not in await game.state(moves="e2e4 e7e5 d2d4")


async def test_talk(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot = await program()
    room = await person.sit()
    await bot.post(f"/api/challenge/{room}/accept")
    async with bot.stream(f"/api/bot/game/stream/{room}") as game:
        await game.next("gameFull")
        await bot.post(f"/api/bot/game/{room}/chat", data={"room": "player", "text": "Good luck"})
        told = await game.next("chatLine")
        assert told == {"type": "chatLine", "room": "player", "username": bot.name, "text": "Good luck"}
        await bot.post(f"/api/bot/game/{room}/chat", json={"room": "spectator", "text": "Hello all"})
        await game.next("chatLine")
        await person.connection.say(room, "!eval")
        told = await game.next("chatLine")
        assert (told["username"], told["text"], told["room"]) == ("Boris", "!eval", "player")
    assert {"user": "Boris", "text": "!eval"} in await bot.get(f"/api/bot/game/{room}/chat")


async def test_talk_is_never_refused(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    """A program whose greeting fails makes no move. Messages over the rate limit are sent later, forbidden ones
    never."""
    bot = await program()
    room = await person.sit()
    await bot.post(f"/api/challenge/{room}/accept")
    async with bot.stream(f"/api/bot/game/stream/{room}") as game:
        await game.next("gameFull")
        lines = [f"line {number}" for number in range(7)]  # more than the rate limit
        for text in lines:
            await bot.post(f"/api/bot/game/{room}/chat", data={"room": "player", "text": text})
        assert [(await game.next("chatLine"))["text"] for _ in lines] == lines
        await bot.post(f"/api/bot/game/{room}/chat", data={"room": "player", "text": "\u202e"})
    silent = await person.sit(chat=False)
    await bot.post(f"/api/challenge/{silent}/accept")
    await bot.post(f"/api/bot/game/{silent}/chat", data={"room": "player", "text": "Good luck"})
    await bot.post(f"/api/bot/game/{silent}/resign")


async def test_streams_resume_at_another_gateway(
    server: ServerProcess, program: Callable[..., Awaitable[Program]], person: Person
) -> None:
    """A gateway has no state: another one gives the same answers."""
    bot = await program()
    room = await person.sit()
    await bot.post(f"/api/challenge/{room}/accept")
    async with bot.stream(f"/api/bot/game/stream/{room}") as game:
        await person.move("e2e4", 0)
        await game.state(moves="e2e4")
    async with gateway_to(server.url) as other, ClientSession(other, headers=bot.session.headers) as session:
        again = Program(session, bot.name, bot.token)
        async with again.stream("/api/stream/event") as events:
            assert (await events.next("gameStart"))["game"]["id"] == room
        await again.post(f"/api/bot/game/{room}/move/e7e5")
        async with again.stream(f"/api/bot/game/stream/{room}") as game:
            assert (await game.next())["state"]["moves"] == "e2e4 e7e5"


async def test_a_gateway_that_ends_cuts_its_streams_off(
    server: ServerProcess, program: Callable[..., Awaitable[Program]], make: Tokens
) -> None:
    """A stream that ended normally would mean the end of a game."""
    _, token = await make()
    async with ClientSession(headers={"Authorization": f"Bearer {token}"}) as session:
        async with gateway_to(server.url) as address:
            response = await session.get(f"{address}/api/stream/event")
            assert (await response.content.readline()) == b"\n"
        with pytest.raises(ClientPayloadError):
            await response.content.read()
        response.close()


async def test_a_second_stream_of_events_ends_the_first(program: Callable[..., Awaitable[Program]]) -> None:
    bot = await program()
    async with bot.stream("/api/stream/event") as first, bot.stream("/api/stream/event"):
        with pytest.raises(EOFError):
            await first.next()


async def test_seeks_are_paired(program: Callable[..., Awaitable[Program]]) -> None:
    ann, boris = await program("play"), await program("play")
    async with AsyncExitStack() as stack:
        events = [await stack.enter_async_context(one.stream("/api/stream/event")) for one in (ann, boris)]
        fields = {"time": "7", "increment": "3", "rated": "false", "variant": "kingOfTheHill"}
        async with (
            ann.session.post("/api/board/seek", data=fields) as one,
            boris.session.post("/api/board/seek", data=fields) as other,
        ):
            async with asyncio.timeout(240):
                assert set((await one.read()) + (await other.read())) <= {10}  # only empty lines
        games = [(await each.next("gameStart"))["game"] for each in events]
        assert games[0]["id"] == games[1]["id"]
        assert {game["color"] for game in games} == {"white", "black"}
        assert games[0]["variant"]["key"] == "kingOfTheHill"


async def test_a_rematch_is_a_challenge(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot = await program()
    room = await person.sit()
    async with bot.stream("/api/stream/event") as events:
        await bot.post(f"/api/challenge/{room}/accept")
        await events.next("gameStart")
        await bot.post(f"/api/bot/game/{room}/resign")
        await events.next("gameFinish")
        table = await person.until(lambda table: table.status == "finished")
        await person.connection.propose(room, "rematch", table.seq)
        challenge = (await events.next("challenge"))["challenge"]
        assert (challenge["id"], challenge["challenger"]["name"]) == (room, "Boris")
        assert (await bot.get("/api/challenge"))["in"][0]["id"] == room
        await bot.post(f"/api/challenge/{room}/accept")
        assert (await events.next("gameStart"))["game"]["color"] == "white"
        async with bot.stream(f"/api/bot/game/stream/{room}") as game:
            full = await game.next("gameFull")
            assert (full["white"]["name"], full["state"]["moves"]) == (bot.name, "")
            await bot.post(f"/api/bot/game/{room}/move/e2e4")
            await game.state(moves="e2e4")


async def test_a_challenge_leads_to_a_game_of_the_same_id(
    program: Callable[..., Awaitable[Program]], person: Person
) -> None:
    """lichess-bot counts its games by the ids of their challenges."""
    bot = await program()
    async with bot.stream("/api/stream/event") as events:
        made = await person.connection.challenge(bot.name, clock=CLOCK, seat="white")
        challenge = (await events.next("challenge"))["challenge"]
        assert challenge["id"] == made.challenge
        assert (challenge["challenger"]["name"], challenge["destUser"]["name"]) == ("Boris", bot.name)
        assert challenge["timeControl"] == {"type": "clock", "limit": 300, "increment": 2, "show": "5+2"}
        assert [each["id"] for each in (await bot.get("/api/challenge"))["in"]] == [made.challenge]
        await bot.post(f"/api/challenge/{made.challenge}/accept")
        begun = (await events.next("gameStart"))["game"]
        assert (begun["id"], begun["color"]) == (made.challenge, "black")
        async with bot.stream(f"/api/bot/game/stream/{made.challenge}") as game:
            assert (await game.next())["white"]["name"] == "Boris"
        assert (await bot.get("/api/challenge"))["in"] == []
        assert (await bot.ask("POST", f"/api/challenge/{made.challenge}x/accept"))[0] == 404
        again = await bot.ask("POST", f"/api/challenge/{made.challenge}/accept")
        assert again[0] == 404, "each game has one acceptance"


async def test_challenges_are_declined_and_taken_back(
    program: Callable[..., Awaitable[Program]], person: Person
) -> None:
    bot = await program()
    boris = person.connection
    async with bot.stream("/api/stream/event") as events:

        async def ended() -> Challenge:
            while (challenge := await asyncio.wait_for(person.heard.get(), 240)).status == "open":
                pass
            return challenge

        made = await boris.challenge(bot.name)
        await events.next("challenge")
        await bot.post(f"/api/challenge/{made.challenge}/decline", data={"reason": "timeControl"})
        assert (await ended()).reason == "time_control"
        made = await boris.challenge(bot.name)
        await events.next("challenge")
        await boris.cancel(made.challenge)
        assert (await events.next("challengeCanceled"))["challenge"]["id"] == made.challenge
        await boris.challenge(seats={"blue": bot.name, "yellow": 1, "green": 1}, variant="survivor")
        while (over := await ended()).variant != "survivor":
            pass
        assert (over.status, over.reason) == ("declined", "variant")  # which these programs do not know


async def test_programs_challenge_each_other(program: Callable[..., Awaitable[Program]]) -> None:
    ann, boris = await program(), await program()
    async with ann.stream("/api/stream/event") as ann_hears, boris.stream("/api/stream/event") as boris_hears:
        fields = {"rated": "false", "clock.limit": "180", "clock.increment": "2", "color": "white"}
        made = await ann.post(f"/api/challenge/{boris.name}", json=fields)
        assert (await ann_hears.next("challenge"))["challenge"]["direction"] == "out"
        assert (await boris_hears.next("challenge"))["challenge"]["id"] == made["id"]
        await boris.post(f"/api/challenge/{made['id']}/decline", data={"reason": "later"})
        declined = (await ann_hears.next("challengeDeclined"))["challenge"]
        assert (declined["id"], declined["declineReasonKey"]) == (made["id"], "later")
        fields["keepAliveStream"] = "true"
        async with ann.session.post(f"/api/challenge/{boris.name.lower()}", data=fields) as response:
            told = json.loads(await response.content.readline())
            assert (await boris_hears.next("challenge"))["challenge"]["id"] == told["id"]
            await boris.post(f"/api/challenge/{told['id']}/accept")
            while not (line := (await response.content.readline()).strip()):
                pass
            assert json.loads(line) == {"done": "accepted"}
        begun = [(await hears.next("gameStart"))["game"] for hears in (ann_hears, boris_hears)]
        assert [(game["id"], game["color"]) for game in begun] == [(told["id"], "white"), (told["id"], "black")]
        async with ann.session.post("/api/challenge/nobody_of_this_name") as response:
            assert response.status == 404
        ids = (await ann.get("/api/account"))["id"], (await boris.get("/api/account"))["id"]
        online = await ann.get("/api/users/status", params={"ids": ",".join((*ids, "nobody"))})
        assert [each["online"] for each in online] == [True, True, False]
        async with ann.session.get("/api/bot/online") as response:
            names = {json.loads(line)["username"] for line in (await response.text()).splitlines()}
        assert {ann.name, boris.name} <= names


async def test_an_absent_opponent_loses(server_with_bots: ServerProcess) -> None:
    """On that server, players are absent after a second."""
    server = server_with_bots
    name, token = await tokens(server)()
    headers = {"Authorization": f"Bearer {token}"}
    async with gateway_to(server.url) as address, ClientSession(address, headers=headers) as session:
        bot = Program(session, name, token)
        async with Connection(server.url, name="Boris") as connection:
            person = Person(connection)
            room = await person.sit()
            await bot.post(f"/api/challenge/{room}/accept")
            await person.move("e2e4", 0)
            async with bot.stream(f"/api/bot/game/stream/{room}") as game:
                await game.full("e2e4")
                await bot.post(f"/api/bot/game/{room}/move/e7e5")
                await connection.leave(room)
                gone = await game.next("opponentGone")
                assert gone["gone"] is True and gone["claimWinInSeconds"] >= 1
                gone = await game.next("opponentGone")
                assert gone == {"type": "opponentGone", "gone": True, "claimWinInSeconds": 0}
                await bot.post(f"/api/bot/game/{room}/claim-victory")
                told = await game.state(status="timeout")
                assert told["winner"] == "black"


async def test_a_level_is_an_opponent(server_with_bots: ServerProcess) -> None:
    name, token = await tokens(server_with_bots)("play")
    headers = {"Authorization": f"Bearer {token}"}
    async with gateway_to(server_with_bots.url) as address, ClientSession(address, headers=headers) as session:
        program = Program(session, name, token)
        async with program.stream("/api/stream/event") as events:
            asked = {"level": 1, "clock.limit": 300, "clock.increment": 3, "color": "black"}
            room = (await program.post("/api/challenge/ai", json=asked))["id"]
            begun = (await events.next("gameStart"))["game"]
            assert (begun["id"], begun["color"], begun["opponent"]["username"]) == (room, "black", "Level 1")
            async with program.stream(f"/api/board/game/stream/{room}") as game:
                full = await game.next("gameFull")
                assert full["white"]["title"] == "BOT"
                if not full["state"]["moves"]:
                    await game.state(status="started")


async def test_no_level_plays_at_a_copy_of_a_game(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    bot, fen = await program("play"), "r3k2r/pppq1ppp/2n5/4p3/4P3/2N5/PPPQ1PPP/R3K2R w KQkq - 0 1"
    room = await person.sit("black", position=fen)
    await bot.post(f"/api/challenge/{room}/accept")
    mirrored = "r2k3r/ppp1qppp/5n2/3p4/3P4/5N2/PPP1QPPP/R2K3R w - - 0 1"
    for position in (fen, mirrored):
        asked = {"level": 5, "variant": "fromPosition", "fen": position, "color": "black"}
        status, answer = await bot.ask("POST", "/api/challenge/ai", json=asked)
        assert status == 400 and room in answer["error"] and "when that game is over" in answer["error"]
    assert [game["gameId"] for game in (await bot.get("/api/account/playing"))["nowPlaying"]] == [room]


async def test_castling_in_both_spellings(program: Callable[..., Awaitable[Program]], person: Person) -> None:
    for spelling in ("e8g8", "e8h8"):
        bot = await program()
        room = await person.sit(position="4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1")
        await bot.post(f"/api/challenge/{room}/accept")
        async with bot.stream(f"/api/bot/game/stream/{room}") as game:
            assert (await game.next("gameFull"))["variant"]["key"] == "fromPosition"
            await person.move("e1d1", 0)
            await game.state(moves="e1d1")
            await bot.post(f"/api/bot/game/{room}/move/{spelling}")
            await game.state(moves="e1d1 e8g8")


async def test_a_yes_waits_for_a_challenger_who_comes_back(
    server: ServerProcess, program: Callable[..., Awaitable[Program]]
) -> None:
    bot = await program()
    async with bot.stream("/api/stream/event") as events:
        async with Connection(server.url, name="Boris") as boris:
            while bot.name not in {one.name for one in (await boris.people(None, 100)).people}:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            made = await boris.challenge(bot.name, clock=CLOCK)
            await events.next("challenge")
        accepting = asyncio.create_task(bot.ask("POST", f"/api/challenge/{made.challenge}/accept"))
        async with Connection(server.url, token=boris.token):
            assert (await accepting)[0] == 200
            assert (await events.next("gameStart"))["game"]["gameId"] == made.challenge


async def test_a_challenge_whose_challenger_has_left_is_called_off(
    server: ServerProcess, program: Callable[..., Awaitable[Program]]
) -> None:
    bot = await program()
    async with bot.stream("/api/stream/event") as events:
        async with Connection(server.url, name="Boris") as boris:
            while bot.name not in {one.name for one in (await boris.people(None, 100)).people}:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            made = await boris.challenge(bot.name, clock=CLOCK)
            await events.next("challenge")
        answer = await bot.ask("POST", f"/api/challenge/{made.challenge}/accept")
        assert answer == (404, {"error": "Boris is away: the challenge is off"})
        canceled = (await events.next("challengeCanceled"))["challenge"]
        assert (canceled["id"], canceled["status"]) == (made.challenge, "canceled")
        assert (await bot.get("/api/challenge"))["in"] == []
        assert (await bot.ask("POST", f"/api/challenge/{made.challenge}/accept"))[0] == 404
