"""Player identities: a guest has a public id, and proves it by a token that only this service can sign.

A token is the id, the name (base64), and a keyed BLAKE2b of both, with dots between. Nothing is stored: every server
that has the secret can check it.
"""

import base64
import hashlib
import hmac
import re
import secrets
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from fourfold.server.players.sanitize import shown

MAX_NAME: Final = 24
"""How many characters of a name are kept."""


_BOT: Final = "bot:"

_HOUSE: Final = re.compile(r"bot:level([1-5]):")
"""The prefix of the ids of bots that this service has called; the ids of other bots have one colon only."""


def key_of(secret: str) -> bytes:
    """The key that signs tokens, from the setting `SECRET`."""
    return hashlib.blake2b(secret.encode(), person=b"secret", digest_size=32).digest()


class BadToken(ValueError):
    """A token was not signed by this service."""


@dataclass(frozen=True, slots=True)
class Player:
    """An identity. `id` is public; `token` is known to the player alone."""

    id: str
    name: str
    token: str = field(repr=False)


class Identities:
    """Makes guests, and identifies them by their tokens."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def greet(self, token: str | None, name: str | None, *, bot: bool = False) -> Player:
        """The player that a token proves; without a token a new guest, or a new bot if `bot`.

        The player's name is `name`, else the one in the token, else a generated one. The returned token holds it.
        Raises `BadToken`.
        """
        if token is None:
            id, known = (_BOT if bot else "") + secrets.token_urlsafe(9), ""
        else:
            id, known = self._read(token)
        shown = clean_name(name or "") or known or f"{'Bot' if is_bot(id) else 'Guest'} {id[-4:]}"
        return Player(id, shown, self._sign(f"{id}.{_base64(shown.encode())}"))

    def house_bot(self, level: int, player: str | None = None) -> Player:
        """A bot that this service calls to a seat: a new one, or the `player` of that id."""
        id = player or f"{_BOT}level{level}:{secrets.token_urlsafe(9)}"
        name = f"Level {level}"
        return Player(id, name, self._sign(f"{id}.{_base64(name.encode())}"))

    def _read(self, token: str) -> tuple[str, str]:
        signed = token.rpartition(".")[0]
        if not hmac.compare_digest(token.encode(), self._sign(signed).encode()):
            raise BadToken("This token was not given out by this server; say hello without one to be a new guest.")
        id, _, name = signed.partition(".")
        return id, base64.urlsafe_b64decode(name).decode()

    def _sign(self, text: str) -> str:
        """The text with its signature."""
        return f"{text}.{_base64(hashlib.blake2b(text.encode(), key=self._secret, digest_size=18).digest())}"


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode()


def is_bot(player: str) -> bool:
    """Whether a player is a bot. That is said in the first `hello`, and part of the id."""
    return player.startswith(_BOT)


def level_of(player: str) -> int | None:
    """The level of a bot that this service has called; None for all other players."""
    match = _HOUSE.match(player)
    return None if match is None else int(match[1])


def clean_name(name: str) -> str:
    """A name as it may be shown: normalised, visible characters on one line, at most `MAX_NAME` of them."""
    return shown(unicodedata.normalize("NFKC", name))[:MAX_NAME].strip()
