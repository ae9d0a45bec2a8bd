"""The state of a study at one version of its log, and its limits."""

from collections.abc import Mapping
from dataclasses import field

from fourfold.engine.position import Position
from fourfold.engine.study.events import Node, Visibility, Writing
from fourfold.engine.study.tree import Children, Nodes, Tree
from fourfold.engine.values import value

CHAPTERS = 64
"""The most chapters in a study."""

NODES = 3000
"""The most moves in a chapter, including removed moves."""

ALL_NODES = 4000
"""The most moves in all chapters together."""

DEPTH = 600
"""The most moves in one line."""

NESTING = 40
"""The deepest nesting of variations. PGN parsers stop at fifty."""

COMMENT = 5000
"""The most characters in a comment."""

TEXT = 150_000
"""The most characters in all comments, tags, arrows and marks of a study: a snapshot is sent in one message."""

WRITTEN = 4_000_000
"""The most that can ever be written into a study, roughly in characters: its log keeps everything."""

TITLE = 100
"""The most characters in a title."""

SHAPES = 64
"""The most arrows and marks on a position."""

GLYPHS = 8
"""The most glyphs on a move."""

WRITERS = 64
"""The most named writers."""


@value
class Chapter(Tree[Node]):
    """A chapter: a starting position and a tree of moves.

    `made` is the highest number of a move so far. `by` is the player who added the chapter.
    """

    number: int
    title: str
    variant: str
    position: str | None
    options: str | None
    tags: tuple[tuple[str, str], ...]
    nodes: Nodes[Node]
    children: Children
    made: int
    by: str


class Positions:
    """A cache of recently used positions, by chapter and move. Moves never change and numbers are never reused, so an
    entry is valid for every later version of the study."""

    __slots__ = ("held",)

    def __init__(self) -> None:
        self.held: dict[tuple[int, int], Position] = {}


@value
class Study:
    """The whole state of a study.

    `writers` are the named writers. `names` has the names of all writers so far. `made` is the highest chapter number
    so far. `variants` has the variants of all chapters by number, including removed ones, so that late commands to a
    removed chapter can still be parsed. `written` is the size of the log, roughly in characters.
    """

    title: str
    visibility: Visibility
    write: Writing
    owner: str
    seq: int
    at: int
    created: int
    writers: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    chapters: tuple[Chapter, ...] = ()
    made: int = 0
    variants: Mapping[int, str] = field(default_factory=dict)
    written: int = 0
    deleted: bool = False
    positions: Positions = field(default_factory=Positions, compare=False, repr=False)

    def chapter(self, number: int) -> Chapter | None:
        """The chapter with a number, or None."""
        return next((chapter for chapter in self.chapters if chapter.number == number), None)

    def may_see(self, player: str) -> bool:
        """Whether a player who knows the study's id can see it."""
        if self.deleted:
            return False
        return self.visibility != "private" or player == self.owner or player in self.writers

    def may_write(self, player: str) -> bool:
        """Whether a player can change the study's chapters."""
        if player == self.owner:
            return True
        if self.write == "everybody":
            return self.may_see(player)
        return self.write == "named" and player in self.writers
