"""The log of a room as readable text, one line for each decision."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from fourfold.engine.decisions import Decision
from fourfold.engine.match import evolve
from fourfold.engine.match.events import Created
from fourfold.engine.match.state import State
from fourfold.engine.study import Study
from fourfold.engine.study import evolve as evolve_study
from fourfold.protocol import projection, study_projection
from fourfold.protocol.from_server import Update
from fourfold.server.maintenance import studies
from fourfold.server.maintenance.places import Places
from fourfold.server.storage.event_log import DamagedEntry
from fourfold.server.storage.records import BEGINNING, Entry, evolved, unpack


class NoSuchRoom(LookupError):
    """Neither the store nor the archive has the room."""


async def entries_of(places: Places, room: str) -> tuple[str, list[Entry]]:
    """The place of a room, and its whole log. Raises `NoSuchRoom`, `DamagedEntry` and `LogUnavailable`."""
    entries = await places.store.entries(room)
    if entries and entries[0].seq == 1:
        return "store", entries
    archived = await places.archive.log(room)
    if archived is not None:
        return "archive", archived
    if entries:
        raise DamagedEntry(1, "it is missing, and so are all before the last")
    raise NoSuchRoom(room)


def lines(room: str, entries: list[Entry]) -> Iterator[str]:
    """The log as text: number, time, the player's id, and the events, with the lineage at the end of each line.

    Raises `UnreadableEntry` at the first entry that is damaged or can't follow the one before.
    """
    state: State | None = None
    study: Study | None = None
    lineage: bytes | None = BEGINNING
    for expected, entry in enumerate(entries, 1):
        if entry.seq != expected:
            raise DamagedEntry(expected, "it is missing")
        decision = unpack(*entry, lineage)
        lineage = decision.lineage or None
        if study is not None or studies.is_study([decision]):
            study = evolved(evolve_study, study, decision)
            yield _line(study_projection.update(room, study, decision), decision)
        else:
            state = evolved(evolve, state, decision)
            yield _line(projection.update(room, state.position.seats, decision), decision)


def _line(update: Update, decision: Decision) -> str:
    at = datetime.fromtimestamp(decision.at / 1000, UTC).isoformat(sep=" ", timespec="milliseconds")
    told = update.events
    events = [_event(msgspec.to_builtins(event)) for event in told]
    first = decision.events[0]
    if isinstance(first, Created):
        events.insert(0, f"created {first.variant} {first.visibility}" + f" {first.position}" * bool(first.position))
    lineage = decision.lineage.hex() or "no lineage"
    return f"{decision.seq:5}  {at[:-6]}  {decision.by or 'server':20}  {'; '.join(events)}  [{lineage}]"


def _event(event: dict[str, Any]) -> str:
    """An event in words: its type, then its fields, without those that follow from others."""
    facts = {name: value for name, value in event.items() if name not in ("type", "sight") and value is not None}
    return " ".join([event["type"], *(f"{name}={_value(value)}" for name, value in facts.items())])


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + " ".join(f"{name}={_value(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + " ".join(map(_value, value)) + "]"
    return str(value).replace("\n", " ")


