"""What moderators do, and who leaves games, as records: they are here without SQLAlchemy, so that a server can speak of
them before the database is opened; `orders` has what is asked of it."""

import secrets
from dataclasses import dataclass
from typing import Final, NamedTuple


class Record(NamedTuple):
    """A row of the audit log: when (ms since 1970), under which id, who did what, to which game or player, with how
    many rooms, why, and until when it holds (None: for good, or it holds nothing)."""

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
    """What a moderator has ordered: a `kind`, about whom or what, why, and until when (ms since 1970; None: for good).

    The kinds: `ban` (of a player or a network; `also` are others of the same person, such as their bots, and networks
    from which the person came, from where guests are refused, or not heard), `mute` (of a
    player), `lock` (of a room: nobody new comes in), `silence` (no chat at all; without a target), `word` (not to be
    said, nor part of a name). `changed` is when it was last changed: an order is lifted by ending it.
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
    """An order from now on, for so many seconds (None: for good)."""
    until = None if seconds is None else now + 1000 * seconds
    return Order(secrets.token_hex(6), kind, target, also, by, why, now, now, until)


def record(by: str, action: str, target: str, why: str, now: int, until: int | None = None, rooms: int = 0) -> Record:
    """A new row of the audit log."""
    return Record(now, secrets.token_hex(8), by, action, target, rooms, why, until)


LEFT: Final = "left"
CALLED_OFF: Final = "called_off"


class Departure(NamedTuple):
    """Somebody has left a game that matchmaking made: which, when, how (`left` it, or `called_off` before everybody had
    moved), and for how many milliseconds they wait for that (0: not at all)."""

    player: str
    room: str
    game: int
    at: int
    kind: str
    wait: int


@dataclass(frozen=True, slots=True)
class Report:
    """Somebody has reported a player from a table: by whom, whom and under which name, where, why; with the last lines
    that were said there, and the last moves. `settled` is when a moderator has settled it, `by` whom, and how."""

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
