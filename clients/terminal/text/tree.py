"""The moves of a study's chapter as lines: the main line, with variations below it, comments and authors. Pure."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fourfold.clients.study_state import Chapter
from fourfold.clients.terminal.parser.studies import SIGNS
from fourfold.clients.terminal.text import words

_STEP: Final = 2
"""The indentation of a variation, in columns."""

_DEEPEST: Final = 6
"""The depth from which variations are no longer indented further."""

_NARROWEST: Final = 12
"""The least width of comments, in columns."""

_DEPARTS: Final = {"R": "resigns", "T": "time is up", "A": "is removed"}
"""The fate of a departing seat in a game for four, by the first letter of its move."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line. A move has its number, and among four its `seat`; other parts have None."""

    text: str
    node: int | None = None
    seat: str = ""


Line = list[Piece]


def lines(
    chapter: Chapter, names: Mapping[str, str], width: int, here: Mapping[int, Sequence[str]] | None = None
) -> list[Line]:
    """A chapter in lines of `width` columns. `names` are players' names, by id. `here` has the names of the readers at
    each move. A word that is longer than a line has its own line."""
    return _Page(chapter, names, width, here or {}).written()


def plain(line: Line, at: int) -> str:
    """A line as text, with the current move in square brackets."""
    return "".join(f"[{piece.text}]" if piece.node == at else piece.text for piece in line).rstrip()


def move(chapter: Chapter, number: int) -> str:
    """A move with its number, such as `2...Nc6!?`; among four with its seat, such as `2. blue b7-d7`; or the start."""
    if not number:
        return "the start"
    node = chapter.nodes[number]
    round = chapter.rounds()[number]
    text = f"{_DEPARTS.get(node.move[:1], node.text)}{_marks(node.glyphs)}"
    if len(chapter.seats) > 2:
        return f"{round}. {node.seat} {text}"
    return f"{round}{'.' if node.seat == chapter.seats[0] else '...'}{text}"


def _marks(glyphs: Iterable[int]) -> str:
    """Glyphs as text after a move: marks of the move directly after it, others after a space. Glyphs without a symbol
    are left out."""
    known = [glyph for glyph in glyphs if glyph in SIGNS]
    own = "".join(SIGNS[glyph] for glyph in known if glyph <= 6)
    return " ".join([own, *(SIGNS[glyph] for glyph in known if glyph > 6)])


class _Page:
    """One rendering of a chapter: the common data of its lines."""

    def __init__(
        self, chapter: Chapter, names: Mapping[str, str], width: int, here: Mapping[int, Sequence[str]]
    ) -> None:
        self.chapter = chapter
        self.names = names
        self.width = width
        self.here = here
        self.rounds = chapter.rounds()
        self.many = len(chapter.seats) > 2
        self.found: list[Line] = []
        self.broken = True  # the next move starts a line

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
        """A line from its first move on. The alternatives of each move follow it."""
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
        """Write some connected pieces, on a new line if there is no room."""
        pieces = [piece for piece in pieces if piece.text]
        taken = sum(len(piece.text) for piece in self.found[-1])
        wanted = sum(len(piece.text) for piece in pieces) + 2  # brackets
        if taken > indent and taken + 1 + wanted > self.width:
            self._begin(indent + _STEP)
        elif taken > indent:
            self.found[-1].append(Piece(" "))
        self.found[-1] += pieces
