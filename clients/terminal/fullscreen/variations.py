"""The moves of a study's chapter as a scrollable list to click in, with the current one marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.geometry import Size as Extent
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from fourfold.clients.terminal.fullscreen.paint import seat_style
from fourfold.clients.terminal.text.tree import Line

Written = Callable[[int], Sequence[Line]]
"""A function that gives the moves in lines of a width in columns."""


class VariationList(ScrollView, can_focus=False):
    """The main line, with the variations below its moves. Posts `Chosen` with the clicked move."""

    DEFAULT_CSS = """
    VariationList { height: 1fr; min-height: 3; scrollbar-size-vertical: 1; overflow-x: hidden; }
    """

    @dataclass
    class Chosen(Message):
        """Go to this move."""

        node: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._written: Written | None = None
        self._lines: Sequence[Line] = ()
        self._at: int | None = None

    def show(self, written: Written | None, at: int) -> None:
        """List the moves, with number `at` as the current one."""
        self._written, self._at = written, at
        self._arrange()

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        width = self.scrollable_content_region.width
        self._lines = () if self._written is None or width < 1 else self._written(width)
        self.virtual_size = Extent(self.size.width, len(self._lines))
        row = next((n for n, line in enumerate(self._lines) if any(one.node == self._at for one in line)), 0)
        self.call_after_refresh(self.scroll_to_region, Region(0, row, 1, 1), animate=False)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        base = self.visual_style.rich_style
        row = y + self.scroll_offset.y
        if row >= len(self._lines):
            return Strip.blank(self.size.width, base)
        segments = []
        for piece in self._lines[row]:
            style = base if piece.node is not None else base + Style(dim=True)
            if piece.node is not None and piece.node == self._at:
                style = base + (Style.parse(seat_style(piece.seat)) if piece.seat else Style(bold=True))
                if self.app.no_color or not piece.seat:
                    style += Style(reverse=True)
            segments.append(Segment(piece.text, style))
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        row = -1 if place is None else place.y + self.scroll_offset.y
        if place is None or not 0 <= row < len(self._lines):
            return
        column = 0
        for piece in self._lines[row]:
            column += len(piece.text)
            if place.x < column:
                if piece.node is not None:
                    self.post_message(self.Chosen(piece.node))
                return
