"""How a game ends, and how a player is eliminated from one that goes on. Records only: `twoplayer` and
`fourplayer` decide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Termination(StrEnum):
    """Why a game, or a player's part in it, is over."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    INSUFFICIENT_MATERIAL = "insufficient_material"
    FIFTY_MOVES = "fifty_moves"
    SEVENTYFIVE_MOVES = "seventyfive_moves"
    THREEFOLD = "threefold"
    FIVEFOLD = "fivefold"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    TIME = "time"
    ABANDONMENT = "abandonment"
    KING_CAPTURED = "king_captured"
    KING_IN_CENTER = "king_in_center"
    THREE_CHECKS = "three_checks"
    POINTS = "points"
    LAST_STANDING = "last_standing"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    `winners` are seats (none: a draw). `standings[seat]` is that seat's place, 1 the first; equals share a
    place. `points[seat]` are the points of a game that is scored by points, otherwise None.
    """

    termination: Termination
    winners: tuple[int, ...]
    standings: tuple[int, ...]
    points: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Elimination:
    """A seat was eliminated; `by` is the seat whose move did it, None if it was no move."""

    seat: int
    reason: Termination
    by: int | None = None
