"""A study on the client: its state after a `study` snapshot and the `update`s since.

Pure. It knows trees of moves, but not the rules of chess: boards and legal moves come from the server.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from fourfold.engine.study.tree import Tree, children_of
from fourfold.protocol import events as happened
from fourfold.protocol import from_server as told
from fourfold.protocol import studies as parts


class Chapter(Tree[parts.Node]):
    """A chapter: its moves by number (0 for the start), and the numbers of the moves after each."""

    def __init__(self, chapter: parts.Chapter) -> None:
        self.number = chapter.number
        self.title = chapter.title
        self.variant = chapter.variant
        self.start = chapter.position
        """The starting position, as FEN or FEN4."""
        self.seats = tuple(chapter.seats)
        self.by = chapter.by
        """The player who added the chapter."""
        self.tags = dict(chapter.tags)
        self.nodes = {node.number: node for node in chapter.nodes}
        self.children = children_of(chapter.nodes)

    def siblings(self, number: int) -> Sequence[int]:
        """A move and its alternatives, the main line first; for the start, the start itself."""
        return self.follows(self.nodes[number].parent) if number else (0,)

    def line(self, number: int) -> list[int]:
        """The main line after a move."""
        line = []
        while following := self.follows(number):
            number = following[0]
            line.append(number)
        return line

    def author(self, number: int) -> str:
        """The player who added a move."""
        return self.nodes[number].by or self.by

    def rounds(self) -> dict[int, int]:
        """The round of each move."""
        first = int(self.start.split(" ")[5]) if len(self.seats) == 2 else 1
        found = {0: first}
        for number in self.below(0)[1:]:
            node = self.nodes[number]
            before = self.nodes[node.parent]
            again = node.parent and self.seats.index(node.seat) <= self.seats.index(before.seat)
            found[number] = found[node.parent] + (1 if again else 0)
        return found

    def add(self, node: parts.Node) -> None:
        """Add a move, as the last child of its parent."""
        self.nodes, self.children = self.added(node)

    def remove(self, number: int) -> None:
        """Remove a move and everything after it."""
        self.nodes, self.children = self.removed(number)

    def promote(self, number: int) -> None:
        """Make a move the first child of its parent."""
        self.children = self.promoted(number)

    def note(self, number: int, **notes: object) -> None:
        """Change a move's comment, glyphs or shapes."""
        self.nodes = {**self.nodes, number: replace(self.nodes[number], **notes)}


class Study:
    """A study at version `seq`, which takes in each later update. `cursors` and `count` show who looks at it."""

    def __init__(self, snapshot: told.Study) -> None:
        self.room = snapshot.room
        self.title = snapshot.title
        self.visibility = snapshot.visibility
        self.write = snapshot.write
        self.owner = snapshot.owner
        self.writers = list(snapshot.writers)
        self.names = dict(snapshot.names)
        """The names of writers, by their ids."""
        self.chapters = [Chapter(chapter) for chapter in snapshot.chapters]
        self.seq = snapshot.seq
        self.cursors = list(snapshot.cursors)
        self.count = snapshot.count
        self.deleted = False

    def take(self, frame: told.Update | told.Cursors) -> None:
        """Take in the next frame of the study's room."""
        if isinstance(frame, told.Cursors):
            self.cursors, self.count = list(frame.cursors), frame.count
            return
        self.seq = frame.seq
        for event in frame.events:
            apply = _APPLY.get(type(event))
            if apply is not None:  # a newer server may tell more
                apply(self, event)

    def chapter(self, number: int) -> Chapter | None:
        """The chapter with a number, or None."""
        return next((chapter for chapter in self.chapters if chapter.number == number), None)

    def may_write(self, player: str) -> bool:
        """Whether a player who sees the study can change its chapters."""
        if player == self.owner or self.write == "everybody":
            return True
        return self.write == "named" and player in self.writers

    def name(self, player: str) -> str:
        """The name of a player."""
        return self.names.get(player) or "somebody"

    def _of(self, event: Any) -> Chapter:
        found = self.chapter(event.chapter)
        assert found is not None  # the server tells nothing of others
        return found

    def _shared(self, event: happened.Shared) -> None:
        self.visibility = event.visibility

    def _titled(self, event: happened.Titled) -> None:
        self.title = event.title

    def _named(self, event: happened.Named) -> None:
        self.names[event.player] = event.name

    def _allowed(self, event: happened.Allowed) -> None:
        self.write, self.writers = event.write, list(event.writers)
        self.names = {**event.names, **self.names}

    def _deleted(self, _: happened.Deleted) -> None:
        self.deleted = True

    def _chapter_titled(self, event: happened.ChapterTitled) -> None:
        self._of(event).title = event.title

    def _chapter_ordered(self, event: happened.ChapterOrdered) -> None:
        chapter = self._of(event)
        self.chapters.remove(chapter)
        self.chapters.insert(event.place, chapter)


_APPLY: Final[dict[type[Any], Callable[[Study, Any], None]]] = {
    happened.Named: Study._named,
    happened.Titled: Study._titled,
    happened.Shared: Study._shared,
    happened.Allowed: Study._allowed,
    happened.Deleted: Study._deleted,
    happened.ChapterAdded: lambda study, event: study.chapters.append(Chapter(event.chapter)),
    happened.ChapterTitled: Study._chapter_titled,
    happened.ChapterOrdered: Study._chapter_ordered,
    happened.ChapterRemoved: lambda study, event: study.chapters.remove(study._of(event)),
    happened.NodeAdded: lambda study, event: study._of(event).add(event.node),
    happened.NodeRemoved: lambda study, event: study._of(event).remove(event.node),
    happened.Promoted: lambda study, event: study._of(event).promote(event.node),
    happened.Commented: lambda study, event: study._of(event).note(event.node, comment=event.text),
    happened.Annotated: lambda study, event: study._of(event).note(event.node, glyphs=event.glyphs),
    happened.Drawn: lambda study, event: study._of(event).note(event.node, shapes=event.shapes),
}
"""The effect of each event on a study."""
