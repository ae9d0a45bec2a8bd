"""What can happen to a study. Events are facts: `decide` makes them, the log keeps them, `evolve` applies them.

Chapters and moves go by numbers that are never given twice. Move 0 of a chapter stands for its start. Who did what is
told by the decision that an event is part of.
"""

from dataclasses import field
from typing import Literal

from fourfold.engine.study.shapes import Shape
from fourfold.engine.values import value

Visibility = Literal["private", "link", "public"]
"""Who sees a study: the owner and the named writers; whoever has the link; everybody, in lists too."""

Writing = Literal["owner", "named", "everybody"]
"""Who may change a study. Everybody means whoever may see it."""


@value
class Node:
    """A move of a chapter's tree, `number`, which follows the move `parent`.

    `move` is what `steps.step_of` reads, `text` the move as people write it, `seat` whose it is. `lead` is a comment
    ahead of the move, where a variation begins; `glyphs` are PGN's numeric ones, `clock` is the time left in
    milliseconds. `by` is the player who added the move, empty if that is who added the chapter. `commands` are those
    that its comment had in PGN beside the clock and the shapes, such as ``[%eval 0.3]``: nobody reads them here.
    `commented` is the version of the study that last changed the comment; it is not stored with the move.
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
    """What a chapter begins as: the variant, a FEN or FEN4 (None: the usual start), the options of its rules as PGN4
    names them (None: the usual ones), the tags of the game that it was made of, and the moves. The first node is the
    start itself; parents come before their children, and the first child of a parent is its main line."""

    variant: str
    position: str | None
    options: str | None
    tags: tuple[tuple[str, str], ...]
    nodes: tuple[Node, ...]


@value
class Created:
    """A study was opened by its owner."""

    title: str
    visibility: Visibility
    write: Writing
    owner: str


@value
class Named:
    """A player who writes in the study goes by this name."""

    player: str
    name: str


@value
class Titled:
    """The study has another title."""

    title: str


@value
class Shared:
    """Others may see the study now."""

    visibility: Visibility


@value
class Allowed:
    """Others may write now; `writers` are the named ones, each a player and a name."""

    write: Writing
    writers: tuple[tuple[str, str], ...]


@value
class Deleted:
    """The study is gone for good, for everybody."""


@value
class ChapterAdded:
    """A chapter was added behind the others."""

    chapter: int
    title: str
    draft: Draft


@value
class ChapterTitled:
    """A chapter has another title."""

    chapter: int
    title: str


@value
class ChapterOrdered:
    """A chapter stands at another place among all, 0 being the first."""

    chapter: int
    place: int


@value
class ChapterRemoved:
    """A chapter was removed."""

    chapter: int


@value
class Added:
    """A move was added behind the move `parent`, as its last variation."""

    chapter: int
    number: int
    parent: int
    move: str
    text: str
    seat: int


@value
class Removed:
    """A move was removed, with all that followed it."""

    chapter: int
    number: int


@value
class Promoted:
    """A move is now the first of those that follow its parent."""

    chapter: int
    number: int


@value
class Commented:
    """A move has another comment, or none."""

    chapter: int
    number: int
    comment: str


@value
class Annotated:
    """A move has these glyphs, and no others."""

    chapter: int
    number: int
    glyphs: tuple[int, ...]


@value
class Drawn:
    """A position has these arrows and marks, and no others."""

    chapter: int
    number: int
    shapes: tuple[Shape, ...]


Event = (
    Created | Named | Titled | Shared | Allowed | Deleted | ChapterAdded | ChapterTitled | ChapterOrdered
    | ChapterRemoved | Added | Removed | Promoted | Commented | Annotated | Drawn
)  # fmt: skip
