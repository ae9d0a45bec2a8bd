"""Decisions as bytes: the stored form of the log, apart from both the wire and the engine's classes.

An event is a MessagePack array: its name, then its fields in the order of its class. A stored name or
order never changes; a new field goes last with a default, so that old logs keep reading.
"""

from collections.abc import Callable
from typing import Any

import msgpack

from engine.match import events as e
from engine.outcome import Outcome, Termination


def _plain(*names: str) -> Callable[[Any], list[Any]]:
    return lambda event: [getattr(event, name) for name in names]


def _outcome(event: e.Finished) -> list[Any]:
    outcome = event.outcome
    return [outcome.termination, outcome.winners, outcome.standings, outcome.points]


def _read_outcome(termination: str, winners: list[int], standings: list[int], points: list[int] | None) -> e.Finished:
    return e.Finished(
        Outcome(
            Termination(termination), tuple(winners), tuple(standings), None if points is None else tuple(points)
        )
    )


def _read_eliminated(seat: int, reason: str, by: int | None) -> e.Eliminated:
    return e.Eliminated(seat, Termination(reason), by)


def _read_proposed(
    number: int,
    kind: str,
    seat: int,
    plies: int | None,
    ply: int | None,
    position: str | None,
    electorate: list[int],
    deadline: int,
) -> e.Proposed:
    return e.Proposed(number, e.Kind(kind), seat, plies, ply, position, tuple(electorate), deadline)


def _read_redone(plies: int, ply: int, moves: list[str], position: str) -> e.Redone:
    return e.Redone(plies, ply, tuple(moves), position)


def _read_closed(number: int, closure: str) -> e.Closed:
    return e.Closed(number, e.Closure(closure))


_FORMS: tuple[tuple[str, type[e.Event], Callable[[Any], list[Any]], Callable[..., e.Event]], ...] = (
    ("created", e.Created, _plain("variant", "position", "visibility", "host"), e.Created),
    ("seated", e.Seated, _plain("seat", "player", "name"), e.Seated),
    ("unseated", e.Unseated, _plain("seat"), e.Unseated),
    ("started", e.Started, _plain(), e.Started),
    ("moved", e.Moved, _plain("seat", "move", "ply"), e.Moved),
    ("resigned", e.Resigned, _plain("seat"), e.Resigned),
    ("flagged", e.Flagged, _plain("seat"), e.Flagged),
    ("eliminated", e.Eliminated, _plain("seat", "reason", "by"), _read_eliminated),
    (
        "proposed",
        e.Proposed,
        _plain("number", "kind", "seat", "plies", "ply", "position", "electorate", "deadline"),
        _read_proposed,
    ),
    ("voted", e.Voted, _plain("number", "seat", "accept"), e.Voted),
    ("closed", e.Closed, _plain("number", "closure"), _read_closed),
    ("undone", e.Undone, _plain("plies", "ply", "position"), e.Undone),
    ("redone", e.Redone, _plain("plies", "ply", "moves", "position"), _read_redone),
    ("finished", e.Finished, _outcome, _read_outcome),
)
_WRITE = {cls: (name, write) for name, cls, write, _ in _FORMS}
_READ = {name: read for name, _, _, read in _FORMS}


def pack(by: str, key: str, events: tuple[e.Event, ...]) -> bytes:
    """The bytes of a decision; its number and time are the log's to give."""
    stored = []
    for event in events:
        name, write = _WRITE[type(event)]
        stored.append([name, *write(event)])
    packed: bytes = msgpack.packb([by, key, stored])
    return packed


def unpack(seq: int, at: int, data: bytes) -> e.Decision:
    """The decision that `pack` made bytes of.

    Raises `ValueError` or `KeyError` on bytes that this version cannot read.
    """
    by, key, stored = msgpack.unpackb(data)
    return e.Decision(seq, at, by, key, tuple(_READ[name](*fields) for name, *fields in stored))
