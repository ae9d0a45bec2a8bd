"""The events of studies as lists of plain values. `records` says which parts of the form may never change."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from fourfold.engine.study import events as e
from fourfold.engine.study.shapes import Shape

_Form = tuple[Callable[[Any], list[Any]], Callable[..., Any]]


def _plain(cls: type[Any], **readers: Callable[[Any], Any]) -> _Form:
    """The form of an event whose fields are stored as they are. `readers` convert fields back when they are read."""
    names = [field.name for field in fields(cls)]

    def read(*stored: Any) -> Any:
        pairs = zip(names, stored, strict=False)
        return cls(*[readers[name](value) if name in readers else value for name, value in pairs])

    return lambda event: [getattr(event, name) for name in names], read


def _shapes(rows: list[list[Any]]) -> tuple[Shape, ...]:
    return tuple(Shape(*row) for row in rows)


def _rows(shapes: tuple[Shape, ...]) -> list[list[Any]]:
    return [[one.colour, one.square] if one.target is None else [one.colour, one.square, one.target] for one in shapes]


def _node(node: e.Node) -> list[Any]:
    """The optional fields of a move come last, without the empty ones at the end."""
    more = [node.lead, node.comment, node.glyphs, _rows(node.shapes), node.clock, node.by, node.commands]
    while more and not more[-1] and more[-1] != 0:
        more.pop()
    return [node.number, node.parent, node.move, node.text, node.seat, *more]


def _read_node(
    number: int,
    parent: int,
    move: str,
    text: str,
    seat: int,
    lead: str = "",
    comment: str = "",
    glyphs: tuple[int, ...] | list[int] = (),
    shapes: tuple[()] | list[list[Any]] = (),
    clock: int | None = None,
    by: str = "",
    commands: str = "",
    *_: Any,
) -> e.Node:
    """Fields that a newer server has added are ignored here."""
    drawn = _shapes(list(shapes))
    return e.Node(number, parent, move, text, seat, lead, comment, tuple(glyphs), drawn, clock, by, commands)


def _chapter(event: e.ChapterAdded) -> list[Any]:
    draft = event.draft
    start = [draft.variant, draft.position, draft.options, draft.tags]
    return [event.chapter, event.title, *start, [_node(node) for node in draft.nodes]]


def _read_chapter(
    chapter: int,
    title: str,
    variant: str,
    position: str | None,
    options: str | None,
    tags: list[list[str]],
    nodes: list[list[Any]],
) -> e.ChapterAdded:
    pairs = tuple((name, value) for name, value in tags)
    found = tuple(_read_node(*node) for node in nodes)
    return e.ChapterAdded(chapter, title, e.Draft(variant, position, options, pairs, found))


def _drawn(event: e.Drawn) -> list[Any]:
    return [event.chapter, event.number, _rows(event.shapes)]


def _read_drawn(chapter: int, number: int, rows: list[list[Any]]) -> e.Drawn:
    return e.Drawn(chapter, number, _shapes(rows))


def _pairs(rows: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((player, name) for player, name in rows)


FORMS: Final[dict[str, tuple[type[Any], _Form]]] = {
    "study.created": (e.Created, _plain(e.Created)),
    "study.named": (e.Named, _plain(e.Named)),
    "study.titled": (e.Titled, _plain(e.Titled)),
    "study.shared": (e.Shared, _plain(e.Shared)),
    "study.allowed": (e.Allowed, _plain(e.Allowed, writers=_pairs)),
    "study.deleted": (e.Deleted, _plain(e.Deleted)),
    "study.chapter": (e.ChapterAdded, (_chapter, _read_chapter)),
    "study.chapter_titled": (e.ChapterTitled, _plain(e.ChapterTitled)),
    "study.chapter_ordered": (e.ChapterOrdered, _plain(e.ChapterOrdered)),
    "study.chapter_removed": (e.ChapterRemoved, _plain(e.ChapterRemoved)),
    "study.added": (e.Added, _plain(e.Added)),
    "study.removed": (e.Removed, _plain(e.Removed)),
    "study.promoted": (e.Promoted, _plain(e.Promoted)),
    "study.commented": (e.Commented, _plain(e.Commented)),
    "study.annotated": (e.Annotated, _plain(e.Annotated, glyphs=tuple)),
    "study.drawn": (e.Drawn, (_drawn, _read_drawn)),
}
"""The stored name of each event, with its writer and reader."""
