"""What is searched for: the facts of each game in a room's log. Pure, but for the turns it leaves to others."""

import asyncio
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from fourfold.engine.match import State, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.events import Created, Decision, Event, Finished, Redone, Started, StoodIn, Undone
from fourfold.engine.outcome import Outcome, Termination
from fourfold.server.archive.paths import Path, path
from fourfold.server.archive.standings import SeatChange
from fourfold.server.storage.event_log import DamagedEntry
from fourfold.server.storage.records import Entry

FOLDED: Final = 20
"""How many decisions are folded in one turn of the event loop: about a millisecond's work, since games go on."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """Who sat at a seat, and what became of them: `result` is `won`, `drawn`, `lost` or `aborted`; it and the place are
    None while the game is played. `change` is what a rated game did to the player's rating, once it is listed."""

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

    A game is `public` if its room was listed and has no password. `position` is the last one, as FEN or FEN4. `path`
    is what the explorer counts of it: nothing of a game that is not public or was aborted. It is not stored. A game
    that is `imported` was played elsewhere.

    `unrated` says why the game is not rated, empty if it is: it was `aborted`, `imported` or `casual` (so its host
    said), it began from another `position` than usual, moves were `undone`, there was a `stand_in`, it was `too_short`,
    opponents had the `same_address`, a player was a `guest`, or met an `own_bot`, or two bots had `one_owner`. What
    `fold` returns does not know the last three.
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
    """A game that was played elsewhere: the room it gets, its log and facts, and the text and format it came in."""

    room: str
    entries: Sequence[Entry]
    facts: GameFacts
    format: str
    text: str


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the list of games, newest first: behind the game that ended then, the `number`th of its room."""

    ended: int
    room: str
    number: int

    @classmethod
    def read(cls, text: str) -> Self:
        """The cursor that `str` wrote."""
        ended, room, number = text.split(".")
        return cls(int(ended), room, int(number))

    @classmethod
    def behind(cls, game: GameFacts) -> Self:
        """The place behind a game."""
        return cls(game.ended, game.room, game.number)

    def __str__(self) -> str:
        return f"{self.ended}.{self.room}.{self.number}"


@dataclass(frozen=True, slots=True)
class Search:
    """Which games are searched for (None: any), and how many at most.

    A player is searched for by id (`player`, and `other` who played too) or by `name` (and `other_name`), the case of
    letters aside. `players` is how many play. `result` is the player's, or of the game if there is neither `player` nor
    `name`. Games that are not public are left out unless they are asked for by one who has played them: `private`.
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
    """A move that was played from a position: in how many public games, and how many of them nobody won. By seat, in
    the order of turns: how many were won, and the sums of places and of points (0 where points do not count)."""

    move: str
    games: int
    drawn: int
    won: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games of a kind a player has won, drawn and lost. `kind` is what they have in common."""

    kind: tuple[str, ...]
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class Record:
    """A player's results: by variant, by variant and place, by variant and seat, and by opponent (their id and latest
    name). `since` is when the first game began; `name` the latest name."""

    name: str | None
    since: int | None
    variants: list[Tally]
    places: dict[tuple[str, int], int]
    seats: list[Tally]
    against: list[Tally]


def folded(name: str) -> str:
    """A name as it is compared: the case of its letters aside."""
    return unicodedata.normalize("NFKC", name).casefold()


def evolved(state: State | None, decision: Decision) -> State:
    """The state after a decision that was read. Raises `DamagedEntry` if it can't have been taken."""
    try:
        return evolve(state, decision)
    except Exception as error:  # whatever folding an impossible decision raises
        raise DamagedEntry(decision.seq, f"it cannot have happened ({error!r})") from error


async def fold(room: str, decisions: Sequence[Decision]) -> tuple[State, list[GameFacts]]:
    """What the whole log of a room leads to, and the facts of the games in it that ended after they had begun.

    Raises `DamagedEntry` if a decision can't have been taken.
    """
    state: State | None = None
    games: list[GameFacts] = []
    started: int | None = None
    unrated = ""
    for decision in decisions:
        state = evolved(state, decision)
        for event in decision.events:
            if isinstance(event, Started):
                started = decision.at
                unrated = "position" if _begins_elsewhere(decisions[0], state) else ""
            elif isinstance(event, Finished) and started is not None:
                games.append(await _facts(room, state, started, unrated))
                started = None
            else:
                unrated = unrated or _UNRATED.get(type(event), "")
        if decision.seq % FOLDED == 0:
            await asyncio.sleep(0)  # others have their turn
    if state is None:
        raise DamagedEntry(1, "it is missing")
    return state, games


_UNRATED: Final[dict[type[Event], str]] = {Undone: "undone", Redone: "undone", StoodIn: "stand_in"}
"""What happens in games that are not rated, and the reason that it is."""


def _begins_elsewhere(first: Decision, state: State) -> bool:
    """Whether a game that begins has a position of its host's making, or moves that nobody here has played. The arrays
    of start positions that have names are all usual."""
    created = first.events[0]
    return state.ply > 0 or (isinstance(created, Created) and "/" in (created.position or ""))


async def _facts(room: str, state: State, started: int, unrated: str) -> GameFacts:
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
        unrated=_why_not(state, outcome) or unrated or state.unrated,
    )


def _why_not(state: State, outcome: Outcome) -> str:
    """Why a game that has ended is not rated, whatever happened in it; empty if it may be."""
    if outcome.termination is Termination.ABORTED:
        return "aborted"
    if state.terms.imported:
        return "imported"
    return "" if state.terms.rated else "casual"


def is_public(state: State) -> bool:
    """Whether anybody may find a room's games: it is listed and has no password."""
    return state.visibility == "public" and state.terms.lock is None


def seats_of(state: State) -> tuple[SeatFacts, ...]:
    """Who sits where, and with which result if the game is over."""
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
