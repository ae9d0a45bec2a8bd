"""Answers connections when no worker can take them: the server is stopping, or all its workers have died.

The answer says when to try again.
"""

import asyncio
import socket
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import structlog
from websockets.http11 import Request

from fourfold.server.limits.admission import AdmissionDenied
from fourfold.server.metrics import Metrics
from fourfold.server.supervision import Tasks
from fourfold.server.transport.bites import BiteQueue
from fourfold.server.transport.connection import Connection, WriteBatch
from fourfold.server.transport.gateway import FIRST_REQUEST
from fourfold.server.transport.http import GOING, LEAVING, Readiness, unavailable

_NO_WORKER: Final = AdmissionDenied(
    HTTPStatus.SERVICE_UNAVAILABLE, "no_worker", "No worker of this server accepts connections now. Try again.", retry=1
)
_NOT_READY: Final = Readiness("no worker takes connections")

_log = structlog.get_logger(__name__)


class TurningAway:
    """Answers from the first `take` to `close`. A `ConnectionListener`."""

    def __init__(self, stopping: Callable[[], bool]) -> None:
        """`stopping` returns whether the server is going away."""
        self.batch = WriteBatch()
        self.bites = BiteQueue()
        self.metrics = Metrics()
        self._stopping = stopping
        self._taking = Tasks()
        self._connections: set[Connection] = set()

    def take(self, accepted: socket.socket) -> None:
        """Answer the request on a connection. The caller closes its own copy of the socket."""
        self._taking.start(self._take(accepted.dup()))

    async def _take(self, accepted: socket.socket) -> None:
        try:
            accepted.setblocking(False)
            await asyncio.get_running_loop().connect_accepted_socket(lambda: Connection(self), accepted)
        except (OSError, RuntimeError) as error:  # the client is gone already; uvloop raises either error for it
            _log.debug("a connection was lost", error=str(error))
            accepted.close()

    async def close(self) -> None:
        """Cut all connections."""
        await asyncio.gather(*self._taking)
        for connection in self._connections:
            connection.hang_up()

    # -- connections: see `ConnectionListener` --

    def connected(self, connection: Connection) -> None:
        """Wait briefly for a request."""
        self._connections.add(connection)
        connection.expect(FIRST_REQUEST, connection.hang_up)

    def requested(self, connection: Connection, request: Request) -> None:
        """Answer a request, and close the connection."""
        why = (GOING, LEAVING) if self._stopping() else (_NO_WORKER, _NOT_READY)
        connection.answer(request, unavailable(request.path, *why), last=True)

    def disconnected(self, connection: Connection) -> None:
        """Drop a connection that has ended."""
        self._connections.discard(connection)
