"""A game in words: seats, events and results as sentences. Pure."""

from collections.abc import Callable
from typing import Any, Final

from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.protocol import events as happened
from fourfold.protocol import from_server as told
from fourfold.protocol.events import Result

_HOW: Final = {
    "last_standing": "as the last one standing",
    "points": "on points",
    "king_captured": "by taking the king",
    "king_in_center": "with the king in the middle of the board",
    "king_on_last_rank": "with the king on the last rank",
    "no_pieces": "with the last piece captured",
    "time": "on time",
    "fifty_moves": "by the fifty-move rule",
    "seventyfive_moves": "by the seventy-five-move rule",
    "threefold": "by threefold repetition",
    "fivefold": "by fivefold repetition",
}
_DRAWN: Final = {
    "agreement", "fifty_moves", "seventyfive_moves", "threefold", "fivefold", "stalemate", "insufficient_material",
}  # fmt: skip
"""Reasons for which a game ends as a draw, unless points decide it."""

_CLOSED: Final = {
    "carried": "carried",
    "refused": "refused",
    "expired": "not answered in time",
    "superseded": "dropped, because the game went on",
    "withdrawn": "taken back",
}


def reaction(name: str) -> str:
    """A quick reaction in words: `good_move` is "Good move"."""
    return plain(name).capitalize()


def plain(term: str) -> str:
    """A term of the protocol in words: `fifty_moves` is "fifty moves"."""
    return term.replace("_", " ")


def listed(names: list[str]) -> str:
    """Names in a sentence: "red, blue and green"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


_UNRATED = {"too_short": "a player has not moved twice", "same_address": "opponents share an address"}
"""Why a game cannot be rated."""


def result(result: Result) -> str:
    """The winner and the reason: "White wins by checkmate."; then places and points, where they add something; then why
    the game is not rated, if the result says so."""
    if result.unrated is None:
        return _outcome(result)
    return f"{_outcome(result)} Not rated: {_UNRATED.get(result.unrated, plain(result.unrated))}."


def _outcome(result: Result) -> str:
    if result.reason == "aborted":
        return "The game was aborted: nobody has won."
    how = _HOW.get(result.reason, f"by {plain(result.reason)}")
    names = listed(result.winners).capitalize()
    if not result.winners:
        sentence = f"Draw {how}."
    elif result.points is not None and result.reason in _DRAWN:
        ended = "as everybody agreed to end" if result.reason == "agreement" else f"the game being drawn {how}"
        verb = "wins" if len(result.winners) == 1 else "share first place"
        sentence = f"{names} {verb} on points, {ended}."
    elif result.points is not None and len(result.winners) > 1:
        sentence = f"{names} share first place {how}."
    else:
        sentence = f"{names} {'wins' if len(result.winners) == 1 else 'win'} {how}."
    places = sorted(result.standings.items(), key=lambda entry: entry[1])
    if len(places) <= 2 or len(set(result.standings.values())) == 1:
        return sentence
    points = result.points
    scored = (f"{place}. {seat}" + (f" ({points[seat]})" if points else "") for seat, place in places)
    return f"{sentence} {', '.join(scored)}."


def plies(number: int) -> str:
    """A number of plies: "1 ply", "2 plies"."""
    return f"{number} {'ply' if number == 1 else 'plies'}"


def name(text: str) -> str:
    """A player's name for display: printable, and not too long."""
    return shown(text)[:24]


def shown(text: str) -> str:
    """Another user's text for display: printable characters only."""
    return "".join(filter(str.isprintable, text))


def player(seat: str, name_: str | None) -> str:
    """A seat with its player's name: "white (Ada)"."""
    return seat if name_ is None else f"{seat} ({name(name_)})"


def halves(score: float) -> str:
    """A score: "1½"."""
    whole, half = divmod(round(score * 2), 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def time(milliseconds: int, tenths_below: int = 20_000) -> str:
    """A clock: "4:59"; with little time left with tenths, "0:07.3"; from an hour on "1:02:03"."""
    minutes, rest = divmod(max(0, milliseconds) // 100, 600)
    if milliseconds < tenths_below:
        return f"0:{rest // 10:02}.{rest % 10}"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest // 10:02}" if hours else f"{minutes}:{rest // 10:02}"


def span(milliseconds: int) -> str:
    """A length of time, in seconds: "0:47"."""
    seconds = milliseconds // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def control(clock: told.Control | None) -> str:
    """A time control: "5 min + 3 s a move", "untimed"."""
    if clock is None:
        return "untimed"
    if not clock.base:
        return f"{clock.delay / 1000:g} s for each move"
    bonus = f" + {clock.increment / 1000:g} s a move" if clock.increment else ""
    return f"{clock.base / 60_000:g} min{bonus or (f', {clock.delay / 1000:g} s delay' if clock.delay else '')}"


def event(event: happened.AnyEvent, position: Position | None = None) -> str | None:
    """An event in one line; None if it needs no line. `position` is the position after the event, for proposals."""
    if isinstance(event, happened.Proposed):
        return f"     {proposal(event, position)}"
    sentence = _SENTENCES.get(type(event))
    return None if sentence is None else sentence(event)


def _seated(event: happened.Seated) -> str:
    return f"{name(event.name)} takes {event.seat}"


def _moved(event: happened.Moved) -> str:
    left = "" if event.tick is None or not event.tick.left else f"  {time(event.tick.left)}"
    return f"{event.ply:>4} {event.seat:<6} {event.move:<{5 if left else 0}}{left}"


def _eliminated(event: happened.Eliminated) -> str:
    by = f" by {event.by}" if event.by is not None else ""
    return f"     {event.seat} is out: {plain(event.reason)}{by}"


def proposal(asked: happened.Proposed | told.Proposal, position: Position | None = None) -> str:
    """A proposal: "red proposes to undo 2 moves". Where points count, a draw ends the game on points, and the text
    names the winner by `position`."""
    what = {
        "draw": "a draw" if position is None or position.points is None else _on_points(position),
        "rematch": "a rematch",
        "pause": "a pause of at most 10 minutes",
        "resume": "to end the pause",
        "remove": f"to remove {asked.absentee}",
        "stand_in": f"that a computer of level {asked.level} plays for {asked.absentee}",
    }.get(asked.kind, f"to {plain(asked.kind)} {moves(asked.plies or 1)}")
    return f"{asked.seat} proposes {what}"


def _on_points(position: Position) -> str:
    ended = position.end_in_draw(Termination.AGREEMENT).outcome
    assert ended is not None and ended.points is not None  # points count
    names = [position.seats[seat] for seat in ended.winners]
    points = max(ended.points)
    would = f"{names[0]} would win" if len(names) == 1 else f"{listed(names)} would share first place"
    return f"to end the game on points: {would} with {points}"


def _voted(event: happened.Voted) -> str:
    return f"     {event.seat} says {'yes' if event.accept else 'no'}"


_FREED: Final = {False: "free again", True: "removed by the host"}

_SENTENCES: dict[type[happened.AnyEvent], Callable[[Any], str]] = {
    happened.Seated: _seated,
    happened.Renamed: lambda event: f"{event.seat} is now {name(event.name)}",
    happened.Unseated: lambda event: f"{event.seat} is {_FREED[event.kicked]}",
    happened.Started: lambda _: "The game begins.",
    happened.Moved: _moved,
    happened.Eliminated: _eliminated,
    happened.Resigned: lambda event: f"     {event.seat} resigns",
    happened.Flagged: lambda event: f"     {event.seat} has run out of time",
    happened.Paused: lambda _: "     the game is paused",
    happened.Resumed: lambda _: "     the game goes on",
    happened.Gave: lambda event: f"     {event.seat} gives {event.to} {event.milliseconds // 1000} s",
    happened.Berserked: lambda event: f"     {event.seat} gives up half of the time",
    happened.Voted: _voted,
    happened.Closed: lambda event: f"     the proposal is {_CLOSED.get(event.outcome, event.outcome)}",
    happened.Undone: lambda event: f"     back {plies(event.plies)}, to ply {event.ply}",
    happened.Redone: lambda event: f"     forward {plies(event.plies)}, to ply {event.ply}",
}
"""`Finished` is missing: the result appears at the end, below the board."""


def sentence(event: happened.AnyEvent, position: Position | None = None) -> str:
    """An event in sentences. `position` is as in `event`."""
    if isinstance(event, happened.Proposed):
        return f"{proposal(event, position).capitalize()}."
    return _WHOLE[type(event)](event)


def moves(number: int) -> str:
    """A number of moves: "1 move", "2 moves"."""
    return f"{number} {'move' if number == 1 else 'moves'}"


def _plays(event: happened.Moved) -> str:
    sight = event.sight
    text = event.move if sight is None or sight.text == event.move else f"{sight.text} ({event.move})"
    check = "" if sight is None or not sight.check else f" Check to {listed(sight.check)}."
    return f"{event.seat.capitalize()} plays {text}.{check}"


def _goes_out(event: happened.Eliminated) -> str:
    by = f", by {event.by}" if event.by is not None else ""
    return f"{event.seat.capitalize()} is out of the game: {plain(event.reason)}{by}."


_ENDINGS: Final = {
    "carried": "Everybody agrees.",
    "refused": "The proposal is refused.",
    "expired": "The proposal was not answered in time.",
    "superseded": "The proposal is dropped, because the game went on.",
    "withdrawn": "The proposal is taken back.",
}

_WHOLE: Final[dict[type[happened.AnyEvent], Callable[[Any], str]]] = {
    happened.Seated: lambda event: f"{name(event.name)} sits down at {event.seat}.",
    happened.Renamed: lambda event: f"{event.seat.capitalize()} is now {name(event.name)}.",
    happened.Unseated: lambda event: f"{event.seat.capitalize()} is {_FREED[event.kicked]}.",
    happened.Invited: lambda event: f"A level {event.level} bot is invited to {event.seat}.",
    happened.StoodIn: lambda event: f"{name(event.name)} stands in for {event.seat}.",
    happened.Returned: lambda event: f"The player at {event.seat} is back.",
    happened.Started: lambda _: "The game begins.",
    happened.Moved: _plays,
    happened.Eliminated: _goes_out,
    happened.Resigned: lambda event: f"{event.seat.capitalize()} resigns.",
    happened.Flagged: lambda event: f"{event.seat.capitalize()} has run out of time.",
    happened.Removed: lambda event: f"{event.seat.capitalize()} was absent and is removed from the game.",
    happened.Credited: lambda event: (
        f"{event.seat.capitalize()} gets {event.milliseconds / 1000:.1f} s back: the server was away."
    ),
    happened.Adjourned: lambda _: "Everybody has left: the game leaves the list until a player comes back.",
    happened.Paused: lambda _: "The game is paused, for at most 10 minutes. 'resume' proposes to go on.",
    happened.Resumed: lambda _: "The game goes on.",
    happened.Gave: lambda event: (
        f"{event.seat.capitalize()} gives {event.to} {event.milliseconds // 1000} seconds more."
    ),
    happened.Berserked: lambda event: f"{event.seat.capitalize()} gives up half of the time, and the increment.",
    happened.Voted: lambda event: f"{event.seat.capitalize()} {'agrees' if event.accept else 'refuses'}.",
    happened.Closed: lambda event: _ENDINGS.get(event.outcome, f"The proposal is {plain(event.outcome)}."),
    happened.Undone: lambda event: (
        f"{moves(event.plies).capitalize()} taken back: the game stands after move {event.ply}."
    ),
    happened.Redone: lambda event: f"{moves(event.plies).capitalize()} played again: {' '.join(event.moves)}.",
    happened.Finished: lambda event: result(event.result),
    happened.Rematched: lambda event: (
        f"Game {event.game} of the series: {', '.join(player(one.seat, one.name) for one in event.seats)}."
    ),
}
