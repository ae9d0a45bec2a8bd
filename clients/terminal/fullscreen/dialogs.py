"""Small screens over the others: which piece to promote to, and what can be typed and pressed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from clients.terminal.fullscreen.paint import GLYPHS
from clients.terminal.language import Language
from engine.pieces import KIND_OF_LETTER

KEYS: Final = (
    ("click, click", "a piece, then where it goes; or drag it there"),
    ("Tab", "from the line to the board and on"),
    ("arrows, hjkl", "on the board: the cursor"),
    ("Enter, Space", "pick the piece under the cursor up, or put it down"),
    ("Esc", "put the piece back; clear the line"),
    ("Up, Down", "in the line: what was typed before"),
    ("Left, Right", "in the empty line: look a move back or forward"),
    ("Home, End", "in the empty line: the beginning; the game as it is"),
    ("Ctrl+Y, Ctrl+N", "yes, no: to a vote or another question (on the board: y, n)"),
    ("F2", "turn the board (on it: f)"),
    ("F3, F4", "a smaller, a larger board (on it: -, +; z goes round)"),
    ("F7", "on a small screen: the panel in place of the board, and back"),
    ("F1", "this"),
    ("Ctrl+C", "go, after an offer to save what would be lost"),
    ("Ctrl+Q", "go at once"),
)


class Promotion(ModalScreen[str | None]):
    """Which of the moves that differ in what the pawn becomes; gives the move, or None."""

    DEFAULT_CSS = """
    Promotion { align: center middle; }
    Promotion > Vertical { width: auto; height: auto; padding: 1 2; background: $panel; border: round $primary; }
    Promotion Static { width: auto; margin: 0 0 1 0; }
    Promotion Horizontal { width: auto; height: auto; }
    Promotion Button { min-width: 12; width: auto; margin: 0 1 0 0; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "choose", "Cancel", show=False),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, moves: Sequence[str], *, ascii: bool = False) -> None:
        super().__init__()
        self._moves = {move[-1]: move for move in moves}
        self._ascii = ascii

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("Promote to")
            with Horizontal():
                for number, letter in enumerate(self._moves, 1):
                    noun = KIND_OF_LETTER[letter].noun
                    sign = "" if self._ascii else f"{GLYPHS[letter]} "
                    yield Button(f"{number} {sign}{noun}", id=f"to-{letter}")

    def on_key(self, event: events.Key) -> None:
        """A piece by its letter or its number."""
        moves = list(self._moves.values())
        if event.key in self._moves:
            self.dismiss(self._moves[event.key])
        elif event.key.isdecimal() and 1 <= int(event.key) <= len(moves):
            self.dismiss(moves[int(event.key) - 1])

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """A piece by click, or Enter."""
        self.dismiss(self._moves[str(event.button.id)[-1]])

    def action_choose(self) -> None:
        """None of them."""
        self.dismiss(None)


class Help(ModalScreen[None]):
    """What can be typed now, and the keys."""

    DEFAULT_CSS = """
    Help { align: center middle; }
    Help > Vertical { width: 90%; max-width: 110; height: 90%; background: $panel; border: round $primary; }
    Help VerticalScroll { height: 1fr; padding: 0 1; }
    Help .title { text-style: bold; color: $accent; margin: 1 0 0 0; }
    Help .foot { text-align: center; width: 100%; color: $text-muted; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,f1,enter,question_mark", "close", "Close", show=False)]

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._language = language

    def compose(self) -> ComposeResult:
        with Vertical():
            with VerticalScroll():
                yield Static("Type", classes="title")
                yield Static(_table((entry.usage, entry.about) for entry in self._language.entries))
                yield Static("Press", classes="title")
                yield Static(_table(KEYS))
            yield Static("Esc closes", classes="foot")

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


def _table(rows: Iterable[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", max_width=32)
    table.add_column()
    for left, right in rows:
        table.add_row(Text(left), Text(right))
    return table
