"""Player identities: each has a public id, and a token that only this service can sign.

A guest's token is the id, the name (base64), and a keyed BLAKE2b of both, with dots between. An account's token adds,
before the signature, its session and its expiry. Tokens are not stored: every server with the secret can check them,
and `members` knows which are void.
"""

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from fourfold.server.clock import DAY
from fourfold.server.players.codes import SIZE, code_of
from fourfold.server.players.given import given_name
from fourfold.server.players.members import NOBODY, Roll
from fourfold.server.players.names import clean_name, is_level, is_staff, marked_name
from fourfold.server.ratings.levels import level_name, level_of

LIFE: Final = 90 * DAY
"""Milliseconds for which a token of an account is valid."""

RENEWED: Final = DAY
"""Milliseconds after which a token is replaced by a new one when it is used."""

LASTING: Final = 3650 * DAY
"""Milliseconds for which an access token is valid."""

SESSION: Final = 9
"""How many random bytes the id of a session has."""

_SCOPED: Final = "~"
"""Separates the scope of an access token from the rest of its session."""

_BOT: Final = "bot:"

_ID: Final = re.compile(rf"({_BOT}(level\d:)?)?[\w-]{{12}}", re.ASCII)


def key_of(secret: str) -> bytes:
    """The key that signs tokens, from the setting `SECRET`."""
    return hashlib.blake2b(secret.encode(), person=b"secret", digest_size=32).digest()


class BadToken(ValueError):
    """A token was not signed by this service, or is no longer valid."""


@dataclass(frozen=True, slots=True)
class Player:
    """An identity. `id` is public; only the player knows `token`. `session` names the device or access token of
    `token`. For a guest, who has only one, it is the id."""

    id: str
    name: str
    token: str = field(repr=False)
    session: str

    @property
    def scope(self) -> str:
        """The permitted use of an access token; empty, without restriction, for devices and guests."""
        return scope_of(self.session)


class Registration(NamedTuple):
    """The session and the recovery code of a new account."""

    session: str
    code: str


class Identities:
    """Creates guests, and identifies players by their tokens."""

    def __init__(self, secret: bytes, roll: Roll = NOBODY) -> None:
        """`roll` has the accounts."""
        self.roll = roll
        """The accounts."""
        self._secret = secret

    def greet(self, token: str | None, name: str | None, *, bot: bool = False, now: int = 0) -> Player:
        """The player that a token proves; without a token a new guest, or a new bot if `bot`.

        The name of a guest, or of a bot without an account, is `name`, else the one in the token, else a generated one.
        A name that would pass for another's is marked. Only bots that the service has called are named after levels. An
        account keeps its own name. The returned token contains the name. `now` is in milliseconds since 1970. Raises
        `BadToken`.
        """
        if token is None:
            id, known = new_bot() if bot else _new_guest(), ""
        else:
            id, known, *rest = self._read(token)
            if rest:
                return self._member(id, known, rest[0], int(rest[1]), token, now)
            if self.roll.knows(id):
                raise BadToken("This player has an account now, and a different token. Sign in to it.")
        shown = clean_name(name or "") or known or (f"Bot {id[-4:]}" if is_bot(id) else given_name(id))
        if level_of(id) is None and (is_level(shown) or is_staff(shown) or self.roll.is_taken(shown)):
            shown = marked_name(shown, bot=is_bot(id))
        return Player(id, shown, self._sign(f"{id}.{_base64(shown.encode())}"), id)

    def _member(self, id: str, name: str, session: str, until: int, token: str, now: int) -> Player:
        if until < now:
            raise BadToken("This token has expired. Sign in again.")
        if self.roll.is_void(session) or self.roll.is_closed(id):
            raise BadToken("This device was signed out. Sign in again.")
        known = self.roll.name(id) or name
        if known == name and until - now > life_of(session) - RENEWED:
            return Player(id, name, token, session)
        return self.member(id, known, session, now)

    def member(self, id: str, name: str, session: str, now: int) -> Player:
        """An account, with a new token for one of its sessions."""
        until = now + life_of(session)
        return Player(id, name, self._sign(f"{id}.{_base64(name.encode())}.{session}.{until}"), session)

    def registration(self, player: str, key: str) -> "Registration":
        """What a guest's registration under a key creates. Without the servers' secret nobody can compute it."""
        text = f"{player}\0{key}".encode()
        session, code = (
            hashlib.blake2b(text, key=self._secret, person=what, digest_size=size).digest()
            for what, size in ((b"session", SESSION), (b"code", SIZE))
        )
        return Registration(base64.urlsafe_b64encode(session).decode(), code_of(code))

    def guest_of(self, token: str) -> str | None:
        """The id in a guest's token; None for the token of an account. Raises `BadToken`."""
        id, _, *rest = self._read(token)
        return None if rest else id

    def house_bot(self, level: int, player: str | None = None) -> Player:
        """A bot that this service calls to a seat: a new one, or the `player` of that id."""
        id = player or f"{_BOT}level{level}:{secrets.token_urlsafe(9)}"
        name = level_name(level)
        return Player(id, name, self._sign(f"{id}.{_base64(name.encode())}"), id)

    def _read(self, token: str) -> list[str]:
        """The parts of a token: the id and the name; for an account also the session and the expiry."""
        signed = token.rpartition(".")[0]
        if not hmac.compare_digest(token.encode(), self._sign(signed).encode()):
            raise BadToken("This token is not from this server. Say hello without a token to become a new guest.")
        id, name, *rest = signed.split(".")
        return [id, base64.urlsafe_b64decode(name).decode(), *rest]

    def _sign(self, text: str) -> str:
        """The text with its signature."""
        return f"{text}.{_base64(hashlib.blake2b(text.encode(), key=self._secret, digest_size=18).digest())}"


def new_session(scope: str = "") -> str:
    """The id of a new session: of a device or, with a scope, of an access token."""
    return f"{scope}{_SCOPED if scope else ''}{secrets.token_urlsafe(SESSION)}"


def scope_of(session: str) -> str:
    """The scope of an access token's session; empty for other sessions."""
    return session.partition(_SCOPED)[0] if _SCOPED in session else ""


def life_of(session: str) -> int:
    """Milliseconds for which the tokens of a session are valid."""
    return LASTING if scope_of(session) else LIFE


def _new_guest() -> str:
    """The id of a new guest. It never begins with "-", which would be an option on a command line."""
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
    """Whether a player is a bot. The first `hello` says that, and it is part of the id."""
    return player.startswith(_BOT)
