"""Games that were played elsewhere: the games of a file, one after another, each as the log of a room. Pure.

The id of a game's room is derived from its text, so that a second import of the same file adds nothing.
"""

import codecs
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final

from fourfold.engine.decisions import Decision
from fourfold.engine.match import State, evolve
from fourfold.engine.match import events as e
from fourfold.engine.match.clock import Control, Tick
from fourfold.engine.match.display import sight
from fourfold.engine.match.progress import eliminations
from fourfold.engine.match.terms import Terms
from fourfold.engine.notation import options
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game, Step
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import begins_as_usual, rules_of
from fourfold.server.archive.facts import Imported, fold
from fourfold.server.players.sanitize import shown
from fourfold.server.rooms.registry import id_of
from fourfold.server.storage.records import BEGINNING, Entry, descend, pack, seal

FORMATS: Final = ("pgn", "pgn4")
"""The formats of imported games. A file's name or its first game shows which one it is."""

ID: Final = "imported:"
"""The prefix of the ids of players of imported games; their names follow."""

LONGEST_NAME: Final = 40

_DEPARTURES: Final[dict[Termination, type[e.Resigned | e.Flagged | e.Removed]]] = {
    Termination.RESIGNATION: e.Resigned,
    Termination.TIME: e.Flagged,
    Termination.ABANDONMENT: e.Removed,
}

_TOLD: Final = (
    (re.compile(r"\b(?:on|by|over) time\b|\btime ?(?:out\b|forfeit|control|is up)|^time\b|\bflag"), Termination.TIME),
    (re.compile(r"\babandon(?:ed|ment)\b"), Termination.ABANDONMENT),
)
"""Values of the tag `Termination` for a game that one side lost without a mate on the board. Any other value counts as
resignation."""

_TOLD_DRAWS: Final = (
    ("insufficient", Termination.INSUFFICIENT_MATERIAL),
    ("repetition", Termination.THREEFOLD),
    ("50", Termination.FIFTY_MOVES),
)
"""Values of the tag for a draw. Any other value counts as agreement."""

_NO_GAME: Final = ("null_move", "open_comment")
"""Remarks about records that are not complete games."""

_SHARE: Final = re.compile(r": *(\d+)(?: - |$)")
_CONTROL: Final = re.compile(r"(\d{1,6})(?:\+(\d{1,5}))?")
_EVENT: Final = re.compile(r'\[Event "[^"]*"\]\s*$')


class NoGame(ValueError):
    """A record can't be stored as a game. The message says why."""


def texts(lines: Iterator[bytes]) -> Iterator[tuple[int, str]]:
    """The text of each game of a file, with the number of its first line. A game begins with tags that follow moves.

    A line is UTF-8, or else Latin-1, as in older files. Tags within a comment don't count, except `Event`, the first
    tag of most games. So an unclosed comment does not swallow the games after it.
    """
    first, game, moves, comment = 1, list[str](), False, False
    for number, raw in enumerate(lines, start=1):
        line = _decoded(raw)
        if comment and _EVENT.match(line):
            comment, moves = False, True
        tag = line.startswith("[") and not comment
        if tag and moves:
            yield first, "".join(game)
            first, game, moves = number, [], False
        if not tag:
            moves = moves or bool(line.strip())
            for brace in re.findall("[{};]", line) if comment or not line.startswith("%") else ():
                if brace == ";" and not comment:
                    break
                comment = brace == "{" if brace != ";" else comment
        if game or line.strip():
            game.append(line)
        else:
            first = number + 1
    if game:
        yield first, "".join(game)


def _decoded(raw: bytes) -> str:
    line = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return line.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        return line.decode("latin-1").replace("\r\n", "\n")


def room_of(text: str) -> str:
    """The id of the room of an imported text."""
    return id_of(int.from_bytes(blake2b(text.encode(), person=b"import", digest_size=16).digest()), "private")


async def of(text: str, format: str) -> Imported:
    """The game of a text of one of `FORMATS`. Raises `NoGame`."""
    kept = text.strip("\n") + "\n"
    games = list(READERS[format](kept))
    if len(games) != 1:
        raise NoGame("there is no game" if not games else "several games are not separated by tags")
    entries, decisions = log(games[0])
    room = room_of(kept)
    _, (facts,) = await fold(room, decisions)
    return Imported(room, entries, facts, format, kept)


def log(game: Game) -> tuple[list[Entry], list[Decision]]:
    """The log of the room in which a record is replayed: as entries and as decisions. Raises `NoGame`."""
    return _Log(game).written()


class _Log:
    """Writes the decisions of a game, one for each step."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._at = _began(game.tags)
        self._lineage = BEGINNING
        self._entries: list[Entry] = []
        self._decisions: list[Decision] = []
        self._state: State | None = None
        self._left: list[int] = []

    def written(self) -> tuple[list[Entry], list[Decision]]:
        game = self._game
        _check(game)
        control = _control(game)
        self._left = [] if control is None else [control.base] * len(game.start.seats)
        self._take(*_beginning(game, control))
        ply = 0
        for step in game.line.steps:
            ply += step.move is not None
            self._step(step, ply, control)
        outcome = _outcome(game)
        lost = _departure(game, outcome)
        self._take(*lost, e.Finished(outcome, _half_points(outcome)))
        self._take(e.Archived())
        assert self._state is not None  # the room has at least one decision
        if self._state.position.fen() != game.position.fen() and not lost:
            raise NoGame("under our rules its moves lead elsewhere")
        return self._entries, self._decisions

    def _step(self, step: Step, ply: int, control: Control | None) -> None:
        out = eliminations(step.after)
        seen = sight(step.before, step.after, step.move)
        if step.move is not None:
            tick = None
            if control is not None and step.clock is not None:
                tick = self._tick(step.seat, step.clock, control)
            self._take(e.Moved(step.seat, step.move.text, ply, tick, step.after, seen), *out)
        elif step.reason in _DEPARTURES:
            self._take(_DEPARTURES[step.reason](step.seat, seen), *out)

    def _tick(self, seat: int, left: int, control: Control) -> Tick:
        spent = max(0, self._left[seat] + control.increment - left)
        self._left[seat] = left
        self._at += spent
        return Tick(spent, 0, control.increment, left)

    def _take(self, *events: e.Event) -> None:
        seq, packed = len(self._entries) + 1, pack("", "", events)
        self._lineage = descend(self._lineage, packed)
        decision = Decision(seq, self._at, "", "", events, self._lineage)
        try:
            self._state = evolve(self._state, decision)
        except Exception as error:  # an impossible decision may raise any exception
            raise NoGame(f"under our rules it can't be replayed ({error})") from error
        self._entries.append(Entry(seq, self._at, packed, seal(self._lineage, packed)))
        self._decisions.append(decision)


def _check(game: Game) -> None:
    failure = game.failure
    if failure is not None:
        where = "" if failure.ply == 0 else f"move {failure.ply}, {failure.move}: "
        raise NoGame(f"{where}{failure.reason}")
    if not game.plies:
        raise NoGame("it has no moves")
    for remark in game.remarks:
        if remark.code in _NO_GAME:
            raise NoGame(f"move {remark.ply}: {remark.reason}")


def _beginning(game: Game, control: Control | None) -> list[e.Event]:
    start = game.start
    usual = start.rules == rules_of(start.variant)
    created = e.Created(
        start.variant,
        None if usual and begins_as_usual(start) else start.fen(),
        "public",
        "",
        control,
        Terms(chat=False, imported=True),
        options=None if usual else options.write(start.rules),
    )
    names = [shown(game.tags.get(seat.capitalize(), ""))[:LONGEST_NAME] or "?" for seat in start.seats]
    return [created, *(e.Seated(seat, ID + name, name) for seat, name in enumerate(names)), e.Started()]


def _began(tags: dict[str, str]) -> int:
    """When a game began, in milliseconds since 1970; 0 if the record does not say, or if that was before. Unknown parts
    of the date count as the first of the year or the month."""
    for date, time in (("UTCDate", "UTCTime"), ("Date", "")):
        day = re.match(r"(\d{4})(?:[.-](\d\d))?(?:[.-](\d\d))?", tags.get(date, ""))
        hour = re.fullmatch(r"(\d\d):(\d\d):(\d\d)", tags.get(time, "00:00:00"))
        if day is not None and hour is not None:
            year, month, of_month, hours, minutes, seconds = (
                int(part or 1) for part in (*day.groups(), *hour.groups())
            )
            try:
                return max(
                    0, int(datetime(year, month, of_month, hours, minutes, seconds, tzinfo=UTC).timestamp() * 1000)
                )
            except ValueError:
                continue
    return 0


def _control(game: Game) -> Control | None:
    """The time control of a two-player game, in seconds as in PGN. PGN4 has no single notation for it."""
    found = _CONTROL.fullmatch(game.tags.get("TimeControl", "")) if game.start.rules.records == "pgn" else None
    if found is None or not int(found[1]):
        return None
    return Control(1000 * int(found[1]), 1000 * int(found[2] or 0))


def _outcome(game: Game) -> Outcome:
    """The outcome of a game: that of the board, unless it is a draw under our rules only; else that of the record."""
    position, steps = game.position, game.line.steps
    shown_ = position.outcome
    told = game.tags.get("Result", "*")
    seats = len(game.start.seats)
    if shown_ is not None and (position.past_draw() is position or told in ("*", "?", "", "1/2-1/2")):
        return shown_
    sides = game.start.rules.teams
    why = game.tags.get("Termination", "").lower()
    if told in ("1-0", "0-1") and len(set(sides)) == 2:
        winners = tuple(seat for seat in range(seats) if sides[seat] == sorted(set(sides))[told == "0-1"])
        reason = next((reason for words, reason in _TOLD if words.search(why)), Termination.RESIGNATION)
        return Outcome(reason, winners, tuple(1 if seat in winners else 1 + len(winners) for seat in range(seats)))
    if told in ("1/2-1/2", "½-½"):
        reason = next((reason for word, reason in _TOLD_DRAWS if word in why), Termination.AGREEMENT)
        return Outcome(position.may_claim(position.turn) or reason, (), (1,) * seats)
    points = tuple(map(int, _SHARE.findall(told)))
    if game.start.rules.scored and len(points) == seats:
        places = tuple(1 + sum(other > own for other in points) for own in points)
        return Outcome(Termination.POINTS, tuple(seat for seat in range(seats) if places[seat] == 1), places, points)
    if steps and steps[-1].reason is not None and shown_ is not None:
        return shown_
    return Outcome(Termination.ABORTED, (), (1,) * seats)


def _departure(game: Game, outcome: Outcome) -> list[e.Event]:
    """The event by which a player lost a two-player game without a mate on the board."""
    position: Position = game.position.past_draw()
    if len(position.seats) != 2 or position.outcome is not None or not outcome.winners:
        return []
    loser, reason = 1 - outcome.winners[0], outcome.termination
    after = position.eliminate(loser, reason)
    return [_DEPARTURES[reason](loser, sight(position, after)), *eliminations(after)]


def _half_points(outcome: Outcome) -> tuple[int, ...]:
    if outcome.termination is Termination.ABORTED:
        return (0,) * len(outcome.standings)
    if outcome.winners:
        return tuple(2 * (seat in outcome.winners) for seat in range(len(outcome.standings)))
    return tuple(int(place == 1) for place in outcome.standings)
