"""A room's game as text: as the engine writes a match, and as JSON for programs. Pure."""

import json

import msgspec

from fourfold.engine.match import Decision, State
from fourfold.engine.match import export as written
from fourfold.engine.match.export import NoSuchFormat
from fourfold.protocol import projection
from fourfold.protocol.projection import Attendance


def export(room: str, decisions: list[Decision], state: State, attendance: Attendance, format: str) -> str:
    """The text. `state` is the fold of `decisions`, which are all of the room's log. Raises `NoSuchFormat`."""
    if format == "json":
        return _json(room, decisions, state, attendance)
    formats = (*written.formats(state), "json")
    if format not in formats:
        raise NoSuchFormat(f"{state.variant} is written as {', '.join(formats)}, not as {format!r}.")
    return written.export(room, decisions, state, format)


def _json(room: str, decisions: list[Decision], state: State, attendance: Attendance) -> str:
    """The snapshot, and every update of the log, as the wire tells them."""
    names = state.position.seats
    updates = [projection.update(room, names, decision) for decision in decisions]
    snapshot = projection.snapshot(room, state, attendance, state.at)
    return json.dumps(msgspec.to_builtins({"room": snapshot, "updates": updates}), ensure_ascii=False)
