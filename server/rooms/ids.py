"""The ids of rooms: their letters, and their lengths, by which games and studies are told apart."""

import hashlib
import re
import secrets
from typing import Final

ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""The letters of ids: none that are mistaken for one another."""

STUDY: Final = 14
"""How many letters the id of a study has. No game's id has so many, and there are 31¹⁴, too many to guess one."""

_STUDY: Final = re.compile(f"[{ALPHABET}]{{{STUDY}}}")


def is_study(id: str) -> bool:
    """Whether an id is that of a study, if of anything."""
    return _STUDY.fullmatch(id) is not None


def random_number() -> int:
    """A number for an id that no room has."""
    return secrets.randbits(128)


def number_of(player: str, key: str, secret: bytes, kind: bytes) -> int:
    """The number for what a player opens under a key, by its kind. Every node that has the secret computes it alike;
    nobody can guess it without."""
    digest = hashlib.blake2b(f"{player}\0{key}".encode(), key=secret, person=kind, digest_size=16)
    return int.from_bytes(digest.digest())


def id_of_length(number: int, length: int) -> str:
    """The id of so many letters that follows from a number, which is far larger than all ids need."""
    digits = []
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(digits)
