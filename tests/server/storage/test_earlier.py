"""The data folders of all tagged versions, and of the commit before this one: the current server opens them, and their
games, accounts and studies are what they were.

`tests.server.storage.earlier` has made the folders of tagged versions. `test_data_folder.py` has that of version 0.1,
which has no tag, as a dump.
"""

import json
import subprocess
import tarfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Wire, node
from tests.server.storage.earlier import CLOCK, FOLDERS, ROOT, SEATS, NoCheckout, dialled, make, moved
from tests.server.storage.test_data_folder import lasting

BEFORE = "HEAD~1"


class Opened:
    """A data folder of an earlier version, on a server of this one."""

    def __init__(self, url: str, kept: dict[str, Any], stack: AsyncExitStack) -> None:
        self.url, self.stack = url, stack
        self.people, self.rooms, self.study = kept["people"], kept["rooms"], kept["study"]

    async def back(self, name: str) -> Wire:
        """A player again, by the token that they kept."""
        wire = await dialled(self.stack, self.url, self.people[name]["token"])
        assert wire.player == self.people[name]["player"]
        return wire

    def of(self, status: str) -> dict[str, dict[str, Any]]:
        """The rooms that had a status, by id."""
        return {room: kept for room, kept in self.rooms.items() if kept["snapshot"]["status"] == status}


TAGGED = sorted(file.name for file in FOLDERS.glob("*.tar.xz"))


@pytest.fixture(params=[*TAGGED, pytest.param(BEFORE, marks=pytest.mark.slow)])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    if request.param == BEFORE:
        try:
            await make(BEFORE, tmp_path)
        except NoCheckout as error:
            pytest.skip(str(error))
    else:
        with tarfile.open(FOLDERS / request.param) as file:
            file.extractall(tmp_path, filter="data")
    kept = json.loads((tmp_path / "kept.json").read_text())
    async with node(None, tmp_path / "data") as url, AsyncExitStack() as stack:
        yield Opened(url, kept, stack)


async def test_an_earlier_data_folder_goes_on(opened: Opened) -> None:
    """One test, because starting a server takes longest."""
    ada = await opened.back("Ada")
    await _games_under_way_go_on(opened)
    await _archived_games_are_there(opened, ada)
    await _the_study_is_there(opened, ada)
    await _the_account_signs_in(opened)


def timeless(snapshot: dict[str, Any]) -> dict[str, Any]:
    """A snapshot without what depends on the moment, or on the time for which no server ran: a decision gives that time
    back to the clocks."""
    return {name: value for name, value in lasting(snapshot).items() if name not in ("clocks", "seq", "decided")}


async def _games_under_way_go_on(opened: Opened) -> None:
    assert len(opened.of("playing")) == 2
    for room, kept in opened.of("playing").items():
        variant = kept["snapshot"]["variant"]
        seats = {seat: await opened.back(name) for seat, name in zip(SEATS[variant], opened.people, strict=False)}
        for wire in seats.values():
            snapshot = await wire.asks("watch", room=room)
            assert timeless(snapshot) == timeless(kept["snapshot"])
        assert await moved(seats, room) > kept["snapshot"]["seq"]
        if variant == "standard":  # the years in which no server ran count for nobody
            clocks = (await seats["white"].asks("watch", room=room))["clocks"]
            assert min(clocks["left"].values()) > CLOCK["base"] - 600_000, clocks
        assert (await seats[SEATS[variant][1]].asks("resign", room=room, key="the end"))["type"] == "ok"


async def _archived_games_are_there(opened: Opened, ada: Wire) -> None:
    over = opened.of("finished")
    assert len(over) == 2
    for room, kept in over.items():
        snapshot = await ada.asks("watch", room=room)
        assert snapshot["archived"] and lasting(snapshot) == lasting(kept["snapshot"])
        assert (await ada.asks("export", room=room, format=kept["format"]))["text"] == kept["text"]
    listed = (await ada.asks("games", player=ada.player, result="won"))["games"]
    assert over.keys() <= {one["room"] for one in listed}


async def _the_study_is_there(opened: Opened, ada: Wire) -> None:
    room = opened.study["room"]
    snapshot = await ada.asks("watch", room=room)
    assert (snapshot["title"], len(snapshot["chapters"])) == ("Fools", 2)
    assert snapshot["chapters"] == opened.study["snapshot"]["chapters"]
    assert (await ada.asks("export", room=room, format="pgn"))["text"] == opened.study["text"]
    added = await ada.asks("edit", room=room, change={"type": "play", "chapter": 2, "after": 1, "move": "e7e5"})
    assert (added["type"], added["seq"]) == ("ok", snapshot["seq"] + 1)


async def _the_account_signs_in(opened: Opened) -> None:
    phone = await dialled(opened.stack, opened.url)
    account = await phone.asks("login", code=opened.people["Bo"]["code"])
    assert (account["player"], account["name"]) == (opened.people["Bo"]["player"], "Bo")


def test_each_earlier_tag_has_its_data_folder() -> None:
    command = ["git", "tag", "--list", "v*", "--merged", "HEAD", "--no-contains", "HEAD"]
    try:
        tags = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no git checkout: {error}")
    if not tags:
        pytest.skip("this checkout has no earlier tags")
    missing = {tag for tag in tags.split() if not (FOLDERS / f"{tag}.tar.xz").exists()} - {"v0.1.0"}  # it has a dump
    assert not missing, f"python -m tests.server.storage.earlier {' '.join(missing)}"
