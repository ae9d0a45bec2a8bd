"""Room passwords: how they are stored, checked, and protected from guessing.

Only a salted scrypt hash (RFC 7914) is stored, as `scrypt$LOG2_N$R$P$SALT$HASH`. Hashing takes tens of milliseconds on
purpose, so it runs in a thread, a few at a time. Wrong guesses are counted for each address and for each room.
"""

import asyncio
import base64
import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Hashable
from typing import Final

from fourfold.server.clock import Clock
from fourfold.server.limits.rate import SlidingWindow
from fourfold.server.limits.refused import RequestRefused, too_fast

_LOG2_N, _R, _P = 14, 8, 1
"""The cost of scrypt: 16 MiB and about 40 ms per guess."""

AT_ONCE: Final = 2
"""How many passwords this process hashes at the same time. This bounds memory and processor time."""

GUESSES_AT_ROOM: Final = (5, 60_000)
"""Wrong guesses of one address at one room: how many, in how many milliseconds."""

GUESSES: Final = (20, 60_000)
"""The same, at all rooms together."""

GUESSED_AT: Final = (100, 60_000)
"""Wrong guesses at one room from all addresses together. Players and the host need no password, so this can't lock them
out."""


def _hash(password: str, salt: bytes, log2_n: int, r: int, p: int) -> bytes:
    plain = unicodedata.normalize("NFC", password).encode()
    return hashlib.scrypt(plain, salt=salt, n=2**log2_n, r=r, p=p, maxmem=2**28, dklen=32)


def make(password: str) -> str:
    """The hash to store for a password."""
    salt = secrets.token_bytes(16)
    digest = _hash(password, salt, _LOG2_N, _R, _P)
    return f"scrypt${_LOG2_N}${_R}${_P}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def opens(password: str, lock: str) -> bool:
    """Whether a password matches the hash `lock`."""
    _, log2_n, r, p, salt, digest = lock.split("$")
    hashed = _hash(password, base64.b64decode(salt), int(log2_n), int(r), int(p))
    return hmac.compare_digest(hashed, base64.b64decode(digest))


class PasswordVault:
    """Hashes and checks passwords, off the event loop."""

    def __init__(self, clock: Clock) -> None:
        self._hashing = asyncio.Semaphore(AT_ONCE)
        self._windows = (
            (SlidingWindow(*GUESSES_AT_ROOM, clock), lambda room, address: (room, address)),
            (SlidingWindow(*GUESSES, clock), lambda room, address: address),
            (SlidingWindow(*GUESSED_AT, clock), lambda room, address: room),
        )

    async def make(self, password: str) -> str:
        """The hash to store for a password."""
        async with self._hashing:
            return await asyncio.to_thread(make, password)

    async def unlock(self, room: str, lock: str, password: str, address: str) -> None:
        """Check a room's password. Raises `RequestRefused`: `wrong_password`, or `too_fast` without checking."""
        keyed: list[tuple[SlidingWindow, Hashable]] = [(window, key(room, address)) for window, key in self._windows]
        wait = max(window.wait(key) for window, key in keyed)
        if wait:
            raise too_fast("Too many wrong passwords", wait)
        for window, key in keyed:  # counted before the check, so that simultaneous guesses count too
            window.count(key)
        async with self._hashing:
            right = await asyncio.to_thread(opens, password, lock)
        if not right:
            raise RequestRefused("wrong_password", "Wrong password for this room.")
        for window, key in keyed:
            window.forgive(key)
