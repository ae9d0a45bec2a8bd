"""A watched game as text: redrawn in place on a terminal, line by line in a pipe."""

import os
import shutil
import time
from collections.abc import Callable
from typing import Final, TextIO

from fourfold.clients.following import RoomFrame
from fourfold.clients.table import Table
from fourfold.clients.terminal.text import drawing, words
from fourfold.clients.terminal.text.ink import Ink
from fourfold.clients.terminal.text.view import View
from fourfold.protocol.from_server import Room, Update

_HIDE_CURSOR: Final = "\x1b[?25l"
_SHOW_CURSOR: Final = "\x1b[?25h"
_CLEAR_LINE: Final = "\x1b[K"
_CLEAR_BELOW: Final = "\x1b[J"


class SpectatorView:
    """Shows one game, as a context manager, because it hides the cursor.

    On a large enough terminal, the board is redrawn in place. Elsewhere, the board appears at the start and at the end,
    and each event gets a line. Notices go to `errors`, or below the board.
    """

    def __init__(self, out: TextIO, errors: TextIO, now: Callable[[], float] = time.time) -> None:
        self._out = out
        self._errors = errors
        self._ink = Ink.of(out)
        self._in_place = out.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._notice = ""
        self._drawn = 0  # lines of the board as last drawn in place
        self._news = ""
        self._now = now
        self._ahead = 0  # how far the server's clock is ahead of this machine's, in milliseconds
        self.table: Table | None = None

    def __enter__(self) -> "SpectatorView":
        if self._in_place:
            self._out.write(_HIDE_CURSOR)
        return self

    def __exit__(self, *_: object) -> None:
        if self._in_place:
            self._out.write(_SHOW_CURSOR)
        self._out.flush()

    def line(self, text: str) -> None:
        """Print a line above the board, before the board is first drawn."""
        self._out.write(f"{text}\n")
        self._out.flush()

    def notice(self, sentence: str) -> None:
        """Show a sentence about the connection."""
        if self._in_place and self._errors.isatty() and self.table is not None:
            self._notice = sentence
            self._redraw(self.table)
        else:
            self._errors.write(f"{sentence}\n")
            self._errors.flush()

    def see(self, frame: RoomFrame) -> bool:
        """Take in a frame and show its news. Return False once the game is over and shown."""
        if isinstance(frame, Room | Update):
            self._ahead = frame.time - round(1000 * self._now())
        if isinstance(frame, Room):
            self.table = Table.of(frame)
            if not self._in_place and self.table.status != "finished":
                self._write(self.board(self.table))
        elif isinstance(frame, Update) and self.table is not None:
            self.table = self.table.after(frame)
            position = self.table.position
            lines = [line for event in frame.events if (line := words.event(event, position)) is not None]
            self._news = ", ".join(map(str.strip, lines)) or self._news
            if not self._in_place:
                self._write(lines)
        else:
            return True
        table = self.table
        if self._in_place:
            self._notice = ""
            self._redraw(table)
        if table.result is None:
            return True
        if not self._in_place:
            self._write(self.board(table))
        self._write([words.result(table.result)])
        return False

    def board(self, table: Table) -> list[str]:
        """The board with its players."""
        last = table.moves[-1] if table.moves else None
        return [*drawing.board(View.of(table.position, last=last), self._ink), *self._seats(table)]

    def tick(self) -> None:
        """Redraw the clocks, if the board is redrawn in place."""
        table = self.table
        if self._in_place and table is not None and table.status == "playing" and table.clocks is not None:
            self._redraw(table)

    def _clock(self, table: Table, seat: str) -> str:
        """A seat's remaining time; empty in an untimed game."""
        left = table.left(seat, round(1000 * self._now()) + self._ahead)
        return "" if left is None else f"{words.time(left):>7}  "

    def _seats(self, table: Table) -> list[str]:
        names = {seat: words.name(who.name or "(free)") for seat, who in table.seats.items()}
        width, name_width = max(map(len, names)), max(map(len, names.values()))
        lines = []
        for seat, name in names.items():
            state = "out" if seat in table.out else "to move" if seat == table.turn else ""
            mark = drawing.seat_mark(seat, self._ink)
            clock = self._clock(table, seat)
            lines.append(f"   {mark} {seat:<{width}}  {name:<{name_width}}  {clock}{state}".rstrip())
        return lines

    def _redraw(self, table: Table) -> None:
        size = shutil.get_terminal_size()
        below = [f"   {text}"[: size.columns - 1].rstrip() for text in (self._news, self._notice)]
        lines = [*self.board(table), *below]
        if len(lines) + 2 > size.lines or drawing.width(View.of(table.position)) >= size.columns:
            lines = below
        up = f"\x1b[{self._drawn}F" if self._drawn else ""
        self._out.write(up + "".join(f"{line}{_CLEAR_LINE}\n" for line in lines) + _CLEAR_BELOW)
        self._out.flush()
        self._drawn = len(lines)

    def _write(self, lines: list[str]) -> None:
        self._out.write("".join(f"{line}\n" for line in lines))
        self._out.flush()
