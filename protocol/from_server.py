"""The frames of servers: replies, pushed frames, and (from `events`) the events of an `update`.

Clients ignore unknown fields and types, so that a newer server can serve older clients. Seats go by name (`white`,
`red`). Times are milliseconds since 1970 by the server's clock. `seq` is the version of a room's log. It grows by one
with each decision and never goes back, not even on an undo.
"""

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType, field

from fourfold.protocol import studies as parts
from fourfold.protocol.events import AnyEvent, Result
from fourfold.protocol.lines import JudgedPly, Line, Opening, Summary, Threat
from fourfold.protocol.variants import Variant

ReplyId = int | UnsetType
"""The id of the request that this frame answers. Other frames have no id."""

NEVER: Final = 2**53 - 1
"""The `absence` of games in which players never count as absent: the greatest safe integer of JavaScript."""


# -- parts of the snapshot ----------------------------------------------------------------------


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


class ListedSeat(Struct):
    """A seat in the lobby's list, with its player's id and name, both null while it is free. `bot` is true if a bot has
    the seat or is invited to it."""

    seat: str
    name: str | None
    bot: bool = False
    player: str | None = None


class Control(Struct):
    """A time control, in milliseconds: see `Clock`."""

    base: int
    increment: int
    delay: int


class Listing(Struct):
    """A room in the lobby's list. `clock` is null in an untimed game. `locked` is true if the room has a password,
    `seek` if a `seek` opened it, and `empty` if it has no players and watchers now. `rated` is as in `create`. `ply`,
    `watchers` and `empty` may be some seconds old."""

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
    rated: bool = True


class RatingChange(Struct):
    """The effect of a game on a player's rating, in points: `before` and `after` it, with the `deviation` after it.
    `scored` is the share of opponents that the player (in `teams`, the team) beat, from 0 to 1; opponents with the same
    place count half. `expected` is the share that the ratings predicted."""

    before: int
    after: int
    deviation: int
    expected: float
    scored: float


class PlayedSeat(Struct):
    """A seat of a game: its player's id and name. Once the game is over, it also has the `result` (`won`, `drawn`,
    `lost` or `aborted`), the place, and the points where they count. `change` is the effect of a rated game on the
    player's rating."""

    seat: str
    player: str
    name: str
    bot: bool = False
    result: str | None = None
    place: int | None = None
    points: int | None = None
    change: RatingChange | None = None


class Game(Struct):
    """A running or finished game: number `number` of its room.

    `position` is the last position, as FEN or FEN4. `clock` is null in an untimed game. `reason` is why the game ended,
    and `winners` are the winners (empty: a draw), as in `Result`. `ended` is null while the game goes on. `started` is
    the time at which the room was opened, until the game is archived. An `imported` game was played elsewhere. Its
    times come from its record, 0 if unknown, and its players' ids are their names with the prefix `imported:`.
    `unrated` is the reason why the game is not rated: see *Ratings*. It is empty for a rated game, and null until the
    game is archived.
    """

    room: str
    number: int
    variant: str
    clock: Control | None
    status: Literal["playing", "finished"]
    seats: list[PlayedSeat]
    position: str
    ply: int
    started: int
    ended: int | None = None
    reason: str | None = None
    winners: list[str] = []
    public: bool = True
    imported: bool = False
    unrated: str | None = None


class RatingPoint(Struct):
    """A rating after a game that ended at `time`."""

    time: int
    rating: int
    deviation: int


class Rating(Struct):
    """A player's rating in a variant, and for two players at a `speed` (null: all speeds), after a number of `games`.
    `last` is the end of the latest. `deviation` is today's value. `certain` is true if the rating qualifies for the
    leaderboard. `points` are the latest values, oldest first."""

    variant: str
    speed: str | None
    rating: int
    deviation: int
    games: int
    last: int
    certain: bool
    points: list[RatingPoint]


class Leader(Struct):
    """A player on a leaderboard. A computer player has an id such as `level3`. `fixed` is true if its rating never
    changes."""

    player: str
    name: str
    rating: int
    deviation: int
    games: int
    bot: bool = False
    fixed: bool = False


class Count(Struct):
    """The number of games that a player has won, drawn and lost. Among four, a higher place counts as a win against an
    opponent."""

    won: int
    drawn: int
    lost: int


class ByVariant(Count):
    """A player's results in a variant. `places` counts the games in which the player came first, second, and so on."""

    variant: str
    places: list[int] = []


class BySeat(Count):
    """A player's results at a seat of a variant."""

    variant: str
    seat: str


class Against(Count):
    """A player's results against an opponent. `name` is the opponent's latest name."""

    player: str
    name: str


class ByLevel(Count):
    """A player's results against the computer players of a level."""

    level: int


class Win(Struct):
    """A rated game in which a player placed before a strong opponent. `rating` is the opponent's before the game."""

    room: str
    number: int
    variant: str
    ended: int
    player: str
    name: str
    rating: int


class SeatResults(Struct):
    """A seat's results in the games with a move: the number won, the average place (1 for the first), and the average
    points where they count."""

    seat: str
    won: int
    place: float
    points: float | None = None


class PlayedMove(Struct):
    """A move that was played from a position: as in `move`, and in SAN or long algebraic notation (`text`). `games` is
    the number of games with it, `drawn` the number without a winner."""

    move: str
    text: str
    games: int
    drawn: int
    seats: list[SeatResults]


class Challenged(Struct):
    """A seat in a challenge: its player and their `answer` (null before one), or the `level` of a computer player. If
    `seat` is null, it is drawn when the game begins."""

    seat: str | None
    player: str | None
    name: str
    level: int | None = None
    answer: bool | None = None
    bot: bool = False


class Played(Struct):
    """The games that a bot plays, as in `hello`."""

    variants: list[str] = []
    speeds: list[str] = []
    rated: bool | None = None
    games: int | None = None


class Person(Struct):
    """A player who is online. `account` is true if they have an account. `room` is the public room in which they wait
    for others (`status` is `open`) or play (`playing`). `plays` has the games that a bot plays. While a host of bots is
    connected, the computer players of the service come last, as `level1` to `level5`. They say yes to every challenge
    at once."""

    player: str
    name: str
    bot: bool = False
    account: bool = False
    room: str | None = None
    status: Literal["open", "playing"] | None = None
    plays: Played | None = None


class Strength(Struct):
    """A player's rating in one kind of game, in points. Show it with a `?` unless it is `certain`."""

    player: str
    rating: int
    deviation: int
    certain: bool


class Followed(Struct):
    """A player that you follow. While they are `online`, `room` and `status` are as in `people`."""

    player: str
    name: str
    online: bool
    bot: bool = False
    room: str | None = None
    status: Literal["open", "playing"] | None = None


class OwnPasskey(Struct):
    """A passkey of your account: the id of its credential, the device on which it was made, and when it was created and
    last used."""

    passkey: str
    device: str
    created: int
    used: int


class OwnSession(Struct):
    """A device on which your account is signed in: since when, and the day of its last use. `here` is true for the
    device that asks. With a `scope` it is an access token with that scope."""

    session: str
    device: str
    created: int
    used: int
    here: bool = False
    scope: str = ""


class Order(Struct):
    """An order of a moderator. `kind` is the `act` of `moderate`. It holds `until` then (null: for good)."""

    order: str
    kind: str
    target: str
    name: str
    by: str
    why: str
    at: int
    until: int | None


class Reported(Struct):
    """An open report at the time `at`. `by` and `reporter` are the reporter's id and name, `player` and `name` those of
    the reported player. `lines` and `moves` are the latest of the room."""

    report: str
    at: int
    by: str
    reporter: str
    player: str
    name: str
    room: str
    why: str
    lines: list[str]
    moves: list[str]


class Act(Struct):
    """A row of the audit log: the moderator's `action` on a target, at the time `at`. It holds `until` then (null: for
    good, or it has no duration)."""

    at: int
    by: str
    action: str
    target: str
    name: str
    why: str
    until: int | None


class Sample(Struct):
    """A server's vital signs at the time `at`. `rooms` are held there; a game of `playing` of them is not over.
    `moves` is the number of moves per second since the sample before, `append` the milliseconds within which 99 of 100
    decisions became durable meanwhile (null: there was none), and `errors` how many requests were answered with an
    error. `memory` is that of its processes, in bytes."""

    at: int
    connections: int
    rooms: int
    playing: int
    moves: float
    append: float | None
    memory: int
    errors: int


class Finding(Struct):
    """A finding of `doctor`: its subject, its level (`ok`, `warning` or `failure`), its text, and what to do."""

    topic: str
    level: str
    text: str
    cure: str


class Chosen(Struct):
    """A setting: its variable, its value (empty: none; a secret is just `set`), and where that comes from: `default`,
    `environment`, `file` or `flag`."""

    variable: str
    value: str
    source: str


class Listed(Struct):
    """An account as an admin sees it. `owner` is the name of a bot's owner. `closed` is when it was closed. `orders`
    are the kinds of the orders in force about it. `sessions` are its devices and tokens, and those of its bots."""

    player: str
    name: str
    created: int
    role: str
    owner: str
    closed: int | None
    orders: list[str]
    sessions: list[OwnSession]


class BackupFile(Struct):
    """A backup: its file's name, its size in bytes, and when it was made."""

    name: str
    size: int
    made: int


# -- frames -------------------------------------------------------------------------------------


class Frame(Struct, tag_field="type", tag=str.lower):
    """The base of all frames."""


class Reply(Frame, kw_only=True):
    """A frame that can answer a request."""

    id: ReplyId = UNSET


class Welcome(Reply):
    """Your identity. `player` is public. `token` is secret and proves that you are this player. `build` is the version
    of the browser client that this server serves, empty if it has none. `account` is true if the player has an account.

    `accounts` tells who can have one: `open`, everybody; `oidc`, people who sign in at the server's OpenID provider;
    `closed`, only those who have one already; `off`, nobody. `provider` is the name of the OpenID provider, empty
    without one. `service` is the name that the operator has given this service.
    """

    player: str
    name: str
    token: str
    server: str
    time: int
    build: str = ""
    account: bool = False
    accounts: str = "open"
    provider: str = ""
    service: str = "Fourfold"


class Account(Reply):
    """An account: its player's id and name, the time of its creation, whether it has a `recovery` code, and its
    passkeys and devices. `token` is a new token to use from now on. `code` is a new recovery code. Neither is shown
    again. `issuers` are the OpenID providers by which it is signed in to. `role` is `moderator`, `admin`, or empty."""

    player: str
    name: str
    created: int
    recovery: bool
    passkeys: list[OwnPasskey]
    sessions: list[OwnSession]
    token: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    issuers: list[str] = []
    role: str = ""


class Preferences(Reply):
    """The preferences kept with an account: the theme of the `board`, the set of `pieces`, the place of the
    `coordinates`, the speed of the `animation`, the `confirmation` of moves, the set of `sounds`, and whether pieces
    are `facing` their players. Preferences that were never chosen are null."""

    board: str | None = None
    pieces: str | None = None
    coordinates: str | None = None
    animation: str | None = None
    confirmation: str | None = None
    sounds: str | None = None
    facing: str | None = None


class Granted(Reply):
    """An access token, and the player of programs that use it. The token is not shown again."""

    player: str
    name: str
    scope: str
    token: str


class Passkey(Reply):
    """The start of a passkey ceremony. `options` is JSON for the browser's
    `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`."""

    options: str


class Oidc(Reply):
    """The start of signing in at the OpenID provider: open `url` in the browser."""

    url: str


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


class Ok(Reply):
    """The server has carried out the request, and the result is durable. `seq` is the version at which this happened.
    If chapters were added, `notes` are sentences about parts of their text that were not read."""

    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET


class Error(Reply):
    """The server refused the request: see *Errors* for the codes.

    `seq` is the room's current version, if the request named a room. `retry` is the number of milliseconds after which
    the same request can succeed, if it only came too early.
    """

    kind: str
    code: str
    message: str
    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    retry: int | UnsetType = UNSET


class Pong(Reply):
    """The server is there. `time` is its time."""

    time: int


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
    room accepts nothing more. An `imported` game was played elsewhere. With `rated` false the game changes no ratings.
    With a `fill`, a level, computer players fill the free seats, and people take seats over from them (by `join` or
    `seek`) during the first five rounds. `paused` is the time at which a paused game goes on; left out otherwise.
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


class Rooms(Reply):
    """The requested public rooms, newest first. `more` is true if there are others beyond the limit."""

    rooms: list[Listing]
    more: bool


class Games(Reply):
    """The games that the search found. Send `next` as `after` to get the next page; null if this is the last."""

    games: list[Game]
    next: str | None = None


class Downloaded(Reply):
    """Some of your own games: their `text`, and the number of `games` in it. Send `next` as `after` to get the next
    part; null if this is the last. A part may be empty although more follow. `damaged` names the rooms whose games are
    unreadable and left out."""

    format: str
    text: str
    games: int
    next: str | None = None
    damaged: list[str] = []


class Results(Reply):
    """A player's results, without aborted games. `name` is the player's latest name. `since` is the start of the first
    of these games (null: there are none). `against` has the most frequent opponents, `computers` the results by level,
    and `best` the wins against the highest-rated people and bots, each opponent once."""

    player: str
    name: str | None
    since: int | None
    variants: list[ByVariant]
    seats: list[BySeat]
    against: list[Against]
    computers: list[ByLevel] = []
    best: list[Win] = []


class Ratings(Reply):
    """The ratings of a player, the one with the most games first. `name` is that of the account; null without one."""

    player: str
    name: str | None
    ratings: list[Rating]


class Leaderboard(Reply):
    """The highest ratings, from the top."""

    variant: str
    speed: str | None
    leaders: list[Leader]


class Strengths(Reply):
    """The ratings of the requested players in one kind of game. Players without a rating are left out."""

    strengths: list[Strength]


class Explored(Reply):
    """The moves played from a `position`, the most frequent first. `games` is the number of games with the position. A
    game that reached it twice and continued in two ways counts for both."""

    variant: str
    position: str
    games: int
    moves: list[PlayedMove]


class Reviewed(Reply):
    """The review of game number `game` of a room. `looked` is the number of its `plies` + 1 positions examined so far;
    null if no review is running. A complete review has `judged`, the positions from the start on, and a `summary`.
    `openings` are available at once: the named positions of a game for two, in their order. `puzzles` is the number of
    puzzles in the game."""

    room: str
    game: int
    plies: int
    looked: int | None
    judged: list[JudgedPly]
    summary: Summary | None
    openings: list[Opening] = []
    puzzles: int = 0


class Posed(Struct):
    """A puzzle. It starts after `ply` moves of a game, with `seat` to move. `moves` is the number of moves of that
    seat. The `goal` is a `mate` or a `gain`. `own` is true if the asking player had that seat and missed it."""

    room: str
    game: int
    ply: int
    seat: str
    goal: str
    moves: int
    variant: str
    own: bool


class Puzzles(Reply):
    """Puzzles, those of the latest game first."""

    puzzles: list[Posed]


class Solved(Reply):
    """The state of a puzzle's solution. `right` tells whether the last move was right (true without one), and `done`
    whether the puzzle is solved. `played` are the moves so far, with the replies and without a wrong last move; `texts`
    are the same in SAN or long algebraic notation. They lead to the `position`. There, `turn` is the seat to move, with
    these `legal` moves (empty if it is done). `check` has the seats in check, and `out` the eliminated seats."""

    room: str
    game: int
    ply: int
    variant: str
    right: bool
    done: bool
    played: list[str]
    texts: list[str]
    position: str
    turn: str
    legal: list[str]
    check: list[str]
    out: list[str]


class Lines(Frame):
    """The best `lines` so far in the position of `analyse {key}`, the best first, with the threats of each opponent.
    `depth` is the search depth in plies, and `nodes` the number of searched positions.

    After `done`, no more frames come. If `depth` is then 0, no computer player had time for the position.
    """

    key: str
    depth: int
    nodes: int
    lines: list[Line]
    threats: list[Threat]
    done: bool


class Challenge(Reply):
    """The present state of a challenge. All its players receive it at each change, and when they connect.

    `by` is the challenger. `status` is `open`, `accepted`, `declined`, `cancelled` or `expired`. After `accepted`, the
    game is in `room`, whose id is the challenge's, and all players have their seats there. After `declined`, the seat
    with the `answer` false declined, with a `reason` and a `text` of the player's own. The challenge is open `until`
    then, and still shown for a minute after it has ended. In a rated game for more than two without teams, all
    addresses must differ. A second yes from one address declines the challenge, with the `reason` `same_address`.

    A challenge to a seat of an open table has the `room` from the beginning. Its `seats` are only that seat and the
    challenger's. If the seat is no longer available, the challenge is `cancelled`, and the `reason` is the code of the
    refusal, such as `seat_taken`, `already_started`, `no_such_room` or `same_address`.
    """

    challenge: str
    status: Literal["open", "accepted", "declined", "cancelled", "expired"]
    by: str
    seats: list[Challenged]
    variant: str
    clock: Control | None
    visibility: Literal["public", "private"]
    made: int
    until: int
    room: str | None = None
    reason: str | None = None
    text: str = ""
    rated: bool = True


class Paired(Frame):
    """The `seek` of this connection, which has a range, continues in another room, or has started a game there. The
    player has this seat, and the connection follows the room."""

    room: str
    seat: str


class People(Reply):
    """Players who are online, and the number of all (`count`). Send `next` as `after` to get the next page; null if
    this is the last."""

    people: list[Person]
    count: int
    next: str | None = None


class Following(Reply):
    """The players that you follow, online ones first."""

    people: list[Followed]


class Online(Frame):
    """The changes of the page of `people` that this connection follows: new or changed players, and players who are no
    longer there. At most once in two seconds."""

    changed: list[Person]
    removed: list[str]
    count: int


class Lobby(Frame):
    """The changes of the list of rooms that this connection follows: new or changed entries, and rooms that are no
    longer in it. At most twice a second."""

    changed: list[Listing]
    removed: list[str]


class Summon(Frame):
    """A seat waits for a bot of `level`. Only hosts of bots get this frame. The bot says `hello` with this `token`, and
    joins."""

    room: str
    seat: str
    level: int
    token: str


class Consult(Frame):
    """A request to analyse a position. Only hosts of bots get this frame. The host sends `found {job}` at each depth,
    with that many `lines`, until `ms` milliseconds are over or a `dismiss` comes."""

    job: str
    variant: str
    position: str
    lines: int
    ms: int


class Examine(Frame):
    """A request to review a game. Only hosts of bots get this frame.

    The game starts at `position`. Its `steps` are moves, as in `move`, and departures: a seat and a reason, such as
    `blue resignation`. The first `theory` moves belong to a named opening, and are no mistakes unless they are
    blunders. The host has on average `ms` milliseconds for each position. It sends `examined {job}` for its progress,
    then one for each position after it has seen all, and a last one with the summary.
    """

    job: str
    variant: str
    position: str
    steps: list[str]
    ms: int
    theory: int = 0


class Dismiss(Frame):
    """The `job` is no longer wanted. Only hosts of bots get this frame."""

    job: str


class Moderation(Reply):
    """The orders in force, the open reports, and the latest acts, newest first; and the asking player's `role`."""

    role: str
    orders: list[Order]
    reports: list[Reported]
    acts: list[Act]


class Status(Reply):
    """The vital signs of this server, oldest first, a sample every `period` milliseconds; when it `started`, and its
    `name` with the version. `errors` counts the error codes of the last hour. `level` is the level of its log."""

    name: str
    started: int
    period: int
    level: str
    samples: list[Sample]
    errors: dict[str, int]


class Findings(Reply):
    """The findings of `doctor`, and all settings of this server. `setup` says whether `set_up` was `done`, or is
    `open`; it is null if this server has none. `fixed` are the variables that it can't change."""

    findings: list[Finding]
    settings: list[Chosen]
    setup: Literal["open", "done"] | None = None
    fixed: list[str] = []


class Accounts(Reply):
    """The accounts found, newest first; at most 50."""

    accounts: list[Listed]


class Backups(Reply):
    """The backups in this server's folder, newest first. `making` is true while it makes one; `failed` says why the
    last one that an admin began has failed, or is empty."""

    folder: str
    backups: list[BackupFile]
    making: bool
    failed: str


class Backup(Reply):
    """A part of a backup's bytes (base64), and the `size` of the whole."""

    data: str
    size: int


class Study(Reply):
    """The snapshot of a study at `seq`. `role` is the reader's role: `owner`, `writer` or `reader`. `writers` are the
    ids of the named writers. `names` has the names of all writers so far. `cursors` and `count` are as in `cursors`.
    `decided` is the time of the decision that led to `seq`."""

    room: str
    title: str
    visibility: parts.StudyVisibility
    write: parts.StudyWriting
    owner: str
    writers: list[str]
    names: dict[str, str]
    chapters: list[parts.Chapter]
    role: Literal["owner", "writer", "reader"]
    cursors: list[parts.Cursor]
    count: int
    seq: int
    time: int
    decided: int
    created: int


class Chapters(Reply):
    """A game of a text, as a `chapter` of a study would have it, with the `boards` after its first moves. `titles` are
    those of all games. `notes` are sentences about parts of the text that were not read."""

    titles: list[str]
    chapter: parts.Chapter
    boards: list[parts.NodeBoard]
    notes: list[str] = []


class Looked(Reply):
    """The boards after some moves of a chapter."""

    room: str
    chapter: int
    positions: list[parts.NodePosition]


class Studies(Reply):
    """Studies, latest changes first. Send `after` to get the next page; null if this is the last."""

    studies: list[parts.StudyListing]
    after: str | None


class Cursors(Frame):
    """The people who look at a study, with their current moves: writers first, at most 50. `count` is the number of
    all. Sent whole at each change, at most a few times a second. Not part of the log."""

    room: str
    cursors: list[parts.Cursor]
    count: int


class Announced(Frame):
    """An announcement of the moderators to everybody."""

    text: str
    time: int


class Closing(Frame):
    """The server is about to close the connection. Reconnect after `retry` milliseconds and resume.

    The `reason` is `restart`, or `store`: this server can't reach its store, but another one may.
    """

    reason: str
    retry: int


AnyFrame = (
    Welcome | Account | Preferences | Granted | Passkey | Oidc
    | Created | Variants | Checked | Parsed | Joined | Ok | Error | Pong | Legal
    | Exported | Room | Update | Turn | Presence | Watchers | Said | Reacted | Chat | Rooms | Games | Downloaded
    | Results | Ratings | Leaderboard | Strengths | Explored | Reviewed | Puzzles | Solved | Lines | Lobby
    | Paired | Challenge | People | Following | Online
    | Summon | Consult | Examine | Dismiss
    | Moderation | Announced | Closing
    | Status | Findings | Accounts | Backups | Backup
    | Study | Chapters | Looked | Studies | Cursors
)  # fmt: skip
