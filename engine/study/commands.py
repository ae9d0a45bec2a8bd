"""What may be asked of a study. The identity of the player who asks comes beside the command, never in it."""

from fourfold.engine.study.events import Draft, Visibility, Writing
from fourfold.engine.study.shapes import Shape
from fourfold.engine.values import value


@value
class Create:
    """Open a study with chapters, each a title and what it begins as."""

    title: str
    visibility: Visibility
    write: Writing
    chapters: tuple[tuple[str, Draft], ...] = ()


@value
class Title:
    """Give the study another title. The owner's right."""

    title: str


@value
class Share:
    """Let others see the study. The owner's right."""

    visibility: Visibility


@value
class Allow:
    """Let others write; `writers` are the named ones, each a player and a name. The owner's right."""

    write: Writing
    writers: tuple[tuple[str, str], ...] = ()


@value
class Delete:
    """Delete the study for good. The owner's right."""


@value
class AddChapters:
    """Add chapters, each a title and what it begins as: see `record.draft`."""

    chapters: tuple[tuple[str, Draft], ...]


@value
class TitleChapter:
    """Give a chapter another title."""

    chapter: int
    title: str


@value
class OrderChapter:
    """Put a chapter at a place among all, 0 being the first."""

    chapter: int
    place: int


@value
class RemoveChapter:
    """Remove a chapter."""

    chapter: int


@value
class Play:
    """Add a move behind the move `after`, in coordinates; ``--`` passes the turn between two, and among four
    ``R``, ``T`` and ``A``, with a seat's letter if it is not to move, take a player out. A move that is there already
    is not added again."""

    chapter: int
    after: int
    move: str


@value
class Remove:
    """Remove a move, with all that follows it."""

    chapter: int
    number: int


@value
class Promote:
    """Make the variation that a move is in the main one where it last parts from a better one; with `whole`, all the
    way from the start."""

    chapter: int
    number: int
    whole: bool = False


@value
class Comment:
    """Say something of a move, instead of what was said before; nothing, to remove it. With `seq`, only if nobody has
    changed the comment since that version."""

    chapter: int
    number: int
    comment: str
    seq: int | None = None


@value
class Annotate:
    """Give a move glyphs, PGN's numeric ones, instead of those before."""

    chapter: int
    number: int
    glyphs: tuple[int, ...]


@value
class Draw:
    """Draw arrows and marks on a position, instead of those before."""

    chapter: int
    number: int
    shapes: tuple[Shape, ...]


Change = (
    Title | Share | Allow | Delete | AddChapters | TitleChapter | OrderChapter | RemoveChapter | Play | Remove
    | Promote | Comment | Annotate | Draw
)  # fmt: skip
"""What changes a study that there is."""


@value
class Edit:
    """A change, by a player of this name."""

    name: str
    change: Create | Change
