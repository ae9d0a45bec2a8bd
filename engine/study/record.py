"""Conversion between a chapter and a game record, to read and write studies as PGN and PGN4.

In a record, a variation can start with another variation of its own first move. Both replace the same move, so a
chapter has both as variations of that move. Apart from this, a text that is read and written again stays the same, word
for word.
"""

from collections.abc import Callable, Sequence

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.notation import options
from fourfold.engine.notation.comments import lines
from fourfold.engine.notation.formats import WRITERS
from fourfold.engine.notation.game import Game, Line, Step
from fourfold.engine.study import shapes as drawn
from fourfold.engine.study import steps
from fourfold.engine.study.events import Draft, Node
from fourfold.engine.study.state import COMMENT, DEPTH, GLYPHS, NESTING, NODES, SHAPES, Chapter, Study
from fourfold.engine.variants import begins_as_usual, rules_of


def draft(game: Game, shown: Callable[[str], str] = str) -> Draft | Rejection:
    """The draft of a chapter from a game record, or a rejection if the game is too large. `shown` cleans a tag, or a
    line of a comment, for display."""
    nodes = _Nodes(game, shown)
    if nodes.excess:
        return refused("study_full", nodes.excess)
    rules = game.start.rules
    named = options.write(rules) if rules != rules_of(rules.name) else None
    position = None if begins_as_usual(game.start) else game.start.fen()
    tags = tuple((name, shown(value)) for name, value in game.tags.items())
    return Draft(rules.name, position, named, tags, tuple(nodes.found))


STUDY, CHAPTER = "StudyName", "ChapterName"
"""The tags for the names of study and chapter, as in other programs."""


def title(game: Game, number: int) -> str:
    """The title of a chapter that was made from a game: from its tag, its players, its event or its number, in this
    order."""
    named = game.tags.get(CHAPTER, "").strip()
    if named not in ("?", ""):
        return named[:100]
    players = [game.tags.get(seat.capitalize(), "?") for seat in game.start.seats]
    if any(player not in ("?", "") for player in players):
        return " - ".join(players)[:100]
    event = game.tags.get("Event", "?")
    return event[:100] if event.strip() not in ("?", "") else f"Chapter {number}"


class _Nodes:
    """Gives the moves of a record their numbers."""

    def __init__(self, game: Game, shown: Callable[[str], str]) -> None:
        self._shown = shown
        self._squares = game.start.geometry.names
        shapes, commands, comment = drawn.split(self._said(game.line.comment), self._squares)
        self.found = [Node(0, 0, "", "", 0, comment=comment, shapes=shapes, commands=commands)]
        self.excess = ""
        self._check(self.found[0], 0, 0)
        waiting: list[tuple[Line, int, int, int]] = [(game.line, 0, 0, 0)]
        while waiting and not self.excess:
            line, parent, depth, nesting = waiting.pop()
            self._take(line, parent, depth, nesting, waiting)

    def _take(
        self, line: Line, parent: int, depth: int, nesting: int, waiting: list[tuple[Line, int, int, int]]
    ) -> None:
        """Number the moves of a line after the move `parent`, and put its variations on the stack. They are pushed in
        reverse, so that variations of the same move are numbered in their order."""
        lead = self._said(line.comment) if parent or nesting else ""
        later: list[tuple[Line, int, int, int]] = []
        for step in line.steps:
            if step.reason is not None and step.before.rules.records == "pgn":
                continue  # PGN shows it in the result only
            depth += 1
            later.extend((one, parent, depth - 1, nesting + 1) for one in step.variations if one.steps)
            parent = self._add(step, parent, lead)
            self._check(self.found[-1], depth, nesting)
            if self.excess:
                return
            lead = ""
        waiting.extend(reversed(later))

    def _add(self, step: Step, parent: int, lead: str) -> int:
        shapes, commands, comment = drawn.split(self._said(step.comment), self._squares)
        number = len(self.found)
        self.found.append(
            Node(
                number=number,
                parent=parent,
                move=steps.text_of(step),
                text=steps.written(step),
                seat=step.seat,
                lead=lead,
                comment=comment,
                glyphs=step.nags,
                shapes=shapes,
                clock=step.clock,
                commands=commands,
            )
        )
        return number

    def _said(self, comment: str) -> str:
        """A comment, cleaned for display line by line."""
        return lines("\n".join(map(self._shown, comment.split("\n"))))

    def _check(self, node: Node, depth: int, nesting: int) -> None:
        for what, size, most in (
            ("moves", len(self.found) - 1, NODES),
            ("moves that follow each other", depth, DEPTH),
            ("variations in each other", nesting, NESTING),
            ("characters in a comment", max(len(node.comment), len(node.lead), len(node.commands)), COMMENT),
            ("arrows and marks on a position", len(node.shapes), SHAPES),
            ("glyphs at a move", len(node.glyphs), GLYPHS),
        ):
            if size > most:
                self.excess = f"A chapter has at most {most} {what}, and this game has more."


def game(study: Study, chapter: Chapter) -> Game:
    """The game record of a chapter. It replays every move, which takes some time."""
    start = steps.start(chapter)
    root = chapter.nodes[0]
    tags = dict(chapter.tags) or {"Event": f"{study.title}: {chapter.title}"}
    tags |= {STUDY: study.title, CHAPTER: chapter.title}
    found = Game(start, tags, Line(comment=drawn.joined(root.shapes, root.commands, root.comment)))
    waiting = [(found.line, _goes_on(chapter, 0), start)]
    while waiting:
        line, follows, position = waiting.pop()
        while follows:
            node = chapter.nodes[follows[0]]
            step = steps.step_of(position, node.move)
            step.comment = drawn.joined(node.shapes, node.commands, node.comment)
            step.nags, step.clock = node.glyphs, node.clock
            for number in follows[1:]:
                variation = Line(comment=chapter.nodes[number].lead)
                step.variations.append(variation)
                waiting.append((variation, (number,), position))
            line.steps.append(step)
            follows, position = _goes_on(chapter, node.number), step.after
    return found


def _goes_on(chapter: Chapter, number: int) -> tuple[int, ...]:
    """The moves after a move. The end of a drawn game is included only if nothing else follows."""
    follows = chapter.follows(number)
    return tuple(one for one in follows if not chapter.nodes[one].move.startswith(steps.END)) or follows


def write(study: Study, chapters: Sequence[Chapter]) -> str:
    """Chapters as text, each in its variant's format of game records."""
    games = (game(study, chapter) for chapter in chapters)
    return "\n".join(WRITERS[one.start.rules.records](one) for one in games)
