"""Requests about players: one's token, account and games, and others."""

import json

from aiohttp import web

from fourfold.clients.errors import Dismissed
from fourfold.clients.gateway import shapes
from fourfold.clients.gateway.lines import send
from fourfold.clients.gateway.match import Impossible
from fourfold.clients.gateway.player import Player
from fourfold.clients.gateway.requests import PLAYERS, done, of_player
from fourfold.clients.gateway.shapes import Person, Shape

_SCOPES = {True: "bot:play,challenge:read,challenge:write", False: "board:play,challenge:read,challenge:write"}
"""What a token allows: that of a bot, and that of a person."""


async def test_tokens(request: web.Request) -> web.StreamResponse:
    """Whose tokens these are, and what they allow; null for one that is not good."""
    told: dict[str, Shape | None] = {}
    for token in (await request.text()).split(","):
        try:
            async with request.app[PLAYERS].visit(token.strip()) as player:
                person = player.person
                told[token] = {"userId": person.id, "scopes": _SCOPES[person.bot], "expires": None}
        except Dismissed:
            told[token] = None
    return web.json_response(told)


async def show(_: web.Request, player: Player) -> web.StreamResponse:
    """The player's account."""
    ratings = await player.connection.ratings(points=0)
    return web.json_response(shapes.user(player.person, ratings.ratings))


async def upgrade(_: web.Request, player: Player) -> web.StreamResponse:
    """Make the player a bot: a bot is one from the beginning here."""
    if not player.person.bot:
        raise Impossible("Make a token for a bot of yours: fourfold token bot NAME")
    return done()


async def playing(_: web.Request, player: Player) -> web.StreamResponse:
    """The games that the player plays."""
    return web.json_response({"nowPlaying": [match.entry() for match in player.played()]})


async def events(request: web.Request, player: Player) -> web.StreamResponse:
    """What happens to the player: challenges and games."""
    return await send(request, player.listen(), begin=True)


async def status(request: web.Request, player: Player) -> web.StreamResponse:
    """Who of some players is online."""
    answers: list[Shape] = []
    for id in shapes.names(request.query.get("ids", "").split(",")):
        found = await player.find(id)
        title = {"title": "BOT"} if found is not None and found.bot else {}
        playing = {"playing": True} if found is not None and found.status == "playing" else {}
        name = id if found is None else found.name
        answers.append({"id": id, "name": name, "online": found is not None} | title | playing)
    return web.json_response(answers)


async def one(request: web.Request, player: Player) -> web.StreamResponse:
    """What is public of a player."""
    name = request.match_info["name"]
    found = await player.find(name)
    if found is None:
        return web.json_response(shapes.user(Person(name, bot=False)))
    ratings = await player.connection.ratings(found.player, points=0)
    return web.json_response(shapes.user(Person(found.name, found.bot), ratings.ratings))


async def bots(request: web.Request, player: Player) -> web.StreamResponse:
    """The bots that are online, a line each, at most `nb`."""
    most = int(request.query.get("nb") or MOST)
    lines: list[str] = []
    after: str | None = None
    while len(lines) < most:
        page = await player.connection.people(after, 100)
        lines += [json.dumps(shapes.user(Person(one.name, bot=True))) for one in page.people if one.bot]
        after = page.next
        if after is None:
            break
    return web.Response(text="".join(f"{line}\n" for line in lines[:most]), content_type="application/x-ndjson")


MOST = 512
"""How many bots are listed, if nothing else is asked for."""

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
