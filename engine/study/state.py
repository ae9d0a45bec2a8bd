"""What a study is at one version of its log."""

from collections.abc import Mapping
from dataclasses import field

from fourfold.engine.match.terms import USUAL, Terms
from fourfold.engine.position import Position
from fourfold.engine.study.events import Node, Visibility, Writing
from fourfold.engine.values import value

CHAPTERS = 64
"""How many chapters a study may have."""

NODES = 3000
"""How many moves a chapter may have, counted with those that were removed..."""

ALL_NODES = 4000
"""...and how many all chapters together may."""

DEPTH = 600
"""How many moves may follow each other."""

NESTING = 40
"""How deep variations may lie in variations. PGN's readers go no deeper than fifty."""

COMMENT = 5000
"""How many characters a comment may have..."""

TEXT = 150_000
"""...and how many all comments, tags, arrows and marks of a study together: a snapshot goes out in one piece."""

WRITTEN = 4_000_000
"""How much may be written into a study in all its life, roughly in characters: its log keeps it all."""

TITLE = 100
"""How many characters a title may have."""

SHAPES = 64
"""How many arrows and marks a position may have."""

GLYPHS = 8
"""How many glyphs a move may have."""

WRITERS = 64
"""How many writers may be named."""


@value
class Chapter:
    """A start and the tree of moves from it.

    `nodes` are the moves by number, 0 being the start; `children` those that follow each, the main line first.
    `made` is the highest number that was given. `by` is the player who added the chapter.
    """

    number: int
    title: str
    variant: str
    position: str | None
    options: str | None
    tags: tuple[tuple[str, str], ...]
    nodes: Mapping[int, Node]
    children: Mapping[int, tuple[int, ...]]
    made: int
    by: str

    def path(self, number: int) -> list[int]:
        """The moves that lead to one, from the first to itself; none lead to the start."""
        path = []
        while number:
            path.append(number)
            number = self.nodes[number].parent
        path.reverse()
        return path

    def follows(self, number: int) -> tuple[int, ...]:
        """The moves that follow one, the main line first."""
        return self.children.get(number, ())

    def is_main(self, number: int) -> bool:
        """Whether a move is the first of those that follow its parent. The start is."""
        return not number or self.children[self.nodes[number].parent][0] == number

    def below(self, number: int) -> list[int]:
        """A move and all that follow it, parents first."""
        found = [number]
        for one in found:
            found.extend(self.follows(one))
        return found

    def nesting(self, number: int) -> int:
        """How many variations a move lies in."""
        return sum(not self.is_main(one) for one in self.path(number))


class Positions:
    """Positions of a study that were looked at lately, by chapter and move. Moves never change, and numbers are never
    given twice, so whatever is found here holds for every later version too."""

    __slots__ = ("held",)

    def __init__(self) -> None:
        self.held: dict[tuple[int, int], Position] = {}


@value
class Study:
    """Everything a study is.

    `writers` are the players who are named as such, `names` what each player who wrote or is named goes by. `made` is
    the highest number that was given to a chapter, and `variants` those of all chapters that there ever were, by
    number, so that what is said of one that was removed can still be understood; `written` is how much was written into
    the log so far, roughly in characters.
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
        """The chapter of a number; None if there is none."""
        return next((chapter for chapter in self.chapters if chapter.number == number), None)

    def may_see(self, player: str) -> bool:
        """Whether a player who has the study's id may see it."""
        if self.deleted:
            return False
        return self.visibility != "private" or player == self.owner or player in self.writers

    def may_write(self, player: str) -> bool:
        """Whether a player may change the study's chapters."""
        if player == self.owner:
            return True
        if self.write == "everybody":
            return self.may_see(player)
        return self.write == "named" and player in self.writers

    def seat_of(self, player: str) -> int | None:
        """0 for whoever may write; None for those who only look on. Writers are to a study what players are to a
        match: they are sent to first."""
        return 0 if self.may_write(player) else None

    @property
    def seats(self) -> tuple[()]:
        """A study has none."""
        return ()

    @property
    def terms(self) -> Terms:
        """Those of a match that has none of its own: nobody sees a study late."""
        return USUAL
