"""Games are in the archive as soon as they end, while their rooms stay in the store."""

import asyncio
import secrets
from pathlib import Path
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from fourfold.engine.match.events import Finished
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.database import Database
from fourfold.server.rooms.filing import Filing
from fourfold.server.rooms.room import Departed
from fourfold.server.storage.records import Entry
from tests import new_archive
from tests.conftest import HANG
from tests.server.archive.played import mate
from tests.server.conftest import each_moves_twice

Dial = Any  # see conftest
Wire = Any


async def members(dial: Dial, *names: str) -> list[Wire]:
    wires = []
    for name in names:
        wire = await dial(name=name)
        account = await wire.asks("register", name=f"{name}{secrets.token_hex(4)}")
        assert account["type"] == "account", account
        wires.append(wire)
    return wires


async def found(wire: Wire, room: str, number: int = 1) -> dict[str, Any]:
    """The game, once it is filed."""
    async with asyncio.timeout(HANG):
        while True:
            games = (await wire.asks("games", room=room))["games"]
            game: dict[str, Any] | None = next((one for one in games if one["number"] == number), None)
            if game is not None and game["unrated"] is not None:
                return game
            await asyncio.sleep(0.02)


async def played(wires: list[Wire]) -> str:
    room: str = (await wires[0].asks("create", clock={"base": 300_000}))["room"]
    for wire in wires:
        await wire.asks("join", room=room)
    await each_moves_twice(wires, room)
    return room


@pytest.fixture
def common_url(every_clean_url: str) -> str:
    return every_clean_url


async def test_a_game_is_rated_at_its_end_and_a_rematch_too(dial: Dial, common_url: str) -> None:
    ann, bo = await members(dial, "Ann", "Bo")
    room = await played([ann, bo])
    assert (await bo.asks("resign", room=room, key="r"))["type"] == "ok"
    game = await found(ann, room)
    changes = {seat["player"]: seat["change"] for seat in game["seats"]}
    assert game["unrated"] == ""
    won, lost = changes[ann.player], changes[bo.player]
    assert won["after"] > won["before"]
    assert lost["after"] < lost["before"]
    assert (await ann.asks("results", player=ann.player))["variants"][0]["won"] == 1
    snapshot = await ann.asks("watch", room=room)
    assert not snapshot["archived"], "the room stays"
    # The same room goes on: its next game is filed behind the first.
    seq = snapshot["seq"]
    assert (await ann.asks("propose", room=room, kind="rematch", seq=seq, key="again"))["type"] == "ok"
    vote = await bo.seen(lambda f: f["type"] == "update" and f["events"][0]["type"] == "proposed")
    number = vote["events"][0]["proposal"]
    assert (await bo.asks("vote", room=room, proposal=number, accept=True, key="yes"))["type"] == "ok"
    assert (await ann.asks("resign", room=room, key="r2"))["type"] == "ok"
    second = await found(ann, room, 2)
    assert second["unrated"] == "too_short"
    assert (await found(ann, room))["seats"] == game["seats"]


async def test_a_game_of_guests_is_found_at_its_end(dial: Dial) -> None:
    ann, bo = await dial(name="Ann"), await dial(name="Bo")
    room = await played([ann, bo])
    await bo.asks("resign", room=room, key="r")
    assert (await found(ann, room))["unrated"] == "guest"


async def test_with_a_delay_nobody_is_told_early(dial: Dial) -> None:
    ann, bo = await dial(name="Ann"), await dial(name="Bo")
    room = (await ann.asks("create", delay=60_000))["room"]
    for wire in (ann, bo):
        await wire.asks("join", room=room)
    await each_moves_twice([ann, bo], room)
    await bo.asks("resign", room=room, key="r")
    for _ in range(5):
        games = (await ann.asks("games", room=room))["games"]
        assert [one["unrated"] for one in games] == [None]
        await asyncio.sleep(0.05)


@pytest.mark.archiving
async def test_the_room_is_handed_over_later(dial: Dial, common_url: str) -> None:
    ann, bo = await dial(name="Ann"), await dial(name="Bo")
    room = await played([ann, bo])
    await bo.asks("resign", room=room, key="r")
    await found(ann, room)
    async with asyncio.timeout(HANG):
        while True:
            if (await ann.asks("watch", room=room))["archived"]:
                break
            await asyncio.sleep(0.05)
    assert len((await ann.asks("games", room=room))["games"]) == 1


async def test_a_room_that_another_server_has_handed_over_is_no_fault(tmp_path: Path) -> None:
    game = mate()
    reads = []

    class Left:
        """The store after the hand-over: it has the last entry only."""

        async def entries(self, room: str, first: int = 1) -> list[Entry]:
            reads.append(room)
            return game.entries[-1:]

    new_archive.lay(tmp_path)
    archive = await Database.open(None, tmp_path)
    filing = Filing(cast(Archive, archive), Left())
    end = next(decision for decision in game.decisions if any(isinstance(event, Finished) for event in decision.events))
    before = asyncio.all_tasks()
    with capture_logs() as lines:
        filing.departed(Departed("abc", game.state, end, {}))
        await asyncio.gather(*(asyncio.all_tasks() - before))
    await archive.close()
    assert (reads, lines) == (["abc"], [])
