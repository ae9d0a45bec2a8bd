"""A worker from its supervisor's side: a process, and two pairs of sockets, for connections and for messages."""

import asyncio
import signal
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress

import structlog

from fourfold.server.clock import monotonic
from fourfold.server.workers.link import LONGEST, SUPERVISOR, VARIABLE, VITALS, FromWorker, Link

_log = structlog.get_logger(__name__)


class Process:
    """A worker's process, from `start` on."""

    def __init__(self, number: int, process: asyncio.subprocess.Process, channel: socket.socket) -> None:
        self.number = number
        self.process = process
        self.link: Link[FromWorker]
        self.began = monotonic()
        self.ready = asyncio.Event()
        self.ended = asyncio.Event()
        self.page: asyncio.Future[str] | None = None
        """The pending request for its metrics."""
        self._channel = channel
        self._refuses = False  # whether the log has reported that it takes no connections

    @classmethod
    async def start(cls, number: int, command: Sequence[str], environment: Mapping[str, str]) -> "Process":
        """Start a process, which then has to report that it is ready. Raises `OSError`."""
        ours, theirs = zip(socket.socketpair(), socket.socketpair(), strict=True)
        place = ":".join(map(str, (number, *(one.fileno() for one in theirs))))
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                env={**environment, VARIABLE: place, SUPERVISOR: VITALS},
                pass_fds=[one.fileno() for one in theirs],
                start_new_session=True,  # Ctrl-C is meant for the supervisor
            )
        except BaseException:
            for one in ours:
                one.close()
            raise
        finally:
            for one in theirs:
                one.close()
        channel, messages = ours
        channel.setblocking(False)
        started = cls(number, process, channel)
        reader, writer = await asyncio.open_unix_connection(sock=messages, limit=LONGEST)
        started.link = Link(reader, writer, FromWorker)
        return started

    @property
    def serves(self) -> bool:
        """Whether connections can be passed to it."""
        return self.ready.is_set() and not self.ended.is_set()

    def take(self, connection: socket.socket) -> bool:
        """Pass a connection on; returns whether that was possible."""
        try:
            socket.send_fds(self._channel, [b"."], [connection.fileno()])
        except ConnectionError:  # it has just died, and the supervisor logs that
            return False
        except OSError as error:
            if not self._refuses:
                _log.warning("a worker takes no connection", worker=self.number, error=str(error))
            self._refuses = True
            return False
        self._refuses = False
        return True

    def signal(self, what: signal.Signals) -> None:
        """Send a signal, if it is alive."""
        if not self.ended.is_set():
            with suppress(ProcessLookupError):
                self.process.send_signal(what)

    def close(self) -> None:
        """The process has ended."""
        self.ended.set()
        self.link.close()
        self._channel.close()
