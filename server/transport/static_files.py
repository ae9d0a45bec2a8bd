"""The browser client's files, read into memory when the server starts.

They are data files of the package `clients`; none of its code runs here. A file's name is its path in the client's
folder, such as `ui/dom.js`. Each file is also served at `/static/BUILD/NAME`, where `BUILD` is the version of all files
together. Files there never change, so browsers can cache them for ever. The pages link to those paths, and to all
modules that their scripts import, so that browsers request these at once and not one after the other. Comments are
removed. What pages share, such as their heads, is in parts that a page names in a line, such as
`<!-- include ui/head.html -->`. A part of servers with a feature is named with it: `<!-- include NAME if engines -->`.
"""

import gzip
import hashlib
import importlib.util
import json
import mimetypes
import posixpath
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import structlog

from fourfold.engine.position import Variant
from fourfold.engine.variants import VARIANTS
from fourfold.server.players.oidc import CALLBACK
from fourfold.server.transport.raster import SIDE

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}

PICTURED: Final = 256
"""How many pages of rooms and studies are cached with their link previews."""

_SHOWN: Final = {
    "r": ("A game of chess", "Watch it, play it, or look at it move by move."),
    "s": ("A study of chess", "Chapters of moves with variations and comments, which several people may write."),
}
"""The title and description of a page, by the beginning of its path."""

_LOBBY: Final = "lobby/index.html"
_LINKED: Final = {"r": "game/room.html", "s": "study/study.html"}
"""The page of rooms and that of studies, by the beginning of their paths."""

_PAGES: Final = {
    "/puzzles": "puzzles/puzzles.html",
    "/studies": "study/studies.html",
    "/read": "study/reader.html",
    "/admin": "admin/admin.html",
    "/learn": "learn/learn.html",
    "/preferences": "preferences/preferences.html",
    "/tv": "tv/tv.html",
    "/wall": "tv/wall.html",
    "/embed": "tv/embed.html",
    "/overlay": "tv/overlay.html",
    "/engines": "engines/engines.html",
}
"""The page of each other path."""

ENGINES: Final = "engines"
"""The feature of servers that publish a rating list of engines."""

_FEATURES: Final = {"/engines": ENGINES}
"""The feature that a server needs for a page, unless each server has the page."""

_NAMED: Final = re.compile(r"(/learn|/embed|/overlay)/[0-9a-z_]{1,32}")
"""The paths of pages about a variant or a room, whose scripts read its name."""

_FRAMED: Final = frozenset({"tv/embed.html"})
"""The pages that other sites may show in a frame."""

_LINK_TO: Final = re.compile(r"/[rs]/[0-9a-z]{1,32}")
_IMPORT: Final = re.compile(rb'^(?:import|export)\b[^;]*?\bfrom "(\.\.?/[\w./-]+)"', re.MULTILINE)
_LINK: Final = re.compile(rb'(?<=["\'])/static/(?=[\w./-]+["\'])')
_INCLUDE: Final = re.compile(rb"[ \t]*<!-- include ([\w./-]+)(?: if (\w+))? -->\n")
_SCRIPT: Final = re.compile(rb'<script type="module" src="/static/([\w./-]+)"></script>\n')

_COMMENT: Final = re.compile(
    rb"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)[ \t]*\n|/\*\* @(?:type|param)\b[^*\n]*\*/ ?"
    rb"|(?<=[;,{}(])[ \t]+// [^\n\"'`]*$",
    re.MULTILINE | re.DOTALL,
)
"""Comments of whole lines and at the end of lines, and type annotations: half of the bytes, and useful only to readers
of the source."""

_INDENT: Final = re.compile(rb"\n[ \t]+")
"""The indentation of modules and style sheets, which browsers ignore. No text of a module goes over several lines."""

_VARIANTS_HEAD: Final = """\
/** The variants of the engine. The server generates this module. */

/**
 * @typedef {object} Variant the page's knowledge of a variant
 * @property {string} name
 * @property {string[]} seats in turn order
 * @property {number[][]} forward for each seat, the files and ranks of a pawn's step
 * @property {number[]} teams for each seat, the number of its team @property {boolean} scored whether points decide
 * @property {{files: number, ranks: number, missing: string[]}} board
 * @property {string} start the usual start array
 * @property {string[]} kings the king's squares for castling by two squares
 * @property {string[]} [players] the first seat of each player, if players have several
 */

/** @type {Record<string, Variant>} */
"""

_SUMMARIES_HEAD: Final = """\
/** The aim of each variant of the engine, in a sentence. The server generates this module. */

/** @type {Record<string, string>} */
"""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file: its bytes, plain and compressed (gzip; None if that saves nothing), its media type, its ETag, and whether
    the content at its path never changes. A page that is `framed` may be shown inside pages of other sites."""

    body: bytes
    packed: bytes | None
    type: str
    tag: str
    lasting: bool = False
    framed: bool = False


class StaticFiles:
    """The files, by path."""

    def __init__(self, files: Mapping[str, bytes], features: Collection[str] = ()) -> None:
        """`files` are by name; the pages among them are `_LOBBY` and those of `_LINKED` and `_PAGES`. Parts and pages
        that need a feature are left out without it."""
        digest = hashlib.sha256()
        for name, body in sorted(files.items()):
            digest.update(f"{name} {len(body)} ".encode() + body)
        self._features = features
        self.build = digest.hexdigest()[:16] if files else ""
        """The version of all files together; empty if there are none."""
        self._files: dict[str, StaticFile] = {}
        pages: dict[str, StaticFile] = {}
        for name, body in files.items():
            if name.endswith(".html"):
                pages[name] = replace(_file(name, self._filled(body, files)), framed=name in _FRAMED)
            else:
                file = self._files[f"/static/{name}"] = _file(name, body)
                self._files[f"/static/{self.build}/{name}"] = replace(file, lasting=True)
        self._lobby = pages.get(_LOBBY)
        self._linked = {kind: pages.get(name) for kind, name in _LINKED.items()}
        self._others = {
            path: pages[name]
            for path, name in _PAGES.items()
            if name in pages and (path not in _FEATURES or _FEATURES[path] in features)
        }
        self._pictured = lru_cache(PICTURED)(self._shown)

    def _filled(self, page: bytes, files: Mapping[str, bytes]) -> bytes:
        """A page with its parts, with links to the files of this build, and to the modules that its scripts import.
        Raises `KeyError` for a missing part or module."""

        def with_preloads(script: re.Match[bytes]) -> bytes:
            names = sorted(imports(script[1].decode(), files))
            links = "".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in names)
            return script[0] + links.encode()

        def part(named: re.Match[bytes]) -> bytes:
            return files[named[1].decode()] if named[2] is None or named[2].decode() in self._features else b""

        whole = _INCLUDE.sub(part, page)
        return _LINK.sub(f"/static/{self.build}/".encode(), _SCRIPT.sub(with_preloads, whole))

    def find(self, path: str, origin: str | None = None) -> StaticFile | None:
        """The file at a path (without query); None if there is none. With the server's `origin`, such as
        `https://chess.example.org`, the page of a room or a study links to its picture."""
        if path in ("/", CALLBACK):
            return self._lobby
        kind, name = path[1:2], path[3:]
        if path[:3] in ("/r/", "/s/") and name and "/" not in name:
            linked = origin is not None and _LINK_TO.fullmatch(path) is not None
            return self._pictured(kind, f"{origin}{path}") if linked else self._linked[kind]
        named = _NAMED.fullmatch(path)
        return self._others.get(named[1] if named else path) or self._files.get(path)

    def _shown(self, kind: str, link: str) -> StaticFile | None:
        """The page of the room or study of a link, with its preview for chat programs (Open Graph). No chat program
        shows an SVG, and large previews cut square pictures."""
        page = self._linked[kind]
        if page is None:
            return None
        title, description = _SHOWN[kind]
        tags = "".join(
            f'<meta property="og:{name}" content="{content}">\n'
            for name, content in (
                ("type", "website"),
                ("site_name", "Fourfold"),
                ("title", title),
                ("description", description),
                ("url", link),
                ("image", f"{link}.png"),
                ("image:type", _TYPES[".png"]),
                ("image:width", SIDE),
                ("image:height", SIDE),
                ("image:alt", "The position on the board"),
            )
        )
        tags += '<meta name="twitter:card" content="summary">\n'
        return _made(page.body.replace(b"</head>", tags.encode() + b"</head>", 1), page.type, 1)


def imports(name: str, files: Mapping[str, bytes]) -> set[str]:
    """All modules that a module imports, directly or indirectly. Raises `KeyError` for one that is missing."""
    found: set[str] = set()
    todo = [name]
    while todo:
        module = todo.pop()
        folder = posixpath.dirname(module)
        named = _IMPORT.findall(files[module])
        news = {posixpath.normpath(posixpath.join(folder, path.decode())) for path in named} - found
        found |= news
        todo += news
    return found


@lru_cache(2)
def load(features: frozenset[str] = frozenset()) -> StaticFiles:
    """Read the files of the installed client, once for all servers of a process that have the same features. Without a
    client, logs a warning and serves none."""
    package = importlib.util.find_spec("fourfold.clients")  # found, not imported
    for place in () if package is None else package.submodule_search_locations or ():
        folder = Path(place) / "web" / "static"
        if folder.is_dir():
            paths = sorted(path for path in folder.rglob("*") if path.is_file())
            files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
            return StaticFiles(files | generated_modules(), features)
    _log.warning("the browser client is not installed; only programs can connect")
    return StaticFiles({})


def generated_modules() -> dict[str, bytes]:
    """The modules about this server's variants. The files of these names in the client's folder are for its tests and
    type checks."""
    told = {name: _told(rules) for name, rules in VARIANTS.items()}
    summaries = {name: rules.summary for name, rules in VARIANTS.items()}
    return {
        "model/variants.js": _module(f"{_VARIANTS_HEAD}export const VARIANTS", told),
        "model/summaries.js": _module(f"{_SUMMARIES_HEAD}export const SUMMARIES", summaries),
    }


def _module(head: str, values: Mapping[str, object]) -> bytes:
    lines = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in values.items())
    return f"{head} = {{\n{lines}}};\n".encode()


def _told(rules: Variant) -> dict[str, object]:
    """The part of a variant that pages need to draw it."""
    board = rules.geometry
    return {
        "name": rules.title,
        "seats": [seat.name for seat in rules.seats],
        "forward": [list(seat.forward) for seat in rules.seats],
        "teams": list(rules.teams),
        "scored": rules.scored,
        "board": {"files": board.files, "ranks": board.ranks, "missing": board.missing()},
        "start": rules.array(),
        "kings": sorted({castling.king for castling in rules.castlings if castling.target != castling.rook}),
        **({"players": [rules.seats[seat].name for seat in rules.players]} if rules.one_player_a_team else {}),
    }


def _file(name: str, body: bytes) -> StaticFile:
    if name.endswith((".js", ".css")):
        body = _INDENT.sub(b"\n" if name.endswith(".js") else b" ", _COMMENT.sub(b"", body))
    type = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return _made(body, type, 9)


def svg_file(text: str) -> StaticFile:
    """A picture that is made on demand, so compressed fast."""
    return _made(text.encode(), _TYPES[".svg"], 1)


def text_file(body: bytes, type: str) -> StaticFile:
    """A text that may change, so compressed fast."""
    return _made(body, type, 1)


def png_file(image: bytes) -> StaticFile:
    """A picture whose format is already compressed."""
    return StaticFile(image, None, _TYPES[".png"], _tag(image))


def _made(body: bytes, type: str, effort: int) -> StaticFile:
    return StaticFile(body, gzip.compress(body, effort, mtime=0), type, _tag(body))


def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:20]}"'
