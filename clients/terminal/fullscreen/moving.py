"""The common part of the screens of a game and of a study: moves on the board, by mouse and keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from textual import events, on

from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.console import CommandInput
from fourfold.clients.terminal.fullscreen.dialogs import Promotion
from fourfold.clients.terminal.fullscreen.main_screen import MainScreen, Program
from fourfold.clients.terminal.fullscreen.selection import Selection
from fourfold.clients.terminal.parser.commands import Move

SHORTCUTS: Final = {
    "f": "flip",
    "plus": "zoom in",
    "equals_sign": "zoom in",
    "minus": "zoom out",
    "z": "zoom",
    "comma": "back",
    "full_stop": "forward",
    "home": "first",
    "end": "last",
}
"""The commands of keys while the board of a game or of a study has the focus."""


class MovingScreen(MainScreen):
    """A screen whose board has selectable and movable pieces."""

    shortcuts: ClassVar[Mapping[str, str]] = {}
    """The commands of keys while the board has the focus. All other keys go to the command line."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._selection = Selection()

    def press_board(self, event: BoardView.Pressed) -> None:
        """Select a piece, or make the move that the press completes. Any other mouse button ends the selection."""
        if event.button != 1:
            self._selection.clear()
            return
        moves = self._selection.press(event.square, dropped=event.dropped)
        if len(moves) > 1:
            self.app.push_screen(Promotion(moves, ascii=self.program.ascii), self._promoted)
        elif moves:
            self.play(moves[0])

    def on_key(self, event: events.Key) -> None:
        """Keys while the board has the focus."""
        if self.focused is self.query_one(BoardView) and self.press_key(event.key):
            event.stop()
            event.prevent_default()

    def press_key(self, key: str) -> bool:
        """Carry out the command of a key on the board. False if it has none."""
        line = self.shortcuts.get(key)
        if line is not None:
            self.program.press(line)
        return line is not None

    def play(self, move: str) -> None:
        """Make a move."""
        self.program.carry_out(Move(move))

    def browse(self, to: str) -> None:
        """Look at another move."""
        self.program.press(to)

    def _promoted(self, move: str | None) -> None:
        if move is not None:
            self.play(move)

    @on(CommandInput.Browse)
    def _browse(self, event: CommandInput.Browse) -> None:
        self.browse(event.to)

    @on(CommandInput.Cancelled)
    def action_rest(self) -> None:
        self._selection.clear()
        self.renew()
