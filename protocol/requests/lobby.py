"""Requests of the lobby: open rooms, pairing, challenges, other players, and hosts of bots."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from fourfold.protocol.requests.base import (
    ChallengeId,
    CommandKey,
    Level,
    PlayerName,
    PoolCode,
    Request,
    RoomId,
    SeatName,
    Speed,
    Variant,
)
from fourfold.protocol.requests.game import Clock

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


class Plays(Struct, frozen=True, forbid_unknown_fields=True):
    """The games that a bot plays. Empty `variants` and `speeds` mean all. `rated` is true for rated games, false for
    unrated ones, null for both. `games` is the most games at once (null: any number)."""

    variants: Annotated[list[Variant], Meta(max_length=32)] = []
    speeds: Annotated[list[Speed], Meta(max_length=8)] = []
    rated: bool | None = None
    games: Annotated[int, Meta(ge=1, le=1000)] | None = None


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
    server moves this player there and sends `paired`. After a reconnection, the search goes on when the client watches
    its room.

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
