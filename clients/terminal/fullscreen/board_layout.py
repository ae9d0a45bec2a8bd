"""The layout of board, panel and messages. The board is as large as fits. The panel is beside it if there is room for
both, or else below it; or else it replaces the board on request. The messages are below the board if there is room, or
else below the panel."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, ScrollableContainer, Vertical
from textual.message import Message
from textual.widget import Widget

from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.console import MessageLog
from fourfold.clients.terminal.fullscreen.grid import SIZES, Grid, Size

SIDE: Final = 33
"""The least width of the panel, in columns."""

_BELOW: Final = 8
"""The least height of the panel below a board, in rows."""

_TALK: Final = 3
"""The least height of the messages, in rows."""


class Place(Enum):
    """The place of the panel."""

    BESIDE = auto()
    BELOW = auto()
    HIDDEN = auto()  # on request
    INSTEAD = auto()  # in place of the board


class BoardLayout(Container):
    """A board, a panel with the given widgets, and the messages."""

    DEFAULT_CSS = """
    BoardLayout { layout: grid; grid-size: 2 2; height: 1fr; }
    BoardLayout #stage { align: center middle; overflow: auto; scrollbar-size: 1 1; width: 100%; height: 100%; }
    BoardLayout #side { width: 100%; height: 100%; padding: 0 0 0 1; overflow-y: auto; scrollbar-size-vertical: 1; }
    BoardLayout #talk { border-top: solid $panel-lighten-1; }
    """

    class Placed(Message):
        """The panel has another place."""

    def __init__(self, *side: Widget, ascii: bool) -> None:
        super().__init__(id="layout")
        self._ascii = ascii
        self._side = side
        self._shared: tuple[Size, Size, Place] | None = None  # the room and the board size that the layout is for
        self._asked = False  # whether to show the panel where there is no room for both
        self.place = Place.BESIDE
        """The present place of the panel."""

    def compose(self) -> ComposeResult:
        with ScrollableContainer(id="stage", can_focus=False):
            yield BoardView(ascii=self._ascii, id="board")
        with Vertical(id="side"):
            yield from self._side
        with Container(id="below"):
            yield MessageLog(id="talk")

    @property
    def board(self) -> BoardView:
        return self.query_one(BoardView)

    def on_resize(self, event: events.Resize) -> None:
        self.share()

    def zoom(self, by: int) -> None:
        self.board.zoom(by)
        self.share()

    def toggle(self) -> None:
        """Show the panel in place of the board, or the board again."""
        self._asked = not self._asked
        self.share()

    @property
    def crowded(self) -> bool:
        """Whether there is no room for board and panel together."""
        return self.place in (Place.HIDDEN, Place.INSTEAD)

    def _placed(self) -> Place:
        width, height = self.size
        least = Grid(self.board.grid.orientation, SIZES[0]).size
        if width - least.width >= SIDE:
            return Place.BESIDE
        if height - least.height >= _BELOW:
            return Place.BELOW
        return Place.INSTEAD if self._asked else Place.HIDDEN

    def share(self) -> None:
        """Update the layout after the board was turned or replaced."""
        width, height = self.size
        place = self._placed()
        room = {Place.BESIDE: Size(width - SIDE, height), Place.BELOW: Size(width, height - _BELOW)}
        self.board.fit(room.get(place, Size(width, height)))
        grid = self.board.grid.size
        if self._shared == (Size(width, height), grid, place):
            return
        self._shared = (Size(width, height), grid, place)
        if place is not self.place:
            self.place = place
            self.post_message(self.Placed())
        stage, side, below = (self.query_one(name) for name in ("#stage", "#side", "#below"))
        beneath = height - grid.height >= (_TALK if place is Place.BESIDE else 2)
        stage.display = place is not Place.INSTEAD
        side.display = place is not Place.HIDDEN
        below.display = place is not Place.HIDDEN or beneath
        self.screen.set_class(self.crowded, "-crowded")  # keep other widgets from taking rows of the board
        if place is Place.BESIDE:
            stage.styles.row_span, side.styles.row_span = (1, 2) if beneath else (2, 1)
            self.styles.grid_size_columns, self.styles.grid_size_rows = 2, 2
            self.styles.grid_rows = f"{grid.height} 1fr" if beneath else "2fr 1fr"
            self.styles.grid_columns = f"{min(grid.width + 1, max(width - SIDE, 12))} 1fr"
        else:
            stage.styles.row_span = side.styles.row_span = 1
            self.styles.grid_size_columns = 1
            rows = {
                Place.BELOW: f"{min(grid.height, height - _BELOW)} 2fr 1fr",
                Place.INSTEAD: "2fr 1fr",
                Place.HIDDEN: f"{grid.height} 1fr" if beneath else "1fr",
            }[place]
            self.styles.grid_size_rows = len(rows.split())
            self.styles.grid_rows = rows
            self.styles.grid_columns = "1fr"
            # If the board must scroll, show the own side first.
            self.call_after_refresh(stage.scroll_end, animate=False)
        self.screen.refresh_bindings()
