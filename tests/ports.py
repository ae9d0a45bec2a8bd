"""Ports on loopback for processes that need a fixed port, or keep it after a restart."""

import socket
import sys

_reserved: list[socket.socket] = []


def free_port() -> int:
    """A port that no other process gets while this one lives, but on which one of ours may listen.

    Linux assigns a port for 0 to which nothing is bound. While our socket is bound, no other listener or connection
    gets it. Our socket does not listen and allows sharing, so a server with SO_REUSEADDR, as all have, may bind it too.
    """
    reserved = socket.socket()
    reserved.bind(("127.0.0.1", 0))
    port: int = reserved.getsockname()[1]
    if sys.platform == "linux":
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _reserved.append(reserved)
    else:
        reserved.close()
    return port
