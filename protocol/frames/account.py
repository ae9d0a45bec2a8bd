"""Frames about the client's identity and account."""

from msgspec import UNSET, Struct, UnsetType

from fourfold.protocol.frames.base import Reply


class OwnPasskey(Struct):
    """A passkey of your account: the id of its credential, the device on which it was made, and when it was created and
    last used."""

    passkey: str
    device: str
    created: int
    used: int


class OwnSession(Struct):
    """A device on which your account is signed in: since when, and the day of its last use. `here` is true for the
    device that asks. With a `scope` it is an access token with that scope."""

    session: str
    device: str
    created: int
    used: int
    here: bool = False
    scope: str = ""


class Welcome(Reply):
    """Your identity. `player` is public. `token` is secret and proves that you are this player. `build` is the version
    of the browser client that this server serves, empty if it has none. `account` is true if the player has an account.

    `accounts` tells who can have one: `open`, everybody; `oidc`, people who sign in at the server's OpenID provider;
    `closed`, only those who have one already; `off`, nobody. `provider` is the name of the OpenID provider, empty
    without one. `service` is the name that the operator has given this service.
    """

    player: str
    name: str
    token: str
    server: str
    time: int
    build: str = ""
    account: bool = False
    accounts: str = "open"
    provider: str = ""
    service: str = "Fourfold"


class Account(Reply):
    """An account: its player's id and name, the time of its creation, whether it has a `recovery` code, and its
    passkeys and devices. `token` is a new token to use from now on. `code` is a new recovery code. Neither is shown
    again. `issuers` are the OpenID providers by which it is signed in to. `role` is `moderator`, `admin`, or empty."""

    player: str
    name: str
    created: int
    recovery: bool
    passkeys: list[OwnPasskey]
    sessions: list[OwnSession]
    token: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    issuers: list[str] = []
    role: str = ""


class Preferences(Reply):
    """The preferences kept with an account: the theme of the `board`, the set of `pieces`, the place of the
    `coordinates`, the speed of the `animation`, the `confirmation` of moves, the set of `sounds`, and whether pieces
    are `facing` their players. Preferences that were never chosen are null."""

    board: str | None = None
    pieces: str | None = None
    coordinates: str | None = None
    animation: str | None = None
    confirmation: str | None = None
    sounds: str | None = None
    facing: str | None = None


class Granted(Reply):
    """An access token, and the player of programs that use it. The token is not shown again."""

    player: str
    name: str
    scope: str
    token: str


class Passkey(Reply):
    """The start of a passkey ceremony. `options` is JSON for the browser's
    `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`."""

    options: str


class Oidc(Reply):
    """The start of signing in at the OpenID provider: open `url` in the browser."""

    url: str
