"""Connections in memory between the machines of a `WorldLoop`, with latency. Links inject worse faults: see
`tests.faults.link`.

Data arrives in order, but not always in the same pieces. If a reader pauses, or its machine is stopped, data piles up
at the sender. Data to a link arrives there at once: the way through a link is one way, not two.
"""

import asyncio
from collections import deque
from typing import Any, Final, TypeAlias

from tests.world.loop import Machine, WorldLoop

Address: TypeAlias = str | tuple[Any, int]

LATENCY: Final = 0.0004
"""Seconds that something is on its way at most, apart from the chance that it takes longer."""

LONGER: Final = 0.02
"""The chance that something takes up to fifty times as long."""

WINDOW: Final = 256 * 1024
"""Bytes that are on their way, or unread, before they wait at the sender."""

SPLIT: Final = 0.03
"""The chance that something arrives in two pieces."""


class Network:
    """All connections of a loop."""

    def __init__(self, loop: WorldLoop) -> None:
        self._loop = loop
        self.chance = loop.chance.random
        self._listening: dict[Address, Server] = {}
        self._ports = iter(range(20_000, 65_000))
        self._numbers = iter(range(1_000_000_000))
        loop.network = self

    def bind(self, host: str, port: int) -> list[Any]:
        """In place of sockets bound to an address (see `fourfold.server.transport.listeners`); port 0 is a free one."""
        return [_Socket((host, port or next(self._ports)))]

    def latency(self) -> float:
        """Seconds that something is on its way."""
        chance = self.chance
        late = chance() * LATENCY
        return late * (50 * chance()) if chance() < LONGER else late

    def listen(self, factory: Any, address: Address) -> "Server":
        """Accept connections at an address. Raises `OSError` if it is taken."""
        there = self._listening.get(address)
        if there is not None and there.open:
            raise OSError(f"{address} is taken")
        server = self._listening[address] = Server(factory, address, self._loop.current)
        return server

    async def connect(self, factory: Any, address: Address) -> tuple["End", Any]:
        """Connect from the current machine. Raises `ConnectionRefusedError`."""
        loop = self._loop
        await asyncio.sleep(self.latency())
        server = self._listening.get(address)
        if server is None or not server.open:
            raise ConnectionRefusedError(f"nobody listens at {address}")
        number = next(self._numbers)
        port = None if isinstance(address, str) else ("127.0.0.1", 1024 + number % 60_000)
        here = End(self, loop.current, {"peername": address, "sockname": port})
        there = End(self, server.machine, {"peername": port, "sockname": address})
        here.peer, there.peer = there, here
        protocol = here.protocol = factory()
        protocol.connection_made(here)
        loop.call_on(server.machine, loop.time() + self.latency(), there.accept, server)
        return here, protocol


class _Socket:
    def __init__(self, address: Any) -> None:
        self._address = address

    def getsockname(self) -> Any:
        return self._address


class Server:
    """Listens until it is closed, or its machine dies."""

    def __init__(self, factory: Any, address: Address, machine: Machine) -> None:
        self.factory = factory
        self.machine = machine
        self._closed = False
        self.sockets = [_Socket(address)]

    @property
    def open(self) -> bool:
        """Whether it accepts."""
        return not self._closed and not self.machine.dead

    def close(self) -> None:
        """Listen no more."""
        self._closed = True

    async def wait_closed(self) -> None:
        """It is."""


class End(asyncio.Transport):
    """One end of a connection."""

    peer: "End"

    def __init__(self, network: Network, machine: Machine, extra: dict[str, Any]) -> None:
        super().__init__(extra)
        self._network = network
        self._loop = network._loop
        self._chance = network.chance
        self.machine = machine
        self.protocol: Any = None
        self._inbox: deque[bytes | None] = deque()  # arrived data that is unread; None is the end
        self._paused = False
        self._due = 0.0  # the arrival time of the last data sent
        self._sent = 0  # bytes that the other end has not read
        self._flying = 0  # pieces on their way to the other end
        self._high, self._low = 64 * 1024, 16 * 1024
        self._full = False
        self._closing = False  # nothing is written or read any more
        self._ended = False  # nothing is written any more
        self._lost = False
        machine.ends[self] = None

    # -- the protocol's side --

    def accept(self, server: Server) -> None:
        """The server's end of a new connection."""
        if not server.open:
            self.abort()
            return
        self.protocol = server.factory()
        self.protocol.connection_made(self)
        self._read()

    def write(self, data: Any) -> None:
        if not data or self._ended or self._closing:
            return
        data = bytes(data)
        size, peer = len(data), self.peer
        self._sent += size
        if not self._flying and getattr(peer.protocol, "relays", False):
            self._flying = 1
            loop = self._loop
            before, loop.current = loop.current, peer.machine
            try:
                peer.arrive(data)
            finally:
                loop.current = before
        elif size > 1 and self._chance() < SPLIT:
            cut = 1 + int(self._chance() * (size - 1))
            self._carry(data[:cut])
            self._carry(data[cut:])
        else:
            self._carry(data)
        if self._sent - WINDOW > self._high and not self._full:
            self._full = True
            self.protocol.pause_writing()

    def _carry(self, data: bytes | None) -> None:
        loop, peer = self._loop, self.peer
        self._flying += 1
        self._due = due = max(self._due, loop.time() + self._network.latency())
        loop.call_on(peer.machine, due, peer.arrive, data)

    def arrive(self, data: bytes | None) -> None:
        """Something has come. An end that is gone answers by a reset."""
        self.peer._flying -= 1
        self._loop.got(self.machine, data or b"")
        if self._lost:
            if data is not None and not self.peer._lost and not self.machine.dead:
                loop, peer = self._loop, self.peer
                loop.call_on(peer.machine, loop.time() + self._network.latency(), peer.reset)
            return
        self._inbox.append(data)
        self._read()

    def _read(self) -> None:
        while self._inbox and not self._paused and self.protocol is not None:
            data = self._inbox.popleft()
            if data is not None:
                self.peer.taken(len(data))
                if not self._closing:
                    self.protocol.data_received(data)
            elif not self._closing and not self.protocol.eof_received():
                self.close()

    def taken(self, size: int) -> None:
        """The other end has read something."""
        self._sent -= size
        if self.machine.dead or not (self._full or self._closing):
            return
        size = self.get_write_buffer_size()
        if self._full and size <= self._low:
            self._full = False
            self._loop.on(self.machine, lambda: self._loop.call_soon(self._resume))
        if self._closing and not self._lost and size == 0:
            self._lose(None)

    def _resume(self) -> None:
        if not self._lost:
            self.protocol.resume_writing()

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        if self._paused:
            self._paused = False
            self._loop.call_soon(self._read)

    def is_reading(self) -> bool:
        return not self._paused and not self._closing

    def get_write_buffer_size(self) -> int:
        return max(0, self._sent - WINDOW)

    def get_write_buffer_limits(self) -> tuple[int, int]:
        return self._low, self._high

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._high = high if high is not None else 64 * 1024
        self._low = low if low is not None else self._high // 4

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        if not self._ended and not self._closing:
            self._ended = True
            self._carry(None)

    def is_closing(self) -> bool:
        return self._closing

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_protocol(self) -> Any:
        return self.protocol

    # -- its end --

    def close(self) -> None:
        if self._closing:
            return
        if not self._ended:
            self._ended = True
            self._carry(None)
        self._closing = True
        if self.get_write_buffer_size() == 0:
            self._lose(None)

    def abort(self) -> None:
        if not self._closing and not self._ended:
            self._ended = True
            self._carry(None)
        self._closing = True
        self._lose(None)

    def died(self) -> None:
        """Its machine is dead: the other end finds out, by an end or a reset."""
        if self._lost:
            return
        self._closing = self._ended = self._lost = True
        if self._chance() < 0.5:
            self._carry(None)
        else:
            loop, peer = self._loop, self.peer
            loop.call_on(peer.machine, loop.time() + self._network.latency(), peer.reset)

    def reset(self) -> None:
        """The other end is gone, with all data in flight."""
        self._inbox.clear()
        self._closing = True
        self._lose(ConnectionResetError("connection reset by peer"))

    def _lose(self, error: Exception | None) -> None:
        if not self._lost:
            self._lost = True
            self.machine.ends.pop(self, None)
            if self.protocol is not None:
                self._loop.on(self.machine, lambda: self._loop.call_soon(self.protocol.connection_lost, error))
