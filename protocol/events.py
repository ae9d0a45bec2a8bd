"""The events of an `update`: what happens at a table, and in a study.

Seats are named (`white`, `red`), times are milliseconds.
"""

from msgspec import Struct

from fourfold.protocol.studies import Chapter, Node, Shape, StudyVisibility, StudyWriting


class Event(Struct, tag_field="type", tag=str.lower):
    """What all events have in common."""


class Seated(Event):
    """A player took a seat."""

    seat: str
    player: str
    name: str


class Unseated(Event, omit_defaults=True):
    """A seat is free again before the start: its player left or was away for too long, or was `kicked` by the host."""

    seat: str
    kicked: bool = False


class Invited(Event):
    """A bot of a level is invited: to a free seat, or to stand in for its absent player."""

    seat: str
    level: int


class StoodIn(Event, tag="stood_in"):
    """A bot plays for an absent player, until that player returns."""

    seat: str
    player: str
    name: str


class Returned(Event):
    """A player is back, in the seat where a bot stood in or was invited to, or in an adjourned game."""

    seat: str


class Started(Event):
    """All seats are taken; the first seat is to move."""


class Tick(Struct):
    """What a move did to its player's clock, in milliseconds: the time `spent`, the time `gained`, and the time
    `left`. `lag` is the part that the network took; it was given back and is not in `spent`."""

    spent: int
    lag: int
    gained: int
    left: int


class Sight(Struct):
    """How the board looks after a step, for clients that draw it without knowing the rules.

    `text` is the move in the notation of people: SAN for two, long algebraic notation for four; empty if a player
    left. `changes` has the squares that have changed, each with what stands there now: a cell of FEN4 (`rP`, `drP` if
    grey), with `w` and `b` for two; null if it is empty. `check` has the seats whose king is attacked, `points` the
    points of each seat where points count.
    """

    text: str
    changes: dict[str, str | None]
    check: list[str] = []
    points: dict[str, int] | None = None


class Moved(Event):
    """A player made a move, in coordinate notation. `ply` is its number in the game, from 1."""

    seat: str
    move: str
    ply: int
    tick: Tick | None = None
    sight: Sight | None = None


class Eliminated(Event):
    """A player of a four-player game is out; the pieces stay on the board, grey.

    `reason` says why, `by` whose move did it (null if nobody's). For a king that walks on, a second such event comes
    when it is lost: `checkmate`, `stalemate` or `king_captured`.
    """

    seat: str
    reason: str
    by: str | None


class Resigned(Event):
    """A player resigned."""

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
    """A clock got time back because the service was away: `milliseconds`, for outages up to the time `until`."""

    seat: str
    milliseconds: int
    until: int


class Adjourned(Event):
    """No person has attended an untimed game for ten minutes: it leaves the lists until a move, or `returned`. At
    `deadline` the server ends it, for the reason `aborted`."""

    deadline: int


class Proposed(Event):
    """A vote was opened by `seat`: see `propose` for the kinds. An undo or redo leads to `ply`, whose position is
    `position`.

    `electorate` has the seats that must all agree before `deadline`; the proposer already has. A stand-in or a removal
    concerns the seat `absentee`; a stand-in brings a bot of `level`.
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
    """A seat of the electorate answered."""

    proposal: int
    seat: str
    accept: bool


class Closed(Event):
    """A vote is over: `carried`, `refused`, `expired` (not all answered in time), `superseded` (the game went on) or
    `withdrawn` (by its proposer)."""

    proposal: int
    outcome: str


class Undone(Event):
    """The game went back `plies` moves, to `ply`, whose whole state is restored. `out` has the seats that were out of
    the game at that ply, with the reason, `left` the clocks."""

    plies: int
    ply: int
    position: str
    out: dict[str, str] = {}
    left: dict[str, int] | None = None


class Redone(Event):
    """Undone moves were played again, up to `ply`. The other fields are as in `undone`."""

    plies: int
    ply: int
    moves: list[str]
    position: str
    out: dict[str, str] = {}
    left: dict[str, int] | None = None


class Result(Struct):
    """How a game ended: why, who won, the place of every seat, points where they count.

    If `winners` is empty, the game is a draw. Several winners are partners in `teams`, and share the first place in
    `ffa`. If a game of `ffa` ends by `agreement` or by any other draw, the leaders on points are the winners. `unrated`
    says why the way it was played keeps it from being rated, `too_short` or `same_address`: see *Ratings*.
    """

    reason: str
    winners: list[str]
    standings: dict[str, int]
    points: dict[str, int] | None
    unrated: str | None = None


class Finished(Event):
    """The game is over. `scores` has the score of every seat in the series: 1 for a win, ½ for a draw survived."""

    result: Result
    scores: dict[str, float] = {}


class Archived(Event):
    """The game is over for good: there is no rematch in this room. It can be watched and exported as before."""


class Player(Struct):
    """The player at a seat in the next game, with the score so far."""

    seat: str
    player: str
    name: str
    score: float


class Rematched(Event):
    """The next game of the series begins from the same start, with full clocks; every player moves to the next seat."""

    game: int
    seats: list[Player]


# -- of studies ---------------------------------------------------------------------------------


class Opened(Event):
    """A study was opened by its `owner`."""

    title: str
    visibility: StudyVisibility
    write: StudyWriting
    owner: str


class Named(Event):
    """A player who writes in the study, or may, goes by this name."""

    player: str
    name: str


class Titled(Event):
    """The study has another title."""

    title: str


class Shared(Event):
    """Others may see the study now. Who no longer may is sent `error`, with the code `no_such_room`, and nothing
    more."""

    visibility: StudyVisibility


class Allowed(Event):
    """Others may write now; `writers` are the named ones, by their ids, and `names` what they go by."""

    write: StudyWriting
    writers: list[str]
    names: dict[str, str]


class Deleted(Event):
    """The study is gone for good."""


class ChapterAdded(Event, tag="chapter_added"):
    """A chapter was added behind the others."""

    chapter: Chapter


class ChapterTitled(Event, tag="chapter_titled"):
    """A chapter has another title."""

    chapter: int
    title: str


class ChapterOrdered(Event, tag="chapter_ordered"):
    """A chapter stands at another place among all, 0 being the first."""

    chapter: int
    place: int


class ChapterRemoved(Event, tag="chapter_removed"):
    """A chapter was removed."""

    chapter: int


class NodeAdded(Event, tag="node_added"):
    """A move was added: the last of those that follow its parent."""

    chapter: int
    node: Node


class NodeRemoved(Event, tag="node_removed"):
    """A move was removed, with all that followed it."""

    chapter: int
    node: int


class Promoted(Event):
    """A move is now the first of those that follow its parent."""

    chapter: int
    node: int


class Commented(Event):
    """A move has another comment, or none."""

    chapter: int
    node: int
    text: str


class Annotated(Event):
    """A move has these glyphs, and no others."""

    chapter: int
    node: int
    glyphs: list[int]


class Drawn(Event):
    """A position has these arrows and marks, and no others."""

    chapter: int
    node: int
    shapes: list[Shape]


MatchEvent = (
    Seated | Unseated | Invited | StoodIn | Returned | Started
    | Moved | Resigned | Flagged | Removed | Credited | Adjourned | Eliminated
    | Proposed | Voted | Closed | Undone | Redone | Finished | Archived | Rematched
)  # fmt: skip
"""What happens at a table."""

StudyEvent = (
    Opened | Named | Titled | Shared | Allowed | Deleted
    | ChapterAdded | ChapterTitled | ChapterOrdered | ChapterRemoved
    | NodeAdded | NodeRemoved | Promoted | Commented | Annotated | Drawn
)  # fmt: skip
"""What happens in a study."""

AnyEvent = MatchEvent | StudyEvent
