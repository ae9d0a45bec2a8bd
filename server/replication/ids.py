"""Room ids: their alphabet and their lengths. The length tells games and studies apart."""

import hashlib
import re
import secrets
from typing import Final

ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""The characters of ids, without those that look alike."""

STUDY: Final = 14
"""The length of a study id. No game id is that long. There are 31¹⁴ of them, too many to guess one."""

_STUDY: Final = re.compile(f"[{ALPHABET}]{{{STUDY}}}")


def is_study(id: str) -> bool:
    """Whether an id has the form of a study id."""
    return _STUDY.fullmatch(id) is not None


def random_number() -> int:
    """A number for a fresh id."""
    return secrets.randbits(128)


def number_of(player: str, key: str, secret: bytes, kind: bytes) -> int:
    """The number for a room or study that a player opens under a key. Every node that has the secret computes the same
    number; without the secret nobody can guess it."""
    digest = hashlib.blake2b(f"{player}\0{key}".encode(), key=secret, person=kind, digest_size=16)
    return int.from_bytes(digest.digest())


def id_of_length(number: int, length: int) -> str:
    """The id of `length` characters for a number. The number is much larger than the id space."""
    digits = []
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(digits)
