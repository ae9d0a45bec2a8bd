"""Measures the time from a mating move to the new rating on the winner's screen, in Chromium.

python -m tests.bench.result [--games 50]

starts a server, plays rated games between two accounts, and follows each in a page of the winner. It prints the median
and the 95th percentile of the times from the sending of the mating move until the card shows the rating and its change.
Afterwards it recomputes all ratings from the games, and prints whether they are the same. It needs Chromium.
"""

import argparse
import asyncio
import os
import secrets
import shutil
import subprocess
import sys
import time
from statistics import median, quantiles
from typing import Any, Final

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.bench.processes import ROOT
from tests.games.conftest import ServerProcess, running

MATE: Final = (("e2e4", "e7e5"), ("d1h5", "b8c6"), ("f1c4", "g8f6"), ("h5f7",))
"""The scholar's mate, in rounds."""

WATCH: Final = """() => {
    window.shown = null;
    new MutationObserver(() => {
        if (window.shown === null && document.querySelector(".rating-now")) window.shown = Date.now();
    }).observe(document.body, { childList: true, subtree: true });
}"""
"""Records when the card shows a rating, by the machine's clock."""


async def measure(server: ServerProcess, games: int) -> list[float]:
    """Milliseconds for each game."""
    from playwright.async_api import async_playwright

    found = []
    async with (
        async_playwright() as playwright,
        Connection(server.url, name="Ann") as white,
        Connection(server.url, name="Bob") as black,
    ):
        tokens = [
            (await player.request(ask.Register(name=f"{name} {secrets.token_hex(3)}"))).token  # type: ignore[attr-defined]
            for player, name in ((white, "Ann"), (black, "Bob"))
        ]
        path = os.environ.get("CHROMIUM_PATH") or shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = await browser.new_page()
        await page.add_init_script(f"localStorage['fourfold.token'] = {tokens[0]!r}")
        for _ in range(games):
            found.append(await _game(server.url, page, (white, black)))
        await browser.close()
    return found


async def _game(url: str, page: Any, players: tuple[Connection, Connection]) -> float:
    room = await players[0].create("standard", clock=ask.Clock(300_000, 3_000))
    for player, seat in zip(players, ("white", "black"), strict=True):
        await player.join(room, seat)
    await page.goto(f"{url}/r/{room}")
    await page.locator(".card.to-move").wait_for()
    await page.evaluate(WATCH)
    seq, sent = 3, 0.0
    for moves in MATE:
        for player, move in zip(players, moves, strict=False):
            sent = time.time() * 1000
            seq = await player.move(room, move, seq)
    await page.wait_for_function("() => window.shown !== null")
    shown: float = await page.evaluate("window.shown")
    return shown - sent


def same_ratings(server: ServerProcess) -> bool:
    """Whether the ratings, recomputed from all games, are the stored ones."""
    command = (sys.executable, "-m", "fourfold.server", "ratings", "--check", "--data", str(server.folder / "data"))
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.result", description=__doc__)
    parser.add_argument("--games", type=int, default=50, help="number of games (50)")
    options = parser.parse_args()
    with running() as server:
        times = asyncio.run(measure(server, options.games))
        print(f"games {len(times)}, median {median(times):.0f} ms, 95 % within {quantiles(times, n=20)[-1]:.0f} ms")
        print("ratings recomputed from the games:", "the same" if same_ratings(server) else "different")


if __name__ == "__main__":
    main()
