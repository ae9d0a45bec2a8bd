"""Ports on loopback for processes that must be told theirs, or keep it when they are started again."""

import socket
import sys

_reserved: list[socket.socket] = []


def free_port() -> int:
    """A port that no other process is given while this one lives, but on which one of ours may listen.

    Linux gives a port for 0 that nothing is bound to, and neither listeners nor connections get it while our socket is
    bound. Since that one does not listen and allows it, a server with SO_REUSEADDR, as all have, may bind it too.
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
