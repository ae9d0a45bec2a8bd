"""How a board shares the screen with what belongs to it: as large as it fits, the panel beside it, and the talk below
it where there is room, else below the panel."""

from __future__ import annotations

from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, ScrollableContainer, Vertical
from textual.widget import Widget

from clients.terminal.fullscreen.board import BoardView
from clients.terminal.fullscreen.console import Talk
from clients.terminal.fullscreen.grid import Size
from clients.terminal.fullscreen.paint import Script

SIDE: Final = 33
"""Columns that the panel needs at least."""

_TALK: Final = 3
"""Rows that the talk needs at least."""


class Hall(Container):
    """A board, a panel with the given widgets, and the talk."""

    DEFAULT_CSS = """
    Hall { layout: grid; grid-size: 2 2; height: 1fr; }
    Hall #stage { align: center middle; overflow: auto; scrollbar-size: 1 1; width: 100%; height: 100%; }
    Hall #side { width: 100%; height: 100%; padding: 0 0 0 1; overflow-y: auto; scrollbar-size-vertical: 1; }
    Hall #talk { border-top: solid $panel-lighten-1; }
    """

    def __init__(self, script: Script, *side: Widget) -> None:
        super().__init__(id="hall")
        self._script = script
        self._side = side
        self._shared: tuple[Size, Size] | None = None  # of what room, with a board of what size

    def compose(self) -> ComposeResult:
        with ScrollableContainer(id="stage", can_focus=False):
            yield BoardView(self._script, id="board")
        with Vertical(id="side"):
            yield from self._side
        with Container(id="below"):
            yield Talk(id="talk")

    @property
    def board(self) -> BoardView:
        """The board."""
        return self.query_one(BoardView)

    def on_resize(self, event: events.Resize) -> None:
        """Share the room anew."""
        self.share()

    def zoom(self, by: int) -> None:
        """The board larger, smaller, or as it fits."""
        self.board.zoom(by)
        self.share()

    def share(self) -> None:
        """Share the room, after the board has been turned, or is another."""
        width, height = self.size
        self.board.fit(Size(width - SIDE, height))
        grid = self.board.grid.size
        if self._shared == (Size(width, height), grid):
            return
        self._shared = (Size(width, height), grid)
        stage, side = self.query_one("#stage"), self.query_one("#side")
        beneath = height - grid.height >= _TALK
        stage.styles.row_span, side.styles.row_span = (1, 2) if beneath else (2, 1)
        self.styles.grid_rows = f"{grid.height} 1fr" if beneath else "2fr 1fr"
        self.styles.grid_columns = f"{min(grid.width + 1, max(width - SIDE, 12))} 1fr"
