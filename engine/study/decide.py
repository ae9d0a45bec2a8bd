"""Decides whether a study accepts a command, and which events follow. Pure."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.notation.comments import lines
from fourfold.engine.study import commands as c
from fourfold.engine.study import events as e
from fourfold.engine.study import state as limits
from fourfold.engine.study import steps
from fourfold.engine.study.evolve import SHAPE, ordered, promoted
from fourfold.engine.study.shapes import COLOURS, split
from fourfold.engine.study.state import Chapter, Study
from fourfold.engine.variants import rules_of

Events = tuple[e.Event, ...]

MOST_GLYPH: Final = 255
"""The highest of PGN's numeric annotation glyphs."""


def decide(study: Study | None, command: c.Edit, by: str, now: int) -> Events | Rejection:
    """The events that a command leads to, or its rejection.

    `study` is None before it exists. `by` is the identity of the player who sent the command. An empty result means
    that there is nothing to do. `now` has no effect yet, because studies have no deadlines.
    """
    change = command.change
    if isinstance(change, c.Create):
        return _EXISTS if study is not None else _create(change, command.name, by)
    if study is None or not study.may_see(by):
        return NO_SUCH_STUDY
    if isinstance(change, (c.Title, c.Share, c.Allow, c.Delete)):
        if by != study.owner:
            return refused("not_owner", "Only the owner of this study can do this.")
    elif not study.may_write(by):
        return refused("not_writer", "You can read this study, but not change it; ask its owner.")
    verdict = _judge(study, change)
    if isinstance(verdict, Rejection) or not verdict:
        return verdict
    if study.written > limits.WRITTEN and not isinstance(change, c.Delete):
        return _WORN
    if study.names.get(by) == command.name:
        return verdict
    return e.Named(by, command.name), *verdict


def _judge(study: Study, change: Any) -> Events | Rejection:
    """The verdict on a change to a study that exists, by a player who can make it."""
    if type(change) in _OF_STUDY:
        return _OF_STUDY[type(change)](study, change)
    chapter = study.chapter(change.chapter)
    if chapter is None:
        return _NO_CHAPTER
    if type(change) in _OF_CHAPTER:
        return _OF_CHAPTER[type(change)](study, chapter, change)
    node = chapter.nodes.get(change.number)
    return _NO_NODE if node is None else _OF_NODE[type(change)](study, chapter, node, change)


NO_SUCH_STUDY: Final = refused("no_such_room", "There is no such study, or it is private.")
_EXISTS: Final = refused("room_exists", "A study with this id exists already.")
_NO_CHAPTER: Final = refused("no_such_chapter", "This study has no such chapter; perhaps it was removed just now.")
_NO_NODE: Final = refused("no_such_node", "This chapter has no such move; perhaps it was removed just now.")


def _create(change: c.Create, name: str, by: str) -> Events | Rejection:
    title = _title(change.title)
    if isinstance(title, Rejection):
        return title
    added = _added(change.chapters, 0, 0, 0, 0)
    if isinstance(added, Rejection):
        return added
    return e.Created(title, change.visibility, change.write, by), e.Named(by, name), *added


def _title(text: str) -> str | Rejection:
    """A title in one line."""
    title = " ".join(text.split())
    if not title or len(title) > limits.TITLE:
        return refused("bad_title", f"A title has 1 to {limits.TITLE} characters; this one has {len(title)}.")
    return title


def _added(
    chapters: Iterable[tuple[str, e.Draft]], made: int, there: int, nodes: int, text: int
) -> Events | Rejection:
    """The events that add chapters to a study. The other arguments are its present chapters, moves and text."""
    events: list[e.Event] = []
    for given, draft in chapters:
        title = _title(given)
        if isinstance(title, Rejection):
            return title
        there += 1
        nodes += len(draft.nodes)
        if there > limits.CHAPTERS:
            return refused("study_full", f"A study has at most {limits.CHAPTERS} chapters.")
        if len(draft.nodes) > limits.NODES + 1 or nodes > limits.ALL_NODES:
            return _FULL
        text += sum(map(weight, draft.nodes)) + sum(len(name) + len(value) for name, value in draft.tags)
        if text > limits.TEXT:
            return _TOO_MUCH
        made += 1
        events.append(e.ChapterAdded(made, title, draft))
    return tuple(events)


def _text(study: Study) -> int:
    """The amount of text in a study, roughly in characters."""
    chapters = study.chapters
    nodes = sum(weight(node) for chapter in chapters for node in chapter.nodes.values())
    return nodes + sum(len(name) + len(value) for chapter in chapters for name, value in chapter.tags)


_TOO_MUCH: Final = refused(
    "study_full", f"All comments, tags, arrows and marks of a study have at most {limits.TEXT} characters together."
)

_WORN: Final = refused(
    "study_full", "This study has reached the limit of changes; copy its chapters to a new study."
)

_FULL: Final = refused(
    "study_full", f"A chapter has at most {limits.NODES} moves, and all chapters together {limits.ALL_NODES}."
)


def weight(node: e.Node) -> int:
    """The amount of text of a move, in characters."""
    return len(node.comment) + len(node.lead) + len(node.commands) + SHAPE * len(node.shapes)


def _retitled(given: str, before: str, event: Callable[[str], e.Event]) -> Events | Rejection:
    """The event of another title, of the study or of a chapter."""
    title = _title(given)
    if isinstance(title, Rejection):
        return title
    return () if title == before else (event(title),)


def _judge_allow(study: Study, change: c.Allow) -> Events | Rejection:
    writers = tuple(dict(change.writers).items())
    if len(writers) > limits.WRITERS:
        return refused("too_many_writers", f"You can name at most {limits.WRITERS} writers.")
    same = change.write == study.write and [player for player, _ in writers] == list(study.writers)
    return () if same else (e.Allowed(change.write, writers),)


def _made(study: Study) -> int:
    """The number of moves in all chapters, including removed moves of these chapters."""
    return sum(chapter.made + 1 for chapter in study.chapters)


def _judge_order_chapter(study: Study, _: Chapter, change: c.OrderChapter) -> Events | Rejection:
    place = max(0, min(change.place, len(study.chapters) - 1))
    same = ordered(study.chapters, change.chapter, place) == study.chapters
    return () if same else (e.ChapterOrdered(change.chapter, place),)


def _judge_play(study: Study, chapter: Chapter, change: c.Play) -> Events | Rejection:
    if change.after not in chapter.nodes:
        return _NO_NODE
    position = steps.position_at(study, chapter, change.after)
    if position.past_draw().outcome is not None:
        return refused("game_over", "The game is over here: no more moves can follow.")
    if change.move.startswith(steps.END):
        return Rejection("unreadable", "bad_source", f"{change.move[:16]!r} is not a move such as e2e4.")
    try:
        step = steps.step_of(position, change.move)
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    except IllegalMove as error:
        return Rejection("illegal", error.code, error.message)
    move = steps.text_of(step)
    if any(chapter.nodes[number].move == move for number in chapter.follows(change.after)):
        return ()
    if chapter.made >= limits.NODES or _made(study) >= limits.ALL_NODES:
        return _FULL
    path = chapter.path(change.after)
    if len(path) >= limits.DEPTH:
        return refused("study_full", f"A line has at most {limits.DEPTH} moves.")
    if chapter.nesting(change.after) + bool(chapter.follows(change.after)) > limits.NESTING:
        return _NESTED
    number = chapter.made + 1
    return (e.Added(chapter.number, number, change.after, move, steps.written(step), step.seat),)


_NESTED: Final = refused("study_full", f"Variations can be nested at most {limits.NESTING} deep.")


def _judge_promote(_: Study, chapter: Chapter, __: e.Node, change: c.Promote) -> Events | Rejection:
    behind = [number for number in chapter.path(change.number) if not chapter.is_main(number)]
    chosen = behind if change.whole else behind[-1:]
    after = chapter
    for number in chosen:
        after = promoted(after, number)
    if chosen and _deepest(after) > limits.NESTING:
        return _NESTED
    return tuple(e.Promoted(chapter.number, number) for number in chosen)


def _deepest(chapter: Chapter) -> int:
    """The greatest nesting depth of variations in a chapter."""
    depths = {0: 0}
    for number in chapter.below(0):
        for place, follow in enumerate(chapter.follows(number)):
            depths[follow] = depths[number] + (place > 0)
    return max(depths.values())


def _judge_comment(study: Study, chapter: Chapter, node: e.Node, change: c.Comment) -> Events | Rejection:
    squares = rules_of(chapter.variant).geometry.index
    _, _, comment = split(lines(change.comment), squares)  # clients draw arrows by `Draw`, not in comments
    if len(comment) > limits.COMMENT:
        return refused("too_long", f"A comment has at most {limits.COMMENT} characters; this one has {len(comment)}.")
    more = len(comment) - len(node.comment)
    if more > 0 and _text(study) + more > limits.TEXT:
        return _TOO_MUCH
    if comment == node.comment:
        return ()
    if change.seq is not None and node.commented > change.seq:
        done = f"changed this comment: “{node.comment}”." if node.comment else "removed this comment."
        return refused("comment_changed", f"Meanwhile somebody has {done}")
    return (e.Commented(change.chapter, change.number, comment),)


def _judge_annotate(_: Study, __: Chapter, node: e.Node, change: c.Annotate) -> Events | Rejection:
    glyphs = tuple(dict.fromkeys(change.glyphs))
    if not change.number:
        return refused("no_such_node", "Only moves have glyphs, not the start of a chapter.")
    if len(glyphs) > limits.GLYPHS or not all(1 <= glyph <= MOST_GLYPH for glyph in glyphs):
        return refused("bad_glyphs", f"A move has at most {limits.GLYPHS} glyphs, from 1 to {MOST_GLYPH}.")
    return () if glyphs == node.glyphs else (e.Annotated(change.chapter, change.number, glyphs),)


def _judge_draw(study: Study, chapter: Chapter, node: e.Node, change: c.Draw) -> Events | Rejection:
    shapes = tuple(dict.fromkeys(change.shapes))
    if len(shapes) > limits.SHAPES:
        return refused("too_many_shapes", f"A position has at most {limits.SHAPES} arrows and marks.")
    squares = rules_of(chapter.variant).geometry.index
    for shape in shapes:
        for square in filter(None, (shape.square, shape.target)):
            if square not in squares:
                return refused("bad_square", f"There is no square {square[:16]!r} on this board.")
        if shape.colour not in COLOURS.values():
            return refused("bad_colour", f"Colours of arrows and marks: {', '.join(COLOURS.values())}.")
    more = SHAPE * (len(shapes) - len(node.shapes))
    if more > 0 and _text(study) + more > limits.TEXT:
        return _TOO_MUCH
    return () if shapes == node.shapes else (e.Drawn(change.chapter, change.number, shapes),)


_OF_STUDY: Final[dict[type[c.Change], Callable[[Study, Any], Events | Rejection]]] = {
    c.Title: lambda study, change: _retitled(change.title, study.title, e.Titled),
    c.Share: lambda study, to: () if to.visibility == study.visibility else (e.Shared(to.visibility),),
    c.Allow: _judge_allow,
    c.Delete: lambda _study, _change: (e.Deleted(),),
    c.AddChapters: lambda study, change: _added(
        change.chapters, study.made, len(study.chapters), _made(study), _text(study)
    ),
}
_OF_CHAPTER: Final[dict[type[c.Change], Callable[[Study, Chapter, Any], Events | Rejection]]] = {
    c.TitleChapter: lambda _, chapter, change: _retitled(
        change.title, chapter.title, partial(e.ChapterTitled, chapter.number)
    ),
    c.OrderChapter: _judge_order_chapter,
    c.RemoveChapter: lambda _study, chapter, _change: (e.ChapterRemoved(chapter.number),),
    c.Play: _judge_play,
}
_OF_NODE: Final[dict[type[c.Change], Callable[[Study, Chapter, e.Node, Any], Events | Rejection]]] = {
    c.Remove: lambda _, chapter, node, change: (e.Removed(chapter.number, node.number),) if node.number else _NO_NODE,
    c.Promote: _judge_promote,
    c.Comment: _judge_comment,
    c.Annotate: _judge_annotate,
    c.Draw: _judge_draw,
}
