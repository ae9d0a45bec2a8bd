"""Erased data leave no trace: no byte in the database's file and no key in the store."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from fourfold.server.archive.database import Database
from fourfold.server.archive.people import Passkey
from fourfold.server.maintenance.command import read
from fourfold.server.rooms import liveness
from tests.conftest import HANG
from tests.server.conftest import Dial, Wire, appointed, left

Start = Callable[..., Awaitable[str]]

NAME = "Evangeline Trace"
BEFORE = "Evangeline Former"
FILE = "archive.sqlite"


@pytest.fixture
def address(tmp_path: Path) -> str:
    """A database for this test alone."""
    return f"sqlite:///{tmp_path / FILE}"


async def done(wire: Wire, type: str, **fields: Any) -> dict[str, Any]:
    reply = await wire.asks(type, **fields)
    assert reply["type"] != "error", reply
    return reply


async def finished(winner: Wire, loser: Wire, how: str = "resign", **create: Any) -> str:
    """A finished two-player game: its room."""
    room: str = (await done(winner, "create", **create))["room"]
    for wire in (winner, loser):
        await done(wire, "join", room=room)
    turn = await winner.seen(lambda frame: frame["type"] == "turn" and frame["room"] == room)
    await done(winner, "move", room=room, move=turn["legal"][0], seq=turn["seq"], key="m")
    await done(loser, how, room=room, key="r")
    return room


def held(store: Redis) -> dict[str, bytes]:
    """Everything in the store, key by key."""
    readers: dict[bytes, Callable[[bytes], Any]] = {
        b"string": store.get,
        b"hash": store.hgetall,
        b"set": store.smembers,
        b"zset": lambda key: store.zrange(key, 0, -1),
        b"list": lambda key: store.lrange(key, 0, -1),
        b"stream": store.xrange,
    }
    return {key.decode(): _bytes(readers[store.type(key)](key)) for key in store.scan_iter()}


def files(folder: Path) -> dict[str, bytes]:
    """The contents of all files of a folder."""
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _bytes(value: Any) -> bytes:
    if isinstance(value, dict):
        return b" ".join(_bytes(part) for pair in value.items() for part in pair)
    if isinstance(value, (list, tuple, set)):
        return b" ".join(map(_bytes, value))
    return value if isinstance(value, bytes) else str(value).encode()


async def test_an_erased_account_is_nowhere(
    start: Start,
    dial: Dial,
    store: Redis,
    common_url: str,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(liveness, "WITHIN", HANG)  # a seeker answers a ping late on a busy machine
    at = await start(database_url=address, archive_after=1, trust_proxy=1)
    ada, ann, eve = [await dial(at=at, name=name) for name in ("Ada", "Ann", BEFORE)]
    account = await done(eve, "register", name=BEFORE, device="Here")
    for wire, name in ((ada, "Ada"), (ann, "Ann")):
        await done(wire, "register", name=name)
    await appointed(address, ada.player)
    await done(eve, "rename", name=NAME)
    await done(eve, "grant", scope="play", name="Program")
    bot = await done(eve, "grant", scope="bot", name="Evangeline Trace 2")
    rooms = [await finished(ann, eve), await finished(eve, ann), await finished(ann, eve, visibility="private")]
    await done(eve, "say", room=rooms[0], text="You patzer!")
    await done(ann, "report", room=rooms[0], player=eve.player, why="Insults")
    await done(eve, "report", room=rooms[1], player=ann.player, why="Slow")
    await done(ada, "moderate", act="appoint", target=NAME, text="moderator")
    await done(eve, "moderate", act="mute", target=ann.player, why="Slow", seconds=600)
    await done(eve, "moderate", act="word", target="gnrf")
    for act in ("mute", "ban"):
        await done(ada, "moderate", act=act, target=NAME, why="Insults", seconds=600)
    assert (await eve.closed())[0] == 4004
    for order in (await done(ada, "moderation"))["orders"]:
        if order["kind"] == "ban":
            await done(ada, "moderate", act="lift", target=order["order"])
    again = await dial(at=at, token=account["token"])
    await done(again, "challenge", player="Ann", variant="standard", key="c")
    await done(ann, "challenge", player=NAME, variant="standard", key="d")
    sought = (await done(ann, "seek", clock={"base": 600_000}))["room"]
    assert (await done(again, "seek", clock={"base": 600_000}))["room"] == sought
    await ann.seen(lambda frame: frame["type"] == "turn" or (frame["type"] == "room" and frame["room"] == sought))
    await done(again, "abort", room=sought, key="a")
    ids = [eve.player, bot["player"]]

    database = await Database.open(address, tmp_path)
    await database.accounts.add_passkey(
        Passkey(b"credential", eve.player, b"key", 0, "localhost", "Evangeline Trace's key", 0, 0)
    )
    async with asyncio.timeout(240):
        while not await database.orders.departures(eve.player):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.05)
    for room in (*rooms, sought):
        await left(common_url, room)  # a room that is being archived is not erased
    assert any(eve.player.encode() in content for content in files(tmp_path).values())
    assert any(eve.player.encode() in value for value in held(store).values())

    arguments = (NAME, "--why", "asked for it", "--by", "root", "--redis", common_url, "--database", address)
    settings, parsed = read("account", ["erase", *arguments], {})
    assert await parsed.run(settings, parsed) == 0

    words = [word.encode() for word in (*ids, "Evangeline", "evangeline")]
    for key, value in held(store).items():
        found = [word for word in words if word in value or word in key.encode()]
        assert not found, (key, found, value)
    for room in (*rooms, sought):
        entries = await database.log(room)
        assert entries and not [word for word in words for entry in entries if word in entry.packed]
    await database.close()
    assert FILE in files(tmp_path)
    for name, content in files(tmp_path).items():
        assert not [word for word in words if word in content], name
    async with asyncio.timeout(HANG):
        while "code" not in (answer := await (await dial(at=at, hello=False)).asks("hello", token=account["token"])):
            pass
    assert answer["code"] == "bad_token"
    later = await start(database_url=address)
    for token in (account["token"], bot["token"], eve.token):
        assert (await (await dial(at=later, hello=False)).asks("hello", token=token))["code"] == "bad_token"
    assert not [word for word in words if any(word in value for value in held(store).values())]
