"""Delivery of reports to a URL: in order, signed, and repeated until the receiver accepts them.

A report is JSON, with the headers of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. The
signature is an HMAC (SHA-256) of id, timestamp and body, joined by dots. Discord gets a sentence instead.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout

from fourfold.clients.connection import Connection
from fourfold.clients.streams import Stream
from fourfold.clients.webhooks.reports import Report, Reporter

PAUSES: Final = (1.0, 5.0, 30.0, 120.0, 600.0)
"""Seconds before each further attempt. After the last one, the report is dropped."""

ANSWER: Final = 10.0
"""Seconds for the receiver to answer."""

WAITING: Final = 1000
"""The most waiting reports. Further ones are dropped."""

_PREFIX: Final = "whsec_"
"""The prefix of secrets of Standard Webhooks; the rest is base64."""


def signature(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """The header `webhook-signature` of a report."""
    key = base64.b64decode(secret.removeprefix(_PREFIX)) if secret.startswith(_PREFIX) else secret.encode()
    digest = hmac.digest(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


def body_of(report: Report, timestamp: int, *, discord: bool) -> bytes:
    """A report in its sent form."""
    told: dict[str, Any]
    if discord:
        told = {"content": report.sentence[:2000], "allowed_mentions": {"parse": []}}
    else:
        told = {"type": report.kind, "timestamp": timestamp, "text": report.sentence, "data": report.data}
    return json.dumps(told, separators=(",", ":")).encode()


def is_discord(url: str) -> bool:
    """Whether a URL is a Discord webhook's."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return (host == "discord.com" or host.endswith(".discord.com")) and parts.path.startswith("/api/webhooks/")


class Delivery:
    """Sends reports to one URL, one at a time. `complain` is called with a sentence about each dropped report."""

    def __init__(
        self, url: str, secret: str | None, complain: Callable[[str], object], *, discord: bool | None = None
    ) -> None:
        """Raises ValueError for an invalid URL."""
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"{url!r} is not a URL that begins with https:// or http://")
        self._url = url
        self._secret = secret
        self._complain = complain
        self._discord = is_discord(url) if discord is None else discord
        self._waiting = Stream[Report]()
        self._count = 0

    def put(self, report: Report) -> None:
        """Add a report."""
        if self._count >= WAITING:
            self._complain(f"{WAITING} reports wait: {report.id} is dropped")
            return
        self._count += 1
        self._waiting.put(report)

    async def run(self) -> None:
        """Send until cancelled."""
        async with ClientSession(timeout=ClientTimeout(total=ANSWER)) as session:
            async for report in self._waiting:
                await self._send(session, report)
                self._count -= 1

    async def _send(self, session: ClientSession, report: Report) -> None:
        timestamp = int(time.time())
        body = body_of(report, timestamp, discord=self._discord)
        heads = {"Content-Type": "application/json", "webhook-id": report.id, "webhook-timestamp": str(timestamp)}
        if self._secret is not None:
            heads["webhook-signature"] = signature(self._secret, report.id, timestamp, body)
        why = ""
        for pause in (*PAUSES, None):
            try:
                async with session.post(self._url, data=body, headers=heads, allow_redirects=False) as response:
                    if response.status < 300:
                        return
                    why = f"HTTP {response.status}"
                    if response.status == 410:
                        break  # the URL is gone for good
                    asked = response.headers.get("Retry-After", "")
            except (ClientError, TimeoutError) as error:
                why, asked = str(error) or type(error).__name__, ""
            if pause is not None:
                await asyncio.sleep(max(pause, float(asked) if asked.isdecimal() else 0))  # limits the rate of attempts
        self._complain(f"{report.id} is given up: {why}")


async def report_to(delivery: Delivery, server: str, token: str | None, notice: Callable[[str], None]) -> None:
    """Send reports to a URL until cancelled: about the games of a token's player, or without a token, about all public
    games. Raises `ConnectionFault`."""
    connection = Connection(server, token=token, name=None if token else "Webhook", notice=notice)
    async with connection, asyncio.TaskGroup() as tasks:
        notice(f"Reports {'your' if token else 'public'} games at {server}.")
        tasks.create_task(delivery.run())
        tasks.create_task(Reporter(connection, delivery.put, mine=token is not None).run())
