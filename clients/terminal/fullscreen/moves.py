"""The moves of a game as a scrollable list to click in, with the current one marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.geometry import Size as Extent
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from fourfold.clients.terminal.fullscreen.chronicle import Chronicle, PlayedMove
from fourfold.clients.terminal.fullscreen.paint import seat_style

_NUMBER: Final = 4
_NARROWEST: Final = 9
"""The width of a move, and of a round's number, in columns."""


class MoveList(ScrollView, can_focus=False):
    """A row for each round, with a column for each seat. Posts `Chosen` with the clicked ply."""

    DEFAULT_CSS = """
    MoveList { height: 1fr; min-height: 3; scrollbar-size-vertical: 1; overflow-x: hidden; }
    """

    @dataclass
    class Chosen(Message):
        """Look at the game after this ply."""

        ply: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._seats: tuple[str, ...] = ("white", "black")
        self._rounds: list[dict[int, PlayedMove]] = []
        self._shown: int | None = None
        self._marks: Mapping[int, str] = {}
        self._listed: object = None  # the latest arguments of `show`

    def show(
        self, chronicle: Chronicle, seats: tuple[str, ...], first: int, ply: int, marks: Mapping[int, str] | None = None
    ) -> None:
        """List a game that the seat numbered `first` began. `ply` is the current move. `marks` appear after moves, by
        ply."""
        if (chronicle, seats, first, ply, marks) == self._listed:
            return
        self._listed = (chronicle, seats, first, ply, marks)
        self._marks = marks or {}
        rounds: list[dict[int, PlayedMove]] = []
        last = len(seats)
        for entry in chronicle.entries:
            place = (entry.seat - first) % len(seats)
            if place <= last:
                rounds.append({})
            rounds[-1][place] = entry
            last = place
        self._rounds, self._seats, self._shown = rounds, seats[first:] + seats[:first], ply
        self._reveal()

    @property
    def _columns(self) -> int:
        """Moves in a row: a whole round if it fits, otherwise two."""
        seats = len(self._seats)
        return seats if self._room() // seats >= _NARROWEST else 2

    def _room(self) -> int:
        return self.scrollable_content_region.width - _NUMBER

    def _row_of(self, round: int, place: int) -> int:
        return round * self._rows_each + place // self._columns

    @property
    def _rows_each(self) -> int:
        return -(-len(self._seats) // self._columns)

    def _at(self, row: int, column: int) -> PlayedMove | None:
        """The move in a row and a column of the list."""
        round, part = divmod(row, self._rows_each)
        if not 0 <= round < len(self._rounds):
            return None
        return self._rounds[round].get(part * self._columns + column)

    def render_line(self, y: int) -> Strip:
        base = self.visual_style.rich_style
        row = y + self.scroll_offset.y
        round, part = divmod(row, self._rows_each)
        if round >= len(self._rounds):
            return Strip.blank(self.size.width, base)
        segments = [Segment(f"{'' if part else round + 1:>{_NUMBER - 1}} ", base + Style(dim=True))]
        wide = self._room() // self._columns
        for column in range(self._columns):
            entry = self._at(row, column)
            move = "" if entry is None else f"{entry.text}{self._marks.get(entry.ply, '')}"
            text = f" {move} "[:wide] if move else ""
            style = base
            if entry is not None and entry.ply == self._shown:
                seat = self._seats[part * self._columns + column]
                style = base + Style.parse(seat_style(seat))
                if self.app.no_color:
                    style += Style(reverse=True)
            segments += [Segment(text, style), Segment(" " * (wide - len(text)), base)]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def on_resize(self) -> None:
        self._reveal()

    def _reveal(self) -> None:
        self.virtual_size = Extent(self.size.width, len(self._rounds) * self._rows_each)
        places = (
            (number, place)
            for number, entries in enumerate(self._rounds)
            for place, entry in entries.items()
            if entry.ply == self._shown
        )
        row = self._row_of(*next(places, (0, 0)))
        self.call_after_refresh(self.scroll_to_region, Region(0, row, 1, 1), animate=False)
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is None:
            return
        column = (place.x - _NUMBER) // max(1, self._room() // self._columns)
        if 0 <= column < self._columns:
            entry = self._at(place.y + self.scroll_offset.y, column)
            if entry is not None:
                self.post_message(self.Chosen(entry.ply))
