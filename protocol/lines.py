"""What a computer player holds best in a position: parts of the messages about it."""

from msgspec import Struct


class Line(Struct):
    """A way in which the game may go on: its `moves` as in `move`, as people write them (`texts`), and who makes each
    (`seats`).

    `score` is what the position is then worth to the player to move, in hundredths of a pawn. `mate` is after how many
    moves of the line a win is forced, or a loss, if it is negative; null if none was found. `shares` are the chances of
    each seat to win the game, with half of a draw: they add up to 1.
    """

    moves: list[str]
    texts: list[str]
    seats: list[str]
    score: int
    mate: int | None
    shares: dict[str, float]


class Threat(Struct):
    """What an opponent could do if it were their turn now: a move of `seat` that takes from the player to move, who
    would lose the worth of `gain`, or that would mate them."""

    seat: str
    move: str
    text: str
    gain: int
    mate: bool


class Departed(Struct):
    """A seat of a game for four that went out, why, and, if anybody put it out, who did."""

    seat: str
    reason: str
    by: str | None = None


class JudgedPly(Struct):
    """A position of a game that was reviewed: the `shares` of the seats, as in `lines`, and the `best` move. Of the
    move that led to it: whose it was (`seat`; null at the start), its `mark` (`?!`, `?`, `??`; null: none), and what is
    to be said of it. Who went `out` of the game by it or after it, before the next one; and the `points` of each seat,
    where they count."""

    shares: dict[str, float]
    best: str | None
    seat: str | None
    mark: str | None
    remark: str | None
    out: list[Departed] = []
    points: dict[str, int] | None = None


class Summary(Struct):
    """Of a whole game that was reviewed: how exactly each seat has played, from 0 to 100 (null: it made no move); and
    after how many moves each had lost the game (null: it had not)."""

    accuracy: dict[str, float | None]
    lost: dict[str, int | None]


class Opening(Struct):
    """The name of the opening that a game for two has come to after so many moves (`ply`), and its `code` (ECO)."""

    ply: int
    code: str
    name: str


class Puzzle(Struct):
    """A position of a game, after so many moves (`ply`), in which the player of `seat` missed something: a `mate` or a
    `gain` (the `goal`). The `line` solves it: a move of the seat, a reply, and so on. For its last move, any of `last`
    is as good."""

    ply: int
    seat: str
    goal: str
    position: str
    line: list[str]
    last: list[str]
