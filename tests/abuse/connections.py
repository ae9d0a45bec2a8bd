"""Shared code of attacks: connections from one address, and a count of the results."""

from __future__ import annotations

import asyncio
import json
import struct
from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

ADDRESS = {"X-Forwarded-For": "203.0.113.9"}  # of `attacks.main`; each attack has its own

Got = Counter[str]


@asynccontextmanager
async def dialled(url: str, **options: Any) -> AsyncIterator[ClientConnection]:
    ws = f"{url.replace('http', 'ws')}/ws"
    async with connect(ws, additional_headers=ADDRESS, compression=None, max_size=None, **options) as connection:
        yield connection


async def every(*attackers: Awaitable[None]) -> None:
    async with asyncio.TaskGroup() as group:
        for attacker in attackers:
            group.create_task(attacker)  # type: ignore[arg-type]


async def ask(connection: ClientConnection, type: str, **fields: Any) -> dict[str, Any]:
    """The reply to a request."""
    await connection.send(json.dumps({"type": type, "id": 1, **fields}))
    while True:
        frame: dict[str, Any] = json.loads(await connection.recv())
        if frame.get("id") == 1:
            return frame


async def raw(url: str, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(from_here(data))
    return reader, writer


def from_here(data: bytes) -> bytes:
    return data.replace(b"ADDRESS", ADDRESS["X-Forwarded-For"].encode())


HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Forwarded-For: ADDRESS\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else struct.pack("!BH", 0xFE, len(payload))
    return bytes([0x80 * fin | opcode]) + size + bytes(4) + payload
