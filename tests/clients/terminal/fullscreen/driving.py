"""Drives the full-screen program: waits for conditions, and plays on its board."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from textual import events
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widget import Widget

from fourfold.clients.terminal.fullscreen.app import FourfoldApp
from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.console import CommandInput
from fourfold.clients.terminal.fullscreen.main_screen import MainScreen

Dialog = TypeVar("Dialog", bound=ModalScreen[Any])
Part: TypeAlias = str | type[Widget]
"""A selector, or a class."""


class Driver:
    """A user of the program."""

    def __init__(self, app: FourfoldApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> MainScreen:
        """The screen below the dialogs."""
        main = self.app.main
        assert main is not None
        return main

    @property
    def said(self) -> str:
        """All messages so far."""
        return "\n".join(self.app.said)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds. Errors count as "not yet". If it never holds, the error shows the screen."""
        try:
            async with asyncio.timeout(240):
                while not _holds(condition):
                    await self.pilot.pause(0.01)
        except TimeoutError:
            lines = (strip.text.rstrip() for strip in self.app.screen._compositor.render_strips())
            raise AssertionError("\n".join(["The condition does not hold. The screen:", *lines])) from None

    async def at(self, screen: type[MainScreen]) -> None:
        """Wait until a screen appears."""
        await self.until(lambda: isinstance(self.app.screen, screen) and self.screen.ready)

    async def dialog(self, dialog: type[Dialog]) -> Dialog:
        """Wait until a dialog appears with all that it contains, and return it."""
        await self.until(lambda: isinstance(self.app.screen, dialog) and self.app.screen.region)
        found = self.app.screen
        assert isinstance(found, dialog)
        await self.until(lambda: all(part.is_mounted for part in found.query()))
        return found

    async def type(self, line: str) -> None:
        """Type a line and Enter."""
        field = self.screen.query_one(CommandInput)
        field.focus()
        field.value = line
        await self.pilot.press("enter")

    def rattle(self, line: str) -> None:
        """Type a line and Enter so fast that all keys arrive together."""
        for character in line:
            key = {" ": "space"}.get(character, character)
            self.app.post_message(events.Key(key, character))
        self.app.post_message(events.Key("enter", "\r"))

    async def told(self, line: str, answer: str) -> None:
        """Type a line and wait for an answer that contains a text."""
        self.app.said.clear()
        await self.type(line)
        await self.until(lambda: answer in self.said)

    async def click(self, *squares: str) -> None:
        """Click squares of the board, once it is at rest: before, a click would miss its square."""
        board = self.screen.query_one(BoardView)
        for square in squares:
            place = None
            while place != (board.region, board.grid.square) or not board.region:
                place = (board.region, board.grid.square)
                await self.pilot.pause()
            x, y = board.grid.corner(square)
            await self.pilot.click(BoardView, offset=(x + 1, y))

    async def press(self, part: Part, offset: tuple[int, int] = (0, 0)) -> None:
        """Click a part of the screen once it has its place: before, the click would go to the corner of the screen."""
        await self.until(lambda: self.app.screen.query_one(part).region)
        await self.pilot.click(part, offset=offset)

    async def moved(self, plies: int) -> None:
        """Wait until `count` moves have been made and listed."""
        await self.until(lambda: self.table_moves() == plies == len(self.app.chronicle))

    def table_moves(self) -> int:
        """The number of moves in the game."""
        assert self.app.desk.game is not None
        return len(self.app.desk.game.table.moves)


def _holds(condition: Callable[[], object]) -> bool:
    try:
        return bool(condition())
    except (AssertionError, AttributeError, LookupError):
        return False
