"""Everything a client may say: one Struct for each request.

Unknown fields are refused, so that a misspelt field is an error and not a silent default. Every
request may carry `id`, the client's own counter, which its one reply repeats.

A request that changes a room carries `key`, a string of the client's own that no other command of
this client shares: sent again with the same key (after a lost reply, on any node) it is not done
twice but gets its first answer. Where the outcome depends on what the client was looking at, the
request also carries `seq`, the room's version it saw.
"""

from typing import Annotated, ClassVar, Literal, get_args

from msgspec import Meta, Struct

MAX_DELAY = 15 * 60_000
"""The longest time, in milliseconds, by which those who watch may see a game later."""

MAX_MOVES = 1500
"""So many moves a game may begin with; what a frame can hold may be less."""

MoveText = Annotated[str, Meta(min_length=1, max_length=16)]
RoomId = Annotated[str, Meta(min_length=1, max_length=32)]
SeatName = Annotated[str, Meta(min_length=1, max_length=16)]
CommandKey = Annotated[str, Meta(min_length=1, max_length=64)]
Seq = Annotated[int, Meta(ge=0, le=2**53)]
Variant = Annotated[str, Meta(min_length=1, max_length=32)]
Level = Annotated[int, Meta(ge=1, le=5)]
Password = Annotated[str, Meta(min_length=1, max_length=64)]
Number = Annotated[int, Meta(ge=1, le=2**31)]


class Request(Struct, forbid_unknown_fields=True, kw_only=True, tag_field="type", tag=str.lower):
    """What all requests share."""

    answers: ClassVar[tuple[str, ...]] = ("ok",)
    """The types of frame that may be the reply to this request. Another is always possible: `error`."""

    id: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class Hello(Request):
    """The first request of a connection: who is there.

    Without a token a new guest identity is made, a `bot`'s if it says so; with one, the identity it proves
    comes back, under the name it had. A `name` given along is the new one.
    """

    answers = ("welcome",)

    token: Annotated[str, Meta(max_length=256)] | None = None
    name: Annotated[str, Meta(max_length=64)] | None = None
    bot: bool = False


class Clock(Struct, forbid_unknown_fields=True):
    """How time is given, in milliseconds: `base` for the game, and each move an `increment` or a `delay`.

    Without a `base` each move has a limit of its own, the `delay`, which must then be more than nothing.
    """

    base: Annotated[int, Meta(ge=0, le=7 * 86_400_000)]
    increment: Annotated[int, Meta(ge=0, le=86_400_000)] = 0
    delay: Annotated[int, Meta(ge=0, le=86_400_000)] = 0

    def __post_init__(self) -> None:
        if not (self.base or self.delay):
            raise ValueError("a clock without a `base` needs a `delay`: it is what each move may take")


class Create(Request):
    """Open a room.

    `position` is a FEN (two players), a FEN4 (four), or the name of a start array
    (`modern`, `classic`); absent, the variant's usual start. `moves` (as in `move`) have been played from there
    already: a game that is read from a file goes on where it stopped, and can be undone. Without a `clock` the
    game is untimed. A `private` room is in no list and is found by its id alone. A `password` is asked of whoever
    joins or watches, but not of the host, the seated, and the bots that this server itself runs. `chat` false
    switches talk off. With a `delay`, in milliseconds, those without a seat see the game that much later than the
    players. Sent again with the same `key`, no second room is opened: the answer is the first.
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


class Check(Request):
    """Ask whether a game can begin from a position, and for everything that speaks against it, without opening a
    room. `variant` and `position` are as in `create`."""

    answers = ("checked",)

    variant: Variant = "standard"
    position: Annotated[str, Meta(max_length=4096)] | None = None


class Read(Request):
    """Read a game, or a position, from a text, so that a room can be opened with it (`create`). Of several games it is
    the first. Without a `format` it is found by what the text looks like.

    A frame holds a game of some hundred moves without its comments and variations: leave these out.
    """

    answers = ("parsed",)

    text: Annotated[str, Meta(min_length=1, max_length=8000)]
    format: Literal["pgn", "pgn4", "smith", "fen"] | None = None


class Join(Request):
    """Take a seat, a named one or the first free, and follow the room: after `joined` comes the `room` snapshot.

    Whoever already has a seat in the room gets that seat again.
    """

    answers = ("joined",)

    room: RoomId
    seat: SeatName | None = None
    password: Password | None = None


class Watch(Request):
    """Follow a room. Answered by the `room` snapshot; or, with `since` (the last `seq` this client
    holds), by `ok` and then every `update` after it, however old. `decided` is the `time` of the update `since`, or
    the `decided` of the snapshot: with it, who has seen another game than the server keeps (`ahead`) is told apart.

    Who watches for a `preview`, such as a lobby's small board, is not counted with those who watch, nor, if he
    has a seat, shown as being there. A `join` or another `watch` ends that."""

    answers = ("room", "ok")

    room: RoomId
    since: Seq | None = None
    password: Password | None = None
    preview: bool = False
    decided: Seq | None = None


class Leave(Request):
    """Stop following a room; before the game has started this also gives the seat back."""

    room: RoomId


class Bot(Request):
    """Invite a bot of a level to a free seat, a named one or the first; the right of who opened the room."""

    room: RoomId
    level: Level
    seat: SeatName | None = None


class Kick(Request):
    """Free a seat before the game has started: of its player, who can't sit down in this room again, or of the bot
    invited to it. The right of who opened the room."""

    room: RoomId
    seat: SeatName
    key: CommandKey | None = None


class Close(Request):
    """End a room whose game has not started: `finished` comes, for the reason `aborted`, and the room leaves the
    lobby. The right of who opened the room."""

    room: RoomId
    key: CommandKey | None = None


class Move(Request):
    """Play a move, in coordinate notation (`e2e4`, `e7e8q`, castling as the king's move `e1g1`)."""

    room: RoomId
    move: MoveText
    seq: Seq
    key: CommandKey


class Propose(Request):
    """Put something to the vote: an undo or redo (of `plies` moves), a draw (in `ffa`: to end now, on points), after
    the end a rematch, or that a bot of `level` stands in for the absent player at `seat`, or that this player is
    removed."""

    room: RoomId
    kind: Literal["undo", "redo", "draw", "stand_in", "remove", "rematch"]
    seq: Seq
    key: CommandKey
    plies: Number | None = None
    seat: SeatName | None = None
    level: Level | None = None


class Vote(Request):
    """Say yes or no to the open proposal, by its number."""

    room: RoomId
    proposal: Number
    accept: bool
    key: CommandKey


class Withdraw(Request):
    """Take back the open proposal, by its number: one's own."""

    room: RoomId
    proposal: Number
    key: CommandKey


class Claim(Request):
    """End the game by what the rules let this player claim: see `claims` in `room` and `turn`. It needs no vote."""

    room: RoomId
    key: CommandKey


class Resign(Request):
    """Give up the game."""

    room: RoomId
    key: CommandKey


class Abort(Request):
    """Call the game off, while somebody has not moved yet: it counts for nobody."""

    room: RoomId
    key: CommandKey


class Legal(Request):
    """Ask for the legal moves of the player to move, or of one square."""

    answers = ("legal",)

    room: RoomId
    square: Annotated[str, Meta(min_length=2, max_length=3)] | None = None


class Say(Request):
    """Say something to `all` in a followed room, or to the `table`, which the seated alone do and hear.
    It is heard as `said`."""

    room: RoomId
    text: Annotated[str, Meta(min_length=1, max_length=200)]
    to: Literal["table", "all"] = "all"


class Export(Request):
    """Ask for the game as text: `pgn` (for two), `pgn4` (for four), `smith`, `fen`, `json`."""

    answers = ("exported",)

    room: RoomId
    format: Annotated[str, Meta(min_length=1, max_length=16)]


class Rooms(Request):
    """Ask for the public rooms that are open or being played, newest first; those in which nobody is come last.

    With `follow` true, each change to that list is then pushed on this connection as `lobby`, until a
    request with `follow` false or for another list; left out, it changes nothing.
    """

    answers = ("rooms",)

    variant: Variant | None = None
    status: Literal["open", "playing"] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    follow: bool | None = None


class Seek(Request):
    """Play with whoever seeks the same: sit down in the room where others wait, or be the first to wait.
    After `joined` comes the `room` snapshot, as after a `join`.

    A connection seeks one game at a time: another `seek` gives the earlier one up.
    Before somebody is paired, those who wait must answer a ping: who is gone loses the seat. At a table of more than
    two, nobody sits with others of their own address (but for those on the server's own machine).
    """

    answers = ("joined",)

    variant: Variant = "standard"
    clock: Clock | None = None


class Unseek(Request):
    """Give up what this connection seeks: the seat and the room."""


class Serve(Request):
    """Run the bots of this service: be told by `summon` of every seat that waits for one. Answered by `ok`.

    `key` is what the one who runs the server gives to the hosts of bots; the server's own has it.
    """

    key: Annotated[str, Meta(min_length=1, max_length=256)]


class Variants(Request):
    """Ask for the variants that can be played: seats, start arrays, boards, and what the rules differ in."""

    answers = ("variants",)


class Ping(Request):
    """Ask for a sign of life, with the server's time."""

    answers = ("pong",)


AnyRequest = (
    Hello | Create | Check | Read | Join | Watch | Leave | Bot | Kick | Close | Move | Propose | Vote | Withdraw
    | Claim | Resign | Abort | Legal | Say | Export | Rooms | Seek | Unseek | Serve | Variants | Ping
)  # fmt: skip

REQUESTS: dict[str, type[AnyRequest]] = {str(cls.__struct_config__.tag): cls for cls in get_args(AnyRequest)}
"""Every request by its `type`."""
