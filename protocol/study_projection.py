"""The translation of studies of the engine to messages, for the server and for local use. Pure."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Final, Literal

from fourfold.engine.decisions import Decision
from fourfold.engine.position import Position
from fourfold.engine.questions import attacked
from fourfold.engine.study import Chapter, Study, steps
from fourfold.engine.study import events as e
from fourfold.engine.study.evolve import added_chapter
from fourfold.engine.study.shapes import Shape
from fourfold.engine.variants import seats
from fourfold.protocol import events as happened
from fourfold.protocol import from_server as wire
from fourfold.protocol import studies as parts


def snapshot(room: str, study: Study, player: str, cursors: list[parts.Cursor], count: int, now: int) -> wire.Study:
    """The snapshot of a study at the time `now` (milliseconds since 1970), for one player."""
    frame = head(room, study, player, cursors, count, now)
    frame.chapters = [chapter(one) for one in study.chapters]
    return frame


def head(room: str, study: Study, player: str, cursors: list[parts.Cursor], count: int, now: int) -> wire.Study:
    """The snapshot without the chapters."""
    return wire.Study(
        room=room,
        title=study.title,
        visibility=study.visibility,
        write=study.write,
        owner=study.owner,
        writers=list(study.writers),
        names=dict(study.names),
        chapters=[],
        role=role(study, player),
        cursors=cursors,
        count=count,
        seq=study.seq,
        time=now,
        decided=study.at,
        created=study.created,
    )


def role(study: Study, player: str) -> Literal["owner", "writer", "reader"]:
    """A player's role in a study."""
    if player == study.owner:
        return "owner"
    return "writer" if study.may_write(player) else "reader"


def update(room: str, study: Study, decision: Decision) -> wire.Update:
    """The update for one decision. `study` is the study after it, or any later version."""
    events = [_EVENTS[type(event)](study, event, decision.by) for event in decision.events]
    return wire.Update(room, decision.seq, decision.at, events, decision.by)


def board(node: int, position: Position, *, attacks: bool = False) -> parts.NodePosition:
    """The board after a move, with its legal moves and optionally the attacked squares. A study ignores the automatic
    draws of our rules."""
    open = position.past_draw()
    names, ended = position.seats, open.outcome
    four = len(names) > 2
    return parts.NodePosition(
        node=node,
        position=position.fen(),
        turn=None if ended else names[open.turn],
        legal=[] if ended else open.legal_texts(),
        check=[names[seat] for seat in position.checked()],
        out=[name for seat, name in enumerate(names) if four and seat not in position.alive],
        points=None if position.points is None else dict(zip(names, position.points, strict=True)),
        ended=None if ended is None else ended.termination.value,
        attacks={names[seat]: squares for seat, squares in attacked(position).items()} if attacks else None,
    )


def boards(chapter: Chapter, most: int) -> list[parts.NodeBoard]:
    """The boards after the first `most` moves of a chapter, the start's first."""
    positions: dict[int, Position] = {}
    found = []
    for number in islice(chapter.below(0), most):
        node = chapter.nodes[number]
        before = positions.get(node.parent)
        position = steps.start(chapter) if before is None else steps.step_of(before, node.move).after
        positions[number] = position
        names = position.seats
        out = [name for seat, name in enumerate(names) if len(names) > 2 and seat not in position.alive]
        found.append(parts.NodeBoard(number, position.fen(), [names[seat] for seat in position.checked()], out))
    return found


def listing(room: str, study: Study) -> parts.StudyListing:
    """The entry of a study in a list."""
    return parts.StudyListing(
        room=room,
        title=study.title,
        visibility=study.visibility,
        write=study.write,
        owner=study.owner,
        name=study.names.get(study.owner, ""),
        chapters=len(study.chapters),
        variants=sorted({chapter.variant for chapter in study.chapters}),
        changed=study.at,
        created=study.created,
    )


def chapter(chapter: Chapter) -> parts.Chapter:
    """The message for a chapter, with its moves, parents first."""
    names = seats(chapter.variant)
    nodes = (chapter.nodes[number] for number in chapter.below(0))
    return parts.Chapter(
        number=chapter.number,
        title=chapter.title,
        variant=chapter.variant,
        position=steps.start(chapter).fen(),
        seats=list(names),
        by=chapter.by,
        tags=dict(chapter.tags),
        nodes=[_node(names, node) for node in nodes],
    )


def _node(names: Sequence[str], node: e.Node) -> parts.Node:
    return parts.Node(
        number=node.number,
        parent=node.parent,
        move=node.move,
        text=node.text,
        seat=names[node.seat],
        lead=node.lead,
        comment=node.comment,
        glyphs=list(node.glyphs),
        shapes=_shapes(node.shapes),
        clock=node.clock,
        by=node.by,
    )


def _shapes(shapes: Iterable[Shape]) -> list[parts.Shape]:
    return [parts.Shape(shape.colour, shape.square, shape.target) for shape in shapes]  # type: ignore[arg-type]


_Told = Callable[[Study, Any, str], happened.AnyEvent]

_EVENTS: Final[dict[type[Any], _Told]] = {
    e.Created: lambda _, event, by: happened.Opened(event.title, event.visibility, event.write, event.owner),
    e.Named: lambda _, event, by: happened.Named(event.player, event.name),
    e.Titled: lambda _, event, by: happened.Titled(event.title),
    e.Shared: lambda _, event, by: happened.Shared(event.visibility),
    e.Allowed: lambda _, event, by: happened.Allowed(event.write, list(dict(event.writers)), dict(event.writers)),
    e.Deleted: lambda _, event, by: happened.Deleted(),
    e.ChapterAdded: lambda _, event, by: happened.ChapterAdded(chapter(added_chapter(event, by))),
    e.ChapterTitled: lambda _, event, by: happened.ChapterTitled(event.chapter, event.title),
    e.ChapterOrdered: lambda _, event, by: happened.ChapterOrdered(event.chapter, event.place),
    e.ChapterRemoved: lambda _, event, by: happened.ChapterRemoved(event.chapter),
    e.Added: lambda study, event, by: happened.NodeAdded(event.chapter, _added(study, event, by)),
    e.Removed: lambda _, event, by: happened.NodeRemoved(event.chapter, event.number),
    e.Promoted: lambda _, event, by: happened.Promoted(event.chapter, event.number),
    e.Commented: lambda _, event, by: happened.Commented(event.chapter, event.number, event.comment),
    e.Annotated: lambda _, event, by: happened.Annotated(event.chapter, event.number, list(event.glyphs)),
    e.Drawn: lambda _, event, by: happened.Drawn(event.chapter, event.number, _shapes(event.shapes)),
}
"""The translation of each event. The arguments are the event, the study after it, and the player."""


def _added(study: Study, event: e.Added, by: str) -> parts.Node:
    chapter = study.chapter(event.chapter)
    by = "" if chapter is not None and chapter.by == by else by
    node = e.Node(event.number, event.parent, event.move, event.text, event.seat, by=by)
    return _node(seats(study.variants[event.chapter]), node)
