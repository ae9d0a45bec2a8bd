"""Ports on loopback for processes that must be told theirs, or keep it when they are started again."""

import random
import socket

_candidates = iter(random.SystemRandom().sample(range(11_000, 32_000), 21_000))
"""None of them twice, and all below the ports that a system gives to whoever asks for any (from 32768 on Linux, from
49152 elsewhere): else a connection made somewhere in the tests could take one between our look at it, or the death of
the process that had it, and the next start there."""


def free_port() -> int:
    """A port on which nobody listens, and which nobody else will be given."""
    for port in _candidates:
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise RuntimeError("every port from 11000 to 31999 has been given or is taken")
