"""`fourfold-server moderate`, beside running servers: its orders take effect there at once."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

import pytest
from redis import Redis
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from fourfold.protocol.errors import SUBPROTOCOL_JSON
from fourfold.server.maintenance.command import read
from fourfold.server.maintenance.places import NotPossible
from tests.conftest import HANG, archive_of, some
from tests.server.conftest import APART, Dial, Wire

Run = Callable[..., Awaitable[str]]

JSON: Final = Subprotocol(SUBPROTOCOL_JSON)


@pytest.fixture
def common_url(store: Redis, embedded_url: str) -> str:
    """The servers' shared store, empty."""
    return embedded_url


@pytest.fixture
def run(common_url: str, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `fourfold-server moderate` with some arguments; returns its output."""

    async def run(*arguments: str) -> str:
        places = ("--redis", common_url, "--database", archive_of(common_url))
        settings, parsed = read("moderate", [*arguments, *places], {})
        capsys.readouterr()
        assert await parsed.run(settings, parsed) == 0
        return capsys.readouterr().out

    return run


def order_of(told: str) -> str:
    """The id of the printed order or report. The server logs its own lines."""
    found = re.search(r"^[0-9a-f]{12}(?=  )", told, re.MULTILINE)
    assert found is not None, told
    return found[0]


async def test_a_ban_by_command_closes_connections_until_it_is_lifted(run: Run, dial: Dial, elsewhere: str) -> None:
    eve = await dial(at=elsewhere)
    told = await run("ban", eve.player, "--for", "2h", "--why", "Insults", "--by", "root")
    assert "ban" in told and eve.player in told and "until" in told and "Insults" in told
    assert (await eve.closed())[0] == 4004
    refused = await (await dial(hello=False)).asks("hello", token=eve.token)
    assert refused["code"] == "banned" and 7_100_000 < refused["retry"] <= 7_200_000 + APART
    assert order_of(told) in await run("list")
    assert "lifted" in await run("lift", order_of(told), "--by", "root")
    assert order_of(told) not in await run("list")
    with pytest.raises(NotPossible, match="in force"):
        await run("lift", order_of(told))


async def test_an_account_is_banned_with_its_bots(run: Run, dial: Dial) -> None:
    ann = await dial()
    name = f"M{ann.player[-6:].strip('_-')}x"
    assert (await ann.asks("register", name=name))["type"] == "account"
    bot = await ann.asks("grant", scope="bot", name=f"{name}b")
    robot = await dial(token=bot["token"])
    told = await run("ban", name)
    assert (await robot.closed())[0] == (await ann.closed())[0] == 4004
    await run("lift", order_of(told))


async def test_networks_are_banned_but_not_by_a_slip(run: Run) -> None:
    told = await run("ban", "203.0.113.77/24")
    assert "203.0.113.0/24" in told and "for good" in told
    await run("lift", order_of(told))
    for target in ("0.0.0.0/0", "127.0.0.1", "2000::/8"):
        with pytest.raises(NotPossible, match="as wide as this"):
            await run("ban", target)


async def test_what_is_said(run: Run, dial: Dial) -> None:
    eve, bob = await dial(name="Eve"), await dial(name="Bob")
    room = (await bob.asks("create"))["room"]
    for wire in (bob, eve):
        await wire.asks("join", room=room)
    orders = [order_of(await run("mute", eve.player, "--for", "30m")), order_of(await run("word", "gnrf"))]
    await eve.refused("muted", "say", room=room, text="Hello")
    await bob.refused("unwanted_word", "say", room=room, text="gnrf")
    orders.append(order_of(await run("silence", "--for", "1d")))
    await bob.refused("chat_closed", "say", room=room, text="Hello")
    orders.append(order_of(await run("lock", room)))
    async with asyncio.timeout(HANG):
        while (await (await dial()).asks("watch", room=room)).get("code") != "room_locked":
            pass
    for order in orders:
        await run("lift", order)
    await eve.asks_until(lambda reply: reply["type"] == "ok", "say", room=room, text="You patzer!")
    await run("announce", "Noon restart.")
    assert (await eve.seen(lambda frame: frame["type"] == "announced"))["text"] == "Noon restart."
    await bob.seen(lambda frame: frame["type"] == "said")
    assert (await bob.asks("report", room=room, player=eve.player, why="Insults"))["type"] == "ok"
    told = await run("reports")
    line = next(line for line in told.splitlines() if room in line)
    assert "Eve" in line and "Insults" in line and "> Eve: You patzer!" in told
    await run("settle", order_of(line), "--why", "warned")
    assert room not in await run("reports")
    with pytest.raises(NotPossible, match="No report"):
        await run("settle", order_of(line))
    with pytest.raises(NotPossible, match="at least one letter or digit"):
        await run("word", "...")


@pytest.mark.parametrize("time", ["7", "d", "0d", "1w", "-1h"])
def test_times_that_are_none(time: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read("moderate", ["mute", "Bob", "--for", time], {})
    assert "30m, 12h or 7d" in capsys.readouterr().err or time.startswith("-")


async def opened(dial: Dial, elsewhere: str, **terms: Any) -> tuple[Wire, Wire, str]:
    """A host on one server, and Eve in the host's room through another."""
    host, eve = await dial(name="Host"), await dial(at=elsewhere, name="Eve")
    room = (await host.asks("create", **terms))["room"]
    await host.asks("watch", room=room)
    await eve.asks("join", room=room, seat="black" if not terms else "blue")
    return host, eve, room


@pytest.mark.parametrize("who", some(1, "seat", "name", "id"))
async def test_a_seat_is_freed_by_command(run: Run, dial: Dial, elsewhere: str, who: str) -> None:
    host, eve, room = await opened(dial, elsewhere, variant="survivor")
    told = await run("kick", room, {"seat": "blue", "name": "Eve", "id": eve.player}[who], "--why", "Insults")
    assert "blue is free" in told
    for wire in (host, eve):
        update = await wire.seen(lambda frame: frame["type"] == "update" and frame["events"][0]["type"] == "unseated")
        assert update["events"] == [{"type": "unseated", "seat": "blue", "kicked": True}]
    assert (await eve.asks("join", room=room))["code"] == "kicked"
    with pytest.raises(NotPossible, match="Nobody sits at blue"):
        await run("kick", room, "blue")
    again = await dial(at=elsewhere)
    assert (await again.asks("join", room=room, seat="blue"))["type"] == "joined"


async def test_a_room_is_closed_by_command_and_leaves_the_lobby_of_every_server(
    run: Run, dial: Dial, elsewhere: str, third: str
) -> None:
    host, eve, room = await opened(dial, elsewhere)
    looking = [await dial(at=at) for at in (elsewhere, third)]
    for wire in looking:
        await wire.asks("rooms", follow=True)
        await wire.seen(lambda frame: frame["type"] in ("rooms", "lobby") and room in str(frame))
    assert f"{room} is closed" in await run("close", room, "--why", "Its name")
    for wire in (host, eve):
        update = await wire.seen(lambda frame: frame["type"] == "update" and frame["events"][0]["type"] == "finished")
        assert update["events"][0]["result"]["reason"] == "aborted"
    for wire in looking:
        await wire.seen(lambda frame: frame["type"] == "lobby" and room in frame["removed"])
    with pytest.raises(NotPossible, match="over"):
        await run("close", room)


@pytest.mark.slow
async def test_each_act_in_a_room_is_in_the_audit_log_once(
    run: Run, dial: Dial, elsewhere: str, common_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, room = await opened(dial, elsewhere)
    await run("kick", room, "black", "--why", "Insults", "--by", "root")
    await run("close", room, "--why", "Its name", "--by", "root")
    settings, parsed = read("audit", ["--redis", common_url, "--database", archive_of(common_url)], {})
    assert await parsed.run(settings, parsed) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if room in line]
    assert ["kick black" in row and "Insults" in row and "root" in row for row in rows].count(True) == 1, rows
    assert ["close" in row and "Its name" in row and "root" in row for row in rows].count(True) == 1, rows
    assert len(rows) == 2


@pytest.mark.slow
async def test_what_nobody_knows_is_said(run: Run, dial: Dial, elsewhere: str) -> None:
    _, _, room = await opened(dial, elsewhere)
    for arguments in (("kick", "nosuchrm", "white"), ("close", "nosuchrm"), ("lock", "nosuchrm")):
        with pytest.raises(NotPossible, match="Unknown room nosuchrm"):
            await run(*arguments)
    with pytest.raises(NotPossible, match=r"No player called Mallory sits there. Name the seat.*white, black"):
        await run("kick", room, "Mallory")
    for act in ("ban", "mute"):
        with pytest.raises(NotPossible, match="Unknown account Mallory"):
            await run(act, "Mallory")


async def test_neither_once_the_game_has_begun(run: Run, dial: Dial, elsewhere: str) -> None:
    host, _, room = await opened(dial, elsewhere)
    await host.asks("join", room=room)
    for arguments in (("kick", room, "black"), ("close", room)):
        with pytest.raises(NotPossible, match="has started"):
            await run(*arguments)


async def test_without_a_server_nothing_is_done(
    run: Run, brief: Callable[[], AbstractAsyncContextManager[str]], common_url: str, store: Redis
) -> None:
    async with brief() as at, connect(f"{at.replace('http', 'ws')}/ws", subprotocols=[JSON]) as connection:
        wire = Wire(connection, text=True)
        await wire.asks("hello")
        room = (await wire.asks("create"))["room"]
        await wire.end()
    with pytest.raises(NotPossible, match="No server runs"):
        await run("close", room)
