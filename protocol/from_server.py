"""Everything a server may say: replies, pushed frames, and the events inside an `update`.

Clients ignore fields and types they do not know, so that a newer server can serve older clients.
Seats go by name (`white`, `red`), times are milliseconds since 1970 by the server's clock, `seq` is
the version of a room's log: one more with each decision, never back, not even on an undo.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

ReplyId = int | UnsetType
"""The id of the request this frame answers; left out of a frame that answers none."""


# -- events -------------------------------------------------------------------------------------


class Event(Struct, tag_field="type", tag=str.lower):
    """One thing that happened at a table."""


class Seated(Event):
    """A player took a seat."""

    seat: str
    player: str
    name: str


class Unseated(Event):
    """A player gave a seat back before the start."""

    seat: str


class Started(Event):
    """All seats are taken; the first seat is to move."""


class Moved(Event):
    """A move in coordinate notation; `ply` counts the moves of the game's line, this one included."""

    seat: str
    move: str
    ply: int


class Eliminated(Event):
    """A player of a four-player game is out; the army stays on the board, grey."""

    seat: str
    reason: str
    by: str | None


class Resigned(Event):
    """A player gave up."""

    seat: str


class Flagged(Event):
    """A player ran out of time."""

    seat: str


class Proposed(Event):
    """A vote was opened: by `seat`, on going back or forth to `ply` (whose `position` is given), or on a draw.

    `electorate` are the seats that must all agree before `deadline`; the proposer has.
    """

    proposal: int
    kind: str
    seat: str
    plies: int | None
    ply: int | None
    position: str | None
    electorate: list[str]
    deadline: int


class Voted(Event):
    """One elector's answer."""

    proposal: int
    seat: str
    accept: bool


class Closed(Event):
    """A vote is over: `carried`, `refused`, `expired` (silence is a no) or `superseded` (the game went on)."""

    proposal: int
    outcome: str


class Undone(Event):
    """The game went back `plies` moves: to `ply`, whose whole state is restored."""

    plies: int
    ply: int
    position: str


class Redone(Event):
    """Undone moves were played again, up to `ply`."""

    plies: int
    ply: int
    moves: list[str]
    position: str


class Result(Struct):
    """How a game ended: why, who won (nobody: a draw), the place of every seat, points where they count."""

    reason: str
    winners: list[str]
    standings: dict[str, int]
    points: dict[str, int] | None


class Finished(Event):
    """The game is over."""

    result: Result


AnyEvent = (
    Seated | Unseated | Started | Moved | Eliminated | Resigned | Flagged
    | Proposed | Voted | Closed | Undone | Redone | Finished
)  # fmt: skip


# -- parts of the snapshot ----------------------------------------------------------------------


class Seat(Struct):
    """A seat as the snapshot shows it; `player` and `name` are null while it is free.

    `out` says why a player of four is out of the game (`checkmate`, `resignation`, ..., or `set_up`
    when the game began without that army), null while in it.
    """

    seat: str
    player: str | None
    name: str | None
    online: bool
    out: str | None


class Proposal(Struct):
    """The open vote: as `proposed`, with the answers so far by seat."""

    proposal: int
    kind: str
    seat: str
    plies: int | None
    ply: int | None
    position: str | None
    electorate: list[str]
    votes: dict[str, bool]
    deadline: int


# -- frames -------------------------------------------------------------------------------------


class Frame(Struct, tag_field="type", tag=str.lower):
    """What all frames share."""


class Reply(Frame, kw_only=True):
    """A frame that may answer a request."""

    id: ReplyId = UNSET


class Welcome(Reply):
    """Who you are: `player` is public; `token` is yours alone and brings the identity back."""

    player: str
    name: str
    token: str
    server: str
    time: int


class Created(Reply):
    """The room is open."""

    room: str


class Joined(Reply):
    """The seat is yours."""

    room: str
    seat: str
    seq: int


class Ok(Reply):
    """Done and durable. `seq` is the version at which it was done."""

    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET


class Error(Reply):
    """Not done, and why: see `protocol.errors`. `seq` is the room's version now, where a room was meant."""

    kind: str
    code: str
    message: str
    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET


class Pong(Reply):
    """A sign of life."""

    time: int


class Legal(Reply):
    """The legal moves asked for, of the player to move."""

    room: str
    seat: str
    moves: list[str]
    seq: int


class Room(Reply):
    """The snapshot: all there is to know of a room at `seq`.

    `status` is `open` (seats are free), `playing` or `finished`. `start` is the FEN or FEN4 the game
    began from, `moves` its line so far, `position` where it stands; `turn` is null unless playing.
    `redo` counts the undone moves that a redo could bring back.
    """

    room: str
    variant: str
    status: Literal["open", "playing", "finished"]
    seats: list[Seat]
    start: str
    position: str
    moves: list[str]
    redo: int
    clocks: None
    turn: str | None
    proposal: Proposal | None
    result: Result | None
    watchers: int
    seq: int
    time: int


class Update(Frame):
    """One decision: all its events happened at once, at `seq`."""

    room: str
    seq: int
    time: int
    events: list[AnyEvent]


class Turn(Frame):
    """To the player to move alone: it is your turn, and these are the legal moves."""

    room: str
    seq: int
    seat: str
    legal: list[str]


class Presence(Frame):
    """A player came online or went offline. Not part of the log."""

    room: str
    seat: str
    online: bool


class Watchers(Frame):
    """How many watch. Not part of the log."""

    room: str
    count: int


class Closing(Frame):
    """The server is about to go away; reconnect after `retry` milliseconds and resume."""

    reason: str
    retry: int


AnyFrame = (
    Welcome | Created | Joined | Ok | Error | Pong | Legal | Room | Update | Turn | Presence | Watchers | Closing
)  # fmt: skip
