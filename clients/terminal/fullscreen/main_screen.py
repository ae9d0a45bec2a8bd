"""The common parts of the main screens: the command line, the messages, a banner, and the program behind them."""

from __future__ import annotations

import time
from collections import deque
from typing import ClassVar, Final, Protocol

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

from fourfold.clients.terminal.controller.controller import Controller
from fourfold.clients.terminal.fullscreen.board_layout import BoardLayout
from fourfold.clients.terminal.fullscreen.chronicle import Chronicle
from fourfold.clients.terminal.fullscreen.console import CommandInput, CommandLine, MessageLog
from fourfold.clients.terminal.fullscreen.dialogs import Help
from fourfold.clients.terminal.parser.commands import Command

_TYPING: Final = 1.0
"""Seconds after a character during which the user counts as typing."""


class Program(Protocol):
    """The program's interface for its screens. `FourfoldApp` implements it, and imports all screens."""

    desk: Controller
    said: deque[str]
    trouble: str | None
    chronicle: Chronicle
    ascii: bool

    def do(self, line: str) -> None:
        """Execute a line, after the waiting ones."""

    def press(self, line: str) -> None:
        """Execute a line as a command, never as the answer to a question."""

    def carry_out(self, command: Command) -> None:
        """Execute a command, after the waiting ones."""


BOARD_KEYS: Final = (
    Binding("f2", "press('flip')", "Turn"),
    Binding("f3", "press('zoom out')", "Smaller"),
    Binding("f4", "press('zoom in')", "Larger"),
)
"""The keys of screens with a board."""


class Banner(Static):
    """A line across the top while the connection is lost."""

    DEFAULT_CSS = """
    Banner { height: 1; background: #b3261e; color: #ffffff; text-style: bold; text-align: center; display: none;
        text-wrap: nowrap; text-overflow: ellipsis; }
    Banner.-up { display: block; }
    """

    def show(self, text: str | None) -> None:
        """Show the text, or (None) hide the banner."""
        self.update(text or "")
        self.set_class(text is not None, "-up")


class KeyBar(Footer):
    """The bottom line of a screen, with its keys. Textual's footer rebuilds all labels whenever the focus changes. This
    one rebuilds them only when the keys change."""

    _shown: list[tuple[str, str, bool]] | None = None

    def compose(self) -> ComposeResult:
        self._shown = None
        for label in super().compose():
            self._shown = _keys(self.screen)
            yield label

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Rebuild the labels if the keys have changed."""
        if self._shown != _keys(screen):
            super().bindings_changed(screen)


def _keys(screen: Screen[object]) -> list[tuple[str, str, bool]]:
    """The key bindings that a screen shows: each key, its label, and whether it is enabled."""
    active = screen.active_bindings.values()
    return [(key.binding.key, key.binding.description, key.enabled) for key in active if key.binding.show]


class MainScreen(Screen[None]):
    """A screen of the program, below the dialogs."""

    DEFAULT_CSS = """
    MainScreen { overflow: hidden; }
    MainScreen.-crowded Banner { display: none; }
    MainScreen #title { height: 1; background: $panel; color: $text; padding: 0 1; text-wrap: nowrap;
        text-overflow: ellipsis; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help"),
        Binding("f7", "panel", "Panel"),
        Binding("ctrl+y", "answer(True)", "Yes", show=False),
        Binding("ctrl+n", "answer(False)", "No", show=False),
    ]

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program
        self.desk = program.desk
        self.ready = False
        """Whether the screen is mounted and can be updated."""
        self._told = 0  # lines shown since the last typed one
        self._typed_at = -_TYPING

    def compose(self) -> ComposeResult:
        yield Banner(id="banner")
        yield Static(id="title", markup=False)
        yield from self.body()
        yield CommandLine(id="command")
        yield KeyBar(compact=True, show_command_palette=False)

    def body(self) -> ComposeResult:
        """The widgets between the title and the command line."""
        yield from ()

    def on_mount(self) -> None:
        """Show the latest lines, and the desk."""
        if not self.app.is_running:  # the program is ending, so the screen has no widgets
            return
        self.ready = True
        for line in self.program.said:
            self.query_one(MessageLog).say(line)
        self.query_one(Banner).show(self.program.trouble)
        self.query_one(CommandInput).focus(scroll_visible=False)
        self.begin()
        self.renew()

    @property
    def closed(self) -> bool:
        """Whether the screen is losing its widgets, because another screen has replaced it or the program is ending."""
        return not self.app.is_running or self not in self.app.screen_stack

    def begin(self) -> None:
        """Called once, before the first `renew`."""

    def renew(self) -> None:
        """Show the desk's present state."""
        self.query_one(CommandLine).ask(self.prompt)

    @property
    def prompt(self) -> str:
        return self.desk.prompt

    def say(self, line: str) -> None:
        self.query_one(MessageLog).say(line)
        self._told += 1
        self.entitle()

    def entitle(self) -> None:
        """Show the title again: on small screens it may have the latest message."""

    @on(BoardLayout.Placed)
    def _placed(self) -> None:
        if not self.closed:
            self.entitle()

    @property
    def latest(self) -> str:
        """The last message, for a title on screens without room for messages, after the number of unread ones if there
        are several."""
        said = self.program.said[-1] if self.program.said else ""
        return f"[{self._told} lines: F7] {said}" if self._told > 1 else said

    def action_help(self) -> None:
        self.app.push_screen(Help(self.desk.language))

    @property
    def board_layout(self) -> BoardLayout | None:
        """The board with its panel, if the screen has a board."""
        return next(iter(self.query(BoardLayout)), None)

    def zoom(self, by: int) -> None:
        if self.board_layout is not None:
            self.board_layout.zoom(by)

    def action_panel(self) -> None:
        """Show the panel where there is no room for both, or show the board again."""
        if self.board_layout is not None and self.board_layout.crowded:
            self.board_layout.toggle()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key appears in the footer: the panel's key only if it has an effect."""
        return action != "panel" or (self.ready and self.board_layout is not None and self.board_layout.crowded)

    def action_answer(self, accept: bool) -> None:
        """Answer yes or no, to a vote or to a question that expects one of them."""
        question = self.desk.question
        if question is None or question.choice or question.takes is not None:
            self.program.do("yes" if accept else "no")

    def action_press(self, line: str) -> None:
        self.program.press(line)

    @on(CommandInput.Typed)
    def _typed(self, event: CommandInput.Typed) -> None:
        self._told = 0
        if event.line == "?":
            self.action_help()
        elif event.line in ("help", "h"):
            # The list, and below it the question for a piece.
            self.app.push_screen(Help(self.desk.language), lambda _: self.program.do("help"))
        elif event.line or self.desk.question is not None:
            self.program.do(event.line)

    @on(CommandInput.Cancelled)
    def _cancelled(self) -> None:
        """Answer the question with no."""
        question = self.desk.question
        if question is not None and question.takes is not None:
            self.desk.questions.current = None
            self.renew()
        elif question is not None:
            self.program.do("no" if question.choice else "")

    def catch(self, event: events.Event) -> None:
        """Move the focus to the command line if the user types a character that the focused widget does not use."""
        if not self.ready or (isinstance(event, events.Key) and not event.is_printable):
            return
        self._typed_at = time.monotonic()
        if not (isinstance(self.focused, CommandInput) or (isinstance(event, events.Key) and self.uses(event.key))):
            self.set_focus(self.query_one(CommandInput), scroll_visible=False)

    def uses(self, key: str) -> bool:
        """Whether the focused widget uses a key."""
        return key in self.active_bindings

    @property
    def typing(self) -> bool:
        """Whether the user has just typed a character, which the command line may not have received yet."""
        return time.monotonic() - self._typed_at < _TYPING
