"""The requests of clients: one Struct for each.

Unknown fields are refused, so that a misspelt field is an error and not a silent default. Every request may have an
`id`, the client's own counter, which its one reply repeats.

A request that changes a room has a `key`, a string that is unique among the client's commands in this room. A command
that is sent again with the same key, after a lost reply and to any node, is not carried out twice: it gets its first
answer. A request whose outcome depends on what the client has seen also has a `seq`, the version of the room it has
seen.
"""

from typing import Annotated, ClassVar, Literal, get_args

from msgspec import Meta, Struct, field

from fourfold.protocol import studies as parts
from fourfold.protocol.lines import JudgedPly, Line, Puzzle, Summary, Threat

MAX_DELAY = 15 * 60_000
"""The longest delay, in milliseconds, with which watchers may see a game."""

MAX_MOVES = 1500
"""How many moves a game may begin with. A frame may have room for fewer."""

MoveText = Annotated[str, Meta(min_length=1, max_length=16)]
RoomId = Annotated[str, Meta(min_length=1, max_length=32)]
SeatName = Annotated[str, Meta(min_length=1, max_length=16)]
CommandKey = Annotated[str, Meta(min_length=1, max_length=64)]
Seq = Annotated[int, Meta(ge=0, le=2**53)]
Variant = Annotated[str, Meta(min_length=1, max_length=32)]
Level = Annotated[int, Meta(ge=1, le=5)]
Password = Annotated[str, Meta(min_length=1, max_length=64)]
PlayerId = Annotated[str, Meta(min_length=1, max_length=64)]
PlayerName = Annotated[str, Meta(min_length=1, max_length=64)]
Time = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=2**31)]
Device = Annotated[str, Meta(max_length=64)]
PasskeyAnswer = Annotated[str, Meta(min_length=2, max_length=6000)]
Speed = Literal["bullet", "blitz", "rapid", "classical", "untimed"]
GameResult = Literal["won", "drawn", "lost", "aborted"]
PageMark = Annotated[str, Meta(pattern=r"^[0-9]{1,16}\.[0-9a-z]{1,32}\.[0-9]{1,9}$")]
PoolCode = Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]{4,32}$")]
ChallengeId = Annotated[str, Meta(min_length=1, max_length=32)]
ModeratorsAct = Literal[
    "ban", "mute", "lock", "silence", "word", "lift", "kick", "close", "rename", "announce", "appoint"
]
"""What moderators do: see `Moderate`."""

Reason = Literal[
    "generic",
    "later",
    "too_fast",
    "too_slow",
    "time_control",
    "rated",
    "casual",
    "standard",
    "variant",
    "no_bot",
    "only_bot",
]
VoteKind = Literal["undo", "redo", "draw", "stand_in", "remove", "rematch"]


class Request(Struct, forbid_unknown_fields=True, kw_only=True, tag_field="type", tag=str.lower):
    """What all requests have in common."""

    answers: ClassVar[tuple[str, ...]] = ("ok",)
    """The types of frame that may be the reply to this request, besides `error`."""

    id: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class Plays(Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot plays: in which `variants` and at which `speeds` (none named: all), games that are `rated` or not
    (null: both), and how many `games` at once (null: any number)."""

    variants: Annotated[list[Variant], Meta(max_length=32)] = []
    speeds: Annotated[list[Speed], Meta(max_length=8)] = []
    rated: bool | None = None
    games: Annotated[int, Meta(ge=1, le=1000)] | None = None


class Hello(Request):
    """The first request of a connection: says who the client is.

    Without a `token` the client becomes a new guest, or a new bot if `bot` is true. With a token it becomes the player
    whom the token proves, under the name the player had. A `name` sent along is a guest's new name; an account keeps
    its own. A guest's name that looks like that of an account, a computer player or the staff is marked "(guest)"; that
    of a bot without an account, "(bot)".

    A bot may say what it `plays`: `people` tells others, and the service declines other challenges in its name.
    """

    answers = ("welcome",)

    token: Annotated[str, Meta(max_length=256)] | None = None
    name: Annotated[str, Meta(max_length=64)] | None = None
    bot: bool = False
    plays: Plays | None = None


class Clock(Struct, forbid_unknown_fields=True):
    """A time control, in milliseconds: `base` for the game, and an `increment` or a `delay` for each move.

    With a `base` of 0 each move has a limit of its own, the `delay`, which must then be more than 0.
    """

    base: Annotated[int, Meta(ge=0, le=7 * 86_400_000)]
    increment: Annotated[int, Meta(ge=0, le=86_400_000)] = 0
    delay: Annotated[int, Meta(ge=0, le=86_400_000)] = 0

    def __post_init__(self) -> None:
        if not (self.base or self.delay):
            raise ValueError("a clock without a `base` needs a `delay`: it is what each move may take")


class Create(Request):
    """Open a room.

    `position` is a FEN (two players), a FEN4 (four), or the name of a start array (`modern`, `classic`); without it,
    the variant's usual start. `moves` (as in `move`) have been played from there already, and can be undone. Without a
    `clock` the game is untimed. A `private` room is in no list; clients need its id. A `password` is needed to join or
    watch, but not by the host, by seated players, or by bots that this server runs. `chat` false turns chat off. With
    a `delay`, in milliseconds, watchers see the game that much later than the players. With `rated` false the game
    changes no ratings; else it does if everybody who plays has a rating: see *Ratings*. Sent again with the same
    `key`, no second room is opened.
    """

    answers = ("created",)

    variant: Variant = "standard"
    position: Annotated[str, Meta(max_length=4096)] | None = None
    visibility: Literal["public", "private"] = "public"
    clock: Clock | None = None
    password: Password | None = None
    chat: bool = True
    delay: Annotated[int, Meta(ge=0, le=MAX_DELAY)] = 0
    key: CommandKey | None = None
    moves: Annotated[list[MoveText], Meta(max_length=MAX_MOVES)] = []
    rated: bool = True


class Check(Request):
    """Ask whether a game can begin from a position, and for every reason why not, without opening a room. `variant`
    and `position` are as in `create`."""

    answers = ("checked",)

    variant: Variant = "standard"
    position: Annotated[str, Meta(max_length=4096)] | None = None


class Read(Request):
    """Read a game, or a position, from a text, so that a room can be opened with it (`create`). Of several games the
    first is read. Without a `format` the server guesses it from the text.

    Leave out comments and variations: a frame has room for a game of some hundred moves.
    """

    answers = ("parsed",)

    text: Annotated[str, Meta(min_length=1, max_length=8000)]
    format: Literal["pgn", "pgn4", "smith", "fen"] | None = None


class Join(Request):
    """Take a seat, the named one or the first that is free, and follow the room: after `joined` comes the `room`
    snapshot.

    A player who already has a seat in the room gets that seat again. In a rated game of more than two, no account sits
    beside another player of its address, nor a bot with an account where there are no teams: `same_address`. See
    *Ratings*.
    """

    answers = ("joined",)

    room: RoomId
    seat: SeatName | None = None
    password: Password | None = None


class Watch(Request):
    """Follow a room, or a study.

    The answer is the `room` snapshot, of a study `study`; or, with `since` (the last `seq` the client has), `ok`,
    followed by every `update` after it, however old. `decided` is the `time` of the update at `since`, or the `decided`
    of the snapshot. With it the server notices if the client has seen another game than the log has, and refuses with
    `ahead`.

    A client that watches for a `preview`, such as a lobby's small board, is not counted as a watcher, and its player
    is not shown as online. A `join` or another `watch` ends the preview.
    """

    answers = ("room", "study", "ok")

    room: RoomId
    since: Seq | None = None
    password: Password | None = None
    preview: bool = False
    decided: Seq | None = None


class Leave(Request):
    """Stop following a room, or a study. Before the game has started this also frees the player's seat."""

    room: RoomId


class Bot(Request):
    """Invite a bot of a level to a free seat, the named one or the first. Only the host may do this: the player who
    opened the room. Refused (`fair_play`) where the bot would show what is good in another game: see *Fair play*."""

    room: RoomId
    level: Level
    seat: SeatName | None = None


class Kick(Request):
    """Free a seat before the game has started: from the bot invited to it, or from its player. The player can't take a
    seat in this room again, nor can guests from the player's address. Only the host may do this."""

    room: RoomId
    seat: SeatName
    key: CommandKey | None = None


class Close(Request):
    """End a room whose game has not started: `finished` comes, for the reason `aborted`, and the room leaves the
    lobby. Only the host may do this."""

    room: RoomId
    key: CommandKey | None = None


class Move(Request):
    """Play a move, in coordinate notation (`e2e4`, `e7e8q`, castling as the king's move `e1g1`)."""

    room: RoomId
    move: MoveText
    seq: Seq
    key: CommandKey


class Propose(Request):
    """Open a vote: on an undo or redo (of `plies` moves), on a draw (in `ffa`: to end now, on points), after the end
    on a rematch, on a bot of `level` to stand in for the absent player at `seat`, or on the removal of that player."""

    room: RoomId
    kind: VoteKind
    seq: Seq
    key: CommandKey
    plies: Number | None = None
    seat: SeatName | None = None
    level: Level | None = None


class Vote(Request):
    """Answer the open proposal, by its number: yes or no."""

    room: RoomId
    proposal: Number
    accept: bool
    key: CommandKey


class Withdraw(Request):
    """Take back the open proposal, by its number. Only its proposer may do this."""

    room: RoomId
    proposal: Number
    key: CommandKey


class Claim(Request):
    """End the game by what the rules let this player claim: see `claims` in `room` and `turn`. This needs no vote."""

    room: RoomId
    key: CommandKey


class Resign(Request):
    """Give up the game."""

    room: RoomId
    key: CommandKey


class Abort(Request):
    """End the game without a result, as long as some player has never moved. An undone move counts."""

    room: RoomId
    key: CommandKey


class Legal(Request):
    """Ask for the legal moves of the player to move, or of one square."""

    answers = ("legal",)

    room: RoomId
    square: Annotated[str, Meta(min_length=2, max_length=3)] | None = None


class Say(Request):
    """Send a chat message to `all` in a followed room, or to the `table`: only seated players send and receive these.
    It arrives as `said`."""

    room: RoomId
    text: Annotated[str, Meta(min_length=1, max_length=200)]
    to: Literal["table", "all"] = "all"


class Export(Request):
    """Ask for the game as text: `pgn` (for two), `pgn4` (for four), `smith`, `fen`, `json`. An imported game comes as
    its record had it, word for word, in the format of that. With `ply`, `fen` is the position after so many of the
    game's moves; in no other format is a part of a game written. Of a study, `pgn` or `pgn4`: all chapters that are
    written so, with their variations, or the one of a number."""

    answers = ("exported",)

    room: RoomId
    format: Annotated[str, Meta(min_length=1, max_length=16)]
    chapter: parts.ChapterNumber | None = None
    ply: Annotated[int, Meta(ge=0, le=MAX_MOVES)] | None = None


class Rooms(Request):
    """Ask for the public rooms that are open or being played, newest first; rooms in which nobody is come last.

    With `follow` true, changes to that list are then sent on this connection as `lobby`, until a request with `follow`
    false or for another list. A request without `follow` changes nothing.
    """

    answers = ("rooms",)

    variant: Variant | None = None
    status: Literal["open", "playing"] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    follow: bool | None = None


class Seek(Request):
    """Play with others who seek the same: take a seat in the room where they wait, or be the first to wait. After
    `joined` comes the `room` snapshot, as after a `join`.

    A connection seeks one game at a time: another `seek` ends the earlier one. Before a game begins, the players who
    wait must answer a ping; a player who does not loses the seat. At a table of more than two, no two players have the
    same address, unless it is the server's own machine, or they name a pool. Only those meet who say the same of
    `rated`, as in `create`. With the code of a `pool`, such as a class or a club has, a player meets only those who
    seek with the same code, in a private room.

    A player who has a rating may name a `range`, in points: then all who meet are rated and no farther apart. It widens
    by 5 points for each second of waiting. If somebody comes within it who waits in another room, the player is seated
    there, and this connection is told by `paired`.
    """

    answers = ("joined",)

    variant: Variant = "standard"
    clock: Clock | None = None
    rated: bool = True
    pool: PoolCode | None = None
    range: Annotated[int, Meta(ge=10, le=2000)] | None = None


class Unseek(Request):
    """Stop seeking: give up the seat and the room of this connection's `seek`."""


class Challenge(Request):
    """Challenge players to a game: for two the `player`; for more, `seats` says who is asked to which seat, or which
    level of computer player sits there. All seats but one are named; that one, or `seat`, is the challenger's. For two,
    sides are drawn if no seat is named. `rated` is as in `create`. If `seats` names all seats, and not the challenger,
    a game between others is arranged: only moderators may, also by a token to `organize`.

    With a `room`, which is open, `seats` names one of its seats and who is asked to it: a player, or a level. Only the
    host may do this. The game is the table's, whatever else the request says of it. A yes takes this seat; if it cannot
    be taken any more, the challenge is `cancelled`, and its `reason` is the code of the refusal.

    A player is named by id, or by a name that only one player has: of an account, or of a guest who is online. Each is
    sent the `challenge`, whatever their connection, and again when they connect. When all have said yes, a room is
    opened in which all are seated; computer players, by level or as `level1` to `level5`, say yes at once. Without an
    `answer` from all it expires after five minutes. Sent again with the same `key`, it is no second challenge.
    """

    answers = ("challenge",)

    player: PlayerName | None = None
    seats: dict[SeatName, PlayerName | Level] = {}
    seat: SeatName | None = None
    room: RoomId | None = None
    variant: Variant = "standard"
    clock: Clock | None = None
    visibility: Literal["public", "private"] = "public"
    rated: bool = True
    key: CommandKey | None = None


class Answer(Request):
    """Answer a `challenge`: yes or no, which may have a `reason` and some words of one's own. A yes is refused while
    the challenger is away."""

    answers = ("challenge",)

    challenge: ChallengeId
    accept: bool
    reason: Reason | None = None
    text: Annotated[str, Meta(max_length=200)] = ""


class Cancel(Request):
    """Take one's own `challenge` back."""

    answers = ("challenge",)

    challenge: ChallengeId


class People(Request):
    """Ask who is online, at all servers: first those who wait for a game, then those who play none. A page says what
    to name as `after` to get the next one. With `follow` true, changes to this page are then sent on this connection as
    `online`, until a request with `follow` false or for another page.

    With a `room`, only the bots are told who play such games as its, all of them; those who play none now come first.
    """

    answers = ("people",)

    after: Annotated[str, Meta(min_length=1, max_length=160)] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    follow: bool | None = None
    room: RoomId | None = None


class Follow(Request):
    """Follow a player who has an account, by id or name: `following` lists them. It needs an account of one's own."""

    player: PlayerName


class Unfollow(Request):
    """Follow a player no longer."""

    player: PlayerName


class Following(Request):
    """List whom one follows."""

    answers = ("following",)


class Serve(Request):
    """Become a host of bots: receive a `summon` for every seat that waits for a bot.

    `key` is the `BOTS_KEY` of the server. The server's own host of bots has it.
    """

    key: Annotated[str, Meta(min_length=1, max_length=256)]


class Games(Request):
    """Search for games, newest first: those of a `player`, of a player `with` another, of a `room`, or all public ones.
    Players are named by their ids, or by their names: `name` finds the public games of all who are called so,
    `with_name` those in which such a player played too. The case of letters does not matter. `players` is how many
    play.

    The first page begins with the games that are being played. A page says what to name as `after` to get the next one.
    `result` is the player's; without `player` and `name`, `drawn` and `aborted` are the game's. `since` and `until`
    bound the time of its end, in milliseconds since 1970. A player finds all of their own games; others find public
    ones, and public games without a `player` some minutes after they have ended.
    """

    answers = ("games",)

    player: PlayerId | None = None
    with_: PlayerId | None = field(name="with", default=None)
    name: PlayerName | None = None
    with_name: PlayerName | None = None
    variant: Variant | None = None
    players: Annotated[int, Meta(ge=2, le=8)] | None = None
    result: GameResult | None = None
    since: Time | None = None
    until: Time | None = None
    after: PageMark | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 20
    room: RoomId | None = None


class Download(Request):
    """Get one's own games as text, those that are over, newest first: the games that `games` finds with one's own id as
    `player` and the same fields, if they are written in the `format`. `pgn` is for two players, `pgn4` for four,
    `ndjson` for all: a line of JSON for each game. A reply has some of them, and says what to name as `after` to get
    more."""

    answers = ("downloaded",)

    format: Literal["pgn", "pgn4", "ndjson"]
    with_: PlayerId | None = field(name="with", default=None)
    with_name: PlayerName | None = None
    variant: Variant | None = None
    players: Annotated[int, Meta(ge=2, le=8)] | None = None
    result: GameResult | None = None
    since: Time | None = None
    until: Time | None = None
    after: PageMark | None = None


class Results(Request):
    """Ask how a player's games have ended: by variant, by seat, and against each opponent."""

    answers = ("results",)

    player: PlayerId


class Ratings(Request):
    """Ask for the ratings of a player, by id or by the `name` of an account, with their latest `points` each (how many
    at most); of oneself without either."""

    answers = ("ratings",)

    player: PlayerId | None = None
    name: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    points: Annotated[int, Meta(ge=0, le=200)] = 50


class Leaderboard(Request):
    """Ask who stands highest in a variant, and for two players at a `speed`: accounts whose rating is certain, and who
    have played in the last 90 days. The computer players are between them. With `bots` true, only bots."""

    answers = ("leaderboard",)

    variant: Variant = "standard"
    speed: Speed | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    bots: bool = False


class Strengths(Request):
    """Ask how players are rated in one kind of game: a variant, and with two players the speed of a `clock` (null:
    untimed). Guests have no ratings."""

    answers = ("strengths",)

    players: Annotated[list[PlayerId], Meta(min_length=1, max_length=100)]
    variant: Variant = "standard"
    clock: Clock | None = None


class Explore(Request):
    """Ask what was played from a position in the games of the archive: those that are public, or imported, and were not
    aborted; their first 40 moves. `variant` and `position` are as in `create`; or `room` names a room, and `ply` how
    many of the moves of its game have been played (null: all). `moves` (as in `move`) lead on from there."""

    answers = ("explored",)

    variant: Variant = "standard"
    position: Annotated[str, Meta(max_length=4096)] | None = None
    moves: Annotated[list[MoveText], Meta(max_length=MAX_MOVES)] = []
    room: RoomId | None = None
    ply: Annotated[int, Meta(ge=0, le=MAX_MOVES)] | None = None


class Analyse(Request):
    """Ask for the best `lines` in a position, which is named as in `explore`: those of level 5, or of an engine that
    the server was started with. They come as `lines` frames with this `key`, deeper and deeper, for up to `ms`
    milliseconds; the last one says that it is `done`.

    A connection has one analysis: the next one ends it, and so does `unanalyse`. All who ask share what time games
    leave. Refused (`fair_play`) while a game that is played from your account or your address is near this position:
    see *Fair play*.
    """

    key: CommandKey
    variant: Variant = "standard"
    position: Annotated[str, Meta(max_length=4096)] | None = None
    moves: Annotated[list[MoveText], Meta(max_length=MAX_MOVES)] = []
    room: RoomId | None = None
    ply: Annotated[int, Meta(ge=0, le=MAX_MOVES)] | None = None
    lines: Annotated[int, Meta(ge=1, le=5)] = 3
    ms: Annotated[int, Meta(ge=100, le=60_000)] = 10_000


class Unanalyse(Request):
    """End the analysis of this connection, if there is one."""


class Found(Request):
    """From a host of bots: what it has found for the `job` of a `consult`. Refused (`no_such_job`) if nobody waits for
    it any more."""

    job: Annotated[str, Meta(min_length=1, max_length=64)]
    depth: Annotated[int, Meta(ge=0, le=1000)]
    nodes: Annotated[int, Meta(ge=0, le=2**53)]
    lines: Annotated[list[Line], Meta(max_length=5)]
    threats: Annotated[list[Threat], Meta(max_length=4)]
    done: bool


class Review(Request):
    """Ask for the review of the game that is over in a room: what each of its positions was worth to each seat, which
    moves were bad and why, how exactly each has played. To make it takes a while: ask again until the
    reply has a `summary`. Unless `start` is true, it is only told whether there is one."""

    answers = ("reviewed",)

    room: RoomId
    start: bool = True


class Examined(Request):
    """From a host of bots: how many positions of the game of an `examine` it has `looked` at; then the positions, each
    `judged`, from the first on; at the end, what is to be said of the whole (`summary`), with the `puzzles` of the
    game. Refused (`no_such_job`) if nobody waits for it any more."""

    job: Annotated[str, Meta(min_length=1, max_length=64)]
    looked: Annotated[int, Meta(ge=0)] = 0
    judged: JudgedPly | None = None
    summary: Summary | None = None
    puzzles: Annotated[list[Puzzle], Meta(max_length=50)] = []
    done: bool = False


class Puzzles(Request):
    """Ask for puzzles: positions of games that were reviewed, in which a player missed a mate or a gain. Of the game of
    a `room`; or of the latest of one's own archived games, if there is none."""

    answers = ("puzzles",)

    room: RoomId | None = None


class Solve(Request):
    """Solve the puzzle that begins after so many moves (`ply`) of a room's game, by the `moves` of the seat whose turn
    it is there; without moves, see where it begins. With `show`, see its solution."""

    answers = ("solved",)

    room: RoomId
    game: Annotated[int, Meta(ge=1, le=2**31)]
    ply: Annotated[int, Meta(ge=0, le=MAX_MOVES)]
    moves: Annotated[list[MoveText], Meta(max_length=8)] = []
    show: bool = False


class Variants(Request):
    """Ask for the variants that can be played: seats, start arrays, boards, and how their rules differ."""

    answers = ("variants",)


class Account(Request):
    """Ask for what is stored about one's account: its name, passkeys, and the devices on which it is signed in."""

    answers = ("account",)


class Passkey(Request):
    """Begin to `make` a passkey, or to `use` one. The reply has what a page passes to `navigator.credentials`; what
    that returns goes, on the same connection, into `register`, `enroll` or `login`."""

    answers = ("passkey",)

    to: Literal["make", "use"]


class Oidc(Request):
    """Begin to sign in at the server's OpenID provider. The reply has the address to which a page goes; the provider
    sends the browser back to `/signed-in` with a `state` and a `code`, which go into `login`, as the same player."""

    answers = ("oidc",)


class SignedIn(Struct, forbid_unknown_fields=True):
    """What an OpenID provider has sent a browser back with."""

    state: Annotated[str, Meta(min_length=1, max_length=128)]
    code: Annotated[str, Meta(min_length=1, max_length=4096)]


class Register(Request):
    """Make this guest an account: with the same player id, so that seats and games stay, and with a name of its own.

    No other account has a name that looks the same. The account is proved by a passkey, if `passkey` has a browser's
    answer as JSON, or else by a recovery code, which the reply has and no later one. The reply has a new token, to be
    used from now on: the guest's is void at once. `device` is what the account's list of devices calls this one.
    """

    answers = ("account",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    passkey: PasskeyAnswer | None = None
    device: Device = ""


class Login(Request):
    """Sign in to an account, by a passkey (a browser's answer as JSON), a recovery code, or what an OpenID provider has
    sent. The reply has a token, with which a new connection says `hello`; this connection stays who it is.

    If nobody has signed in by this provider's identity before, it is this player's from now on: a guest becomes an
    account in place, under a name that the provider knows."""

    answers = ("account",)

    passkey: PasskeyAnswer | None = None
    code: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    oidc: SignedIn | None = None
    device: Device = ""


class Enroll(Request):
    """Add a passkey to one's account: a browser's answer as JSON."""

    answers = ("account",)

    passkey: PasskeyAnswer
    device: Device = ""


class Recovery(Request):
    """Make a new recovery code for one's account. The reply has it, and no later one; the code before is no longer
    good."""

    answers = ("account",)


class Rename(Request):
    """Give one's account another name. The reply has a new token. Muted players keep their names."""

    answers = ("account",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]


class Administer(Request):
    """Become the server's first admin, by the `code` that the server has printed at its start. It is good once, and
    only for an account."""

    answers = ("account",)

    code: Annotated[str, Meta(min_length=1, max_length=64)]


class Grant(Request):
    """Make an access token, for a program that says `hello` with it: to `play` as this player, to play and `moderate`
    as a player who is a moderator, to `organize` games between others as such a one, or for a `bot` of a `name` of its
    own, which belongs to this player's account and is marked as a bot wherever it plays. Only moderators get tokens to
    `moderate` and to `organize`. The token does not change the account, lasts ten years, and is in the account's list
    of sessions, to be revoked."""

    answers = ("granted",)

    scope: Literal["play", "bot", "moderate", "organize"]
    name: Annotated[str, Meta(min_length=1, max_length=64)]


class Revoke(Request):
    """Sign a device out, by its `session`: all its connections are closed, at every server, and its token is void. If
    it is this one, the connection is closed after the reply. Or remove a `passkey`."""

    session: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    passkey: Annotated[str, Meta(min_length=1, max_length=1400)] | None = None


class Moderate(Request):
    """Do what a moderator does, with an account that has the role, or a token to `moderate`. `why` is told to whom it
    concerns, and stands in the audit log; `seconds` is for how long (null: for good).

    `ban` or `mute` a player (the id, or the name of the account; with all bots of the account), or ban an address or a
    network (`203.0.113.0/24`); `lock` a room, so that nobody new comes in; `silence` the chat of the whole server; keep
    a `word` out of chat and names, however it is written. `lift` an order by its id. `kick` from a room the seat that
    `text` names, or `close` the room, before its game begins. `rename` an account to `text`. `announce` a `text` to
    everybody. `appoint` an account to `text` (`moderator`, `admin`, or nothing): admins alone.
    """

    act: ModeratorsAct
    target: Annotated[str, Meta(max_length=64)] = ""
    text: Annotated[str, Meta(max_length=200)] = ""
    why: Annotated[str, Meta(max_length=200)] = ""
    seconds: Annotated[int, Meta(ge=1, le=10 * 366 * 86_400)] | None = None


class Moderation(Request):
    """Ask for what is ordered, what is reported and not settled, and what moderators have done lately: moderators
    alone."""

    answers = ("moderation",)


class Report(Request):
    """Report a player to the moderators, from a room that one follows: who sits there, or has talked there. The last
    lines and moves go along."""

    room: RoomId
    player: PlayerId
    why: Annotated[str, Meta(min_length=1, max_length=200)]


class Settle(Request):
    """Settle a report, by its id; `outcome` says how. Moderators alone."""

    report: Annotated[str, Meta(min_length=1, max_length=64)]
    outcome: Annotated[str, Meta(max_length=200)] = ""


class Study(Request):
    """Open a study: chapters, each a position and the moves that people try from it. `visibility` and `write` are as in
    the changes `share` and `allow`. It begins with what `source` has. Without a `title` it is called as its text says
    (the tag `StudyName`), or `Study`. Sent again with the same `key`, no second one is opened."""

    answers = ("created",)

    title: parts.Title | None = None
    visibility: parts.StudyVisibility = "private"
    write: parts.StudyWriting = "owner"
    writers: parts.Writers = []
    source: parts.Source = parts.Source()
    key: CommandKey | None = None


class Piece(Request):
    """Send the beginning of a text that chapters are made of and that is too long for one request, a piece at a time.
    The `source` of the `study` or `edit` that follows has the end, and says how many pieces were sent. They are kept
    until then, as long as the connection lasts. A piece of the `number` 0 begins anew."""

    answers = ("ok",)

    number: Annotated[int, Meta(ge=0, lt=parts.MAX_PIECES)]
    text: Annotated[str, Meta(min_length=1, max_length=parts.MAX_TEXT)]


class Edit(Request):
    """Change a study. An `ok` that no `update` follows means that it was like that already."""

    room: RoomId
    change: parts.AnyChange
    key: CommandKey | None = None


class Look(Request):
    """Ask for the boards after some moves of a chapter, and what may be played there; with `attacks`, also for the
    squares that each seat's pieces attack. Moves that were removed are left out of the answer."""

    answers = ("looked",)

    room: RoomId
    chapter: parts.ChapterNumber
    nodes: Annotated[list[parts.NodeNumber], Meta(min_length=1, max_length=40)]
    attacks: bool = False


class Stand(Request):
    """Say at which move of a study one looks: the others are shown it by `cursors`. The study must be followed."""

    room: RoomId
    chapter: parts.ChapterNumber
    node: parts.NodeNumber


class Studies(Request):
    """Ask for studies, changed last first: one's own, those that one was named as a writer in not among them, or the
    public ones. `after` is the mark that the page before ended with."""

    answers = ("studies",)

    whose: Literal["mine", "public"] = "mine"
    after: Annotated[str, Meta(pattern=r"^[0-9]{1,16}\.[0-9a-z]{1,32}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 30


class Ping(Request):
    """Ask whether the server is there, and for its time."""

    answers = ("pong",)


AnyRequest = (
    Hello | Create | Check | Read | Join | Watch | Leave | Bot | Kick | Close | Move | Propose | Vote | Withdraw
    | Claim | Resign | Abort | Legal | Say | Export | Rooms | Games | Download | Results | Ratings | Leaderboard
    | Strengths | Explore | Analyse | Unanalyse | Review | Puzzles | Solve | Seek | Unseek
    | Challenge | Answer | Cancel | People | Follow | Unfollow | Following
    | Serve | Found | Examined | Variants | Account | Passkey | Oidc
    | Register | Login | Enroll | Recovery | Rename | Administer | Grant | Revoke
    | Moderate | Moderation | Report | Settle | Ping
    | Study | Piece | Edit | Look | Stand | Studies
)  # fmt: skip

REQUESTS: dict[str, type[AnyRequest]] = {str(cls.__struct_config__.tag): cls for cls in get_args(AnyRequest)}
"""Every request by its `type`."""
