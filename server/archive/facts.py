"""The searchable facts of each game in a room's log. Pure, except that it lets other tasks run."""

import asyncio
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from fourfold.engine.decisions import Decision
from fourfold.engine.match import State, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.events import Finished, Started
from fourfold.engine.outcome import Outcome, Termination
from fourfold.server.archive.paths import Path, path
from fourfold.server.archive.standings import SeatChange
from fourfold.server.storage.event_log import DamagedEntry
from fourfold.server.storage.records import Entry, evolved

FOLDED: Final = 20
"""How many decisions are applied in one turn of the event loop: about a millisecond of work, since games go on."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """The player of a seat and their result: `result` is `won`, `drawn`, `lost` or `aborted`. It and the place are None
    while the game runs. `change` is the rating change of a rated game, once it is listed."""

    seat: str
    player: str
    name: str
    result: str | None
    place: int | None
    points: int | None
    change: SeatChange | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A game that was played to its end, the `number`th of its room. Times are in milliseconds since 1970.

    A game is `public` if its room was listed and has no password. `position` is the last one, as FEN or FEN4. `path` is
    the explorer's part of it, empty for games that are not public or were aborted. It is not stored. An `imported` game
    was played elsewhere.

    `unrated` says why the game is not rated, empty if it is. Values: `aborted`, `imported`, `casual` (the host's
    choice), `position` (a special start position), `undone` (moves were taken back), `stand_in`, `too_short`,
    `same_address` (of opponents), `guest`, `own_bot` (a player met their own bot), `one_owner` (of two bots). `fold`
    does not know the last three.
    """

    room: str
    number: int
    variant: str
    public: bool
    control: Control | None
    reason: str
    winners: tuple[str, ...]
    plies: int
    started: int
    ended: int
    position: str
    seats: tuple[SeatFacts, ...]
    imported: bool = False
    path: Path = field(default=(), compare=False, repr=False)
    unrated: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Imported:
    """A game that was played elsewhere: the room it gets, its log and facts, and its original text and format."""

    room: str
    entries: Sequence[Entry]
    facts: GameFacts
    format: str
    text: str


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the list of games, newest first: after the game that ended then, the `number`th of its room."""

    ended: int
    room: str
    number: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse the output of `str`."""
        ended, room, number = text.split(".")
        return cls(int(ended), room, int(number))

    @classmethod
    def behind(cls, game: GameFacts) -> Self:
        """The place after a game."""
        return cls(game.ended, game.room, game.number)

    def __str__(self) -> str:
        return f"{self.ended}.{self.room}.{self.number}"


@dataclass(frozen=True, slots=True)
class Search:
    """A search for games (None: any), with a limit.

    A player is given by id (`player`, and `other` for an opponent) or by `name` (and `other_name`), ignoring case.
    `players` is the number of players. `result` is the player's, or the game's without `player` and `name`. Only
    `private` searches, for a player's own games, include games that are not public.
    """

    player: str | None = None
    other: str | None = None
    name: str | None = None
    other_name: str | None = None
    variant: str | None = None
    players: int | None = None
    result: str | None = None
    since: int | None = None
    until: int | None = None
    after: Cursor | None = None
    limit: int = 20
    private: bool = False
    room: str | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A move played from a position: the number of public games, and of games without a winner. For each seat, in turn
    order: the number of wins, and the sums of places and of points (0 for variants without points)."""

    move: str
    games: int
    drawn: int
    won: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's numbers of wins, draws and losses in one group of games. `kind` names the group."""

    kind: tuple[str, ...]
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class Win:
    """A rated game in which a player placed before an opponent, and the opponent's rating before it, in thousandths of
    a point."""

    room: str
    number: int
    variant: str
    ended: int
    player: str
    name: str
    rating: int


@dataclass(frozen=True, slots=True)
class Record:
    """A player's results: by variant, by variant and place, by variant and seat, by opponent (their id and latest
    name), and by level of computer players. `since` is when the first game began; `name` the latest name. `best` are
    the wins against the highest-rated opponents."""

    name: str | None
    since: int | None
    variants: list[Tally]
    places: dict[tuple[str, int], int]
    seats: list[Tally]
    against: list[Tally]
    computers: list[Tally]
    best: list[Win]


def folded(name: str) -> str:
    """A name in the form used for comparison: without case."""
    return unicodedata.normalize("NFKC", name).casefold()


async def fold(room: str, decisions: Iterable[Decision]) -> tuple[State, list[GameFacts]]:
    """The state after the whole log of a room, and the facts of its games that began and ended.

    Takes turns with other tasks; an iterator may unpack the log meanwhile. Raises `DamagedEntry` if a decision can't
    follow the state before it.
    """
    state: State | None = None
    games: list[GameFacts] = []
    started: int | None = None
    for decision in decisions:
        state = evolved(evolve, state, decision)
        for event in decision.events:
            if isinstance(event, Started):
                started = decision.at
            elif isinstance(event, Finished) and started is not None:
                games.append(await _facts(room, state, started))
                started = None
        if decision.seq % FOLDED == 0:
            await asyncio.sleep(0)  # let other tasks run
    if state is None:
        raise DamagedEntry(1, "it is missing")
    return state, games


async def _facts(room: str, state: State, started: int) -> GameFacts:
    outcome = state.outcome
    assert outcome is not None  # the game has just ended
    names = state.position.seats
    public = is_public(state)
    counts = public and outcome.termination is not Termination.ABORTED
    return GameFacts(
        room=room,
        number=state.game,
        variant=state.variant,
        public=public,
        control=None if state.clocks is None else state.clocks.control,
        reason=outcome.termination.value,
        winners=tuple(names[seat] for seat in outcome.winners),
        plies=state.ply,
        started=started,
        ended=state.at,
        position=state.position.fen(),
        seats=seats_of(state),
        imported=state.terms.imported,
        path=await path(state) if counts else (),
        unrated=_why_not(state, outcome),
    )


def _why_not(state: State, outcome: Outcome) -> str:
    """Why a finished game is not rated; empty if it may be."""
    if outcome.termination is Termination.ABORTED:
        return "aborted"
    if state.terms.imported:
        return "imported"
    if not state.terms.rated:
        return "casual"
    return "position" if state.casual == "moves" else state.casual or state.unrated


def is_public(state: State) -> bool:
    """Whether anyone may find a room's games: it is listed and has no password."""
    return state.visibility == "public" and state.terms.lock is None


def seats_of(state: State) -> tuple[SeatFacts, ...]:
    """The players of all seats, with their results if the game is over."""
    outcome = state.outcome
    return tuple(
        SeatFacts(
            name,
            seat.player or "",
            seat.name or "",
            None if outcome is None else _result(outcome, index),
            None if outcome is None else outcome.standings[index],
            None if outcome is None or outcome.points is None else outcome.points[index],
        )
        for index, (name, seat) in enumerate(zip(state.position.seats, state.seats, strict=True))
    )


def _result(outcome: Outcome, seat: int) -> str:
    if outcome.termination is Termination.ABORTED:
        return "aborted"
    if outcome.winners:
        return "won" if seat in outcome.winners else "lost"
    return "drawn" if outcome.standings[seat] == 1 else "lost"
