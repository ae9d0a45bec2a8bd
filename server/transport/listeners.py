"""Listening sockets. They outlive a server that starts again in its process: until it accepts connections again, the
system queues them, so that no client and no proxy is refused."""

import errno
import os
import socket
from collections.abc import Iterator, Sequence
from typing import Final, Self

BACKLOG: Final = 1024
"""How many connections the system queues until they are accepted."""

VARIABLE: Final = "FOURFOLD_LISTENERS"
"""The host, the port and the file descriptors of the sockets that a server leaves to the one after it."""

_ABSENT: Final = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""Errors for an address that this machine does not have, such as `::1` without IPv6."""


def bind(host: str, port: int) -> list[socket.socket]:
    """Bind a socket to each address of a host that this machine has. Port 0 is any free one, the same for all.

    They do not listen yet. Raises `OSError` if an address is in use or invalid.
    """
    bound: list[socket.socket] = []
    absent: OSError | None = None
    for family, address in _addresses(host):
        try:
            bound.append(_bound(family, address, port))
        except OSError as error:
            if error.errno not in _ABSENT:
                _close(bound)
                raise
            absent = error
        else:
            port = bound[-1].getsockname()[1]
    if absent is not None and not bound:
        raise absent
    return bound


class Listeners:
    """The sockets of one server, and those that the server before it in this process has left."""

    def __init__(self, host: str = "", port: int = 0, sockets: Sequence[socket.socket] = ()) -> None:
        """`sockets` were left for an address."""
        self._address = host, port
        self._sockets = list(sockets)

    @classmethod
    def inherited(cls) -> Self:
        """Those that the server before has left, if there was one."""
        left = os.environ.pop(VARIABLE, None)
        if left is None:
            return cls()
        host, port, *descriptors = left.split(" ")
        sockets = [socket.socket(fileno=int(descriptor)) for descriptor in descriptors]
        for one in sockets:
            one.set_inheritable(False)
        return cls(host, int(port), sockets)

    def bind(self, host: str, port: int) -> list[socket.socket]:
        """As the function `bind`; sockets that were left for this address are used again. The caller closes what it
        gets, and the sockets stay open all the same."""
        if not self._sockets or self._address != (host, port):
            self.close()
            self._address, self._sockets = (host, port), bind(host, port)
        return [one.dup() for one in self._sockets]

    def leave(self) -> None:
        """Leave the sockets to the program that replaces this one in its process."""
        host, port = self._address
        for one in self._sockets:
            one.set_inheritable(True)
        os.environ[VARIABLE] = " ".join([host, str(port), *(str(one.fileno()) for one in self._sockets)])

    def close(self) -> None:
        """Close the sockets."""
        _close(self._sockets)
        self._sockets.clear()


def _bound(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    one = socket.socket(family, socket.SOCK_STREAM)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.setblocking(False)
        one.bind((address, port))
    except OSError as error:
        one.close()
        why = (error.strerror or str(error)).lower()
        raise OSError(error.errno, f"can't listen at {address}, port {port}: {why}") from error
    return one


def _close(sockets: Sequence[socket.socket]) -> None:
    for one in sockets:
        one.close()


def _addresses(host: str) -> Iterator[tuple[socket.AddressFamily, str]]:
    """The families and addresses of a host name, each once."""
    found = socket.getaddrinfo(host or None, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return iter(dict.fromkeys((family, str(address[0])) for family, _, _, _, address in found))
