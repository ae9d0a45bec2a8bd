"""Writes games of the archive as text, one after another, newest first."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from fourfold.engine.match import Decision, State, replay
from fourfold.engine.match.events import Finished
from fourfold.engine.match.export import export
from fourfold.engine.variants import VARIANTS
from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import Cursor, GameFacts, Search
from fourfold.server.storage.records import read

FORMATS: Final = ("pgn", "pgn4", "ndjson")

PAGE: Final = 50
"""How many games are looked up at a time."""


async def exported(database: Database, search: Search, format: str) -> AsyncIterator[str]:
    """The texts of the games that are searched for, those that can be written in the format. `limit` and `after` of the
    search are not looked at. Raises `ArchiveUnavailable`, and `UnreadableEntry` for a log that is damaged."""
    after: Cursor | None = None
    while True:
        page = await database.search(replace(search, after=after, limit=PAGE))
        for facts in page:
            if format in ("ndjson", VARIANTS[facts.variant].records):
                text = await _text(database, facts, format)
                if text is not None:
                    yield text
        if len(page) < PAGE:
            return
        after = Cursor(page[-1].ended, page[-1].room, page[-1].number)


async def _text(database: Database, facts: GameFacts, format: str) -> str | None:
    """A game's text, ended by a line feed; None if it has been erased meanwhile."""
    came = await database.text(facts.room) if facts.imported else None
    if came is not None and came[0] == format:
        return came[1]
    entries = await database.log(facts.room)
    if entries is None:
        return None
    decisions = _until(read(entries), facts.number)
    state = replay(decisions)
    if format == "ndjson":
        return json.dumps(_fields(facts, state), ensure_ascii=False) + "\n"
    return export(facts.room, decisions, state, format)


def _until(decisions: list[Decision], number: int) -> list[Decision]:
    """The decisions up to the end of the room's game of a number."""
    ends = (place for place, decision in enumerate(decisions, start=1)
            if any(isinstance(event, Finished) for event in decision.events))  # fmt: skip
    return decisions[: next(islice(ends, number - 1, None), len(decisions))]


def _fields(facts: GameFacts, state: State) -> dict[str, Any]:
    control = facts.control
    same = ("room", "number", "variant", "imported", "public", "reason", "plies", "started", "ended", "position")
    return {name: getattr(facts, name) for name in same} | {
        "clock": None if control is None else [control.base, control.increment, control.delay],
        "winners": list(facts.winners),
        "seats": [{name: getattr(seat, name) for name in seat.__slots__} for seat in facts.seats],
        "start": state.start.fen(),
        "moves": [step.move for step in state.line if step.move is not None],
        "left": {state.seat_name(gone.seat): gone.reason.value for gone in state.out},
    }
