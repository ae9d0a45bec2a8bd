"""Clients that come while the server stops, or while no worker is there, get an answer that says when to try again."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from websockets.asyncio.client import connect

from fourfold.server.limits.admission import Admission
from fourfold.server.metrics import Metrics
from fourfold.server.process import serve
from fourfold.server.settings import Settings
from fourfold.server.transport.gateway import Gateway
from fourfold.server.transport.http import ALIVE
from fourfold.server.transport.listeners import bind
from fourfold.server.transport.turning_away import TurningAway
from fourfold.server.workers.entrance import Entrance
from fourfold.server.workers.supervisor import Supervisor

HANDSHAKE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
GOING = {
    "/ws?room=abcd2345": (503, "1", b"This server is going away. Reconnect.\n"),
    "/": (503, "1", b"This server is going away. Reconnect.\n"),
    "/readyz": (503, None, b'{"ready": false, "why": "the server is going away", "warning": null}\n'),
    "/healthz": (200, None, ALIVE.encode()),
}
NO_WORKER = {
    "/ws": (503, "1", b"No worker of this server accepts connections now. Try again.\n"),
    "/readyz": (503, None, b'{"ready": false, "why": "no worker takes connections", "warning": null}\n'),
    "/healthz": (200, None, ALIVE.encode()),
}


async def ask(address: tuple[str, int], path: str) -> tuple[int, str | None, bytes]:
    """Status, Retry-After and body of the answer; the connection is closed then."""
    reader, writer = await asyncio.open_connection(*address)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n{HANDSHAKE}\r\n".encode())
    async with asyncio.timeout(240):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return int(status.split()[1]), headers.get("Retry-After"), body


@asynccontextmanager
async def drained() -> AsyncIterator[tuple[str, int]]:
    """A server of one process whose sessions have ended, and which still has other parts to stop."""
    nothing: Any = None
    gateway = Gateway(nothing, Admission(Settings(), lambda: 0, lambda _: None), Metrics(), nothing)
    address = await gateway.open(bind("127.0.0.1", 0))

    async def settled() -> None:
        pass

    await gateway.drain(settled, asyncio.Event())
    yield address
    await gateway.close()


@asynccontextmanager
async def supervised(*, stopping: bool) -> AsyncIterator[tuple[str, int]]:
    """A supervisor whose workers have all ended."""
    turning_away = TurningAway(lambda: stopping)
    entrance = Entrance(bind("127.0.0.1", 0), Supervisor(2, [], turning_away.take).route)
    entrance.open()
    yield entrance.address
    entrance.close()
    await turning_away.close()


@pytest.mark.parametrize(
    ("server", "answers"),
    [
        (drained, GOING),
        (lambda: supervised(stopping=True), GOING),
        (lambda: supervised(stopping=False), NO_WORKER),
    ],
    ids=["one process", "workers", "dead workers"],
)
async def test_every_request_is_answered(
    server: Callable[[], Any], answers: dict[str, tuple[int, str | None, bytes]]
) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(server())
        assert {path: await ask(address, path) for path in answers} == answers
        silent = socket.create_connection(address)  # harmless
        stack.callback(silent.close)


@pytest.mark.parametrize("patient", [True, False], ids=["a client that does not close", "at once"])
async def test_a_stop_ends_though_a_client_stays(every_clean_url: str, tmp_path: Path, patient: bool) -> None:
    stop, at_once = asyncio.Event(), asyncio.Event()
    up: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    settings = Settings(port=0, redis_url=every_clean_url, data_dir=tmp_path, bots=0)
    with structlog.testing.capture_logs() as logs:
        serving = asyncio.create_task(serve(settings, stop, up.set_result, at_once))
        url = (await up).replace("http", "ws")
        async with connect(f"{url}/ws") as socket:
            await socket.send('{"type": "hello", "id": 1}')
            assert "welcome" in str(await socket.recv())
            socket.transport.pause_reading()  # it does not answer the close frame
            stop.set()
            if not patient:
                at_once.set()
            async with asyncio.timeout(240):
                await serving
            socket.transport.abort()
    assert {entry["log_level"] for entry in logs} <= {"debug", "info", "warning"}
