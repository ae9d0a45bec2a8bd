"""What happens at a table, as an `update` tells it.

Seats go by name (`white`, `red`), times are milliseconds.
"""

from msgspec import Struct


class Event(Struct, tag_field="type", tag=str.lower):
    """One thing that happened at a table."""


class Seated(Event):
    """A player took a seat."""

    seat: str
    player: str
    name: str


class Unseated(Event, omit_defaults=True):
    """A seat is free again before the start: its player gave it back or was away for too long; or was `kicked`, sent
    away by the host."""

    seat: str
    kicked: bool = False


class Invited(Event):
    """A bot of a level is asked to come: to a free seat, or to stand in for its absent player."""

    seat: str
    level: int


class StoodIn(Event, tag="stood_in"):
    """A bot plays for an absent player, until that player returns."""

    seat: str
    player: str
    name: str


class Returned(Event):
    """A player is back in the seat that a bot held or was asked to."""

    seat: str


class Started(Event):
    """All seats are taken; the first seat is to move."""


class Tick(Struct):
    """What a move did to its player's clock, in milliseconds: `spent` was taken and `gained` added, so much is
    `left`; `lag`, the network's part, was given back before that and is not in `spent`."""

    spent: int
    lag: int
    gained: int
    left: int


class Sight(Struct):
    """How the board looks after a step, for those who draw it without knowing the rules.

    `text` is the move as people write it: SAN for two, long algebraic notation for four; empty for a
    departure. `changes` are the squares on which something else stands than before, with what does now: a
    cell of FEN4 (`rP`, `drP` if grey), with `w` and `b` for two; null if nothing does. `check` are the seats
    whose king is attacked, `points` what each has where points count.
    """

    text: str
    changes: dict[str, str | None]
    check: list[str] = []
    points: dict[str, int] | None = None


class Moved(Event):
    """A move in coordinate notation; `ply` counts the moves of the game's line, this one included."""

    seat: str
    move: str
    ply: int
    tick: Tick | None = None
    sight: Sight | None = None


class Eliminated(Event):
    """A player of a four-player game is out; the army stays on the board, grey.

    `reason` says how, `by` whose move did it (null if nobody's). A king that walks on has another of these when it is
    lost: `checkmate`, `stalemate` or `king_captured`.
    """

    seat: str
    reason: str
    by: str | None


class Resigned(Event):
    """A player gave up."""

    seat: str
    sight: Sight | None = None


class Flagged(Event):
    """A player ran out of time."""

    seat: str
    sight: Sight | None = None


class Removed(Event):
    """An absent player was voted out."""

    seat: str
    sight: Sight | None = None


class Credited(Event):
    """A clock got time back, because the service itself was away: `milliseconds`, for outages up to `until`."""

    seat: str
    milliseconds: int
    until: int


class Proposed(Event):
    """A vote was opened: by `seat`, on going back or forth to `ply` (whose `position` is given), or on a draw.

    `electorate` are the seats that must all agree before `deadline`; the proposer has. A stand-in or a
    removal is about the seat `absentee`, a stand-in brings a bot of `level`.
    """

    proposal: int
    kind: str
    seat: str
    plies: int | None
    ply: int | None
    position: str | None
    electorate: list[str]
    deadline: int
    absentee: str | None = None
    level: int | None = None


class Voted(Event):
    """One elector's answer."""

    proposal: int
    seat: str
    accept: bool


class Closed(Event):
    """A vote is over: `carried`, `refused`, `expired` (silence is a no), `superseded` (the game went on) or
    `withdrawn` (by its proposer)."""

    proposal: int
    outcome: str


class Undone(Event):
    """The game went back `plies` moves: to `ply`, whose whole state is restored; `out` are the seats out of the
    game at that ply, with the reason, `left` the clocks."""

    plies: int
    ply: int
    position: str
    out: dict[str, str] = {}
    left: dict[str, int] | None = None


class Redone(Event):
    """Undone moves were played again, up to `ply`; the rest as in `undone`."""

    plies: int
    ply: int
    moves: list[str]
    position: str
    out: dict[str, str] = {}
    left: dict[str, int] | None = None


class Result(Struct):
    """How a game ended: why, who won, the place of every seat, points where they count.

    Nobody in `winners`: a draw. Several: in `teams`, partners; in `ffa`, a first place that they share. A game of
    `ffa` that is ended by `agreement`, or by any other draw, has whoever then leads on points in `winners`.
    """

    reason: str
    winners: list[str]
    standings: dict[str, int]
    points: dict[str, int] | None


class Finished(Event):
    """The game is over; `scores` is what everybody now has from the series (1 for a win, ½ for a draw survived)."""

    result: Result
    scores: dict[str, float] = {}


class Player(Struct):
    """Who comes to a seat for the next game, and with what score."""

    seat: str
    player: str
    name: str
    score: float


class Rematched(Event):
    """The next game of the series begins from the same start, with full clocks; everybody has moved one seat on."""

    game: int
    seats: list[Player]


AnyEvent = (
    Seated | Unseated | Invited | StoodIn | Returned | Started
    | Moved | Resigned | Flagged | Removed | Credited | Eliminated
    | Proposed | Voted | Closed | Undone | Redone | Finished | Rematched
)  # fmt: skip
