"""The moves of a study's chapter as lines: the main line, below it its variations, with comments and who wrote them.
Pure."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fourfold.clients.study import Tree
from fourfold.clients.terminal.parser.studies import SIGNS
from fourfold.clients.terminal.text import words

_STEP: Final = 2
"""Columns by which a variation stands further to the right."""

_DEEPEST: Final = 6
"""Variations that lie deeper than so many stand no further to the right."""

_NARROWEST: Final = 12
"""Columns that comments get at least."""

_DEPARTS: Final = {"R": "resigns", "T": "time is up", "A": "is removed"}
"""What becomes of a seat that leaves a game of four, by the letter that such a move begins with."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line. A move has its number, and among four the `seat` that made it; others have None."""

    text: str
    node: int | None = None
    seat: str = ""


Line = list[Piece]


def lines(
    chapter: Tree, names: Mapping[str, str], width: int, here: Mapping[int, Sequence[str]] | None = None
) -> list[Line]:
    """A chapter in lines of so many columns. `names` are those of players, by their ids; `here` are the names of those
    who stand at each move. A word that is longer than a line stands alone."""
    return _Page(chapter, names, width, here or {}).written()


def plain(line: Line, at: int) -> str:
    """A line as text; the move that is looked at stands in square brackets."""
    return "".join(f"[{piece.text}]" if piece.node == at else piece.text for piece in line).rstrip()


def move(chapter: Tree, number: int) -> str:
    """A move with its number, as in `2...Nc6!?`; among four with its seat, as in `2. blue b7-d7`; or the start."""
    if not number:
        return "the start"
    node = chapter.nodes[number]
    round = chapter.rounds()[number]
    text = f"{_DEPARTS.get(node.move[:1], node.text)}{_marks(node.glyphs)}"
    if len(chapter.seats) > 2:
        return f"{round}. {node.seat} {text}"
    return f"{round}{'.' if node.seat == chapter.seats[0] else '...'}{text}"


def _marks(glyphs: Iterable[int]) -> str:
    """Glyphs as they stand behind a move: marks of the move right behind it, others after a space. Those that nothing
    stands for are passed over."""
    known = [glyph for glyph in glyphs if glyph in SIGNS]
    own = "".join(SIGNS[glyph] for glyph in known if glyph <= 6)
    return " ".join([own, *(SIGNS[glyph] for glyph in known if glyph > 6)])


class _Page:
    """One writing of a chapter: what all its lines share."""

    def __init__(self, chapter: Tree, names: Mapping[str, str], width: int, here: Mapping[int, Sequence[str]]) -> None:
        self.chapter = chapter
        self.names = names
        self.width = width
        self.here = here
        self.rounds = chapter.rounds()
        self.many = len(chapter.seats) > 2
        self.found: list[Line] = []
        self.broken = True  # the next move begins a line

    def written(self) -> list[Line]:
        start = self.chapter.nodes[0]
        self._begin(0)
        self._put([Piece("Start", 0), *self._standing(0)], 0)
        self._say(start.comment, 0)
        self.broken = True
        main = self.chapter.follows(0)
        if main:
            self._line(main[0], 0, "")
        return self.found

    def _line(self, first: int, depth: int, mark: str) -> None:
        """A line from its first move on, each move followed by the variations beside it."""
        chapter, indent = self.chapter, _STEP * min(depth, _DEEPEST)
        self._say(chapter.nodes[first].lead, indent)
        self.broken = True
        author = chapter.by if depth == 0 else chapter.author(chapter.nodes[first].parent)
        for number in (first, *chapter.line(first)):
            node = chapter.nodes[number]
            wrote = chapter.author(number)
            by = f" (by {words.name(self.names.get(wrote) or 'somebody')})" if wrote != author else ""
            author = wrote
            self._move(number, indent, mark if number == first else "", by)
            self._say(node.comment, indent + len(mark) + _STEP)
            if number != first or depth == 0:
                for other in chapter.siblings(number)[1:]:
                    self._line(other, depth + 1, "- ")
                    self.broken = True

    def _move(self, number: int, indent: int, mark: str, by: str) -> None:
        node, seats = self.chapter.nodes[number], self.chapter.seats
        fresh, self.broken = self.broken, False
        if fresh:
            self._begin(indent)
        before = self.chapter.nodes[node.parent]
        again = not node.parent or seats.index(node.seat) <= seats.index(before.seat)
        label = ""
        if fresh or again:
            label = f"{self.rounds[number]}{'...' if not self.many and node.seat == seats[-1] else '.'} "
        text = f"{_DEPARTS.get(node.move[:1], node.text)}{_marks(node.glyphs)}"
        if self.many:
            text = f"{node.seat[0].upper()}:{text}"
        self._put([Piece(mark + label), Piece(text, number, node.seat), Piece(by), *self._standing(number)], indent)

    def _standing(self, number: int) -> Iterator[Piece]:
        for name in self.here.get(number, ()):
            yield Piece(f" <{words.name(name)}>")

    def _say(self, text: str, indent: int) -> None:
        """A comment, on lines of its own."""
        if not text:
            return
        room = max(_NARROWEST, self.width - indent)
        for part in text.splitlines():
            self.found += ([Piece(" " * indent + one)] for one in textwrap.wrap(words.shown(part), room))
        self.broken = True

    def _begin(self, indent: int) -> None:
        self.found.append([Piece(" " * indent)])

    def _put(self, pieces: list[Piece], indent: int) -> None:
        """Write some pieces that belong together behind the others, on another line if there is no room."""
        pieces = [piece for piece in pieces if piece.text]
        taken = sum(len(piece.text) for piece in self.found[-1])
        wanted = sum(len(piece.text) for piece in pieces) + 2  # brackets
        if taken > indent and taken + 1 + wanted > self.width:
            self._begin(indent + _STEP)
        elif taken > indent:
            self.found[-1].append(Piece(" "))
        self.found[-1] += pieces
