"""A game as a record: tags, starting position, and a tree of moves.

Each step keeps its positions, so every move in a game has been checked. The formats (`pgn`, `pgn4`, `smith`) read and
write games as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Self

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position


@dataclass(slots=True)
class Step:
    """One step of a line: a move, a departure or end without a move, or a null move.

    A step with neither `move` nor `reason` is a null move, which passes the turn in an analysis.
    """

    before: Position
    """The position before the step."""
    after: Position
    """The position after the step."""
    seat: int
    """The seat that made the step."""
    move: Move | None = None
    """The move; None for a departure, an agreed or claimed end, and a null move."""
    reason: Termination | None = None
    """Why the game ended, or the player left, without a move."""
    comment: str = ""
    """The comment after the step."""
    nags: tuple[int, ...] = ()
    """PGN's Numeric Annotation Glyphs, such as 1 for ``!``."""
    clock: int | None = None
    """The seat's remaining time in milliseconds, or None."""
    variations: list[Line] = field(default_factory=list)
    """Alternatives to this step: lines that start from `before`."""

    @classmethod
    def of_move(cls, position: Position, move: Move) -> Step:
        """A step for a legal move of the side to move."""
        return cls(position, position.play(move), position.turn, move=move)

    @classmethod
    def of_null_move(cls, position: Position) -> Step:
        """A step for a null move. Raises `IllegalMove` and `ValueError` as `Position.null_move` does."""
        return cls(position, position.null_move(), position.turn)

    @classmethod
    def of_departure(cls, position: Position, seat: int, reason: Termination) -> Step:
        """A step for a resignation, a loss on time or an absence. Raises `ValueError` as `Position.eliminate` does."""
        return cls(position, position.eliminate(seat, reason), seat, reason=reason)

    @classmethod
    def of_draw(cls, position: Position, reason: Termination) -> Step:
        """A step for an agreed draw. Raises `ValueError` as `Position.end_in_draw` does."""
        return cls(position, position.end_in_draw(reason), position.turn, reason=reason)

    @classmethod
    def of_claim(cls, position: Position, seat: int) -> Step:
        """A step for a seat's claim of the end. Raises `ValueError` as `Position.claim` does."""
        return cls(position, position.claim(seat), seat, reason=position.may_claim(seat))

    def add_variation(self, *moves: Move | str) -> Line:
        """Add an alternative to this step, and return its line. `moves` are the line's first moves, in the spellings of
        `Position.read_move`; ``--`` is a null move for two players. Raises `InvalidNotation`, `IllegalMove` and
        `ValueError`, and then adds nothing.

        >>> from fourfold.engine import Game, Position
        >>> game = Game(Position.start()).play("e4").play("e5").play("Nf3")
        >>> line = game.line.steps[2].add_variation("Bc4", "Nc6").play("Qh5").play("--").play("Qxf7")
        >>> _ = line.steps[0].add_variation("d4")
        >>> print(str(game).splitlines()[-1])
        1. e4 e5 2. Nf3 ( 2. Bc4 ( 2. d4 ) 2... Nc6 3. Qh5 -- 4. Qxf7# ) *
        """
        line = Line()
        position = self.before
        for move in moves:
            line.steps.append(_step(position, move))
            position = line.steps[-1].after
        self.variations.append(line)
        return line


NULL_MOVES = ("--", "Z0", "0000", "@@@@")
"""The notations of a null move. We write the first."""


def _step(position: Position, move: Move | str) -> Step:
    """A move or null move as a step."""
    if isinstance(move, Move):
        return Step.of_move(position, move)
    return Step.of_null_move(position) if move in NULL_MOVES else Step.of_move(position, position.read_move(move))


@dataclass(slots=True)
class Line:
    """A sequence of steps. Each starts from the position after the previous one."""

    steps: list[Step] = field(default_factory=list)
    """The steps, in order."""
    comment: str = ""
    """The comment before the first step."""

    def play(self, move: Move | str) -> Self:
        """Add a move to the end of a variation, and return the line. A text can be ``--``, a null move. Raises
        `InvalidNotation` and `IllegalMove`, and `ValueError` if the line is empty: then it has no position yet."""
        if not self.steps:
            raise ValueError("An empty line has no position to play from: give its first moves to `add_variation`.")
        self.steps.append(_step(self.steps[-1].after, move))
        return self


@dataclass(frozen=True, slots=True)
class Remark:
    """A note about a place in a game's text: an error, or something unusual that the parser accepted."""

    line: int
    """The line of the file, counted from 1."""
    ply: int
    """The ply to be played, counted from 1; 0 for the game's tags."""
    move: str
    """The text at this place."""
    code: str
    """A stable identifier, such as ``null_move``."""
    reason: str
    """A sentence for people."""


@dataclass(slots=True)
class Game:
    """A game: play one, or read one from a file. `str` gives its text, in PGN or PGN4.

    >>> from fourfold.engine import Game, Position
    >>> game = Game(Position.start(), {"White": "Ann", "Black": "Bob"})
    >>> game.play("e4").play("e5").play("Qh5").undo().plies
    2
    >>> print(str(game).splitlines()[-1])
    1. e4 e5 *
    """

    start: Position
    """The starting position."""
    tags: dict[str, str] = field(default_factory=dict)
    """The tags by name, such as ``{"White": "Ann"}``. PGN and PGN4 define the names."""
    line: Line = field(default_factory=Line)
    """The main line."""
    failure: Remark | None = None
    """The first move of the text that could not be read. The line stops before it. None if the text is whole."""
    remarks: list[Remark] = field(default_factory=list)
    """Unusual places that the parser accepted, the first of each code:

    * ``past_draw``: moves after a draw by our rules;
    * ``null_move``: a null move;
    * ``open_comment``: a comment without an end;
    * ``open_variation``: a variation without an end;
    * ``stray_parenthesis``: a closing parenthesis without a variation.
    """

    @classmethod
    def from_pgn(cls, text: str) -> Game:
        """The first game of a PGN text.

        Raises `InvalidNotation`: with code `no_game` if there is no game, otherwise with the line and move that cannot
        be read. To get the readable part, or all games of a file, use `READERS["pgn"]`.

        >>> from fourfold.engine import Game
        >>> Game.from_pgn('[White "Ann"] 1. e4 e5 2. Nf3 *').plies
        3
        """
        return _first(text, "pgn")

    @classmethod
    def from_pgn4(cls, text: str) -> Game:
        """The first game of a PGN4 text. Raises as `from_pgn` does. `READERS["pgn4"]` gives all games of a file."""
        return _first(text, "pgn4")

    def __str__(self) -> str:
        return WRITERS[self.start.rules.records](self).rstrip()

    @property
    def position(self) -> Position:
        """The position after the last step."""
        return self.line.steps[-1].after if self.line.steps else self.start

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line, without departures and null moves."""
        return [step.move for step in self.line.steps if step.move is not None]

    def play(self, move: Move | str) -> Self:
        """Play a move, and return the game. Raises `InvalidNotation` and `IllegalMove` as `Position.read_move` does."""
        position = self.position
        self.line.steps.append(Step.of_move(position, move if isinstance(move, Move) else position.read_move(move)))
        return self

    def leave(self, seat: int, reason: Termination = Termination.RESIGNATION) -> Self:
        """Let a seat resign, or leave for another reason, and return the game. Raises `ValueError` as
        `Position.eliminate` does."""
        self.line.steps.append(Step.of_departure(self.position, seat, reason))
        return self

    def undo(self, steps: int = 1) -> Self:
        """Take back the last `steps` steps, and return the game. Raises `ValueError` if the line has fewer."""
        count = len(self.line.steps)
        if not 0 <= steps <= count:
            raise ValueError(f"The line has {count} steps to take back, not {steps}.")
        del self.line.steps[count - steps :]
        return self

    @property
    def plies(self) -> int:
        """The number of moves in the main line."""
        return sum(step.move is not None for step in self.line.steps)

    def result(self, names: tuple[str, ...] | None = None) -> str:
        """The result as PGN or PGN4 write it, such as ``1-0`` or ``*``; see the function `result`.

        The board decides. The tag `Result` counts if the board leaves the result open, as after a resignation, if the
        board shows a draw by our rules that did not end the game, or if the game has moves that could not be read.

        >>> from fourfold.engine import Game
        >>> Game.from_pgn("1. e4 e5 2. Nf3 1-0").result(), Game.from_pgn("1. f3 e5 2. g4 Qh4# *").result()
        ('1-0', '0-1')
        """
        position, told = self.position, self.tags.get("Result", "*")
        open_end = position.outcome is None or self.failure is not None or position.past_draw() is not position
        return told if open_end and told not in UNKNOWN else result(position, names)


UNKNOWN = ("*", "?", "")
"""The values of the tag `Result` that name no result."""

READERS: dict[str, Callable[[str | Iterable[str]], Iterator[Game]]] = {}
WRITERS: dict[str, Callable[[Game], str]] = {}
"""The functions that read and write each format, by its name. The module `formats` fills both."""


def _first(text: str, format: str) -> Game:
    """The first game of a text. Raises as `Game.from_pgn` does."""
    game = next(READERS[format](text), None)
    if game is None:
        raise InvalidNotation("no_game", f"There is no game in this text. A {format.upper()} has tags and moves.")
    if game.failure is not None:
        at = f"line {game.failure.line}, move {game.failure.ply} ({game.failure.move})"
        raise InvalidNotation(game.failure.code, f"The game cannot be read beyond {at}: {game.failure.reason}")
    return game


def result(position: Position, names: tuple[str, ...] | None = None) -> str:
    """The result of a position as the tag `Result` writes it; ``*`` while the game goes on.

    Between two sides it is ``1-0``, ``0-1`` or ``1/2-1/2``. Where points count, it lists each player's points
    (``Red: 19 - Blue: 63 - …``). Otherwise it lists each player's share of one point. `names` are the players' names,
    in the order of seats; the default is their colours.
    """
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
