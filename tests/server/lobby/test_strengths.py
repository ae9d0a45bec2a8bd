"""The ratings of rated players, read from the archive once in a while."""

from collections.abc import Callable
from typing import Any

import pytest

from fourfold.server.lobby.strengths import REMEMBERED, Strengths
from fourfold.server.ratings.kinds import Kind
from fourfold.server.ratings.standing import UNIT, Standing

BLITZ, RAPID = Kind("standard", "blitz"), Kind("standard", "rapid")


class Archive:
    """An archive with some ratings, which records the requests."""

    def __init__(self) -> None:
        self.kept = {"ann": Standing(1_700 * UNIT), "level5": Standing(1_900 * UNIT)}
        self.asked: list[list[str]] = []

    async def ratings(self, ask: Callable[[Any], Any]) -> Any:
        return ask(self)

    def several(self, players: set[str], kind: Kind) -> dict[str, Standing]:
        self.asked.append(sorted(players))
        return {player: self.kept[player] for player in players & self.kept.keys()}


class Asked:
    """Ratings, looked up at a time set by hand."""

    def __init__(self) -> None:
        self.archive, self.now = Archive(), 1_000
        archive: Any = self.archive
        self.strengths = Strengths(archive, lambda: self.now, lambda player: not player.startswith("guest"))

    async def of(self, *players: str, kind: Kind = BLITZ) -> dict[str, int]:
        return {player: one.rating // UNIT for player, one in (await self.strengths.of(players, kind)).items()}


async def test_those_who_have_an_account_are_rated_and_guests_are_not() -> None:
    asked = Asked()
    assert await asked.of("ann", "new", "guest") == {"ann": 1_700, "new": 1_500}
    assert asked.archive.asked == [["ann", "new"]]


async def test_levels_share_a_rating_which_of_those_that_are_fixed_nobody_is_asked() -> None:
    asked = Asked()
    assert await asked.of("bot:level3:x", "bot:level5:x", "bot:level5:y", "bot:mine") == {
        "bot:level3:x": 990, "bot:level5:x": 1_900, "bot:level5:y": 1_900, "bot:mine": 1_500,
    }  # fmt: skip
    assert asked.archive.asked == [["bot:mine", "level5"]]


async def test_an_answer_is_remembered_for_a_while_for_its_kind_of_game() -> None:
    asked = Asked()
    await asked.of("ann")
    asked.archive.kept["ann"] = Standing(1_800 * UNIT)
    asked.now += REMEMBERED - 1
    assert await asked.of("ann", "bob") == {"ann": 1_700, "bob": 1_500}
    assert await asked.of("ann", kind=RAPID) == {"ann": 1_800}
    asked.now += 1
    assert await asked.of("ann") == {"ann": 1_800}
    assert asked.archive.asked == [["ann"], ["bob"], ["ann"], ["ann"]]


@pytest.mark.interpreted
async def test_so_many_are_remembered_those_asked_for_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold.server.lobby.strengths.MOST", 2)
    asked = Asked()
    for player in ("ann", "bob", "cid"):
        await asked.of(player)
    await asked.of("bob", "cid")
    assert len(asked.archive.asked) == 3
    await asked.of("ann")
    assert len(asked.archive.asked) == 4
