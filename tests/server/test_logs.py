"""The log of a whole run, and the data it must never contain."""

import asyncio
import base64
import io
import json
import logging
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from redis import Redis
from websockets.asyncio.client import connect

from fourfold.server import logs
from fourfold.server.bots.dispatch import key_of
from tests.conftest import HANG, answers, some
from tests.forked import ForkedServer


class Process:
    """`fourfold-server` as a process, and its log."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - `stop` closes it
        self._process = ForkedServer("--port", "0", *arguments, stderr=self._log, env=os.environ | environment)
        self.url = self._process.stdout.readline().removeprefix("ready ").strip()

    def stop(self) -> str:
        self._process.terminate()
        assert self._process.wait(timeout=240) == 0
        with self._process.stdout, self._log:
            self._log.seek(0)
            return self._log.read()


@pytest.fixture
def guarded_url(redis_server: str, tmp_path: Path) -> Iterator[str]:
    """A Redis that wants a password."""
    arguments = ["--port", "0", "--unixsocket", "redis.sock", "--requirepass", "open-sesame-4711", "--save", ""]
    arguments += ["--appendonly", "yes", "--appendfsync", "always"]
    process = subprocess.Popen([redis_server, *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL)
    url = f"unix://:open-sesame-4711@{tmp_path}/redis.sock"
    with Redis.from_url(url) as client:
        deadline = time.monotonic() + HANG
        while not answers(client):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        yield url
    process.kill()
    process.wait()


async def evening(url: str) -> dict[str, Any]:
    """A varied run: people, a locked room, a game, mistakes, an outage. Yields the secrets that the log must not
    contain."""
    ws = f"{url.replace('http', 'ws')}/ws"
    tokens, room, seq = [], "", 3
    async with connect(ws) as ann, connect(ws) as bob, connect(ws) as eve:

        async def ask(wire: Any, type: str, **fields: Any) -> dict[str, Any]:
            await wire.send(json.dumps({"type": type, "id": 1, **fields}))
            async with asyncio.timeout(240):
                while True:
                    frame: dict[str, Any] = json.loads(await wire.recv())
                    if frame.get("id") == 1:
                        return frame

        for wire, name in ((ann, "Ann"), (bob, "Bob\x1b[2J"), (eve, "Eve\n{}")):
            tokens.append((await ask(wire, "hello", name=name))["token"])
        room = (await ask(ann, "create", password="correct horse battery"))["room"]
        await ask(ann, "join", room=room)
        await ask(eve, "watch", room=room, password="wrong horse battery")
        await ask(bob, "join", room=room, password="correct horse battery")
        for wire, move in ((ann, "f2f3"), (bob, "e7e5"), (ann, "g2g4"), (bob, "d8h4")):
            assert (await ask(wire, "move", room=room, move=move, seq=seq, key=f"{seq}"))["type"] == "ok"
            seq += 1
        await ask(bob, "move", room=room, move="e5e4", seq=seq, key="late")
        await ask(eve, "hello", token="forged.token-of-eve")
        await eve.send('{"type":"hello","id":1,"token":"' + tokens[0] + '"')  # not even a message
        async with connect(ws) as back:
            await ask(back, "hello", token=tokens[0])
        ann.transport.abort()
    return {"tokens": tokens, "room": room}


@pytest.mark.parametrize("format", some(1, "json", "console"))
async def test_a_whole_run_at_debug_level(format: str, guarded_url: str, tmp_path: Path) -> None:
    server = Process("--redis", guarded_url, "--data", str(tmp_path), LOG_LEVEL="debug", LOG_FORMAT=format)
    known = await evening(server.url)
    host, port = server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /\x1b[31m\xe2\x80\xae HTTP/1.1\r\nHost: \x1b[31mred\r\n\r\n")
    await reader.read()
    writer.close()
    log = await asyncio.to_thread(server.stop)
    with Redis.from_url(guarded_url) as client:
        secret = client.get("fourfold:secret")
        assert isinstance(secret, bytes)
        lock = re.search(rb"scrypt\$[^\x00-\x20]+?=\$[A-Za-z0-9+/]+=", b"".join(_values(client)))
        assert lock is not None
    never = [
        *known["tokens"], *(token.split(".")[-1] for token in known["tokens"]), "forged.token-of-eve", "open-sesame",
        "horse", lock[0].decode(), secret.hex(), base64.b64encode(secret).decode(), repr(secret)[2:-1], key_of(secret),
    ]  # fmt: skip
    for word in never:
        assert word not in log
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", log)
    for event in ("ready", "connected", "hello", "room opened", "refused", "unreadable", "game over", "draining"):
        assert event in log
    if format == "json":
        lines = [json.loads(line) for line in log.splitlines()]
        assert all({"time", "level", "event", "logger"} <= line.keys() for line in lines)
        over = next(line for line in lines if line["event"] == "game over")
        assert (over["room"], over["how"], "player" in over) == (known["room"], "checkmate", False)
        opened = next(line for line in lines if line["event"] == "room opened")
        assert opened["room"] == known["room"]
        late = next(line for line in lines if line["event"] == "refused" and line["code"] == "game_over")
        assert (late["room"], late["request"]) == (known["room"], "move")
        assert {line["player"] for line in lines if line["event"] == "hello"} >= {opened["player"], late["player"]}
        assert all("connection" in line for line in lines if line["event"] in ("hello", "connected", "disconnected"))


def _values(client: "Redis") -> list[bytes]:
    streams = [key for key in client.keys("*") if client.type(key) == b"stream"]  # type: ignore[union-attr]
    return [value for key in streams for _, fields in client.xrange(key) for value in fields.values()]  # type: ignore[union-attr]


class TestLines:
    EVIL = "Ann\n2026-01-01T00:00:00Z [info] all is well \x1b[2J\x9b31m\u202e\u2028\r\x00"

    @pytest.mark.parametrize("format", ["json", "console"])
    def test_what_clients_wrote_stays_in_its_line(self, format: str) -> None:
        stream = io.StringIO()
        logs.configure("info", format, stream)
        structlog.get_logger("fourfold.server.ours").info("hello", name=self.EVIL)
        logging.getLogger("theirs").warning("bad header %s", self.EVIL)
        assert len(stream.getvalue().splitlines()) == 2
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", stream.getvalue())
        assert stream.getvalue().count(r"\x1b[2J") == 2 or stream.getvalue().count(r"\\x1b[2J") == 2

    @pytest.mark.parametrize("format", ["json", "console"])
    def test_a_traceback_is_told_without_variables_and_without_lines_of_others(self, format: str) -> None:
        stream = io.StringIO()
        logs.configure("info", format, stream)

        def fail(token: str) -> None:
            raise ValueError(self.EVIL)

        try:
            fail("-".join(("a", "token")))
        except ValueError:
            structlog.get_logger("fourfold.server.ours").error("it failed", exc_info=True)
            logging.getLogger("theirs").exception("it failed")
        text = stream.getvalue()
        assert text.count("ValueError: Ann") == 2
        assert "a-token" not in text
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", text)
        assert not re.search(r"^2026-01-01T00:00:00Z \[info", text, re.MULTILINE)

    def test_levels(self) -> None:
        stream = io.StringIO()
        logs.configure("warning", "json", stream)
        log = structlog.get_logger("fourfold.server.ours")
        log.info("no")
        log.warning("yes")
        logging.getLogger("theirs").info("no")
        logs.configure("debug", "json", stream)
        structlog.get_logger("fourfold.server.ours").debug("yes")
        logging.getLogger("websockets.server").info("frames and tokens")
        logging.getLogger("websockets.server").error("yes")
        assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["yes", "yes", "yes"]

    @pytest.mark.parametrize("format", ["json", "console"])
    def test_what_clients_wrote_stays_in_its_field(self, format: str) -> None:
        stream = io.StringIO()
        logs.configure("info", format, stream)
        forged = 'Ann player=host [error] logger=fourfold.server.transport.gateway", "level": "error'
        structlog.get_logger("fourfold.server.ours").info("hello", name=forged, player="eve")
        line = stream.getvalue()
        if format == "json":
            fields = json.loads(line)
            assert (fields["name"], fields["player"], fields["level"]) == (forged, "eve", "info")
        else:
            assert f"name={forged!r}" in line and line.rstrip().endswith("player=eve")
