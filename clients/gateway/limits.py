"""How much an address may ask of the gateway: the gateway's own connections come from the server's machine, which the
server does not limit.

An address is one IPv4 address or one IPv6 network of 64 bits, as for the server. Requests from this machine itself
count for nobody; behind the operator's proxies, `proxies` of them, X-Forwarded-For says where a request comes from.
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
    """`burst` at once, after that `rate` a second; `what` names it in the refusal."""

    what: str
    rate: float
    burst: int


REQUESTS: Final = Quota("requests", 50, 200)
"""All requests but those of a game that is played: the server paces these by their token."""

LOOKUPS: Final = Quota("requests without a token", 2, 60)

TESTED: Final = Quota("tokens tested", 1000 / 60, 1000)
"""One request may test 1,000 tokens; 1,000 more may be tested within the next minute."""

TESTS: Final = Quota("tests", 50, 20)
"""How fast they are tested: each costs a connection to the server. The others wait."""

STRANGE: Final = Quota("tokens that are not good", 1 / 3, 60)
"""Each costs a connection to the server, too. Programs stop when their token is refused."""

ARRIVAL: Final = 5
"""How many requests the first one of a token counts as: the server looks for the player's games."""

OPEN: Final = 200
"""How many requests of an address may be open at a time; a stream is open for as long as it lasts."""

WAITING: Final = 8
"""How many requests of an address may wait for their turn at what all addresses share."""


class TooMany(Exception):
    """A request is refused; it may be sent again in `wait` seconds."""

    def __init__(self, sentence: str, wait: float) -> None:
        self.wait = wait
        self.retry = max(1, ceil(wait))
        super().__init__(f"{sentence}; try again in {self.retry} s")


class Limits:
    """Counts what addresses ask. Times are the event loop's, in seconds."""

    def __init__(self, proxies: int = 0) -> None:
        self._proxies = proxies
        self._full: dict[tuple[Quota, str], float] = {}  # when an address has its whole burst again
        self._open: Counter[str] = Counter()
        self._turns: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()

    def address(self, request: web.Request) -> str:
        """The address that a request comes from; `OWN` for this machine."""
        return address(request.remote or "", request.headers.getall("X-Forwarded-For", ()), self._proxies)

    def spend(self, quota: Quota, address: str, cost: int = 1) -> None:
        """Count what an address does `cost` times. Raises `TooMany` if it has done it too often."""
        if address == OWN:
            return
        now = asyncio.get_running_loop().time()
        full = max(self._full.get((quota, address), now), now) + cost / quota.rate
        wait = full - now - quota.burst / quota.rate
        if wait > 1e-6:  # else it is an error of rounding
            raise TooMany(f"Too many {quota.what} from your address", wait)
        self._forget(now)
        self._full[quota, address] = full

    def restore(self, quota: Quota, address: str) -> None:
        """Discount what was counted once."""
        if (quota, address) in self._full:
            self._full[quota, address] -= 1 / quota.rate

    async def pace(self, quota: Quota, address: str) -> None:
        """Count what an address does, once it may do it."""
        while True:
            try:
                self.spend(quota, address)
            except TooMany as error:
                await asyncio.sleep(error.wait)
            else:
                return

    def _forget(self, now: float) -> None:
        """Forget some of those that have their whole burst again: more than one is added at a time."""
        for key in [key for key, _ in zip(self._full, range(2), strict=False)]:
            full = self._full.pop(key)
            if full > now:
                self._full[key] = full  # as the last: another is looked at next time

    @asynccontextmanager
    async def opened(self, address: str) -> AsyncIterator[None]:
        """Count a request while it is open. Raises `TooMany` if too many are."""
        if address != OWN and self._open[address] >= OPEN:
            raise TooMany(f"{OPEN} requests from your address are open", 10)
        self._open[address] += 1
        try:
            yield
        finally:
            _less(self._open, address)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Hold the turn of an address: it has one, however many requests, and so no address waits for more than one
        request of each other. Raises `TooMany` if too many wait."""
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
    """What counts as one address, of a connection's other end and its X-Forwarded-For headers. A proxy's word that a
    client is this machine is not taken."""
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
