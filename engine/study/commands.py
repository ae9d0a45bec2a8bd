"""The commands to a study. `decide` gets the player's identity separately; it is never part of a command."""

from fourfold.engine.study.events import Draft, Visibility, Writing
from fourfold.engine.study.shapes import Shape
from fourfold.engine.values import value


@value
class Create:
    """Open a study with chapters, each a title and a draft."""

    title: str
    visibility: Visibility
    write: Writing
    chapters: tuple[tuple[str, Draft], ...] = ()


@value
class Title:
    """Rename the study. Only the owner can do this."""

    title: str


@value
class Share:
    """Choose who can see the study. Only the owner can do this."""

    visibility: Visibility


@value
class Allow:
    """Choose who can write. `writers` are the named ones, each a player and a name. Only the owner can do this."""

    write: Writing
    writers: tuple[tuple[str, str], ...] = ()


@value
class Delete:
    """Delete the study for good. Only the owner can do this."""


@value
class AddChapters:
    """Add chapters, each a title and a draft. `record.draft` makes a draft from a game."""

    chapters: tuple[tuple[str, Draft], ...]


@value
class TitleChapter:
    """Rename a chapter."""

    chapter: int
    title: str


@value
class OrderChapter:
    """Move a chapter to another place among the chapters, 0 for the first."""

    chapter: int
    place: int


@value
class RemoveChapter:
    """Remove a chapter."""

    chapter: int


@value
class Play:
    """Add a move after the move `after`, in coordinate notation. A move that exists already is not added again.

    ``--`` passes the turn in a game for two players. ``R``, ``T`` and ``A`` eliminate a player in a game for four, with
    the seat's letter if another player is to move.
    """

    chapter: int
    after: int
    move: str


@value
class Remove:
    """Remove a move and everything after it."""

    chapter: int
    number: int


@value
class Promote:
    """Promote the variation of a move by one level. With `whole`, make it the main line from the start."""

    chapter: int
    number: int
    whole: bool = False


@value
class Comment:
    """Replace the comment on a move; an empty one removes it. With `seq`, do so only if nobody has changed the comment
    since that version."""

    chapter: int
    number: int
    comment: str
    seq: int | None = None


@value
class Annotate:
    """Replace the glyphs of a move (PGN's Numeric Annotation Glyphs)."""

    chapter: int
    number: int
    glyphs: tuple[int, ...]


@value
class Draw:
    """Replace the arrows and marks on a position."""

    chapter: int
    number: int
    shapes: tuple[Shape, ...]


Change = (
    Title | Share | Allow | Delete | AddChapters | TitleChapter | OrderChapter | RemoveChapter | Play | Remove
    | Promote | Comment | Annotate | Draw
)  # fmt: skip
"""The commands that change an existing study."""


@value
class Edit:
    """A change, with the name of the player who makes it."""

    name: str
    change: Create | Change
