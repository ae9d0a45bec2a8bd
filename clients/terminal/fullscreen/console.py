"""The messages, and below them the command line."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, RichLog, Static

_KEPT: Final = 1000
"""The number of lines to scroll back to."""


class MessageLog(RichLog, can_focus=False):
    """Lines of text, the newest at the bottom."""

    DEFAULT_CSS = """
    MessageLog { height: 1fr; min-height: 2; background: transparent; scrollbar-size-vertical: 1; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, wrap=True, markup=False, highlight=False, min_width=10, max_lines=_KEPT)
        self._said: deque[str] = deque(maxlen=_KEPT)
        self._columns = 0

    def say(self, text: str) -> None:
        self._said.append(text)
        self.write(Text(text), scroll_end=True)

    def on_resize(self, event: events.Resize) -> None:
        if self._columns not in (0, event.size.width):
            self.clear()
            for text in self._said:
                self.write(Text(text), scroll_end=True)
        self._columns = event.size.width


class CommandInput(Input):
    """A command line with a history: Up and Down recall earlier lines. While it is empty, the arrows step through the
    moves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "recall(-1)", "Earlier line", show=False),
        Binding("down", "recall(1)", "Later line", show=False),
        Binding("escape", "clear", "Clear", show=False),
        Binding("left", "browse('back', 'cursor_left')", show=False),
        Binding("right", "browse('forward', 'cursor_right')", show=False),
        Binding("home", "browse('first', 'home')", show=False),
        Binding("end", "browse('last', 'end')", show=False),
    ]

    @dataclass
    class Typed(Message):
        """A complete line, possibly empty."""

        line: str

    @dataclass
    class Browse(Message):
        """An arrow key in the empty line: show another move."""

        to: str

    class Cancelled(Message):
        """Escape in an empty line."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True, select_on_focus=False)
        self._lines: list[str] = []
        self._at = 0

    def on_key(self, event: events.Key) -> None:
        """Submit the line at Enter, in the order of the keys. A binding would run later, after more keys."""
        if event.key != "enter":
            return
        event.stop()
        event.prevent_default()
        line = self.value.strip()
        self._remember(line)
        self.value = ""
        self.post_message(self.Typed(line))

    def _remember(self, line: str) -> None:
        """Add a line to the history."""
        if line and (not self._lines or self._lines[-1] != line):
            self._lines.append(line)
        self._at = len(self._lines)

    def action_recall(self, by: int) -> None:
        """Recall an earlier or later line."""
        self._at = min(max(self._at + by, 0), len(self._lines))
        self.value = self._lines[self._at] if self._at < len(self._lines) else ""
        self.cursor_position = len(self.value)

    def action_clear(self) -> None:
        if self.value:
            self.value = ""
        else:
            self.post_message(self.Cancelled())

    async def action_browse(self, to: str, otherwise: str) -> None:
        """Step through the history, or through the moves if the line is empty."""
        if self.value:
            await self.run_action(otherwise)
        else:
            self.post_message(self.Browse(to))


class CommandLine(Horizontal):
    """The prompt and the line."""

    DEFAULT_CSS = """
    CommandLine { height: 1; background: $surface; }
    CommandLine #asked { width: auto; max-width: 75%; color: $accent; text-style: bold; padding: 0 0 0 1; }
    CommandLine CommandInput { width: 1fr; background: $surface; padding: 0 1 0 0; border: none; height: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._prompt = ""

    def compose(self) -> ComposeResult:
        yield Static(id="asked", markup=False)
        yield CommandInput(id="line")

    @property
    def input(self) -> CommandInput:
        """The input widget."""
        return self.query_one(CommandInput)

    def ask(self, prompt: str) -> None:
        if prompt != self._prompt:
            self._prompt = prompt
            self.query_one("#asked", Static).update(prompt)

    def begin_with(self, text: str) -> None:
        """Put the start of a command into the line, for the user to finish."""
        self.input.value = text
        self.input.focus()
        self.input.cursor_position = len(text)
