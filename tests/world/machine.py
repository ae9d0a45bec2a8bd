"""Replaces the operating system while a world runs. Chance comes from its seed, time from its loop. Code that asks for
a thread, a socket or a process gets an error that names the caller.
"""

import asyncio
import gc
import hashlib
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

from redis import utils

from fourfold.engine.match import time_rules
from fourfold.server import process as server
from fourfold.server.rooms import vacancy
from fourfold.server.transport import static_files
from tests.faults import voting
from tests.world.loop import WorldLoop

OURS: Final = "fourfold.server"
"""The modules that may not read a clock, not even this one: they have a port for it."""


SOON: Final = 8_000
"""Milliseconds after which a game that everybody has left is adjourned, and then closed; and the length of a pause."""


class NotInTheWorld(Exception):
    """Something was asked of the machine that a world does not have."""


def _caller(depth: int = 2) -> tuple[str, int]:
    frame = sys._getframe(depth)
    return frame.f_globals.get("__name__", "?"), frame.f_lineno


def _refuse(what: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        module, line = _caller()
        raise NotInTheWorld(f"{module}:{line} asks for {what}")

    return refuse


def _clock(read: Callable[[], Any], what: str) -> Callable[[], Any]:
    def ask() -> Any:
        module, line = _caller()
        if module.startswith(OURS) and module != f"{OURS}.clock":
            raise NotInTheWorld(f"{module}:{line} reads {what}")
        return read()

    return ask


@cache
def _settle() -> None:
    """Exclude the objects before the first world from garbage collection, which runs after each world."""
    gc.collect()
    gc.freeze()


_version: Final = cache(utils.get_lib_version)
"""The version of redis-py, looked up once in a process, not for each connection."""

_pages: Final = cache(static_files.load)
"""The browser's files, compressed once in a process: to do that at each start of a node takes as long as its world."""


def _hash(password: bytes, *, salt: bytes, dklen: int, **_: int) -> bytes:
    """Replaces scrypt, which takes long on purpose."""
    return hashlib.pbkdf2_hmac("sha256", password, salt, 1, dklen)


@contextmanager
def replaced(loop: WorldLoop, seed: int) -> Iterator[None]:
    """Until the context ends, this process has the world's chance and time, and nothing else."""
    chance = random.Random(f"machine {seed}")
    state = random.getstate()
    collects = gc.isenabled()
    changes: list[tuple[Any, str, Any]] = [
        (os, "urandom", chance.randbytes),
        (random, "_urandom", chance.randbytes),  # `secrets` reads this one
        (time, "time", _clock(loop.date, "the date")),
        (time, "time_ns", _clock(lambda: int(loop.date() * 1e9), "the date")),
        (time, "monotonic", _clock(loop.time, "a clock")),
        (time, "monotonic_ns", _clock(lambda: int(loop.time() * 1e9), "a clock")),
        (time, "sleep", _refuse("a pause of the whole process")),
        (threading.Thread, "start", _refuse("a thread")),
        (subprocess, "Popen", _refuse("a process")),
        (asyncio, "create_subprocess_exec", _refuse("a process")),
        (socket, "socket", _refuse("a socket")),
        (socket, "socketpair", _refuse("sockets")),
        (socket, "getaddrinfo", _refuse("a name's address")),
        (server, "load", _pages),
        (hashlib, "scrypt", _hash),
        (utils, "get_lib_version", _version),
        *((vacancy, name, SOON) for name in ("ADJOURNED", "LONE", "SHARED")),
        (time_rules, "PAUSE_MS", SOON),
        (voting, "PAUSE", SOON),  # the checker's
    ]
    held = [(place, name, getattr(place, name)) for place, name, _ in changes]
    _settle()
    gc.disable()  # its time depends on the process, and so would its effects
    random.seed(seed)
    for place, name, instead in changes:
        setattr(place, name, instead)
    try:
        yield
    finally:
        for place, name, before in held:
            setattr(place, name, before)
        random.setstate(state)
        if collects:
            gc.enable()
