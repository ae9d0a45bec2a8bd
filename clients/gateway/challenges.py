"""Requests that lead to games: challenges and seeks."""

import asyncio
import random
from contextlib import suppress

from aiohttp import web

from fourfold.clients.errors import RequestError
from fourfold.clients.gateway import shapes
from fourfold.clients.gateway.lines import Lines, send
from fourfold.clients.gateway.match import Impossible, Match
from fourfold.clients.gateway.player import NoGame, Player
from fourfold.clients.gateway.requests import done, fields_of, is_yes, of_player
from fourfold.clients.gateway.shapes import Offer
from fourfold.clients.websocket import room_url
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Challenge

LEVELS = 5
"""The number of our levels; Lichess has eight."""

MINUTE, SECOND = 60_000, 1000
"""The units of time in seeks and in challenges, in milliseconds."""


def _variant(fields: dict[str, str]) -> str:
    """The requested variant. Raises `Impossible`."""
    key = fields.get("variant") or "standard"
    if fields.get("fen") and key == "fromPosition":
        key = "standard"
    name = shapes.our_variant(key)
    if name is None:
        raise Impossible(f"There is no variant '{key}' here")
    return name


async def mine(_: web.Request, player: Player) -> web.StreamResponse:
    """The player's open challenges."""
    rematches = [offer for match in player.matches.values() if (offer := match.rematch()) is not None]
    challenges = player.challenges.values()
    asked = [player.shape(challenge) for challenge in challenges if player.is_asked(challenge)]
    made = [player.shape(challenge) for challenge in challenges if challenge.by == player.connection.player]
    return web.json_response({"in": [*map(shapes.challenge, rematches), *asked], "out": made})


async def make(request: web.Request, player: Player) -> web.StreamResponse:
    """Challenge a player by name. With `keepAliveStream`, the challenge stays open as long as the request."""
    fields = await fields_of(request)
    name = request.match_info["name"]
    if fields.get("fen"):
        raise Impossible("A challenge begins where games of its variant begin")
    if (level := _level(name)) is not None:
        match = await _against(player, level, fields)
        return web.json_response({"id": match.room, "status": "accepted"} | match.entry())
    variant, clock = _variant(fields), shapes.clock_of(fields, "clock.limit", "clock.increment", SECOND)
    found, color = await player.find(name), fields.get("color")
    seat = color if color in shapes.SEATS else None
    try:
        who, rated = found.player if found else name, is_yes(fields.get("rated", "no"))
        made = await player.connection.challenge(who, variant, clock, seat=seat, rated=rated)
    except RequestError as error:
        if error.code not in _TOO_MANY:
            raise
        seconds = max(60, -(-(error.retry or 0) // 1000))
        answer = {"error": error.message, "ratelimit": {"seconds": seconds}}
        return web.json_response(answer, status=429, headers={"Retry-After": str(seconds)})
    if made.status == "declined":
        player.tell({"type": "challengeDeclined", "challenge": player.shape(made)})
    if not is_yes(fields.get("keepAliveStream", "no")):
        return web.json_response(player.shape(made))
    return await _wait(request, player, made)


_TOO_MANY = ("too_many_challenges", "too_fast")
"""Codes of refusals that become HTTP 429, for challenges only: after a 429, programs stop all requests for a while."""


async def _wait(request: web.Request, player: Player, made: Challenge) -> web.StreamResponse:
    """Answer with the result of a challenge. The challenge is taken back if the client stops waiting."""
    lines = Lines()
    lines.put(player.shape(made))

    async def tell() -> None:
        over = made if made.status != "open" else await player.outcome(made.challenge)
        lines.put({"done": shapes.challenge_status(over)})
        lines.end()

    waiting = asyncio.create_task(tell())
    try:
        return await send(request, lines)
    finally:
        if not waiting.done():
            waiting.cancel()
            with suppress(RequestError):
                await player.connection.cancel(made.challenge)


async def accept(request: web.Request, player: Player) -> web.StreamResponse:
    """Accept a challenge or rematch, or take a free seat of any table with this id.

    One program counts every acceptance as a coming game. So there is only one yes for each game: after the other
    players have answered, and none for a player who sits there already.
    """
    id = request.match_info["id"]
    match = player.matches.get(id)
    if id in player.challenges:
        over = await _say_yes(player, id)
        if over.status == "open":
            over = await player.outcome(id)
        if over.status != "accepted":
            raise NoGame("This challenge is off")
    elif match is not None and match.rematch() is not None:
        await match.answer_rematch(accept=True)
    elif match is not None and match.seat is not None:
        raise NoGame("There is no such challenge; you play already")
    else:
        color = request.query.get("color")
        await player.connection.join(id, color if color in shapes.SEATS else None)
        await player.follow(id, announce=True)
    return done()


async def _say_yes(player: Player, game: str) -> Challenge:
    """Accept a challenge, if the opponent is here or comes back soon. Otherwise call the challenge off and raise
    `NoGame`."""
    while True:
        try:
            return await player.connection.answer(player.challenge_of(game), accept=True)
        except RequestError as error:
            if error.code != "player_away":
                raise
        if not player.waits_for(game):
            raise NoGame(f"{await player.call_off(game)} is away: the challenge is off")
        await asyncio.sleep(0.5)


async def decline(request: web.Request, player: Player) -> web.StreamResponse:
    """Decline a challenge or rematch."""
    id, fields = request.match_info["id"], await fields_of(request)
    match = player.matches.get(id)
    if match is not None and match.rematch() is not None:
        await match.answer_rematch(accept=False)
    else:
        reason, _ = shapes.REASONS.get(fields.get("reason", ""), shapes.REASONS["generic"])
        await player.connection.answer(player.challenge_of(id), accept=False, reason=reason)
    return done()


async def cancel(request: web.Request, player: Player) -> web.StreamResponse:
    """Take back a challenge."""
    await player.connection.cancel(player.challenge_of(request.match_info["id"]))
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
    level = min(max(int(fields.get("level") or 1), 1), LEVELS)
    return web.json_response((await _against(player, level, fields)).entry(), status=201)


async def _against(player: Player, level: int, fields: dict[str, str]) -> Match:
    """Start a game of a player against a level."""
    clock = shapes.clock_of(fields, "clock.limit", "clock.increment", SECOND)
    color = fields.get("color")
    room = await player.connection.create(_variant(fields), position=fields.get("fen"), clock=clock)
    await player.connection.join(room, color if color in shapes.SEATS else random.choice(shapes.SEATS))
    match = await player.follow(room, announce=True)
    try:
        await player.connection.invite(room, level)
    except RequestError:
        await player.connection.close_room(room)  # no other player can come
        raise
    return match


def _level(name: str) -> int | None:
    """The level of a name such as `level_4`; None if it is not a computer player's name."""
    level = shapes.id_of(name).removeprefix("level").lstrip("_")
    return int(level) if level in map(str, range(1, LEVELS + 1)) and name.lower().startswith("level") else None


async def seek(request: web.Request, player: Player) -> web.StreamResponse:
    """Wait for a player who seeks the same game, as long as the request lasts."""
    fields = await fields_of(request)
    clock: Clock | None = shapes.clock_of(fields, "time", "increment", MINUTE)
    room, _ = await player.connection.seek(_variant(fields), clock, rated=is_yes(fields.get("rated", "no")))
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
    web.post("/api/challenge/{name}", of_player(make, None)),
    web.post("/api/challenge/{id}/cancel", of_player(cancel)),
    web.post("/api/challenge/{id}/accept", of_player(accept)),
    web.post("/api/challenge/{id}/decline", of_player(decline)),
    web.post("/api/board/seek", of_player(seek, None)),
]
