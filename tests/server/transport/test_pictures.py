"""Pictures of positions by GET, and what chat programs are told of them."""

import asyncio
import http.client
import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from fourfold.engine.position import Position
from fourfold.server.limits.admission import PICTURE
from fourfold.server.transport.pictures import SIZE
from tests.server.conftest import Dial, Wire

MOVES = ("e2e4", "e7e5", "g1f3", "b8c6")


async def get(url: str, path: str, **headers: str) -> tuple[http.client.HTTPResponse, str]:
    """The response to a GET, and its body."""

    def ask() -> tuple[http.client.HTTPResponse, str]:
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        body = response.read().decode()
        connection.close()
        return response, body

    return await asyncio.to_thread(ask)


async def game(dial: Dial, **terms: Any) -> tuple[str, Wire, Wire]:
    """A room in which the moves have been played."""
    white, black = await dial(name="Ann"), await dial(name="Bob")
    room = (await white.asks("create", moves=list(MOVES), **terms))["room"]
    await white.asks("join", room=room, seat="white")
    await black.asks("join", room=room, seat="black")
    return room, white, black


def after(*moves: str, variant: str = "standard") -> str:
    """The picture of the position after some moves."""
    position = Position.start(variant)
    for move in moves:
        position = position.play(move)
    return position.svg(SIZE)


@pytest.mark.parametrize("visibility", ["public", "private"])
async def test_any_position_of_a_room(dial: Dial, address: str, visibility: str) -> None:
    room, white, _ = await game(dial, visibility=visibility)
    for ply in range(5):
        response, body = await get(address, f"/r/{room}.svg?ply={ply}")
        assert (response.status, response.headers["Content-Type"]) == (200, "image/svg+xml")
        assert body == after(*MOVES[:ply])
        ElementTree.fromstring(body)
    for latest in ("", "?ply=4", "?ply=9999"):
        assert (await get(address, f"/r/{room}.svg{latest}"))[1] == after(*MOVES)
    known = response.headers["ETag"]
    assert (await get(address, f"/r/{room}.svg", **{"If-None-Match": known}))[0].status == 304
    await white.asks("move", room=room, move="f1b5", seq=3, key="m")
    response, body = await get(address, f"/r/{room}.svg", **{"If-None-Match": known})
    assert (response.status, body) == (200, after(*MOVES, "f1b5"))


async def test_among_four(dial: Dial, address: str) -> None:
    ann = await dial()
    room = (await ann.asks("create", variant="ffa", moves=["h2h3", "b7c7"]))["room"]
    assert (await get(address, f"/r/{room}.svg?ply=1"))[1] == after("h2h3", variant="ffa")


async def test_long_after_the_beginning(dial: Dial, address: str) -> None:
    """Positions are kept every few moves; those between them are found from there."""
    ann = await dial()
    moves = [("g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8", "a2a3", "a7a6")[n] for n in range(10)]
    moves += ["g1f3", "g8f6", "b1c3", "b8c6", "e2e4", "e7e5", "f1e2", "f8e7", "d2d3", "d7d6", "h2h3", "h7h6"]
    moves += ["c1e3", "c8e6", "d1d2", "d8d7", "a1b1", "a8b8", "h1g1", "h8g8", "b1a1", "b8a8", "g1h1", "g8h8", "e1f1"]
    room = (await ann.asks("create", moves=moves))["room"]
    for ply in (31, 32, 33, 34):
        assert (await get(address, f"/r/{room}.svg?ply={ply}"))[1] == after(*moves[:ply])


async def test_whoever_watches_late_is_shown_a_late_picture(dial: Dial, address: str) -> None:
    room, white, _ = await game(dial, delay=900_000)
    await white.asks("move", room=room, move="f1b5", seq=3, key="m")
    for path in ("", "?ply=5"):
        assert (await get(address, f"/r/{room}.svg{path}"))[1] == after(*MOVES)


@pytest.mark.parametrize(("query", "status"), [("?ply=-1", 400), ("?ply=x", 400), ("?ply=12345", 400)])
async def test_what_is_no_ply(address: str, query: str, status: int) -> None:
    assert (await get(address, f"/r/abcdefgh.svg{query}"))[0].status == status


async def test_where_there_is_none(dial: Dial, address: str) -> None:
    assert (await get(address, "/r/nowhere2.svg"))[0].status == 404
    assert (await get(address, "/r/NO.svg"))[0].status == 200  # the page, which says that there is no such room
    room, _, _ = await game(dial, password="open sesame")
    response, body = await get(address, f"/r/{room}.svg")
    assert (response.status, "password" in body) == (403, True)


async def test_not_too_often(start: Callable[..., Awaitable[str]]) -> None:
    address = await start(trust_proxy=1)
    told = {"X-Forwarded-For": "192.0.2.7"}
    for _ in range(PICTURE.most):
        assert (await get(address, "/r/nowhere2.svg", **told))[0].status == 404
    response, _ = await get(address, "/r/nowhere2.svg", **told)
    assert response.status == 429 and int(response.headers["Retry-After"]) > 0
    assert (await get(address, "/r/nowhere2.svg", **{"X-Forwarded-For": "192.0.2.8"}))[0].status == 404


async def test_a_page_names_its_picture(address: str) -> None:
    for proto, scheme in ((None, "http"), ("https", "https"), ("https, http", "https"), ("javascript", "http")):
        headers = {"Host": "chess.example.org"} | ({} if proto is None else {"X-Forwarded-Proto": proto})
        _, body = await get(address, "/r/abcd2345", **headers)
        tags = dict(re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]+)">', body))
        assert tags["url"] == f"{scheme}://chess.example.org/r/abcd2345"
        assert (tags["image"], tags["image:type"]) == (f"{tags['url']}.svg", "image/svg+xml")
    for host, path in (('x"><script>', "/r/abcd2345"), ("chess.example.org", "/r/%22%3E"), ("chess.example.org", "/")):
        assert "og:image" not in (await get(address, path, Host=host))[1]
