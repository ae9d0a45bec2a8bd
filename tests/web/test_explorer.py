"""The explorer beside a game of the archive, and what an imported game says of itself."""

import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.conftest import ServerProcess, running

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]
GAMES = Path(__file__).parents[1] / "engine" / "notation" / "data"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose archive has games that were imported."""
    tmp_path = tmp_path_factory.mktemp("archive")
    database = ["--database", f"sqlite:///{tmp_path}/games.db"]
    command = [sys.executable, "-m", "fourfold.server.maintenance.archive", "import", *database]
    files = [str(GAMES / name) for name in ("sample.pgn", "ffa.pgn4")]
    subprocess.run([*command, *files, "--data", str(tmp_path)], check=True, capture_output=True)
    with running(None, 0, *database) as server:
        yield server


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)], ids=str)
async def test_a_replay_shows_what_else_was_played(archive: ServerProcess, visit: Visit, size: tuple[int, int]) -> None:
    page = await visit(f"{archive.url}/#games/all", viewport={"width": size[0], "height": size[1]})
    row = page.locator(".game-row", has_text="Chess").first
    await row.get_by_text("imported").wait_for()
    await row.get_by_role("link").first.click()
    await page.locator("#title", has_text="imported").wait_for()
    if size[0] < 640:
        await page.locator(".tab[data-tab='about']").click()
    await page.locator(".table-page").press("Home")
    await page.locator(".explorer", has_text="120 games").wait_for()
    first = await page.locator(".explorer tr[aria-current] th").inner_text()
    assert first == await page.locator("#moves .ply").first.text_content()
    shares = page.locator(".explorer tbody tr").first.locator(".shares i")
    widths = await shares.evaluate_all("those => those.map((one) => one.getBoundingClientRect().width)")
    assert len(widths) == 3 and min(widths) > 5  # White's, the draws', Black's: none is empty or hidden
    await page.locator(".table-page").press("ArrowRight")
    await page.locator(".explorer .head:not(:has-text('120 games'))").wait_for()


async def test_among_four_it_tells_of_points(archive: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{archive.url}/#games/all")
    await page.locator("#kind-filter").select_option("ffa")
    await page.locator(".game-row", has_text="Free for all").first.get_by_role("link").first.click()
    await page.locator("#title", has_text="imported").wait_for()
    await page.locator(".table-page").press("Home")
    points = page.locator(".explorer .points").first
    await points.wait_for()
    assert await points.locator(".chip").count() == 4
