"""A real server and a real Chromium. Tests of pages are skipped where there is no Chromium, but never in CI."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.ports import free_port

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip


def needs(found: str | None, reason: str) -> str:
    """What was found; the test is skipped without it, and fails in CI."""
    if found:
        return found
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


class Server:
    """`fourfold-server` on one data folder and one port: it may be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.url = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        with (self._folder / "server.log").open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "server", "--port", str(self._port), "--data", str(self._folder / "data")],
                cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        assert self._process.stdout is not None
        ready = re.fullmatch(r"ready (http://127\.0\.0\.1:\d+)\n", self._process.stdout.readline())
        if ready is None:
            pytest.fail(f"the server did not start:\n{(self._folder / 'server.log').read_text()}")
        self.url = ready[1]

    def end(self, number: signal.Signals) -> None:
        """SIGKILL: no last word. SIGTERM: the orderly end."""
        assert self._process is not None and self._process.stdout is not None
        self._process.send_signal(number)
        self._process.wait(timeout=20)
        self._process.stdout.close()
        self._process = None

    def restart(self) -> None:
        self.end(signal.SIGKILL)
        self.start()


def _running() -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="fourfold-web-"))
    server = Server(folder)
    server.start()
    try:
        yield server
    finally:
        server.end(signal.SIGTERM)
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server that all tests of this worker share; they leave it alive."""
    yield from _running()


@pytest.fixture
def mortal_server() -> Iterator[Server]:
    """A server for one test, which may kill it."""
    yield from _running()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Any]:
    """A Chromium that all tests of this worker share."""
    api = pytest.importorskip("playwright.async_api", reason="playwright is missing (pip install playwright)")
    path = needs(
        os.environ.get("CHROMIUM_PATH") or shutil.which("chromium"),
        "Chromium is not installed (Debian: apt install chromium; elsewhere set CHROMIUM_PATH)",
    )
    async with api.async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


Visit = Callable[..., Awaitable[Any]]


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Any) -> AsyncIterator[Visit]:
    """Opens an address for somebody who shares nothing with the others: `await visit(url, name="Ada")`. Whatever a
    page complains of, on its console or otherwise, fails the test."""
    complaints: list[str] = []
    contexts: list[Any] = []

    async def open_page(url: str, *, name: str = "", **options: Any) -> Any:
        context = await browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | options)
        contexts.append(context)
        context.set_default_timeout(20_000)
        if name:
            await context.add_init_script(f"localStorage['fourfold.name'] ??= {name!r}")
        page = await context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def heard(message: Any) -> None:
            lost = "WebSocket connection" in message.text or "ERR_CONNECTION" in message.text
            if message.type in ("error", "warning") and not lost:
                complaints.append(message.text)

        page.on("console", heard)
        await page.goto(url)
        return page

    yield open_page
    for context in contexts:
        await context.close()
    assert complaints == []
