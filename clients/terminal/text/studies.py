"""Studies in words: lists, the current place, and changes by others. Pure."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from fourfold.clients.study_state import Chapter, Study
from fourfold.clients.terminal.text import tree, words
from fourfold.protocol import events as happened
from fourfold.protocol.studies import NodePosition, Shape, StudyListing

_SEEN: Final = {
    "private": "you and the named writers see it",
    "link": "everybody with the link sees it",
    "public": "everybody sees it",
}

_WRITTEN: Final = {
    "owner": "its owner writes",
    "named": "its owner and named writers write",
    "everybody": "everybody who sees it can write",
}


def listing(studies: Sequence[StudyListing], whose: str, user: str = "", users: Sequence[str] = ()) -> list[str]:
    """Studies, a line each. If there are none, name the user who asked, and the user's other names on this server."""
    if not studies and whose != "mine":
        return ["There are no public studies."]
    if not studies:
        lines = [f"You have no studies as {words.name(user)}. 'study new' creates one."]
        others = [f"'--name {words.name(one)}'" for one in users if one != user]
        if others:
            lines.append(f"You have used other names here: {', '.join(others)}.")
        return lines
    lines = []
    for one in studies:
        changed = datetime.fromtimestamp(one.changed / 1000).strftime("%Y-%m-%d %H:%M")
        count = f"{one.chapters} chapter{'' if one.chapters == 1 else 's'}"
        facts = [", ".join(one.variants), count, changed, one.visibility if whose == "mine" else words.name(one.name)]
        lines.append(f"{one.room}  {words.shown(one.title)} ({'; '.join(filter(None, facts))})")
    return lines


def opened(study: Study, player: str) -> list[str]:
    """A description of a study that was just opened."""
    mine = "yours" if player == study.owner else f"by {words.name(study.name(study.owner))}"
    may = "" if study.may_write(player) else " You can only read it."
    return [f"Study: {words.shown(study.title)}, {mine}; {_SEEN[study.visibility]}, {_WRITTEN[study.write]}.{may}"]


def chapters(study: Study, here: int) -> list[str]:
    """The chapters, a line each; the chapter with the number `here` has a mark."""
    lines = []
    for place, chapter in enumerate(study.chapters, start=1):
        moves = words.moves(len(chapter.nodes) - 1)
        mark = "*" if chapter.number == here else " "
        lines.append(f"{mark}{place:>2} {words.shown(chapter.title)} ({chapter.variant}, {moves})")
    return lines


def place(study: Study, chapter: Chapter, node: int, position: NodePosition) -> list[str]:
    """The current place: the move, its author, its comment, and the continuations."""
    here = chapter.nodes[node]
    at = tree.move(chapter, node)
    lines = [f"{at[0].upper()}{at[1:]}, by {words.name(study.name(chapter.author(node)))}." if node else "The start."]
    lines += filter(None, map(words.shown, here.comment.splitlines()))
    lines += drawn(here.shapes)
    others = [words.shown(chapter.nodes[one].text) for one in chapter.siblings(node) if one != node]
    if others:
        lines.append(f"Beside it: {', '.join(others)} ('down' and 'up' go there).")
    follow = [chapter.nodes[one].text for one in chapter.follows(node)]
    if follow:
        more = f"; or {', '.join(follow[1:])}" if follow[1:] else ""
        lines.append(f"It goes on with {follow[0]}{more}.")
    if position.ended is not None:
        lines.append(f"The game has ended here: {words.plain(position.ended)}.")
    if position.points is not None:
        lines.append(f"Points: {', '.join(f'{seat} {points}' for seat, points in position.points.items())}.")
    return lines


def drawn(shapes: Sequence[Shape]) -> list[str]:
    """Arrows and marked squares: "Arrows: e2-e4, g1-f3 (red)." The default colour is green."""
    arrows = [f"{one.square}-{one.target}{_colour(one)}" for one in shapes if one.target is not None]
    marks = [f"{one.square}{_colour(one)}" for one in shapes if one.target is None]
    return [f"{name}: {', '.join(found)}." for name, found in (("Arrows", arrows), ("Marked", marks)) if found]


def _colour(shape: Shape) -> str:
    return "" if shape.colour == "green" else f" ({shape.colour})"


def who(study: Study, player: str) -> list[str]:
    """The readers of the study, with their moves."""
    lines = []
    for cursor in study.cursors:
        chapter = None if cursor.chapter is None else study.chapter(cursor.chapter)
        at = "looks"
        if chapter is not None and cursor.node is not None and cursor.node in chapter.nodes:
            at = f"at {tree.move(chapter, cursor.node)} in {words.shown(chapter.title)}"
        you = f"{' (bot)' if cursor.bot else ''}{', you' if cursor.player == player else ''}"
        lines.append(f"{words.name(cursor.name)}{you}: {at}{', may write' if cursor.writes else ''}")
    if study.count > len(study.cursors):
        lines.append(f"{study.count} readers in all.")
    return lines or ["No readers are shown."]


def event(study: Study, event: Any, name: str) -> str | None:
    """A change by a person with this name, as a sentence; None for a change that needs no report. `study` is the study
    before it."""
    say = _EVENTS.get(type(event))
    if say is None:
        return None
    said = say(study, event)
    return f"{words.name(name)} {said}{'' if said.endswith(('.', '!', '?')) else '.'}"


def _at(study: Study, event: Any) -> str:
    chapter = study.chapter(event.chapter)
    return "a move" if chapter is None or event.node not in chapter.nodes else tree.move(chapter, event.node)


def _added(study: Study, event: happened.NodeAdded) -> str:
    chapter = study.chapter(event.chapter)
    after = "" if chapter is None else f" after {tree.move(chapter, event.node.parent)}"
    return f"adds {words.shown(event.node.text)}{after}"


def _title(study: Study, event: Any) -> str:
    chapter = study.chapter(event.chapter)
    return "" if chapter is None else words.shown(chapter.title)


def _said(study: Study, event: happened.Commented) -> str:
    at = _at(study, event)
    text = words.shown(" ".join(event.text.splitlines()))
    return f"says of {at}: {text}" if text else f"removes the comment on {at}"


def _draws(study: Study, event: happened.Drawn) -> str:
    at = _at(study, event)
    if not event.shapes:
        return f"removes what was drawn after {at}"
    return f"draws on the board after {at}. {' '.join(drawn(event.shapes))}"


_EVENTS: Final[dict[type[Any], Callable[[Study, Any], str]]] = {
    happened.NodeAdded: _added,
    happened.NodeRemoved: lambda study, event: f"removes {_at(study, event)}",
    happened.Promoted: lambda study, event: f"makes {_at(study, event)} the main move",
    happened.Commented: _said,
    happened.Annotated: lambda study, event: f"marks {_at(study, event)}",
    happened.Drawn: _draws,
    happened.Titled: lambda _, event: f"calls the study {words.shown(event.title)}",
    happened.Shared: lambda _, event: f"shares the study: {event.visibility}",
    happened.Allowed: lambda _, event: f"changes who may write: {_WRITTEN[event.write]}",
    happened.ChapterAdded: lambda _, event: f"adds the chapter {words.shown(event.chapter.title)}",
    happened.ChapterTitled: lambda _, event: f"calls a chapter {words.shown(event.title)}",
    happened.ChapterOrdered: lambda study, event: f"moves the chapter {_title(study, event)}",
    happened.ChapterRemoved: lambda study, event: f"removes the chapter {_title(study, event)}",
    happened.Deleted: lambda _, event: "has deleted the study",
}
"""The words for each event."""
