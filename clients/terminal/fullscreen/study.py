"""The screen of a study: the board, beside it the moves with variations, the messages and the command line."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from fourfold.clients.terminal.controller.reading import Reading
from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.board_layout import BoardLayout
from fourfold.clients.terminal.fullscreen.main_screen import BOARD_KEYS
from fourfold.clients.terminal.fullscreen.moving import SHORTCUTS, MovingScreen
from fourfold.clients.terminal.fullscreen.variations import VariationList
from fourfold.clients.terminal.parser.commands import ToNode
from fourfold.clients.terminal.text import words


class StudyScreen(MovingScreen):
    """A study that the user reads or writes."""

    DEFAULT_CSS = """
    StudyScreen #chapter { height: auto; text-style: bold; }
    StudyScreen #words { height: auto; max-height: 8; border-top: solid $panel-lighten-1; }
    """

    shortcuts: ClassVar = SHORTCUTS | {"less_than_sign": "up", "greater_than_sign": "down"}

    BINDINGS: ClassVar[list[BindingType]] = [
        *BOARD_KEYS,
        Binding("f5", "press('promote')", "Promote"),
        Binding("f6", "press('analyse')", "Analyse"),
        Binding("f8", "press('chapter')", "Chapters"),
        Binding("f9", "press('leave')", "Lobby"),
        Binding("f10", "press('quit')", "Quit"),
        Binding("ctrl+up", "press('up')", "Variation", show=False, priority=True),
        Binding("ctrl+down", "press('down')", "Variation", show=False, priority=True),
        Binding("escape", "rest", "Put back", show=False),
    ]

    def body(self) -> ComposeResult:
        yield BoardLayout(
            Static(id="chapter", markup=False),
            VariationList(id="variations"),
            Static(id="words", markup=False),
            ascii=self.program.ascii,
        )

    # -- what is shown ------------------------------------------------------------------------------

    def renew(self) -> None:
        super().renew()
        reading = self.desk.study
        if reading is None:
            return
        chapter = reading.study.chapter(reading.chapter)
        moves = self.query_one(VariationList)
        if chapter is None:
            moves.show(None, 0)
        else:
            moves.show(reading.lines, reading.node)
            self._renew_board(reading)
        self.query_one("#chapter", Static).update("" if chapter is None else words.shown(chapter.title))
        self.query_one("#words", Static).update("\n".join(reading.said()))
        self.query_one(BoardLayout).share()
        self.entitle()

    def _renew_board(self, reading: Reading) -> None:
        view = reading.view()
        if view is None:
            return
        self._selection.offer(reading.at.legal if reading.open.writes else ())
        self.query_one(BoardView).show(view.asking(reading.position, self._selection.square))

    @property
    def prompt(self) -> str:
        """A short prompt: the panel shows the rest."""
        reading = self.desk.study
        if self.desk.question is not None or reading is None or reading.study.chapter(reading.chapter) is None:
            return super().prompt
        turn = reading.at.turn
        return "The end: " if turn is None else f"{turn.capitalize()} to move: "

    def entitle(self) -> None:
        reading = self.desk.study
        if reading is None:
            return
        study = reading.study
        title = Text.assemble(("Fourfold", "bold"), f"  {words.shown(study.title)}", (f"  {study.room}", "dim"))
        title.append(f"  {study.visibility}{'' if reading.open.writes else ', to look at'}", style="bold")
        if study.count > 1:
            title.append(f"  {study.count} here", style="dim")
        if self.query_one(BoardLayout).crowded:
            title = Text(self.latest if self._told else reading.prompt, no_wrap=True, overflow="ellipsis")
        self.query_one("#title", Static).update(title, layout=False)

    # -- mouse and keys -----------------------------------------------------------------------------

    @on(BoardView.Pressed)
    def _pressed(self, event: BoardView.Pressed) -> None:
        reading = self.desk.study
        if reading is None or reading.study.chapter(reading.chapter) is None:
            return
        self.press_board(event)
        self._renew_board(reading)

    @on(VariationList.Chosen)
    def _chosen(self, event: VariationList.Chosen) -> None:
        self.program.carry_out(ToNode(event.node))
