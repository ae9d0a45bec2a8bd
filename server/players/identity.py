"""Player identities: each has a public id, and is proved by a token that only this service can sign.

A guest's token is the id, the name (base64), and a keyed BLAKE2b of both, with dots between. That of an account has,
before the signature, the session that it was given to, and until when it is good. No token is stored: every server that
has the secret can check it, and `members` knows which are void.
"""

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import Final

from fourfold.server.players.members import NOBODY, Roll
from fourfold.server.players.names import clean_name, is_level, is_staff, marked_name
from fourfold.server.ratings.levels import level_name, level_of

DAY: Final = 86_400_000
"""Milliseconds."""

LIFE: Final = 90 * DAY
"""For how many milliseconds a token of an account is good."""

RENEWED: Final = DAY
"""After how many milliseconds of its life a token is replaced by a new one, when it is used."""

LASTING: Final = 3650 * DAY
"""For how many milliseconds an access token is good."""

_SCOPED: Final = "~"
"""What separates the scope of an access token from the rest of its session."""

_BOT: Final = "bot:"

_ID: Final = re.compile(rf"({_BOT}(level\d:)?)?[\w-]{{12}}", re.ASCII)


def key_of(secret: str) -> bytes:
    """The key that signs tokens, from the setting `SECRET`."""
    return hashlib.blake2b(secret.encode(), person=b"secret", digest_size=32).digest()


class BadToken(ValueError):
    """A token was not signed by this service, or is no longer good."""


@dataclass(frozen=True, slots=True)
class Player:
    """An identity. `id` is public; `token` is known to the player alone. `session` is what the token was given to: of
    a guest, who has but one, the id."""

    id: str
    name: str
    token: str = field(repr=False)
    session: str

    @property
    def scope(self) -> str:
        """What an access token may be used for; empty for a device and for a guest, who may do all that they may."""
        return scope_of(self.session)


class Identities:
    """Makes guests, and identifies players by their tokens."""

    def __init__(self, secret: bytes, roll: Roll = NOBODY) -> None:
        """`roll` knows the accounts."""
        self.roll = roll
        """Knows the accounts."""
        self._secret = secret

    def greet(self, token: str | None, name: str | None, *, bot: bool = False, now: int = 0) -> Player:
        """The player that a token proves; without a token a new guest, or a new bot if `bot`.

        The name of a guest, or of a bot without an account, is `name`, else the one in the token, else a generated one;
        one that would pass for another's is marked. Only bots that the service has called are named after levels. The
        name of an account is its own. The returned token holds the name. `now` is in milliseconds since 1970. Raises
        `BadToken`.
        """
        if token is None:
            id, known = new_bot() if bot else _new_guest(), ""
        else:
            id, known, *rest = self._read(token)
            if rest:
                return self._member(id, known, rest[0], int(rest[1]), token, now)
            if self.roll.knows(id):
                raise BadToken("This player has an account now, and another token; sign in to it.")
        shown = clean_name(name or "") or known or f"{'Bot' if is_bot(id) else 'Guest'} {id[-4:]}"
        if level_of(id) is None and (is_level(shown) or is_staff(shown) or self.roll.is_taken(shown)):
            shown = marked_name(shown, bot=is_bot(id))
        return Player(id, shown, self._sign(f"{id}.{_base64(shown.encode())}"), id)

    def _member(self, id: str, name: str, session: str, until: int, token: str, now: int) -> Player:
        if until < now:
            raise BadToken("This token has expired; sign in again.")
        if self.roll.is_void(session) or self.roll.is_closed(id):
            raise BadToken("This device was signed out; sign in again.")
        known = self.roll.name(id) or name
        if known == name and until - now > life_of(session) - RENEWED:
            return Player(id, name, token, session)
        return self.member(id, known, session, now)

    def member(self, id: str, name: str, session: str, now: int) -> Player:
        """An account, with a new token for one of its sessions."""
        until = now + life_of(session)
        return Player(id, name, self._sign(f"{id}.{_base64(name.encode())}.{session}.{until}"), session)

    def house_bot(self, level: int, player: str | None = None) -> Player:
        """A bot that this service calls to a seat: a new one, or the `player` of that id."""
        id = player or f"{_BOT}level{level}:{secrets.token_urlsafe(9)}"
        name = level_name(level)
        return Player(id, name, self._sign(f"{id}.{_base64(name.encode())}"), id)

    def _read(self, token: str) -> list[str]:
        """The parts of a token: the id, the name, and of an account the session and until when it is good."""
        signed = token.rpartition(".")[0]
        if not hmac.compare_digest(token.encode(), self._sign(signed).encode()):
            raise BadToken("This token was not given out by this server; say hello without one to be a new guest.")
        id, name, *rest = signed.split(".")
        return [id, base64.urlsafe_b64decode(name).decode(), *rest]

    def _sign(self, text: str) -> str:
        """The text with its signature."""
        return f"{text}.{_base64(hashlib.blake2b(text.encode(), key=self._secret, digest_size=18).digest())}"


def new_session(scope: str = "") -> str:
    """The id of a new session: of a device, or with a scope, of an access token."""
    return f"{scope}{_SCOPED if scope else ''}{secrets.token_urlsafe(9)}"


def scope_of(session: str) -> str:
    """The scope of a session that is an access token; empty for others."""
    return session.partition(_SCOPED)[0] if _SCOPED in session else ""


def life_of(session: str) -> int:
    """For how many milliseconds the tokens of a session are good."""
    return LASTING if scope_of(session) else LIFE


def _new_guest() -> str:
    """The id of a new guest. It begins with no "-": in a command that would be an option."""
    while (id := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return id


def new_bot() -> str:
    """The id of a new bot."""
    return _BOT + secrets.token_urlsafe(9)


def is_id(text: str) -> bool:
    """Whether a text has the form of a player's id."""
    return _ID.fullmatch(text) is not None


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode()


def is_bot(player: str) -> bool:
    """Whether a player is a bot. That is said in the first `hello`, and part of the id."""
    return player.startswith(_BOT)
