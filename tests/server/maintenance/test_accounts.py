"""`fourfold-server account`, beside a running server, which learns of its changes at once."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from fourfold.server.archive.database import Database
from fourfold.server.maintenance.anonymity import NAME
from fourfold.server.maintenance.command import read
from fourfold.server.maintenance.places import NotPossible
from fourfold.server.players.members import tombstone
from tests.conftest import HANG, archive_of
from tests.server.conftest import Dial, Wire

Run = Callable[..., Awaitable[int]]


@pytest.fixture
def common_url(store: Redis, embedded_url: str) -> str:
    """The servers' shared store, empty."""
    return embedded_url


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name that no other test uses: the tests share an archive."""
    return f"M{abs(hash(request.node.name)) % 10**9}"


@pytest.fixture
def run(common_url: str) -> Run:
    """Runs `fourfold-server account` with some arguments; returns the exit status."""

    async def run(*arguments: str) -> int:
        places = ("--redis", common_url, "--database", archive_of(common_url))
        settings, parsed = read("account", [*arguments, *places], {})
        status: int = await parsed.run(settings, parsed)
        return status

    return run


async def registered(wire: Wire, name: str) -> dict[str, Any]:
    account = await wire.asks("register", name=name, device="Here")
    assert account["type"] == "account", account
    return account


async def refused(dial: Dial, token: str, **where: Any) -> str:
    reply = await (await dial(hello=False, **where)).asks("hello", token=token)
    return str(reply["code"])


async def test_a_closed_account_is_closed_everywhere_and_for_good(
    run: Run, dial: Dial, elsewhere: str, name: str, start: Callable[..., Awaitable[str]]
) -> None:
    here = await dial()
    account = await registered(here, name)
    bot = await here.asks("grant", scope="bot", name=f"{name}bot")
    there = await dial(at=elsewhere, token=account["token"])
    playing = await dial(at=elsewhere, token=bot["token"])
    assert await run("close", name, "--why", "asked for it", "--by", "root") == 0
    for wire in (here, there, playing):
        assert (await wire.closed())[0] == 4003
    for token in (account["token"], bot["token"], here.token):
        assert await refused(dial, token) == await refused(dial, token, at=elsewhere) == "bad_token"
    guest = await dial()
    assert (await guest.asks("login", code=account["code"]))["code"] == "wrong_code"
    assert (await guest.asks("register", name=name))["code"] == "name_taken"
    later = await start()
    assert await refused(dial, account["token"], at=later) == "bad_token"


async def test_an_account_is_found_by_name_and_by_player(
    run: Run, dial: Dial, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wire = await dial()
    await registered(wire, name)
    await wire.asks("grant", scope="bot", name=f"{name}bot")
    assert await run("list") == await run("show", name.upper()) == await run("show", wire.player) == 0
    said = capsys.readouterr().out
    assert f"bot of {name}" in said and f"{name}, player {wire.player}" in said and "signed in on Here" in said
    with pytest.raises(NotPossible, match="Unknown account"):
        await run("show", f"{name} nobody")


async def test_a_new_name_is_known_to_servers(run: Run, dial: Dial, elsewhere: str, name: str) -> None:
    wire, other = await dial(), await dial()
    token = (await registered(wire, name))["token"]
    await registered(other, f"{name}b")
    with pytest.raises(NotPossible, match="looks like"):
        await run("rename", name, f"{name}B")
    with pytest.raises(NotPossible, match="is reserved"):
        await run("rename", name, "Level 3")
    assert await run("rename", name, f"{name}c") == 0
    async with asyncio.timeout(HANG):
        while (await (await dial(at=elsewhere, hello=False)).asks("hello", token=token))["name"] != f"{name}c":
            pass


async def test_nothing_is_left_of_an_erased_account_but_the_moves(
    run: Run, dial: Dial, elsewhere: str, name: str, common_url: str, tmp_path: Path
) -> None:
    """Two games are over. In one room the player was only the host, and the others still play there."""
    ann, bob, cat = await dial(), await dial(name="Bob"), await dial(name="Cat")
    account = await registered(ann, name)
    over, last = await played(ann, bob), await played(ann, bob)
    hosted = (await ann.asks("create"))["room"]
    for wire in (bob, cat):
        await wire.asks("join", room=hosted)
    follower = await dial()
    await registered(follower, f"{name}f")
    assert (await follower.asks("follow", player=ann.player))["type"] == "ok"
    assert (await ann.asks("follow", player=follower.player))["type"] == "ok"
    looks = await dial(at=elsewhere)
    await looks.asks("watch", room=over)
    assert await run("erase", name, "--by", "root") == 1, "somebody plays in the room that was opened"
    assert (await ann.closed())[0] == 4003
    await cat.asks("resign", room=hosted, key="over")
    assert await run("erase", ann.player) == 0
    assert await refused(dial, account["token"]) == "bad_token"
    await looks.seen(lambda frame: frame["type"] == "room" and frame["room"] == over and NAME in str(frame))
    for room in (over, last, hosted):
        snapshot = await looks.asks("watch", room=room)
        async with asyncio.timeout(240):  # that server may have held the room, and is notified a moment later
            while ann.player in str(snapshot) or name in str(snapshot):
                await asyncio.sleep(0.05)
                snapshot = await looks.asks("watch", room=room)
    snapshot = await looks.asks("watch", room=over)
    assert {seat["name"] for seat in snapshot["seats"]} == {"Bob", NAME} and snapshot["moves"] == ["e2e4"]
    assert (await bob.asks("propose", room=over, kind="rematch", seq=snapshot["seq"], key="p"))["type"] == "ok"
    await bob.seen(lambda frame: frame["type"] == "room" and NAME in str(frame))
    database = await Database.open(archive_of(common_url), tmp_path)
    assert await database.accounts.find(ann.player) is None
    assert await database.accounts.followed(ann.player) == await database.accounts.followed(follower.player) == []
    records = [one for one in await database.orders.records() if one.target == tombstone(ann.player)]
    assert [(one.action, one.by) for one in records][:1] == [("erase account", "root")]
    await database.close()
    assert (await looks.asks("register", name=name))["type"] == "account", "the name is free"


async def played(ann: Wire, bob: Wire) -> str:
    """A short game; its room."""
    room: str = (await ann.asks("create"))["room"]
    await ann.asks("join", room=room, seat="white")
    await bob.asks("join", room=room, seat="black")
    turn = await ann.seen(lambda frame: frame["type"] == "turn" and frame["room"] == room)
    await ann.asks("move", room=room, move="e2e4", seq=turn["seq"], key="m")
    await bob.asks("resign", room=room, key="r")
    return room


async def test_all_that_is_stored_is_exported(run: Run, dial: Dial, name: str, tmp_path: Path) -> None:
    ann, bob, cat = await dial(), await dial(name="Bob"), await dial()
    account = await registered(ann, name)
    await registered(cat, f"{name}c")
    assert (await ann.asks("follow", player=cat.player))["type"] == "ok"
    room = await played(ann, bob)
    assert await run("export", name, "--output", str(tmp_path / "ann.json"), "--by", "root") == 0
    found = json.loads((tmp_path / "ann.json").read_text())
    assert (found["player"], found["name"], found["recovery"]) == (ann.player, name, True)
    assert [one["device"] for one in found["sessions"]] == ["Here"]
    assert found["following"] == [f"{name}c"] and found["identities"] == []
    assert found["rooms_in_the_store"] == [room]
    assert account["code"].replace("-", "") not in str(found)


async def test_servers_that_hold_an_erased_game_forget_it(dial: Dial, elsewhere: str, common_url: str) -> None:
    ann, bob, looks = await dial(), await dial(), await dial(at=elsewhere)
    room = await played(ann, bob)
    assert (await looks.asks("watch", room=room))["type"] == "room"
    places = ("--redis", common_url, "--database", archive_of(common_url))
    settings, parsed = read("erase", ["--game", room, *places], {})
    assert await parsed.run(settings, parsed) == 0
    for wire in (bob, looks):
        await wire.seen(lambda frame: frame["type"] == "error" and frame.get("room") == room)
        assert (await wire.asks("watch", room=room))["code"] == "no_such_room"


async def test_a_role_is_given_and_taken_away(
    run: Run, dial: Dial, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wire = await dial()
    await registered(wire, name)
    await wire.asks("grant", scope="bot", name=f"{name}bot")
    assert await run("role", name, "moderator", "--why", "helps out") == await run("show", name) == 0
    said = capsys.readouterr().out
    assert f"{name} is now moderator" in said and "\nmoderator\n" in said and f"bot {name}bot, player" in said
    assert await run("role", name, "none") == await run("show", name) == 0
    said = capsys.readouterr().out
    assert "is no longer a moderator" in said and "\nmoderator\n" not in said
    with pytest.raises(NotPossible, match="can't have a role"):
        await run("role", f"{name}bot", "admin")
    assert await run("show", f"{name}bot") == 0
    assert f"a bot that belongs to {wire.player}" in capsys.readouterr().out


@pytest.mark.slow
async def test_a_closed_account_has_neither_role_nor_new_name(
    run: Run, dial: Dial, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await registered(await dial(), name)
    assert await run("close", name) == await run("show", name) == await run("export", name) == 0
    said = capsys.readouterr().out
    assert "\nclosed 20" in said and f'"name": "{name}"' in said
    with pytest.raises(NotPossible, match="is closed"):
        await run("rename", name, f"{name}d")
    with pytest.raises(NotPossible, match="can't have a role"):
        await run("role", name, "admin")
