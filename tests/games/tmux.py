"""A terminal of any size for programs: tmux, whose screen is read as a person reads it."""

import itertools
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

SETTINGS: Final = """\
set -g status off
set -g history-limit 5000
set -g escape-time 0
set -g remain-on-exit on
set -g remain-on-exit-format ""
set -g default-terminal tmux-256color
"""

PATIENCE: Final = 240.0
"""Seconds for which a test waits for an expected screen."""


LONGEST_PAUSE: Final = 0.1
"""Seconds, at most, between two looks at the screen. Each look starts a process, which slows what it waits for."""


class Tmux:
    """A terminal with one program at a time."""

    def __init__(self, folder: Path, columns: int, rows: int, environment: Mapping[str, str]) -> None:
        self._socket = folder / "tmux"
        self._folder = folder
        self._status = folder / "status"
        self._size = (columns, rows)
        self._environment = environment

    def run(self, command: Sequence[str]) -> None:
        """Start a program in place of the previous one, in the test's folder."""
        self._status.unlink(missing_ok=True)
        line = f"{shlex.join(command)}; echo $? >{shlex.quote(str(self._status))}"
        if self._socket.exists():
            self._tmux("respawn-pane", "-k", line, ";", "clear-history")
            return
        settings = self._folder / "tmux.conf"
        settings.write_text(SETTINGS)
        columns, rows = map(str, self._size)
        self._tmux("-f", str(settings), "new-session", "-d", "-x", columns, "-y", rows, line)

    def type(self, line: str) -> None:
        """Type a line and Enter, as fast as possible."""
        text = ("send-keys", "-l", "--", line, ";") if line else ()
        self._tmux(*text, "send-keys", "Enter")

    def press(self, key: str) -> None:
        """Press a key, given by tmux's name for it."""
        self._tmux("send-keys", key)

    def screen(self) -> list[str]:
        """The rows of the screen, and the latest rows of the scrollback. Wrapped rows of one line are joined."""
        return [row.rstrip() for row in self._tmux("capture-pane", "-p", "-J", "-S", "-40").split("\n")]

    def until(self, wanted: Callable[[list[str]], object], what: str) -> list[str]:
        """Wait until the screen is as expected, and return it. Fails with the screen if it does not come."""
        rows = self.holds(wanted, PATIENCE)
        if rows is None:
            pytest.fail(f"{what} did not come; the screen:\n{self}")
        return rows

    def holds(self, wanted: Callable[[list[str]], object], seconds: float) -> list[str] | None:
        """Wait up to `seconds` until the screen is as expected; returns it."""
        deadline, pause = time.monotonic() + seconds, 0.01
        while not wanted(rows := self.screen()):
            if time.monotonic() > deadline:
                return None
            time.sleep(pause)
            pause = min(1.5 * pause, LONGEST_PAUSE)
        return rows

    @property
    def status(self) -> int | None:
        """The program's exit status; None while it runs."""
        text = self._status.read_text() if self._status.exists() else ""
        return int(text) if text.endswith("\n") else None

    def __str__(self) -> str:
        return "\n".join(f"|{row}" for row in self.screen())

    def close(self) -> None:
        """End the terminal and the programs in it."""
        if self._socket.exists():
            self._tmux("kill-server")

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *arguments],
            cwd=self._folder, env=self._environment, capture_output=True, text=True, timeout=240, check=True,
        )  # fmt: skip
        return done.stdout


@contextmanager
def terminal(folder: Path, columns: int, rows: int, environment: Mapping[str, str]) -> Iterator[Tmux]:
    """A terminal that is closed in the end."""
    tmux = Tmux(folder, columns, rows, environment)
    try:
        yield tmux
    finally:
        tmux.close()


def nonsense() -> Iterator[str]:
    """Words that mean nothing, all different."""
    for letters in itertools.product("bcdfghjklmnpqrstvwxz", repeat=3):
        yield f"zz{''.join(letters)}"


def named(rows: Sequence[str], word: str) -> bool:
    """Whether a screen says that the word is no command. It may be the first of the next row."""
    return re.search(rf"command( |[^\n']*\n\W*)'{re.escape(word)}'", "\n".join(rows)) is not None
