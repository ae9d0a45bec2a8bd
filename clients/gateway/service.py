"""The gateway as an HTTP service."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from aiohttp import web

from fourfold.clients.errors import ConnectionFault
from fourfold.clients.gateway import accounts, challenges, games
from fourfold.clients.gateway.limits import Limits
from fourfold.clients.gateway.player import Players
from fourfold.clients.gateway.requests import LIMITS, PLAYERS, refusing

ABOUT = """\
This is a gateway to the Fourfold server at {url}, for programs that speak the Bot or Board API of Lichess.
Give them this address, and an access token: `fourfold token bot NAME`, or `fourfold token play NAME`.
"""


LARGEST: Final = 256 * 1024
"""The largest body of a request, in bytes: a thousand long tokens."""


def application(url: str, proxies: int = 0) -> web.Application:
    """The gateway to the server at a URL. `proxies` is the number of proxies in front of the gateway."""
    app = web.Application(middlewares=[refusing], client_max_size=LARGEST)
    app[LIMITS] = Limits(proxies)

    async def about(_: web.Request) -> web.StreamResponse:
        return web.Response(text=ABOUT.format(url=url))

    async def players(app: web.Application) -> AsyncIterator[None]:
        app[PLAYERS] = Players(url)
        yield
        await app[PLAYERS].close()

    app.cleanup_ctx.append(players)
    app.add_routes([web.get("/", about), *accounts.ROUTES, *games.ROUTES, *challenges.ROUTES])
    return app


async def serve(url: str, host: str, port: int, proxies: int = 0) -> None:
    """Serve until cancelled, and print the address. `proxies` is the number of proxies in front of the gateway.

    Raises `ConnectionFault` if that address can't be listened at.
    """
    runner = web.AppRunner(application(url, proxies), access_log=None, handler_cancellation=True, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise ConnectionFault(f"The gateway cannot listen at {host}:{port}: {error.strerror}.") from error
        where, number, *_ = runner.addresses[0]
        print(f"ready http://{f'[{where}]' if ':' in where else where}:{number}", flush=True)
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
