"""Games in files: formats by extension, the contents, and how far each game can be played."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from fourfold.clients.games.game import Opening
from fourfold.clients.games.review import written
from fourfold.clients.long_text import PIECE, pieces
from fourfold.engine.errors import InvalidNotation, InvalidSetup
from fourfold.engine.notation import smith
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game as Record
from fourfold.engine.notation.resume import resumed
from fourfold.engine.variants import opening
from fourfold.protocol.studies import MAX_PIECES, Source

FORMATS: Final = {
    ".pgn": "pgn",
    ".pgn4": "pgn4",
    ".smith": "smith",
    ".txt": "smith",
    "": "smith",
    ".fen": "fen",
    ".fen4": "fen",
}
"""The format of a file by its extension."""

_PLAYERS: Final = {"pgn": "two", "pgn4": "four"}
"""The number of players in the formats that cannot record every game."""

_LARGEST: Final = 4_000_000

_GAME: Final = re.compile(r"\n(?=\[Event )")
"""The start of a further game in a file."""


class FileFault(Exception):
    """A file that does not exist, cannot be read or written, or has no game. The message names the file and the
    reason."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A game from a file: the arguments to open it, and sentences to show. `last` is a move that would end the game, to
    play after opening (None: there is none)."""

    opening: Opening
    notes: tuple[str, ...]
    last: str | None = None


def path(name: str) -> Path:
    """The path of a typed file name, with `~` for the home folder. Raises `FileFault` if the home folder is unknown."""
    try:
        return Path(name.strip("'\"")).expanduser()
    except RuntimeError as error:
        raise FileFault(f"{name} is not a file: {error}") from error


def format_of(path: Path, records: str) -> str:
    """The format for writing a game whose variant is recorded in `records`. Raises `FileFault` for unknown extensions
    and for formats of other games."""
    format = _format(path)
    if format in _PLAYERS and format != records:
        players = f"{format.upper()} is for {_PLAYERS[format]} players"
        raise FileFault(f"{players}: name the file {path.stem}.{records} or {path.stem}.smith.")
    return format


def save(path: Path, text: str, *, overwrite: bool = False) -> None:
    """Write a game. Raises `FileFault`, and `FileExistsError` for an existing file unless it may be overwritten."""
    try:
        with path.open("w" if overwrite else "x", encoding="utf-8") as file:
            file.write(text if text.endswith("\n") else f"{text}\n")
    except FileExistsError:
        raise
    except (OSError, ValueError) as error:
        raise FileFault(f"{path} cannot be written: {_reason(error)}.") from error


def load(path: Path, variant: str = "standard") -> Loaded:
    """The first game of a file, up to its first bad move, which the notes name. `variant` is for files that do not name
    their own.

    Raises `FileFault` if there is no such file, or no game in it.
    """
    format = _format(path)
    text = _text(path)
    if format == "fen":
        return Loaded(_position(path, text, variant), ())
    record = smith.read(text, variant) if format == "smith" else next(READERS[format](text), None)
    if record is None:
        raise FileFault(f"There is no game in {path}.")
    if record.failure is not None and record.failure.ply == 0:
        raise FileFault(f"{path}, line {record.failure.line}: {record.failure.reason}")
    return _loaded(path, record)


def sources(path: Path) -> list[Source]:
    """The games of a file as sources of a study's chapters, several in one request if they fit.

    Raises `FileFault` if there is no such file, if it has no game or position, or if a game is too long.
    """
    format = _format(path)
    text = _text(path)
    if format == "fen":
        position = _position(path, text, "standard")
        return [Source(variant=position.variant, position=position.position)]
    if format == "smith":
        raise FileFault("The file for a study must end in .pgn, .pgn4, .fen or .fen4.")
    parts: list[str] = []
    firsts: list[int] = []
    games = filter(str.strip, _GAME.split(text.replace("\r\n", "\n")))
    for number, game in enumerate(games, 1):
        if len(pieces(game)) > MAX_PIECES + 1:
            most = PIECE * (MAX_PIECES + 1)
            raise FileFault(f"A game in {path} has {len(game):,} characters; the limit for studies is {most:,}.")
        if parts and len(parts[-1]) + len(game) < PIECE:
            parts[-1] += f"\n{game}"
        else:
            parts.append(game)
            firsts.append(number)
    if not parts:
        raise FileFault(f"There is no game in {path}.")
    kind: Literal["pgn", "pgn4"] = "pgn4" if format == "pgn4" else "pgn"
    return [Source(text=part, format=kind, first=first) for part, first in zip(parts, firsts, strict=True)]


def _format(path: Path) -> str:
    format = FORMATS.get(path.suffix.lower())
    if format is None:
        known = ", ".join(suffix for suffix in FORMATS if suffix)
        raise FileFault(f"'{path.suffix}' is not a game format: end the name in one of {known}.")
    return format


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_LARGEST + 1)
    except FileNotFoundError:
        raise FileFault(f"There is no file {path}.") from None
    except UnicodeDecodeError:
        raise FileFault(f"{path} is not a text file.") from None
    except (OSError, ValueError) as error:
        raise FileFault(f"{path} cannot be read: {_reason(error)}.") from error
    if len(text) > _LARGEST:
        raise FileFault(f"{path} is too long: the limit is {_LARGEST:,} characters.")
    return text


def _reason(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def _position(path: Path, text: str, variant: str) -> Opening:
    line = next(iter(text.split("\n")), "").strip()
    four = line[:2] in ("R-", "B-", "Y-", "G-")
    name = variant if four == (variant != "standard") else "survivor" if four else "standard"
    try:
        opening(name, position=line)
    except (InvalidNotation, InvalidSetup) as error:
        raise FileFault(f"{path}: {error}") from error
    return Opening(name, line)


def _loaded(path: Path, record: Record) -> Loaded:
    """A record as a game to open, with sentences to show."""
    try:
        found = resumed(record)
    except (InvalidNotation, InvalidSetup) as error:
        raise FileFault(f"{path}: {error}") from error
    notes = []
    if found.ending is not None:
        notes.append(f"In {path} the game then ended: {written(found.ending)}.")
    if found.skipped is not None:
        passed = any(remark.code == "null_move" for remark in found.remarks)
        what = "The turn was passed" if passed else "A player had left the game"
        notes.append(f"{what} in {path}: it begins after that, at move {found.skipped + 1}.")
    notes += [f"{path}, line {remark.line}: {remark.reason}" for remark in found.remarks]
    bad = found.failure
    if bad is not None:
        line = f", line {bad.line}" if bad.line else ""
        notes.append(f"{path}{line}: move {bad.ply}, '{bad.move}': {bad.reason} Reading stops there.")
    return Loaded(Opening(found.variant, found.position, found.moves), tuple(notes), found.last)
