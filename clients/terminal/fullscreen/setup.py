"""The screen of setup mode: the board, the palette of pieces, the turn, castling rights, and all remaining faults."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.geometry import Size as Extent
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.board_layout import BoardLayout
from fourfold.clients.terminal.fullscreen.main_screen import BOARD_KEYS, MainScreen, Program
from fourfold.clients.terminal.fullscreen.paint import seat_style
from fourfold.clients.terminal.text.drawing import FILLED
from fourfold.engine.editor import BoardEditor

KINDS: Final = "kqrbnp"
_CELL: Final = 4

Tool = tuple[str, str]
"""The effect of a press: a seat and a piece's letter to put; or `("", "move")`, or `("", "erase")`."""


class Palette(Widget):
    """The pieces of every seat, and other tools. Posts `Picked`."""

    DEFAULT_CSS = """
    Palette { height: auto; width: 100%; }
    """

    @dataclass
    class Picked(Message):
        """Another tool was chosen."""

        tool: Tool

    def __init__(self, *, ascii: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ascii = ascii
        self._seats: tuple[str, ...] = ("white", "black")
        self._tool: Tool = ("white", "k")

    def show(self, seats: tuple[str, ...], tool: Tool) -> None:
        if (seats, tool) != (self._seats, self._tool):
            grown = len(seats) != len(self._seats)
            self._seats, self._tool = seats, tool
            self.refresh(layout=grown)

    def get_content_height(self, container: Extent, viewport: Extent, width: int) -> int:
        return len(self._seats) + 1

    def render(self) -> Text:
        text = Text(no_wrap=True, end="")
        for seat in self._seats:
            for letter in KINDS:
                sign = letter.upper() if self._ascii else FILLED[letter]
                chosen = (seat, letter) == self._tool
                text.append(f"[{sign}]" if chosen else f" {sign} ", style=seat_style(seat)).append(" ")
            text.append(f" {seat}\n")
        for tool in ("move", "erase"):
            chosen = self._tool == ("", tool)
            text.append(f"[{tool}]" if chosen else f" {tool} ", style="bold reverse" if chosen else "bold")
            text.append("  ")
        return text

    def on_click(self, event: events.Click) -> None:
        if event.y < len(self._seats):
            if 0 <= event.x // _CELL < len(KINDS):
                self.post_message(self.Picked((self._seats[event.y], KINDS[event.x // _CELL])))
        elif event.y == len(self._seats):
            self.post_message(self.Picked(("", "move" if event.x < 8 else "erase")))


class SetupScreen(MainScreen):
    """A board to set up by mouse, keys and lines. `done` starts a game from it."""

    DEFAULT_CSS = """
    SetupScreen .buttons { height: 1; margin: 1 0 0 0; }
    SetupScreen Button { width: auto; min-width: 5; margin: 0 1 0 0; }
    SetupScreen #faults { height: auto; margin: 1 0 0 0; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *BOARD_KEYS,
        Binding("f5", "mover", "Side to move"),
        Binding("f6", "rights", "Castling"),
        Binding("f8", "press('done')", "Play"),
        Binding("f9", "press('cancel')", "Cancel"),
    ]

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._tool: Tool = ("", "")
        self._held: str | None = None

    def body(self) -> ComposeResult:
        ascii = self.program.ascii
        yield BoardLayout(
            Palette(ascii=ascii, id="palette"),
            Horizontal(Button("", id="mover", compact=True), Button("", id="rights", compact=True), classes="buttons"),
            Horizontal(
                Button("Play", id="done", variant="primary", compact=True),
                Button("Clear", id="clear", compact=True),
                Button("Start", id="start", compact=True),
                Button("Cancel", id="cancel", compact=True),
                classes="buttons",
            ),
            Static(id="faults", markup=False),
            ascii=ascii,
        )

    def renew(self) -> None:
        super().renew()
        editor, view = self.desk.editor, self.desk.view
        if editor is None or view is None:
            return
        seats = tuple(seat.name for seat in editor.rules.seats)
        if self._tool[0] not in seats and self._tool[1] not in ("move", "erase"):
            self._tool = (seats[0], "k")
        if self._held not in view.pieces:
            self._held = None
        self.query_one(BoardView).show(replace(view, asked=self._held))
        self.query_one(Palette).show(seats, self._tool)
        self.query_one("#mover", Button).label = f"{seats[editor.setup.turn].capitalize()} to move"
        given, possible = len(editor.setup.castling), len(editor.possible_castling())
        self.query_one("#rights", Button).label = f"Castling: {given} of {possible}"
        faults = editor.faults()
        text = Text()
        if faults:
            text.append("Before a game can begin:\n", style="bold")
            for fault in faults:
                text.append(f"- {fault.message}\n", style="#e08a7a" if self.app.current_theme.dark else "#a3241a")
        else:
            text.append("Ready: Play begins a game from here.", style="bold #56c28a")
        self.query_one("#faults", Static).update(text)
        self.query_one(BoardLayout).share()
        self.entitle()

    def entitle(self) -> None:
        editor = self.desk.editor
        if editor is None:
            return
        title = Text.assemble(("Fourfold", "bold"), f"  setting up: {editor.rules.name}")
        if self.query_one(BoardLayout).crowded and self._told:
            title = Text(self.latest, no_wrap=True, overflow="ellipsis")
        self.query_one("#title", Static).update(title, layout=False)

    # -- mouse and keys -----------------------------------------------------------------------------

    @on(Palette.Picked)
    def _picked(self, event: Palette.Picked) -> None:
        self._tool, self._held = event.tool, None
        self.renew()

    @on(BoardView.Pressed)
    def _pressed(self, event: BoardView.Pressed) -> None:
        editor = self.desk.editor
        if editor is None:
            return
        standing = editor.pieces().get(event.square)
        seats = [seat.name for seat in editor.rules.seats]
        if event.button != 1 or self._tool == ("", "erase"):
            if standing is not None:
                self.program.press(f"- {event.square}")
        elif self._tool == ("", "move"):
            self._move(editor, event.square, event.dropped)
        elif not event.dropped:
            seat, letter = self._tool
            if standing is not None and (seats[standing.seat], standing.kind.letter) == self._tool:
                self.program.press(f"- {event.square}")
            else:
                self.program.press(f"+ {seat[0]}{letter.upper()} {event.square}")

    def _move(self, editor: BoardEditor, square: str, dropped: bool) -> None:
        held = self._held
        if held is not None and held != square:
            piece = editor.pieces()[held]
            self._held = None
            self.program.press(f"- {held}")
            self.program.press(f"+ {editor.rules.seats[piece.seat].letter}{piece.kind.letter.upper()} {square}")
        elif not dropped:
            self._held = square if held is None and square in editor.pieces() else None
            self.renew()

    @on(Button.Pressed)
    def _button(self, event: Button.Pressed) -> None:
        event.stop()
        editor = self.desk.editor
        match event.button.id:
            case "mover":
                self.action_mover()
            case "rights":
                self.action_rights()
            case "start" if editor is not None:
                self.program.press(f"fen {editor.rules.starts[0][0]}")
            case str(word):
                self.program.press(word)

    def action_mover(self) -> None:
        """Give the turn to the next seat."""
        editor = self.desk.editor
        if editor is not None:
            seats = editor.rules.seats
            self.program.press(f"= {seats[(editor.setup.turn + 1) % len(seats)].name}")

    def action_rights(self) -> None:
        """Give every castling right that the pieces allow, or none."""
        editor = self.desk.editor
        if editor is not None:
            every = len(editor.setup.castling) == len(editor.possible_castling())
            self.program.press(f"castling {'none' if every else 'all'}")

    def uses(self, key: str) -> bool:
        return super().uses(key) or (self.focused is self.query_one(BoardView) and key in _BOARD_KEYS)

    def on_key(self, event: events.Key) -> None:
        """On the board, 1 to 6 choose a piece, c the next colour, m the tool for moving, and x removes a piece."""
        editor = self.desk.editor
        board = self.query_one(BoardView)
        if editor is None or self.focused is not board:
            return
        seats = [seat.name for seat in editor.rules.seats]
        seat, letter = self._tool
        if event.key in "123456" and len(event.key) == 1:
            self._tool = (seat or seats[0], KINDS[int(event.key) - 1])
        elif event.key == "c":
            following = seats[(seats.index(seat) + 1) % len(seats)] if seat else seats[0]
            self._tool = (following, letter if seat else "k")
        elif event.key == "m":
            self._tool = ("", "move")
        elif event.key in ("x", "delete", "backspace") and board.cursor in editor.pieces():
            self.program.press(f"- {board.cursor}")
        else:
            return
        event.stop()
        event.prevent_default()
        self.renew()


_BOARD_KEYS: Final = frozenset("123456cmx")
"""The characters with an effect on the board."""
