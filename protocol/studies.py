"""The parts of studies in messages: chapters and their moves, changes, and sources of chapters.

Chapters and moves have numbers that are never reused; move 0 of a chapter is its start. So the edits of several people
at once never interfere.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

MAX_TEXT = 8000
"""The most characters of a text in one request, which is one frame."""

MAX_PIECES = 8
"""The most pieces of a text before the request that has its end."""

StudyVisibility = Literal["private", "link", "public"]
StudyWriting = Literal["owner", "named", "everybody"]
ChapterNumber = Annotated[int, Meta(ge=1, le=2**31)]
NodeNumber = Annotated[int, Meta(ge=0, le=2**31)]
Title = Annotated[str, Meta(min_length=1, max_length=200)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]
Writers = Annotated[list[Annotated[str, Meta(min_length=1, max_length=64)]], Meta(max_length=64)]


class Shape(Struct, frozen=True, omit_defaults=True):
    """A marked square, or an arrow if it has a `target`."""

    colour: Literal["green", "red", "yellow", "blue"]
    square: Square
    target: Square | None = None


class Node(Struct, omit_defaults=True):
    """A move of a chapter, after the move `parent`.

    `move` is in coordinate notation. `--` is a null move. In games for four, `R`, `T` or `A` with a seat's letter is a
    departure. `text` is the move in SAN or long algebraic notation, and `seat` the seat that moves. `lead` is a comment
    before the move, at the start of a variation. `glyphs` are PGN's Numeric Annotation Glyphs. `clock` is the remaining
    time in milliseconds. `by` is the player who added the move; left out for the player who added the chapter.
    """

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
    Parents come before their children. The children of a parent are in order, the main line first. `tags` are those of
    the original game. `by` is the player who added the chapter."""

    number: int
    title: str
    variant: str
    position: str
    seats: list[str]
    by: str
    tags: dict[str, str]
    nodes: list[Node]


class Cursor(Struct):
    """A person who looks at the study, and their current move; null until they report one. `writes` tells whether they
    can change the study, `bot` whether they are a bot."""

    player: str
    name: str
    chapter: int | None
    node: int | None
    writes: bool
    bot: bool = False


class StudyListing(Struct):
    """A study in a list. `name` is the owner's name, and `variants` are those of the chapters. `changed` and `created`
    are times in milliseconds since 1970."""

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
    """The board after a move of a chapter, with its legal moves. If the game is over there, `ended` is the reason,
    `turn` is null and `legal` is empty. `check` has the seats in check, and `out` the eliminated seats of a game for
    four. `points` are those of `ffa`, by seat. `attacks`, if requested, has the squares that each seat's pieces
    attack."""

    node: int
    position: str
    turn: str | None
    legal: list[str]
    check: list[str]
    out: list[str]
    points: dict[str, int] | None
    ended: str | None
    attacks: dict[str, list[str]] | None = None


class NodeBoard(Struct):
    """The board after a move of a chapter, as FEN or FEN4, with the seats in check, and the eliminated seats of a game
    for four."""

    node: int
    position: str
    check: list[str]
    out: list[str]


class Source(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of new chapters: a `text`, or a `game`, named by its room, or a `position` of a `variant` (as in
    `create`).

    A text is PGN or PGN4, with a chapter for each game; or moves without tags; or a position; or the link of a game of
    this server. Moves without tags belong to the `variant`. If `variant` is not `standard`, games of other variants are
    rejected. `title` is the title of the first chapter. The default is that of the text (the tag `ChapterName`), or the
    names of the game's players. If the `text` is too long for one request, send its beginning by `piece`, and the
    number of these pieces as `pieces`. `first` is the number of the text's first game in a whole file. The `notes` of
    the answer count from it.
    """

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
    """The base of all changes."""


class Retitle(Change):
    """Rename the study. Only the owner can do this."""

    title: Title


class Share(Change):
    """Choose who can see the study: `private`, the owner and the named writers; `link`, everybody with its id;
    `public`, everybody, and lists show it. Only the owner can do this."""

    visibility: StudyVisibility


class Allow(Change):
    """Choose who can write: the `owner` alone, also `named` writers, or `everybody` who can see the study. Writers are
    player ids or account names. Only the owner can do this."""

    write: StudyWriting
    writers: Writers = []


class Delete(Change):
    """Delete the study for good. Only the owner can do this."""


class AddChapters(Change, tag="add_chapters"):
    """Add chapters after the others."""

    source: Source = Source()


class TitleChapter(Change, tag="title_chapter"):
    """Rename a chapter."""

    chapter: ChapterNumber
    title: Title


class OrderChapter(Change, tag="order_chapter"):
    """Move a chapter to another place among the chapters, 0 for the first."""

    chapter: ChapterNumber
    place: Annotated[int, Meta(ge=0, le=1000)]


class RemoveChapter(Change, tag="remove_chapter"):
    """Remove a chapter."""

    chapter: ChapterNumber


class Play(Change):
    """Add a move after the move `after`, as in `move`. `--` passes the turn in a game for two. `R`, `T` and `A`
    eliminate a player in a game for four, with the seat's letter if another player is to move. A move that exists
    already is not added again."""

    chapter: ChapterNumber
    after: NodeNumber
    move: Annotated[str, Meta(min_length=1, max_length=16)]


class Remove(Change):
    """Remove a move and everything after it."""

    chapter: ChapterNumber
    node: NodeNumber


class Promote(Change):
    """Promote the variation of a move by one level. With `whole`, make it the main line from the start."""

    chapter: ChapterNumber
    node: NodeNumber
    whole: bool = False


class Comment(Change):
    """Replace the comment on a move. An empty one removes it.

    `seq` is the version of the study that the writer saw. If somebody has changed the comment since, the server refuses
    the edit (`comment_changed`), and its message has the new text. Without `seq` the edit replaces any text.
    """

    chapter: ChapterNumber
    node: NodeNumber
    text: Annotated[str, Meta(max_length=5000)]
    seq: Annotated[int, Meta(ge=0)] | None = None


class Annotate(Change):
    """Replace the glyphs of a move: PGN's Numeric Annotation Glyphs (1 is `!`, 2 is `?`)."""

    chapter: ChapterNumber
    node: NodeNumber
    glyphs: Annotated[list[Annotated[int, Meta(ge=1, le=255)]], Meta(max_length=8)]


class Draw(Change):
    """Replace the arrows and marks on a position."""

    chapter: ChapterNumber
    node: NodeNumber
    shapes: Annotated[list[Shape], Meta(max_length=64)]


AnyChange = (
    Retitle | Share | Allow | Delete | AddChapters | TitleChapter | OrderChapter | RemoveChapter
    | Play | Remove | Promote | Comment | Annotate | Draw
)  # fmt: skip
