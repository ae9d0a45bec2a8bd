"""A game in words: seats, events and results as sentences for people.

Pure. It knows what can happen at a table. It refuses to know boards.
"""

from collections.abc import Callable
from typing import Any, Final

from clients.table import Table
from protocol import from_server as told
from protocol.from_server import Result

_REASONS: Final = {
    "last_standing": "as the last one standing",
    "points": "on points",
    "king_captured": "by taking the king",
    "time": "on time",
}
_CLOSED: Final = {
    "carried": "carried",
    "refused": "refused",
    "expired": "not answered in time",
    "superseded": "dropped, since the game went on",
}


def plain(term: str) -> str:
    """A term of the protocol as it is written in a sentence: `fifty_moves` is "fifty moves"."""
    return term.replace("_", " ")


def listed(names: list[str]) -> str:
    """Names in a sentence: "red, blue and green"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def result(result: Result) -> str:
    """Who won and how: "White wins by checkmate."; then, for more than two, the places (and points)."""
    if result.winners:
        verb = "wins" if len(result.winners) == 1 else "win"
        how = _REASONS.get(result.reason, f"by {plain(result.reason)}")
        sentence = f"{listed(result.winners).capitalize()} {verb} {how}."
    else:
        sentence = f"Draw by {plain(result.reason)}."
    if len(result.standings) <= 2:
        return sentence
    places = sorted(result.standings.items(), key=lambda entry: entry[1])
    points = result.points
    scored = (f"{place}. {seat}" + (f" ({points[seat]})" if points else "") for seat, place in places)
    return f"{sentence} {', '.join(scored)}"


def number(ply: int, seats: int) -> str:
    """The number of a move, before it: `12.`, and for all but the first seat `12...`.

    `ply` counts from 1.
    """
    round, turn = divmod(ply - 1, seats)
    return f"{round + 1}." if turn == 0 else f"{round + 1}..."


def event(event: told.AnyEvent, table: Table) -> str | None:
    """What happened, in one line; None for what goes without saying. `table` is as it was before."""
    sentence = _SENTENCES.get(type(event))
    return None if sentence is None else sentence(event, table)


def _seated(event: told.Seated, table: Table) -> str:
    return f"{event.name} takes {event.seat}"


def _moved(event: told.Moved, table: Table) -> str:
    return f"{event.ply:>4} {event.seat:<6} {event.move}"


def _eliminated(event: told.Eliminated, table: Table) -> str:
    by = f" by {event.by}" if event.by is not None else ""
    return f"     {event.seat} is out: {plain(event.reason)}{by}"


def _proposed(event: told.Proposed, table: Table) -> str:
    what = "a draw" if event.kind == "draw" else f"to {event.kind} {event.plies} plies"
    return f"     {event.seat} proposes {what}"


def _voted(event: told.Voted, table: Table) -> str:
    return f"     {event.seat} says {'yes' if event.accept else 'no'}"


_SENTENCES: dict[type[told.AnyEvent], Callable[[Any, Table], str]] = {
    told.Seated: _seated,
    told.Unseated: lambda event, _: f"{event.seat} is free again",
    told.Started: lambda *_: "The game begins.",
    told.Moved: _moved,
    told.Eliminated: _eliminated,
    told.Resigned: lambda event, _: f"     {event.seat} resigns",
    told.Flagged: lambda event, _: f"     {event.seat} has run out of time",
    told.Proposed: _proposed,
    told.Voted: _voted,
    told.Closed: lambda event, _: f"     the proposal is {_CLOSED.get(event.outcome, event.outcome)}",
    told.Undone: lambda event, _: f"     back {event.plies} plies, to ply {event.ply}",
    told.Redone: lambda event, _: f"     forward {event.plies} plies, to ply {event.ply}",
}
"""`finished` is missing: the result is said at the end, under the board."""
