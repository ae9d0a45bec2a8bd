"""The commands about studies, and the ordinary commands while a study is open."""

from typing import Final

from fourfold.clients.errors import RequestError
from fourfold.clients.games import files
from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.controller.looking import ANALYSED
from fourfold.clients.terminal.controller.reading import Reading
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser import typed
from fourfold.clients.terminal.text import answers, studies, tree, words
from fourfold.engine.questions import choices
from fourfold.engine.variants import rules_of
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
        for note in notes:
            desk.front.say(note)

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
        for note in notes:
            desk.front.say(note)
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

    async def answered(answer: str) -> None:
        if answer:
            await _edit(desk, parts.RemoveChapter(chapter.number))
            desk.front.say("The chapter is removed.")
            desk.front.show()

    desk.questions.ask(f"Remove the chapter {words.shown(chapter.title)} (yes or no)?", answered, choice=True)


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

    async def answered(answer: str) -> None:
        if answer:
            await reading.open.edit(parts.Delete())
            desk.front.say("The study is deleted.")
            await desk.put_away()

    title = words.shown(reading.study.title)
    desk.questions.ask(f"Delete the study {title} for good, for everybody (yes or no)?", answered, choice=True)


# -- looking -----------------------------------------------------------------------------------------


async def _targets(desk: Desk, command: c.Targets) -> None:
    reading = desk.reading()
    position = reading.position
    if command.square is None:
        desk.front.say(answers.moves(position))
        return
    found = choices(position, command.square)
    desk.front.say(answers.targets(position, command.square, found))
    reading.asked = command.square if any(found) else None
    if reading.asked is not None:
        desk.front.show()


async def _show(desk: Desk, command: c.Show) -> None:
    reading = desk.reading()
    match command.what:
        case "board":
            reading.asked = None
            desk.front.show()
        case "fen":
            desk.front.quote(reading.at.position)
        case "who":
            desk.say_all(studies.who(reading.study, reading.open.player))
        case _:
            desk.front.quote(reading.open.address)


async def _tree(desk: Desk, _: c.Tree) -> None:
    reading = desk.reading()
    width = desk.front.room[0] - 1 if desk.front.room is not None else WIDTH
    desk.questions.tell([tree.plain(line, reading.node) for line in reading.lines(width)])


async def _flip(desk: Desk, command: c.Flip) -> None:
    reading, seats = desk.reading(), desk.seats()
    here = reading.bottom if reading.bottom in seats else seats[0]
    reading.bottom = desk.seat(command.seat) or seats[(seats.index(here) + 1) % len(seats)]
    desk.front.show()


async def _explore(desk: Desk, _: c.Explore) -> None:
    reading = desk.reading()
    desk.say_all(answers.explored(await desk.server.connection.explore(reading.tree().variant, reading.at.position)))


async def _analyse(desk: Desk, _: c.Analyse) -> None:
    reading = desk.reading()
    if reading.at.turn is None:
        raise c.Unclear("The game is over here; 'back' looks at an earlier position.")
    desk.front.say(f"The computer thinks for {ANALYSED:.0f} seconds...")
    found = await desk.server.analyse(reading.tree().variant, reading.at.position, ANALYSED)
    desk.say_all(answers.analysed(found))


# -- files -------------------------------------------------------------------------------------------


async def _save(desk: Desk, command: c.Save) -> None:
    desk.reading()

    async def named(name: str) -> None:
        if not name:
            return
        path = files.path(name)
        reading = desk.reading()
        text = await _written(reading, files.format_of(path, rules_of(reading.tree().variant).records), None)

        async def overwrite(answer: str) -> None:
            if answer:
                files.save(path, text, overwrite=True)
            desk.front.say(f"Saved to {path}." if answer else "Nothing was saved.")

        try:
            files.save(path, text)
        except FileExistsError:
            desk.questions.ask(f"{path} is there already. Overwrite it (yes or no)?", overwrite, choice=True)
            return
        desk.front.say(f"Saved to {path}.")

    if command.path is None:
        desk.questions.ask("Save to which file (Enter: none)?", named)
    else:
        await named(command.path)


async def _export(desk: Desk, command: c.Export) -> None:
    reading = desk.reading()
    format = command.format or rules_of(reading.tree().variant).records
    desk.say_all((await _written(reading, format, reading.chapter)).splitlines())


async def _written(reading: Reading, format: str, chapter: int | None) -> str:
    try:
        return await reading.open.export(format, chapter)
    except RequestError as error:
        if error.code != "no_such_format":
            raise
        raise c.Unclear(error.message) from error


async def _leave(desk: Desk, _: c.Leave) -> None:
    await desk.put_away()


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
    c.Targets: _targets,
    c.Show: _show,
    c.Flip: _flip,
    c.Explore: _explore,
    c.Analyse: _analyse,
    c.Save: _save,
    c.Export: _export,
    c.Leave: _leave,
}
"""The handlers of other places' commands while a study is open."""
