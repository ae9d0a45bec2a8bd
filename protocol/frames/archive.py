"""Frames about finished games: lists, downloads, results, ratings, and the explorer."""

from typing import Literal

from msgspec import Struct

from fourfold.protocol.frames.base import Reply
from fourfold.protocol.frames.lobby import Control


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
    `unrated` is the reason why the game is not rated: see *Ratings*. It is empty for a rated game, and null until it is
    known, at the latest when the game is archived.
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


class Strength(Struct):
    """A player's rating in one kind of game, in points. Show it with a `?` unless it is `certain`."""

    player: str
    rating: int
    deviation: int
    certain: bool


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
