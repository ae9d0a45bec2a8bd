"""The commands that ask about a game, and those that change the view of its board."""

from typing import Final

from fourfold.clients.games.review import Review as Played
from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser.phrases import SQUARE
from fourfold.clients.terminal.text import answers, studies, words
from fourfold.engine.questions import choices

ANALYSED: Final = 3.0
"""Seconds of analysis for a position."""


async def _targets(desk: Desk, command: c.Targets) -> None:
    if desk.editor is not None:
        raise c.Unclear("There are no moves in setup mode. 'done' starts the game.")
    position = desk.position()
    if command.square is None:
        desk.front.say(answers.moves(position))
        return
    found = choices(position, command.square)
    desk.front.say(answers.targets(position, command.square, found))
    if desk.look.ply is None:
        desk.look.asked = command.square if any(found) else None
        if desk.look.asked is not None:
            desk.front.show()


async def _show(desk: Desk, command: c.Show) -> None:
    study = desk.study
    match command.what:
        case "board":
            desk.look.asked = None
            desk.front.show()
        case "fen":
            desk.front.quote(desk.shown().fen if desk.editor is None else desk.editor.position().fen())
        case "who" if study is not None:
            desk.say_all(studies.who(study.study, study.open.player))
        case "who":
            desk.say_all(answers.who(desk.here()))
        case "link":
            address = desk.here().address if study is None else study.open.address
            if address is None:
                desk.front.say("This game has no address: it is on this machine only.")
            else:
                desk.front.quote(address)
        case "score":
            desk.say_all(answers.score(desk.here()))
        case "clocks":
            desk.front.say(answers.clocks(desk.here()))


async def _history(desk: Desk, _: c.History) -> None:
    review = await desk.look.review(desk.here())
    desk.say_all(review.lines() or ["Nothing has been played yet."])


async def _step(desk: Desk, command: c.GoTo) -> None:
    look = desk.look
    review = await look.review(desk.here())
    here = review.plies if look.ply is None else look.ply
    to = {
        "first": 0,
        "back": here - command.plies,
        "forward": here + command.plies,
        "ply": command.plies,
        "last": review.plies,
    }[command.to]
    if command.to == "ply" and to > review.plies:
        raise c.Unclear(f"The game has {words.moves(review.plies)}.")
    to = min(max(to, 0), review.plies)
    if command.to == "last" or (command.to == "forward" and to == review.plies):
        look.live()
    else:
        look.ply, look.asked = to, None
    desk.front.show()


async def _explore(desk: Desk, _: c.Explore) -> None:
    shown = desk.shown()
    desk.say_all(answers.explored(await desk.server.connection.explore(shown.variant, shown.fen)))


async def _analyse(desk: Desk, _: c.Analyse) -> None:
    shown = desk.shown()
    if shown.over:
        raise c.Unclear("The game is over here; 'back' looks at an earlier position.")
    desk.front.say(f"The computer thinks for {ANALYSED:.0f} seconds...")
    found = await desk.server.analyse(shown.variant, shown.fen, ANALYSED)
    desk.say_all(answers.analysed(found))


async def _review(desk: Desk, _: c.Review) -> None:
    game = desk.here()
    found = await desk.server.connection.review(game.table.room)
    played = Played(await game.record()) if found.game == game.table.game else None
    desk.say_all(answers.reviewed(found, played))
    desk.look.marks = found.game, {ply: judged.mark for ply, judged in enumerate(found.judged) if judged.mark}


async def _flip(desk: Desk, command: c.Flip) -> None:
    seats = desk.seats()
    here = desk.look.bottom if desk.game is None or desk.editor is not None else desk.look.orientation(desk.game)
    after = seats.index(here) + 1 if here in seats else 1
    desk.look.bottom = desk.seat(command.seat) or seats[after % len(seats)]
    desk.front.show()


async def _zoom(desk: Desk, command: c.Zoom) -> None:
    desk.front.zoom(command.by)


async def _help(desk: Desk, command: c.Help) -> None:
    desk.questions.tell(desk.language.help(command.topic), lambda: _ask_square(desk) if command.topic is None else None)


def _ask_square(desk: Desk) -> None:
    """After the list of commands, ask for a piece whose moves to show, or for a group of commands. Any other line is
    executed as usual."""
    pieces = desk.game is not None and desk.editor is None

    async def answered(line: str) -> None:
        if SQUARE.fullmatch(line):
            await _targets(desk, c.Targets(line.lower()))
        elif line:
            await _help(desk, c.Help(line))

    def takes(line: str) -> bool:
        numbered = line.isdecimal() and desk.language.group(line) is not None
        return not line or numbered or (pieces and SQUARE.fullmatch(line) is not None)

    text = "Which piece would you like to find the moves for (a square)" if pieces else "More about which group"
    desk.questions.offer(f"{text}?", takes, answered)


HANDLERS: Final[Handlers] = {
    c.Targets: _targets,
    c.Show: _show,
    c.History: _history,
    c.GoTo: _step,
    c.Explore: _explore,
    c.Analyse: _analyse,
    c.Review: _review,
    c.Flip: _flip,
    c.Zoom: _zoom,
    c.Help: _help,
}
