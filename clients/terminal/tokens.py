"""The tokens that prove players' identities, stored on disk, so that players get their seats back.

There is a small file for each server and name, readable only by its owner. A program locks the file that it uses. A
second program on the same machine uses the next file, and is another player.
"""

import os
import sys
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import Self
from urllib.parse import quote, unquote, urlsplit

if sys.platform != "win32":
    import fcntl

_MOST = 64


def folder(environ: Mapping[str, str]) -> Path:
    """The folder of tokens: `$XDG_STATE_HOME/fourfold/tokens`, usually `~/.local/state/fourfold/tokens`."""
    state = environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "fourfold" / "tokens"


def names(folder: Path, url: str) -> list[str]:
    """The names with stored tokens for a server."""
    found = set()
    for path in folder.glob("*.0"):
        server, _, name = unquote(path.stem).partition(" ")
        if name and server == urlsplit(url).netloc and path.stat().st_size:
            found.add(name)
    return sorted(found)


class StoredToken:
    """A player's token for a server, as a context manager that locks the file. `text` is the token, or None if there is
    none yet. `trouble` is the reason if tokens cannot be stored."""

    def __init__(self, folder: Path, url: str, name: str | None) -> None:
        self._folder = folder
        self._stem = quote(f"{urlsplit(url).netloc} {name or ''}".strip(), safe="")[:200]
        self._file: TextIOWrapper | None = None
        self.text: str | None = None
        self.trouble: str | None = None

    def __enter__(self) -> Self:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for number in range(_MOST):
                file = self._open(self._folder / f"{self._stem}.{number}")
                if file is not None:
                    self._file = file
                    self.text = file.read().strip() or None
                    break
        except OSError as error:
            self.trouble = f"Your seats cannot be kept for another time: {error}"
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()  # closing the file releases the lock

    def keep(self, token: str | None) -> None:
        """Store a token for the next time; None deletes it."""
        self.text = token
        if self._file is not None:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(token or "")
            self._file.flush()

    def _open(self, path: Path) -> TextIOWrapper | None:
        """The file, locked; None if another program has it."""
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="ascii", errors="replace")
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                return None
        return file
