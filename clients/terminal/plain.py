"""The plain front end: the board as text, whole sentences, a prompt. For pipes, screen readers, and dumb terminals.

It knows lines in and lines out. It sends no escape codes but colour, and that only where a terminal wants it.

At a terminal a line is carried out when it comes. What comes through a pipe is all there at once, so that each line
waits until something is expected of us; at its end, one who looks on sees the game to its end.
"""

import asyncio
import codecs
import os
import threading
from collections.abc import Sequence
from typing import Literal, TextIO

from fourfold.clients.games.game import News, Venue
from fourfold.clients.terminal.controller.controller import Controller
from fourfold.clients.terminal.text import answers, drawing, words
from fourfold.clients.terminal.text.ink import Ink

_HELLO = "Type a move or a command and press Enter; 'help' lists what can be typed."


class Lines:
    """The lines of a stream, without holding up the event loop. `interactive` says whether somebody types them."""

    def __init__(self, stream: TextIO) -> None:
        self.interactive = stream.isatty()
        self._file = stream.fileno()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        # A daemon that reads the bare file: neither it nor a lock of the stream keeps the process from ending.
        threading.Thread(target=self._read, daemon=True, name="lines").start()

    async def next(self) -> str | None:
        """The next line; None at the end."""
        return await self._lines.get()

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        rest = ""
        while True:
            try:
                data = os.read(self._file, 65536)
            except OSError:
                data = b""  # the terminal is gone
            *lines, rest = (rest + decoder.decode(data, final=not data)).split("\n")
            if not data and rest:
                lines.append(rest)
            try:
                for line in lines:
                    self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
                if not data:
                    self._loop.call_soon_threadsafe(self._lines.put_nowait, None)
                    return
            except RuntimeError:
                return  # the loop is closed: nobody wants more


class Plain:
    """Plays at a venue on streams of text, after carrying out the lines `first`; a front end of a `Controller`."""

    def __init__(self, venue: Venue, lines: TextIO, out: TextIO, ink: Ink, first: Sequence[str] = ()) -> None:
        self.desk = Controller(venue, self)
        self._input = lines
        self._out = out
        self._ink = ink
        self._first = first
        self._asking = ""  # the prompt that stands at the end of what was written
        self._busy = False
        self._interactive = False

    async def run(self) -> None:
        """Play until `quit`, or the end of what is typed. Raises `ConnectionFault` when there is no going on, and
        `RequestError` if what to begin with is refused."""
        lines = Lines(self._input)
        self._interactive = lines.interactive
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
            if not lines.interactive:
                await self.desk.idle()
            self._ask()
            line = await lines.next()
            if line is None:
                self.say("")
                if not lines.interactive:
                    await self.desk.watched()
                return
            if not lines.interactive:
                self._write(f"{line}\n")
            self._asking = ""
            await self._do(line)

    async def _do(self, line: str) -> None:
        self._busy = True
        try:
            await self.desk.do(line)
        finally:
            self._busy = False

    # -- the desk's front end -------------------------------------------------------------------------

    @property
    def room(self) -> tuple[int, int] | None:
        """The size of the terminal, where somebody types."""
        if not (self._interactive and self._out.isatty()):
            return None
        try:
            size = os.get_terminal_size(self._out.fileno())
        except OSError:
            return None
        return (max(20, size.columns), size.lines) if size.columns and size.lines else None

    def say(self, text: str) -> None:
        """A line of text. Whatever others have put into it, it sends no escape codes."""
        self._line(words.shown(text))

    def show(self) -> None:
        """The board, with what moment of the game it is."""
        view = self.desk.view
        if view is None:
            return
        if view.ply is not None:
            self.say(f"The board after move {view.ply}:" if view.ply else "The board at the beginning:")
        for line in drawing.board(view, self._ink):
            self._line(line)
        game = self.desk.game
        if game is None or self.desk.editor is not None or view.ply is not None:
            return
        if game.table.clocks is not None and game.table.status == "playing":
            self.say(answers.clocks(game))

    def zoom(self, by: Literal[-1, 0, 1]) -> None:
        """Text has one size."""
        self.say("The board is text here: make the letters of your terminal larger. Without --plain it can be zoomed.")

    def heard(self, news: News) -> None:
        """What happened has been said; ask again for what is expected now."""
        if self._interactive and not self._busy:
            asyncio.get_running_loop().call_soon(self._ask_again)

    def moved(self) -> None:
        """There is another game: its first news shows it."""

    def bell(self) -> None:
        """A sound, where there is somebody to hear it."""
        if self._out.isatty():
            self._write("\a")

    def _ask_again(self) -> None:
        if not self._busy and not self.desk.over:
            self._ask()

    def _ask(self) -> None:
        """Write the prompt, unless it stands there already."""
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
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
