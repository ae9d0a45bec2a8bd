"""The plain front end: the board as text, whole sentences, and a prompt; for pipes, screen readers and dumb terminals.

It sends no escape codes except colours, and those only to a terminal. At a terminal it executes each line at once.
Lines from a pipe arrive all together, so each waits until the game expects input. At the end of the input, a spectator
sees the game to its end.
"""

import asyncio
import os
from collections.abc import Sequence
from typing import Literal, TextIO

from fourfold.clients.games.game import News, Venue
from fourfold.clients.streams import Lines
from fourfold.clients.terminal.controller.controller import Controller
from fourfold.clients.terminal.text import answers, drawing, words
from fourfold.clients.terminal.text.ink import Ink

_HELLO = "Type a move or a command and press Enter; 'help' lists what can be typed."


class Plain:
    """Plays at a venue on streams of text, starting with the lines `first`; the front end of a `Controller`."""

    def __init__(self, venue: Venue, lines: TextIO, out: TextIO, ink: Ink, first: Sequence[str] = ()) -> None:
        self.desk = Controller(venue, self)
        self._input = lines
        self._interactive = lines.isatty()
        self._out = out
        self._ink = ink
        self._first = first
        self._asking = ""  # the prompt at the end of the output
        self._busy = False

    async def run(self) -> None:
        """Play until `quit`, or the end of the input. Raises `ConnectionFault` once the connection is lost for good,
        and `RequestError` if one of the first lines is refused."""
        lines = Lines(self._input.fileno())
        self.say(_HELLO)
        async with self.desk:
            for line in self._first:
                await self.desk.insist(line)
            broken = asyncio.create_task(self.desk.broken())
            reading = asyncio.create_task(self._converse(lines))
            try:
                await asyncio.wait({broken, reading}, return_when=asyncio.FIRST_COMPLETED)
                if broken.done():
                    broken.result()
                await reading
            finally:
                for task in (broken, reading):
                    task.cancel()
                await asyncio.gather(broken, reading, return_exceptions=True)

    async def _converse(self, lines: Lines) -> None:
        while not self.desk.over:
            if not self._interactive:
                await self.desk.idle()
            self._ask()
            line = await anext(lines, None)
            if line is None:
                self.say("")
                if not self._interactive:
                    await self.desk.watched()
                return
            if not self._interactive:
                self._write(f"{line}\n")
            self._asking = ""
            self._busy = True
            try:
                await self.desk.do(line)
            finally:
                self._busy = False

    # -- the desk's front end -------------------------------------------------------------------------

    @property
    def room(self) -> tuple[int, int] | None:
        """The size of the terminal, if the input comes from one."""
        if not (self._interactive and self._out.isatty()):
            return None
        try:
            size = os.get_terminal_size(self._out.fileno())
        except OSError:
            return None
        return (max(20, size.columns), size.lines) if size.columns and size.lines else None

    @property
    def _columns(self) -> int | None:
        room = self.room
        return None if room is None else room[0]

    def say(self, text: str) -> None:
        """Write a line of text, without escape codes from other users."""
        self._line(words.shown(text))

    def quote(self, text: str) -> None:
        """Write the text as one line of any length: the terminal wraps it, and copies it whole."""
        self.say(text)

    def show(self) -> None:
        """Write the board, with the move number it shows."""
        puzzle = self.desk.puzzle
        view = self.desk.view if puzzle is None else puzzle.view
        if view is None:
            return
        if view.ply is not None:
            self.say(f"The board after move {view.ply}:" if view.ply else "The board at the beginning:")
        for line in drawing.board(view, self._ink, self._columns):
            self._line(line)
        if self.desk.study is not None and puzzle is None:
            self.desk.say_all(self.desk.study.said())
        game = self.desk.game
        if game is None or puzzle is not None or self.desk.editor is not None or view.ply is not None:
            return
        if game.table.clocks is not None and game.table.status == "playing":
            self.say(answers.clocks(game))

    def zoom(self, by: Literal[-1, 0, 1]) -> None:
        """Say that the size of text is fixed."""
        self.say("The board is text here: make the letters of your terminal larger. Without --plain it can be zoomed.")

    def heard(self, news: News) -> None:
        if self._interactive and not self._busy:
            asyncio.get_running_loop().call_soon(self._ask_again)

    def moved(self) -> None:
        """Do nothing: the first news of the new game shows it."""

    def bell(self) -> None:
        if self._out.isatty():
            self._write("\a")

    def _ask_again(self) -> None:
        if not self._busy and not self.desk.over:
            self._ask()

    def _ask(self) -> None:
        """Write the prompt, unless it is already there."""
        prompt = self.desk.prompt
        if prompt == self._asking:
            return
        if self._asking:
            self._write("\n")
        self._write(prompt)
        self._asking = prompt

    def _line(self, text: str) -> None:
        if self._asking:
            self._write("\n")
            self._asking = ""
            if self._interactive and not self._busy:
                asyncio.get_running_loop().call_soon(self._ask_again)
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
