"""Accounts in the archive's database, with their passkeys and sessions. The records don't use SQLAlchemy, so that a
server can use them before the database is open. `accounts` has the queries."""

from dataclasses import dataclass
from typing import Final

MODERATOR: Final = "moderator"
ADMIN: Final = "admin"


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey: its credential's id, its public key (COSE), its signature counter, and the host of the pages that
    created it. Times are in milliseconds since 1970."""

    credential: bytes
    player: str
    key: bytes
    count: int
    site: str
    device: str
    created: int
    used: int


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A device on which an account is signed in; with a scope, an access token."""

    session: str
    player: str
    device: str
    created: int
    used: int
    scope: str = ""


@dataclass(frozen=True, slots=True)
class ProviderIdentity:
    """A player's identity at an OpenID provider: the issuer, its subject, and the player."""

    issuer: str
    subject: str
    player: str
    created: int


@dataclass(frozen=True, slots=True)
class AccountFacts:
    """The stored data of an account, with the sessions of its bots. `recovery` is the digest of its recovery code, if
    it has one. `owner` is the player to whom a bot belongs. `closed` is when the account was closed, None for an open
    one. `role` is `moderator`, `admin`, or empty."""

    player: str
    name: str
    skeleton: str
    recovery: bytes | None
    created: int
    passkeys: tuple[Passkey, ...] = ()
    sessions: tuple[SignedIn, ...] = ()
    owner: str | None = None
    closed: int | None = None
    identities: tuple[ProviderIdentity, ...] = ()
    role: str = ""


class NameTaken(Exception):
    """Another account has a name that looks the same."""


class IdentityTaken(Exception):
    """Another account has this identity at a provider."""


class HasAccount(Exception):
    """The player has an account under another name."""
