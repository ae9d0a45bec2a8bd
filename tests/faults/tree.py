"""A client's copy of a study: a snapshot, and every event after it, by separate rules."""

from typing import Any


class Tree:
    """A client's copy of a study: a snapshot, and every event after it."""

    def __init__(self, snapshot: dict[str, Any]) -> None:
        self.title = snapshot["title"]
        self.rights = snapshot["visibility"], snapshot["write"], tuple(snapshot["writers"])
        self.seq = snapshot["seq"]
        self.chapters = [Leaves(chapter) for chapter in snapshot["chapters"]]

    def take(self, update: dict[str, Any]) -> None:
        assert update["seq"] == self.seq + 1
        self.seq = update["seq"]
        for event in update["events"]:
            getattr(self, event["type"])(event)

    def _of(self, event: dict[str, Any]) -> "Leaves":
        return next(chapter for chapter in self.chapters if chapter.number == event["chapter"])

    def named(self, event: dict[str, Any]) -> None:
        pass

    def titled(self, event: dict[str, Any]) -> None:
        self.title = event["title"]

    def shared(self, event: dict[str, Any]) -> None:
        self.rights = event["visibility"], *self.rights[1:]

    def allowed(self, event: dict[str, Any]) -> None:
        self.rights = self.rights[0], event["write"], tuple(event["writers"])

    def chapter_added(self, event: dict[str, Any]) -> None:
        self.chapters.append(Leaves(event["chapter"]))

    def chapter_titled(self, event: dict[str, Any]) -> None:
        self._of(event).title = event["title"]

    def chapter_removed(self, event: dict[str, Any]) -> None:
        self.chapters.remove(self._of(event))

    def chapter_ordered(self, event: dict[str, Any]) -> None:
        chapter = self._of(event)
        self.chapters.remove(chapter)
        self.chapters.insert(event["place"], chapter)

    def node_added(self, event: dict[str, Any]) -> None:
        self._of(event).add(event["node"])

    def node_removed(self, event: dict[str, Any]) -> None:
        self._of(event).remove(event["node"])

    def promoted(self, event: dict[str, Any]) -> None:
        chapter = self._of(event)
        siblings = chapter.children[chapter.nodes[event["node"]]["parent"]]
        siblings.remove(event["node"])
        siblings.insert(0, event["node"])

    def commented(self, event: dict[str, Any]) -> None:
        self._of(event).nodes[event["node"]]["comment"] = event["text"]

    def annotated(self, event: dict[str, Any]) -> None:
        self._of(event).nodes[event["node"]]["glyphs"] = event["glyphs"]

    def drawn(self, event: dict[str, Any]) -> None:
        self._of(event).nodes[event["node"]]["shapes"] = event["shapes"]

    def told(self) -> Any:
        """All of its contents, for comparison."""
        return self.title, self.rights, self.seq, [chapter.told() for chapter in self.chapters]


class Leaves:
    """A client's copy of a chapter."""

    def __init__(self, chapter: dict[str, Any]) -> None:
        self.number, self.title = chapter["number"], chapter["title"]
        self.nodes: dict[int, dict[str, Any]] = {}
        self.children: dict[int, list[int]] = {}
        for node in chapter["nodes"]:
            self.add(node)

    def add(self, node: dict[str, Any]) -> None:
        self.nodes[node["number"]] = dict(node)
        if node["number"]:
            self.children.setdefault(node["parent"], []).append(node["number"])

    def remove(self, number: int) -> None:
        self.children[self.nodes[number]["parent"]].remove(number)
        gone = [number]
        for one in gone:
            gone += self.children.pop(one, [])
            del self.nodes[one]

    def told(self) -> Any:
        def below(number: int) -> Any:
            node = self.nodes[number]
            said = [node.get(name) or None for name in ("comment", "glyphs", "shapes")]
            return number, node["move"], node["text"], said, [below(one) for one in self.children.get(number, ())]

        return self.number, self.title, below(0)
