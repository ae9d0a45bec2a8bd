"""Frames about rooms and the games in them."""

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType, field

from fourfold.protocol.events import AnyEvent, Result
from fourfold.protocol.frames.base import Frame, Reply
from fourfold.protocol.variants import Variant

NEVER: Final = 2**53 - 1
"""The `absence` of games in which players never count as absent: the greatest safe integer of JavaScript."""


class Seat(Struct):
    """A seat in the snapshot. `player` and `name` are null while it is free.

    `out` is the reason why a player of four is out of the game (`checkmate`, `resignation`, ..., or `set_up` if the
    game began without that army). It is null for players still in. `invited` is the level of a bot that is invited to
    the seat. `stand_in` is the name of a bot that plays for the absent player. `bot` is true if the player is a bot.
    `score` is the player's score in the series. `since` is the time from which the absence of an offline player counts;
    null for others. `berserk` is true if the player has given up half of the time in this game, otherwise left out.
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
    berserk: bool | UnsetType = UNSET


class Clocks(Struct):
    """The clocks, in milliseconds. `base`, `increment` and `delay` are the time control. `left` is the remaining time
    of each seat. `since` is the start of the clock of the seat to move (null: all clocks are stopped)."""

    base: int
    increment: int
    delay: int
    left: dict[str, int]
    since: int | None


class Proposal(Struct):
    """The open vote: the fields of `proposed`, and the votes so far by seat."""

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


class Created(Reply):
    """The room is open. For a study, `notes` are sentences about parts of its text that were not read."""

    room: str
    notes: list[str] | UnsetType = UNSET


class Fault(Struct):
    """A reason why no game can begin from a position: a code for programs, and a sentence for people.

    The codes: `missing_king`, `extra_king`, `extra_walking_king` (of a player who is out), `adjacent_kings` (of
    enemies), `turn_of_dead_seat`, `dead_seat_in_teams`, `pawn_on_first_rank`, `pawn_on_last_rank`,
    `impossible_castling_right`, `impossible_en_passant`, `opponent_in_check` (the player who has just moved),
    `impossible_check` (three checks or more at once that no moves lead to), `position_over`.
    """

    code: str
    message: str


class Variants(Reply):
    """The variants of this server, in the order for menus."""

    variants: list[Variant]


class Checked(Reply):
    """Every fault of a position. If the list is empty, a game can begin from it."""

    faults: list[Fault]


class Stop(Struct):
    """The place where the reading of a game stopped: a line of the text (0: our rules stopped it, not the text), the
    number of the move, and the move's text. `message` is the reason."""

    line: int
    ply: int
    move: str
    code: str
    message: str


class Parsed(Reply):
    """A game that was read, in the form for a `create` that continues it.

    A room begins with the players who are still in the game. If a player leaves the game in the text, `position` is the
    position after that, and `skipped` the number of moves before it (null: no player leaves). `last` is the move after
    `moves` that ends the game. `ended` is the reason if the game ended without a move. `stopped` is the first place
    that could not be read.

    `remarks` are places that did not stop the reading: a draw by our rules (`past_draw`), a null move (`null_move`), a
    comment without an end (`open_comment`), a parenthesis without an end (`open_variation`) or without a start
    (`stray_parenthesis`).
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
    """You have the seat."""

    room: str
    seat: str
    seq: int


class Legal(Reply):
    """The legal moves of the player to move: all of them, or those from the requested square."""

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
    """The snapshot: the whole state of a room at `seq`.

    `status` is `open` (seats are free), `playing` or `finished`. `start` is the FEN or FEN4 from which the game began,
    `moves` the moves so far, and `position` the current position. `turn` is null unless the game is being played.
    `redo` is the number of undone moves that a redo can bring back. `game` is the number of the game in the series,
    from 1. `check` has the seats in check. `claims` has the possible claims of each seat (`claim`): `fifty_moves` or
    `threefold` on its turn, `points` at any time.

    `host` is the player who opened the room. `visibility` is `public` or `private`. `locked` is true if the room has a
    password, `chat` if chat is on. With a `delay` (milliseconds) watchers see the game that much later; `time` is then
    the time of what they see. After `absence` milliseconds away, a player is absent (2⁵³ - 1: never). `absentee_votes`
    are the votes about that player that others can then open in a running game: see *Votes*.

    `decided` is the time of the decision that led to `seq`. An `archived` game can be watched and exported, but its
    room accepts nothing more. An `imported` game was played elsewhere. With `rated` false the games change no ratings.
    `unrated` is the reason why the current game does not, left out if it may: it began from a `position` or with
    `moves` of the host's choice, a vote has `undone` or redone moves, or a `stand_in` has played. With a `fill`, a
    level, computer players fill the free seats, and people take seats over from them (by `join` or `seek`) during the
    first five rounds. `paused` is the time at which a paused game goes on; left out otherwise.
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
    absentee_votes: list[str] = field(default_factory=lambda: ["remove", "stand_in"])
    claims: dict[str, list[str]] = {}
    decided: int = 0
    archived: bool = False
    imported: bool = False
    rated: bool = True
    unrated: str | UnsetType = UNSET
    fill: int = 0
    paused: int | UnsetType = UNSET


class Update(Frame):
    """One decision: all its events happened at once, at `seq`. In a study, `by` is the player who made the edit."""

    room: str
    seq: int
    time: int
    events: list[AnyEvent]
    by: str | UnsetType = UNSET


class Turn(Frame, omit_defaults=True):
    """It is your turn. Only the player to move gets this frame, with the legal moves. `claims` has the possible claims
    (`claim`); left out if there are none."""

    room: str
    seq: int
    seat: str
    legal: list[str]
    claims: list[str] = []


class Presence(Frame):
    """A player came online or went offline. `since` is the time from which an offline player counts as away (null while
    online). It changes after an outage of the service. Not part of the log."""

    room: str
    seat: str
    online: bool
    since: int | None = None


class Watchers(Frame):
    """The number of watchers. Not part of the log."""

    room: str
    count: int


class Said(Frame):
    """A chat message of a player, or of a watcher (`seat` is null), to `all` or to the `table`. `bot` is true for a
    message of a bot. Not part of the log."""

    room: str
    seat: str | None
    name: str
    text: str
    to: str
    time: int
    bot: bool = False


class Reacted(Frame):
    """A quick reaction of a player: see `react`. `bot` is true for a bot's. Not part of the log."""

    room: str
    seat: str
    name: str
    reaction: str
    time: int
    bot: bool = False


class ChatLine(Struct):
    """A chat line: the fields of `said`. `seat` is the seat of its player at that time."""

    seat: str | None
    name: str
    text: str
    to: str
    time: int
    bot: bool = False


class Chat(Reply):
    """The latest chat lines of a room that you may read, oldest first."""

    room: str
    lines: list[ChatLine]
