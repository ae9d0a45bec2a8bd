"""Requests about analysis, reviews and puzzles, and the answers of analysing hosts."""

from typing import Annotated

from msgspec import Meta

from fourfold.protocol.lines import JudgedPly, Line, Puzzle, Summary, Threat
from fourfold.protocol.requests.base import MAX_MOVES, CommandKey, MoveText, Request, RoomId, Variant


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
    `start` false, the request only asks whether a review exists. With `idle`, a review starts only for a player of the
    game, and only while the server makes no other; it then stands still while anybody waits for an analysis."""

    answers = ("reviewed",)

    room: RoomId
    start: bool = True
    idle: bool = False


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
