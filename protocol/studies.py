"""The parts of studies in messages: chapters and their moves, what changes them, and what chapters are made of.

Chapters and moves go by numbers that are never given twice; move 0 of a chapter is its start. So what several people
change at once never shifts what another means.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

MAX_TEXT = 8000
"""How many characters of a text that chapters are made of one request may have: it is one frame."""

MAX_PIECES = 8
"""How many pieces of such a text may go ahead of the request that has its end."""

StudyVisibility = Literal["private", "link", "public"]
StudyWriting = Literal["owner", "named", "everybody"]
ChapterNumber = Annotated[int, Meta(ge=1, le=2**31)]
NodeNumber = Annotated[int, Meta(ge=0, le=2**31)]
Title = Annotated[str, Meta(min_length=1, max_length=200)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]
Writers = Annotated[list[Annotated[str, Meta(min_length=1, max_length=64)]], Meta(max_length=64)]


class Shape(Struct, frozen=True, omit_defaults=True):
    """A marked square, or, with a `target`, an arrow to another one."""

    colour: Literal["green", "red", "yellow", "blue"]
    square: Square
    target: Square | None = None


class Node(Struct, omit_defaults=True):
    """A move of a chapter, which follows the move `parent`. `move` is in coordinates, `--` for a null move, and among
    four also `R`, `T` or `A` with a seat's letter, who left the game there; `text` is the move as people write it,
    `seat` whose it is. `lead` is a comment ahead of the move, where a variation begins; `glyphs` are PGN's numeric
    ones; `clock` is the time left in milliseconds. `by` is the player who added it; left out if that is who added the
    chapter."""

    number: int
    parent: int
    move: str
    text: str
    seat: str
    lead: str = ""
    comment: str = ""
    glyphs: list[int] = []
    shapes: list[Shape] = []
    clock: int | None = None
    by: str = ""


class Chapter(Struct):
    """A chapter: its start, as FEN or FEN4, and the moves from there. The first node, number 0, is the start itself.
    Parents come before their children; the children of a parent stand in order, the main line first. `tags` are those
    of the game that the chapter was made of; `by` is the player who added it."""

    number: int
    title: str
    variant: str
    position: str
    seats: list[str]
    by: str
    tags: dict[str, str]
    nodes: list[Node]


class Cursor(Struct):
    """Somebody who looks at the study, and where they stand; null until they have said so. `writes` tells whether they
    may write in it, `bot` whether it is a bot."""

    player: str
    name: str
    chapter: int | None
    node: int | None
    writes: bool
    bot: bool = False


class StudyListing(Struct):
    """A study in a list. `name` is the owner's, `variants` are those of the chapters; `changed` and `created` are times
    in milliseconds since 1970."""

    room: str
    title: str
    visibility: StudyVisibility
    write: StudyWriting
    owner: str
    name: str
    chapters: int
    variants: list[str]
    changed: int
    created: int


class NodePosition(Struct):
    """The board after a move of a chapter, and what may be played there. `turn` is null, and nothing is `legal`, where
    the game has `ended`, which says why. `check` has the seats whose king is attacked, `out` those who are out of a
    game of four; `points` are those of `ffa`, by seat. `attacks`, if it was asked for, are the squares that each seat's
    pieces attack."""

    node: int
    position: str
    turn: str | None
    legal: list[str]
    check: list[str]
    out: list[str]
    points: dict[str, int] | None
    ended: str | None
    attacks: dict[str, list[str]] | None = None


class Source(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What chapters are made of: a `text`; or a `game`, named by its room; or a `position` of a `variant` (as in
    `create`). A text is PGN or PGN4, a chapter for each of its games, or has moves without tags, or a position, or the
    link of a game of this server. Moves without tags are those of the `variant`, and games of no other are taken,
    unless that is `standard`. `title` is the first chapter's; without one it is that of the text (the tag
    `ChapterName`), or made of the game's players. A `text` that is too long for one request begins with as many
    `pieces` as `piece` has sent. `first` is the number of its first game among those of a whole file, which the `notes`
    of the answer count."""

    title: Title | None = None
    variant: Annotated[str, Meta(min_length=1, max_length=32)] = "standard"
    position: Annotated[str, Meta(max_length=4096)] | None = None
    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)] | None = None
    pieces: Annotated[int, Meta(ge=0, le=MAX_PIECES)] = 0
    first: Annotated[int, Meta(ge=1, le=2**31)] = 1
    format: Literal["pgn", "pgn4"] | None = None
    game: Annotated[str, Meta(min_length=1, max_length=32)] | None = None

    def __post_init__(self) -> None:
        if self.text is not None and self.game is not None:
            raise ValueError("a chapter is made of a `text` or of a `game`, not of both")
        if self.pieces and self.text is None:
            raise ValueError("`pieces` are the beginning of a `text`")


class Change(Struct, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """What all changes have in common."""


class Retitle(Change):
    """Give the study another title. The owner's right."""

    title: Title


class Share(Change):
    """Let others see the study: `private`, the owner and the named writers; `link`, whoever has its id; `public`,
    everybody, in lists too. The owner's right."""

    visibility: StudyVisibility


class Allow(Change):
    """Say who may write: the `owner` alone, `named` writers too, each a player's id or the name of an account, or
    `everybody` who may see the study. The owner's right."""

    write: StudyWriting
    writers: Writers = []


class Delete(Change):
    """Delete the study for good, for everybody. The owner's right."""


class AddChapters(Change, tag="add_chapters"):
    """Add chapters behind the others."""

    source: Source = Source()


class TitleChapter(Change, tag="title_chapter"):
    """Give a chapter another title."""

    chapter: ChapterNumber
    title: Title


class OrderChapter(Change, tag="order_chapter"):
    """Put a chapter at a place among all, 0 being the first."""

    chapter: ChapterNumber
    place: Annotated[int, Meta(ge=0, le=1000)]


class RemoveChapter(Change, tag="remove_chapter"):
    """Remove a chapter."""

    chapter: ChapterNumber


class Play(Change):
    """Add a move behind the move `after`, as in `move`; `--` passes the turn between two, and among four `R`, `T` and
    `A`, with a seat's letter if it is not to move, take a player out. A move that is there is not added again."""

    chapter: ChapterNumber
    after: NodeNumber
    move: Annotated[str, Meta(min_length=1, max_length=16)]


class Remove(Change):
    """Remove a move, with all that follows it."""

    chapter: ChapterNumber
    node: NodeNumber


class Promote(Change):
    """Make the variation that a move is in the main one where it last parts from a better one; with `whole`, all the
    way from the start."""

    chapter: ChapterNumber
    node: NodeNumber
    whole: bool = False


class Comment(Change):
    """Say something of a move, instead of what was said before; nothing, to remove it.

    `seq` is the version of the study that the writer sees. If somebody has changed the comment since, the server
    refuses the edit (`comment_changed`), and the message has the new text. Without `seq` the edit replaces any text.
    """

    chapter: ChapterNumber
    node: NodeNumber
    text: Annotated[str, Meta(max_length=5000)]
    seq: Annotated[int, Meta(ge=0)] | None = None


class Annotate(Change):
    """Give a move glyphs, PGN's numeric ones (1 is `!`, 2 is `?`), instead of those before."""

    chapter: ChapterNumber
    node: NodeNumber
    glyphs: Annotated[list[Annotated[int, Meta(ge=1, le=255)]], Meta(max_length=8)]


class Draw(Change):
    """Draw arrows and marks on a position, instead of those before."""

    chapter: ChapterNumber
    node: NodeNumber
    shapes: Annotated[list[Shape], Meta(max_length=64)]


AnyChange = (
    Retitle | Share | Allow | Delete | AddChapters | TitleChapter | OrderChapter | RemoveChapter
    | Play | Remove | Promote | Comment | Annotate | Draw
)  # fmt: skip
