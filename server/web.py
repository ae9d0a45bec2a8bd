"""Plain HTTP on the socket's port: health for machines, a word of welcome for people. GET and HEAD only."""

import json
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from server.admission import Refusal
from server.metrics import CONTENT_TYPE

SOCKET_PATH: Final = "/ws"

_WELCOME: Final = """Fourfold is up.

Watch bots play a game of four:   fourfold demo --players 4 --url http://{host}
Speak to it:                      ws://{host}/ws (fourfold.v1+json or fourfold.v1+msgpack)
"""


class Web:
    """Answers what is not a WebSocket handshake; see `process_request` of `websockets`."""

    def __init__(self, ready: Callable[[], Awaitable[str | None]], metrics: Callable[[], str]) -> None:
        """`ready` says why the server is not ready to take players, None if it is; `metrics` is Prometheus' page."""
        self._ready = ready
        self._metrics = metrics

    async def answer(self, _: ServerConnection, request: Request) -> Response | None:
        """The response; None lets the WebSocket handshake go on."""
        path = request.path.split("?", 1)[0]
        method = getattr(request, "method", "GET")  # websockets before 17 lets only GET through
        if method not in ("GET", "HEAD"):
            return _response(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD.\n", {"Allow": "GET, HEAD"})
        if path == SOCKET_PATH:
            if request.headers.get("Upgrade", "").lower() == "websocket":
                return None
            return _response(
                HTTPStatus.UPGRADE_REQUIRED, "This is a WebSocket endpoint.\n", {"Upgrade": "websocket"}
            )
        if path == "/healthz":
            return _response(HTTPStatus.OK, "ok\n")
        if path == "/readyz":
            why = await self._ready()
            status = HTTPStatus.OK if why is None else HTTPStatus.SERVICE_UNAVAILABLE
            return _response(status, json.dumps({"ready": why is None, "why": why}) + "\n", json_body=True)
        if path == "/metrics":
            return _response(HTTPStatus.OK, self._metrics(), {"Content-Type": CONTENT_TYPE})
        if path == "/" or path.startswith("/r/"):
            return _response(HTTPStatus.OK, _WELCOME.format(host=request.headers.get("Host", "localhost")))
        return _response(HTTPStatus.NOT_FOUND, f"There is nothing at {path}.\n")


def refused(refusal: Refusal) -> Response:
    """The answer to a WebSocket handshake that is not taken."""
    extra = {} if refusal.retry is None else {"Retry-After": str(refusal.retry)}
    return _response(refusal.status, refusal.sentence + "\n", extra)


def _response(
    status: HTTPStatus, text: str, extra: dict[str, str] | None = None, *, json_body: bool = False
) -> Response:
    body = text.encode()
    headers = Headers(
        {
            "Content-Type": "application/json" if json_body else "text/plain; charset=utf-8",
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
            **(extra or {}),
        }
    )
    return Response(status.value, status.phrase, headers, body)
