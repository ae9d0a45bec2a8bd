"""Departures among the moves of a game: resignations, losses on time, absences. Each is a letter in the player's turn.

``R`` is a resignation and ``T`` a loss on time, as in PGN4. We add ``A`` for an absence. We also add the seat's letter
if another player was to move (``Rg``: green resigned). A ``#`` follows if the remaining king is mated without its army
(``R#``); the parser ignores it.
"""

from __future__ import annotations

import re

from fourfold.engine.errors import IllegalMove
from fourfold.engine.notation.game import Step
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position

REASONS = {"R": Termination.RESIGNATION, "T": Termination.TIME, "A": Termination.ABANDONMENT}
LETTERS = {reason: letter for letter, reason in REASONS.items()} | {Termination.POINTS: "R"}
"""The letter of each reason. A claim of a game won on points is written as the leader's resignation."""

_DEPARTURE = re.compile(r"([RTA])([a-z]?)#?")


def read(position: Position, text: str) -> Step | None:
    """The departure that a text names; None for any other text. Raises `IllegalMove` (`game_over`, `not_in_game`)."""
    match = _DEPARTURE.fullmatch(text)
    if match is None:
        return None
    letters = [seat.letter for seat in position.rules.seats]
    seat = position.turn
    if match[2]:
        if match[2] not in letters:
            raise IllegalMove("not_in_game", f"There is no seat '{match[2]}'. Seats: {', '.join(letters)}.")
        seat = letters.index(match[2])
    return leave(position, seat, REASONS[match[1]])


def leave(position: Position, seat: int, reason: Termination) -> Step:
    """The departure of a seat. Raises `IllegalMove` as `read` does."""
    if position.outcome is not None:
        raise IllegalMove("game_over", "The game is over: players can no longer leave it.")
    if seat not in position.alive:
        raise IllegalMove("not_in_game", f"{position.seats[seat].capitalize()} is out of the game already.")
    return Step.of_departure(position, seat, reason)


def write(step: Step) -> str:
    """The text of a departure."""
    assert step.reason is not None  # it is a departure
    after = step.after
    letter = LETTERS[step.reason]
    whose = "" if step.seat == step.before.turn else step.before.rules.seats[step.seat].letter
    cornered = step.seat in after.walking and any(seat == step.seat for seat, _ in after.cornered)
    mated = any(gone.seat == step.seat and gone.reason is Termination.CHECKMATE for gone in after.eliminated)
    return letter + whose + "#" * (cornered or mated)
