"""A game as a record: its tags, the position it begins from, and the tree of what was played.

Positions are kept with every step, so whatever has been read has been proved legal. The formats (`pgn`,
`pgn4`, `smith`) read text into games and write games as text; nothing here knows how they look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Self

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position


@dataclass(slots=True)
class Step:
    """One step of a line: a move; or what ended the game, or a player's part in it, without one (`reason`); or
    with neither a null move, which passes the turn and so makes an analysis of the line.

    `before` and `after` are the positions around it, `seat` is whose step it is. `nags` are the numeric
    annotation glyphs of PGN, `clock` is the seat's time left in milliseconds. Each of the `variations` is a line
    that begins in `before`, in this step's stead.
    """

    before: Position
    after: Position
    seat: int
    move: Move | None = None
    reason: Termination | None = None
    comment: str = ""
    nags: tuple[int, ...] = ()
    clock: int | None = None
    variations: list[Line] = field(default_factory=list)

    @classmethod
    def of_move(cls, position: Position, move: Move) -> Step:
        """A move of the side to move."""
        return cls(position, position.play(move), position.turn, move=move)

    @classmethod
    def of_departure(cls, position: Position, seat: int, reason: Termination) -> Step:
        """A seat's resignation, loss on time, or absence. Raises `ValueError` as `Position.eliminate`."""
        return cls(position, position.eliminate(seat, reason), seat, reason=reason)

    @classmethod
    def of_draw(cls, position: Position, reason: Termination) -> Step:
        """A draw that was agreed on or claimed. Raises `ValueError` as `Position.end_in_draw`."""
        return cls(position, position.end_in_draw(reason), position.turn, reason=reason)

    @classmethod
    def of_claim(cls, position: Position, seat: int) -> Step:
        """The end of a game that a seat claims. Raises `ValueError` as `Position.claim`."""
        return cls(position, position.claim(seat), seat, reason=position.may_claim(seat))


@dataclass(slots=True)
class Line:
    """A sequence of steps, each from the position that the one before led to, and a comment ahead of it."""

    steps: list[Step] = field(default_factory=list)
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be said of a place in a game's text: the line of the file, the ply that was to be played
    (counted from 1; 0 for the game's tags), the text there, and a code and a sentence."""

    line: int
    ply: int
    move: str
    code: str
    reason: str


@dataclass(slots=True)
class Game:
    """A game that is played, or was read from a file: `Game(Position.start("ffa"))` begins one, `play` and `undo`
    change its line. `str` gives its text, in the format in which games of its variant are written.

    `failure` says why its line ends where it does, if that is not where the text does.
    `remarks` are what was read on past, the first of each code: a draw by our rules that did not end the game
    (`past_draw`), a null move (`null_move`), a comment without an end (`open_comment`), a parenthesis without one
    (`open_variation`) or without a beginning (`stray_parenthesis`)."""

    start: Position
    tags: dict[str, str] = field(default_factory=dict)
    line: Line = field(default_factory=Line)
    failure: Remark | None = None
    remarks: list[Remark] = field(default_factory=list)

    @classmethod
    def from_pgn(cls, text: str) -> Game:
        """The first game of a PGN. Raises `InvalidNotation` if there is none (`no_game`), or with the line at fault if
        not all of it can be read; `pgn.read` gives what can be, and every game of a file."""
        return _first(text, "pgn")

    @classmethod
    def from_pgn4(cls, text: str) -> Game:
        """The first game of a PGN4. Raises as `from_pgn`; `pgn4.read` gives every game of a file."""
        return _first(text, "pgn4")

    def __str__(self) -> str:
        return WRITERS[self.start.rules.records](self).rstrip()

    @property
    def position(self) -> Position:
        """The position at the end of the line."""
        return self.line.steps[-1].after if self.line.steps else self.start

    @property
    def moves(self) -> list[Move]:
        """The moves of the line."""
        return [step.move for step in self.line.steps if step.move is not None]

    def play(self, move: Move | str) -> Self:
        """Add a move to the line, and return the game. Raises `InvalidNotation` and `IllegalMove`, as
        `Position.read_move`."""
        position = self.position
        self.line.steps.append(Step.of_move(position, move if isinstance(move, Move) else position.read_move(move)))
        return self

    def leave(self, seat: int, reason: Termination = Termination.RESIGNATION) -> Self:
        """Add a seat's leaving to the line, and return the game. Raises `ValueError`, as `Position.eliminate`."""
        self.line.steps.append(Step.of_departure(self.position, seat, reason))
        return self

    def undo(self, steps: int = 1) -> Self:
        """Take back the last steps of the line, and return the game. Raises `ValueError` if there are not so many."""
        count = len(self.line.steps)
        if not 0 <= steps <= count:
            raise ValueError(f"{steps} steps cannot be taken back: the line has {count}.")
        del self.line.steps[count - steps :]
        return self

    @property
    def plies(self) -> int:
        """How many moves the line has."""
        return sum(step.move is not None for step in self.line.steps)

    def result(self, names: tuple[str, ...] | None = None) -> str:
        """How the game ended, as `result` says of its last position; or as the tag `Result` does, where the board
        leaves that open (a player resigned), or shows a draw by our rules that did not end the game."""
        position, told = self.position, self.tags.get("Result", "*")
        open_end = position.outcome is None or position.past_draw() is not position
        return told if open_end and told not in ("*", "?", "") else result(position, names)


READERS: dict[str, Callable[[str], Iterator[Game]]] = {}
WRITERS: dict[str, Callable[[Game], str]] = {}
"""The formats of games, which `formats` lists."""


def _first(text: str, format: str) -> Game:
    """The first game of a text, whole. Raises as `Game.from_pgn`."""
    game = next(READERS[format](text), None)
    if game is None:
        raise InvalidNotation("no_game", f"There is no game in this text: a {format.upper()} has tags, and moves.")
    if game.failure is not None:
        at = f"line {game.failure.line}, move {game.failure.ply} ({game.failure.move})"
        raise InvalidNotation(game.failure.code, f"The game cannot be read on at {at}: {game.failure.reason}")
    return game


def result(position: Position, names: tuple[str, ...] | None = None) -> str:
    """How a game ended, as a tag says it: ``1-0``, ``0-1`` or ``1/2-1/2`` between two sides, the points of
    each player where they count (``Red: 19 - Blue: 63 - …``), otherwise what each has of the one point to be
    won; ``*`` while the game goes on. The players are called by their colours unless `names` are given."""
    outcome = position.outcome
    if outcome is None:
        return "*"
    sides = sorted(set(position.rules.teams))
    if len(sides) == 2:
        won = {position.rules.teams[seat] for seat in outcome.winners}
        return "1/2-1/2" if not won else "1-0" if sides[0] in won else "0-1"
    if outcome.points is not None:
        shares = list(map(str, outcome.points))
    else:
        first = [seat for seat, place in enumerate(outcome.standings) if place == 1]
        whole = "1" if len(first) == 1 else f"1/{len(first)}"
        shares = [whole if seat in first else "0" for seat in range(len(position.seats))]
    called = names or tuple(seat.capitalize() for seat in position.seats)
    return " - ".join(f"{name}: {share}" for name, share in zip(called, shares, strict=True))
