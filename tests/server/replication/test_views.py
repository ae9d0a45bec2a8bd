"""The parts of a list that clients follow: their content first, then their changes, together."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from fourfold.protocol import from_server as wire
from fourfold.server.replication.fanout import Encoded
from fourfold.server.replication.views import Views
from tests.conftest import HANG


class Viewer:
    """A client. A `Follower`."""

    player_id = "ann"

    def __init__(self) -> None:
        self.told: list[str] = []
        self.heard = asyncio.Event()

    def send(self, frame: Encoded) -> None:
        assert isinstance(frame.frame, wire.Announced)
        self.told.append(frame.frame.text)
        self.heard.set()

    async def hears(self) -> list[str]:
        async with asyncio.timeout(HANG):
            await self.heard.wait()
        self.heard.clear()
        return self.told


class List:
    """A list of two parts, and the views of it."""

    def __init__(self) -> None:
        self.parts = {"a": 1, "b": 1}
        self.looked: list[str] = []
        self.views: Views[str, int] = Views(0.01, self.look, self.news)

    def look(self, part: str) -> int:
        self.looked.append(part)
        return self.parts[part]

    def news(self, before: int, now: int) -> wire.Announced | None:
        return None if before == now else wire.Announced(f"{before} to {now}", 0)

    def change(self, part: str, content: int) -> None:
        self.parts[part] = content
        self.views.changed()


@pytest.fixture
async def shown() -> AsyncIterator[List]:
    made = List()
    yield made
    made.views.stop()


async def test_changes_are_told_together(shown: List) -> None:
    viewer = Viewer()
    assert shown.views.follow(viewer, "a") == 1  # type: ignore[arg-type]
    for content in (2, 3, 4):
        shown.change("a", content)
    assert await viewer.hears() == ["1 to 4"]
    shown.change("a", 5)
    assert await viewer.hears() == ["1 to 4", "4 to 5"]


async def test_a_follower_of_one_part_hears_nothing_of_another(shown: List) -> None:
    one, other = Viewer(), Viewer()
    shown.views.follow(one, "a")  # type: ignore[arg-type]
    shown.views.follow(one, "b")  # type: ignore[arg-type]
    shown.views.follow(other, "a")  # type: ignore[arg-type]
    shown.change("a", 2)
    assert await other.hears() == ["1 to 2"]
    assert one.told == []
    assert list(shown.views) == [1, 2]


async def test_a_part_is_looked_at_once_for_all_its_followers(shown: List) -> None:
    viewers = [Viewer() for _ in range(3)]
    for viewer in viewers:
        shown.views.follow(viewer, "a")  # type: ignore[arg-type]
    shown.change("a", 2)
    for viewer in viewers:
        await viewer.hears()
    assert shown.looked == ["a", "a"]


async def test_nobody_looks_at_a_part_without_followers(shown: List) -> None:
    gone, here = Viewer(), Viewer()
    shown.views.follow(gone, "a")  # type: ignore[arg-type]
    shown.views.unfollow(gone)  # type: ignore[arg-type]
    shown.views.unfollow(gone)  # type: ignore[arg-type]
    shown.views.follow(here, "b")  # type: ignore[arg-type]
    shown.change("a", 2)
    shown.change("b", 2)
    assert await here.hears() == ["1 to 2"]
    assert (shown.looked, gone.told, list(shown.views.followers)) == (["a", "b", "b"], [], [here])
