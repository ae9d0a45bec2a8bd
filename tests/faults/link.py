"""A TCP link that can be cut, held, slowed, or made to lose data. It does not interpret the bytes.

A client of a link's port is connected to its target at that moment. Data sent before a side hung up are still
delivered, however long they were held. So a command may reach a store long after its writer has given up on it.
"""

import asyncio
from collections.abc import Callable
from typing import Literal, Self, TypeAlias, cast

Address: TypeAlias = str | tuple[str, int] | None
"""A unix socket's path, or a host and port; None for nowhere."""

Way: TypeAlias = Literal["to", "from"]
"""The direction: to the target, or from it."""


class Link:
    """Open from `start` to `close`. The two directions are held and robbed separately."""

    def __init__(self, target: Callable[[], Address]) -> None:
        self._target = target
        self._held: set[Way] = set()
        self._robbed: set[Way] = set()
        self._delay = 0.0
        self._cut = False
        self._calls: dict[_Call, None] = {}  # in the order in which they came
        self._server: asyncio.Server
        self.port = 0

    async def start(self) -> Self:
        """Listen on a free port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Side(_Call(self), "to"), "127.0.0.1", 0, backlog=64)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def close(self) -> None:
        """Close every connection, and stop listening."""
        self.break_off()
        self._server.close()
        await self._server.wait_closed()

    def break_off(self) -> None:
        """End every connection at once, as a crash does; new ones are accepted."""
        for call in list(self._calls):
            call.abort()

    def cut(self) -> None:
        """End every connection, and refuse new ones until `heal`."""
        self._cut = True
        self.break_off()

    def hold(self, *ways: Way) -> None:
        """Deliver nothing, but lose nothing either, until `heal`."""
        self._held |= set(ways)

    def rob(self, *ways: Way) -> None:
        """Lose all data, until `heal` ends the connections that have lost some."""
        self._robbed |= set(ways)

    def slow(self, seconds: float) -> None:
        """Deliver everything with this delay."""
        self._delay = seconds

    def heal(self) -> None:
        """End all faults; held data are delivered now."""
        self._cut = False
        self._delay = 0.0
        self._held.clear()
        self._robbed.clear()
        for call in list(self._calls):
            call.heal()

    def holds(self, way: Way) -> bool:
        """Whether nothing is delivered in this direction."""
        return way in self._held

    def robs(self, way: Way) -> bool:
        """Whether data in this direction are lost."""
        return way in self._robbed


class _Call:
    """One connection over a link: its two ends, and the data on their way to each."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.robbed = False
        self.waiting: dict[Way, list[tuple[float, bytes | None]]] = {"to": [], "from": []}
        self.ends: dict[Way, asyncio.Transport] = {}  # by direction
        self._dialling: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()

    def accepted(self, transport: asyncio.Transport) -> None:
        """A client has connected."""
        self.ends["from"] = transport
        if self.link._cut:
            transport.abort()
            return
        self.link._calls[self] = None
        self._dialling = self._loop.create_task(self._dial())

    async def _dial(self) -> None:
        address = self.link._target()
        try:
            if address is None:
                raise ConnectionRefusedError
            if isinstance(address, str):
                await self._loop.create_unix_connection(lambda: _Side(self, "from"), address)
            else:
                await self._loop.create_connection(lambda: _Side(self, "from"), *address)
        except OSError:
            self.abort()

    def reached(self, transport: asyncio.Transport) -> None:
        """The target has answered."""
        self.ends["to"] = transport
        if self not in self.link._calls:
            transport.abort()
            return
        self.deliver("to")

    def send(self, way: Way, data: bytes | None) -> None:
        """Pass on data in their turn; None is the end of the stream."""
        if self.link.robs(way):
            self.robbed = True
            return
        link, end = self.link, self.ends.get(way)
        free = not (self.waiting[way] or link._held or link._delay)
        if free and data is not None and end is not None and not end.is_closing():
            end.write(data)
            return
        self.waiting[way].append((self._loop.time() + link._delay, data))
        self.deliver(way)

    def deliver(self, way: Way) -> None:
        """Pass on the data that may be passed on now."""
        queue, end = self.waiting[way], self.ends.get(way)
        now = self._loop.time()
        while queue and end is not None and not self.link.holds(way):
            due, data = queue[0]
            if due > now and self.link._delay:
                self._loop.call_at(due, self.deliver, way)
                return
            queue.pop(0)
            if data is not None and not end.is_closing():
                end.write(data)
            else:
                end.close()
                queue.clear()
                self.link._calls.pop(self, None)

    def heal(self) -> None:
        """Deliver held data. A connection that has lost data must be replaced."""
        if self.robbed:
            self.abort()
        for way in self.waiting:
            self.deliver(way)

    def abort(self) -> None:
        """End both sides at once, without a close."""
        self.link._calls.pop(self, None)
        for queue in self.waiting.values():
            queue.clear()
        for end in self.ends.values():
            end.abort()


class _Side(asyncio.Protocol):
    """One end of a call; its data go the `way` to the other end."""

    relays = True
    """Whether it only passes data on."""

    def __init__(self, call: _Call, way: Way) -> None:
        self._call = call
        self._way: Way = way

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        take = self._call.accepted if self._way == "to" else self._call.reached
        take(cast(asyncio.Transport, transport))

    def data_received(self, data: bytes) -> None:
        self._call.send(self._way, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._call.send(self._way, None)
