"""The board as a widget: it draws a view, and posts pressed squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.geometry import Size as Extent
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from fourfold.clients.terminal.fullscreen.grid import LABELS, SIZES, Grid, Size, largest
from fourfold.clients.terminal.fullscreen.paint import ShownPiece, SquareLook, square
from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.clients.terminal.text.view import View
from fourfold.engine.geometry import NORTH, SQUARE_8
from fourfold.engine.pieces import NOBODY


class BoardView(Widget, can_focus=True):
    """A board of any shape, at the size that fits or another one. Posts `Pressed`."""

    DEFAULT_CSS = """
    BoardView { width: auto; height: auto; }
    """

    FOCUS_ON_CLICK = False  # a click leaves the focus in the command line

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(0, -1)", "Up", show=False),
        Binding("down,j", "step(0, 1)", "Down", show=False),
        Binding("left,h", "step(-1, 0)", "Left", show=False),
        Binding("right,l", "step(1, 0)", "Right", show=False),
        Binding("enter,space", "press", "Pick or drop", show=False),
    ]

    cursor: reactive[str | None] = reactive(None)
    """The square under the keyboard's cursor; None until the cursor is used."""

    @dataclass
    class Pressed(Message):
        """A square was clicked, dropped on, or chosen by key. `button` is the mouse's, 1 for a key."""

        square: str
        button: int = 1
        dropped: bool = False

    def __init__(self, *, ascii: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ascii = ascii
        self._view: View | None = None
        self._zoom = 0
        self._room = Size(0, 0)
        self._down: str | None = None
        self.grid = Grid(Orientation(SQUARE_8, NORTH), SIZES[0])
        """The layout of the squares."""

    # -- what is shown ------------------------------------------------------------------------------

    def show(self, view: View) -> None:
        if view == self._view:
            return
        turned = self._view is None or view.orientation.rows != self._view.orientation.rows
        self._view = view
        if turned:
            self.grid = Grid(view.orientation, self.grid.square)
            if self.cursor not in view.orientation.places:
                self.cursor = None
            self._arrange()
        self.refresh()

    def fit(self, room: Size) -> None:
        """Choose the largest size that fits, plus the user's `zoom`."""
        if room != self._room:
            self._room = room
            self._arrange()

    def zoom(self, by: int) -> None:
        """Change the size by one step: larger (1), smaller (-1), or (0) larger with the smallest after the largest."""
        number = SIZES.index(self.grid.square)
        self._zoom = (number + by if by else (number + 1) % len(SIZES)) - self._fitting
        self._arrange()

    @property
    def _fitting(self) -> int:
        return largest(self.grid.orientation, self._room)

    def _arrange(self) -> None:
        number = min(max(self._fitting + self._zoom, 0), len(SIZES) - 1)
        self._zoom = number - self._fitting
        self.grid = Grid(self.grid.orientation, SIZES[number])
        self.refresh(layout=True)
        if self.cursor is not None:
            self.call_after_refresh(self._reveal)

    def get_content_width(self, container: Extent, viewport: Extent) -> int:
        return self.grid.size.width

    def get_content_height(self, container: Extent, viewport: Extent, width: int) -> int:
        return self.grid.size.height

    # -- drawing ------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        grid = self.grid
        blank = self.visual_style.rich_style
        label = blank + Style(dim=True)
        row, line = divmod(y, grid.square.height)
        view = self._view
        if view is None or row > grid.rows or (row == grid.rows and line > 0):
            return Strip.blank(self.size.width, blank)
        if row == grid.rows:
            names = (name.center(grid.square.width) for name in grid.orientation.column_labels)
            segments = [Segment(" " * LABELS.width, blank), Segment("".join(names), label)]
        else:
            middle = line == grid.square.height // 2
            segments = [Segment(f"{grid.orientation.row_labels[row] if middle else '':>2} ", label)]
            for column in range(grid.columns):
                name = grid.orientation.name(row, column)
                if name is None:
                    segments.append(Segment(" " * grid.square.width, blank))
                else:
                    segments += square(self._look(view, name), grid.square, self._ascii, not self.app.no_color)[line]
        return Strip(segments).adjust_cell_length(self.size.width, blank)

    def _look(self, view: View, name: str) -> SquareLook:
        piece = view.pieces.get(name)
        shown = None
        if piece is not None:
            shown = ShownPiece(view.seats[piece.seat] if piece.seat != NOBODY else "", piece.kind.letter, piece.grey)
        return SquareLook(
            many=len(view.seats) > 2,
            light=self.grid.light(name),
            piece=shown,
            last=name in view.last,
            check=name in view.checked,
            selected=name == view.asked,
            target=name in view.targets,
            capture=name in view.captures,
            cursor=name == self.cursor and self.has_focus,
            movable=self._movable(view, name),
        )

    def _movable(self, view: View, name: str) -> bool | None:
        """Mark a movable piece of the player to move, on screens without colour."""
        piece = view.pieces.get(name)
        if view.movable is None or piece is None or piece.grey or not self.app.no_color:
            return None
        return name in view.movable if piece.seat == view.seats.index(view.turn) else None

    # -- mouse and keys -----------------------------------------------------------------------------

    def action_step(self, across: int, down: int) -> None:
        """Move the cursor by one square, skipping missing squares."""
        grid = self.grid
        if self.cursor is None:
            self.cursor = (self._view.asked if self._view else None) or self._first()
        else:
            row, column = grid.orientation.places[self.cursor]
            while 0 <= (column := column + across) < grid.columns and 0 <= (row := row + down) < grid.rows:
                name = grid.orientation.name(row, column)
                if name is not None:
                    self.cursor = name
                    break
        self._reveal()

    def _first(self) -> str:
        """The cursor's start: near the middle of the player's own side."""
        grid = self.grid
        return grid.orientation.name(grid.rows - 2, grid.columns // 2) or grid.orientation.geometry.names[0]

    def action_press(self) -> None:
        if self.cursor is None:
            self.action_step(0, 0)
        else:
            self.post_message(self.Pressed(self.cursor))

    def _reveal(self) -> None:
        """Scroll to the cursor."""
        parent = self.parent
        if self.cursor is not None and isinstance(parent, Widget):
            x, y = self.grid.corner(self.cursor)
            region = Region(x, y, *self.grid.square).translate(self.virtual_region.offset)
            parent.scroll_to_region(region, animate=False)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        name = self.grid.under(*self._inside(event))
        self._down = name
        if name is not None:
            self.cursor = None
            self.post_message(self.Pressed(name, event.button))
            event.stop()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        name = self.grid.under(*self._inside(event))
        down, self._down = self._down, None
        if name is not None and down is not None and name != down:
            self.post_message(self.Pressed(name, event.button, dropped=True))
            event.stop()

    def _inside(self, event: events.MouseEvent) -> tuple[int, int]:
        offset = event.get_content_offset(self)
        return (-1, -1) if offset is None else (offset.x, offset.y)
