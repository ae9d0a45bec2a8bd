"""Common parts of all requests: the player, the fields, and refusals."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import web

from fourfold.clients.errors import ConnectionFault, Dismissed, RequestError
from fourfold.clients.gateway.limits import ARRIVAL, LOOKUPS, REQUESTS, STRANGE, Limits, TooMany
from fourfold.clients.gateway.match import Impossible
from fourfold.clients.gateway.player import NoGame, Player, Players

PLAYERS: Final = web.AppKey("players", Players)
"""The players of the application."""

LIMITS: Final = web.AppKey("limits", Limits)
"""The limits by address."""

ANSWER: Final = 4.0
"""Seconds for an answer; programs wait for two or five, and then ask again."""

MOVE: Final = 0.8
"""The same for moves and chat: one program asks again after a second."""

Handler = Callable[[web.Request, Player], Awaitable[web.StreamResponse]]
"""Answers a player's request. It can raise everything that `refusing` turns into refusals."""

_Plain = Callable[[web.Request], Awaitable[web.StreamResponse]]


def of_player(handler: Handler, seconds: float | None = ANSWER, *, guest: bool = False) -> _Plain:
    """A handler for the player of a request's token. Except for streams, the answer must come within `seconds`. As a
    `guest`, the request needs no token."""

    async def answer(request: web.Request) -> web.StreamResponse:
        token = token_of(request)
        if token is None and not guest:
            raise web.HTTPUnauthorized
        limits = request.app[LIMITS]
        address = limits.address(request)
        if token is None:
            limits.spend(LOOKUPS, address)
            async with limits.turn(address), asyncio.timeout(seconds), request.app[PLAYERS].visit(None) as player:
                return await handler(request, player)
        if seconds != MOVE:
            limits.spend(REQUESTS, address)
        async with asyncio.timeout(seconds), _visit(request, token, address) as player:
            return await handler(request, player)

    return answer


@asynccontextmanager
async def _visit(request: web.Request, token: str, address: str) -> AsyncIterator[Player]:
    """The player of a token. A token without a connection counts as invalid until proved valid. Raises what
    `Players.visit` does, and `TooMany`."""
    players, limits = request.app[PLAYERS], request.app[LIMITS]
    arrives = not players.knows(token)
    if arrives:
        limits.spend(REQUESTS, address, ARRIVAL)
        limits.spend(STRANGE, address)
    async with players.visit(token) as player:
        if arrives:
            limits.restore(STRANGE, address)
        yield player


def token_of(request: web.Request) -> str | None:
    """The token in a request's header."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


def done() -> web.Response:
    """The answer to a successful request."""
    return web.json_response({"ok": True})


def refusal(status: int, sentence: str) -> web.Response:
    """The answer to a failed request."""
    return web.json_response({"error": sentence}, status=status)


@web.middleware
async def refusing(request: web.Request, handler: _Plain) -> web.StreamResponse:
    """Answer errors with an object that has a sentence, as these programs expect."""
    limits = request.app[LIMITS]
    try:
        async with limits.opened(limits.address(request)):
            return await handler(request)
    except TooMany as error:
        return web.json_response({"error": str(error)}, status=429, headers={"Retry-After": str(error.retry)})
    except Dismissed as error:
        return refusal(403, str(error)) if error.code == "banned" else refusal(401, "No such token")
    except web.HTTPUnauthorized:
        return refusal(401, "No such token")
    except NoGame as error:
        return refusal(404, str(error))
    except (Impossible, ValueError) as error:
        return refusal(400, str(error))
    except RequestError as error:
        return refusal(_STATUS.get(error.code, 400), error.message)
    except (ConnectionFault, TimeoutError):
        return refusal(503, "The server is away; try again")
    except web.HTTPException as error:
        return refusal(error.status, error.reason)


_STATUS: Final = {
    **dict.fromkeys(("no_such_room", "no_such_challenge", "challenge_over", "no_such_player"), 404),
    "unavailable": 503,
    "failed": 500,
}
"""The HTTP status of the server's refusals; 400 for all others."""


async def fields_of(request: web.Request) -> dict[str, str]:
    """The fields of a request's body, as a form or JSON, and of its query. Raises ValueError."""
    fields = dict(request.query)
    if request.content_type == "application/json":
        text = await request.text()
        body: Any = json.loads(text) if text else {}
        if not isinstance(body, dict):
            raise ValueError("The body is not an object")
        fields |= {key: _text(value) for key, value in body.items() if value is not None}
    else:
        fields |= {key: value for key, value in (await request.post()).items() if isinstance(value, str)}
    return fields


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def is_yes(text: str) -> bool:
    """Whether a word means yes; programs use several."""
    return text.lower() in ("yes", "true", "1")
