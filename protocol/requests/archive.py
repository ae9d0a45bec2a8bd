"""Requests about finished games: lists, downloads, results, ratings, and the explorer."""

from typing import Annotated, Literal

from msgspec import Meta, field

from fourfold.protocol.requests.base import (
    MAX_MOVES,
    GameResult,
    MoveText,
    PageMark,
    PlayerId,
    PlayerName,
    Request,
    RoomId,
    Speed,
    Time,
    Variant,
)
from fourfold.protocol.requests.game import Clock


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
