"""Requests about players: the own token, account and games, and other players."""

import asyncio
import json
from typing import Final

from aiohttp import web

from fourfold.clients.gateway import shapes
from fourfold.clients.gateway.limits import TESTED, TESTS
from fourfold.clients.gateway.lines import send
from fourfold.clients.gateway.match import Impossible
from fourfold.clients.gateway.player import Player
from fourfold.clients.gateway.requests import ANSWER, LIMITS, PLAYERS, done, of_player
from fourfold.clients.gateway.shapes import Person, Shape

_SCOPES = {True: "bot:play,challenge:read,challenge:write", False: "board:play,challenge:read,challenge:write"}
"""The scopes of a bot's token, and of a person's."""


MOST_TESTED: Final = 1000
"""The most tokens in one test, as on Lichess."""

MOST_ASKED: Final = 100
"""The most players in one request for their online status, as on Lichess."""


async def test_tokens(request: web.Request) -> web.StreamResponse:
    """The owners and scopes of tokens; null for invalid ones."""
    players, limits = request.app[PLAYERS], request.app[LIMITS]
    address = limits.address(request)
    tokens = (await request.text()).split(",")
    if len(tokens) > MOST_TESTED:
        raise ValueError(f"At most {MOST_TESTED} tokens can be tested at once")
    limits.spend(TESTED, address, len(tokens))
    told: dict[str, Shape | None] = {}
    async with limits.turn(address):
        for token in dict.fromkeys(tokens):
            await limits.pace(TESTS, address)
            async with asyncio.timeout(ANSWER):
                person = await players.person(token.strip())
            known = None if person is None else {"userId": person.id, "scopes": _SCOPES[person.bot], "expires": None}
            told[token] = known
    return web.json_response(told)


async def show(_: web.Request, player: Player) -> web.StreamResponse:
    """The player's account."""
    ratings = await player.connection.ratings(points=0)
    return web.json_response(shapes.user(player.person, ratings.ratings))


async def upgrade(_: web.Request, player: Player) -> web.StreamResponse:
    """Turn the player into a bot. On this server, bots are bots from the beginning, so others are refused."""
    if not player.person.bot:
        raise Impossible("Make a token for a bot of yours: fourfold token bot NAME")
    return done()


async def playing(_: web.Request, player: Player) -> web.StreamResponse:
    """The player's running games."""
    return web.json_response({"nowPlaying": [match.entry() for match in player.played()]})


async def events(request: web.Request, player: Player) -> web.StreamResponse:
    """The player's events: challenges and games."""
    return await send(request, player.listen(), begin=True)


async def status(request: web.Request, player: Player) -> web.StreamResponse:
    """Which of some players are online."""
    answers: list[Shape] = []
    ids = shapes.names(request.query.get("ids", "").split(","))
    if len(ids) > MOST_ASKED:
        raise ValueError(f"At most {MOST_ASKED} players can be asked about at once")
    for id in ids:
        found = await player.find(id)
        title = {"title": "BOT"} if found is not None and found.bot else {}
        playing = {"playing": True} if found is not None and found.status == "playing" else {}
        name = id if found is None else found.name
        answers.append({"id": id, "name": name, "online": found is not None} | title | playing)
    return web.json_response(answers)


async def one(request: web.Request, player: Player) -> web.StreamResponse:
    """The public data of a player."""
    name = request.match_info["name"]
    found = await player.find(name)
    if found is None:
        return web.json_response(shapes.user(Person(name, bot=False)))
    ratings = await player.ratings(found.player)
    return web.json_response(shapes.user(Person(found.name, found.bot), ratings.ratings))


async def bots(request: web.Request, player: Player) -> web.StreamResponse:
    """The bots that are online, one a line, at most `nb`."""
    most = int(request.query.get("nb") or MOST)
    online = (await player.people()).values()
    lines = [json.dumps(shapes.user(Person(one.name, bot=True))) for one in online if one.bot]
    return web.Response(text="".join(f"{line}\n" for line in lines[:most]), content_type="application/x-ndjson")


MOST = 512
"""The default number of bots in the list."""

ROUTES = [
    web.post("/api/token/test", test_tokens),
    web.get("/api/account", of_player(show)),
    web.get("/api/account/playing", of_player(playing)),
    web.post("/api/bot/account/upgrade", of_player(upgrade)),
    web.get("/api/stream/event", of_player(events, None)),
    web.get("/api/users/status", of_player(status, guest=True)),
    web.get("/api/user/{name}", of_player(one, guest=True)),
    web.get("/api/bot/online", of_player(bots, guest=True)),
]
