"""A stranger, who has played nothing here, finds a game among many in three clicks from the lobby."""

import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.games.conftest import ServerProcess, running

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]

GAMES = Path(__file__).parents[1] / "engine" / "notation" / "data"

NEWER = 30
"""The number of games for four that have ended since: more than a page of the list."""


def dated(text: str, day: datetime) -> str:
    """A record of a game that was played at noon of a day."""
    day_tags = f'[UTCDate "{day:%Y.%m.%d}"]\n[UTCTime "12:00:00"]'
    return re.sub(r'\[Date "[^"]*"\]', day_tags, text)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose archive has many games of two and of four, of this week and the last, one of four of the last."""
    tmp_path = tmp_path_factory.mktemp("archive")
    today = datetime.now(UTC)
    wednesday = today - timedelta(days=today.weekday() + 5)  # last week, in every time zone
    games = re.split(r"\n\n(?=\[)", (GAMES / "ffa.pgn4").read_text().strip())
    newer = [games[0].replace("100531355", str(number)) for number in range(NEWER)]
    files = {"four.pgn4": [dated(games[1], wednesday), *(dated(game, today) for game in newer)],
             "two.pgn": [dated((GAMES / "sample.pgn").read_text(), wednesday)]}  # fmt: skip
    for name, texts in files.items():
        (tmp_path / name).write_text("\n\n".join(texts))
    database = ["--database", f"sqlite:///{tmp_path}/games.db"]
    command = [sys.executable, "-m", "fourfold.server.maintenance.archive", "import", *database]
    paths = [str(tmp_path / name) for name in files]
    subprocess.run([*command, *paths, "--data", str(tmp_path)], check=True, capture_output=True)
    with running(None, 0, *database) as server:
        yield server


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)], ids=str)
async def test_last_weeks_game_of_four_in_three_clicks(
    archive: ServerProcess, visit: Visit, size: tuple[int, int]
) -> None:
    page = await visit(archive.url, viewport={"width": size[0], "height": size[1]})
    rows = page.locator("#games .game-row")
    await page.get_by_role("link", name="My games").click()
    await page.get_by_text("You have no games yet. These are everybody's.").wait_for()
    await rows.nth(10).wait_for()
    await page.get_by_role("button", name="Four", exact=True).click()
    await page.get_by_role("button", name="Last week").click()
    await page.wait_for_function("() => document.querySelectorAll('#games .game-row').length === 1")
    assert "Free for all" in await rows.inner_text()
    assert "imported" in await rows.inner_text()
    assert await rows.locator(".mini .piece").count() > 10  # its last position
    assert not await page.locator("#more-games").is_visible()
    await rows.get_by_role("link").first.click()  # and it is opened
    await page.locator("#title", has_text="imported").wait_for()
