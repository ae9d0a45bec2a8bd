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


class JudgedPly(Struct):
    """A position of a game that was reviewed: the `shares` of the seats, as in `lines`, and the `best` move. Of the
    move that led to it: whose it was (`seat`; null at the start), its `mark` (`?!`, `?`, `??`; null: none), and what is
    to be said of it."""

    shares: dict[str, float]
    best: str | None
    seat: str | None
    mark: str | None
    remark: str | None


class Summary(Struct):
    """Of a whole game that was reviewed: how exactly each seat has played, from 0 to 100 (null: it made no move); and
    after how many moves each had lost the game (null: it had not)."""

    accuracy: dict[str, float | None]
    lost: dict[str, int | None]
