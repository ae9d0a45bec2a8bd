"""Requests about the client's identity and account."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from fourfold.protocol.requests.base import Choice, Device, PasskeyAnswer, RegistrationKey, Request
from fourfold.protocol.requests.lobby import Plays


class Hello(Request):
    """The first request of a connection: identifies the client.

    Without a `token` the client becomes a new guest, or a new bot if `bot` is true. With a token it becomes the player
    of that token, under the same name as before. A `name` renames a guest; an account keeps its own name. A guest's
    name that looks like an account, a computer player or the staff gets the suffix "(guest)". A bot without an account
    gets "(bot)".

    A bot can declare the games that it `plays`. `people` shows this, and the server declines all other challenges to
    the bot.

    After a `register` without an answer, a guest sends its `key` here. If the guest has the account, the guest's token
    is void, and the client becomes the account by this key.
    """

    answers = ("welcome",)

    token: Annotated[str, Meta(max_length=256)] | None = None
    name: Annotated[str, Meta(max_length=64)] | None = None
    bot: bool = False
    plays: Plays | None = None
    key: RegistrationKey | None = None


class Account(Request):
    """Ask for the data of your account: its name, passkeys, and signed-in devices."""

    answers = ("account",)


class Passkey(Request):
    """Begin to `make` a passkey or to `use` one. A page passes the reply to `navigator.credentials`. It sends the
    result on the same connection in `register`, `enroll` or `login`."""

    answers = ("passkey",)

    to: Literal["make", "use"]


class Oidc(Request):
    """Begin to sign in at the server's OpenID provider. The page opens the address in the reply. The provider then
    sends the browser back to `/signed-in` with a `state` and a `code`. Send these in `login`, as the same player."""

    answers = ("oidc",)


class SignedIn(Struct, forbid_unknown_fields=True):
    """The values with which an OpenID provider sends the browser back."""

    state: Annotated[str, Meta(min_length=1, max_length=128)]
    code: Annotated[str, Meta(min_length=1, max_length=4096)]


class Register(Request):
    """Turn this guest into an account with a name of its own. The player id stays the same, and so do seats and games.

    Account names must not look alike. A passkey proves the account, if `passkey` has a browser's answer as JSON.
    Otherwise a recovery code does; only this reply shows it. The reply has a new token. Use it from now on: the guest's
    token is void at once. `device` is the name of this device in the account's list.

    A repeated request with the same `key` gets the first answer again. The key opens the account, like a password: make
    it from 128 random bits or more for each account, and store it until the answer is there. After a lost connection,
    send it with the guest's token in `hello`, and then repeat the request.
    """

    answers = ("account",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    passkey: PasskeyAnswer | None = None
    device: Device = ""
    key: RegistrationKey | None = None


class Login(Request):
    """Sign in to an account by a passkey (a browser's answer as JSON), a recovery code, or the values from an OpenID
    provider. The reply has a token for the `hello` of a new connection. This connection keeps its player.

    The first sign-in with an identity of the provider links it to this player. A guest then becomes an account, under a
    name from the provider.
    """

    answers = ("account",)

    passkey: PasskeyAnswer | None = None
    code: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    oidc: SignedIn | None = None
    device: Device = ""


class Enroll(Request):
    """Add a passkey to your account: a browser's answer as JSON."""

    answers = ("account",)

    passkey: PasskeyAnswer
    device: Device = ""


class Recovery(Request):
    """Make a new recovery code for your account. Only this reply shows it. The code before becomes invalid."""

    answers = ("account",)


class Rename(Request):
    """Rename your account. The reply has a new token. Muted players cannot rename themselves."""

    answers = ("account",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]


class Preferences(Request):
    """Read the preferences kept with your account, and change those that are given. The server stores the names that
    clients choose, and does not interpret them."""

    answers = ("preferences",)

    board: Choice | None = None
    pieces: Choice | None = None
    coordinates: Choice | None = None
    animation: Choice | None = None
    confirmation: Choice | None = None
    sounds: Choice | None = None
    facing: Choice | None = None


class Grant(Request):
    """Make an access token, with which a program says `hello`.

    A token to `play` lets the program play as this player. A token to `moderate` also lets it moderate, and a token to
    `organize` lets it arrange games between others; only moderators get these two. A token for a `bot` creates a bot
    with its own `name`, which belongs to this player's account and is marked as a bot everywhere.

    An access token cannot change the account. It lasts ten years. The account's list of sessions shows it; revoke it
    there.
    """

    answers = ("granted",)

    scope: Literal["play", "bot", "moderate", "organize"]
    name: Annotated[str, Meta(min_length=1, max_length=64)]


class Revoke(Request):
    """Sign out a device, by its `session`. The server closes all its connections, on every node, and its token becomes
    void. If it is this device, the connection closes after the reply. Or remove a `passkey`."""

    session: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    passkey: Annotated[str, Meta(min_length=1, max_length=1400)] | None = None


class Ping(Request):
    """Ask whether the server is there, and for its time."""

    answers = ("pong",)
