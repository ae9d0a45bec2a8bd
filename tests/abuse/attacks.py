"""Attacks on a server, all from one address.

An attack runs until it is cancelled and counts its results: answers by type and error code, close codes, HTTP statuses.
`ATTACKS` has them all, with the limit that each of them meets.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from fourfold.engine.variants import opening
from tests.abuse.connections import ADDRESS, HANDSHAKE, Got
from tests.abuse.connections import ask as _ask
from tests.abuse.connections import dialled as _dialled
from tests.abuse.connections import every as _all
from tests.abuse.connections import frame as _frame
from tests.abuse.connections import from_here as _from_here
from tests.abuse.connections import raw as _raw
from tests.abuse.gateway import look_up, try_tokens
from tests.abuse.http import get_qr_codes, getting
from tests.abuse.studies import export_studies, follow_rooms, watch_studies, write_studies

MANY = 100
"""How many connections an attack has, unless connections are the attack."""

AHEAD = 20
"""How many unanswered requests a connection has at a time."""

@dataclass(frozen=True)
class Attack:
    """`limit` describes the limit; `run` attacks the server at a URL and counts the results."""

    limit: str
    run: Callable[[str, Got], Awaitable[None]]


# -- connections ------------------------------------------------------------------------------------

async def _connections(url: str, got: Got) -> None:
    """Opens as many connections as it can, and keeps them."""
    async with contextlib.AsyncExitStack() as stack:
        for _ in count():
            try:
                await stack.enter_async_context(_dialled(url))
                got["101"] += 1
            except InvalidHandshake as error:
                got[str(getattr(getattr(error, "response", None), "status_code", error))] += 1


async def _churn(url: str, got: Got) -> None:
    """Opens connections, says `hello` and closes them, again and again."""

    async def come_and_go() -> None:
        while True:
            try:
                async with _dialled(url) as connection:
                    await connection.send('{"type":"hello","id":1}')
                    got[json.loads(await connection.recv())["type"]] += 1
            except (InvalidHandshake, ConnectionClosed, OSError) as error:
                got[type(error).__name__] += 1

    await _all(*(come_and_go() for _ in range(10)))


def _trickling(first: bytes, rest: bytes) -> Callable[[str, Got], Awaitable[None]]:
    """Many connections, each with one byte after the other, slowly."""

    async def trickle(url: str, got: Got) -> None:
        async def one() -> None:
            while True:
                reader, writer = await _raw(url, first)
                for byte in cycle(rest):
                    writer.write(bytes([byte]))
                    try:
                        async with asyncio.timeout(0.1):
                            if not await reader.read(4096):
                                break
                    except TimeoutError:
                        got["a byte"] += 1
                    except ConnectionError:
                        break
                got["hung up"] += 1
                writer.transport.abort()

        await _all(*(one() for _ in range(MANY)))

    return trickle


def _pouring(flood: bytes) -> Callable[[str, Got], Awaitable[None]]:
    """Some connections that send the same bytes after their handshake, as fast as possible, and never read."""

    async def pour(url: str, got: Got) -> None:
        async def one() -> None:
            while True:
                reader, writer = await _raw(url, HANDSHAKE + _frame(1, b'{"type":"hello"}'))
                try:
                    while True:
                        writer.write(flood)
                        await writer.drain()
                        if reader.at_eof():
                            break
                        await asyncio.sleep(0)
                except ConnectionError:
                    pass
                got["closed"] += 1
                writer.transport.abort()

        await _all(*(one() for _ in range(10)))

    return pour


async def _deaf_watchers(url: str, got: Got) -> None:
    """Watch their own busy room, and read nothing of it."""
    where = urlsplit(url)
    async with _dialled(url) as host:
        room = (await _ask(host, "hello"), await _ask(host, "create"))[1]["room"]
        watch = json.dumps({"type": "watch", "room": room}).encode()
        writers = []
        for _ in range(MANY):
            tcp = socket.socket()
            tcp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            tcp.setblocking(False)
            await asyncio.get_running_loop().sock_connect(tcp, (where.hostname, where.port))
            _, writer = await asyncio.open_connection(sock=tcp, limit=256)
            writer.write(_from_here(_GREETED) + _frame(1, watch))
            writers.append(writer)
        try:
            for number in count():
                reply = await _ask(host, "join" if number % 2 else "leave", room=room)
                got[reply.get("code", reply["type"])] += 1
                await asyncio.sleep(0.01)
        finally:
            for writer in writers:
                writer.transport.abort()


# -- requests -----------------------------------------------------------------------------------------

async def _ask_on(connection: ClientConnection, got: Got, requests: Iterator[dict[str, Any]]) -> None:
    """Send requests as fast as they are answered, some ahead, until the connection is closed."""
    for _ in range(AHEAD):
        await connection.send(json.dumps({**next(requests), "id": 1}))
    async for data in connection:
        frame = json.loads(data)
        if frame.get("id") == 1:
            got[frame.get("code", frame["type"])] += 1
            await connection.send(json.dumps({**next(requests), "id": 1}))


async def _flood(url: str, got: Got, requests: Iterator[dict[str, Any]], *, hello: bool = True) -> None:
    """One connection that sends requests as fast as they are answered, and reconnects when it is thrown out."""
    while True:
        try:
            async with _dialled(url) as connection:
                if hello:
                    await connection.send('{"type":"hello"}')
                await _ask_on(connection, got, requests)
                got[str(connection.close_code)] += 1
        except (ConnectionClosed, InvalidHandshake, OSError) as error:
            got[str(getattr(getattr(error, "rcvd", None), "code", type(error).__name__))] += 1


def _asking(requests: Callable[[int], Iterator[dict[str, Any]]], *, many: int = MANY, hello: bool = True) -> Any:
    """Many connections that all send requests."""

    async def ask(url: str, got: Got) -> None:
        await _all(*(_flood(url, got, requests(number), hello=hello) for number in range(many)))

    return ask


def _same(type: str, **fields: Any) -> Callable[[int], Iterator[dict[str, Any]]]:
    return lambda _: cycle([{"type": type, **fields}])


def _ids() -> Iterator[str]:
    """Ids of rooms that do not exist."""
    letters = "23456789abcdefghjkmnpqrstuvwxyz"
    while True:
        yield "".join(letters[byte % 31] for byte in os.urandom(8))


def _in_a_room(*requests: dict[str, Any], **terms: Any) -> Callable[[str, Got], Awaitable[None]]:
    """Many connections that send the same messages in one room."""

    async def spam(url: str, got: Got) -> None:
        async with _dialled(url) as host:
            await _ask(host, "hello")
            room = (await _ask(host, "create", **terms))["room"]
            await _all(*(_flood(url, got, cycle({"room": room, **one} for one in requests)) for _ in range(MANY)))

    return spam


def _in_a_long_game(*requests: dict[str, Any]) -> Callable[[str, Got], Awaitable[None]]:
    """Some connections that ask for a game of some hundred plies."""

    async def ask(url: str, got: Got) -> None:
        async with _dialled(url) as one, _dialled(url) as two:
            room, _ = await _long_game(one, two)
            await _all(*(_flood(url, got, cycle({"room": room, **asked} for asked in requests)) for _ in range(20)))

    return ask


LONG = 300
"""The number of plies of that game."""


async def _long_game(one: ClientConnection, two: ClientConnection) -> tuple[str, int]:
    """Two players who move the same pieces back and forth. Returns the room and its version."""
    for connection in (one, two):
        await _ask(connection, "hello")
    room = (await _ask(one, "create"))["room"]
    for connection in (one, two):
        await _ask(connection, "join", room=room)
    seq = 3
    for move in shuffle():
        mover = one if seq % 2 else two
        reply = await _ask(mover, "move", room=room, move=move, seq=seq, key=f"{seq}")
        assert reply["type"] == "ok", reply
        seq = reply["seq"]
    return room, seq


def shuffle() -> list[str]:
    """Random moves of a two-player game with few captures and no end."""
    for seed in count():
        random, position, moves = Random(seed), opening("standard"), list[str]()
        while position.outcome is None and len(moves) < LONG:
            choices = sorted(position.legal_moves, key=lambda move: move.text)
            quiet = [move for move in choices if position.man_at(move.target) is None]
            move = random.choice(quiet or choices)
            position = position.play(move)
            moves.append(move.text)
        if position.outcome is None:
            return moves
    raise AssertionError("count() has no end")


async def _votes(url: str, got: Got) -> None:
    """Two attackers undo and redo moves as fast as they can agree."""
    async with _dialled(url) as one, _dialled(url) as two:
        room, seq = await _long_game(one, two)
        for number in count(1):
            kind = "undo" if number % 2 else "redo"
            reply = await _ask(one, "propose", room=room, kind=kind, plies=LONG - 5, seq=seq, key=f"p{number}")
            got[reply.get("code", reply["type"])] += 1
            reply = await _ask(two, "vote", room=room, proposal=number, accept=True, key=f"v{number}")
            got[reply.get("code", reply["type"])] += 1
            seq = reply["seq"]


async def _refusals(url: str, got: Got) -> None:
    """A player whose every move in a long game is refused."""
    async with _dialled(url) as one, _dialled(url) as two:
        room, seq = await _long_game(one, two)
        await _refused_moves(one, room, seq, got)


async def _refused_moves(connection: ClientConnection, room: str, seq: int, got: Got) -> None:
    moves = ({"type": "move", "room": room, "move": "a1a1", "seq": seq, "key": f"x{n}"} for n in count())
    await _ask_on(connection, got, moves)


async def _seated(url: str, got: Got) -> None:
    """Players of many running games whose moves are all refused."""

    async def play() -> None:
        async with _dialled(url) as one, _dialled(url) as two:
            for connection in (one, two):
                await _ask(connection, "hello")
            created = await _ask(one, "create")
            if "room" not in created:  # an address may open 60 a minute
                got[created["code"]] += 1
                return
            room = created["room"]
            for connection in (one, two):
                await _ask(connection, "join", room=room)
            await _all(*(_refused_moves(connection, room, 3, got) for connection in (one, two)))

    await _all(*(play() for _ in range(8)))


async def _refused_votes(url: str, got: Got) -> None:
    """A player who proposes again and again, after every answer."""
    async with _dialled(url) as one, _dialled(url) as two:
        room, seq = await _long_game(one, two)
        for number in count(1):
            reply = await _ask(one, "propose", room=room, kind="draw", seq=seq, key=f"p{number}")
            got[reply.get("code", reply["type"])] += 1
            if reply["type"] == "ok":
                await _ask(two, "vote", room=room, proposal=number, accept=False, key=f"v{number}")


EXPORTS = tuple({"type": "export", "format": format} for format in ("pgn", "smith", "json"))
QUEENS = "k7/QQQQQQQQ/1QQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/K6Q b - - 0 1"
"""A position with more moves to look at than any game has."""


def full() -> str:
    """A position for four with a queen on each square that is free at the start."""
    queens = cycle(f"{colour}Q" for colour in "rb")
    fen = opening("survivor").fen().replace("1,1,1,1-1,1,1,1", "0,0,0,0-0,0,0,0")
    rules, board = fen[: fen.index("x,x,x")], fen[fen.index("x,x,x") :]
    cells = (cell for row in board.split("/") for cell in (*row.split(","), "/"))
    filled = (",".join(next(queens) for _ in range(int(cell))) if cell.isdigit() else cell for cell in cells)
    return rules + ",".join(filled).replace(",/,", "/").removesuffix(",/")


_CONTROLS = "1000 pings and fragments between two heartbeats"
_SEATS = "120 seats a minute"
_RATE = "MAX_RATE"

_GREETED = HANDSHAKE + _frame(1, b'{"type":"hello"}')
_GIANT = bytes([0x82, 0xFF]) + (2**40).to_bytes(8) + bytes(4) + b"x" * 65536
_HALVES = _frame(1, b'{"type":', fin=False) + _frame(0, b'"ping"}')


def _seeks(number: int) -> Iterator[dict[str, Any]]:
    """A game that nobody else seeks is sought and cancelled."""
    return cycle([{"type": "seek", "clock": {"base": 1000 + number}}, {"type": "unseek"}])


def _watches(_: int) -> Iterator[dict[str, Any]]:
    return ({"type": "watch", "room": id} for id in _ids())


ATTACKS: dict[str, Attack] = {
    "connections": Attack("MAX_CONNECTIONS", _connections),
    "churn": Attack("MAX_CONNECTIONS", _churn),
    "slow handshakes": Attack("10 s for the request", _trickling(b"GET /ws HTTP/1.1\r\nX: ", b"x")),
    "trickles": Attack("8 KiB a frame", _trickling(_GREETED, _frame(9) + _frame(1, b" "))),
    "never-reading watchers": Attack("1 MiB unread", _deaf_watchers),
    "pings": Attack(_CONTROLS, _pouring(_frame(9, b"x" * 100) * 100)),
    "fragments": Attack(_CONTROLS, _pouring(_HALVES * 100)),
    "empty fragments": Attack(_CONTROLS, _pouring(_frame(1, fin=False) + _frame(0, fin=False) * 1000)),
    "giant frames": Attack("8 KiB a frame", _pouring(_GIANT)),
    "requests never read": Attack("1 MiB unread", _pouring(_frame(1, b'{"type":"rooms","limit":100}') * 20)),
    "pages": Attack("", getting("/", "/static/game/room.js", "/static/ui/tokens.css")),
    "health and metrics": Attack("", getting("/metrics", "/readyz", "/healthz")),
    "QR codes": Attack("120 a minute", get_qr_codes),
    "path tricks": Attack("", getting("/../../etc/passwd", "/static/%2e%2e/", "/" + "a" * 9000, "/static/\0")),
    "ping": Attack(_RATE, _asking(_same("ping"))),
    "rooms": Attack(_RATE, _asking(_same("rooms", limit=100, follow=True))),
    "check": Attack(_RATE, _asking(_same("check", position=QUEENS))),
    "check of four": Attack(_RATE, _asking(_same("check", variant="survivor", position=full()))),
    "puzzles": Attack(_RATE, _asking(_same("puzzles"), many=40)),
    "explore": Attack(_RATE, _asking(_same("explore", moves=["a"] * 1000), many=40)),
    "unknown rooms": Attack(_RATE, _asking(_watches)),
    "unreadable": Attack("20 a connection", _asking(_same("fly"))),
    "create": Attack("MAX_ROOMS", _asking(_same("create"))),
    "create with moves": Attack("MAX_ROOMS", _asking(_same("create", moves=shuffle()))),
    "create with passwords": Attack("MAX_ROOMS", _asking(_same("create", password="open sesame"))),
    "seek": Attack(_SEATS, _asking(_seeks)),
    "seats": Attack(_SEATS, _in_a_room({"type": "join"}, {"type": "leave"}, variant="ffa")),
    "talk": Attack("5 a player in 10 s, 120 a minute", _in_a_room({"type": "watch"}, {"type": "say", "text": "Buy!"})),
    "coming and going": Attack(_RATE, _in_a_room({"type": "watch"}, {"type": "leave"})),
    "passwords": Attack("5 a room, 20 in all a minute", _in_a_room({"type": "watch", "password": "x"}, password="y")),
    "tokens": Attack("20 a connection", _asking(_same("hello", token="a.b.c"), hello=False)),
    "keys": Attack("10 a minute, 20 a connection", _asking(_same("serve", key="guess"))),
    "legal": Attack(_RATE, _in_a_long_game({"type": "legal"})),
    "export": Attack("120 a minute, one at a time", _in_a_long_game(*EXPORTS)),
    "resume": Attack(_RATE, _in_a_long_game({"type": "watch", "since": 0})),
    "votes by accomplices": Attack(_RATE, _votes),
    "refusals": Attack(_RATE, _refusals),
    "players of many games": Attack("3 commands a second past MAX_RATE", _seated),
    "votes refused": Attack("10·n² s after the n-th no", _refused_votes),
    "snapshots of studies": Attack(_RATE, watch_studies),
    "exports of studies": Attack("120 a minute, one at a time", export_studies),
    "edits of studies": Attack("1200 a minute, 2 MB a day", write_studies),
    "rooms followed": Attack("100 a connection", follow_rooms),
    "look-ups at the gateway": Attack("60, then 2 a second", look_up),
    "tokens at the gateway": Attack("1000 a request and a minute", try_tokens),
}
"""Every attack by its name."""


def address_of(name: str) -> str:
    """The address from which an attack comes: each has its own."""
    return f"203.0.113.{list(ATTACKS).index(name) + 1}"


def attack(name: str, url: str, seconds: float) -> subprocess.Popen[str]:
    """Runs an attack in a separate process."""
    command = [sys.executable, "-m", "tests.abuse.attacks", name, url, str(seconds)]
    return subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)


def main() -> None:
    """`python -m tests.abuse.attacks NAME URL SECONDS`: one attack; prints `ready`, and at the end the results."""
    name, url, seconds = sys.argv[1:]
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # any other work goes first, as on another machine
    ADDRESS["X-Forwarded-For"] = address_of(name)
    got: Got = Counter()

    async def run() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(float(seconds)):
                await ATTACKS[name].run(url, got)

    print("ready", flush=True)
    asyncio.run(run())
    print(json.dumps(dict(got.most_common(4))))


if __name__ == "__main__":
    main()
