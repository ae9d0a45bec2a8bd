"""The opening book: the usual continuations of a position. It knows lines, and does not judge moves.

*Reactive* lines answer the opponents. Each is the beginning of a whole game, and all its positions are known, however
they were reached. Among four, games diverge quickly, so there are *replies* as well. A reply answers one opponent's
moves, whatever the other two do; the armies of both players identify it. *Setup* lines are one player's own moves,
whatever the others do; the own army identifies the position. If several lines go on, each counts as often as it occurs.

The files beside this module name their sources. A line of `reactive2.txt` and `reactive4.txt` starts with the number of
plies that it shares with the line before it. A line of `setups2.txt` has a number of occurrences, a seat, and its
moves. A line of `setups4.txt` has no seat: its moves are red's, with the king to the right of the queen. Other seats
see the board rotated, and mirrored if their king is on the left. A line of `replies4.txt` has a number of occurrences,
the place of the opponent (on the king's or the queen's side, or opposite), the opponent's moves as red sees them, a
colon, and the own moves. The last own move is the reply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Final, TypeAlias

from fourfold.engine.geometry import Direction
from fourfold.engine.moves import Move
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.variants import opening, rules_of

Army: TypeAlias = frozenset[tuple[int, PieceKind]]
"""A seat's pieces by square."""


def reactive(position: Position) -> list[Move]:
    """The moves of known games from this position, each as often as lines have it."""
    return _found(position, _reactive(position.variant).get(position.identity))


def replies(position: Position) -> list[Move]:
    """The usual moves of players for four, for the present armies of the seat and one opponent."""
    if len(position.seats) == 2:
        return []
    known, seat = _replies(position.variant), position.turn
    own = army_of(position, seat)
    found: Counter[str] = Counter()
    for other in position.alive:
        found += known.get((seat, own, other, army_of(position, other)), Counter())
    return _found(position, found)


def setup(position: Position) -> list[Move]:
    """The moves of known setups from the present army of the side to move."""
    army = army_of(position, position.turn)
    return _found(position, _setups(position.variant).get((position.turn, army)))


def _found(position: Position, texts: Counter[str] | None) -> list[Move]:
    if texts is None:
        return []
    legal = {move.text: move for move in position.legal_moves}
    return [legal[text] for text in texts.elements() if text in legal]


def army_of(position: Position, seat: int) -> Army:
    """The squares of a seat's pieces."""
    return frozenset((square, man.kind) for square, man in position.armies[seat].items())


def _lines(name: str) -> Iterator[list[str]]:
    text = (files(__package__) / name).read_text(encoding="ascii")
    return (line.split() for line in text.splitlines() if line and not line.startswith("#"))


_REACTIVE: Final = {
    "standard": ("reactive2.txt", None),
    **dict.fromkeys(("teams", "selfpartner"), ("reactive4.txt", "classic")),
}
"""For each variant with lines of everybody's moves, their file and the array from which they start."""


@cache
def _reactive(variant: str) -> dict[int, Counter[str]]:
    known: dict[int, Counter[str]] = {}
    if variant not in _REACTIVE:
        return known
    name, array = _REACTIVE[variant]
    line: list[tuple[Position, str]] = []
    start = opening(variant, setup=array)
    for shared, *moves in _lines(name):
        del line[int(shared) :]
        position = line[-1][0].play(line[-1][0].find(line[-1][1])) if line else start
        for text in moves:
            line.append((position, text))
            position = position.play(position.find(text))
        for position, text in line:
            known.setdefault(position.identity, Counter())[text] += 1
    return known


@cache
def _setups(variant: str) -> dict[tuple[int, Army], Counter[str]]:
    known: dict[tuple[int, Army], Counter[str]] = {}
    rules = rules_of(variant)
    if len(rules.seats) == 2:
        start = opening("standard")  # in other arrays, an army never matches
        for count, name, *moves in _lines("setups2.txt") if rules.geometry is start.geometry else ():
            _learn(known, start, start.seats.index(name), moves, int(count))
        return known
    lines = list(_lines("setups4.txt"))
    seen = set()
    for start, views in _starts(variant):
        for seat, view in views.items():
            if (seat, start.kings[seat]) not in seen:
                seen.add((seat, start.kings[seat]))
                for count, *reds in lines:
                    _learn(known, start, seat, [view.from_red(text) for text in reds], int(count))
    return known


@cache
def _replies(variant: str) -> dict[tuple[int, Army, int, Army], Counter[str]]:
    known: dict[tuple[int, Army, int, Army], Counter[str]] = {}
    lines = list(_lines("replies4.txt"))
    seen = set()
    for start, views in _starts(variant):
        for seat, other in permutations(views, 2):
            pair = seat, start.kings[seat], other, start.kings[other]
            if pair in seen:
                continue
            seen.add(pair)
            view = views[seat]
            side = view.side(other)
            for count, where, *reds in lines:
                if where == side:
                    colon = reds.index(":")
                    theirs = [view.from_red(text) for text in reds[:colon]]
                    *own, reply = [view.from_red(text) for text in reds[colon + 1 :]]
                    key = seat, _armies(start, seat, own)[-1], other, _armies(start, other, theirs)[-1]
                    known.setdefault(key, Counter())[reply] += int(count)
    return known


def _starts(variant: str) -> Iterator[tuple[Position, dict[int, Perspective]]]:
    """The starting arrays of a variant for four on the book's board. Each has the seats whose army matches the book's
    lines, with their view of the board."""
    rules, usual = rules_of(variant), opening("survivor", setup="modern")
    if rules.geometry is not usual.geometry:
        return
    army = {usual.geometry.names[square]: man.kind for square, man in usual.armies[0].items()}
    for array, _ in rules.starts:
        start = opening(variant, setup=array)
        views = {seat: Perspective(start, seat) for seat in start.alive}
        yield start, {seat: view for seat, view in views.items() if view.army(army) == army_of(start, seat)}


def _learn(
    known: dict[tuple[int, Army], Counter[str]], start: Position, seat: int, moves: list[str], count: int
) -> None:
    """Record the moves of a setup, each with the army before it."""
    for army, text in zip(_armies(start, seat, moves), moves, strict=False):
        known.setdefault((seat, army), Counter())[text] += count


def _armies(start: Position, seat: int, moves: list[str]) -> list[Army]:
    """A seat's army before each of its moves, and after the last."""
    army = {square: man.kind for square, man in start.armies[seat].items()}
    armies = [frozenset(army.items())]
    by_text = start.tables.moves.by_text
    for text in moves:
        move = by_text[text]
        army[move.target] = army.pop(move.source)
        castle = start.tables.castle_of_move.get(move)
        if castle is not None and army[move.target] is PieceKind.KING:
            army[castle.rook.target] = army.pop(castle.rook.source)
        armies.append(frozenset(army.items()))
    return armies


class Perspective:
    """A seat's view of the four-player board, relative to red's with the king to the right."""

    def __init__(self, start: Position, seat: int) -> None:
        self._rules: Rules = start.rules
        self._forward = self._rules.seats[seat].forward
        self._right = Direction(self._forward.ranks, -self._forward.files)
        queens = [man.square for man in start.armies[seat].values() if man.kind is PieceKind.QUEEN]
        if any(self._rightness(start.kings[seat]) < self._rightness(queen) for queen in queens):
            self._right = self._right.opposite()

    def _rightness(self, square: int) -> int:
        board = self._rules.geometry
        return board.file(square) * self._right.files + board.rank(square) * self._right.ranks

    def side(self, other: int) -> str:
        """The place of another seat."""
        forward = self._rules.seats[other].forward
        sides = {self._forward.opposite(): "opposite", self._right.opposite(): "kingside", self._right: "queenside"}
        return sides[forward]

    def army(self, reds: Mapping[str, PieceKind]) -> Army:
        """Red's army, given by square names, rotated to this seat."""
        return frozenset((self._square(name), kind) for name, kind in reds.items())

    def from_red(self, text: str) -> str:
        """Red's move as this seat's."""
        names = self._rules.geometry.names
        return "".join(names[self._square(name)] for name in _squares(text))

    def to_red(self, text: str) -> str:
        """This seat's move as red's."""
        index = {self._square(name): name for name in self._rules.geometry.names}
        return "".join(index[self._rules.geometry.index[name]] for name in _squares(text))

    def _square(self, name: str) -> int:
        """Red's square as this seat's."""
        board = self._rules.geometry
        last = board.files - 1
        across = 2 * board.file(board.index[name]) - last
        ahead = 2 * board.rank(board.index[name]) - last
        file = (across * self._right.files + ahead * self._forward.files + last) // 2
        rank = (across * self._right.ranks + ahead * self._forward.ranks + last) // 2
        return board.at(file, rank)


def _squares(text: str) -> tuple[str, str]:
    """The two squares of a move: the second starts with the move's second letter."""
    second = next(place for place, letter in enumerate(text) if place and letter.isalpha())
    return text[:second], text[second:]
