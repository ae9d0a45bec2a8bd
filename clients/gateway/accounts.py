"""Requests about players: one's token, account and games, and others."""

import json
from collections.abc import Iterable

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
    return web.json_response(shapes.user(player.person))


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
    wanted = shapes.names(request.query.get("ids", "").split(","))
    known = {person.id: person for person in _online(player)}
    told: list[Shape] = []
    for id in wanted:
        person = known.get(id, Person(id, bot=False))
        title = {"title": "BOT"} if person.bot else {}
        told.append({"id": id, "name": person.name, "online": id in known} | title)
    return web.json_response(told)


def _online(player: Player) -> Iterable[Person]:
    """The players who are known to be here: this one, and opponents."""
    yield player.person
    for match in player.played():
        if match.other_is_here:
            yield Person.at(match.table.seats[match.other])


async def one(request: web.Request, _: Player) -> web.StreamResponse:
    """What is public of a player."""
    return web.json_response(shapes.user(Person(request.match_info["name"], bot=False)))


async def bots(_: web.Request, player: Player) -> web.StreamResponse:
    """The bots that are online, a line each."""
    lines = [json.dumps(shapes.user(person)) for person in _online(player) if person.bot]
    return web.Response(text="".join(f"{line}\n" for line in lines), content_type="application/x-ndjson")


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
