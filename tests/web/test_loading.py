"""The cost of loading a page in Chromium: the number of requests and of connections."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from tests.games.conftest import running

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]


class Traffic:
    """The requests of a page."""

    def __init__(self) -> None:
        self.kept: set[str] = set()  # what the browser had, by its number of the request
        self.requests: dict[str, str] = {}  # the others
        self.connections: set[int] = set()
        self.sockets = 0

    async def hear(self, page: Any) -> None:
        devtools = await page.context.new_cdp_session(page)
        devtools.on("Network.responseReceived", self._received)
        devtools.on("Network.requestServedFromCache", lambda event: self.kept.add(event["requestId"]))
        devtools.on("Network.webSocketCreated", self._opened)
        await devtools.send("Network.enable")

    def _received(self, event: Any) -> None:
        response = event["response"]
        if not response.get("fromDiskCache") and event["requestId"] not in self.kept:
            self.requests[event["requestId"]] = response["url"]
            self.connections.add(response["connectionId"])

    @property
    def asked(self) -> list[str]:
        """The HTTP requests that the server got."""
        return list(self.requests.values())

    def _opened(self, _event: Any) -> None:
        self.sockets += 1


@pytest.mark.parametrize("path", ["/", "/r/ROOM"])
async def test_a_page_comes_on_few_connections_and_again_by_one_request(server: Any, visit: Visit, path: str) -> None:
    async with Connection(server.url, name="Host") as host:
        room = await host.create("survivor")
        url = server.url + path.replace("ROOM", room)
        page = await visit("about:blank")
        cold = Traffic()
        await cold.hear(page)
        await page.goto(url)
        await page.wait_for_load_state("networkidle")
        await page.locator(f'[href="/r/{room}"], .board .piece').first.wait_for()
        assert cold.sockets == 1
        assert len(cold.asked) > 15
        assert len(cold.connections) <= 6, "as many as a browser opens to one host"
        # On the same page, in the same window: the browser keeps all but the page itself for ever.
        warm = Traffic()
        await warm.hear(page)
        await page.reload()
        await page.wait_for_load_state("networkidle")
        await page.locator(f'[href="/r/{room}"], .board .piece').first.wait_for()
        assert (warm.asked, warm.sockets) == ([url], 1)


async def test_a_refused_origin_is_named_on_the_page_and_in_the_log(visit: Visit) -> None:
    with running(None, 0, "--allowed-origins", "https://chess.example.org") as server:
        why = f"Pages of {server.url} can't connect: the server's ALLOWED_ORIGINS does not name it."
        lobby = await visit(server.url)
        await lobby.locator("#notice", has_text=why).wait_for()
        assert await lobby.locator("#live").inner_text() == "No connection"
        for path in ("/r/abcdefgh", "/s/abcdefghijklmn"):
            page = await visit(f"{server.url}{path}")
            await page.get_by_text(why).first.wait_for()
        log = (server.folder / "server.log").read_text()
        assert log.count("ALLOWED_ORIGINS") == 1
        assert server.url in log
