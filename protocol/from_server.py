"""Everything a server may say: replies, pushed frames, and (from `events`) what an `update` tells.

Clients ignore fields and types they do not know, so that a newer server can serve older clients.
Seats go by name (`white`, `red`), times are milliseconds since 1970 by the server's clock, `seq` is
the version of a room's log: one more with each decision, never back, not even on an undo.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from fourfold.protocol.events import AnyEvent, Result

ReplyId = int | UnsetType
"""The id of the request this frame answers; left out of a frame that answers none."""


# -- parts of the snapshot ----------------------------------------------------------------------


class Seat(Struct):
    """A seat as the snapshot shows it; `player` and `name` are null while it is free.

    `out` says why a player of four is out of the game (`checkmate`, `resignation`, ..., or `set_up`
    when the game began without that army), null while in it. `invited` is the level of a bot that is
    asked to come, `stand_in` the name of one that plays for the absent player; `bot` says that the
    player is one. `score` is what the player has from the series. `since` is the moment from which the absence of
    a player who is not `online` is counted, null of others.
    """

    seat: str
    player: str | None
    name: str | None
    online: bool
    out: str | None
    bot: bool = False
    invited: int | None = None
    stand_in: str | None = None
    score: float = 0.0
    since: int | None = None


class Clocks(Struct):
    """The clocks: the control (`base`, `increment`, `delay`), what each seat has `left`, and `since` when that of
    the seat to move runs (null: none does). All in milliseconds."""

    base: int
    increment: int
    delay: int
    left: dict[str, int]
    since: int | None


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
    absentee: str | None = None
    level: int | None = None


class ListedSeat(Struct):
    """A seat as the lobby shows it: the name of who sits there, null while it is free; `bot` is true of a bot's
    seat, be it there or only invited."""

    seat: str
    name: str | None
    bot: bool = False


class Control(Struct):
    """How time is given, in milliseconds: see the client's `clock`."""

    base: int
    increment: int
    delay: int


class Listing(Struct):
    """A room as the lobby shows it. `clock` is null in an untimed game; `locked` says that a password is asked,
    `seek` that it was opened by a `seek`, `empty` that nobody is there, neither a player nor anybody who watches.
    `ply`, `watchers` and `empty` may be some seconds old."""

    room: str
    variant: str
    clock: Control | None
    status: Literal["open", "playing"]
    seats: list[ListedSeat]
    ply: int
    watchers: int
    created: int
    locked: bool = False
    seek: bool = False
    empty: bool = False


# -- frames -------------------------------------------------------------------------------------


class Frame(Struct, tag_field="type", tag=str.lower):
    """What all frames share."""


class Reply(Frame, kw_only=True):
    """A frame that may answer a request."""

    id: ReplyId = UNSET


class Welcome(Reply):
    """Who you are: `player` is public; `token` is yours alone and brings the identity back. `build` names the version
    of the browser client that this server hands out, empty if it has none."""

    player: str
    name: str
    token: str
    server: str
    time: int
    build: str = ""


class Created(Reply):
    """The room is open."""

    room: str


class Fault(Struct):
    """One reason why no game can begin from a position: a code for programs, a sentence for people.

    The codes: `missing_king`, `extra_king`, `extra_walking_king` (of a player who is out), `adjacent_kings` (of
    enemies), `turn_of_dead_seat`, `dead_seat_in_teams`, `pawn_on_first_rank`, `pawn_on_last_rank`,
    `impossible_castling_right`, `impossible_en_passant`, `opponent_in_check` (who has just moved),
    `impossible_check` (three checks or more at once, which no moves can have given), `position_over`.
    """

    code: str
    message: str


class Side(Struct):
    """A seat of a variant: its name, the letter of its pieces in FEN4 and in `sight`, the number of its team (others'
    with the same number are partners), and which way its pawns go: `north`, to higher ranks; `east`, to later files;
    `south` or `west`."""

    seat: str
    letter: str
    team: int
    forward: str


class Board(Struct):
    """A board: so many files, lettered from a on the left, and so many ranks, numbered from 1 at the bottom, as the
    first seat sees it; and the squares that are missing from it."""

    files: int
    ranks: int
    missing: list[str]


class Array(Struct):
    """A starting array: the names that `create` knows it by, and its position, as FEN or FEN4."""

    names: list[str]
    position: str


class Promotion(Struct):
    """What a pawn may become: the letter behind the move (`e7e8q`), and that of the piece which then stands there."""

    move: str
    piece: str


class MultiCheck(Struct):
    """What a move is worth whose piece checks so many `kings`: if that is a queen, and if it is another."""

    kings: int
    queen: int
    other: int


class Points(Struct):
    """What counts where points decide.

    `pieces` is for the capture of each, `king` for a king's mate or capture, `stalemate` to who is stalemated.
    `walking_stalemate` goes to every active player when a king that walks is stalemated, `draw` to every active player
    in a draw, and again for each king that walks; `last` to the last active player for each such king. `lead` is what
    a leader of the last two needs to claim the game, and `king` more for each king that walks.
    """

    pieces: dict[str, int]
    king: int
    stalemate: int
    walking_stalemate: int
    draw: int
    last: int
    checks: list[MultiCheck]
    lead: int


class Variant(Struct):
    """A variant, with what its rules differ in from the others'.

    `starts` has the usual array first. A pawn promotes at `promotion_rank`, counted from its own side with 1 as the
    rank of its king, or where the board ends in front of it if that is null. `worth` is what pieces are commonly held
    to be worth. `en_passant` and `dead_kings_walk` say whether there is such a thing; `stalemate` is `"draw"` or, if
    its player goes out, `"out"`; `lone_minors_draw` whether the last two draw also with a knight or a bishop each.
    After `moves_without_progress` of each player without a capture or a pawn's move the game is drawn, or may be
    claimed as a draw where `claims` has `fifty_moves`.
    """

    variant: str
    title: str
    summary: str
    seats: list[Side]
    board: Board
    starts: list[Array]
    promotion_rank: int | None
    promotions: list[Promotion]
    worth: dict[str, int]
    points: Points | None
    en_passant: bool
    dead_kings_walk: bool
    stalemate: str
    lone_minors_draw: bool
    moves_without_progress: int
    claims: list[str]


class Variants(Reply):
    """The variants that can be played, in the order in which people are asked."""

    variants: list[Variant]


class Checked(Reply):
    """What is wrong with a position, everything at once; a game can begin from it if nothing is."""

    faults: list[Fault]


class Stop(Struct):
    """Where the reading of a game stopped: the line of the text (0: by the rules, not by the text), the number of the
    move there, what it says, and why it can't be played."""

    line: int
    ply: int
    move: str
    code: str
    message: str


class Parsed(Reply):
    """A game that was read: what to `create` so that it goes on.

    A room begins with everybody who still plays, and nobody else: if somebody leaves the game in the text, `position`
    is behind that, and `skipped` says behind how many moves (null: nobody does). `last` is a move behind `moves` that
    ends the game; `ended` says why it ended without one; `stopped` says where the text could not be followed, and
    `remarks` what was read on past: a draw that only our rules give (`past_draw`), a null move (`null_move`).
    """

    variant: str
    position: str | None
    moves: list[str]
    skipped: int | None
    last: str | None
    ended: str | None
    stopped: Stop | None
    remarks: list[Stop] = []


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
    """Not done, and why: see `fourfold.protocol.errors`.

    `seq` is the room's version now, where a room was meant; `retry` says after how many milliseconds
    it may be tried again, where that is all that is wrong.
    """

    kind: str
    code: str
    message: str
    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    retry: int | UnsetType = UNSET


class Pong(Reply):
    """A sign of life."""

    time: int


class Legal(Reply):
    """The legal moves asked for, of the player to move."""

    room: str
    seat: str
    moves: list[str]
    seq: int


class Exported(Reply):
    """The game as text."""

    room: str
    format: str
    text: str
    seq: int


class Room(Reply):
    """The snapshot: all there is to know of a room at `seq`.

    `status` is `open` (seats are free), `playing` or `finished`. `start` is the FEN or FEN4 the game
    began from, `moves` its line so far, `position` where it stands; `turn` is null unless playing.
    `redo` counts the undone moves that a redo could bring back; `game` the games of the series. `host` is the
    player who opened the room.
    `check` are the seats whose king is attacked. `visibility` is `public` or `private`; `locked` says that a
    password is asked of others, `chat` whether there may be talk. With a `delay` (milliseconds) those without
    a seat see the game that much later; `time` is then the time of what they see. Somebody who has been away for
    `absence` milliseconds is absent: see *Votes*. `claims` says what a seat may `claim` now, if anything: `fifty_moves`
    or `threefold` on its turn, `points` at any time. `decided` is the time of the decision that led to `seq`.
    """

    room: str
    variant: str
    status: Literal["open", "playing", "finished"]
    seats: list[Seat]
    start: str
    position: str
    moves: list[str]
    redo: int
    clocks: Clocks | None
    turn: str | None
    proposal: Proposal | None
    result: Result | None
    watchers: int
    seq: int
    time: int
    game: int = 1
    visibility: str = "public"
    locked: bool = False
    chat: bool = True
    check: list[str] = []
    delay: int = 0
    host: str = ""
    absence: int = 60_000
    claims: dict[str, list[str]] = {}
    decided: int = 0


class Update(Frame):
    """One decision: all its events happened at once, at `seq`."""

    room: str
    seq: int
    time: int
    events: list[AnyEvent]


class Turn(Frame, omit_defaults=True):
    """To the player to move alone: it is your turn, and these are the legal moves. `claims` are what you may `claim`
    instead; left out, nothing."""

    room: str
    seq: int
    seat: str
    legal: list[str]
    claims: list[str] = []


class Presence(Frame):
    """A player came online or went offline, or is now counted as away from another moment, `since` (null while
    online): so it is after an outage of the service. Not part of the log."""

    room: str
    seat: str
    online: bool
    since: int | None = None


class Watchers(Frame):
    """How many watch. Not part of the log."""

    room: str
    count: int


class Said(Frame):
    """Somebody (`seat` is null for a watcher) has said something, to `all` or to the `table`. Not part of the log."""

    room: str
    seat: str | None
    name: str
    text: str
    to: str
    time: int


class Rooms(Reply):
    """The public rooms asked for, newest first; `more` says that there are others beyond the limit."""

    rooms: list[Listing]
    more: bool


class Lobby(Frame):
    """What has changed in the list of rooms this connection follows: entries that are new or different, and rooms
    that are no longer in it. At most twice a second."""

    changed: list[Listing]
    removed: list[str]


class Summon(Frame):
    """To a host of bots alone: a seat waits for a bot of `level`, who says hello with this `token` and joins."""

    room: str
    seat: str
    level: int
    token: str


class Closing(Frame):
    """The server is about to close the connection; reconnect after `retry` milliseconds and resume.

    The `reason` is `restart`, or `store`: this server can't reach its store, and another may.
    """

    reason: str
    retry: int


AnyFrame = (
    Welcome | Created | Variants | Checked | Parsed | Joined | Ok | Error | Pong | Legal | Exported
    | Room | Update | Turn | Presence | Watchers | Said | Rooms | Lobby | Summon | Closing
)  # fmt: skip
