"""Frames about studies."""

from typing import Literal

from fourfold.protocol import studies as parts
from fourfold.protocol.frames.base import Frame, Reply


class Study(Reply):
    """The snapshot of a study at `seq`. `role` is the reader's role: `owner`, `writer` or `reader`. `writers` are the
    ids of the named writers. `names` has the names of all writers so far. `cursors` and `count` are as in `cursors`.
    `decided` is the time of the decision that led to `seq`."""

    room: str
    title: str
    visibility: parts.StudyVisibility
    write: parts.StudyWriting
    owner: str
    writers: list[str]
    names: dict[str, str]
    chapters: list[parts.Chapter]
    role: Literal["owner", "writer", "reader"]
    cursors: list[parts.Cursor]
    count: int
    seq: int
    time: int
    decided: int
    created: int


class Chapters(Reply):
    """A game of a text, as a `chapter` of a study would have it, with the `boards` after its first moves. `titles` are
    those of all games. `notes` are sentences about parts of the text that were not read."""

    titles: list[str]
    chapter: parts.Chapter
    boards: list[parts.NodeBoard]
    notes: list[str] = []


class Looked(Reply):
    """The boards after some moves of a chapter."""

    room: str
    chapter: int
    positions: list[parts.NodePosition]


class Studies(Reply):
    """Studies, latest changes first. Send `after` to get the next page; null if this is the last."""

    studies: list[parts.StudyListing]
    after: str | None


class Cursors(Frame):
    """The people who look at a study, with their current moves: writers first, at most 50. `count` is the number of
    all. Sent whole at each change, at most a few times a second. Not part of the log."""

    room: str
    cursors: list[parts.Cursor]
    count: int
