"""`fourfold-server`: everything wired by hand, started in order, stopped in the reverse."""

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from importlib.metadata import PackageNotFoundError, version

import structlog

from server.chat import Chat
from server.event_log import LogUnavailable
from server.gateway import Gateway
from server.identity import Identities
from server.passwords import Locksmith
from server.redis_log import RedisLog
from server.rooms import Rooms
from server.session import House, Session
from server.settings import Settings, read
from server.store import EmbeddedStore, StoreError
from server.web import Web

_log = structlog.get_logger(__name__)


def name() -> str:
    """What the server calls itself."""
    try:
        return f"fourfold {version('fourfold')}"
    except PackageNotFoundError:  # run from a checkout
        return "fourfold"


async def serve(settings: Settings, stop: asyncio.Event, announce: Callable[[str], None]) -> None:
    """Run until `stop` is set; `announce` the address once players can come.

    Raises `StoreError`, `LogUnavailable` or `OSError` if it cannot start.
    """
    async with AsyncExitStack() as stack:
        url = settings.redis_url
        if url is None:
            store = await EmbeddedStore.start(settings.data_dir)
            stack.push_async_callback(store.stop)
            url = store.url
        log = await RedisLog.open(url)
        stack.push_async_callback(log.close)
        rooms = Rooms(log, log.now, settings.retention)
        stack.push_async_callback(rooms.close)
        house = House(name(), rooms, Identities(await log.secret()), Locksmith(log.now), Chat(log.now), log.now)

        async def ready() -> str | None:
            if stop.is_set():
                return "the server is going away"
            try:
                await log.ping()
            except LogUnavailable as error:
                return str(error)
            return None

        gateway = Gateway(Web(ready), lambda socket, codec: Session(socket, codec, house))
        host, port = await gateway.open(settings.host, settings.port, settings.allowed_origins)
        announce(f"http://{f'[{host}]' if ':' in host else host}:{port}")
        await stop.wait()
        _log.info("draining", connections=len(gateway.sessions))
        await gateway.close()


def main() -> None:
    """The console script."""
    settings = read(sys.argv[1:])
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, settings.log_level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_run(settings))
    except (StoreError, LogUnavailable, OSError) as error:
        sys.exit(f"fourfold-server: {error}")


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop where it exists."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _run(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    gc.collect()
    gc.freeze()  # what is loaded now lives to the end and need not be looked at again
    await serve(settings, stop, lambda url: print(f"ready {url}", flush=True))


if __name__ == "__main__":
    main()
