"""How a player's leaving the game is written among its moves: by a letter, in the player's own turn.

``R`` is a resignation and ``T`` a loss on time, as in PGN4. Ours are ``A`` for an absence, and the seat's
letter behind it where somebody left while another was to move (``Rg``: green resigned). A ``#`` follows if
the king that is left behind is mated without its army (``R#``); reading ignores it.
"""

from __future__ import annotations

import re

from fourfold.engine.errors import IllegalMove
from fourfold.engine.notation.game import Step
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position

REASONS = {"R": Termination.RESIGNATION, "T": Termination.TIME, "A": Termination.ABANDONMENT}
LETTERS = {reason: letter for letter, reason in REASONS.items()} | {Termination.POINTS: "R"}
"""A claim of a game that is won by points is written as the resignation of the leader."""

_DEPARTURE = re.compile(r"([RTA])([a-z]?)#?")


def read(position: Position, text: str) -> Step | None:
    """The departure that a text means; None if it speaks of none. Raises `IllegalMove` (`game_over`,
    `not_in_game`)."""
    match = _DEPARTURE.fullmatch(text)
    if match is None:
        return None
    letters = [seat.letter for seat in position.rules.seats]
    seat = position.turn
    if match[2]:
        if match[2] not in letters:
            raise IllegalMove("not_in_game", f"'{match[2]}' is no seat; there are {', '.join(letters)}.")
        seat = letters.index(match[2])
    return leave(position, seat, REASONS[match[1]])


def leave(position: Position, seat: int, reason: Termination) -> Step:
    """The departure of a seat. Raises `IllegalMove`, as `read`."""
    if position.outcome is not None:
        raise IllegalMove("game_over", "The game is over: nobody can leave it any more.")
    if seat not in position.alive:
        raise IllegalMove("not_in_game", f"{position.seats[seat].capitalize()} is out of the game already.")
    return Step.of_departure(position, seat, reason)


def write(step: Step) -> str:
    """A departure's text."""
    assert step.reason is not None  # it is a departure
    after = step.after
    letter = LETTERS[step.reason]
    whose = "" if step.seat == step.before.turn else step.before.rules.seats[step.seat].letter
    cornered = step.seat in after.walking and any(seat == step.seat for seat, _ in after.cornered)
    mated = any(gone.seat == step.seat and gone.reason is Termination.CHECKMATE for gone in after.eliminated)
    return letter + whose + "#" * (cornered or mated)
