"""Frames to moderators and admins, and announcements."""

from typing import Literal

from msgspec import Struct

from fourfold.protocol.frames.account import OwnSession
from fourfold.protocol.frames.base import Frame, Reply


class Order(Struct):
    """An order of a moderator. `kind` is the `act` of `moderate`. It holds `until` then (null: for good)."""

    order: str
    kind: str
    target: str
    name: str
    by: str
    why: str
    at: int
    until: int | None


class Reported(Struct):
    """An open report at the time `at`. `by` and `reporter` are the reporter's id and name, `player` and `name` those of
    the reported player. `lines` and `moves` are the latest of the room."""

    report: str
    at: int
    by: str
    reporter: str
    player: str
    name: str
    room: str
    why: str
    lines: list[str]
    moves: list[str]


class Act(Struct):
    """A row of the audit log: the moderator's `action` on a target, at the time `at`. It holds `until` then (null: for
    good, or it has no duration)."""

    at: int
    by: str
    action: str
    target: str
    name: str
    why: str
    until: int | None


class Sample(Struct):
    """A server's vital signs at the time `at`. `rooms` are held there; a game of `playing` of them is not over.
    `moves` is the number of moves per second since the sample before, `append` the milliseconds within which 99 of 100
    decisions became durable meanwhile (null: there was none), and `errors` how many requests were answered with an
    error. `memory` is that of its processes, in bytes."""

    at: int
    connections: int
    rooms: int
    playing: int
    moves: float
    append: float | None
    memory: int
    errors: int


class Finding(Struct):
    """A finding of `doctor`: its subject, its level (`ok`, `warning` or `failure`), its text, and what to do."""

    topic: str
    level: str
    text: str
    cure: str


class Chosen(Struct):
    """A setting: its variable, its value (empty: none; a secret is just `set`), and where that comes from: `default`,
    `environment`, `file` or `flag`."""

    variable: str
    value: str
    source: str


class Listed(Struct):
    """An account as an admin sees it. `owner` is the name of a bot's owner. `closed` is when it was closed. `orders`
    are the kinds of the orders in force about it. `sessions` are its devices and tokens, and those of its bots."""

    player: str
    name: str
    created: int
    role: str
    owner: str
    closed: int | None
    orders: list[str]
    sessions: list[OwnSession]


class BackupFile(Struct):
    """A backup: its file's name, its size in bytes, and when it was made."""

    name: str
    size: int
    made: int


class Moderation(Reply):
    """The orders in force, the open reports, and the latest acts, newest first; and the asking player's `role`."""

    role: str
    orders: list[Order]
    reports: list[Reported]
    acts: list[Act]


class Status(Reply):
    """The vital signs of this server, oldest first, a sample every `period` milliseconds; when it `started`, and its
    `name` with the version. `errors` counts the error codes of the last hour. `level` is the level of its log."""

    name: str
    started: int
    period: int
    level: str
    samples: list[Sample]
    errors: dict[str, int]


class Findings(Reply):
    """The findings of `doctor`, and all settings of this server. `setup` says whether `set_up` was `done`, or is
    `open`; it is null if this server has none. `fixed` are the variables that it can't change."""

    findings: list[Finding]
    settings: list[Chosen]
    setup: Literal["open", "done"] | None = None
    fixed: list[str] = []


class Accounts(Reply):
    """The accounts found, newest first; at most 50."""

    accounts: list[Listed]


class Backups(Reply):
    """The backups in this server's folder, newest first. `making` is true while it makes one; `failed` says why the
    last one that an admin began has failed, or is empty."""

    folder: str
    backups: list[BackupFile]
    making: bool
    failed: str


class Backup(Reply):
    """A part of a backup's bytes (base64), and the `size` of the whole."""

    data: str
    size: int


class Announced(Frame):
    """An announcement of the moderators to everybody."""

    text: str
    time: int
