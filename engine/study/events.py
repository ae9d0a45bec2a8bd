"""The events of a study. `decide` creates them, the log stores them, `evolve` applies them.

Chapters and moves have numbers that are never reused. Move 0 of a chapter stands for its start. The decision that
contains an event names the player.
"""

from dataclasses import field
from typing import Literal

from fourfold.engine.study.shapes import Shape
from fourfold.engine.values import value

Visibility = Literal["private", "link", "public"]
"""Who can see a study: the owner and the named writers; everybody with the link; everybody, and lists show it."""

Writing = Literal["owner", "named", "everybody"]
"""Who can change a study: the owner, the named writers too, or everybody who can see it."""


@value
class Node:
    """A move in a chapter's tree. It has a `number`, and follows the move `parent`.

    `move` is in the notation that `steps.step_of` parses, and `text` is in SAN or long algebraic notation. `seat` is
    the seat that moves. `lead` is a comment before the move, at the start of a variation. `glyphs` are PGN's Numeric
    Annotation Glyphs, and `clock` is the remaining time in milliseconds. `by` is the player who added the move, empty
    for the player who added the chapter. `commands` are commands of the PGN comment besides clock and shapes, such as
    ``[%eval 0.3]``; we keep them without using them. `commented` is the version of the study that last changed the
    comment; it is not stored with the move.
    """

    number: int
    parent: int
    move: str
    text: str
    seat: int
    lead: str = ""
    comment: str = ""
    glyphs: tuple[int, ...] = ()
    shapes: tuple[Shape, ...] = ()
    clock: int | None = None
    by: str = ""
    commands: str = ""
    commented: int = field(default=0, compare=False)


@value
class Draft:
    """The initial content of a chapter. `position` is a FEN or FEN4 (None for the variant's own start). `options` are
    rule options as in PGN4 (None for the variant's own). `tags` are those of the original game.

    The first node is the start. Parents come before their children, and the first child of a parent continues its main
    line.
    """

    variant: str
    position: str | None
    options: str | None
    tags: tuple[tuple[str, str], ...]
    nodes: tuple[Node, ...]


@value
class Created:
    """A player opened a study, and owns it."""

    title: str
    visibility: Visibility
    write: Writing
    owner: str


@value
class Named:
    """The name of a player who writes in the study."""

    player: str
    name: str


@value
class Titled:
    """The study was renamed."""

    title: str


@value
class Shared:
    """The visibility of the study changed."""

    visibility: Visibility


@value
class Allowed:
    """The right to write changed. `writers` are the named ones, each a player and a name."""

    write: Writing
    writers: tuple[tuple[str, str], ...]


@value
class Deleted:
    """The study was deleted for good."""


@value
class ChapterAdded:
    """A chapter was added after the others."""

    chapter: int
    title: str
    draft: Draft


@value
class ChapterTitled:
    """A chapter was renamed."""

    chapter: int
    title: str


@value
class ChapterOrdered:
    """A chapter moved to another place among the chapters, 0 for the first."""

    chapter: int
    place: int


@value
class ChapterRemoved:
    """A chapter was removed."""

    chapter: int


@value
class Added:
    """A move was added after the move `parent`, as its last variation."""

    chapter: int
    number: int
    parent: int
    move: str
    text: str
    seat: int


@value
class Removed:
    """A move was removed, with everything after it."""

    chapter: int
    number: int


@value
class Promoted:
    """A move became the first child of its parent: the main line."""

    chapter: int
    number: int


@value
class Commented:
    """The comment on a move changed; an empty one was removed."""

    chapter: int
    number: int
    comment: str


@value
class Annotated:
    """The glyphs of a move changed. `glyphs` are all it has now."""

    chapter: int
    number: int
    glyphs: tuple[int, ...]


@value
class Drawn:
    """The arrows and marks of a position changed. `shapes` are all it has now."""

    chapter: int
    number: int
    shapes: tuple[Shape, ...]


Event = (
    Created | Named | Titled | Shared | Allowed | Deleted | ChapterAdded | ChapterTitled | ChapterOrdered
    | ChapterRemoved | Added | Removed | Promoted | Commented | Annotated | Drawn
)  # fmt: skip
