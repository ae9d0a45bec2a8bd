"""The worker's side: it serves the connections that its supervisor passes to it, and reports the rooms it holds."""

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Final, Self

import structlog

from fourfold.server.metrics import merged
from fourfold.server.supervision import Tasks, end, supervise
from fourfold.server.vitals import History, Reading
from fourfold.server.workers import link

AT_ONCE: Final = 64
"""How many connections are taken in one turn of the event loop."""

PATIENCE: Final = 2.0
"""Seconds for which a worker waits for the metrics or the vital signs of the others."""

_log = structlog.get_logger(__name__)


class Worker:
    """This process as one of several. It is connected to its supervisor from `open` to `close`."""

    def __init__(self, number: str, connections: int, messages: int, *, gathers: bool) -> None:
        """Takes the file descriptors of two sockets: see `link.VARIABLE`. `gathers` says whether the supervisor keeps
        the vital signs of all workers."""
        self.number = number
        self._gathers = gathers
        self._channel = socket.socket(fileno=connections)
        self._messages = socket.socket(fileno=messages)
        self._link: link.Link[link.FromSupervisor]
        self._page: Callable[[], str]
        self._listening: asyncio.Task[None]
        self._pages: asyncio.Future[dict[str, str]] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._history: asyncio.Future[History] | None = None
        self._one_history_at_a_time = asyncio.Lock()

    @classmethod
    def inherited(cls) -> Self | None:
        """The worker that this process inherits from a supervisor; None without one."""
        place, known = os.environ.pop(link.VARIABLE, None), os.environ.pop(link.SUPERVISOR, None)
        if place is None:
            return None
        number, connections, messages = place.split(":")
        return cls(number, int(connections), int(messages), gathers=known == link.VITALS)

    async def open(self, page: Callable[[], str], begin: Callable[[], None], alone: Callable[[], None]) -> None:
        """Connect. `page` returns this worker's metrics. `begin` is called when players can connect to the server, and
        `alone` when the supervisor is gone."""
        reader, writer = await asyncio.open_unix_connection(sock=self._messages, limit=link.LONGEST)
        self._page = page
        self._link = link.Link(reader, writer, link.FromSupervisor)
        self._listening = supervise("supervisor", lambda: self._listen(begin, alone))

    def ready(self) -> None:
        """Report that this worker is ready for connections."""
        self._link.send(link.Ready())

    def tell_code(self, code: str) -> None:
        """Send the code that makes an account the first admin."""
        self._link.send(link.AdminCode(code))

    async def close(self) -> None:
        """Stop sending and receiving."""
        await end([self._listening])
        self._link.close()
        self._channel.close()

    def holds(self, room: str, held: bool) -> None:
        """Report that this worker holds a room from now on, or no longer. Its connections should come here."""
        self._link.send(link.Holds(room, held))

    def accept(self, make: Callable[[], asyncio.Protocol]) -> "PassedConnections":
        """Take the connections passed to this worker. `make` creates a protocol for each."""
        return PassedConnections(self._channel, make)

    async def pages(self) -> str:
        """The metrics of all workers that answer in time; only those of this one if the supervisor does not."""
        async with self._one_at_a_time:
            self._pages = asyncio.get_running_loop().create_future()
            self._link.send(link.AskPages())
            try:
                return merged(await asyncio.wait_for(self._pages, PATIENCE))
            except TimeoutError:
                return merged({self.number: self._page()})
            finally:
                self._pages = None

    def tell(self, reading: Reading) -> None:
        """Add a reading of this worker to the history of all."""
        if self._gathers:
            self._link.send(link.Vital(reading))

    async def history(self, since: int) -> History | None:
        """The vital signs of all workers after a time (ms since 1970); None if the supervisor does not answer in time,
        or is too old to keep them."""
        if not self._gathers:
            return None
        async with self._one_history_at_a_time:
            self._history = asyncio.get_running_loop().create_future()
            self._link.send(link.AskHistory(since))
            try:
                return await asyncio.wait_for(self._history, PATIENCE)
            except TimeoutError:
                return None
            finally:
                self._history = None

    async def _listen(self, begin: Callable[[], None], alone: Callable[[], None]) -> None:
        async for message in self._link:
            match message:
                case link.Begin():
                    begin()
                case link.AskPage():
                    self._link.send(link.Page(self._page()))
                case link.Pages(by_worker) if self._pages is not None and not self._pages.done():
                    self._pages.set_result(by_worker)
                case link.Kept(history) if self._history is not None and not self._history.done():
                    self._history.set_result(history)
        _log.warning("the supervisor is gone", worker=self.number)
        alone()


class PassedConnections:
    """Takes connections from a channel until it is closed, as an `asyncio.Server` takes them from a port."""

    def __init__(self, channel: socket.socket, make: Callable[[], asyncio.Protocol]) -> None:
        self._channel = channel
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._tasks = Tasks()
        channel.setblocking(False)
        self._loop.add_reader(channel, self._receive)

    def close(self) -> None:
        """Take no more."""
        self._loop.remove_reader(self._channel)

    async def wait_closed(self) -> None:
        """Wait until the received connections belong to the event loop."""
        await asyncio.gather(*self._tasks)

    def _receive(self) -> None:
        for _ in range(AT_ONCE):
            try:
                sign, files, _, _ = socket.recv_fds(self._channel, 1, 1)
            except BlockingIOError:
                return
            except OSError as error:  # for example, no more file descriptors
                _log.error("a connection was not taken", error=str(error))
                return
            if not sign:  # the supervisor is gone; the message channel reports that
                self.close()
            for file in files:
                self._tasks.start(self._take(socket.socket(fileno=file)))
            if not sign:
                return

    async def _take(self, connection: socket.socket) -> None:
        try:
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(self._make, connection)
        except (OSError, RuntimeError) as error:  # the client is gone already; uvloop raises either error for it
            _log.debug("a connection was lost", error=str(error))
            connection.close()
