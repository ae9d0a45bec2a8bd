"""What can happen to a match. Events are facts: `decide` makes them, the log keeps them, `evolve` applies them.

An event says everything that a listener needs: nobody has to replay the game to understand it.
Seats are indices in turn order. Times are milliseconds since 1970.
"""

from dataclasses import field
from enum import StrEnum
from typing import Any, Literal

from fourfold.engine.match.clock import Control, Tick
from fourfold.engine.match.display import Sight
from fourfold.engine.match.terms import USUAL, Terms
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.position import Position
from fourfold.engine.values import value


class ProposalKind(StrEnum):
    """What can be put to the vote."""

    UNDO = "undo"
    REDO = "redo"
    DRAW = "draw"
    STAND_IN = "stand_in"
    REMOVE = "remove"
    REMATCH = "rematch"


class Closure(StrEnum):
    """How a vote ends."""

    CARRIED = "carried"
    REFUSED = "refused"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


@value
class Created:
    """A match was opened by a player (the host). Of an imported game, `options` are those of its rules, as PGN4's tag
    `RuleVariants` names them, if they are not the variant's usual ones."""

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
    """A player took a seat. The `mark` stands for where they come from, in this match alone; empty if that is not
    known or does not matter."""

    seat: int
    player: str
    name: str
    mark: str = field(default="", repr=False)


@value
class Unseated:
    """A seat was given back before the start; or the host took it back, and its player was `kicked`."""

    seat: int
    kicked: bool = False


@value
class Invited:
    """A bot of a level was invited to a seat: a free one, or one whose player is absent."""

    seat: int
    level: int


@value
class StoodIn:
    """A bot has taken the seat of an absent player, until the player returns."""

    seat: int
    player: str
    name: str


@value
class Returned:
    """A player is back: in the seat that a bot held or was invited to, or in a game that was adjourned."""

    seat: int


@value
class Started:
    """All seats are taken."""


@value
class Moved:
    """A move was played; `ply` counts the moves of the line, this one included; `tick` is its time, if time counts.

    `after` is the position it leads to: the work `decide` did to prove the move, handed on so that
    `evolve` need not do it again. It is no part of the fact: never stored, never compared. `sight` is stored
    (None in logs that are older than it), but not compared either: it follows from the rest.
    """

    seat: int
    move: str
    ply: int
    tick: Tick | None = None
    after: Position | None = field(default=None, compare=False, repr=False)
    sight: Sight | None = field(default=None, compare=False, repr=False)


@value
class Resigned:
    """A player gave up."""

    seat: int
    sight: Sight | None = field(default=None, compare=False, repr=False)


@value
class Flagged:
    """A player ran out of time."""

    seat: int
    sight: Sight | None = field(default=None, compare=False, repr=False)


@value
class Removed:
    """A player who was absent was voted out."""

    seat: int
    sight: Sight | None = field(default=None, compare=False, repr=False)


@value
class Credited:
    """A clock was given time back that the service had taken, up to the moment `until`."""

    seat: int
    milliseconds: int
    until: int


@value
class Adjourned:
    """An untimed game has lost all its people. It is closed at `deadline` unless a player comes back before."""

    deadline: int


@value
class Eliminated:
    """A seat is out of a game that may go on, or the king that it had left behind is lost; follows the move,
    resignation or flag that caused it."""

    seat: int
    reason: Termination
    by: int | None


@value
class Proposed:
    """A vote was opened. For an undo or redo, `ply` and `position` (FEN or FEN4) are its target; for a
    stand-in or removal, `absentee` is the seat it is about, and `level` that of the bot."""

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
    """An elector answered."""

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
    """The last `plies` moves, and all that followed from them, were taken back: to `ply`, its `position`, the
    seats that were `out` then, and what each clock had `left`."""

    plies: int
    ply: int
    position: str
    out: tuple[tuple[int, str], ...] = ()
    left: tuple[int, ...] | None = None


@value
class Redone:
    """`plies` undone moves (`moves`), and all that followed from them, were played again."""

    plies: int
    ply: int
    moves: tuple[str, ...]
    position: str
    out: tuple[tuple[int, str], ...] = ()
    left: tuple[int, ...] | None = None


@value
class Finished:
    """The game is over. `scores` is what each seat now has from the series, in half points. `unrated` says why the way
    it was played keeps it from being rated: see `progress.why_unrated`; empty if nothing does."""

    outcome: Outcome
    scores: tuple[int, ...]
    unrated: str = ""


@value
class Archived:
    """The game is over for good: its log ends here, and is kept in the archive."""


@value
class Rematched:
    """The next game of the series: who comes to each seat (player, name) and with how many half points."""

    game: int
    players: tuple[tuple[str, str, int], ...]


Event = (
    Created | Seated | Unseated | Invited | StoodIn | Returned | Started
    | Moved | Resigned | Flagged | Removed | Credited | Adjourned | Eliminated
    | Proposed | Voted | Closed | Undone | Redone | Finished | Archived | Rematched
)  # fmt: skip


@value
class Decision:
    """One entry of a log: what one command led to, all at once.

    `events` are those of this module; a study's log has those of a study. `seq` counts the entries from 1; `at` is
    when the log took it; `by` and `key` are the player and the key of the command that caused it, empty if the server
    gave the command itself. `lineage` is the log's own
    mark of which entries lie before this one, and never compared.
    """

    seq: int
    at: int
    by: str
    key: str
    events: tuple[Any, ...]
    lineage: bytes = field(default=b"", compare=False, repr=False)


@value
class Rejection:
    """Why a command was not carried out: a stable code and a sentence.

    `kind` is `unreadable` (no such notation), `refused` (not now, not by you) or `illegal` (against
    the rules of chess). `retry` is in how many milliseconds the command may succeed, if it only came too early.
    """

    kind: Literal["unreadable", "refused", "illegal"]
    code: str
    message: str
    retry: int | None = None


def refused(code: str, message: str, retry: int | None = None) -> Rejection:
    """A rejection of the kind `refused`."""
    return Rejection("refused", code, message, retry)
