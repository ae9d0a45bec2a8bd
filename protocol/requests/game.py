"""Requests about rooms and the games in them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from fourfold.protocol import studies as parts
from fourfold.protocol.requests.base import (
    MAX_DELAY,
    MAX_MOVES,
    CommandKey,
    Level,
    MoveText,
    Number,
    Password,
    Request,
    RoomId,
    SeatName,
    Seq,
    Variant,
)

Reaction = Literal["hello", "good_luck", "good_move", "oops", "thanks", "good_game"]
"""The quick reactions of players."""

VoteKind = Literal["undo", "redo", "draw", "stand_in", "remove", "rematch", "pause", "resume"]


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


class Variants(Request):
    """Ask for the variants of this server: seats, start arrays, boards, and differences of rules."""

    answers = ("variants",)
