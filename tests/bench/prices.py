"""Measures the cost of requests and HTTP paths for a server, beside their prices in `server/limits/prices.py`.

python -m tests.bench.prices [NAME ...] [--seconds 0.5] [--json]

starts a server and sends each request again and again, one after the other, for at most `--seconds` of its processor
time. The output has the milliseconds of the server's processor time for each, including all threads, the price, their
ratio, and the most frequent answer. A `!` marks a price that is off by more than a factor of `FACTOR`. The requests are
those of `rounds`, of this module, or the examples of the protocol, some of which are refused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from fourfold.protocol import from_client as ask
from fourfold.protocol.examples import REQUESTS as EXAMPLES
from fourfold.server.limits.prices import LEAST, PATHS, REQUESTS
from fourfold.server.transport.http import OTHER
from tests.abuse.attacks import full, shuffle
from tests.bench.processes import Process, fourfold
from tests.bench.rounds import ROUNDS

FACTOR: Final = 3.0
AT_MOST: Final = 300
"""The most times that a request is sent."""

AT_ONCE: Final = 10
"""How many requests are sent before their answers are awaited."""

ROUNDS_AT_MOST: Final = 20
"""The most times that a request of `rounds` is prepared and sent."""

PLIES: Final = 40

GAMES_OF: Final = "0123456789ab"
"""The ID of a pair of the rating list."""

LAST: Final = ("resign", "abort", "rename", "revoke")
"""The last requests, because they end something that others need."""

Sent = dict[str, Any]


class Client:
    """A player at the server, with an account, a running game and a study."""

    opponent: Client

    def __init__(self, url: str, connection: ClientConnection) -> None:
        self.url = url
        self.connection = connection
        self.token = self.name = self.player = self.room = self.other = self.study = ""

    @classmethod
    async def open(cls, url: str, name: str) -> Client:
        client = cls(url, await connect(f"{url.replace('http', 'ws')}/ws", compression=None, max_size=None))
        welcome = await client.ask("hello", name=name)
        client.token, client.player = welcome["token"], welcome["player"]
        return client

    async def again(self) -> None:
        """Connect once more, as the same player: the server has closed the connection."""
        self.connection = await connect(f"{self.url.replace('http', 'ws')}/ws", compression=None, max_size=None)
        await self.ask("hello", token=self.token)

    async def ask(self, type: str, **fields: Any) -> Sent:
        return (await self.ask_all([{"type": type, **fields}]))[0]

    async def ask_all(self, requests: list[Sent]) -> list[Sent]:
        """Send requests at once; returns their answers, in the order of the requests."""
        for number, request in enumerate(requests):
            await self.connection.send(json.dumps({**request, "id": number}))
        answers: dict[int, Sent] = {}
        async with asyncio.timeout(240):
            while len(answers) < len(requests):
                frame = json.loads(await self.connection.recv())
                if "id" in frame and frame["id"] is not None:
                    answers[frame["id"]] = frame
        return [answers[number] for number in range(len(requests))]

    async def prepare(self) -> None:
        """Begin a game with a few dozen moves, and open another room and a study."""
        moves = shuffle()[:PLIES]
        self.room = (await self.ask("create", moves=moves))["room"]
        self.other = (await self.ask("create", variant="ffa"))["room"]
        self.study = (await self.ask("study", source={"text": "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"}))["room"]
        opponent = await Client.open(self.url, "Bob")
        await self.ask("join", room=self.room, seat="white")
        await opponent.ask("join", room=self.room, seat="black")
        self.opponent = opponent
        for client, name in (self, "Benchmark"), (opponent, "Opponent"):
            client.token, client.name = (await client.ask("register", name=name))["token"], name

    def requests(self, name: str) -> Iterator[Sent]:
        """The requests of a row; several types, if one of them must follow the other."""
        keys = (f"k{time.time_ns()}" for _ in count())
        room, other, study = self.room, self.other, self.study
        cases: dict[str, list[Sent]] = {
            "hello": [{}],
            "create": [{"moves": shuffle()[:PLIES]}],
            "check": [{"variant": "survivor", "position": full()}],
            "join": [{"room": other}, {"type": "leave", "room": other}],
            "leave": [{"type": "watch", "room": other}, {"room": other}],
            "watch": [{"room": room}],
            "legal": [{"room": room}],
            "export": [{"room": room, "format": "pgn"}],
            "rooms": [{"limit": 100}],
            "people": [{"limit": 100}],
            "read": [{"text": " ".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8" for n in range(1, 80, 2))}],
            "explore": [{"moves": shuffle()[:PLIES]}],
            "analyse": [{"moves": shuffle()[:PLIES]}],
            "study": [{"source": {"text": "1. e4 e5 2. Nf3 Nc6"}}],
            "edit": [{"room": study, "change": {"type": "retitle", "title": title}} for title in ("One", "Two")],
            "look": [{"room": study, "chapter": 1, "nodes": [1, 2, 3], "attacks": True}],
            "stand": [{"room": study, "chapter": 1, "node": node} for node in (1, 2)],
            "games": [{"limit": 50}],
            "seek": [{}, {"type": "unseek"}],
            "login": [{"code": "k3vq-7m2d-xw5h-p6ra-4t2c-yb6n"}],
            "passkey": [{"to": "make"}],
            "puzzles": [{}],
        }
        example = next(one for one in EXAMPLES if one.__struct_config__.tag == name)
        written = {field: value for field, value in msgspec.to_builtins(example).items() if value is not None}
        if "room" in written:
            written["room"] = study if name in ("look", "edit", "stand") else room
        for case in cycle(cases.get(name, [written])):
            request = {"type": name, **case}
            if "key" in {field.encode_name for field in msgspec.structs.fields(ask.REQUESTS[request["type"]])}:
                request["key"] = next(keys)
            yield request


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.prices", description="The cost of requests.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="types of requests, and HTTP paths; all")
    parser.add_argument("--seconds", type=float, default=0.5, help="processor time for each (0.5)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    prices = [*sorted(ask.REQUESTS, key=LAST.__contains__), *PATHS]
    found: dict[str, dict[str, Any]] = {}
    if not options.json:
        print(f"{'request':20} {'ms':>8} {'price':>8} {'ratio':>7}    gets")
    with TemporaryDirectory() as folder, fourfold(engine_list=_engine_list(Path(folder))) as running:
        client, server = await Client.open(running.urls[0], "Ann"), running.servers[0]
        await client.prepare()
        for name in options.names or prices:
            if name in PATHS:
                cost, price, got = await _path(client, server, name, options.seconds)
            elif name in ROUNDS:
                cost, price, got = await _rounds(client, server, name, options.seconds)
            else:
                cost, price, got = await _request(client, server, name, options.seconds)
            found[name] = {"ms": cost, "price": price, "got": got}
            if options.json:
                continue
            off = "!" if not 1 / FACTOR < cost / price < FACTOR and max(cost, price) > LEAST * FACTOR else " "
            print(f"{name:20} {cost:8.3f} {price:8.3f} {cost / price:7.2f} {off}  {got}", flush=True)
    if options.json:
        print(json.dumps(found))


def _engine_list(folder: Path) -> Path:
    """A folder with a rating list of the size of thirty engines in four variants."""
    meeting = {"id": GAMES_OF, "players": ["Level 5", "An engine"], "games": 200, "wins": 90, "draws": 20, "losses": 90,
               "points": 100.0, "expected": 0.5}  # fmt: skip
    (folder / "games").mkdir()
    (folder / "list.json").write_text(json.dumps({"format": 1, "lists": [{"meetings": [meeting] * 1740}]}))
    (folder / "games" / f"{GAMES_OF}.json").write_text(json.dumps({"format": 1, "games": ["x" * 120] * 200}))
    return folder


async def _request(client: Client, server: Process, name: str, seconds: float) -> tuple[float, float, str]:
    """The processor time of a request and its price, in milliseconds, and the most frequent answer."""
    requests, got = client.requests(name), Counter[str]()
    price, sent, before = 0.0, 0, server.cpu()
    while sent < AT_MOST and server.cpu() - before < seconds:
        batch = list(islice(requests, AT_ONCE))
        for request in batch:
            shape = ask.REQUESTS[request["type"]]
            price += REQUESTS[shape].of(msgspec.convert(request, shape))
        try:
            answers = await client.ask_all(batch)
            got.update(reply["code"] if reply["type"] == "error" else reply["type"] for reply in answers)
        except ConnectionClosed as error:
            got[f"closed {error.rcvd and error.rcvd.code}"] += len(batch)
            await client.again()
        sent += len(batch)
    return 1000 * (server.cpu() - before) / sent, price / sent, got.most_common(1)[0][0]


async def _rounds(client: Client, server: Process, name: str, seconds: float) -> tuple[float, float, str]:
    """The same for a request that is prepared anew each time. The cost is the median, as the first may load things."""
    got, price, costs = Counter[str](), 0.0, list[float]()
    shape = ask.REQUESTS[name]
    while len(costs) < ROUNDS_AT_MOST and sum(costs) < seconds:
        one = ROUNDS[name](client, client.opponent)
        by, request = await anext(one)
        assert isinstance(by, Client)
        await by.ask("ping")  # what was done before is done
        price += REQUESTS[shape].of(msgspec.convert({"type": name, **request}, shape))
        before = server.exact_cpu()
        reply = await by.ask(name, **request)
        costs.append(server.exact_cpu() - before)
        got[reply["code"] if reply["type"] == "error" else reply["type"]] += 1
        with suppress(StopAsyncIteration):  # a round has one request
            await one.asend(reply)
    return 1000 * median(costs), price / len(costs), got.most_common(1)[0][0]


async def _path(client: Client, server: Process, name: str, seconds: float) -> tuple[float, float, str]:
    """The same for an HTTP path."""
    where = urlsplit(client.url)
    path = name.replace("ROOM", client.room).replace("STUDY", client.study).replace("NAME", "game/room.js")
    others = {"/PAGE": "/", OTHER: "/a/b", "/origin": "/origin?page=x", "/engines/NAME": f"/engines/{GAMES_OF}.json"}
    path = others.get(name, path)
    got, sent, before = Counter[str](), 0, server.cpu()
    while sent < AT_MOST and server.cpu() - before < seconds:
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        for number in range(1 if name == "/ws" else 50):
            # Avoid the server's cache: each QR code is of another link.
            asked = f"{path.replace('/qr', f'{sent}x{number}/qr')}?at=http://x" if "qr" in path else path
            upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" * (name == "/ws")
            key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" * (name == "/ws")
            writer.write(f"GET {asked} HTTP/1.1\r\nHost: x\r\n{upgrade}{key}\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            _, _, length = head.partition("content-length: ")
            await reader.readexactly(int(length.split("\r\n")[0] or 0) if length else 0)
            got[head.split(" ")[1]] += 1
        sent += 1 if name == "/ws" else 50
        writer.close()
    return 1000 * (server.cpu() - before) / sent, PATHS[name], got.most_common(1)[0][0]


if __name__ == "__main__":
    asyncio.run(main())
