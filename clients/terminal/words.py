"""A game in words: seats, events and results as sentences for people.

Pure. It knows what can happen at a table. It refuses to know boards.
"""

from collections.abc import Callable
from typing import Any, Final

from protocol import from_server as told
from protocol.from_server import Result

_HOW: Final = {
    "last_standing": "as the last one standing",
    "points": "on points",
    "king_captured": "by taking the king",
    "time": "on time",
    "fifty_moves": "by the fifty-move rule",
    "seventyfive_moves": "by the seventy-five-move rule",
    "threefold": "by threefold repetition",
    "fivefold": "by fivefold repetition",
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
    """Who won and how: "White wins by checkmate."; then the places and points, where these say more."""
    how = _HOW.get(result.reason, f"by {plain(result.reason)}")
    verb = "wins" if len(result.winners) == 1 else "win"
    sentence = f"{listed(result.winners).capitalize()} {verb} {how}." if result.winners else f"Draw {how}."
    places = sorted(result.standings.items(), key=lambda entry: entry[1])
    if len(places) <= 2 or len(set(result.standings.values())) == 1:
        return sentence
    points = result.points
    scored = (f"{place}. {seat}" + (f" ({points[seat]})" if points else "") for seat, place in places)
    return f"{sentence} {', '.join(scored)}."


def plies(number: int) -> str:
    """So many moves: "1 ply", "2 plies"."""
    return f"{number} {'ply' if number == 1 else 'plies'}"


def name(text: str) -> str:
    """A player's name as it may be shown: printable, and not too long."""
    return "".join(filter(str.isprintable, text))[:24]


def event(event: told.AnyEvent) -> str | None:
    """What happened, in one line; None for what goes without saying."""
    sentence = _SENTENCES.get(type(event))
    return None if sentence is None else sentence(event)


def _seated(event: told.Seated) -> str:
    return f"{name(event.name)} takes {event.seat}"


def _moved(event: told.Moved) -> str:
    return f"{event.ply:>4} {event.seat:<6} {event.move}"


def _eliminated(event: told.Eliminated) -> str:
    by = f" by {event.by}" if event.by is not None else ""
    return f"     {event.seat} is out: {plain(event.reason)}{by}"


def proposal(asked: told.Proposed | told.Proposal) -> str:
    """What is put to the vote: "red proposes to undo 2 plies"."""
    what = {
        "draw": "a draw",
        "rematch": "a rematch",
        "remove": f"to remove {asked.absentee}",
        "stand_in": f"that a computer of level {asked.level} plays for {asked.absentee}",
    }.get(asked.kind, f"to {plain(asked.kind)} {plies(asked.plies or 1)}")
    return f"{asked.seat} proposes {what}"


def _voted(event: told.Voted) -> str:
    return f"     {event.seat} says {'yes' if event.accept else 'no'}"


_SENTENCES: dict[type[told.AnyEvent], Callable[[Any], str]] = {
    told.Seated: _seated,
    told.Unseated: lambda event: f"{event.seat} is free again",
    told.Started: lambda _: "The game begins.",
    told.Moved: _moved,
    told.Eliminated: _eliminated,
    told.Resigned: lambda event: f"     {event.seat} resigns",
    told.Flagged: lambda event: f"     {event.seat} has run out of time",
    told.Proposed: lambda event: f"     {proposal(event)}",
    told.Voted: _voted,
    told.Closed: lambda event: f"     the proposal is {_CLOSED.get(event.outcome, event.outcome)}",
    told.Undone: lambda event: f"     back {plies(event.plies)}, to ply {event.ply}",
    told.Redone: lambda event: f"     forward {plies(event.plies)}, to ply {event.ply}",
}
"""`finished` is missing: the result is said at the end, under the board."""
