"""Pictures of positions by GET, and the link previews for chat programs."""

import asyncio
import http.client
import re
import struct
import zlib
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest

from fourfold.engine.position import Position
from fourfold.server.limits.admission import PICTURE
from fourfold.server.transport.pictures import GROUND, SIZE
from fourfold.server.transport.raster import SIDE
from tests.server.conftest import Dial, Wire

MOVES = ("e2e4", "e7e5", "g1f3", "b8c6")


async def get(url: str, path: str, **headers: str) -> tuple[http.client.HTTPResponse, str]:
    """The response to a GET, and its body as text."""
    response, body = await get_bytes(url, path, **headers)
    return response, body.decode()


async def get_bytes(
    url: str, path: str, *, pool: Executor | None = None, **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    """The response to a GET, and its body, from a thread of a pool."""

    def ask() -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=240)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response, body

    return await asyncio.get_running_loop().run_in_executor(pool, ask)


async def game(dial: Dial, **terms: Any) -> tuple[str, Wire, Wire]:
    """A room after some moves."""
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


def pixels(png: bytes, most: int = SIDE) -> Any:
    """The first rows of a PNG, an array of pixels each. Checks that it is one, of the size that pages name."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + length]
        assert zlib.crc32(name + data) == int.from_bytes(png[at + 8 + length : at + 12 + length])
        chunks[name] = chunks.get(name, b"") + data
        at += 12 + length
    assert struct.unpack(">IIBBBBB", chunks[b"IHDR"]) == (SIDE, SIDE, 8, 6, 0, 0, 0)
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(SIDE, 4 * SIDE + 1)
    picture = np.zeros((SIDE, SIDE, 4), np.uint8)
    for y, row in enumerate(rows[:most]):
        line = row[1:].reshape(SIDE, 4)
        match row[0]:  # a pixel is a difference from the one on its left or above it
            case 0:
                picture[y] = line
            case 1:
                picture[y] = np.cumsum(line, axis=0, dtype=np.uint8)
            case 2:
                picture[y] = picture[y - 1] + line
            case kind:
                above = bytes(picture[y - 1]) if y else bytes(4 * SIDE)
                picture[y] = np.frombuffer(_unfiltered(kind, bytes(line), above), np.uint8).reshape(SIDE, 4)
    return picture


def _unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    """A PNG row that is stored as differences from the average or the nearest of the surrounding pixels."""
    row = bytearray(line)
    for n, value in enumerate(line):
        left, up, corner = (row[n - 4], above[n], above[n - 4]) if n >= 4 else (0, above[n], 0)
        nearest = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
        row[n] = (value + ((left + up) // 2 if kind == 3 else nearest)) % 256
    return bytes(row)


def colour(rows: Any, x: int, y: int) -> str:
    """The Paeth predictor of a pixel."""
    red, green, blue, opacity = rows[y][x]
    assert opacity == 255
    return f"#{red:02x}{green:02x}{blue:02x}"


async def test_as_png(dial: Dial, address: str) -> None:
    """The same positions, with the same answers where there is none."""
    room, white, _ = await game(dial)
    seen = {}
    for ply in (0, 1, 4):
        response, seen[ply] = await get_bytes(address, f"/r/{room}.png?ply={ply}", **{"Accept-Encoding": "gzip"})
        assert (response.status, response.headers["Content-Type"]) == (200, "image/png")
        # the format that WhatsApp shows
        assert response.headers["Content-Encoding"] is None and len(seen[ply]) < 300_000
        assert response.headers["Cache-Control"] == "no-cache"
    assert len(set(seen.values())) == 3
    step = SIDE // 8
    e4 = 4 * step + step // 2, 4 * step + step // 2
    before, after = (pixels(seen[ply], e4[1] + 1) for ply in (0, 1))
    assert (colour(before, *e4), colour(after, *e4)) == ("#efece1", "#fcfbf7")  # a light square; a white pawn on it
    assert colour(before, 3 * step + 3, 3) == "#8fab9b" and colour(before, 4 * step + 3, 3) == "#efece1"
    latest, body = await get_bytes(address, f"/r/{room}.png")
    assert body == seen[4]
    known = latest.headers["ETag"]
    assert (await get_bytes(address, f"/r/{room}.png", **{"If-None-Match": known}))[0].status == 304
    await white.asks("move", room=room, move="f1b5", seq=3, key="m")
    assert (await get_bytes(address, f"/r/{room}.png", **{"If-None-Match": known}))[1] not in {b"", *seen.values()}
    for path, status in (("nowhere2.png", 404), (f"{room}.png?ply=x", 400), (f"{room}.png?ply=12345", 400)):
        assert (await get(address, f"/r/{path}"))[0].status == status
    locked, _, _ = await game(dial, password="open sesame")
    assert (await get(address, f"/r/{locked}.png"))[0].status == 403


@pytest.mark.slow
async def test_four_as_png(dial: Dial, address: str) -> None:
    ann = await dial()
    room = (await ann.asks("create", variant="ffa", moves=["h2h3", "b7c7"]))["room"]
    rows = pixels((await get_bytes(address, f"/r/{room}.png?ply=1"))[1])
    assert [colour(rows, x, y) for x in (5, SIDE - 6) for y in (5, SIDE - 6)] == [GROUND] * 4  # the cut corners
    step = SIDE // 14
    assert colour(rows, 7 * step + step // 2, 11 * step + step // 2) == "#9e1111"  # red's pawn on h3


@pytest.mark.slow
async def test_many_at_once_are_drawn_one_after_the_other(dial: Dial, address: str) -> None:
    """Other requests wait only briefly meanwhile, and late ones are refused with a time to retry."""
    room, white, _ = await game(dial)
    pawns = [("2", "3"), ("7", "6"), ("3", "4"), ("6", "5")]
    moves = [f"{file}{start}{file}{end}" for file in "aceg" for start, end in pawns]
    moves += [f"{file}{start}{file}{end}" for file in "bdfh" for start, end in pawns[:2]]
    other = (await white.asks("create", moves=moves))["room"]
    paths = [f"/r/{other}.png?ply={ply}" for ply in range(25)]
    with ThreadPoolExecutor(len(paths)) as pool:
        asked = asyncio.gather(*(get_bytes(address, path, pool=pool) for path in paths))
        while not asked.done():
            async with asyncio.timeout(240):
                await white.asks("ping")
                assert (await get(address, "/healthz"))[0].status == 200
        answers = await asked
    assert {response.status for response, _ in answers} <= {200, 503}
    assert len({body for response, body in answers if response.status == 200}) > 5
    for response, _ in answers:
        assert response.status == 200 or int(response.headers["Retry-After"]) > 0
    assert (await get_bytes(address, f"/r/{room}.png"))[0].status == 200


async def study(wire: Wire, text: str, visibility: str = "link") -> str:
    """A study of games."""
    made = await wire.asks("study", title="Tried", visibility=visibility, source={"text": text})
    room: str = made["room"]
    return room


async def test_any_position_of_a_study(dial: Dial, address: str) -> None:
    ann = await dial(name="Ann")
    room = await study(ann, "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 *\n\n[Event \"Two\"]\n\n1. d4 d5 *")
    end = after(*MOVES)
    for query, wanted in (
        ("", end),
        ("?chapter=1&node=0", after()),
        ("?chapter=1&node=1", after("e2e4")),
        ("?node=2", after("e2e4", "e7e5")),
        ("?chapter=2", after("d2d4", "d7d5")),
    ):
        response, body = await get(address, f"/s/{room}.svg{query}")
        assert (response.status, response.headers["Content-Type"], body) == (200, "image/svg+xml", wanted), query
    pictures = [(await get_bytes(address, f"/s/{room}.png{query}"))[1] for query in ("", "?node=0", "?chapter=2")]
    for picture in pictures:
        pixels(picture, 1)
    assert len(set(pictures)) == 3
    for query, status in (("?chapter=9", 404), ("?node=999", 404), ("?chapter=x", 400), ("?node=-1", 400)):
        for form in ("svg", "png"):
            assert (await get(address, f"/s/{room}.{form}{query}"))[0].status == status
    assert (await get(address, "/s/aaaaaaaaaaaaaa.png"))[0].status == 404


async def test_a_private_study_has_none(dial: Dial, address: str) -> None:
    room = await study(await dial(name="Ann"), "1. e4 *", "private")
    for form in ("svg", "png"):
        assert (await get(address, f"/s/{room}.{form}"))[0].status == 404


async def test_among_four(dial: Dial, address: str) -> None:
    ann = await dial()
    room = (await ann.asks("create", variant="ffa", moves=["h2h3", "b7c7"]))["room"]
    assert (await get(address, f"/r/{room}.svg?ply=1"))[1] == after("h2h3", variant="ffa")


async def test_long_after_the_beginning(dial: Dial, address: str) -> None:
    """Positions are stored every few moves; those between them are computed from there."""
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


@pytest.mark.slow
async def test_not_too_often(start: Callable[..., Awaitable[str]]) -> None:
    address = await start(trust_proxy=1)
    told = {"X-Forwarded-For": "192.0.2.7"}
    for _ in range(PICTURE.most):
        assert (await get(address, "/r/nowhere2.svg", **told))[0].status == 404
    response, _ = await get(address, "/r/nowhere2.svg", **told)
    assert response.status == 429 and int(response.headers["Retry-After"]) > 0
    assert (await get(address, "/r/nowhere2.svg", **{"X-Forwarded-For": "192.0.2.8"}))[0].status == 404


@pytest.mark.parametrize("path", ["/r/abcd2345", "/s/abcd2345abcd23"])
async def test_a_page_names_its_picture(address: str, path: str) -> None:
    for proto, scheme in ((None, "http"), ("https", "https"), ("https, http", "https"), ("javascript", "http")):
        headers = {"Host": "chess.example.org"} | ({} if proto is None else {"X-Forwarded-Proto": proto})
        _, body = await get(address, path, **headers)
        tags = dict(re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]+)">', body))
        assert tags["url"] == f"{scheme}://chess.example.org{path}"
        assert (tags["image"], tags["image:type"]) == (f"{tags['url']}.png", "image/png")
        assert (tags["image:width"], tags["image:height"]) == (str(SIDE), str(SIDE))
        assert '<meta name="twitter:card" content="summary">' in body
    strange = f"{path[:3]}%22%3E"
    for host, asked in (('x"><script>', path), ("chess.example.org", strange), ("chess.example.org", "/")):
        assert "og:image" not in (await get(address, asked, Host=host))[1]
