"""Evaluations by computer players: lines, threats, reviews and puzzles, as parts of messages."""

from msgspec import Struct


class Line(Struct):
    """A line of play: its `moves` as in `move`, their `texts` in SAN or long algebraic notation, and the `seats` that
    make them.

    `score` is the value of the line for the player to move, in hundredths of a pawn. `mate` is the number of moves of
    the line to a forced win, or if negative, to a forced loss; null if none was found. `shares` are each seat's chances
    to win the game, with a draw as half. They add up to 1.
    """

    moves: list[str]
    texts: list[str]
    seats: list[str]
    score: int
    mate: int | None
    shares: dict[str, float]


class Threat(Struct):
    """A threat of an opponent: a move of `seat`, if it were that seat's turn now. It would win material worth `gain`
    from the player to move, or mate that player (`mate`)."""

    seat: str
    move: str
    text: str
    gain: int
    mate: bool


class Departed(Struct):
    """A seat that went out of a game for four, why, and the seat that eliminated it, if any."""

    seat: str
    reason: str
    by: str | None = None


class JudgedPly(Struct):
    """A position of a reviewed game. `shares` are as in `lines`, and `best` is the best move.

    The other fields are about the move that led to the position. `seat` made it (null at the start). `mark` is its mark
    (`?!`, `?`, `??`; null: none), and `remark` a comment on it. `out` has the seats that went out before the next move.
    `points` are the points of each seat, where they count.
    """

    shares: dict[str, float]
    best: str | None
    seat: str | None
    mark: str | None
    remark: str | None
    out: list[Departed] = []
    points: dict[str, int] | None = None


class Summary(Struct):
    """The summary of a reviewed game. `accuracy` is from 0 to 100 for each seat (null: it made no move). `lost` is the
    number of moves after which the seat had lost the game (null: it had not)."""

    accuracy: dict[str, float | None]
    lost: dict[str, int | None]


class Opening(Struct):
    """The name of the opening that a game for two has reached after `ply` moves, and its `code` (ECO)."""

    ply: int
    code: str
    name: str


class Puzzle(Struct):
    """A puzzle: a position of a game, after `ply` moves, in which the player of `seat` missed a `mate` or a `gain` (the
    `goal`). The `line` is the solution: a move of the seat, a reply, and so on. Each move in `last` is as good as its
    final move."""

    ply: int
    seat: str
    goal: str
    position: str
    line: list[str]
    last: list[str]
