"""The browser client's files, held in memory as they are when the server starts.

They are data of the package `clients`, none of whose code is run: the server only hands them out. It knows
paths and versions of files, and refuses to know HTTP beyond that.
"""

import gzip
import hashlib
import importlib.util
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class File:
    """A file: its bytes as they are and compressed (gzip), its media type, and the tag of this version."""

    body: bytes
    packed: bytes
    type: str
    tag: str


class Pages:
    """The files by the path they are found at."""

    def __init__(self, files: Mapping[str, File]) -> None:
        """`files` by their names; the pages among them are `index.html` and `room.html`."""
        self._files = {f"/static/{name}": file for name, file in files.items() if not name.endswith(".html")}
        self._lobby = files.get("index.html")
        self._room = files.get("room.html")

    def find(self, path: str) -> File | None:
        """The file at a path, without its query; None if there is none."""
        if path == "/":
            return self._lobby
        if path.startswith("/r/") and "/" not in path[3:] and path != "/r/":
            return self._room
        return self._files.get(path)


def load() -> Pages:
    """Read the files of the installed client; none, with a warning, if it is not installed."""
    package = importlib.util.find_spec("clients")  # found, not imported
    for place in () if package is None else package.submodule_search_locations or ():
        folder = Path(place) / "web" / "static"
        if folder.is_dir():
            return Pages({path.name: _read(path) for path in sorted(folder.iterdir()) if path.is_file()})
    _log.warning("the browser client is not installed; only programs can connect")
    return Pages({})


def _read(path: Path) -> File:
    body = path.read_bytes()
    type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return File(body, gzip.compress(body, mtime=0), type, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
