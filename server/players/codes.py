"""Codes that people write down: random, and readable in any spelling."""

import base64
import hashlib
import secrets
from typing import Final

SIZE: Final = 15
"""How many random bytes a code has. Nobody can guess it, so its digest needs no salt."""

MISREAD: Final = str.maketrans("018", "olb")
"""Digits that codes do not contain, and the letters they are read as."""


def new_code() -> str:
    """A new code, such as `p7gm-ao7z-irp3-lcka-ghyv-4k2q`."""
    return code_of(secrets.token_bytes(SIZE))


def code_of(data: bytes) -> str:
    """The code of `SIZE` bytes."""
    letters = base64.b32encode(data).decode().lower()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def letters_of(code: str) -> str:
    """The letters of a code, in any spelling."""
    return "".join(char for char in code.lower() if char.isalnum()).translate(MISREAD)


def digest(code: str) -> bytes:
    """The digest of a recovery code, in any spelling."""
    return hashlib.blake2b(letters_of(code).encode(), person=b"recovery", digest_size=32).digest()
