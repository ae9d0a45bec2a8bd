"""A rating list of engines, which the operator plays and publishes: the files of its folder, by their paths.

`python -m fourfold.clients.bots.ratinglist` writes the folder. It can replace its files at any time: they are read
again after a change.
"""

import asyncio
import json
import re
import stat
import threading
from pathlib import Path
from typing import Final

from fourfold.server.transport.static_files import StaticFile, text_file

FORMAT: Final = 1
"""The version of the form of `list.json` that the page `/engines` shows."""

LIST: Final = "list.json"

LARGEST: Final = 2**20
"""The most bytes of a file. A list of 30 engines in four variants needs a quarter of it."""

CACHED: Final = 64
"""The most files in memory."""

_GAMES: Final = re.compile(r"/engines/([0-9a-f]{12}(?:\.json|-[0-9]{1,6}\.pgn4?))")
_TYPES: Final = {".json": "application/json", ".pgn": "text/plain; charset=utf-8", ".pgn4": "text/plain; charset=utf-8"}


class BadList(Exception):
    """The folder has no list that can be shown. The message is a sentence."""


def check(folder: Path) -> None:
    """Check that a folder has a list. Raises `BadList`."""
    path = folder / LIST
    try:
        body = path.read_bytes()
        found = json.loads(body)
    except OSError as error:
        raise BadList(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise BadList(f"{path} is not JSON: {error}.") from error
    if not isinstance(found, dict) or not isinstance(found.get("lists"), list):
        raise BadList(f"{path} is not a list of `python -m fourfold.clients.bots.ratinglist`.")
    if found.get("format") != FORMAT:
        raise BadList(f"{path} has the format {found.get('format')!r}, but this server shows {FORMAT}.")
    if len(body) > LARGEST:
        raise BadList(f"{path} has {len(body)} bytes, but a list has at most {LARGEST}.")


class EngineList:
    """The files of a list."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._cache: dict[Path, tuple[tuple[int, int, int], StaticFile]] = {}
        self._lock = threading.Lock()

    async def find(self, path: str) -> StaticFile | None:
        """The list at `/engines.json`, the games of two players at `/engines/ID.json`, or a game at `/engines/ID-N.pgn`
        or `.pgn4`; None for any other path, and for a file that is missing or too large."""
        if path == "/engines.json":
            return await asyncio.to_thread(self._read, self._folder / LIST)
        game = _GAMES.fullmatch(path)
        return None if game is None else await asyncio.to_thread(self._read, self._folder / "games" / game[1])

    def _read(self, path: Path) -> StaticFile | None:
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
                return None
            version = status.st_ino, status.st_mtime_ns, status.st_size
            known = self._cache.get(path)
            if known is None or known[0] != version:
                known = version, text_file(path.read_bytes(), _TYPES[path.suffix])
        except OSError:
            return None
        with self._lock:
            self._cache.pop(path, None)
            self._cache[path] = known  # the last one used is the last in order
            if len(self._cache) > CACHED:
                self._cache.pop(next(iter(self._cache)))
        return known[1]
