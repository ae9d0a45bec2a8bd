"""The screen of a puzzle: its board, beside it the task, the messages and the command line."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.board_layout import BoardLayout
from fourfold.clients.terminal.fullscreen.main_screen import BOARD_KEYS
from fourfold.clients.terminal.fullscreen.moving import MovingScreen


class PuzzleScreen(MovingScreen):
    """An open puzzle. Typed and played moves answer its question."""

    DEFAULT_CSS = """
    PuzzleScreen #task { height: auto; padding: 1 0; text-style: bold; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *BOARD_KEYS[1:],
        Binding("f5", "tell('show')", "Solution"),
        Binding("f6", "tell('next')", "Next"),
        Binding("f9", "tell('')", "Leave"),
        Binding("f10", "press('quit')", "Quit"),
    ]

    def body(self) -> ComposeResult:
        yield BoardLayout(Static(id="task", markup=False), ascii=self.program.ascii)

    def renew(self) -> None:
        super().renew()
        puzzle = self.desk.puzzle
        if puzzle is None:
            return
        self._selection.offer(() if self._solved else puzzle.position.legal_texts())
        self._renew_board()
        self.query_one("#task", Static).update(puzzle.task)
        self.query_one(BoardLayout).share()
        self.entitle()

    def _renew_board(self) -> None:
        puzzle = self.desk.puzzle
        if puzzle is not None:
            self.query_one(BoardView).show(puzzle.view.asking(puzzle.position, self._selection.square))

    @property
    def _solved(self) -> bool:
        """Whether only the next puzzle is on offer."""
        return self.desk.question is not None and self.desk.question.choice

    @property
    def prompt(self) -> str:
        """A short prompt: keys replace the other answers."""
        return "The next puzzle, yes or no: " if self._solved else "Your move: "

    def entitle(self) -> None:
        """The task, and where there is no room for the panel, also the latest message."""
        puzzle = self.desk.puzzle
        task = "" if puzzle is None else puzzle.task
        title = self.latest if self.query_one(BoardLayout).crowded and self._told else task
        self.query_one("#title", Static).update(title, layout=False)

    def play(self, move: str) -> None:
        self.program.do(move)

    def browse(self, to: str) -> None:
        """Do nothing: a puzzle has no earlier moves."""

    def action_tell(self, line: str) -> None:
        """Answer the question whether to pose another puzzle."""
        self.program.do(("yes" if line == "next" else "no") if self._solved else line)

    @on(BoardView.Pressed)
    def _pressed(self, event: BoardView.Pressed) -> None:
        self.press_board(event)
        self._renew_board()
