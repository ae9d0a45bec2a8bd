"""Frames about analysis, reviews and puzzles, and the orders to analysing hosts."""

from msgspec import Struct

from fourfold.protocol.frames.base import Frame, Reply
from fourfold.protocol.lines import JudgedPly, Line, Opening, Summary, Threat


class Reviewed(Reply):
    """The review of game number `game` of a room. `looked` is the number of its `plies` + 1 positions examined so far;
    null if no review is running. A complete review has `judged`, the positions from the start on, and a `summary`.
    `openings` are available at once: the named positions of a game for two, in their order. `puzzles` is the number of
    puzzles in the game."""

    room: str
    game: int
    plies: int
    looked: int | None
    judged: list[JudgedPly]
    summary: Summary | None
    openings: list[Opening] = []
    puzzles: int = 0


class Posed(Struct):
    """A puzzle. It starts after `ply` moves of a game, with `seat` to move. `moves` is the number of moves of that
    seat. The `goal` is a `mate` or a `gain`. `own` is true if the asking player had that seat and missed it."""

    room: str
    game: int
    ply: int
    seat: str
    goal: str
    moves: int
    variant: str
    own: bool


class Puzzles(Reply):
    """Puzzles, those of the latest game first."""

    puzzles: list[Posed]


class Solved(Reply):
    """The state of a puzzle's solution. `right` tells whether the last move was right (true without one), and `done`
    whether the puzzle is solved. `played` are the moves so far, with the replies and without a wrong last move; `texts`
    are the same in SAN or long algebraic notation. They lead to the `position`. There, `turn` is the seat to move, with
    these `legal` moves (empty if it is done). `check` has the seats in check, and `out` the eliminated seats."""

    room: str
    game: int
    ply: int
    variant: str
    right: bool
    done: bool
    played: list[str]
    texts: list[str]
    position: str
    turn: str
    legal: list[str]
    check: list[str]
    out: list[str]


class Lines(Frame):
    """The best `lines` so far in the position of `analyse {key}`, the best first, with the threats of each opponent.
    `depth` is the search depth in plies, and `nodes` the number of searched positions.

    After `done`, no more frames come. If `depth` is then 0, no computer player had time for the position.
    """

    key: str
    depth: int
    nodes: int
    lines: list[Line]
    threats: list[Threat]
    done: bool


class Consult(Frame):
    """A request to analyse a position. Only hosts of bots get this frame. The host sends `found {job}` at each depth,
    with that many `lines`, until `ms` milliseconds are over or a `dismiss` comes."""

    job: str
    variant: str
    position: str
    lines: int
    ms: int


class Examine(Frame):
    """A request to review a game. Only hosts of bots get this frame.

    The game starts at `position`. Its `steps` are moves, as in `move`, and departures: a seat and a reason, such as
    `blue resignation`. The first `theory` moves belong to a named opening, and are no mistakes unless they are
    blunders. The host has on average `ms` milliseconds for each position. It sends `examined {job}` for its progress,
    then one for each position after it has seen all, and a last one with the summary. An `idle` job, which nobody waits
    for, stands still while the host has others.
    """

    job: str
    variant: str
    position: str
    steps: list[str]
    ms: int
    theory: int = 0
    idle: bool = False
