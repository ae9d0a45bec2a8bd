"""Records of moderation actions and departures, without SQLAlchemy, so that a server can use them before the database
is open. `orders` has the queries."""

import secrets
from dataclasses import dataclass
from typing import Final, NamedTuple


class Record(NamedTuple):
    """A row of the audit log: its time (ms since 1970), its id, the author, the action, the target game or player, the
    number of rooms, the reason, and the end of its effect (None: for good, or without effect over time)."""

    at: int
    id: str
    by: str
    action: str
    target: str
    rooms: int
    why: str
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """A moderator's order: a `kind`, a target, a reason, and an end (ms since 1970; None: for good).

    The kinds: `ban` (of a player or a network), `mute` (of a player), `lock` (of a room: nobody can join), `silence`
    (no chat at all; without a target), `word` (banned from chat and names). `also` are further targets: other
    identities of the same person, such as their bots, and networks from which the person came, whose guests are refused
    or muted. `changed` is the time of the last change. Lifting an order ends it.
    """

    id: str
    kind: str
    target: str
    also: tuple[str, ...]
    by: str
    why: str
    at: int
    changed: int
    until: int | None

    def holds(self, now: int) -> bool:
        """Whether it is in force."""
        return self.until is None or self.until > now


def new_order(kind: str, target: str, also: tuple[str, ...], by: str, why: str, now: int, seconds: int | None) -> Order:
    """An order from now on, for `seconds` (None: for good)."""
    until = None if seconds is None else now + 1000 * seconds
    return Order(secrets.token_hex(6), kind, target, also, by, why, now, now, until)


def record(by: str, action: str, target: str, why: str, now: int, until: int | None = None, rooms: int = 0) -> Record:
    """A new row of the audit log."""
    return Record(now, secrets.token_hex(8), by, action, target, rooms, why, until)


LEFT: Final = "left"
CALLED_OFF: Final = "called_off"


class Departure(NamedTuple):
    """A player has left a paired game: which game, when, how (`left` it, or `called_off` before everybody had moved),
    and the cooldown in milliseconds (0: none)."""

    player: str
    room: str
    game: int
    at: int
    kind: str
    wait: int


@dataclass(frozen=True, slots=True)
class Report:
    """A report of a player at a table: the reporter, the reported player and their name there, the room, the reason,
    and the last chat lines and moves. `settled` is when a moderator settled it, `by` which one, and with which
    outcome."""

    id: str
    at: int
    by: str
    player: str
    name: str
    room: str
    why: str
    lines: tuple[str, ...]
    moves: tuple[str, ...]
    settled: int | None = None
    settled_by: str = ""
    outcome: str = ""
