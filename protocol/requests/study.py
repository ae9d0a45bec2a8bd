"""Requests about studies."""

from typing import Annotated, Literal

from msgspec import Meta

from fourfold.protocol import studies as parts
from fourfold.protocol.requests.base import CommandKey, Request, RoomId


class Study(Request):
    """Open a study: chapters, each a position with a tree of moves. `visibility` and `write` are as in the changes
    `share` and `allow`. `source` is the initial content. The default `title` is that of the text (the tag `StudyName`),
    or `Study`. A repeated request with the same `key` opens no second study."""

    answers = ("created",)

    title: parts.Title | None = None
    visibility: parts.StudyVisibility = "private"
    write: parts.StudyWriting = "owner"
    writers: parts.Writers = []
    source: parts.Source = parts.Source()
    key: CommandKey | None = None


class Piece(Request):
    """Send a piece of a text that is too long for one request, before the `study` or `edit` that uses it. The `source`
    of that request has the last part of the text and the number of pieces. The server keeps the pieces until then,
    while the connection lasts. A piece with the `number` 0 starts again."""

    answers = ("ok",)

    number: Annotated[int, Meta(ge=0, lt=parts.MAX_PIECES)]
    text: Annotated[str, Meta(min_length=1, max_length=parts.MAX_TEXT)]


class Edit(Request):
    """Change a study. An `ok` without an `update` means that the study was already in that state."""

    room: RoomId
    change: parts.AnyChange
    key: CommandKey | None = None


class Look(Request):
    """Ask for the boards after some moves of a chapter, with their legal moves. With `attacks`, also ask for the
    squares that each seat's pieces attack. The reply leaves out removed moves."""

    answers = ("looked",)

    room: RoomId
    chapter: parts.ChapterNumber
    nodes: Annotated[list[parts.NodeNumber], Meta(min_length=1, max_length=40)]
    attacks: bool = False


class Stand(Request):
    """Report the study's move that you are viewing. Others see it by `cursors`. You must follow the study."""

    room: RoomId
    chapter: parts.ChapterNumber
    node: parts.NodeNumber


class Chapters(Request):
    """Parse games with their variations and comments, to read them. Nothing is stored. The reply has the titles of all
    games, and one of them, `chapter`, counted from 1."""

    answers = ("chapters",)

    source: parts.Source
    chapter: parts.ChapterNumber = 1


class Import(Request):
    """Add a game that was played elsewhere to the archive: one game, as PGN or PGN4. The reply names its room. A game
    that is there already is not added again. Only players with an account can do this."""

    answers = ("created",)

    source: parts.Source


class Studies(Request):
    """Ask for studies, latest changes first: your own, or the public ones. Your own do not include studies of others in
    which you are a writer. `after` is the mark at the end of the previous page."""

    answers = ("studies",)

    whose: Literal["mine", "public"] = "mine"
    after: Annotated[str, Meta(pattern=r"^[0-9]{1,16}\.[0-9a-z]{1,32}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 30
