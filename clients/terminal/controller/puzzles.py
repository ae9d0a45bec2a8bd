"""The command for puzzles. The lines after it are moves, until the puzzle is solved or left."""

from functools import partial
from typing import Final

from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.controller.questions import Puzzle
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser import typed
from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.clients.terminal.text.view import View
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from fourfold.protocol.from_server import Posed, Solved

ASKED: Final = "Your move ('show': solution, 'next': another puzzle, Enter: leave):"


async def _pose(desk: Desk, _: c.Puzzle) -> None:
    game = desk.game
    over = game is not None and game.table.status == "finished"
    found = await desk.server.connection.puzzles(game.table.room if game is not None and over else None)
    if not found.puzzles:
        raise c.Unclear("There are no puzzles yet. 'review' makes them from a finished game.")
    await _begin(desk, found.puzzles)


async def _begin(desk: Desk, left: list[Posed]) -> None:
    """Pose the first of the remaining puzzles."""
    puzzle = left[0]
    state = await desk.server.connection.solve(puzzle, [])
    goal = "Find the move that gains most"
    if puzzle.goal == "mate":
        goal = "Mate with one move" if puzzle.moves == 1 else f"Mate in {puzzle.moves}"
    more = f"{len(left)} puzzle{'' if len(left) == 1 else 's'} left"
    task = f"{puzzle.seat.capitalize()} to move. {goal}. ({more})"
    _ask(desk, left, [], _puzzle(state, task), state)
    desk.front.show()
    desk.front.say(task)


def _ask(desk: Desk, left: list[Posed], moves: list[str], puzzle: Puzzle, state: Solved) -> None:
    desk.questions.ask(ASKED, partial(_answered, desk, left, moves, puzzle, state), again=True, puzzle=puzzle)


async def _answered(
    desk: Desk, left: list[Posed], moves: list[str], puzzle: Puzzle, state: Solved, line: str
) -> None:
    """Judge a line that was typed while a puzzle is open."""
    word = line.strip().lower()
    if word in ("", "leave", "stop", "quit"):
        desk.front.say("You have left the puzzles.")
    elif word == "next":
        await _begin(desk, [*left[1:], left[0]])
    elif word == "show":
        shown = await desk.server.connection.solve(left[0], [], show=True)
        desk.front.say(f"The solution: {' '.join(shown.texts)}")
        await _on(desk, left, puzzle)
    else:
        await _try(desk, left, moves, puzzle, state, line)


async def _try(desk: Desk, left: list[Posed], moves: list[str], puzzle: Puzzle, state: Solved, line: str) -> None:
    move = typed.read(_position(state), line).text  # after a bad move, the question is asked again
    after = await desk.server.connection.solve(left[0], [*moves, move])
    if not after.right:
        desk.front.say("Wrong. Try again.")
        _ask(desk, left, moves, puzzle, state)
    elif after.done:
        desk.front.say(f"Solved: {' '.join(after.texts)}")
        await _on(desk, left, _puzzle(after, puzzle.task))
    else:
        _ask(desk, left, [*moves, move], _puzzle(after, puzzle.task), after)
        desk.front.show()
        desk.front.say(f"Right. The reply is {after.texts[-1]}; go on.")


async def _on(desk: Desk, left: list[Posed], puzzle: Puzzle) -> None:
    """Offer the next puzzle, if there is one."""
    if len(left) == 1:
        desk.front.say("That was the last puzzle.")
        return
    desk.questions.confirm("The next puzzle (yes or no)?", partial(_begin, desk, left[1:]), puzzle=puzzle)


def _puzzle(state: Solved, task: str) -> Puzzle:
    """The board, from the side to move."""
    position = _position(state)
    orientation = Orientation.of(position, state.turn)
    return Puzzle(position, View.of(position, orientation, last=state.played[-1] if state.played else None), task)


def _position(state: Solved) -> Position:
    return opening(state.variant, position=state.position)


HANDLERS: Final[Handlers] = {c.Puzzle: _pose}
