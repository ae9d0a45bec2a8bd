"""Asks a store once for its configuration and status, without changing anything or becoming one of its servers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from fourfold.server.clock import today
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.safety import OPTIONS

PATIENCE: Final = 5.0
"""Seconds within which the store must answer."""


class Survey(NamedTuple):
    """The store's answers: to INFO, to CONFIG GET (`forbidden`: why there is none), how many seconds its clock is ahead
    of this machine's, and the values of some keys."""

    info: Mapping[str, Any]
    config: Mapping[str, str]
    forbidden: str | None
    ahead: float
    values: Mapping[str, str | None]


async def survey(url: str, keys: Sequence[str]) -> Survey:
    """Ask the store at a URL for its status and for the values of some `keys`. Raises `LogUnavailable`."""
    client = Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, decode_responses=True)
    config, forbidden = dict[str, str](), None
    try:
        info: Mapping[str, Any] = await client.info()
        try:
            config |= {str(name): str(value) for name, value in (await client.config_get(*OPTIONS)).items()}
        except ResponseError as error:
            forbidden = str(error)
        seconds, micros = await client.time()
        found = {key: await client.get(key) for key in keys}
        values = {key: None if value is None else str(value) for key, value in found.items()}
        ahead = seconds + micros / 10**6 - today() / 1000
        return Survey(info, config, forbidden, ahead, values)
    except (RedisError, OSError) as error:
        raise LogUnavailable(str(error)) from error
    finally:
        await client.aclose()
