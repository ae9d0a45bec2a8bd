"""A real server and a real Chromium. Tests of pages are skipped where there is no Chromium, but never in CI."""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.conftest import needs
from tests.games.conftest import ServerProcess, patience, running
from tests.games.patient import patient

__all__ = ["patience"]

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
    # Each tab would start two processes more: the address bar's list, and one in reserve.
    "--disable-features=WebUIOmniboxAimPopup,WebUIOmniboxPopup,SpareRendererForSitePerProcess",
)  # fmt: skip

ARCHIVING = ("--archive-after", "1")
"""The settings with which a server archives games at once."""


async def version(url: str, room: str) -> int:
    """The version of a room, as somebody sees it who is not counted."""
    async with Connection(url) as looker:
        snapshot = await looker.request(ask.Watch(room=room, preview=True))
        assert isinstance(snapshot, told.Room)
        return snapshot.seq


async def archived(player: Connection) -> int:
    """The number of a player's games in the archive."""
    reply: Any = await player.request(ask.Results(player=player.player))
    return sum(one.won + one.drawn + one.lost for one in reply.variants)


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    """A server that all tests of this worker share; they leave it alive."""
    with running(bots=1, begin=patient) as server:
        yield server


@pytest.fixture
def mortal_server() -> Iterator[ServerProcess]:
    """A server for one test, which may kill it, or needs it without other games."""
    with running(bots=1) as server:
        yield server


@pytest.fixture(scope="module")
def archiving() -> Iterator[ServerProcess]:
    """A server that archives games at once."""
    with running(None, 0, *ARCHIVING, begin=patient) as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Any]:
    """A Chromium that all tests of this worker share."""
    api = pytest.importorskip("playwright.async_api", reason="playwright is missing (pip install playwright)")
    path = needs(
        os.environ.get("CHROMIUM_PATH") or shutil.which("chromium"),
        "Chromium is not installed (Debian: apt install chromium; elsewhere set CHROMIUM_PATH)",
    )
    api.expect.set_options(timeout=60_000)
    async with api.async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


Visit = Callable[..., Awaitable[Any]]

AWAY = ("WebSocket connection", "ERR_CONNECTION", "ERR_INTERNET")
"""The console's messages while a server is unreachable."""

LEAVING = "status of 503"
"""The console's message about a request to a stopping server. While the server is away, a page requests only
`ORIGIN`."""

ORIGIN = "/origin"


def expected(text: str, url: str) -> bool:
    """Whether a line of the console, about this address, only says that the server is away."""
    return any(says in text for says in AWAY) or (LEAVING in text and urlsplit(url).path == ORIGIN)


LATE = """{
    const frame = requestAnimationFrame;
    requestAnimationFrame = (draw) => setTimeout(() => frame(draw), LATE);
    cancelAnimationFrame = clearTimeout;
}"""
"""A script that lets a page draw late what it has heard."""


async def print_text(page: Any) -> None:
    """Print what a page shows, for the report of a failed test."""
    print(f"\n{page.url} shows:\n{await page.locator('body').inner_text(timeout=20_000)}")


_FAILED: pytest.StashKey[bool] = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note that a test has failed: then `visit` prints the texts of its pages."""
    report = yield
    item.stash[_FAILED] = report.failed
    return report


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Any, request: pytest.FixtureRequest) -> AsyncIterator[Visit]:
    """Opens an address in a browser context of its own: `await visit(url, name="Ada")`. The page asks a guest for a
    name only if it `asks`. Whatever a page complains of, on its console or otherwise, fails the test. The report of a
    failed test has the texts of its pages."""
    complaints: list[str] = []
    contexts: list[Any] = []

    async def open_page(url: str, *, name: str = "", asks: bool = False, **options: Any) -> Any:
        context = await browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | options)
        contexts.append(context)
        context.set_default_timeout(240_000)
        if late := request.config.getoption("--late"):
            await context.add_init_script(LATE.replace("LATE", str(1000 * late)))
        if not asks:
            await context.add_init_script("try { localStorage['fourfold.named'] ??= 'on' } catch {}")
        if name:
            await context.add_init_script(f"localStorage['fourfold.name'] ??= {name!r}")
        page = await context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def heard(message: Any) -> None:
            if message.type in ("error", "warning") and not expected(message.text, message.location["url"]):
                complaints.append(f"{message.text} ({message.location['url']})")

        page.on("console", heard)
        await page.goto(url)
        return page

    yield open_page
    for context in contexts:
        if request.node.stash.get(_FAILED, False):
            for page in context.pages:
                await print_text(page)
        await context.close()
    assert complaints == []
