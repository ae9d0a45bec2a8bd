"""The frames of servers: replies, pushed frames, and (from `events`) the events of an `update`.

Clients ignore fields and types they do not know, so that a newer server can serve older clients. Seats are named
(`white`, `red`). Times are milliseconds since 1970 by the server's clock. `seq` is the version of a room's log: it
grows by one with each decision and never goes back, not even on an undo.
"""

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType, field

from fourfold.protocol import studies as parts
from fourfold.protocol.events import AnyEvent, Result
from fourfold.protocol.lines import JudgedPly, Line, Opening, Summary, Threat
from fourfold.protocol.variants import Variant

ReplyId = int | UnsetType
"""The id of the request that this frame answers. A frame that answers none has no id."""

NEVER: Final = 2**53 - 1
"""The `absence` of games in which nobody counts as absent: the greatest integer that JavaScript knows."""


# -- parts of the snapshot ----------------------------------------------------------------------


class Seat(Struct):
    """A seat in the snapshot; `player` and `name` are null while it is free.

    `out` says why a player of four is out of the game (`checkmate`, `resignation`, ..., or `set_up` if the game began
    without that army); it is null while the player is in it. `invited` is the level of a bot that is invited to the
    seat, `stand_in` the name of a bot that plays for the absent player; `bot` is true if the player is a bot. `score`
    is the player's score in the series. `since` is the time from which the absence of a player who is not `online` is
    counted; null for others.
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
    """The clocks: the time control (`base`, `increment`, `delay`), the time that each seat has `left`, and the time
    `since` which the clock of the seat to move runs (null: none runs). All in milliseconds."""

    base: int
    increment: int
    delay: int
    left: dict[str, int]
    since: int | None


class Proposal(Struct):
    """The open vote: the fields of `proposed`, and the answers so far by seat."""

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
    """A seat in the lobby's list: the player and their name, null while it is free. `bot` is true of a bot's seat, and
    of one to which a bot is invited."""

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
    """A room in the lobby's list. `clock` is null in an untimed game; `locked` is true if the room has a password,
    `seek` if it was opened by a `seek`, `empty` if no player and no watcher is there. `ply`, `watchers` and `empty`
    may be some seconds old."""

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


class RatingChange(Struct):
    """What a game did to a player's rating: `before` and `after` it, with the `deviation` after it, in points. It is so
    because the player (in `teams`, the team) `scored` that, where that was `expected`: the share of the opponents who
    were beaten, from 0 to 1. Whoever came to the same place is half beaten."""

    before: int
    after: int
    deviation: int
    expected: float
    scored: float


class PlayedSeat(Struct):
    """A seat of a game: its player's id and name; and once the game is over, the `result` (`won`, `drawn`, `lost` or
    `aborted`), the place, and points where they count. `change` is what a rated game did to the player's rating."""

    seat: str
    player: str
    name: str
    bot: bool = False
    result: str | None = None
    place: int | None = None
    points: int | None = None
    change: RatingChange | None = None


class Game(Struct):
    """A game that is played or was: the `number`th of its room. `position` is the last, as FEN or FEN4; `clock` is null
    in an untimed game; `reason` says why the game ended, and `winners` who won (none: a draw), as in `Result`. `ended`
    is null while the game is played, and `started` is when its room was opened until it is archived. A game that is
    `imported` was played elsewhere: its times are what its record says, 0 if that is nothing, and its players' ids are
    their names behind `imported:`. `unrated` says why it is not rated: see *Ratings*; it is empty if it is rated, and
    null until it is archived."""

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
    """How a player stands in a variant, and for two players at a `speed` (null: all speeds): after how many `games`, of
    which the `last` ended then. The `deviation` is today's; `certain` is true if it allows a place on the leaderboard.
    `points` are the latest, oldest first."""

    variant: str
    speed: str | None
    rating: int
    deviation: int
    games: int
    last: int
    certain: bool
    points: list[RatingPoint]


class Leader(Struct):
    """A player on a leaderboard. A computer player has an id as `level3`; `fixed` is true if its rating never
    changes."""

    player: str
    name: str
    rating: int
    deviation: int
    games: int
    bot: bool = False
    fixed: bool = False


class Count(Struct):
    """How many games a player has won, drawn and lost. Among four, an opponent is beaten by a higher place."""

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
    """A player's results against another, whose latest `name` this is."""

    player: str
    name: str


class SeatResults(Struct):
    """What became of a seat in the games with a move: how many were won, the average place (1 the first), and the
    average of the points where points count."""

    seat: str
    won: int
    place: float
    points: float | None = None


class PlayedMove(Struct):
    """A move that was played from a position: as in `move`, and as people write it (`text`). In so many `games`, of
    which nobody won `drawn`."""

    move: str
    text: str
    games: int
    drawn: int
    seats: list[SeatResults]


class Challenged(Struct):
    """A seat in a challenge: its player and their `answer` (null before one), or the `level` of a computer player. A
    `seat` that is null is drawn when the game begins."""

    seat: str | None
    player: str | None
    name: str
    level: int | None = None
    answer: bool | None = None
    bot: bool = False


class Played(Struct):
    """What a bot plays, as in `hello`."""

    variants: list[str] = []
    speeds: list[str] = []
    rated: bool | None = None
    games: int | None = None


class Person(Struct):
    """A player who is online. `account` is true if they have an account; `room` is the public one in which they wait
    for others (`status` is `open`) or play (`playing`). `plays` is what a bot says that it plays. The computer players
    of the service are listed last, as `level1` to `level5`, while there is a host of bots; they say yes at once."""

    player: str
    name: str
    bot: bool = False
    account: bool = False
    room: str | None = None
    status: Literal["open", "playing"] | None = None
    plays: Played | None = None


class Strength(Struct):
    """A player's rating in one kind of game, in points. It is shown with a `?` while it is not `certain`."""

    player: str
    rating: int
    deviation: int
    certain: bool


class Followed(Struct):
    """A player whom one follows. While they are `online`, `room` and `status` are as in `people`."""

    player: str
    name: str
    online: bool
    bot: bool = False
    room: str | None = None
    status: Literal["open", "playing"] | None = None


class OwnPasskey(Struct):
    """A passkey of one's account: its credential's id, on which device it was made, when, and when it was used last."""

    passkey: str
    device: str
    created: int
    used: int


class OwnSession(Struct):
    """A device on which one's account is signed in: since when, and when it was used last, to the day. `here` is true
    of the one that asks. With a `scope` it is an access token of that name."""

    session: str
    device: str
    created: int
    used: int
    here: bool = False
    scope: str = ""


class Order(Struct):
    """What a moderator has ordered: its kind (the `act` of `moderate`), about whom or what, under which name, by whom,
    why, when, and `until` when it holds (null: for good)."""

    order: str
    kind: str
    target: str
    name: str
    by: str
    why: str
    at: int
    until: int | None


class Reported(Struct):
    """A report that is not settled: when, by whom (`by` and `reporter` are id and name), whom (`player` and `name`), in
    which room, why; and what was said and played last."""

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
    """A row of the audit log: when, by whom, what, about whom or what, under which name, why, and `until` when it
    holds (null: for good, or it holds nothing)."""

    at: int
    by: str
    action: str
    target: str
    name: str
    why: str
    until: int | None


# -- frames -------------------------------------------------------------------------------------


class Frame(Struct, tag_field="type", tag=str.lower):
    """What all frames have in common."""


class Reply(Frame, kw_only=True):
    """A frame that may answer a request."""

    id: ReplyId = UNSET


class Welcome(Reply):
    """Who you are. `player` is public; `token` is secret and proves that you are this player. `build` is the version
    of the browser client that this server serves, empty if it has none. `account` is true if the player has an
    account. `accounts` says who may have one: `open`, everybody; `oidc`, who signs in at the server's OpenID provider,
    which is called `provider` (empty: there is none); `closed`, those who have one; `off`, nobody."""

    player: str
    name: str
    token: str
    server: str
    time: int
    build: str = ""
    account: bool = False
    accounts: str = "open"
    provider: str = ""


class Account(Reply):
    """An account: its player's id and name, when it was made, whether it has a `recovery` code, and its passkeys and
    devices. `token` is a new token, to be used from now on, `code` a new recovery code; neither is shown again.
    `issuers` are the OpenID providers by which it is signed in to. `role` is `moderator`, `admin`, or empty."""

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


class Granted(Reply):
    """An access token, and the player as whom a program plays by it. It is not shown again."""

    player: str
    name: str
    scope: str
    token: str


class Passkey(Reply):
    """The ceremony of a passkey has begun: `options` is JSON, for `PublicKeyCredential.parseCreationOptionsFromJSON` or
    `parseRequestOptionsFromJSON` of a browser."""

    options: str


class Oidc(Reply):
    """Signing in at the OpenID provider has begun: the browser goes to `url`."""

    url: str


class Created(Reply):
    """The room is open. Of a study, `notes` are sentences on what of its text was not read, and why."""

    room: str
    notes: list[str] | UnsetType = UNSET


class Fault(Struct):
    """A reason why no game can begin from a position: a code for programs, a sentence for people.

    The codes: `missing_king`, `extra_king`, `extra_walking_king` (of a player who is out), `adjacent_kings` (of
    enemies), `turn_of_dead_seat`, `dead_seat_in_teams`, `pawn_on_first_rank`, `pawn_on_last_rank`,
    `impossible_castling_right`, `impossible_en_passant`, `opponent_in_check` (the player who has just moved),
    `impossible_check` (three checks or more at once, which no moves lead to), `position_over`.
    """

    code: str
    message: str


class Variants(Reply):
    """The variants that can be played, in the order in which to offer them."""

    variants: list[Variant]


class Checked(Reply):
    """Everything that is wrong with a position. A game can begin from it if the list is empty."""

    faults: list[Fault]


class Stop(Struct):
    """Where the reading of a game stopped: the line of the text (0: the rules stopped it, not the text), the number of
    the move, its text, and why it can't be played."""

    line: int
    ply: int
    move: str
    code: str
    message: str


class Parsed(Reply):
    """A game that was read: what to `create` so that it goes on.

    A room begins with the players who are still in the game. If a player leaves the game in the text, `position` is
    the one after that, and `skipped` the number of moves before it (null: no player leaves). `last` is the move after
    `moves` that ends the game; `ended` says why the game ended without one; `stopped` says where the text could not be
    followed, and `remarks` what did not stop the reading: a draw by our rules alone (`past_draw`), a null move
    (`null_move`), a comment without an end (`open_comment`), a parenthesis without one (`open_variation`) or without a
    beginning (`stray_parenthesis`).
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
    """The request is carried out, and durable. `seq` is the version at which it was. Where chapters were added, `notes`
    are sentences on what of their text was not read, and why."""

    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET


class Error(Reply):
    """The request is refused: see *Errors* for the codes.

    `seq` is the room's current version, if the request named a room. `retry` is the number of milliseconds after which
    the same request may succeed, if only time is wanting.
    """

    kind: str
    code: str
    message: str
    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    retry: int | UnsetType = UNSET


class Pong(Reply):
    """The server is there; `time` is its time."""

    time: int


class Legal(Reply):
    """The legal moves of the player to move, all of them or those of the square asked for."""

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
    """The snapshot: everything about a room at `seq`.

    `status` is `open` (seats are free), `playing` or `finished`. `start` is the FEN or FEN4 from which the game began,
    `moves` the moves so far, `position` the current position; `turn` is null unless the game is played. `redo` is the
    number of undone moves that a redo can bring back, `game` the number of the game in the series, from 1. `host` is
    the player who opened the room. `check` has the seats whose king is attacked. `visibility` is `public` or
    `private`; `locked` is true if the room has a password, `chat` if chat is on. With a `delay` (milliseconds)
    watchers see the game that much later; `time` is then the time of what they see. A player who has been away for
    `absence` milliseconds is absent (2⁵³ - 1: never); `absentee_votes` are the votes that may then be opened about that
    player, once the game is played: see *Votes*. `claims` has what each seat may `claim` now: `fifty_moves` or
    `threefold` on its turn, `points` at any time. `decided` is the time of the decision that led to `seq`. A game
    that is `archived` can be watched and exported; nothing more happens in its room. One that is `imported` was played
    elsewhere. With `rated` false the game changes no ratings.
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


class Update(Frame):
    """One decision: all its events happened at once, at `seq`. In a study, `by` is the player whose edit it is."""

    room: str
    seq: int
    time: int
    events: list[AnyEvent]
    by: str | UnsetType = UNSET


class Turn(Frame, omit_defaults=True):
    """It is your turn: sent to the player to move alone, with the legal moves. `claims` has what you may `claim`
    instead; left out if that is nothing."""

    room: str
    seq: int
    seat: str
    legal: list[str]
    claims: list[str] = []


class Presence(Frame):
    """A player came online or went offline. `since` is the time from which a player who is offline counts as away
    (null while online); it changes after an outage of the service. Not part of the log."""

    room: str
    seat: str
    online: bool
    since: int | None = None


class Watchers(Frame):
    """The number of watchers. Not part of the log."""

    room: str
    count: int


class Said(Frame):
    """A chat message of a player or of a watcher (`seat` is null), to `all` or to the `table`; `bot` is true if a bot
    has said it. Not part of the log."""

    room: str
    seat: str | None
    name: str
    text: str
    to: str
    time: int
    bot: bool = False


class Rooms(Reply):
    """The public rooms asked for, newest first. `more` is true if there are others beyond the limit."""

    rooms: list[Listing]
    more: bool


class Games(Reply):
    """The games that were searched for. `next` is what the next page comes `after`; null if this is the last."""

    games: list[Game]
    next: str | None = None


class Downloaded(Reply):
    """Some of one's own games: their `text`, and how many `games` it has. `next` is what the next part comes `after`;
    null if this is the last. A part may have no games although more come. `damaged` names the rooms whose games can't
    be read, and are left out."""

    format: str
    text: str
    games: int
    next: str | None = None
    damaged: list[str] = []


class Results(Reply):
    """How a player's games have ended, those that were aborted aside. `name` is the player's latest, `since` when the
    first of these games began (null: there are none). `against` has the opponents met most often."""

    player: str
    name: str | None
    since: int | None
    variants: list[ByVariant]
    seats: list[BySeat]
    against: list[Against]


class Ratings(Reply):
    """The ratings of a player, the one with the most games first. `name` is that of the account; null without one."""

    player: str
    name: str | None
    ratings: list[Rating]


class Leaderboard(Reply):
    """Who stands highest, from the top."""

    variant: str
    speed: str | None
    leaders: list[Leader]


class Strengths(Reply):
    """The ratings, in one kind of game, of those players who have one."""

    strengths: list[Strength]


class Explored(Reply):
    """What was played from a `position`, most often first; `games` is in how many games. A game that came there twice
    and went on in two ways counts for both."""

    variant: str
    position: str
    games: int
    moves: list[PlayedMove]


class Reviewed(Reply):
    """The review of game number `game` of a room. So many of its `plies` + 1 positions have been `looked` at; null if
    nobody looks at them. When that is done, they are in `judged`, from the start on, and there is a `summary`. The
    `openings` are there at once: the positions of a game for two that have a name, in their order. So many
    `puzzles` were found in the game."""

    room: str
    game: int
    plies: int
    looked: int | None
    judged: list[JudgedPly]
    summary: Summary | None
    openings: list[Opening] = []
    puzzles: int = 0


class Posed(Struct):
    """A puzzle: where it begins, after so many moves (`ply`) of a game; whose move it is (`seat`), and how many that
    player makes (`moves`); whether there is a `mate` or a `gain` (the `goal`). `own`: the one who asks had that seat,
    and missed it."""

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
    """How far a puzzle is solved: whether the last move was `right` (true if there was none), and whether the puzzle is
    `done`. `played` are its moves so far, replies included, that the last one was wrong aside; as people write them in
    `texts`. They lead to the `position`, in which the `turn` is a seat's that has these `legal` moves (none if it is
    done); `check` are the seats in check there, and `out` those that are out of the game."""

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
    """What was found best in the position of `analyse {key}`: the `lines`, the best first, by a look so many plies
    ahead (`depth`) at so many positions (`nodes`); and what each opponent of the player to move threatens. No more
    frames come when it is `done`; at `depth` 0 then, no computer player had time for it."""

    key: str
    depth: int
    nodes: int
    lines: list[Line]
    threats: list[Threat]
    done: bool


class Challenge(Reply):
    """A challenge, as it is now: sent to all whom it concerns whenever it changes, and to each when they connect.

    `by` is the player who has made it; `status` is `open`, `accepted` (then `room`, whose id is the
    challenge's, is where the game is, and all have their seats there), `declined` (by the seat whose `answer` is false;
    with a `reason`, and a `text` of their own), `cancelled` or `expired`. It is open `until` then, and told of for a
    minute after it has ended. In a rated game of more than two, without teams, no two play from one address: the second
    yes from one declines it, and `same_address` is the `reason`.

    A challenge to a seat of an open table has the `room` from the beginning, and of its `seats` only that one, and the
    seat of the one who asks. When it cannot be taken any more, the challenge is `cancelled`, and the `reason` is the
    code of the refusal, such as `seat_taken`, `already_started`, `no_such_room` or `same_address`.
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
    """What this connection seeks within a range goes on in another room, or has begun there: the player has this seat,
    and the connection follows the room."""

    room: str
    seat: str


class People(Reply):
    """Players who are online, and how many there are in all (`count`). `next` is what the next page comes `after`; null
    if this is the last."""

    people: list[Person]
    count: int
    next: str | None = None


class Following(Reply):
    """Whom the player follows: first those who are online."""

    people: list[Followed]


class Online(Frame):
    """The changes of the page of `people` that this connection follows: players who are new there or different, and
    those who are no longer there. At most once in two seconds."""

    changed: list[Person]
    removed: list[str]
    count: int


class Lobby(Frame):
    """The changes of the list of rooms that this connection follows: entries that are new or different, and rooms that
    are no longer in it. At most twice a second."""

    changed: list[Listing]
    removed: list[str]


class Summon(Frame):
    """A seat waits for a bot of `level`: sent to a host of bots alone. The bot says `hello` with this `token`, and
    joins."""

    room: str
    seat: str
    level: int
    token: str


class Consult(Frame):
    """Somebody wants a position analysed: sent to a host of bots alone. It sends `found {job}` at each depth of the so
    many `lines`, until `ms` milliseconds are over or it is dismissed."""

    job: str
    variant: str
    position: str
    lines: int
    ms: int


class Examine(Frame):
    """Somebody wants a game reviewed: sent to a host of bots alone. It starts at `position`; its `steps` are moves, as
    in `move`, and departures: a seat and a reason, as `blue resignation`. The first `theory` moves are those of an
    opening that has a name: they are no mistakes, unless they are blunders. The host has `ms` milliseconds for each
    position on average. It sends `examined {job}` as it looks at them, one for each position when it has seen all, and
    a last one with the summary."""

    job: str
    variant: str
    position: str
    steps: list[str]
    ms: int
    theory: int = 0


class Dismiss(Frame):
    """Nobody waits for this `job` any more: sent to a host of bots alone."""

    job: str


class Moderation(Reply):
    """What is ordered, what is reported and not settled, and the latest acts, newest first; and the `role` of who
    asks."""

    role: str
    orders: list[Order]
    reports: list[Reported]
    acts: list[Act]


class Study(Reply):
    """The snapshot of a study at `seq`. `role` is what its reader is in it: the `owner`, a `writer` or a `reader`.
    `writers` are the named ones, by their ids; `names` is what those who wrote, or are named, go by. `cursors` and
    `count` are as in `cursors`; `decided` is the time of the decision that led to `seq`."""

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


class Looked(Reply):
    """The boards after some moves of a chapter."""

    room: str
    chapter: int
    positions: list[parts.NodePosition]


class Studies(Reply):
    """Studies, changed last first; `after` is what the next page comes after, null if this is the last."""

    studies: list[parts.StudyListing]
    after: str | None


class Cursors(Frame):
    """Who looks at a study, and where they stand: writers first, and no more than 50; `count` is how many people look.
    Sent whole whenever it changes, a few times a second at most. Not part of the log."""

    room: str
    cursors: list[parts.Cursor]
    count: int


class Announced(Frame):
    """What the moderators have to tell everybody."""

    text: str
    time: int


class Closing(Frame):
    """The server is about to close the connection: reconnect after `retry` milliseconds and resume.

    The `reason` is `restart`, or `store`: this server can't reach its store, and another one may.
    """

    reason: str
    retry: int


AnyFrame = (
    Welcome | Account | Granted | Passkey | Oidc
    | Created | Variants | Checked | Parsed | Joined | Ok | Error | Pong | Legal
    | Exported | Room | Update | Turn | Presence | Watchers | Said | Rooms | Games | Downloaded | Results | Ratings
    | Leaderboard | Strengths | Explored | Reviewed | Puzzles | Solved | Lines | Lobby
    | Paired | Challenge | People | Following | Online
    | Summon | Consult | Examine | Dismiss
    | Moderation | Announced | Closing
    | Study | Looked | Studies | Cursors
)  # fmt: skip
