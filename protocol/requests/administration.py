"""Requests of moderators and admins, and reports to them."""

from typing import Annotated, Literal

from msgspec import Meta

from fourfold.protocol.requests.base import PlayerId, Request, RoomId, Time

ModeratorsAct = Literal[
    "ban", "mute", "lock", "silence", "word", "lift", "kick", "close", "rename", "announce", "appoint"
]
"""The acts of moderators: see `Moderate`."""


class Administer(Request):
    """Become the server's first admin, by the `code` that the server printed at its start. The code works once, for an
    account only."""

    answers = ("account",)

    code: Annotated[str, Meta(min_length=1, max_length=64)]


class Moderate(Request):
    """Act as a moderator, with an account that has the role or a token to `moderate`. The affected players and the
    audit log get the reason `why`. `seconds` is the duration (null: for good).

    `ban` or `mute` a player, by id or account name, together with all bots of the account. `ban` also takes an address
    or a network (`203.0.113.0/24`). `lock` a room, so that nobody new can enter. `silence` the chat of the whole
    server. `word` keeps a word out of chat and names, in any spelling. `lift` an order by its id.

    `kick` the seat in `text` from a room, or `close` the room, before its game begins. `rename` an account to `text`.
    `announce` a `text` to everybody. `appoint` an account to the role in `text` (`moderator`, `admin`, or empty); only
    admins can do this.
    """

    act: ModeratorsAct
    target: Annotated[str, Meta(max_length=64)] = ""
    text: Annotated[str, Meta(max_length=200)] = ""
    why: Annotated[str, Meta(max_length=200)] = ""
    seconds: Annotated[int, Meta(ge=1, le=10 * 366 * 86_400)] | None = None


class Moderation(Request):
    """Ask for the orders in force, the open reports, and the moderators' latest acts. Only moderators can do this."""

    answers = ("moderation",)


class Report(Request):
    """Report a player to the moderators, from a room that you follow. The player must be seated there or have talked
    there. The report includes the latest chat lines and moves."""

    room: RoomId
    player: PlayerId
    why: Annotated[str, Meta(min_length=1, max_length=200)]


class Settle(Request):
    """Close a report, by its id. `outcome` is a note on the result. Only moderators can do this."""

    report: Annotated[str, Meta(min_length=1, max_length=64)]
    outcome: Annotated[str, Meta(max_length=200)] = ""


class Status(Request):
    """Ask for this server's vital signs of the last hour: those after the time `since`. With several servers, each
    has its own. Only admins can do this."""

    answers = ("status",)

    since: Time = 0


class Doctor(Request):
    """Run the checks of `fourfold-server doctor` in this server. Only admins can do this."""

    answers = ("findings",)


class Accounts(Request):
    """Find accounts by a part of their name, or by a player's id; without a `text`, the newest. Only admins can do
    this."""

    answers = ("accounts",)

    text: Annotated[str, Meta(max_length=64)] = ""


class Backups(Request):
    """Ask for the automatic backups in this server's folder, newest first. Only admins can do this."""

    answers = ("backups",)


class Backup(Request):
    """Ask for a part of a backup, from the byte `start` on. Only admins can do this."""

    answers = ("backup",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    start: Annotated[int, Meta(ge=0, le=2**53)] = 0


class SetUp(Request, tag="set_up"):
    """Choose settings of this server, which restarts with them: the service's name, whether new `accounts` are `open`
    to everybody or `closed`, whether it runs `computers` (computer players), and the `origin` whose pages may connect
    (empty: any), which must be that of your page. Settings that the operator has fixed stay. Only admins can do
    this."""

    service: Annotated[str, Meta(min_length=1, max_length=40)]
    accounts: Literal["open", "closed"] = "open"
    computers: bool = True
    origin: Annotated[str, Meta(max_length=200)] = ""


class Operate(Request):
    """Act as the server's admin. The audit log gets the reason `why`.

    `back_up` makes a backup, and answers when it has begun. `log_level` sets the level of all servers' logs to `text`
    (`debug`, `info`, `warning` or `error`) until they restart. `sign_out` ends the session `text` of the account
    `target`, or all its sessions.
    """

    act: Literal["back_up", "log_level", "sign_out"]
    target: Annotated[str, Meta(max_length=64)] = ""
    text: Annotated[str, Meta(max_length=64)] = ""
    why: Annotated[str, Meta(max_length=200)] = ""
