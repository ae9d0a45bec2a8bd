"""Limits on requests to the gateway by address. The gateway's own connections come from the server's machine, which the
server does not limit.

Limits count per IPv4 address or IPv6 /64, as on the server. Requests from this machine itself have no limits. Behind
`proxies` proxies of the operator, the address comes from X-Forwarded-For.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import Final, NamedTuple

from aiohttp import web

OWN: Final = ""
"""The address of this machine, which has no limits."""


class Quota(NamedTuple):
    """A rate limit: `burst` at once, then `rate` a second. `what` names it in refusals."""

    what: str
    rate: float
    burst: int


REQUESTS: Final = Quota("requests", 50, 200)
"""All requests except those of running games, which the server limits by token."""

LOOKUPS: Final = Quota("requests without a token", 2, 60)

TESTED: Final = Quota("tokens tested", 1000 / 60, 1000)
"""One request can test 1,000 tokens; another 1,000 are allowed within the next minute."""

TESTS: Final = Quota("tests", 50, 20)
"""The rate of token tests: each costs a connection to the server. Others wait."""

STRANGE: Final = Quota("tokens that are not good", 1 / 3, 60)
"""The rate of invalid tokens. Each costs a connection to the server, too. Programs stop when their token is refused."""

ARRIVAL: Final = 5
"""The cost of a token's first request, in requests: the server searches the player's games."""

OPEN: Final = 200
"""The most open requests of an address. A stream is open for as long as it lasts."""

WAITING: Final = 8
"""The most requests of an address that wait for the connection that all addresses share."""


class TooMany(Exception):
    """A refused request. It can be repeated after `wait` seconds."""

    def __init__(self, sentence: str, wait: float) -> None:
        self.wait = wait
        self.retry = max(1, ceil(wait))
        super().__init__(f"{sentence}; try again in {self.retry} s")


class Limits:
    """Counts requests by address. Times are the event loop's, in seconds."""

    def __init__(self, proxies: int = 0) -> None:
        self._proxies = proxies
        self._full: dict[tuple[Quota, str], float] = {}  # the time at which an address has its whole burst again
        self._open: Counter[str] = Counter()
        self._turns: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()

    def address(self, request: web.Request) -> str:
        """The address of a request; `OWN` for this machine."""
        return address(request.remote or "", request.headers.getall("X-Forwarded-For", ()), self._proxies)

    def spend(self, quota: Quota, address: str, cost: int = 1) -> None:
        """Count a request with a cost. Raises `TooMany` above the limit."""
        if address == OWN:
            return
        now = asyncio.get_running_loop().time()
        full = max(self._full.get((quota, address), now), now) + cost / quota.rate
        wait = full - now - quota.burst / quota.rate
        if wait > 1e-6:  # any remaining difference is a rounding error
            raise TooMany(f"Too many {quota.what} from your address", wait)
        self._forget(now)
        self._full[quota, address] = full

    def restore(self, quota: Quota, address: str) -> None:
        """Take back one count."""
        if (quota, address) in self._full:
            self._full[quota, address] -= 1 / quota.rate

    async def pace(self, quota: Quota, address: str) -> None:
        """Count a request as soon as the limit allows it."""
        while True:
            try:
                self.spend(quota, address)
            except TooMany as error:
                await asyncio.sleep(error.wait)
            else:
                return

    def _forget(self, now: float) -> None:
        """Forget some addresses that have their whole burst again: more than one for each new address."""
        for key in [key for key, _ in zip(self._full, range(2), strict=False)]:
            full = self._full.pop(key)
            if full > now:
                self._full[key] = full  # put it last: the next call looks at another

    @asynccontextmanager
    async def opened(self, address: str) -> AsyncIterator[None]:
        """Count a request while it is open. Raises `TooMany` above the limit."""
        if address != OWN and self._open[address] >= OPEN:
            raise TooMany(f"{OPEN} requests from your address are open", 10)
        self._open[address] += 1
        try:
            yield
        finally:
            _less(self._open, address)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Hold the address's turn. An address has one turn, however many requests it has, so each address waits for at
        most one request of every other. Raises `TooMany` if too many of its requests wait."""
        if address == OWN:
            yield
            return
        if self._waiting[address] > WAITING:
            raise TooMany(f"{WAITING} requests from your address wait for their turn", 1)
        self._waiting[address] += 1
        lock = self._turns.setdefault(address, asyncio.Lock())
        try:
            async with lock:
                yield
        finally:
            _less(self._waiting, address)
            if not self._waiting[address]:
                del self._turns[address]


def address(remote: str, forwarded: Sequence[str], proxies: int) -> str:
    """The address to count, from a connection's other end and its X-Forwarded-For headers. The header cannot claim to
    be this machine."""
    chain = [entry.strip() for line in forwarded for entry in line.split(",")]
    if not proxies or not chain:
        return _network(remote)
    told = chain[max(len(chain) - proxies, 0)]
    return _network(told) or f"told {told[:64]}"


def _network(text: str) -> str:
    try:
        found = ip_address(text)
    except ValueError:
        return text[:64]
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    if found.is_loopback:
        return OWN
    return str(IPv6Network((int(found) >> 64 << 64, 64))) if isinstance(found, IPv6Address) else str(found)


def _less(counts: Counter[str], address: str) -> None:
    counts[address] -= 1
    if not counts[address]:
        del counts[address]
