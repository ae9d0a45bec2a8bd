"""The commands about studies, and the ordinary commands while a study is open."""

from typing import Final

from fourfold.clients.games import files
from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.controller.reading import Reading
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser import typed
from fourfold.clients.terminal.text import studies, tree, words
from fourfold.protocol import studies as parts

WIDTH: Final = 78
"""Columns for moves where there is no window."""


# -- finding and making ------------------------------------------------------------------------------


async def _list(desk: Desk, command: c.Studies) -> None:
    found = await desk.server.connection.studies(command.whose)
    desk.questions.tell(studies.listing(found.studies, command.whose, desk.venue.user, desk.venue.users))


async def _open(desk: Desk, command: c.OpenStudy) -> None:
    if desk.study is not None and desk.study.study.room == command.room:
        desk.front.show()
        return

    async def go() -> None:
        await desk.begin_study(await desk.server.study(command.room))

    await desk.replacing(go)


async def _make(desk: Desk, command: c.NewStudy) -> None:
    """Create a study from a position, a file or a game."""
    first, *others = _sources(desk, command)

    async def go() -> None:
        study = await desk.server.new_study(_title(desk, command), first)
        notes = study.notes
        for source in others:
            notes += (await study.add(source))[1]
        await desk.begin_study(study)
        desk.say_all(notes)

    await desk.replacing(go)


def _title(desk: Desk, command: c.AddChapters) -> str:
    match command.of:
        case "file":
            return files.path(command.what or "").name[:100]
        case "game":
            return f"Game {command.what or desk.here().table.room}"
    return command.title or "Study"


def _sources(desk: Desk, command: c.AddChapters) -> list[parts.Source]:
    """The source of chapters. Raises `FileFault`, and `Unclear` without a game."""
    match command.of:
        case "file":
            return files.sources(files.path(command.what or ""))
        case "game":
            return [parts.Source(game=command.what or desk.here().table.room, title=command.title)]
    return [parts.Source(variant=command.what or "standard", title=command.title)]


# -- moving about ------------------------------------------------------------------------------------


async def _go(desk: Desk, node: int) -> None:
    reading = desk.reading()
    await reading.go(reading.chapter, node)
    desk.front.show()


async def _step(desk: Desk, command: c.GoTo) -> None:
    await _go(desk, desk.reading().step(command.to, command.plies))


async def _node(desk: Desk, command: c.ToNode) -> None:
    await _go(desk, command.node)


async def _sibling(desk: Desk, command: c.Sibling) -> None:
    reading = desk.reading()
    beside = reading.tree().siblings(reading.node)
    if len(beside) == 1:
        raise c.Unclear("This move has no variations.")
    await _go(desk, beside[(beside.index(reading.node) + command.by) % len(beside)])


async def _play(desk: Desk, command: c.Move) -> None:
    """Add a move, or go to it if it exists."""
    reading = desk.reading()
    chapter, after, seen = reading.tree(), reading.node, reading.study.seq
    if reading.at.turn is None:
        raise c.Unclear("The game is over here: no more moves can follow.")
    text = command.text.strip()
    legal = text[:1] not in "-RTA" or len(text) > 2
    move = typed.read(reading.position, text).text if legal else text
    found = _child(reading, after, move)
    if found is None:
        if not reading.open.writes:
            raise c.Unclear("You can only read this study, and it does not have that move.")
        await desk.read_up(await reading.open.edit(parts.Play(chapter.number, after, move)))
        found = _child(reading, after, move)
    if found is not None:  # otherwise it was removed at once
        await _go(desk, found)
    elif reading.study.seq == seen:
        raise c.Unclear("There is no such move.")


def _child(reading: Reading, after: int, move: str) -> int | None:
    """The child of a move by its text; for a departure, by its letter, optionally with the seat's."""
    chapter = reading.study.chapter(reading.chapter)
    if chapter is None:
        return None
    for number in chapter.follows(after):
        found = chapter.nodes[number].move
        if found == move or (len(move) == 1 and found[:1] == move):
            return number
    return None


async def _chapter(desk: Desk, command: c.ToChapter) -> None:
    reading = desk.reading()
    there = reading.study.chapters
    if command.number is None:
        found = studies.chapters(reading.study, reading.chapter)
        desk.say_all(found or ["There are no chapters. 'add new' makes one."])
        return
    if command.number > len(there):
        raise c.Unclear(f"There is no chapter {command.number}; 'chapter' lists them.")
    chapter = there[command.number - 1]
    await reading.go(chapter.number, 0)
    desk.front.say(f"Chapter {command.number}: {words.shown(chapter.title)}.")
    desk.front.show()


# -- writing -----------------------------------------------------------------------------------------


async def _edit(desk: Desk, change: parts.AnyChange) -> None:
    reading = desk.reading()
    await desk.read_up(await reading.open.edit(change))
    await reading.stay()


def _noun(reading: Reading) -> str:
    return tree.move(reading.tree(), reading.node)


async def _promote(desk: Desk, command: c.Promote) -> None:
    reading = desk.reading()
    if not reading.node:
        raise c.Unclear("The start is not a variation.")
    await _edit(desk, parts.Promote(reading.chapter, reading.node, command.whole))
    desk.front.say(f"{_noun(reading)} is in the main {'line' if command.whole else 'variation'} now.")


async def _prune(desk: Desk, _: c.Prune) -> None:
    reading = desk.reading()
    chapter, node = reading.tree(), reading.node
    if not node:
        raise c.Unclear("The start can't be removed; 'drop' removes the chapter.")
    text = _noun(reading)
    await _edit(desk, parts.Remove(chapter.number, node))
    desk.front.say(f"{text} is removed.")
    desk.front.show()


async def _comment(desk: Desk, command: c.Comment) -> None:
    reading = desk.reading()
    reading.tree()
    await _edit(desk, parts.Comment(reading.chapter, reading.node, command.text, reading.study.seq))
    desk.front.say(f"{'Noted' if command.text else 'Removed what was said'} at {_noun(reading)}.")


async def _draw(desk: Desk, command: c.Draw) -> None:
    reading = desk.reading()
    there = reading.tree().nodes[reading.node].shapes
    shape = parts.Shape(command.colour or "green", command.square, command.target)
    same = [one for one in there if (one.square, one.target) == (shape.square, shape.target)]
    gone = any(command.colour in (None, one.colour) for one in same)
    shapes = [one for one in there if one not in same]
    await _edit(desk, parts.Draw(reading.chapter, reading.node, shapes if gone else [*shapes, shape]))
    desk.say_all(studies.drawn(reading.tree().nodes[reading.node].shapes) or ["All arrows and marks here are removed."])


async def _glyph(desk: Desk, command: c.Glyph) -> None:
    reading = desk.reading()
    reading.tree()
    await _edit(desk, parts.Annotate(reading.chapter, reading.node, list(command.glyphs)))
    desk.front.say(f"Now: {_noun(reading)}.")


async def _add(desk: Desk, command: c.AddChapters) -> None:
    reading = desk.reading()
    for source in _sources(desk, command):
        seq, notes = await reading.open.add(source)
        await desk.read_up(seq)
        desk.say_all(notes)
    await reading.go(reading.study.chapters[-1].number, 0)
    desk.front.say(f"Chapter {len(reading.study.chapters)}: {words.shown(reading.tree().title)}.")
    desk.front.show()


async def _entitle(desk: Desk, command: c.Entitle) -> None:
    reading = desk.reading()
    if command.study:
        await _edit(desk, parts.Retitle(command.title))
    else:
        await _edit(desk, parts.TitleChapter(reading.tree().number, command.title))
    desk.front.say(f"The {'study' if command.study else 'chapter'} is called {words.shown(command.title)}.")


async def _drop(desk: Desk, _: c.DropChapter) -> None:
    reading = desk.reading()
    chapter = reading.tree()

    async def remove() -> None:
        await _edit(desk, parts.RemoveChapter(chapter.number))
        desk.front.say("The chapter is removed.")
        desk.front.show()

    desk.questions.confirm(f"Remove the chapter {words.shown(chapter.title)} (yes or no)?", remove)


async def _share(desk: Desk, command: c.Share) -> None:
    await _edit(desk, parts.Share(command.visibility))
    desk.front.say(studies.opened(desk.reading().study, desk.venue.player)[0])
    if command.visibility != "private":
        desk.front.quote(desk.reading().open.address)


async def _allow(desk: Desk, command: c.Allow) -> None:
    await _edit(desk, parts.Allow(command.write, list(command.writers)))
    desk.front.say(studies.opened(desk.reading().study, desk.venue.player)[0])


async def _delete(desk: Desk, _: c.DeleteStudy) -> None:
    reading = desk.reading()

    async def delete() -> None:
        await reading.open.edit(parts.Delete())
        desk.front.say("The study is deleted.")
        await desk.put_away()

    title = words.shown(reading.study.title)
    desk.questions.confirm(f"Delete the study {title} for good, for everybody (yes or no)?", delete)


# -- looking -----------------------------------------------------------------------------------------


async def _tree(desk: Desk, _: c.Tree) -> None:
    reading = desk.reading()
    width = desk.front.room[0] - 1 if desk.front.room is not None else WIDTH
    desk.questions.tell([tree.plain(line, reading.node) for line in reading.lines(width)])


HANDLERS: Final[Handlers] = {
    c.Studies: _list,
    c.OpenStudy: _open,
    c.AddChapters: _add,
    c.NewStudy: _make,
    c.Sibling: _sibling,
    c.ToNode: _node,
    c.Promote: _promote,
    c.Prune: _prune,
    c.Comment: _comment,
    c.Draw: _draw,
    c.Glyph: _glyph,
    c.Tree: _tree,
    c.ToChapter: _chapter,
    c.DropChapter: _drop,
    c.Entitle: _entitle,
    c.Share: _share,
    c.Allow: _allow,
    c.DeleteStudy: _delete,
}

INSIDE: Final[Handlers] = {
    c.Move: _play,
    c.GoTo: _step,
}
"""The handlers of other places' commands while a study is open."""
