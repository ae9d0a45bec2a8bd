"""The requests of clients, one Struct each.

A request with an unknown field is refused, so that a misspelt field is an error and not a silent default. Every request
may have an `id`, the client's own counter. Its one reply repeats the `id`.

A request that changes a room has a `key`, a string that is unique among the client's commands in this room. After a
lost reply, the client can send the command again with the same key, to any node. It is not carried out twice, and gets
its first answer. A request whose outcome depends on what the client has seen also has a `seq`, the version of the room
that the client saw.
"""

from typing import Annotated, ClassVar, Literal, get_args

from msgspec import Meta, Struct, field

from fourfold.protocol import studies as parts
from fourfold.protocol.lines import JudgedPly, Line, Puzzle, Summary, Threat

MAX_DELAY = 15 * 60_000
"""The longest delay for watchers, in milliseconds."""

MAX_MOVES = 1500
"""The most moves with which a game can begin. A frame may have room for fewer."""

MoveText = Annotated[str, Meta(min_length=1, max_length=16)]
RoomId = Annotated[str, Meta(min_length=1, max_length=32)]
SeatName = Annotated[str, Meta(min_length=1, max_length=16)]
CommandKey = Annotated[str, Meta(min_length=1, max_length=64)]
RegistrationKey = Annotated[str, Meta(min_length=22, max_length=64)]
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
Choice = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,24}$")]
PoolCode = Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]{4,32}$")]
ChallengeId = Annotated[str, Meta(min_length=1, max_length=32)]
ModeratorsAct = Literal[
    "ban", "mute", "lock", "silence", "word", "lift", "kick", "close", "rename", "announce", "appoint"
]
"""The acts of moderators: see `Moderate`."""

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
Reaction = Literal["hello", "good_luck", "good_move", "oops", "thanks", "good_game"]
"""The quick reactions of players."""

VoteKind = Literal["undo", "redo", "draw", "stand_in", "remove", "rematch", "pause", "resume"]


class Request(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, tag_field="type", tag=str.lower):
    """The base of all requests."""

    answers: ClassVar[tuple[str, ...]] = ("ok",)
    """The frame types that can answer this request, besides `error`."""

    id: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class Plays(Struct, frozen=True, forbid_unknown_fields=True):
    """The games that a bot plays. Empty `variants` and `speeds` mean all. `rated` is true for rated games, false for
    unrated ones, null for both. `games` is the most games at once (null: any number)."""

    variants: Annotated[list[Variant], Meta(max_length=32)] = []
    speeds: Annotated[list[Speed], Meta(max_length=8)] = []
    rated: bool | None = None
    games: Annotated[int, Meta(ge=1, le=1000)] | None = None


class Hello(Request):
    """The first request of a connection: identifies the client.

    Without a `token` the client becomes a new guest, or a new bot if `bot` is true. With a token it becomes the player
    of that token, under the same name as before. A `name` renames a guest; an account keeps its own name. A guest's
    name that looks like an account, a computer player or the staff gets the suffix "(guest)". A bot without an account
    gets "(bot)".

    A bot can declare the games that it `plays`. `people` shows this, and the server declines all other challenges to
    the bot.

    After a `register` without an answer, a guest sends its `key` here. If the guest has the account, the guest's token
    is void, and the client becomes the account by this key.
    """

    answers = ("welcome",)

    token: Annotated[str, Meta(max_length=256)] | None = None
    name: Annotated[str, Meta(max_length=64)] | None = None
    bot: bool = False
    plays: Plays | None = None
    key: RegistrationKey | None = None


class Clock(Struct, forbid_unknown_fields=True):
    """A time control, in milliseconds: `base` for the game, and an `increment` or a `delay` for each move.

    With a `base` of 0, the `delay` is a time limit for each move, and must be more than 0.
    """

    base: Annotated[int, Meta(ge=0, le=7 * 86_400_000)]
    increment: Annotated[int, Meta(ge=0, le=86_400_000)] = 0
    delay: Annotated[int, Meta(ge=0, le=86_400_000)] = 0

    def __post_init__(self) -> None:
        if not (self.base or self.delay):
            raise ValueError("a clock without a `base` needs a `delay`: it is what each move may take")


class Create(Request):
    """Open a room.

    `position` is a FEN (two players), a FEN4 (four), or the name of a start array (`modern`, `classic`). The default is
    the variant's usual start. `moves` (as in `move`) have been played from there already, and can be undone. Without a
    `clock` the game is untimed.

    A `private` room is in no list; clients need its id. A `password` is needed to join or watch, but not by the host,
    by seated players, or by bots that this server runs. `chat` false turns chat off. With a `delay`, in milliseconds,
    watchers see the game that much later than the players. With `rated` false the game changes no ratings. Otherwise it
    does if everybody who plays has a rating: see *Ratings*. A repeated request with the same `key` opens no second
    room.
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
    """Check whether a game can begin from a position, without opening a room. The reply lists every reason against it.
    `variant` and `position` are as in `create`."""

    answers = ("checked",)

    variant: Variant = "standard"
    position: Annotated[str, Meta(max_length=4096)] | None = None


class Read(Request):
    """Parse a game or a position from a text, to open a room with it (`create`). If the text has several games, the
    server reads the first. Without a `format` the server guesses the format.

    Leave out comments and variations: one frame has room for a game of a few hundred moves.
    """

    answers = ("parsed",)

    text: Annotated[str, Meta(min_length=1, max_length=8000)]
    format: Literal["pgn", "pgn4", "smith", "fen"] | None = None


class Join(Request):
    """Take a seat, by name or the first free one, and follow the room. After `joined` comes the `room` snapshot.

    A player who already has a seat in the room gets that seat again. If they go by another name now, the seat has it
    too (`renamed`), until five rounds have been played. In a rated game for more than two, the server
    refuses an account if another player from its address is seated (`same_address`). Outside team games, this also
    applies to bots with an account. See *Ratings*.
    """

    answers = ("joined",)

    room: RoomId
    seat: SeatName | None = None
    password: Password | None = None


class Watch(Request):
    """Follow a room or a study.

    The answer is the snapshot: `room`, or `study` for a study. With `since`, the last `seq` that the client has, the
    answer is `ok` and then every later `update`, however old. `decided` is the `time` of the update at `since`, or the
    `decided` of the snapshot. It lets the server detect that the client has seen another game than the log has; it then
    refuses with `ahead`.

    With `preview`, for example for a lobby's small board, the client does not count as a watcher, and its player does
    not appear online. A `join` or another `watch` ends the preview.
    """

    answers = ("room", "study", "ok")

    room: RoomId
    since: Seq | None = None
    password: Password | None = None
    preview: bool = False
    decided: Seq | None = None


class Leave(Request):
    """Stop following a room or a study. Before the game has started, this also frees the player's seat."""

    room: RoomId


class Bot(Request):
    """Invite a bot of a level to a free seat, by name or the first one. Only the host, who opened the room, can do
    this. Refused (`fair_play`) if the bot's moves would help in another game: see *Fair play*."""

    room: RoomId
    level: Level
    seat: SeatName | None = None


class Kick(Request):
    """Remove the player or the invited bot from a seat before the game has started. The player can't take a seat in
    this room again, and neither can guests from the player's address. Only the host can do this."""

    room: RoomId
    seat: SeatName
    key: CommandKey | None = None


class Close(Request):
    """Close a room whose game has not started. It ends with `finished`, for the reason `aborted`, and leaves the lobby.
    Only the host can do this."""

    room: RoomId
    key: CommandKey | None = None


class Move(Request):
    """Play a move, in coordinate notation (`e2e4`, `e7e8q`, castling as the king's move `e1g1`, a drop as `N@f3`)."""

    room: RoomId
    move: MoveText
    seq: Seq
    key: CommandKey


class Propose(Request):
    """Open a vote, by its `kind`.

    `undo` and `redo` are about `plies` moves. `draw` ends the game; in `ffa`, it ends on points. `rematch` is possible
    after the end. `pause` stops a game with clocks for at most ten minutes, and `resume` ends the pause. `stand_in`
    lets a bot of `level` play for the absent player at `seat`, and `remove` takes that player out of the game.
    """

    room: RoomId
    kind: VoteKind
    seq: Seq
    key: CommandKey
    plies: Number | None = None
    seat: SeatName | None = None
    level: Level | None = None


class Vote(Request):
    """Vote yes or no on the open proposal, by its number."""

    room: RoomId
    proposal: Number
    accept: bool
    key: CommandKey


class Withdraw(Request):
    """Take back the open proposal, by its number. Only its proposer can do this."""

    room: RoomId
    proposal: Number
    key: CommandKey


class Claim(Request):
    """End the game by a claim that the rules allow this player: see `claims` in `room` and `turn`. A claim needs no
    vote."""

    room: RoomId
    key: CommandKey


class Resign(Request):
    """Resign the game."""

    room: RoomId
    key: CommandKey


class Abort(Request):
    """End the game without a result, while some player has never moved. A move counts even if it was undone."""

    room: RoomId
    key: CommandKey


class Give(Request):
    """Give the opponent at `seat` 15 seconds more, at most 20 times in a game. Not in rated games for more than two.
    """

    room: RoomId
    seat: SeatName
    key: CommandKey


class Berserk(Request):
    """Before your first move, give up half of your time, and the increment."""

    room: RoomId
    key: CommandKey


class Legal(Request):
    """Ask for the legal moves of the player to move, or for those from one square."""

    answers = ("legal",)

    room: RoomId
    square: Annotated[str, Meta(min_length=2, max_length=3)] | None = None


class Say(Request):
    """Send a chat message to `all` in a followed room, or to the `table`. Only seated players send and receive table
    messages. The message arrives as `said`."""

    room: RoomId
    text: Annotated[str, Meta(min_length=1, max_length=200)]
    to: Literal["table", "all"] = "all"


class React(Request):
    """Show a quick reaction to everybody in a followed room. Only seated players can react, at most four times in ten
    seconds. The rules of chat hold. The reaction arrives as `reacted`."""

    room: RoomId
    reaction: Reaction


class Chat(Request):
    """Ask for the latest chat lines of a followed room, at most 100. The server keeps them until the room is archived.
    """

    answers = ("chat",)

    room: RoomId


class Export(Request):
    """Ask for the game as text: `pgn` (two players), `pgn4` (four), `smith`, `fen` or `json`.

    An imported game comes word for word as its record, in the format of the record. With `ply` and the format `fen`,
    the reply has the position after that many moves; the other formats always have the whole game. A study has `pgn` or
    `pgn4`: all chapters of that format with their variations, or one `chapter`, by number.
    """

    answers = ("exported",)

    room: RoomId
    format: Annotated[str, Meta(min_length=1, max_length=16)]
    chapter: parts.ChapterNumber | None = None
    ply: Annotated[int, Meta(ge=0, le=MAX_MOVES)] | None = None


class Rooms(Request):
    """Ask for the public rooms that are open or being played, newest first. Rooms without players and watchers come
    last.

    With `follow` true, the server then sends changes of that list on this connection as `lobby`, until a request with
    `follow` false or for another list. A request without `follow` changes nothing.
    """

    answers = ("rooms",)

    variant: Variant | None = None
    status: Literal["open", "playing"] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    follow: bool | None = None


class Pool(Request):
    """Ask for the running games of a pool, such as a class or a club, newest first. Everybody who has its
    `code` can watch them."""

    answers = ("rooms",)

    code: PoolCode
    limit: Annotated[int, Meta(ge=1, le=30)] = 9


class Seek(Request):
    """Find opponents who seek the same game: take a seat in a room where they wait, or be the first to wait. After
    `joined` comes the `room` snapshot, as after a `join`.

    A connection seeks one game at a time; another `seek` ends the earlier one. Before a game begins, the waiting
    players must answer a ping. A player who does not answer loses the seat. At a table for more than two, all players
    must have different addresses, unless they connect from the server's own machine or name a pool. Only players with
    the same `rated` (as in `create`) meet. With the code of a `pool`, for example of a class or club, a player meets
    only players with the same code, in a private room.

    A player with a rating can set a `range`, in points. Then all opponents have ratings, and these differ by no more
    than the range. It widens by 5 points for each second of waiting. If a suitable player waits in another room, the
    server moves this player there and sends `paired`.

    With `fill`, a level, computer players take the other seats, and the game begins at once. Players who seek the same
    take these seats over during the first five rounds: all followers are told by `seated`. Such a game is not rated.
    `fill` and `range` can't be combined.

    A repeated request with the same `key` seeks no second game. For ten minutes, the answer is the room in which the
    first request took a seat, even if its game has begun.
    """

    answers = ("joined",)

    variant: Variant = "standard"
    clock: Clock | None = None
    rated: bool = True
    pool: PoolCode | None = None
    range: Annotated[int, Meta(ge=10, le=2000)] | None = None
    fill: Level | None = None
    key: CommandKey | None = None


class Unseek(Request):
    """Stop seeking: give up the seat and the room of this connection's `seek`."""


class Challenge(Request):
    """Challenge players to a game.

    For two, name the `player`. For more, `seats` maps each seat to the player to ask, or to the level of a computer
    player. Name all seats but one; that one, or `seat`, is the challenger's. For two players without a named seat,
    sides are drawn. `rated` is as in `create`. If `seats` names all seats and not the challenger, the challenge
    arranges a game between others. Only moderators can do this, or programs with a token to `organize`.

    With a `room`, which must be open, `seats` maps one of its seats to a player or a level. Only the host can do this.
    The room's terms apply, whatever the request says. A yes takes the seat. If the seat is no longer available, the
    challenge is `cancelled`, and its `reason` is the code of the refusal.

    Name a player by id, or by a name that only one player has: an account, or a guest who is online. All of them
    receive the `challenge` on all their connections, and again when they connect. When all have said yes, the server
    opens a room with all of them seated. Computer players, by level or as `level1` to `level5`, say yes at once.
    Without an `answer` from all, the challenge expires after five minutes. A repeated request with the same `key` makes
    no second challenge.
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
    """Answer a `challenge` with yes or no. A no can have a `reason` and a `text` of your own. A yes is refused while
    the challenger is away."""

    answers = ("challenge",)

    challenge: ChallengeId
    accept: bool
    reason: Reason | None = None
    text: Annotated[str, Meta(max_length=200)] = ""


class Cancel(Request):
    """Take back your own `challenge`."""

    answers = ("challenge",)

    challenge: ChallengeId


class People(Request):
    """Ask who is online, on all nodes. Players who wait for a game come first, then players without a game. Each page
    has a mark; send it as `after` to get the next page. With `follow` true, the server then sends changes of this page
    on this connection as `online`, until a request with `follow` false or for another page.

    With a `room`, the reply lists only bots, all that play games like this room's. Bots without a game come first.
    """

    answers = ("people",)

    after: Annotated[str, Meta(min_length=1, max_length=160)] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    follow: bool | None = None
    room: RoomId | None = None


class Follow(Request):
    """Follow a player who has an account, by id or name. You need an account too. `following` lists the players that
    you follow."""

    player: PlayerName


class Unfollow(Request):
    """Stop following a player."""

    player: PlayerName


class Following(Request):
    """List the players that you follow."""

    answers = ("following",)


class Serve(Request):
    """Become a host of bots, and receive a `summon` for every seat that waits for a bot.

    `key` is the `BOTS_KEY` of the server. The server's own host of bots has it.
    """

    key: Annotated[str, Meta(min_length=1, max_length=256)]


class Games(Request):
    """Search for games, newest first: the games of a `player`, of a player `with` another, of a `room`, or all public
    games.

    Name players by id or by name. `name` finds the public games of all players with this name, and `with_name` those in
    which such a player took part too. Upper and lower case are the same. `players` is the number of players in the
    game. `result` is the player's result; without `player` and `name`, `drawn` and `aborted` are the game's. `since`
    and `until` bound the time of the end, in milliseconds since 1970.

    The first page starts with running games. Each page has a mark; send it as `after` to get the next page. Players
    find all of their own games. Others find public games only.
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
    """Download your own finished games as text, newest first. The other fields select games as in `games`, with your
    own id as the `player`. The `format` `pgn` has games for two players, `pgn4` games for four, and `ndjson` all games,
    as one line of JSON each. A reply has some of the games, and a mark to send as `after` to get more."""

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
    """Ask for a player's results: by variant, by seat, and against each opponent."""

    answers = ("results",)

    player: PlayerId


class Ratings(Request):
    """Ask for the ratings of a player, by id or by the `name` of an account. Without either, ask for your own. The
    reply has at most `points` recent values of each rating."""

    answers = ("ratings",)

    player: PlayerId | None = None
    name: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    points: Annotated[int, Meta(ge=0, le=200)] = 50


class Leaderboard(Request):
    """Ask for the highest ratings in a variant, and for two players at a `speed`. It lists accounts with a certain
    rating that have played in the last 90 days. Computer players appear among them. With `bots` true, it lists only
    bots."""

    answers = ("leaderboard",)

    variant: Variant = "standard"
    speed: Speed | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    bots: bool = False


class Strengths(Request):
    """Ask for the ratings of players in one kind of game: a variant, and for two players the speed of a `clock` (null:
    untimed). Guests have no ratings."""

    answers = ("strengths",)

    players: Annotated[list[PlayerId], Meta(min_length=1, max_length=100)]
    variant: Variant = "standard"
    clock: Clock | None = None


class Explore(Request):
    """Ask which moves were played from a position in archived games. It covers the first 40 moves of public and
    imported games that were not aborted. `variant` and `position` are as in `create`. Or `room` names a room, and `ply`
    the number of moves of its game (null: all). `moves` (as in `move`) continue from there."""

    answers = ("explored",)

    variant: Variant = "standard"
    position: Annotated[str, Meta(max_length=4096)] | None = None
    moves: Annotated[list[MoveText], Meta(max_length=MAX_MOVES)] = []
    room: RoomId | None = None
    ply: Annotated[int, Meta(ge=0, le=MAX_MOVES)] | None = None


class Analyse(Request):
    """Ask for the best `lines` in a position, by computer level 5 or by an engine that the operator has set. Name the
    position as in `explore`. The server sends `lines` frames with this `key`, with increasing depth, for up to `ms`
    milliseconds. The last one is marked `done`.

    A connection has one analysis; the next one or `unanalyse` ends it. All analyses share the time that games leave.
    Refused (`fair_play`) while a running game of your account or address is near this position: see *Fair play*.
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
    """From a host of bots: results for the `job` of a `consult`. Refused (`no_such_job`) if the job is no longer
    wanted."""

    job: Annotated[str, Meta(min_length=1, max_length=64)]
    depth: Annotated[int, Meta(ge=0, le=1000)]
    nodes: Annotated[int, Meta(ge=0, le=2**53)]
    lines: Annotated[list[Line], Meta(max_length=5)]
    threats: Annotated[list[Threat], Meta(max_length=4)]
    done: bool


class Review(Request):
    """Ask for the review of a room's finished game: the value of each position for each seat, the bad moves with
    explanations, and each player's accuracy. A review takes a while; ask again until the reply has a `summary`. With
    `start` false, the request only asks whether a review exists."""

    answers = ("reviewed",)

    room: RoomId
    start: bool = True


class Examined(Request):
    """From a host of bots: progress on the job of an `examine`. `looked` is the number of positions examined so far.
    Then come the positions in order, each as `judged`, and at the end the `summary` and the `puzzles` of the game.
    Refused (`no_such_job`) if the job is no longer wanted."""

    job: Annotated[str, Meta(min_length=1, max_length=64)]
    looked: Annotated[int, Meta(ge=0)] = 0
    judged: JudgedPly | None = None
    summary: Summary | None = None
    puzzles: Annotated[list[Puzzle], Meta(max_length=50)] = []
    done: bool = False


class Puzzles(Request):
    """Ask for puzzles: positions of reviewed games in which a player missed a mate or a gain. They are from the game of
    a `room`, or by default from your latest archived games."""

    answers = ("puzzles",)

    room: RoomId | None = None


class Solve(Request):
    """Solve a puzzle of a room's game that starts after `ply` moves. `moves` are the moves of the seat to move there.
    Without moves, the reply shows the start of the puzzle. With `show`, it has the solution."""

    answers = ("solved",)

    room: RoomId
    game: Annotated[int, Meta(ge=1, le=2**31)]
    ply: Annotated[int, Meta(ge=0, le=MAX_MOVES)]
    moves: Annotated[list[MoveText], Meta(max_length=8)] = []
    show: bool = False


class Variants(Request):
    """Ask for the variants of this server: seats, start arrays, boards, and differences of rules."""

    answers = ("variants",)


class Account(Request):
    """Ask for the data of your account: its name, passkeys, and signed-in devices."""

    answers = ("account",)


class Passkey(Request):
    """Begin to `make` a passkey or to `use` one. A page passes the reply to `navigator.credentials`. It sends the
    result on the same connection in `register`, `enroll` or `login`."""

    answers = ("passkey",)

    to: Literal["make", "use"]


class Oidc(Request):
    """Begin to sign in at the server's OpenID provider. The page opens the address in the reply. The provider then
    sends the browser back to `/signed-in` with a `state` and a `code`. Send these in `login`, as the same player."""

    answers = ("oidc",)


class SignedIn(Struct, forbid_unknown_fields=True):
    """The values with which an OpenID provider sends the browser back."""

    state: Annotated[str, Meta(min_length=1, max_length=128)]
    code: Annotated[str, Meta(min_length=1, max_length=4096)]


class Register(Request):
    """Turn this guest into an account with a name of its own. The player id stays the same, and so do seats and games.

    Account names must not look alike. A passkey proves the account, if `passkey` has a browser's answer as JSON.
    Otherwise a recovery code does; only this reply shows it. The reply has a new token. Use it from now on: the guest's
    token is void at once. `device` is the name of this device in the account's list.

    A repeated request with the same `key` gets the first answer again. The key opens the account, like a password: make
    it from 128 random bits or more for each account, and store it until the answer is there. After a lost connection,
    send it with the guest's token in `hello`, and then repeat the request.
    """

    answers = ("account",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    passkey: PasskeyAnswer | None = None
    device: Device = ""
    key: RegistrationKey | None = None


class Login(Request):
    """Sign in to an account by a passkey (a browser's answer as JSON), a recovery code, or the values from an OpenID
    provider. The reply has a token for the `hello` of a new connection. This connection keeps its player.

    The first sign-in with an identity of the provider links it to this player. A guest then becomes an account, under a
    name from the provider.
    """

    answers = ("account",)

    passkey: PasskeyAnswer | None = None
    code: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    oidc: SignedIn | None = None
    device: Device = ""


class Enroll(Request):
    """Add a passkey to your account: a browser's answer as JSON."""

    answers = ("account",)

    passkey: PasskeyAnswer
    device: Device = ""


class Recovery(Request):
    """Make a new recovery code for your account. Only this reply shows it. The code before becomes invalid."""

    answers = ("account",)


class Rename(Request):
    """Rename your account. The reply has a new token. Muted players cannot rename themselves."""

    answers = ("account",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]


class Preferences(Request):
    """Read the preferences kept with your account, and change those that are given. The server stores the names that
    clients choose, and does not interpret them."""

    answers = ("preferences",)

    board: Choice | None = None
    pieces: Choice | None = None
    coordinates: Choice | None = None
    animation: Choice | None = None
    confirmation: Choice | None = None
    sounds: Choice | None = None
    facing: Choice | None = None


class Administer(Request):
    """Become the server's first admin, by the `code` that the server printed at its start. The code works once, for an
    account only."""

    answers = ("account",)

    code: Annotated[str, Meta(min_length=1, max_length=64)]


class Grant(Request):
    """Make an access token, with which a program says `hello`.

    A token to `play` lets the program play as this player. A token to `moderate` also lets it moderate, and a token to
    `organize` lets it arrange games between others; only moderators get these two. A token for a `bot` creates a bot
    with its own `name`, which belongs to this player's account and is marked as a bot everywhere.

    An access token cannot change the account. It lasts ten years. The account's list of sessions shows it; revoke it
    there.
    """

    answers = ("granted",)

    scope: Literal["play", "bot", "moderate", "organize"]
    name: Annotated[str, Meta(min_length=1, max_length=64)]


class Revoke(Request):
    """Sign out a device, by its `session`. The server closes all its connections, on every node, and its token becomes
    void. If it is this device, the connection closes after the reply. Or remove a `passkey`."""

    session: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    passkey: Annotated[str, Meta(min_length=1, max_length=1400)] | None = None


class Moderate(Request):
    """Act as a moderator, with an account that has the role or a token to `moderate`. The affected players and the
    audit log get the reason `why`. `seconds` is the duration (null: for good).

    `ban` or `mute` a player, by id or account name, together with all bots of the account. `ban` also takes an address
    or a network (`203.0.113.0/24`). `lock` a room, so that nobody new can enter. `silence` the chat of the whole
    server. `word` keeps a word out of chat and names, in any spelling. `lift` an order by its id.

    `kick` the seat in `text` from a room, or `close` the room, before its game begins. `rename` an account to `text`.
    `announce` a `text` to everybody. `appoint` an account to the role in `text` (`moderator`, `admin`, or empty); only
    admins can do this.
    """

    act: ModeratorsAct
    target: Annotated[str, Meta(max_length=64)] = ""
    text: Annotated[str, Meta(max_length=200)] = ""
    why: Annotated[str, Meta(max_length=200)] = ""
    seconds: Annotated[int, Meta(ge=1, le=10 * 366 * 86_400)] | None = None


class Moderation(Request):
    """Ask for the orders in force, the open reports, and the moderators' latest acts. Only moderators can do this."""

    answers = ("moderation",)


class Report(Request):
    """Report a player to the moderators, from a room that you follow. The player must be seated there or have talked
    there. The report includes the latest chat lines and moves."""

    room: RoomId
    player: PlayerId
    why: Annotated[str, Meta(min_length=1, max_length=200)]


class Settle(Request):
    """Close a report, by its id. `outcome` is a note on the result. Only moderators can do this."""

    report: Annotated[str, Meta(min_length=1, max_length=64)]
    outcome: Annotated[str, Meta(max_length=200)] = ""


class Status(Request):
    """Ask for this server's vital signs of the last hour: those after the time `since`. With several servers, each
    has its own. Only admins can do this."""

    answers = ("status",)

    since: Time = 0


class Doctor(Request):
    """Run the checks of `fourfold-server doctor` in this server. Only admins can do this."""

    answers = ("findings",)


class Accounts(Request):
    """Find accounts by a part of their name, or by a player's id; without a `text`, the newest. Only admins can do
    this."""

    answers = ("accounts",)

    text: Annotated[str, Meta(max_length=64)] = ""


class Backups(Request):
    """Ask for the automatic backups in this server's folder, newest first. Only admins can do this."""

    answers = ("backups",)


class Backup(Request):
    """Ask for a part of a backup, from the byte `start` on. Only admins can do this."""

    answers = ("backup",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    start: Annotated[int, Meta(ge=0, le=2**53)] = 0


class SetUp(Request, tag="set_up"):
    """Choose settings of this server, which restarts with them: the service's name, whether new `accounts` are `open`
    to everybody or `closed`, whether it runs `computers` (computer players), and the `origin` whose pages may connect
    (empty: any), which must be that of your page. Settings that the operator has fixed stay. Only admins can do
    this."""

    service: Annotated[str, Meta(min_length=1, max_length=40)]
    accounts: Literal["open", "closed"] = "open"
    computers: bool = True
    origin: Annotated[str, Meta(max_length=200)] = ""


class Operate(Request):
    """Act as the server's admin. The audit log gets the reason `why`.

    `back_up` makes a backup, and answers when it has begun. `log_level` sets the level of all servers' logs to `text`
    (`debug`, `info`, `warning` or `error`) until they restart. `sign_out` ends the session `text` of the account
    `target`, or all its sessions.
    """

    act: Literal["back_up", "log_level", "sign_out"]
    target: Annotated[str, Meta(max_length=64)] = ""
    text: Annotated[str, Meta(max_length=64)] = ""
    why: Annotated[str, Meta(max_length=200)] = ""


class Study(Request):
    """Open a study: chapters, each a position with a tree of moves. `visibility` and `write` are as in the changes
    `share` and `allow`. `source` is the initial content. The default `title` is that of the text (the tag `StudyName`),
    or `Study`. A repeated request with the same `key` opens no second study."""

    answers = ("created",)

    title: parts.Title | None = None
    visibility: parts.StudyVisibility = "private"
    write: parts.StudyWriting = "owner"
    writers: parts.Writers = []
    source: parts.Source = parts.Source()
    key: CommandKey | None = None


class Piece(Request):
    """Send a piece of a text that is too long for one request, before the `study` or `edit` that uses it. The `source`
    of that request has the last part of the text and the number of pieces. The server keeps the pieces until then,
    while the connection lasts. A piece with the `number` 0 starts again."""

    answers = ("ok",)

    number: Annotated[int, Meta(ge=0, lt=parts.MAX_PIECES)]
    text: Annotated[str, Meta(min_length=1, max_length=parts.MAX_TEXT)]


class Edit(Request):
    """Change a study. An `ok` without an `update` means that the study was already in that state."""

    room: RoomId
    change: parts.AnyChange
    key: CommandKey | None = None


class Look(Request):
    """Ask for the boards after some moves of a chapter, with their legal moves. With `attacks`, also ask for the
    squares that each seat's pieces attack. The reply leaves out removed moves."""

    answers = ("looked",)

    room: RoomId
    chapter: parts.ChapterNumber
    nodes: Annotated[list[parts.NodeNumber], Meta(min_length=1, max_length=40)]
    attacks: bool = False


class Stand(Request):
    """Report the study's move that you are viewing. Others see it by `cursors`. You must follow the study."""

    room: RoomId
    chapter: parts.ChapterNumber
    node: parts.NodeNumber


class Chapters(Request):
    """Parse games with their variations and comments, to read them. Nothing is stored. The reply has the titles of all
    games, and one of them, `chapter`, counted from 1."""

    answers = ("chapters",)

    source: parts.Source
    chapter: parts.ChapterNumber = 1


class Import(Request):
    """Add a game that was played elsewhere to the archive: one game, as PGN or PGN4. The reply names its room. A game
    that is there already is not added again. Only players with an account can do this."""

    answers = ("created",)

    source: parts.Source


class Studies(Request):
    """Ask for studies, latest changes first: your own, or the public ones. Your own do not include studies of others in
    which you are a writer. `after` is the mark at the end of the previous page."""

    answers = ("studies",)

    whose: Literal["mine", "public"] = "mine"
    after: Annotated[str, Meta(pattern=r"^[0-9]{1,16}\.[0-9a-z]{1,32}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 30


class Ping(Request):
    """Ask whether the server is there, and for its time."""

    answers = ("pong",)


AnyRequest = (
    Hello | Create | Check | Read | Join | Watch | Leave | Bot | Kick | Close | Move | Propose | Vote | Withdraw
    | Claim | Resign | Abort | Give | Berserk | Legal | Say | React | Chat | Export | Rooms | Pool
    | Games | Download | Results | Ratings | Leaderboard | Strengths
    | Explore | Analyse | Unanalyse | Review | Puzzles | Solve | Seek | Unseek
    | Challenge | Answer | Cancel | People | Follow | Unfollow | Following
    | Serve | Found | Examined | Variants | Account | Passkey | Oidc
    | Register | Login | Enroll | Recovery | Rename | Preferences | Administer | Grant | Revoke
    | Moderate | Moderation | Report | Settle | Ping
    | Status | Doctor | Accounts | Backups | Backup | Operate | SetUp
    | Study | Piece | Chapters | Import | Edit | Look | Stand | Studies
)  # fmt: skip

REQUESTS: dict[str, type[AnyRequest]] = {str(cls.__struct_config__.tag): cls for cls in get_args(AnyRequest)}
"""Every request by its `type`."""
