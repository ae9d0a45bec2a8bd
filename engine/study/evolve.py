"""The state of a study after a decision. Nothing is checked here: every result of `decide` can be applied."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from fourfold.engine.decisions import Decision
from fourfold.engine.study import events as e
from fourfold.engine.study.state import Chapter, Study
from fourfold.engine.study.tree import children_of

ENTRY: Final = 100
"""The size of a log entry, or of a move in an added chapter, in characters."""

SHAPE: Final = 40
"""The size of an arrow or mark, in characters."""


def evolve(study: Study | None, decision: Decision) -> Study:
    """The state after `decision`, which must directly follow `study`. `study` is None for the first decision."""
    events = decision.events
    if study is None:
        created, events = events[0], events[1:]
        assert isinstance(created, e.Created)  # every log starts with `Created`
        study = Study(
            title=created.title,
            visibility=created.visibility,
            write=created.write,
            owner=created.owner,
            seq=decision.seq,
            at=decision.at,
            created=decision.at,
        )
    for event in events:
        study = _APPLY[type(event)](study, event, decision)
    written = study.written + ENTRY + sum(map(weight, events))
    return replace(study, seq=decision.seq, at=decision.at, written=written)


def weight(event: e.Event) -> int:
    """The size of an event in the log, roughly in characters."""
    match event:
        case e.ChapterAdded():
            draft = event.draft
            said = sum(len(node.comment) + len(node.lead) + len(node.commands) for node in draft.nodes)
            nodes = sum(ENTRY + SHAPE * len(node.shapes) for node in draft.nodes)
            return said + nodes + sum(len(name) + len(value) for name, value in draft.tags)
        case e.Commented():
            return len(event.comment)
        case e.Drawn():
            return SHAPE * len(event.shapes)
        case e.Allowed():
            return ENTRY * len(event.writers)
    return 0


def weight_of(chapters: Iterable[tuple[str, e.Draft]]) -> int:
    """The size of added chapters in the log, roughly in characters. Each is a title and a draft."""
    return sum(weight(e.ChapterAdded(0, title, draft)) for title, draft in chapters)


def replay(decisions: Iterable[Decision]) -> Study:
    """The state after a whole log, which must have at least one entry."""
    study = None
    for decision in decisions:
        study = evolve(study, decision)
    assert study is not None  # a log is never empty
    return study


def _allowed(study: Study, event: e.Allowed, _: Decision) -> Study:
    writers = tuple(player for player, _ in event.writers)
    return replace(study, write=event.write, writers=writers, names={**dict(event.writers), **study.names})


def _chapter_added(study: Study, event: e.ChapterAdded, decision: Decision) -> Study:
    chapters = (*study.chapters, added_chapter(event, decision.by))
    variants = {**study.variants, event.chapter: event.draft.variant}
    return replace(study, chapters=chapters, made=event.chapter, variants=variants)


def added_chapter(event: e.ChapterAdded, by: str) -> Chapter:
    """The chapter that a player added."""
    draft = event.draft
    return Chapter(
        number=event.chapter,
        title=event.title,
        variant=draft.variant,
        position=draft.position,
        options=draft.options,
        tags=draft.tags,
        nodes={node.number: node for node in draft.nodes},
        children=children_of(draft.nodes),
        made=draft.nodes[-1].number,
        by=by,
    )


def ordered(chapters: tuple[Chapter, ...], number: int, place: int) -> tuple[Chapter, ...]:
    """The chapters, with one of them moved to another place."""
    others = [one for one in chapters if one.number != number]
    moved = [one for one in chapters if one.number == number]
    return (*others[:place], *moved, *others[place:])


def _added(study: Study, event: e.Added, decision: Decision) -> Study:
    def change(chapter: Chapter) -> Chapter:
        by = "" if decision.by == chapter.by else decision.by
        node = e.Node(event.number, event.parent, event.move, event.text, event.seat, by=by)
        nodes, children = chapter.added(node)
        return replace(chapter, nodes=nodes, children=children, made=node.number)

    return _with(study, event.chapter, change)


def _removed(study: Study, event: e.Removed, _: Decision) -> Study:
    def change(chapter: Chapter) -> Chapter:
        nodes, children = chapter.removed(event.number)
        return replace(chapter, nodes=nodes, children=children)

    return _with(study, event.chapter, change)


def promoted(chapter: Chapter, number: int) -> Chapter:
    """The chapter, with a move as the first child of its parent."""
    return replace(chapter, children=chapter.promoted(number))


def _noted(study: Study, event: e.Commented | e.Annotated | e.Drawn, **changes: Any) -> Study:
    def change(chapter: Chapter) -> Chapter:
        node = replace(chapter.nodes[event.number], **changes)
        return replace(chapter, nodes={**chapter.nodes, node.number: node})

    return _with(study, event.chapter, change)


def _with(study: Study, number: int, change: Callable[[Chapter], Chapter]) -> Study:
    chapters = tuple(change(one) if one.number == number else one for one in study.chapters)
    return replace(study, chapters=chapters)


_APPLY: dict[type[e.Event], Callable[[Study, Any, Decision], Study]] = {
    e.Named: lambda study, event, _: replace(study, names={**study.names, event.player: event.name}),
    e.Titled: lambda study, event, _: replace(study, title=event.title),
    e.Shared: lambda study, event, _: replace(study, visibility=event.visibility),
    e.Allowed: _allowed,
    e.Deleted: lambda study, _event, _decision: replace(study, deleted=True, chapters=()),
    e.ChapterAdded: _chapter_added,
    e.ChapterTitled: lambda study, event, _: _with(study, event.chapter, lambda one: replace(one, title=event.title)),
    e.ChapterOrdered: lambda study, event, _: replace(
        study, chapters=ordered(study.chapters, event.chapter, event.place)
    ),
    e.ChapterRemoved: lambda study, event, _: replace(
        study, chapters=tuple(one for one in study.chapters if one.number != event.chapter)
    ),
    e.Added: _added,
    e.Removed: _removed,
    e.Promoted: lambda study, event, _: _with(study, event.chapter, lambda one: promoted(one, event.number)),
    e.Commented: lambda study, event, decision: _noted(study, event, comment=event.comment, commented=decision.seq),
    e.Annotated: lambda study, event, _: _noted(study, event, glyphs=event.glyphs),
    e.Drawn: lambda study, event, _: _noted(study, event, shapes=event.shapes),
}
