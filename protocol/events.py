"""The events of an `update`, for games and for studies.

Seats go by name (`white`, `red`). Times are milliseconds.
"""

from msgspec import UNSET, Struct, UnsetType

from fourfold.protocol.studies import Chapter, Node, Shape, StudyVisibility, StudyWriting


class Event(Struct, tag_field="type", tag=str.lower):
    """The base of all events."""


class Seated(Event):
    """A player took a seat; in a game that is played, from a computer player (see `seek` and its `fill`)."""

    seat: str
    player: str
    name: str


class Renamed(Event):
    """The player at a seat goes by another name from now on: see `join`."""

    seat: str
    name: str


class Unseated(Event, omit_defaults=True):
    """A seat is free again before the start. Its player left or was away for too long, or the host removed the player
    (`kicked`)."""

    seat: str
    kicked: bool = False


class Invited(Event):
    """A bot of a level was invited to a free seat, or as a stand-in for its absent player."""

    seat: str
    level: int


class StoodIn(Event, tag="stood_in"):
    """A bot plays for an absent player, until that player returns."""

    seat: str
    player: str
    name: str


class Returned(Event):
    """A player is back, at a seat with a stand-in or an invited bot, or in an adjourned game."""

    seat: str


class Started(Event):
    """The game started: all seats are taken. The first seat is to move."""


class Tick(Struct):
    """The effect of a move on its player's clock, in milliseconds: the time `spent`, the time `gained`, and the time
    `left`. `lag` is the network's part. It was given back and is not in `spent`."""

    spent: int
    lag: int
    gained: int
    left: int


class Sight(Struct):
    """The board after a step, for clients that do not know the rules.

    `text` is the move in SAN for two players, in long algebraic notation for four; empty if a player left. `changes`
    has the changed squares, each with its piece now: a cell of FEN4 (`rP`, `drP` if grey), with `w` and `b` for two
    players; null if it is empty. `check` has the seats in check. `points` has the points of each seat, where points
    count. In variants with drops, `hands` has the letters of the pieces in each seat's hand (`qpp`).
    """

    text: str
    changes: dict[str, str | None]
    check: list[str] = []
    points: dict[str, int] | None = None
    hands: dict[str, str] | UnsetType = UNSET


class Moved(Event):
    """A player made a move, in coordinate notation. `ply` is its number in the game, from 1."""

    seat: str
    move: str
    ply: int
    tick: Tick | None = None
    sight: Sight | None = None


class Eliminated(Event):
    """A player of a four-player game is out. The pieces turn grey and stay on the board.

    `reason` is why, and `by` is the seat whose move did it (null: no move did). For a walking king, a second such event
    comes when it is lost: `checkmate`, `stalemate` or `king_captured`.
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
    """The other players voted an absent player out."""

    seat: str
    sight: Sight | None = None


class Credited(Event):
    """A clock got back `milliseconds` for outages of the service up to the time `until`."""

    seat: str
    milliseconds: int
    until: int


class Adjourned(Event):
    """An untimed game had no person present for ten minutes. It leaves the lists until a move or `returned`. At
    `deadline` the server ends it, for the reason `aborted`."""

    deadline: int


class Paused(Event):
    """The players paused the game. All clocks stand at `left`, and nobody can move. The game goes on at the time
    `until`, or when the players have voted to go on."""

    until: int
    left: dict[str, int]


class Resumed(Event):
    """The pause is over. The clock of the player to move runs again; that player gets a `turn`."""


class Gave(Event):
    """The player at `seat` gave the opponent at the seat `to` more time, in milliseconds."""

    seat: str
    to: str
    milliseconds: int


class Berserked(Event):
    """A player gave up half of the time, and the increment. `left` is the time on the clock, as in `clocks`."""

    seat: str
    left: int


class Proposed(Event):
    """The player at `seat` opened a vote: see `propose` for the kinds. An undo or redo leads to `ply` and its
    `position`.

    `electorate` has the seats that must all agree before `deadline`; the proposer has agreed already. A stand-in or
    removal is about the seat `absentee`. `level` is the level of the stand-in.
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
    """A seat of the electorate voted."""

    proposal: int
    seat: str
    accept: bool


class Closed(Event):
    """A vote is over: `carried`, `refused`, `expired` (somebody did not answer in time), `superseded` (the game went
    on) or `withdrawn` (by its proposer)."""

    proposal: int
    outcome: str


class Undone(Event):
    """The game went back `plies` moves, to `ply`, with its whole state. `out` has the seats that were eliminated at
    that ply, with the reason. `left` has the clocks."""

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
    """The result of a game: its reason, the winners, the place of every seat, and the points where they count.

    If `winners` is empty, the game is a draw. Several winners are partners in `teams`, or share the first place in
    `ffa`. If a game of `ffa` ends by `agreement` or any other draw, the leaders on points are the winners. `unrated` is
    the reason why the game cannot be rated, `too_short` or `same_address`: see *Ratings*.
    """

    reason: str
    winners: list[str]
    standings: dict[str, int]
    points: dict[str, int] | None
    unrated: str | None = None


class Finished(Event):
    """The game is over. `scores` has the score of every seat in the series: 1 for a win, ½ for a draw of the players
    still in."""

    result: Result
    scores: dict[str, float] = {}


class Archived(Event):
    """The room is closed for good, so no rematch is possible. The game can still be watched and exported."""


class Player(Struct):
    """The player at a seat in the next game, with the score so far."""

    seat: str
    player: str
    name: str
    score: float


class Rematched(Event):
    """The next game of the series begins from the same start, with full clocks. Every player moves to the next seat."""

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
    """The name of a player who writes in the study, or can."""

    player: str
    name: str


class Titled(Event):
    """The study was renamed."""

    title: str


class Shared(Event):
    """The visibility of the study changed. Readers who can no longer see it get `error` with the code `no_such_room`,
    and no further frames about it."""

    visibility: StudyVisibility


class Allowed(Event):
    """The right to write changed. `writers` are the ids of the named writers, and `names` their names."""

    write: StudyWriting
    writers: list[str]
    names: dict[str, str]


class Deleted(Event):
    """The study was deleted for good."""


class ChapterAdded(Event, tag="chapter_added"):
    """A chapter was added after the others."""

    chapter: Chapter


class ChapterTitled(Event, tag="chapter_titled"):
    """A chapter was renamed."""

    chapter: int
    title: str


class ChapterOrdered(Event, tag="chapter_ordered"):
    """A chapter moved to another place among the chapters, 0 for the first."""

    chapter: int
    place: int


class ChapterRemoved(Event, tag="chapter_removed"):
    """A chapter was removed."""

    chapter: int


class NodeAdded(Event, tag="node_added"):
    """A move was added, as the last child of its parent."""

    chapter: int
    node: Node


class NodeRemoved(Event, tag="node_removed"):
    """A move was removed, with everything after it."""

    chapter: int
    node: int


class Promoted(Event):
    """A move became the first child of its parent: the main line."""

    chapter: int
    node: int


class Commented(Event):
    """The comment on a move changed; an empty `text` removed it."""

    chapter: int
    node: int
    text: str


class Annotated(Event):
    """The glyphs of a move changed. `glyphs` are all it has now."""

    chapter: int
    node: int
    glyphs: list[int]


class Drawn(Event):
    """The arrows and marks of a position changed. `shapes` are all it has now."""

    chapter: int
    node: int
    shapes: list[Shape]


MatchEvent = (
    Seated | Renamed | Unseated | Invited | StoodIn | Returned | Started
    | Moved | Resigned | Flagged | Removed | Credited | Adjourned | Eliminated
    | Paused | Resumed | Gave | Berserked
    | Proposed | Voted | Closed | Undone | Redone | Finished | Archived | Rematched
)  # fmt: skip
"""The events of a game."""

StudyEvent = (
    Opened | Named | Titled | Shared | Allowed | Deleted
    | ChapterAdded | ChapterTitled | ChapterOrdered | ChapterRemoved
    | NodeAdded | NodeRemoved | Promoted | Commented | Annotated | Drawn
)  # fmt: skip
"""The events of a study."""

AnyEvent = MatchEvent | StudyEvent
