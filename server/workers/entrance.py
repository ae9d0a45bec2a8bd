"""Accepts connections in the supervisor, and finds the room of each, so that it goes to the right worker.

A client names the room in the URL of its socket, `/ws?room=ID`. The entrance peeks at the request without consuming it.
The worker that takes the connection reads it from the start. So a wrong guess costs only speed.
"""

import asyncio
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import structlog

from fourfold.server.transport.listeners import BACKLOG

AT_ONCE: Final = 64
"""How many are accepted in one turn of the event loop."""

HEAD: Final = 1024
"""How many bytes of a request are peeked at."""

SILENT: Final = 1.0
"""Seconds after which a silent connection is passed on anyway. Its worker limits those."""

AGAIN: Final = 1.0
"""Seconds until connections are accepted again, after the system had no more files or memory."""

_ROOM: Final = re.compile(rb"GET /ws\?(?:[^ ]*&)?room=([0-9a-z]{1,32})[& ]")

_log = structlog.get_logger(__name__)

Route = Callable[[str | None, socket.socket], None]
"""Passes on a connection, with its room or None. The caller closes its own copy of the socket afterwards."""


def room_of(head: bytes) -> str | None:
    """The room named in the first bytes of a request; None if there is none."""
    found = _ROOM.match(head)
    return None if found is None else found[1].decode()


class Entrance:
    """Accepts connections at some bound sockets from `open` to `close`, which closes the sockets."""

    def __init__(self, listeners: Sequence[socket.socket], route: Route) -> None:
        self._route = route
        self._listeners = list(listeners)
        self._silent: dict[socket.socket, asyncio.TimerHandle] = {}

    @property
    def address(self) -> tuple[str, int]:
        """The first address that it is bound to."""
        host, port, *_ = self._listeners[0].getsockname()
        return host, port

    def open(self) -> None:
        """Start accepting connections. Raises `OSError` if another program has begun to listen at an address."""
        for listener in self._listeners:
            listener.listen(BACKLOG)
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def close(self) -> None:
        """Stop accepting. Connections without any data yet are cut."""
        for connection in list(self._silent):
            self._forget(connection)
            connection.close()
        for listener in self._listeners:
            with suppress(RuntimeError):  # without an event loop, it was never opened
                asyncio.get_running_loop().remove_reader(listener)
            listener.close()
        self._listeners.clear()

    def _accept(self, listener: socket.socket) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, _ = listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError as error:
                _log.error("no connection can be accepted", error=str(error), again_seconds=AGAIN)
                loop = asyncio.get_running_loop()
                loop.remove_reader(listener)
                loop.call_later(AGAIN, self._accept_again, listener)
                return
            connection.setblocking(False)
            self._look(connection)

    def _accept_again(self, listener: socket.socket) -> None:
        if listener in self._listeners:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _look(self, connection: socket.socket) -> None:
        """Pass a connection on, now or when its request has arrived."""
        try:
            self._pass_on(connection, connection.recv(HEAD, socket.MSG_PEEK))
        except BlockingIOError:
            loop = asyncio.get_running_loop()
            self._silent[connection] = loop.call_later(SILENT, self._speak, connection, b"")
            loop.add_reader(connection, self._speak, connection)
        except OSError:  # it is gone already
            connection.close()

    def _speak(self, connection: socket.socket, head: bytes | None = None) -> None:
        self._forget(connection)
        try:
            self._pass_on(connection, connection.recv(HEAD, socket.MSG_PEEK) if head is None else head)
        except OSError:
            connection.close()

    def _forget(self, connection: socket.socket) -> None:
        self._silent.pop(connection).cancel()
        asyncio.get_running_loop().remove_reader(connection)

    def _pass_on(self, connection: socket.socket, head: bytes) -> None:
        with connection:
            self._route(room_of(head), connection)
