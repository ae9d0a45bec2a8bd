"""Finished games as text: PGN, PGN4, or one line of JSON each. Pure."""

import json
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from fourfold.engine.match import Decision, State, replay
from fourfold.engine.match.events import Finished
from fourfold.engine.match.export import export
from fourfold.engine.variants import VARIANTS
from fourfold.server.archive.facts import GameFacts

FORMATS: Final = ("pgn", "pgn4", "ndjson")

_SEAT: Final = ("seat", "player", "name", "result", "place", "points")


def is_written(variant: str, format: str) -> bool:
    """Whether games of a variant can be written in a format."""
    return format in ("ndjson", VARIANTS[variant].records)


def write(facts: GameFacts, decisions: list[Decision], format: str) -> str:
    """A game of a room as text, with a final line feed. `decisions` are the whole log of the room."""
    decisions = _until(decisions, facts.number)
    state = replay(decisions)
    if format == "ndjson":
        return json.dumps(_fields(facts, state), ensure_ascii=False) + "\n"
    return export(facts.room, decisions, state, format)


def joined(texts: Sequence[str], format: str) -> str:
    """Games one after another. In PGN and PGN4 a blank line separates them."""
    return ("" if format == "ndjson" else "\n").join(texts)


def _until(decisions: list[Decision], number: int) -> list[Decision]:
    """The decisions up to the end of the room's game of this number."""
    ends = (place for place, decision in enumerate(decisions, start=1)
            if any(isinstance(event, Finished) for event in decision.events))  # fmt: skip
    return decisions[: next(islice(ends, number - 1, None), len(decisions))]


def _fields(facts: GameFacts, state: State) -> dict[str, Any]:
    control = facts.control
    same = ("room", "number", "variant", "imported", "public", "reason", "plies", "started", "ended", "position")
    return {name: getattr(facts, name) for name in same} | {
        "clock": None if control is None else [control.base, control.increment, control.delay],
        "winners": list(facts.winners),
        "seats": [{name: getattr(seat, name) for name in _SEAT} for seat in facts.seats],
        "start": state.start.fen(),
        "moves": [step.move for step in state.line if step.move is not None],
        "left": {state.seat_name(gone.seat): gone.reason.value for gone in state.out},
    }
