"""Requests that lead to games: challenges, and seeks."""

import asyncio
import random
from contextlib import suppress

from aiohttp import web

from fourfold.clients.errors import RequestError
from fourfold.clients.gateway import shapes
from fourfold.clients.gateway.lines import Lines, send
from fourfold.clients.gateway.match import Impossible
from fourfold.clients.gateway.player import Player
from fourfold.clients.gateway.requests import done, fields_of, of_player
from fourfold.clients.gateway.shapes import Offer
from fourfold.clients.websocket import room_url
from fourfold.protocol.from_client import Clock

LEVELS = 5
"""How many levels our computer players have; Lichess's have eight."""

MINUTE, SECOND = 60_000, 1000
"""In milliseconds: the units in which the time of a seek is told, and that of a challenge."""


def _variant(fields: dict[str, str]) -> str:
    """The variant that is asked for. Raises `Impossible`."""
    key = fields.get("variant") or "standard"
    if fields.get("fen") and key == "fromPosition":
        key = "standard"
    name = shapes.our_variant(key)
    if name is None:
        raise Impossible(f"There is no variant '{key}' here")
    return name


async def mine(_: web.Request, player: Player) -> web.StreamResponse:
    """The challenges that are open."""
    offers = [offer for match in player.matches.values() if (offer := match.rematch()) is not None]
    return web.json_response({"in": [shapes.challenge(offer) for offer in offers], "out": []})


async def accept(request: web.Request, player: Player) -> web.StreamResponse:
    """Accept a challenge: a rematch, or the free seat of any table whose id this is."""
    room = request.match_info["id"]
    match = player.matches.get(room)
    if match is not None and match.rematch() is not None:
        await match.answer_rematch(accept=True)
        return done()
    color = request.query.get("color")
    await player.connection.join(room, color if color in shapes.SEATS else None)
    await player.follow(room, announce=True)
    return done()


async def decline(request: web.Request, player: Player) -> web.StreamResponse:
    """Decline a challenge."""
    match = player.matches.get(request.match_info["id"])
    if match is not None:
        await match.answer_rematch(accept=False)
    return done()


async def open_table(request: web.Request, player: Player) -> web.StreamResponse:
    """Open a table for any two players."""
    fields = await fields_of(request)
    variant, clock = _variant(fields), shapes.clock_of(fields, "clock.limit", "clock.increment", SECOND)
    room = await player.connection.create(variant, position=fields.get("fen"), clock=clock)
    url = room_url(player.connection.url, room)
    told = shapes.challenge(Offer(room, url, None, None, variant, clock), incoming=False)
    return web.json_response(told | {"urlWhite": url, "urlBlack": url})


async def play_level(request: web.Request, player: Player) -> web.StreamResponse:
    """Play one of our computer players."""
    fields = await fields_of(request)
    clock = shapes.clock_of(fields, "clock.limit", "clock.increment", SECOND)
    level = min(max(int(fields.get("level") or 1), 1), LEVELS)
    color = fields.get("color")
    room = await player.connection.create(_variant(fields), position=fields.get("fen"), clock=clock)
    await player.connection.join(room, color if color in shapes.SEATS else random.choice(shapes.SEATS))
    match = await player.follow(room, announce=True)
    await player.connection.invite(room, level)
    return web.json_response(match.entry(), status=201)


async def seek(request: web.Request, player: Player) -> web.StreamResponse:
    """Wait for somebody who wants the same game, as long as the request lasts."""
    fields = await fields_of(request)
    clock: Clock | None = shapes.clock_of(fields, "time", "increment", MINUTE)
    room, _ = await player.connection.seek(_variant(fields), clock)
    match = await player.follow(room, announce=True)
    lines = Lines()
    waiting = asyncio.create_task(_end_with(match.begun, lines))
    try:
        return await send(request, lines, begin=True)
    finally:
        waiting.cancel()
        if not match.begun.is_set():
            with suppress(RequestError):
                await player.connection.unseek()


async def _end_with(event: asyncio.Event, lines: Lines) -> None:
    await event.wait()
    lines.end()


ROUTES = [
    web.get("/api/challenge", of_player(mine)),
    web.post("/api/challenge/ai", of_player(play_level)),
    web.post("/api/challenge/open", of_player(open_table)),
    web.post("/api/challenge/{id}/accept", of_player(accept)),
    web.post("/api/challenge/{id}/decline", of_player(decline)),
    web.post("/api/board/seek", of_player(seek, None)),
]
