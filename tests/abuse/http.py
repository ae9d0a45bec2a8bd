"""Attacks by HTTP requests, each on a separate connection."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count, cycle

from tests.abuse.connections import Got, every, raw


def getting(*paths: str) -> Callable[[str, Got], Awaitable[None]]:
    async def get(url: str, got: Got) -> None:
        async def one() -> None:
            for path in cycle(paths):
                await _get(url, got, path)

        await every(*(one() for _ in range(20)))

    return get


async def _get(url: str, got: Got, path: str) -> None:
    """A GET on a separate connection."""
    try:
        asked = f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ADDRESS\r\nConnection: close\r\n\r\n"
        reader, writer = await raw(url, asked.encode())
        got[(await reader.readline()).decode().split(" ")[1]] += 1
        await reader.read()
        writer.close()
    except (OSError, IndexError) as error:
        got[type(error).__name__] += 1


async def get_qr_codes(url: str, got: Got) -> None:
    """Some connections that request QR codes of new links: as long as possible, to another host and to this one."""

    async def one(number: int) -> None:
        for link in count():
            host = "x" if link % 2 else "a" * 225
            await _get(url, got, f"/r/a{number}z{link}/qr.svg?at=https://{host}")

    await every(*(one(number) for number in range(30)))
