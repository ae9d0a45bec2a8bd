"""Requests about running games, and exports. The Bot API and the Board API differ only in their paths."""

from collections.abc import Awaitable, Callable

from aiohttp import web

from fourfold.clients.gateway.lines import send
from fourfold.clients.gateway.match import Impossible, Match
from fourfold.clients.gateway.player import Player
from fourfold.clients.gateway.requests import ANSWER, MOVE, Handler, done, fields_of, is_yes, of_player


async def stream(request: web.Request, player: Player) -> web.StreamResponse:
    """The stream of a game, from now to its end."""
    match = await player.follow(request.match_info["id"])
    lines = match.stream()
    try:
        return await send(request, lines)
    finally:
        match.close(lines)


def _command(carry_out: Callable[[Match, web.Request], Awaitable[None]]) -> Handler:
    async def handler(request: web.Request, player: Player) -> web.StreamResponse:
        await carry_out(await player.follow(request.match_info["id"]), request)
        return done()

    return handler


async def _move(match: Match, request: web.Request) -> None:
    await match.move(request.match_info["move"], is_yes(request.query.get("offeringDraw", "no")))


async def _say(match: Match, request: web.Request) -> None:
    fields = await fields_of(request)
    await match.say(fields.get("room", "player"), fields.get("text", ""))


async def _berserk(_match: Match, _request: web.Request) -> None:
    raise Impossible("Nobody goes berserk here")


async def talk(request: web.Request, player: Player) -> web.StreamResponse:
    """The chat of a game."""
    return web.json_response((await player.follow(request.match_info["id"])).chat)


async def export(request: web.Request, player: Player) -> web.StreamResponse:
    """A game as PGN."""
    text = await player.connection.export(request.match_info["id"], "pgn")
    return web.Response(text=text, content_type="application/x-chess-pgn")


_COMMANDS: dict[str, tuple[Callable[[Match, web.Request], Awaitable[None]], float]] = {
    "move/{move}": (_move, MOVE),
    "chat": (_say, MOVE),
    "draw/{accept}": (lambda match, request: match.draw(is_yes(request.match_info["accept"])), ANSWER),
    "takeback/{accept}": (lambda match, request: match.takeback(is_yes(request.match_info["accept"])), ANSWER),
    "claim-victory": (lambda match, _: match.claim_victory(), ANSWER),
    "claim-draw": (lambda match, _: match.claim_draw(), ANSWER),
    "resign": (lambda match, _: match.resign(), ANSWER),
    "abort": (lambda match, _: match.abort(), ANSWER),
    "berserk": (_berserk, ANSWER),
}

ROUTES = [
    web.get("/game/export/{id}", of_player(export, guest=True)),
    *(
        route
        for api in ("bot", "board")
        for route in (
            web.get(f"/api/{api}/game/stream/{{id}}", of_player(stream, None)),
            web.get(f"/api/{api}/game/{{id}}/chat", of_player(talk)),
            *(
                web.post(f"/api/{api}/game/{{id}}/{path}", of_player(_command(carry_out), seconds))
                for path, (carry_out, seconds) in _COMMANDS.items()
            ),
        )
    ),
]
