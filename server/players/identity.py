"""Who a player is: a guest with a public id, proved by a token that only the server can sign.

The token is the id, the name (base64), and a keyed BLAKE2b of both, with dots between. Nothing is stored
for it; whoever holds the secret (every node, from the store) can check it.
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
"""How the ids begin of bots that this service has called; other bots' ids have one colon only."""


def key_of(secret: str) -> bytes:
    """The key that signs tokens, from a secret that whoever runs the server has set."""
    return hashlib.blake2b(secret.encode(), person=b"secret", digest_size=32).digest()


class BadToken(ValueError):
    """A token that this server did not sign."""


@dataclass(frozen=True, slots=True)
class Player:
    """An identity, as a connection holds it. `id` is public, `token` is the player's alone."""

    id: str
    name: str
    token: str = field(repr=False)


class Identities:
    """Makes guests and knows them again."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def greet(self, token: str | None, name: str | None, *, bot: bool = False) -> Player:
        """The player a token proves, or a new guest (or `bot`) where there is none.

        Shown under `name`, else under the name in the token, else under one made for him; the player's
        token holds what he is shown under. Raises `BadToken`.
        """
        if token is None:
            id, known = (_BOT if bot else "") + secrets.token_urlsafe(9), ""
        else:
            id, known = self._read(token)
        shown = clean_name(name or "") or known or f"{'Bot' if is_bot(id) else 'Guest'} {id[-4:]}"
        return Player(id, shown, self._sign(f"{id}.{_base64(shown.encode())}"))

    def house_bot(self, level: int, player: str | None = None) -> Player:
        """A bot that the service calls to a seat, new or (by its id) known: who gets the token plays as it."""
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
    """Whether an identity is a bot's: it said so when it was made, and cannot take that back."""
    return player.startswith(_BOT)


def level_of(player: str) -> int | None:
    """The level of a bot that the service has called; None for anybody else."""
    match = _HOUSE.match(player)
    return None if match is None else int(match[1])


def clean_name(name: str) -> str:
    """A name fit to be shown: normalised, one line of what can be seen, at most `MAX_NAME` long."""
    return shown(unicodedata.normalize("NFKC", name))[:MAX_NAME].strip()
