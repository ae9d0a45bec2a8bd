"""How games end, and how players are eliminated from a running game. These are records only; `twoplayer` and
`fourplayer` decide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Termination(StrEnum):
    """Why a game ended, or why a player was eliminated."""

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
    KING_ON_LAST_RANK = "king_on_last_rank"
    THREE_CHECKS = "three_checks"
    NO_PIECES = "no_pieces"
    POINTS = "points"
    LAST_STANDING = "last_standing"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    >>> from fourfold.engine import Position
    >>> position = Position.start()
    >>> for move in ("f3", "e5", "g4", "Qh4"):
    ...     position = position.play(move)
    >>> position.outcome
    Outcome(termination=<Termination.CHECKMATE: 'checkmate'>, winners=(1,), standings=(2, 1), points=None)
    """

    termination: Termination
    """Why the game ended."""
    winners: tuple[int, ...]
    """The seats that won; empty for a draw."""
    standings: tuple[int, ...]
    """Each seat's place, 1 for the first. Equal seats share a place."""
    points: tuple[int, ...] | None = None
    """Each seat's final points; None unless the variant counts points."""


@dataclass(frozen=True, slots=True)
class Elimination:
    """A player's elimination from a game."""

    seat: int
    """The eliminated seat."""
    reason: Termination
    """Why the seat is out."""
    by: int | None = None
    """The seat whose move caused it; None if no move did."""
