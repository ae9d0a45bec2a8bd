"""The events of a match. `decide` creates them, the log stores them, `evolve` applies them.

An event contains everything that a listener needs to understand it, without replaying the game. Seats are indices in
turn order. Times are milliseconds since 1970.
"""

from dataclasses import field
from enum import StrEnum
from typing import Literal

from fourfold.engine.match.clock import Control, Tick
from fourfold.engine.match.display import Sight
from fourfold.engine.match.terms import USUAL, Terms
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.position import Position
from fourfold.engine.values import value


class ProposalKind(StrEnum):
    """The kinds of votes."""

    UNDO = "undo"
    REDO = "redo"
    DRAW = "draw"
    STAND_IN = "stand_in"
    REMOVE = "remove"
    REMATCH = "rematch"
    PAUSE = "pause"
    RESUME = "resume"


class Closure(StrEnum):
    """The results of a vote."""

    CARRIED = "carried"
    REFUSED = "refused"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


@value
class Created:
    """A player, the host, opened a match. `options` are the rule options of an imported game, as in PGN4's tag
    `RuleVariants`, if they differ from the variant's own."""

    variant: str
    position: str | None
    visibility: Literal["public", "private"]
    host: str
    control: Control | None = None
    terms: Terms = USUAL
    seed: int = 0
    options: str | None = None


@value
class Seated:
    """A player took a seat; in a running game, a computer's. `mark` is a token for the player's address that is valid
    in this match alone; empty if the address is unknown or does not matter."""

    seat: int
    player: str
    name: str
    mark: str = field(default="", repr=False)


@value
class Renamed:
    """The player at a seat goes by another name."""

    seat: int
    player: str
    name: str


@value
class Unseated:
    """A player left a seat before the start. With `kicked`, the host removed the player."""

    seat: int
    kicked: bool = False


@value
class Invited:
    """A bot of a level was invited to a free seat, or to the seat of an absent player."""

    seat: int
    level: int


@value
class StoodIn:
    """A bot took over for an absent player, until the player returns."""

    seat: int
    player: str
    name: str


@value
class Returned:
    """A player is back, in a seat that a bot held or was invited to, or in an adjourned game."""

    seat: int


@value
class Started:
    """The game started: all seats are taken."""


@value
class Moved:
    """A move was played. `ply` counts the moves of the line, including this one. `tick` is the move's time, in a timed
    game.

    `after` is the position after the move. `decide` computed it to check the move, and passes it on to spare `evolve`
    the work. It is never stored or compared. `sight` is stored, except in old logs, where it is None. It is not
    compared either, because it follows from the rest.
    """

    seat: int
    move: str
    ply: int
    tick: Tick | None = None
    after: Position | None = field(default=None, compare=False, repr=False)
    sight: Sight | None = field(default=None, compare=False, repr=False)


@value
class Resigned:
    """A player resigned."""

    seat: int
    sight: Sight | None = field(default=None, compare=False, repr=False)


@value
class Flagged:
    """A player ran out of time."""

    seat: int
    sight: Sight | None = field(default=None, compare=False, repr=False)


@value
class Removed:
    """The players voted an absent player out."""

    seat: int
    sight: Sight | None = field(default=None, compare=False, repr=False)


@value
class Credited:
    """A clock got back the time of an outage, up to the moment `until`."""

    seat: int
    milliseconds: int
    until: int


@value
class Adjourned:
    """An untimed game was adjourned, because no player is connected. The server closes it at `deadline` unless a player
    comes back before."""

    deadline: int


@value
class Paused:
    """The players paused the game: all clocks stand at `left`, and nobody can move. It goes on at `until`, unless the
    players go on before."""

    until: int
    left: tuple[int, ...]


@value
class Resumed:
    """The pause is over. The clock of the seat to move runs again."""


@value
class Gave:
    """A player gave an opponent, at the seat `to`, more time."""

    seat: int
    to: int
    milliseconds: int


@value
class Berserked:
    """A player gave up half of the time, `left` is the other half, and the increment."""

    seat: int
    left: int


@value
class Eliminated:
    """A seat was eliminated, or its walking king was lost. Follows the move, resignation or flag that caused it."""

    seat: int
    reason: Termination
    by: int | None


@value
class Proposed:
    """A vote was opened. For an undo or redo, `ply` and `position` (FEN or FEN4) are its target. For a stand-in or
    removal, `absentee` is the absent player's seat, and `level` the bot's level."""

    number: int
    kind: ProposalKind
    seat: int
    plies: int | None
    ply: int | None
    position: str | None
    electorate: tuple[int, ...]
    deadline: int
    absentee: int | None = None
    level: int | None = None


@value
class Voted:
    """An elector voted."""

    number: int
    seat: int
    accept: bool


@value
class Closed:
    """A vote ended."""

    number: int
    closure: Closure


@value
class Undone:
    """The last `plies` moves were undone, with all their consequences. `ply`, `position`, the eliminated seats (`out`)
    and the remaining times (`left`) are those of the restored ply."""

    plies: int
    ply: int
    position: str
    out: tuple[tuple[int, str], ...] = ()
    left: tuple[int, ...] | None = None


@value
class Redone:
    """`plies` undone moves (`moves`) were played again, with all their consequences."""

    plies: int
    ply: int
    moves: tuple[str, ...]
    position: str
    out: tuple[tuple[int, str], ...] = ()
    left: tuple[int, ...] | None = None


@value
class Finished:
    """The game is over. `scores` has each seat's score in the series, in half points. `unrated` is the reason why the
    game cannot be rated (see `progress.why_unrated`); empty if it can."""

    outcome: Outcome
    scores: tuple[int, ...]
    unrated: str = ""


@value
class Archived:
    """The match is over for good. Its log ends here and moves to the archive."""


@value
class Rematched:
    """The next game of the series began: each seat's player and name, and scores in half points."""

    game: int
    players: tuple[tuple[str, str, int], ...]


Event = (
    Created | Seated | Renamed | Unseated | Invited | StoodIn | Returned | Started
    | Moved | Resigned | Flagged | Removed | Credited | Adjourned | Eliminated | Paused | Resumed | Gave | Berserked
    | Proposed | Voted | Closed | Undone | Redone | Finished | Archived | Rematched
)  # fmt: skip
