"""HTTP on the socket's port, byte by byte: the answers, on separate connections and on the same one."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from fourfold.server.limits import admission, turns
from fourfold.server.limits.prices import PATHS
from fourfold.server.transport import connection as line
from fourfold.server.transport.http import ALIVE, OTHER, ROUTES
from tests.each import each

Start = Callable[..., Awaitable[str]]

HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Browser:
    """A connection that sends given bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, text: str) -> None:
        self.writer.write(text.encode())

    async def head(self) -> tuple[int, dict[str, str]]:
        """The next status and headers."""
        async with asyncio.timeout(240):
            lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = (line.split(": ", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), {name.lower(): value for name, value in fields}

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """The same, and the body."""
        status, headers = await self.head()
        return status, headers, await self.reader.readexactly(int(headers.get("content-length", "0")))

    async def ask(self, method: str, path: str, *headers: str, body: str = "") -> tuple[int, dict[str, str], bytes]:
        self.send("\r\n".join([f"{method} {path} HTTP/1.1", "Host: x", *headers, "", body]))
        return await self.answer()

    async def rest(self) -> bytes:
        """All bytes until the server hangs up."""
        async with asyncio.timeout(240):
            return await self.reader.read()


    async def end(self) -> None:
        """Hang up."""
        self.writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


Dial = Callable[[str], Awaitable[Browser]]


@pytest.fixture
async def browse() -> AsyncIterator[Dial]:
    """Opens a connection to a server."""
    async with AsyncExitStack() as stack:

        async def browse(url: str) -> Browser:
            host, port = url.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            browser = Browser(reader, writer)
            stack.push_async_callback(browser.end)
            return browser

        yield browse


async def test_one_connection_carries_many_requests(address: str, browse: Dial) -> None:
    browser = await browse(address)
    for path in ("/healthz", "/", "/nothing", "/static/lobby/lobby.js", "/readyz"):
        status, headers, body = await browser.ask("GET", path)
        assert (status, "connection" in headers, bool(body)) == (404 if path == "/nothing" else 200, False, True)
    _, headers, _ = await browser.ask("GET", "/static/icon.svg")
    known = headers["etag"]
    status, _, body = await browser.ask("GET", "/static/icon.svg", f"If-None-Match: {known}")
    assert (status, body) == (304, b"")
    browser.send(HANDSHAKE)  # and at last it is a WebSocket
    assert (await browser.head())[0] == 101


async def test_requests_sent_at_once_are_answered_in_order(address: str, browse: Dial) -> None:
    browser = await browse(address)
    paths = ["/healthz", "/static/text/words.js", "/readyz", "/nothing", "/static/icon.svg"] * 6
    browser.send("".join(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n" for path in paths) + HANDSHAKE)
    bodies: dict[str, set[bytes]] = {}
    for path in paths:
        _, _, body = await browser.answer()
        bodies.setdefault(path, set()).add(body)
    assert all(len(those) == 1 for those in bodies.values())
    assert bodies["/healthz"] == {ALIVE.encode()}
    assert (await browser.head())[0] == 101


async def test_the_client_may_want_no_more(address: str, browse: Dial) -> None:
    for words in ("HTTP/1.1\r\nHost: x\r\nConnection: foo, Close", "HTTP/1.0\r\nHost: x"):
        browser = await browse(address)
        browser.send(f"GET /healthz {words}\r\n\r\n")
        status, headers, body = await browser.answer()
        assert (status, headers["connection"], body) == (200, "close", ALIVE.encode())
        assert await browser.rest() == b""


@pytest.mark.interpreted
async def test_so_many_on_one_connection(start: Start, browse: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "MAX_ANSWERS", 3)
    browser = await browse(await start())
    browser.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 5)
    kept = [(await browser.answer())[1].get("connection") for _ in range(3)]
    assert kept == [None, None, "close"]
    assert await browser.rest() == b""


async def test_who_asks_for_nothing_more_is_hung_up_on(
    start: Start, browse: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is a client that never ends a request: a byte now and then is no sign of life."""
    monkeypatch.setattr(line, "KEPT", 0.5)
    url = await start()
    idle, slow = await browse(url), await browse(url)
    for browser in (idle, slow):
        assert (await browser.ask("GET", "/healthz"))[0] == 200

    async def drip() -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                slow.send("G")
                await slow.writer.drain()
                await asyncio.sleep(0.05)

    dripping = asyncio.create_task(drip())
    for browser in (idle, slow):
        with contextlib.suppress(ConnectionError):
            assert await browser.rest() == b""
    dripping.cancel()


async def test_who_does_not_read_is_sent_no_more_and_hung_up_on(
    start: Start, browse: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "KEPT", 1.0)
    monkeypatch.setattr(line, "MAX_ANSWERS", 100_000)
    browser = await browse(await start())
    browser.reader._limit = 1  # type: ignore[attr-defined]  # asyncio stops reading at twice as much
    browser.send("GET /static/board/board.js HTTP/1.1\r\nHost: x\r\n\r\n" * 5000)
    async with asyncio.timeout(240):
        while not browser.writer.is_closing():
            browser.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            with contextlib.suppress(ConnectionError):
                await browser.writer.drain()
            await asyncio.sleep(0.05)


@each("path", ["/", "/healthz", "/readyz", "/metrics", "/nothing", "/ws", "/static/lobby/lobby.js"])
async def test_the_answer_to_head_has_no_body(address: str, browse: Dial, path: str) -> None:
    browser = await browse(address)
    browser.send(f"HEAD {path} HTTP/1.1\r\nHost: x\r\n\r\n")
    browser.send("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    status, headers = await browser.head()
    assert int(headers["content-length"]) > 0
    after = await browser.rest()
    assert after.startswith(b"HTTP/1.1 200 OK"), "nothing comes between the two heads"
    assert (await (await browse(address)).ask("GET", path))[0] == status


@each(
    ("method", "headers", "body", "status"),
    [
        ("POST", ["Content-Length: 7"], "a=1&b=2", 405),
        ("POST", ["Transfer-Encoding: chunked"], "3\r\na=1\r\n0\r\n\r\n", 405),
        ("PUT", ["content-length: 100000000"], "x", 405),
        ("POST", [], "", 405),
        ("GET", ["Content-Length: 28"], "GET /healthz HTTP/1.1\r\n\r\n", 400),
    ],
)
async def test_bodies_are_answered_and_not_read(
    address: str, browse: Dial, method: str, headers: list[str], body: str, status: int
) -> None:
    browser = await browse(address)
    got, told, _ = await browser.ask(method, "/", *headers, body=body)
    assert got == status
    assert (told.get("allow") == "GET, HEAD") == (status == 405)
    if headers:
        assert told["connection"] == "close"
        browser.writer.write_eof()
        assert await browser.rest() == b"", "the bytes after it are not parsed as a request"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("what is this\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nno header\r\n\r\n", 400),
        ("GET /" + "x" * 9000 + " HTTP/1.1\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\n" + "a: b\r\n" * 200 + "\r\n", 431),
    ],
)
async def test_what_is_no_request_is_told_so(address: str, browse: Dial, text: str, status: int) -> None:
    browser = await browse(address)
    await browser.ask("GET", "/healthz")
    browser.send(text)
    assert (await browser.answer())[0] == status
    assert await browser.rest() == b""


@pytest.mark.parametrize(
    ("settings", "forwarded", "status"),
    [
        ({}, None, 200),
        ({}, "203.0.113.5", 403),  # an undeclared proxy on this machine
        ({"trust_proxy": 1}, "203.0.113.5", 403),
        ({"trust_proxy": 1}, "::1", 403),  # a reported address is never this machine itself
        ({"metrics": "off"}, None, 403),
        ({"metrics": "all", "trust_proxy": 1}, "203.0.113.5", 200),
        ({"metrics": "203.0.113.0/24,2001:db8::7", "trust_proxy": 1}, "203.0.113.5", 200),
        ({"metrics": "203.0.113.0/24,2001:db8::7", "trust_proxy": 1}, "[2001:db8::7]:99", 200),
        ({"metrics": "203.0.113.0/24,2001:db8::7", "trust_proxy": 1}, "2001:db8::8", 403),
        ({"metrics": "203.0.113.0/24"}, None, 403),
    ],
)
async def test_who_may_read_the_metrics(
    start: Start, browse: Dial, settings: dict[str, object], forwarded: str | None, status: int
) -> None:
    browser = await browse(await start(**settings))
    got, _, body = await browser.ask("GET", "/metrics", *([f"X-Forwarded-For: {forwarded}"] if forwarded else []))
    assert got == status
    assert (re.search(rb"fourfold_connections", body) is not None) == (status == 200)


async def get(url: str, browse: Dial, path: str, address: str) -> tuple[int, dict[str, str]]:
    """The status and the headers of a response to a client at an address, on a connection of its own."""
    status, headers, _ = await (await browse(url)).ask("GET", path, f"X-Forwarded-For: {address}", "Connection: close")
    return status, headers


def test_every_path_has_a_price() -> None:
    assert PATHS.keys() == {*ROUTES, OTHER}


@pytest.mark.interpreted
async def test_http_pays_from_the_budget_of_its_address(
    start: Start, browse: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "HTTP_WAITING", 3)
    url = await start(trust_proxy=1, max_rate=1)
    now = asyncio.get_running_loop().time()
    monkeypatch.setattr(turns, "monotonic", lambda: now)  # the budget would recover while this process stands still
    hasty = [asyncio.create_task(get(url, browse, "/healthz", "203.0.113.5")) for _ in range(20)]
    try:
        refused = 0
        for first in asyncio.as_completed(hasty, timeout=240):
            status, headers = await first
            refused += status == 429 and headers["retry-after"] == "2"
            if refused == 10:  # some were answered, three wait, and the others are too many
                break
        assert sum(not task.done() for task in hasty) >= 1
        assert (await get(url, browse, "/healthz", "203.0.113.6"))[0] == 200
        assert (await get(url, browse, "/healthz", "127.0.0.1"))[0] == 200
    finally:
        for task in hasty:
            task.cancel()
        await asyncio.gather(*hasty, return_exceptions=True)


async def test_an_address_gets_so_many_qr_codes_a_minute(start: Start, browse: Dial) -> None:
    url = await start(trust_proxy=1, max_rate=0)

    async def ask(address: str, at: str = "https://x") -> int:
        return (await get(url, browse, f"/r/abcd2345/qr.svg?at={at}", address))[0]

    assert await ask("203.0.113.5", "https://another.example") == 403
    assert {await ask("203.0.113.5") for _ in range(admission.QR.most)} == {200}
    assert (await ask("203.0.113.5"), await ask("203.0.113.6")) == (429, 200)
