"""What may be asked of a match. Who asks (a player's identity) comes beside the command, never in it."""

from dataclasses import dataclass
from typing import Literal

from engine.match.events import Kind


@dataclass(frozen=True, slots=True)
class Create:
    """Open a match of a variant, from a position (FEN, FEN4 or the name of a start array) or its usual start."""

    variant: str
    position: str | None = None
    visibility: Literal["public", "private"] = "public"


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat by its name, or the first free one. The game starts when the last is taken."""

    name: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Stand:
    """Give a seat back before the start."""


@dataclass(frozen=True, slots=True)
class Move:
    """Play a move (coordinate notation), seen from version `seq`."""

    move: str
    seq: int


@dataclass(frozen=True, slots=True)
class Propose:
    """Put an undo or redo of `plies` moves, or a draw, to the vote, seen from version `seq`."""

    kind: Kind
    seq: int
    plies: int | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """Answer the open proposal."""

    proposal: int
    accept: bool


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up."""


@dataclass(frozen=True, slots=True)
class Expire:
    """Close what is past its deadline. Asked by the alarm, by nobody at the table."""


Command = Create | Sit | Stand | Move | Propose | Vote | Resign | Expire
