"""Fuzzes a live server: every message in every state, nearly valid messages, and bytes that are not messages.

The server answers every input, or closes the connection with a code that says why. It stays quick for others, keeps its
memory, and logs no error of its own (see `conftest`).
"""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import msgpack
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from fourfold.protocol import examples
from fourfold.protocol.errors import ERRORS, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, CloseCode
from fourfold.protocol.from_client import REQUESTS
from tests.fuzz.mutations import mutate
from tests.fuzz.targets import TARGETS
from tests.games.conftest import ServerProcess
from tests.server.conftest import Wire

pytestmark = pytest.mark.slow

SEATS = ("white", "black", "red", "blue", "yellow", "green")
ROOMS = ("nope", "summons", "lobby", "board", "fourfold:secret", "room:*", "{}", "}{", "../..", "\0", "\n", "é" * 32)
TEXTS = ("", "x", "\0", "\u202e", "<b>", "a" * 65, "\U0010ffff", "e2e4", "0000", "e7e8=Q", "h2h4", "8/8 w", "modern")
NUMBERS = (-1, 0, 1, 2, 3, 4, 6, 300_000, 900_001, 2**31, 2**53, 2**63, 2**64, 10**30)

Dial = Callable[..., Awaitable[Wire]]


@pytest.fixture
async def dial(server: ServerProcess) -> AsyncIterator[Dial]:
    """Opens a connection, and says hello on it unless `hello` is false."""
    async with AsyncExitStack() as stack:

        async def dial(*, hello: bool = True, text: bool = True) -> Wire:
            wire = Wire(await _connect(server.url, text), text=text)
            stack.push_async_callback(wire.end)
            if hello:
                wire.player = (await wire.asks("hello"))["player"]
            return wire

        yield dial
        healthy = Wire(await _connect(server.url, True), text=True)
        assert (await healthy.asks("ping"))["type"] == "pong"
        await healthy.end()


async def _connect(url: str, text: bool) -> ClientConnection:
    subprotocol = Subprotocol(SUBPROTOCOL_JSON if text else SUBPROTOCOL_MSGPACK)
    return await connect(f"{url.replace('http', 'ws')}/ws", subprotocols=[subprotocol], max_size=None, compression=None)


# -- every message in every state ------------------------------------------------------------------

async def _table(dial: Dial, variant: str = "standard") -> tuple[list[Wire], str]:
    """Players at a table, to the last seat; the host has the first."""
    players = [await dial() for _ in range(2 if variant == "standard" else 4)]
    room = (await players[0].asks("create", variant=variant))["room"]
    for player in players:
        await player.asks("join", room=room)
    return players, room


async def _greeted(dial: Dial) -> tuple[Wire, str]:
    return await dial(), "nope"


async def _before_hello(dial: Dial) -> tuple[Wire, str]:
    _, room = await _table(dial)
    return await dial(hello=False), room


async def _host_of_an_open_room(dial: Dial) -> tuple[Wire, str]:
    wire = await dial()
    return wire, (await wire.asks("create"))["room"]


async def _seated_in_an_open_room(dial: Dial) -> tuple[Wire, str]:
    host, room = await _host_of_an_open_room(dial)
    await host.asks("join", room=room)
    return host, room


async def _watching(dial: Dial) -> tuple[Wire, str]:
    _, room = await _table(dial)
    wire = await dial()
    await wire.asks("watch", room=room)
    return wire, room


async def _to_move(dial: Dial) -> tuple[Wire, str]:
    players, room = await _table(dial)
    return players[0], room


async def _to_wait(dial: Dial) -> tuple[Wire, str]:
    players, room = await _table(dial, "teams")
    return players[2], room


async def _asked_to_vote(dial: Dial) -> tuple[Wire, str]:
    players, room = await _table(dial)
    await players[0].asks("propose", room=room, kind="draw", seq=3, key="p")
    return players[1], room


async def _out_of_the_game(dial: Dial) -> tuple[Wire, str]:
    players, room = await _table(dial, "ffa")
    await players[1].asks("resign", room=room, key="r")
    return players[1], room


async def _after_the_game(dial: Dial) -> tuple[Wire, str]:
    players, room = await _table(dial, "survivor")
    for player in players[:3]:
        await player.asks("resign", room=room, key="r")
    return players[3], room


async def _seeking(dial: Dial) -> tuple[Wire, str]:
    wire = await dial()
    clock = {"base": 1000 + int.from_bytes(os.urandom(3)), "increment": 0}  # which nobody else seeks
    return wire, (await wire.asks("seek", clock=clock))["room"]


async def _behind_a_password(dial: Dial) -> tuple[Wire, str]:
    host = await dial()
    return await dial(), (await host.asks("create", password="open sesame", delay=1000, visibility="private"))["room"]


STATES = (
    _before_hello, _greeted, _host_of_an_open_room, _seated_in_an_open_room, _watching, _to_move, _to_wait,
    _asked_to_vote, _out_of_the_game, _after_the_game, _seeking, _behind_a_password,
)  # fmt: skip


def _plain(random: Random, name: str, field: str, room: str) -> Any:
    """A value that is often right."""
    choices: dict[str, tuple[Any, ...]] = {
        "room": (room,) * 20 + ROOMS,
        "seat": SEATS,
        "move": ("e2e4", "d7d5", "h2h4", "a1a1", "zz", "e7e8q"),
        "seq": (0, 3, 5, 2**53),
        "key": (f"{random.randrange(5)}", "key", "\0", "k" * 64),
        "kind": ("undo", "redo", "draw", "stand_in", "remove", "rematch"),
        "plies": (1, 2, 2**31),
        "proposal": (1, 2, 2**31),
        "accept": (True, False),
        "level": (1, 5),
        "square": ("e2", "n14", "zz"),
        "format": ("pgn", "pgn4", "smith", "fen", "json", "doc"),
        "text": ("Good game!", "\u202e<b>\0", " ", "\u200d", "x" * 200),
        "to": ("all", "table"),
        "since": (0, 1, 3, 2**53),
        "password": ("open sesame", "x"),
        "variant": ("standard", "ffa", "survivor", "teams", "chess960", "\0"),
        "position": ("modern", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/K6Q b - - 0 1", "R-0,0,0,0-/", "/" * 4096),
        "clock": ({"base": 1}, {"base": 604_800_000, "increment": 86_400_000}, {"base": 1000, "delay": 5000}),
        "visibility": ("public", "private"),
        "delay": (0, 1, 900_000),
        "status": ("open", "playing"),
        "limit": (1, 100),
        "token": ("", "a.b.c", "\0.\0.\0", "x" * 256),
        "name": ("Ann", "", "\u202e", "\0" * 64),
    }
    return random.choice(choices.get(field, (True, False)))


def _fields(random: Random, name: str, room: str) -> dict[str, Any]:
    """A message of a type: now and then a field is missing, superfluous, or wrong."""
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(REQUESTS[name]):
        if field.name == "id" or (not field.required and random.randrange(2)):
            continue
        fields[field.name] = _plain(random, name, field.name, room)
    if fields and random.randrange(5) == 0:
        spoiled = random.choice([*fields, "what"])
        fields[spoiled] = random.choice((None, [], {}, 1.5, random.choice(TEXTS), random.choice(NUMBERS)))
    return fields


async def _fire(wire: Wire, name: str, fields: dict[str, Any]) -> bool:
    """Send a message, and require an answer; False if the connection was closed for good reason instead."""
    try:
        id = await wire.say(name, **fields)
    except ConnectionClosed:
        pass
    except (OverflowError, ValueError):
        return True  # such a number can't even be written in MessagePack
    else:
        answered = asyncio.create_task(wire.seen(lambda frame: frame.get("id") == id))
        ended = asyncio.create_task(wire.connection.wait_closed())
        await asyncio.wait({answered, ended}, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if answered.done():
            reply = answered.result()
            assert reply["type"] in (*REQUESTS[name].answers, "error")
            if reply["type"] == "error":
                assert reply["kind"] == ERRORS[reply["code"]].kind
                assert len(reply["message"]) < 5000
            wire.frames.clear()
            return True
        answered.cancel()
    assert wire.connection.close_code == CloseCode.POLICY
    return False


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__.strip("_"))
async def test_every_message_in_every_state(dial: Dial, state: Any) -> None:
    random = Random(state.__name__)
    for number, name in enumerate(REQUESTS):
        wire, room = await state(dial)
        wire.frames.clear()
        for _ in range(5):
            if not await _fire(wire, name, _fields(random, name, room)):
                wire = await dial(text=number % 2 == 0)


@pytest.mark.parametrize("seed", range(8))
async def test_a_crowd_that_says_anything(dial: Dial, seed: int) -> None:
    """Many clients send many messages in the same few rooms, at the same time."""
    random = Random(seed)
    rooms = []
    for variant in ("standard", "ffa", "teams", "standard"):
        host = await dial()
        rooms.append((await host.asks("create", variant=variant, clock={"base": 60_000}))["room"])

    async def guest(text: bool) -> None:
        wire = await dial(text=text)
        for _ in range(80):
            name = random.choice(("join", "watch", "move", "propose", "vote", "leave", *REQUESTS))
            if name not in ("create", "hello") and not await _fire(
                wire, name, _fields(random, name, random.choice(rooms))
            ):
                wire = await dial(text=text)

    await asyncio.gather(*(guest(number % 2 == 0) for number in range(12)))


# -- bytes that are not messages --------------------------------------------------------------------

@pytest.mark.parametrize("text", [True, False], ids=["json", "msgpack"])
async def test_frames_that_are_nearly_messages(server: ServerProcess, text: bool) -> None:
    random, target = Random(7), TARGETS["json" if text else "msgpack"]
    hello = json.dumps({"type": "hello"}) if text else msgpack.packb({"type": "hello"})
    tried = 0
    while tried < 300:
        async with await _connect(server.url, text) as connection:
            await connection.send(hello)
            await connection.recv()
            while connection.close_code is None and tried < 300:
                data = mutate(random, target.seeds, target.words)
                tried += 1
                try:
                    await connection.send(data.decode(errors="replace") if text else data)
                    async with asyncio.timeout(240):
                        await connection.recv()
                except ConnectionClosed:
                    assert connection.close_code in (CloseCode.POLICY, CloseCode.TOO_BIG)
    assert tried == 300


HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
QUIET = 0.2
"""Seconds without a byte after which no answer is expected to an incomplete request."""

REQUEST_SEEDS = (HANDSHAKE, HANDSHAKE.replace(b"/ws", b"/r/abc"), b"HEAD /healthz HTTP/1.0\r\n\r\n")
REQUEST_WORDS = (
    b"\r\n", b"\n", b"\0", b"\xff", b" ", b":", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"/../",
    b"%2e%2e", b"?", b"#", b"Origin: null\r\n", b"X-Forwarded-For: \xff\r\n", b"Upgrade: h2c\r\n", b"A" * 9000,
)  # fmt: skip


async def _answer(url: str, data: bytes) -> bytes:
    """The response to some bytes, until its end."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    got = b""
    try:
        async with asyncio.timeout(60):
            writer.write(data)
            await asyncio.sleep(0)
            while not got:
                more = await asyncio.wait_for(reader.read(65536), QUIET)
                if not more:
                    return got
                got += more
    except TimeoutError:
        pass  # it waits for the rest of a request, for as long as it has patience: see TestSilence in test_connection
    except ConnectionError:
        return got
    finally:
        writer.transport.abort()
    return got


async def test_requests_that_are_nearly_http(server: ServerProcess) -> None:
    random = Random(3)
    for _ in range(100):
        answers = await asyncio.gather(
            *(_answer(server.url, mutate(random, REQUEST_SEEDS, REQUEST_WORDS) + b"\r\n\r\n") for _ in range(5))
        )
        for answer in answers:
            assert re.match(rb"HTTP/1\.1 (101|200|304|400|404|405|414|426|431) |$", answer), answer
            assert not answer.startswith(b"HTTP/1.1 5")


async def test_bytes_that_are_no_frames(server: ServerProcess) -> None:
    random = Random(4)
    host, port = server.url.removeprefix("http://").split(":")
    hello = bytes([0x81, 0x80 | 16]) + bytes(4) + b'{"type":"hello"}'
    seeds = (hello, hello * 3, b"\x89\x80\0\0\0\0", b"\x01\x80\0\0\0\0", b"\x88\x80\0\0\0\0")
    words = (b"\x80\x80\0\0\0\0", b"\x01\xfe\xff\xff", b"\x82\xff" + b"\x7f" * 8, b"\xc1", b"\x81\x00")
    for _ in range(100):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(HANDSHAKE + mutate(random, seeds, words, edits=3))
        writer.write_eof()
        async with asyncio.timeout(240):
            try:
                while await reader.read(65536):
                    pass
            except ConnectionError:
                pass
        writer.transport.abort()


async def test_memory_is_kept(server: ServerProcess) -> None:
    """Positions of pathological size, unknown rooms, and endless names leave nothing behind."""
    status = Path(f"/proc/{server.pid}/status")

    def resident() -> int:
        found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text())
        assert found is not None
        return int(found[1])

    async def storm(number: int) -> None:
        async with await _connect(server.url, True) as connection:
            await connection.send(json.dumps({"type": "hello", "name": f"guest {number}" * 4}))
            for count in range(40):
                await connection.send(json.dumps({"type": "watch", "room": f"room{number}x{count}"}))
                await connection.send(json.dumps({"type": "seek", "variant": f"v{number}x{count}"}))
                await connection.send(json.dumps({"type": "create", "position": "q" * 4000 + "/"}))
                await connection.send(json.dumps({"type": "legal", "room": "x", "square": "e2"}))
            for _ in range(161):
                await connection.recv()

    await storm(0)
    await storm(1)
    before = resident()
    for number in range(2, 12):
        await storm(number)
    assert resident() - before < 20_000


def test_all_requests_are_fuzzed() -> None:
    assert {type(example) for example in examples.REQUESTS} == set(REQUESTS.values())
