"""Small screens over the others: the choice of a promotion, and help for keys and commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, TypeAlias

from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from fourfold.clients.terminal.parser.language import Language
from fourfold.clients.terminal.text.drawing import FILLED
from fourfold.engine.pieces import KIND_OF_LETTER

KEYS: Final = (
    ("click, click", "select a piece, then its target; or drag it there"),
    ("Tab", "move between the line, the board and other parts"),
    ("arrows, hjkl", "on the board: move the cursor"),
    ("Enter, Space", "pick up the piece under the cursor, or put it down"),
    ("Esc", "put the piece back; clear the line"),
    ("Up, Down", "in the line: recall earlier lines"),
    ("Left, Right", "in the empty line: step one move back or forward"),
    ("Home, End", "in the empty line: go to the beginning or the present"),
    ("Ctrl+Y, Ctrl+N", "answer yes or no to a vote or question (on the board: y, n)"),
    ("F2", "turn the board (on it: f)"),
    ("F3, F4", "make the board smaller or larger (on the board: -, +; z cycles sizes)"),
    ("F7", "on a small screen: switch between panel and board"),
    ("F1", "this"),
    ("Ctrl+C", "quit (offers to save)"),
    ("Ctrl+Q", "quit at once"),
)


class Promotion(ModalScreen[str | None]):
    """The choice between moves that differ in their promotion. Returns the move, or None."""

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
                    sign = "" if self._ascii else f"{FILLED[letter]} "
                    yield Button(f"{number} {sign}{noun}", id=f"to-{letter}")

    def on_key(self, event: events.Key) -> None:
        """A piece by its letter or its number."""
        moves = list(self._moves.values())
        if event.key in self._moves:
            self.dismiss(self._moves[event.key])
        elif event.key.isdecimal() and 1 <= int(event.key) <= len(moves):
            self.dismiss(moves[int(event.key) - 1])

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Choose a piece by click or Enter."""
        self.dismiss(self._moves[str(event.button.id)[-1]])

    def action_choose(self) -> None:
        self.dismiss(None)


class Help(ModalScreen[None]):
    """The keys, and the commands available now: one group at a time, or all of them if there is room."""

    DEFAULT_CSS = """
    Help { align: center middle; }
    Help > Vertical { width: 100%; max-width: 110; height: 100%; max-height: 60; background: $panel;
        border: round $primary; }
    Help #group { height: 1; color: $accent; text-style: bold; padding: 0 1; }
    Help VerticalScroll { height: 1fr; padding: 0 1; }
    Help .foot { text-align: center; width: 100%; height: 1; color: $text-muted; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,enter,question_mark", "close", "Close", show=False),
        Binding("space", "on", "On", show=False, priority=True),
        Binding("right,tab", "turn(1)", "Next", show=False, priority=True),
        Binding("left,backspace,shift+tab", "turn(-1)", "Previous", show=False, priority=True),
    ]

    def __init__(self, language: Language) -> None:
        super().__init__()
        typed = ((group.name, [(entry.usage, entry.about) for entry in group.entries]) for group in language.groups)
        self._groups = [("Keys", list(KEYS)), *typed]
        self._at = 0

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(id="group", markup=False)
            with VerticalScroll():
                yield Static(id="lines")
            yield Static("Space: next page; Esc: close", classes="foot")

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    def action_turn(self, by: int) -> None:
        self._at = (self._at + by) % len(self._groups)
        self._show()

    def action_on(self) -> None:
        """Show the next page of the group, or the next group."""
        lines = self.query_one(VerticalScroll)
        if lines.scroll_offset.y < lines.max_scroll_y:
            lines.scroll_page_down(animate=False)
        else:
            self.action_turn(1)

    def on_key(self, event: events.Key) -> None:
        """Show a group by its number, as in `help`; 0 for the keys."""
        if event.key.isdecimal() and int(event.key) < len(self._groups):
            self._at = int(event.key)
            self._show()

    def action_close(self) -> None:
        self.dismiss(None)

    def _show(self) -> None:
        everything = self.size.width >= _WIDE and self.size.height >= sum(len(rows) + 2 for _, rows in self._groups) + 6
        name, rows = self._groups[self._at]
        place = f"{self._at} of {len(self._groups) - 1}: " if self._at else ""
        title = "Everything" if everything else f"{place}{name}"
        self.query_one("#group", Static).update(title)
        groups = self._groups if everything else [(None, rows)]
        self.query_one("#lines", Static).update(_table(groups, wide=self.size.width >= _WIDE))
        self.query_one(VerticalScroll).scroll_home(animate=False)


_WIDE: Final = 70
"""The width from which explanations are beside commands, not below, in columns."""

Rows: TypeAlias = Sequence[tuple[str, str]]


def _table(groups: Iterable[tuple[str | None, Rows]], *, wide: bool) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(max_width=40 if wide else None)
    if wide:
        table.add_column()
    for name, rows in groups:
        if name is not None:
            table.add_row(Text(f"\n{name}", style="bold underline"))
        for usage, about in rows:
            if wide:
                table.add_row(Text(usage, style="bold"), Text(about))
            else:
                table.add_row(Text.assemble((usage, "bold"), f": {about}"))
    return table
