"""One Redis or Valkey server as the log uses it: a client for requests, a pipeline for writes, and subscriptions."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlsplit

import redis
from redis.asyncio import Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from fourfold.server.storage.pipeline import SILENCE, Pipeline
from fourfold.server.storage.pubsub import Subscriptions
from fourfold.server.storage.trouble import TroubleReporter

_LIBRARY: Final[dict[str, Any]] = {"driver_info": redis.DriverInfo()} if hasattr(redis, "DriverInfo") else {}
"""The library's name and version, which each connection tells the store. Without this, each connection reads them from
the files of the package. Early versions of the library do not take it."""


class RedisNode:
    """Serves from `start` to `close`."""

    def __init__(
        self,
        url: str,
        refresh: Callable[[], Awaitable[None]],
        holder: Callable[[str], "RedisNode"],
        displaced: Callable[[], None],
        replicas: int = 0,
        local: int = 1,
    ) -> None:
        """`displaced` is called when a channel has moved to another node. For the rest see `Pipeline`."""
        self.url = url
        self.client = _client(url, timeout=SILENCE)
        self._connections = _client(url, timeout=None)  # creates connections, and holds none itself
        make = self._connections.connection_pool.make_connection
        self.trouble = TroubleReporter(without_password(url))
        self.subscriptions = Subscriptions(make(), displaced)  # type: ignore[no-untyped-call]
        self.pipeline = Pipeline(
            make(),  # type: ignore[no-untyped-call]
            self.client,
            self.subscriptions.confirmed,
            self.trouble,
            refresh,
            lambda key: holder(key).pipeline,
            replicas,
            local,
        )

    def start(self) -> None:
        """Start writing and listening."""
        self.subscriptions.start()
        self.pipeline.start()

    async def close(self) -> None:
        """Stop. Waiting writes fail."""
        await self.pipeline.close()
        await self.subscriptions.close()
        await self._connections.aclose()
        await self.client.aclose()


def check_url(url: str) -> None:
    """Check that a URL names a store. Raises `ValueError`."""
    parts = urlsplit(url)
    parse_url(url)
    if parts.scheme != "unix" and not re.fullmatch("/?[0-9]*", parts.path):
        raise ValueError("the database must be a number")


def database(url: str) -> int:
    """The number of the database that a URL names."""
    number: int = parse_url(url).get("db", 0)
    return number


def without_password(url: str) -> str:
    """A URL without its password, for display."""
    parts = urlsplit(url)
    return url if parts.password is None else url.replace(f":{parts.password}@", ":***@", 1)


def _client(url: str, timeout: float | None) -> Redis:
    return Redis.from_url(
        url,
        socket_timeout=timeout,
        socket_connect_timeout=2.0,
        health_check_interval=0,
        retry=Retry(NoBackoff(), 0),  # we retry ourselves: a retry must read the log, not just repeat the command
        **_LIBRARY,
    )
