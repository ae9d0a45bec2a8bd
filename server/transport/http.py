"""Plain HTTP on the socket's port: health, metrics, the files of the browser client, pictures of positions, and a
rating list of engines. GET and HEAD only."""

import json
import re
from collections.abc import Awaitable, Callable, Collection
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from fourfold import __version__
from fourfold.server.limits.admission import QR, Admission, AdmissionDenied
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.metrics import CONTENT_TYPE
from fourfold.server.transport.engine_list import EngineList
from fourfold.server.transport.pictures import NoPicture, Pictures
from fourfold.server.transport.qr import QrCodes
from fourfold.server.transport.static_files import StaticFile, StaticFiles

SOCKET_PATH: Final = "/ws"

ORIGIN_PATH: Final = "/origin"
"""Where a page asks why its socket was refused, because browsers don't say."""

PROBES: Final = ("/healthz", "/readyz", "/metrics")
"""The paths that report the state of the server."""

ALIVE: Final = f"ok\nfourfold {__version__}\n"
"""What `/healthz` answers."""

_HOST: Final = r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?"
_IS_HOST: Final = re.compile(_HOST)
_IS_ORIGIN: Final = re.compile(f"https?://{_HOST}")
_PORT: Final = re.compile(r":[0-9]{1,5}$")
_QR: Final = re.compile(r"/r/([0-9a-z]{1,32})/qr\.svg")

ROUTES: Final = {
    SOCKET_PATH: re.compile(SOCKET_PATH),
    ORIGIN_PATH: re.compile(ORIGIN_PATH),
    **{path: re.compile(path) for path in PROBES},
    "/r/ROOM/qr.svg": _QR,
    "/r/ROOM.svg": re.compile(r"/r/[0-9a-z]+\.svg"),
    "/r/ROOM.png": re.compile(r"/r/[0-9a-z]+\.png"),
    "/s/STUDY.svg": re.compile(r"/s/[0-9a-z]+\.svg"),
    "/s/STUDY.png": re.compile(r"/s/[0-9a-z]+\.png"),
    "/static/NAME": re.compile(r"/static/.*"),
    "/engines/NAME": re.compile(r"/engines(?:\.json|/.*)"),
    "/PAGE": re.compile(r"/[^/]*|/(?:[rs]|learn|embed|overlay)/[^/]*"),
}
"""The kinds of paths, each with a price in `limits.prices.PATHS`. The first match counts."""

OTHER: Final = "other"
"""The kind of all other paths."""

_LASTING: Final = "public, max-age=31536000, immutable"


class Readiness(NamedTuple):
    """Why the server is not ready for players (None: it is ready), and a warning for its operator."""

    why: str | None = None
    warning: str | None = None


GOING: Final = AdmissionDenied(
    HTTPStatus.SERVICE_UNAVAILABLE, "going", "This server is going away. Reconnect.", retry=1
)
"""The readiness of a stopping server."""

LEAVING: Final = Readiness("the server is going away")


class HttpEndpoints:
    """Answers HTTP requests that are not WebSocket handshakes."""

    def __init__(
        self,
        ready: Callable[[], Awaitable["Readiness"]],
        metrics: Callable[[], Awaitable[str]],
        pages: StaticFiles,
        pictures: Pictures,
        admission: Admission,
        origins: Collection[str],
        engines: EngineList | None = None,
    ) -> None:
        """`ready` returns whether the server is ready for players; `metrics` returns the page for Prometheus. `origins`
        are those of the server's pages, as far as its operator has set them. `engines` is the list that it publishes,
        if any."""
        self._foreign = admission.foreign
        self._admission = admission
        self._origins = origins
        self._codes = QrCodes()
        self._ready = ready
        self._metrics = metrics
        self._pages = pages
        self._pictures = pictures
        self._engines = engines

    async def answer(self, request: Request, *, body: bool, metrics: bool, address: str) -> Response | None:
        """The response; None for a WebSocket handshake.

        `body` says whether the request announces one, `metrics` whether the client may read the metrics. `address` is
        the client's.
        """
        path, _, query = request.path.partition("?")
        if request.method not in ("GET", "HEAD"):
            return _response(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD.\n", {"Allow": "GET, HEAD"})
        if body:
            return _response(HTTPStatus.BAD_REQUEST, "A GET request has no body.\n")
        if path == SOCKET_PATH:
            if _said(request.headers, "Upgrade").lower() == "websocket":
                return None
            return _response(
                HTTPStatus.UPGRADE_REQUIRED, "This is a WebSocket endpoint.\n", {"Upgrade": "websocket"}
            )
        if path == ORIGIN_PATH:
            return _response(HTTPStatus.OK, self._foreign("".join(parse_qs(query).get("page", ()))) or "")
        if path == "/healthz":
            return _response(HTTPStatus.OK, ALIVE)
        if path == "/readyz":
            return _readiness(await self._ready())
        if path == "/metrics":
            if not metrics:
                return _response(HTTPStatus.FORBIDDEN, "This server's setting METRICS hides the metrics from you.\n")
            return _response(HTTPStatus.OK, await self._metrics(), {"Content-Type": CONTENT_TYPE})
        picture = await self._pictures.find(path, query, address)
        if isinstance(picture, NoPicture):
            return denied(picture)
        file = picture or self._pages.find(path, _origin(request.headers))
        if file is None and self._engines is not None:
            file = await self._engines.find(path)
        if file is not None:
            return _file(file, request.headers)
        if room := _QR.fullmatch(path):
            return await self._qr(room[1], "".join(parse_qs(query).get("at", ())), request.headers, address)
        return _response(HTTPStatus.NOT_FOUND, f"There is nothing at {path}.\n")

    async def _qr(self, room: str, origin: str, headers: Headers, address: str) -> Response:
        """The QR code of a link to a room at this server."""
        if not _IS_ORIGIN.fullmatch(origin):
            return denied(NoPicture(HTTPStatus.NOT_FOUND, "`at` is the origin of the link, as https://HOST."))
        own = _name(origin.partition("://")[2]) == _name(_said(headers, "Host"))
        if not own and origin.lower() not in self._origins:
            sentence = f"{origin} is not the address of this server, and its ALLOWED_ORIGINS does not name it."
            return denied(NoPicture(HTTPStatus.FORBIDDEN, sentence))
        try:
            self._admission.do(QR, address)
        except RequestRefused as error:
            return denied(NoPicture.later(error))
        image = await self._codes.code(f"{origin}/r/{room}")
        return _response(HTTPStatus.OK, image, {"Content-Type": "image/svg+xml", "Cache-Control": _LASTING})


def route(request: Request) -> str:
    """Which of `ROUTES` a request takes, whatever its method."""
    path = request.path.partition("?")[0]
    return next((name for name, pattern in ROUTES.items() if pattern.fullmatch(path)), OTHER)


def is_probe(request: Request) -> bool:
    """Whether a request is an operator's health check."""
    return request.path.partition("?")[0] in PROBES


def denied(refusal: AdmissionDenied | NoPicture) -> Response:
    """The response to a denied request."""
    extra = {} if refusal.retry is None else {"Retry-After": str(refusal.retry)}
    return _response(refusal.status, refusal.sentence + "\n", extra)


def unavailable(path: str, refusal: AdmissionDenied, readiness: Readiness) -> Response:
    """The response of a process that runs but accepts no clients."""
    if path == "/healthz":
        return _response(HTTPStatus.OK, ALIVE)
    return _readiness(readiness) if path == "/readyz" else denied(refusal)


def failed() -> Response:
    """The response to a request that failed through a server error."""
    return _response(HTTPStatus.INTERNAL_SERVER_ERROR, "The server failed; its log says why.\n")


def _readiness(readiness: Readiness) -> Response:
    why, warning = readiness
    status = HTTPStatus.OK if why is None else HTTPStatus.SERVICE_UNAVAILABLE
    said = {"ready": why is None, "why": why, "warning": warning}
    return _response(status, json.dumps(said) + "\n", json_body=True)


def _origin(headers: Headers) -> str | None:
    """The server's origin, as the client and the proxies before it name it; None if it is not a valid host."""
    host = _said(headers, "Host")
    secure = _said(headers, "X-Forwarded-Proto").partition(",")[0].strip().lower() == "https"
    return f"{'https' if secure else 'http'}://{host}" if _IS_HOST.fullmatch(host) else None


def _name(host: str) -> str:
    """A host without its port, which proxies may drop."""
    return _PORT.sub("", host.lower())


def _said(headers: Headers, name: str) -> str:
    """The values of all headers of a name."""
    return ", ".join(headers.get_all(name))


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
        }
        | (extra or {})
    )
    return Response(status.value, status.phrase, headers, body)


def _file(file: StaticFile, asked: Headers) -> Response:
    """A file of the browser client; only its tag if the browser already has this version."""
    headers = Headers(
        {
            "Content-Type": file.type,
            "ETag": file.tag,
            # Other files are cached too, but revalidated, so that a new version appears at once.
            "Cache-Control": _LASTING if file.lasting else "no-cache",
            "Content-Security-Policy": _policy(_said(asked, "Host"), framed=file.framed),
            "Referrer-Policy": "same-origin",
            "Vary": "Accept-Encoding",
            "X-Content-Type-Options": "nosniff",
        }
    )
    known = {tag.strip().removeprefix("W/") for tag in _said(asked, "If-None-Match").split(",")}
    if known & {file.tag, "*"}:
        return Response(HTTPStatus.NOT_MODIFIED.value, HTTPStatus.NOT_MODIFIED.phrase, headers, b"")
    body = file.body
    if file.packed is not None and "gzip" in _said(asked, "Accept-Encoding"):
        body = file.packed
        headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(body))
    return Response(HTTPStatus.OK.value, HTTPStatus.OK.phrase, headers, body)


def _policy(host: str, *, framed: bool) -> str:
    """The Content-Security-Policy of a page. Its socket is at its own host, which older Safaris need by name. Other
    sites may show a page in a frame only if it is `framed`."""
    sockets = f" ws://{host} wss://{host}" if _IS_HOST.fullmatch(host) else ""
    return (
        f"default-src 'self'; connect-src 'self'{sockets}; object-src 'none'; base-uri 'none'; form-action 'self'; "
        + ("frame-ancestors *" if framed else "frame-ancestors 'none'")
    )
