"""Streams of newline-delimited JSON, for the length of a game or a client's connection.

Each line is one chunk. After some silence the stream sends an empty line, because programs treat silence as a lost
connection.
"""

import asyncio
import json
import socket
from typing import Any, Final

from aiohttp import web

from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.streams import Stream

KEEP_ALIVE: Final = 5.0
"""Seconds of silence before an empty line. The strictest program allows nine."""

VANISHED: Final = 20_000
"""Milliseconds without an acknowledgement after which a client counts as gone."""

Lines = Stream[dict[str, Any]]
"""The objects to send to one client."""


async def send(request: web.Request, lines: Lines, *, begin: bool = False) -> web.StreamResponse:
    """Answer a request with lines until they end. With `begin`, an empty line comes first.

    If the lines end by a fault, the connection is cut in mid-stream, so that the client asks again.
    """
    response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson", "X-Accel-Buffering": "no"})
    await response.prepare(request)
    _notice_loss(request)
    if begin:
        await response.write(b"\n")
    try:
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE):
                    line = json.dumps(await anext(lines), separators=(",", ":")).encode()
            except TimeoutError:
                line = b""
            except StopAsyncIteration:
                break
            await response.write(line + b"\n")
        await response.write_eof()
    except (ConnectionFault, RequestError):
        if request.transport is not None:
            request.transport.abort()
    return response


def _notice_loss(request: web.Request) -> None:
    """Let the operating system close connections whose other end has vanished."""
    transport = request.transport
    connection = None if transport is None else transport.get_extra_info("socket")
    if connection is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED)
