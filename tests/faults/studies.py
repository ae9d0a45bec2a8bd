"""Three clients edit a study at once, while nodes and the store are killed. It ends the same everywhere, and no
acknowledged edit is lost or done twice.

python -m tests.faults.studies [--schedules 20] [--seed 1]
"""

import argparse
import asyncio
import json
import random
import signal
import sys
from contextlib import suppress
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException
from websockets.typing import Subprotocol

from fourfold.engine.decisions import Decision
from fourfold.engine.position import Position
from fourfold.engine.study import events as e
from fourfold.engine.study import replay
from fourfold.protocol import study_projection
from fourfold.protocol.codec import JSON
from fourfold.protocol.errors import SUBPROTOCOL_JSON
from fourfold.server.storage import records
from fourfold.server.storage.embedded import find_binary
from fourfold.server.storage.redis_log import stream
from tests.faults.cluster import Cluster
from tests.faults.process import until
from tests.faults.tree import Tree

EDITS: Final = 40
"""The edits that must have been acknowledged before a study is looked at."""

BLOWS: Final = 5
"""The faults that must have struck by then."""

PATIENCE: Final = 6.0
"""Seconds for which a client waits for an answer before its connection counts as dead."""

END: Final = 240.0
"""Seconds after the last fault within which all clients must agree."""


class Editor:
    """A client that edits until it is stopped, and reconnects after every end of its connection."""

    def __init__(self, name: str, cluster: Cluster, chance: random.Random) -> None:
        self.name = name
        self.room = ""
        self.tree: Tree | None = None
        self.acknowledged: dict[str, tuple[int, dict[str, Any]]] = {}
        """By key: the version, and the change."""
        self.player = ""
        self.stopped = False
        self._cluster = cluster
        self._chance = chance
        self._token: str | None = None
        self._decided = 0
        self._number = 0
        self._pending: tuple[str, dict[str, Any]] | None = None
        self._socket: ClientConnection | None = None

    async def open(self) -> str:
        """Open a study that all may edit."""
        while True:
            with suppress(OSError, WebSocketException, InvalidHandshake, TimeoutError):
                await self._connect()
                opened = await self._asks("study", visibility="link", write="everybody", key="open")
                if opened["type"] == "created":
                    self.room = opened["room"]
                    return self.room
            await asyncio.sleep(0.1)

    async def run(self) -> None:
        """Edit until stopped; then wait for all answers, and stay to the end."""
        while not (self.stopped and self._pending is None):
            with suppress(OSError, WebSocketException, InvalidHandshake, TimeoutError):
                await self._connect()
                await self._follow()
                while not (self.stopped and self._pending is None):
                    await self._edit()
            await asyncio.sleep(0.05)  # paces the attempts

    async def catch_up(self, seq: int) -> None:
        """Get the study at a version."""
        while self.tree is None or self.tree.seq < seq:
            with suppress(OSError, WebSocketException, InvalidHandshake, TimeoutError):
                await self._connect()
                await self._follow()
                async with asyncio.timeout(PATIENCE):
                    while self.tree is None or self.tree.seq < seq:
                        await self._next()
            await asyncio.sleep(0.05)  # paces the attempts
        await self.close()

    async def close(self) -> None:
        """End the connection."""
        if self._socket is not None:
            await self._socket.close()

    # -- a connection --

    async def _connect(self) -> None:
        await self.close()
        nodes = [node for node in self._cluster.nodes if node.runs and node.address is not None]
        url = self._chance.choice(nodes).url.replace("http", "ws") if nodes else None
        if url is None:
            raise TimeoutError
        self._socket = await connect(
            f"{url}/ws", subprotocols=[Subprotocol(SUBPROTOCOL_JSON)], max_size=None, open_timeout=PATIENCE,
            ping_interval=None, close_timeout=0.1,
        )  # fmt: skip
        welcome = await self._asks("hello", name=self.name, token=self._token)
        if welcome["type"] != "welcome":
            raise TimeoutError
        self._token, self.player = welcome["token"], welcome["player"]

    async def _follow(self) -> None:
        since = {} if self.tree is None else {"since": self.tree.seq, "decided": self._decided}
        reply = await self._asks("watch", room=self.room, **since)
        if reply["type"] == "error" and reply["code"] == "ahead":
            raise AssertionError("the log has lost sent decisions")
        if reply["type"] == "error":
            raise TimeoutError  # the store is away

    async def _asks(self, type: str, **fields: Any) -> dict[str, Any]:
        assert self._socket is not None
        self._number += 1
        id = self._number
        await self._socket.send(json.dumps({"type": type, "id": id, **fields}))
        async with asyncio.timeout(PATIENCE):
            while True:
                frame = await self._next()
                if frame.get("id") == id:
                    return frame

    async def _next(self) -> dict[str, Any]:
        assert self._socket is not None
        frame: dict[str, Any] = json.loads(await self._socket.recv())
        if frame.get("room") == self.room and frame["type"] == "study":
            self.tree, self._decided = Tree(frame), frame["decided"]
        elif frame.get("room") == self.room and frame["type"] == "update":
            assert self.tree is not None
            self.tree.take(frame)
            self._decided = frame["time"]
        return frame

    # -- an edit --

    async def _edit(self) -> None:
        if self._pending is None:
            self._pending = f"{self.name}.{len(self.acknowledged)}.{self._chance.random()}", self._change()
        key, change = self._pending
        reply = await self._asks("edit", room=self.room, key=key, change=change)
        if reply["type"] == "ok":
            assert key not in self.acknowledged
            self.acknowledged[key] = reply["seq"], change
            self._pending = None
        elif reply["code"] in ("no_such_node", "no_such_chapter", "study_full"):
            self._pending = None  # another client was faster
        else:
            assert reply["code"] in ("unavailable", "too_fast"), reply
            await asyncio.sleep(0.1)  # paces the attempts

    def _change(self) -> dict[str, Any]:
        assert self.tree is not None
        chance, chapter = self._chance, self._chance.choice(self.tree.chapters)
        node = chance.choice(list(chapter.nodes))
        where = {"chapter": chapter.number, "node": node}
        what = chance.random()
        if what < 0.5:
            legal = self._position(chapter, node).legal_texts()
            if legal:
                return {"type": "play", "chapter": chapter.number, "after": node, "move": chance.choice(legal)}
        if what < 0.6 and node:
            return {"type": "remove", **where}
        if what < 0.7:
            return {"type": "promote", **where, "whole": chance.random() < 0.5}
        if what < 0.75:
            return {"type": "draw", **where, "shapes": [{"colour": "red", "square": "e4"}]}
        if what < 0.8:
            return {"type": "add_chapters", "source": {}}
        return {"type": "comment", **where, "text": f"{self.name} {chance.random()}"}

    def _position(self, chapter: Any, node: int) -> Position:
        path = []
        while node:
            path.append(chapter.nodes[node]["move"])
            node = chapter.nodes[node]["parent"]
        position = Position.start("standard")
        for move in reversed(path):
            position = position.play(position.find(move))
        return position


async def blows(cluster: Cluster, chance: random.Random, dealt: list[str]) -> None:
    """Kill and freeze until cancelled."""
    while True:
        await asyncio.sleep(chance.uniform(0.3, 1.5))
        what = chance.choice(("node", "node", "node", "store", "all", "freeze"))
        node = chance.choice(cluster.nodes)
        dealt.append(what)
        if what == "node" and node.runs:
            await node.kill()
            await node.start()
        elif what == "all":
            for one in cluster.nodes:
                await one.kill()
            await asyncio.gather(*(one.start() for one in cluster.nodes))
        elif what == "store":
            await cluster.store.kill()
            await asyncio.sleep(chance.uniform(0.0, 1.0))
            await cluster.store.start()
        elif what == "freeze" and node.runs:
            node.signal(signal.SIGSTOP)
            await asyncio.sleep(chance.uniform(0.2, 2.0))
            node.signal(signal.SIGCONT)


async def schedule(cluster: Cluster, seed: int) -> dict[str, Any]:
    """Play one schedule; returns the counts. Raises `AssertionError` if the promise is broken."""
    chance = random.Random(seed)
    editors = [Editor(f"E{number}", cluster, random.Random(f"{seed}.{number}")) for number in range(3)]
    room = await editors[0].open()
    for editor in editors:
        editor.room = room
    dealt: list[str] = []
    running = [asyncio.create_task(editor.run()) for editor in editors]
    striking = asyncio.create_task(blows(cluster, chance, dealt))

    async def enough() -> bool:
        return sum(len(editor.acknowledged) for editor in editors) >= EDITS and len(dealt) >= BLOWS

    playing = asyncio.create_task(until(enough, END, pause=0.1))
    done, _ = await asyncio.wait([*running, striking, playing], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()  # raises the error with which it has ended
    striking.cancel()
    await asyncio.wait([striking])
    await cluster.mend()
    for editor in editors:
        editor.stopped = True
    async with asyncio.timeout(END):
        await asyncio.gather(*running)
        log = await decisions(cluster, room)
        await asyncio.gather(*(editor.catch_up(log[-1].seq) for editor in editors))
    check(room, log, editors)
    acknowledged = sum(len(editor.acknowledged) for editor in editors)
    return {"seed": seed, "decisions": len(log), "acknowledged": acknowledged, "blows": dealt}


async def decisions(cluster: Cluster, room: str) -> list[Decision]:
    """The study's log, read from the store itself."""

    async def there() -> bool:
        return bool(await cluster.store.client.exists(stream(room)))

    await until(there, END, pause=0.1)
    rows: Any = await cluster.store.client.xrange(stream(room))
    return records.read(
        records.Entry(int(id.split(b"-")[0]), int(row[b"t"]), row[b"d"], row.get(b"s")) for id, row in rows
    )


def check(room: str, log: list[Decision], editors: list[Editor]) -> None:
    """Check that the log has every acknowledged edit, once, and that all clients have its result."""
    made: dict[tuple[str, str], int] = {}
    for decision in log:
        assert (decision.by, decision.key) not in made, f"done twice: {decision.key}"
        made[decision.by, decision.key] = decision.seq
    snapshot = study_projection.snapshot(room, replay(log), editors[0].player, [], 0, 0)
    truth = Tree(json.loads(JSON.encode(snapshot))).told()
    for editor in editors:
        assert editor.tree is not None and editor.tree.told() == truth, f"{editor.name} holds another study"
        for key, (seq, change) in editor.acknowledged.items():
            kept = made.get((editor.player, key))
            if kept is None:
                assert change["type"] != "add_chapters", f"lost: {key}"
                assert change["type"] != "comment", f"lost: {key}"
                assert change["type"] != "play" or _added(log, seq, change), f"lost: {key}"
            else:
                assert kept == seq, f"acknowledged at {seq}, kept at {kept}"


def _added(log: list[Decision], seq: int, change: dict[str, Any]) -> bool:
    """Whether a move was there already when a `play` was acknowledged at a version."""
    wanted = change["chapter"], change["after"], change["move"]
    return any(
        isinstance(event, e.Added) and (event.chapter, event.parent, event.move) == wanted
        for decision in log[:seq]
        for event in decision.events
    )


async def campaign(seeds: range) -> list[dict[str, Any]]:
    """Play schedules one after the other on one cluster of three nodes."""
    cluster = await Cluster(find_binary(), 3).start()
    try:
        found = []
        for seed in seeds:
            found.append(await schedule(cluster, seed))
            print(json.dumps(found[-1]), flush=True)
        return found
    finally:
        await cluster.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.studies", description=__doc__)
    parser.add_argument("--schedules", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = asyncio.run(campaign(range(options.seed, options.seed + options.schedules)))
    total = {name: sum(one[name] for one in found) for name in ("decisions", "acknowledged")}
    print(json.dumps(total | {"schedules": len(found), "blows": sum(len(one["blows"]) for one in found)}))


if __name__ == "__main__":
    sys.exit(main())
