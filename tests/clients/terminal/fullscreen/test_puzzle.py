"""Puzzles in the full-screen program: on the board, in place of the game."""

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from fourfold.clients.terminal.controller.desk import Desk
from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.puzzle import PuzzleScreen
from fourfold.clients.terminal.fullscreen.room import RoomScreen
from fourfold.engine.position import Position
from fourfold.protocol.from_server import Posed, Puzzles, Solved
from tests.clients.terminal.fullscreen.driving import Driver
from tests.clients.terminal.fullscreen.test_local_play import program

START = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


@pytest.fixture(autouse=True)
def puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two puzzles with the same solution, a mate in one move."""
    posed = [Posed("abc", 1, ply, "white", "mate", 1, "standard", True) for ply in (10, 20)]

    async def found(room: str | None) -> Puzzles:
        return Puzzles(posed)

    async def solve(puzzle: Posed, moves: Sequence[str], *, show: bool = False) -> Solved:
        right, done = not moves or moves[-1] == "a1a8", show or "a1a8" in moves
        before = Position.from_fen(START)
        position = before.play(before.find("a1a8")) if done else before
        played = ["a1a8"] if done else []
        turn = position.seats[position.turn]
        texts = ["Ra8#"] if done else []
        return Solved("abc", 1, puzzle.ply, "standard", right, done, played, texts, position.fen(), turn, [], [], [])

    server = SimpleNamespace(connection=SimpleNamespace(puzzles=found, solve=solve))
    monkeypatch.setattr(Desk, "server", server)


def seen(at: Driver) -> set[str]:
    """The squares on whose pieces the screen's board shows marks."""
    view = at.screen.query_one(BoardView)._view
    assert view is not None
    return set(view.pieces)


@pytest.mark.slow
async def test_a_puzzle_is_shown_on_the_board_and_solved_there() -> None:
    async with program("create 2", size=(120, 40)) as at:
        await at.type("puzzle")
        await at.at(PuzzleScreen)
        await at.until(lambda: seen(at) == {"a1", "g1", "g8", "f7", "g7", "h7"})
        assert "White to move. Mate with one move. (2 puzzles left)" in at.said
        await at.told("Ra7", "Wrong. Try again.")
        await at.click("a1", "a8")
        await at.until(lambda: "Solved: Ra8#" in at.said and "a8" in seen(at))
        await at.pilot.press("f6")
        await at.until(lambda: "(1 puzzle left)" in at.said and "a1" in seen(at))
        await at.type("back")  # it is no move, and there is nothing to look back at
        await at.pilot.press("f9")
        await at.at(RoomScreen)
        assert "You have left the puzzles." in at.said
