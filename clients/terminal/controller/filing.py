"""The commands that save, read and print a game; and `quit`, which offers to save."""

from typing import Final

from fourfold.clients.games import files
from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.controller.questions import Then
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.text import words
from fourfold.engine.variants import rules_of


async def _save(desk: Desk, command: c.Save) -> None:
    if desk.study is None:
        desk.here()
    if command.path is None:
        desk.questions.ask("Save to which file (Enter: none)?", lambda name: _save_to(desk, name))
    else:
        await _save_to(desk, command.path)


async def _save_to(desk: Desk, name: str, then: Then | None = None) -> None:
    """Save the game or study, and continue with `then`. Ask before overwriting a file. An empty name saves nothing."""
    if name:
        path = files.path(name)
        saving = desk.game and desk.game.standing
        text = await _text(desk, files.format_of(path, _usual(desk)))

        async def overwrite(answer: str) -> None:
            if not answer:
                desk.front.say("Nothing was saved.")
                return
            files.save(path, text, overwrite=True)
            await saved()

        async def saved() -> None:
            desk.front.say(f"Saved to {path}.")
            desk.saved = saving
            if then is not None:
                await then()

        try:
            files.save(path, text)
        except FileExistsError:
            there = "exists" if desk.study is None else "is there"
            desk.questions.ask(f"{path} {there} already. Overwrite it (yes or no)?", overwrite, choice=True)
            return
        await saved()
    elif then is not None:
        await then()


async def _read(desk: Desk, command: c.Read) -> None:
    if command.path is None:
        desk.questions.ask("Read which file (Enter: none)?", lambda name: _read_from(desk, name))
    else:
        await _read_from(desk, command.path)


async def _read_from(desk: Desk, name: str) -> None:
    if not name:
        return
    variant = desk.usual.variant if desk.game is None else desk.game.table.variant
    loaded = files.load(files.path(name), variant)

    async def go_on() -> None:
        await desk.begin(desk.as_usual(loaded.opening))
        game = desk.here()
        desk.say_all(loaded.notes)
        desk.front.say(f"Read {words.moves(len(loaded.opening.moves))} from {name}.")
        if loaded.last is not None and game.mover is not None:
            await desk.caught_up(await game.move(loaded.last))
        elif loaded.last is not None:
            desk.front.say(f"The next move in the file, {loaded.last}, would end the game.")
        desk.saved = game.standing

    await desk.replacing(go_on)


async def _export(desk: Desk, command: c.Export) -> None:
    chapter = None if desk.study is None else desk.study.chapter
    desk.say_all((await _text(desk, command.format or _usual(desk), chapter)).splitlines())


def _usual(desk: Desk) -> str:
    """The usual format of the game or chapter."""
    return rules_of(desk.here().table.variant if desk.study is None else desk.study.tree().variant).records


async def _text(desk: Desk, format: str, chapter: int | None = None) -> str:
    """The game as text; or the study, or one chapter of it."""
    return await (desk.here().export(format) if desk.study is None else desk.study.open.export(format, chapter))


async def _quit(desk: Desk, _: c.Quit) -> None:
    async def go() -> None:
        desk.over = True

    if desk.unsaved:
        text = "Type a file name to save the game, or press Enter to quit without saving:"
        desk.questions.ask(text, lambda name: _save_to(desk, name, go), again=True)
    else:
        await go()


HANDLERS: Final[Handlers] = {
    c.Save: _save,
    c.Read: _read,
    c.Export: _export,
    c.Quit: _quit,
}
