"""A data folder of an earlier server opens: its games look the same, and go on.

The folder is stored as a dump of its store, made by a server of version 0.1.0 with real games: a two-player game with
an undo, a redo and a rematch; a running two-player game; a four-player game with both votes and a resignation; one
behind a password, whose watchers see it late; and one that has not begun. A second file has that server's view of each.
Such a dump is never made again: the next form of the log gets its own.
"""

import base64
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgpack
import pytest
from redis import Redis
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from fourfold.protocol.errors import SUBPROTOCOL_JSON
from fourfold.server.storage.embedded import SOCKET, EmbeddedStore
from tests.conftest import some
from tests.server.conftest import Wire, node

DUMP = json.loads((Path(__file__).parent / "vectors" / "data_folder.json").read_text())
ROOMS: dict[str, dict[str, Any]] = DUMP["rooms"]
UNDER_WAY = [name for name, room in ROOMS.items() if room["snapshot"]["status"] == "playing"]
UNRATED = {"two, under way": "moves", "four, ffa": "undone"}
OVER = [name for name, room in ROOMS.items() if room["snapshot"]["status"] == "finished"]


def fill(store: Redis, dump: dict[str, dict[str, Any]]) -> None:
    """Write every key of a dump as it was, without the expiry, which depends on the day of the dump."""
    for key, kept in dump.items():
        value = kept["value"]
        match kept["type"]:
            case "string":
                store.set(key, base64.b64decode(value))
            case "hash":
                store.hset(key, mapping={field: base64.b64decode(data) for field, data in value.items()})
            case "zset":
                store.zadd(key, dict(value))
            case "stream":
                for id, fields in value:
                    packed = {name: base64.b64decode(data) for name, data in fields.items() if name != "t"}
                    store.xadd(key, {"t": fields["t"], **packed}, id=id)
            case other:
                raise AssertionError(other)


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """The data folder, closed."""
    async with await EmbeddedStore.start(tmp_path) as store:
        with Redis(unix_socket_path=str(store.data_dir / SOCKET)) as client:
            fill(client, DUMP["store"])
    return tmp_path


class Table:
    """The players of a room, back on a server of this version."""

    def __init__(self, server: str, room: dict[str, Any], stack: AsyncExitStack) -> None:
        self.server, self.id, self.password = server, room["room"], room.get("password")
        self.players = {seat: DUMP["players"][name] for seat, name in room["seats"].items()}
        self.stack = stack

    async def dial(self, token: str | None = None) -> Wire:
        url = f"{self.server.replace('http', 'ws')}/ws"
        wire = Wire(await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL_JSON)], max_size=None), text=True)
        self.stack.push_async_callback(wire.end)
        wire.player = (await wire.asks("hello", token=token))["player"]
        return wire

    async def sit(self) -> dict[str, Wire]:
        """Every player again, each with their token, and following the room."""
        seats = {}
        for seat, player in self.players.items():
            wire = seats[seat] = await self.dial(player["token"])
            assert wire.player == player["player"]
            assert (await wire.asks("watch", room=self.id))["type"] == "room"
        return seats


@pytest.fixture
async def stack(folder: Path) -> AsyncIterator[tuple[str, AsyncExitStack]]:
    """A server on the folder."""
    async with node(None, folder) as server, AsyncExitStack() as stack:  # type: ignore[arg-type]
        yield server, stack


@pytest.fixture
def tables(stack: tuple[str, AsyncExitStack]) -> dict[str, Table]:
    server, open_ones = stack
    return {name: Table(server, room, open_ones) for name, room in ROOMS.items()}


MOMENTARY = {"id", "time", "watchers", "absence", "absentee_votes"}


def lasting(snapshot: dict[str, Any]) -> dict[str, Any]:
    """A snapshot without fields that depend on the moment or on the server's rules of absence."""
    seats = [{name: is_ for name, is_ in seat.items() if name not in ("online", "since")} for seat in snapshot["seats"]]
    return {key: older(value) for key, value in snapshot.items() if key not in MOMENTARY} | {"seats": seats}


def older(told: Any) -> Any:
    """The same without `unrated`, which newer results have, and old games lack."""
    if isinstance(told, list):
        return [older(part) for part in told]
    if isinstance(told, dict):
        return {name: older(part) for name, part in told.items() if (name, part) != ("unrated", None)}
    return told


@pytest.mark.parametrize("name", some(2, *ROOMS))
async def test_a_game_is_shown_as_it_was(tables: dict[str, Table], name: str) -> None:
    table, kept = tables[name], ROOMS[name]
    wire = await table.dial(next(iter(table.players.values()))["token"])
    since: dict[str, Any] = {"archived": False, "imported": False, "rated": True, "fill": 0}  # in newer snapshots
    if name in UNRATED:
        since["unrated"] = UNRATED[name]
    assert lasting(await wire.asks("watch", room=table.id)) == lasting(kept["snapshot"]) | since
    exported = await wire.asks("export", room=table.id, format=kept["export"]["format"])
    assert exported["text"] == kept["export"]["text"]


@pytest.mark.parametrize("name", some(2, *ROOMS))
async def test_whoever_resumes_gets_what_happened_since_its_beginning(tables: dict[str, Table], name: str) -> None:
    table, kept = tables[name], ROOMS[name]
    wire = await table.dial(next(iter(table.players.values()))["token"])
    assert (await wire.asks("watch", room=table.id, since=0))["type"] == "ok"
    await wire.seq(kept["snapshot"]["seq"])
    updates = wire.updates()[: kept["snapshot"]["seq"]]  # more may follow: that this player is back
    told = [[update["seq"], update["time"], older(update["events"])] for update in updates]
    assert [seq for seq, _, _ in told] == list(range(1, kept["snapshot"]["seq"] + 1))
    assert hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest() == kept["updates"]


@pytest.mark.parametrize("name", UNDER_WAY)
async def test_a_game_under_way_goes_on(tables: dict[str, Table], name: str) -> None:
    table = tables[name]
    seats = await table.sit()
    others = list(seats.values())
    turn = await others[0].asks("legal", room=table.id)
    by = seats[turn["seat"]]
    done = await by.asks("move", room=table.id, move=turn["moves"][0], seq=turn["seq"], key="new")
    assert done["type"] == "ok"
    for wire in others:
        assert (await wire.seq(done["seq"]))["events"][0]["type"] == "moved"
    undo = await by.asks("propose", room=table.id, kind="undo", plies=1, seq=done["seq"], key="undo")
    assert undo["type"] == "ok"


@pytest.mark.parametrize("name", OVER)
async def test_after_a_game_that_is_over_there_can_be_another(tables: dict[str, Table], name: str) -> None:
    table = tables[name]
    first, second = (await table.sit()).values()
    asked = await first.asks("propose", room=table.id, kind="rematch", seq=ROOMS[name]["snapshot"]["seq"], key="again")
    assert asked["type"] == "ok"
    proposed = (await second.seq(asked["seq"]))["events"][0]
    agreed = await second.asks("vote", room=table.id, proposal=proposed["proposal"], accept=True, key="yes")
    assert "rematched" in [event["type"] for event in (await first.seq(agreed["seq"]))["events"]]


async def test_a_password_still_opens_its_room_alone(tables: dict[str, Table]) -> None:
    table = tables["a password"]
    stranger = await table.dial()
    assert (await stranger.asks("watch", room=table.id))["code"] == "password_needed"
    assert (await stranger.asks("watch", room=table.id, password="open sesamum"))["code"] == "wrong_password"
    assert (await stranger.asks("watch", room=table.id, password=table.password))["type"] == "room"


async def test_a_room_that_has_not_begun_is_listed_and_can_be_joined(tables: dict[str, Table]) -> None:
    table = tables["open"]
    guest = await table.dial()
    assert table.id in [listing["room"] for listing in (await guest.asks("rooms"))["rooms"]]
    assert (await guest.asks("join", room=table.id, seat="red"))["type"] == "joined"


async def test_a_command_sent_again_gets_its_first_answer(tables: dict[str, Table]) -> None:
    """The keys of commands are in the log, so no earlier command takes effect twice."""
    table = tables["two, under way"]
    by = (await table.sit())["white"]
    for number, (_, fields) in enumerate(DUMP["store"][f"fourfold:{{{table.id}}}:log"]["value"], 1):
        player, key, _ = msgpack.unpackb(base64.b64decode(fields["d"]))
        if player == by.player and key.startswith("k") and number > 1:  # others are the server's own
            again = await by.asks("move", room=table.id, move="a2a3", seq=number - 1, key=key)
            assert (again["type"], again["seq"]) == ("ok", number)
