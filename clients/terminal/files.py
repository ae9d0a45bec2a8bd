"""Games in files: which format a file's name means, what is in it, and how far it can be played.

It knows files and notations. It refuses to know where the game is then played.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from clients.terminal.game import Opening
from clients.terminal.review import written
from engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from engine.notation import pgn, pgn4, smith
from engine.notation.game import Game as Record
from engine.position import Position
from engine.variants import opening

FORMATS: Final = {
    ".pgn": "pgn",
    ".pgn4": "pgn4",
    ".smith": "smith",
    ".txt": "smith",
    "": "smith",
    ".fen": "fen",
    ".fen4": "fen",
}
"""The format of a file by the ending of its name."""

_LARGEST: Final = 4_000_000


class FileFault(Exception):
    """A file that is not there, cannot be read or written, or holds no game; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A game as a file has it: what to open, and the sentences to say about it. `last` is a move that would end the
    game, to be played once it is open (None: there is none)."""

    opening: Opening
    notes: tuple[str, ...]
    last: str | None = None


def path(name: str) -> Path:
    """The file of a name that somebody typed, `~` being the home folder. Raises `FileFault` if that is not known."""
    try:
        return Path(name.strip("'\"")).expanduser()
    except RuntimeError as error:
        raise FileFault(f"{name} is no file: {error}") from error


def format_of(path: Path, players: int) -> str:
    """The format to write a game in. Raises `FileFault` for an ending that means none, or none of this game."""
    format = _format(path)
    if format == "pgn" and players > 2:
        raise FileFault(f"PGN is for two players: name the file {path.stem}.pgn4 or {path.stem}.smith.")
    if format == "pgn4" and players == 2:
        raise FileFault(f"PGN4 is for four players: name the file {path.stem}.pgn or {path.stem}.smith.")
    return format


def save(path: Path, text: str, *, overwrite: bool = False) -> None:
    """Write a game. Raises `FileFault`, and `FileExistsError` for a file that is there and may not be overwritten."""
    try:
        with path.open("w" if overwrite else "x", encoding="utf-8") as file:
            file.write(text if text.endswith("\n") else f"{text}\n")
    except FileExistsError:
        raise
    except (OSError, ValueError) as error:
        raise FileFault(f"{path} cannot be written: {_reason(error)}.") from error


def load(path: Path, variant: str = "standard") -> Loaded:
    """The game of a file, up to its first bad move, which the notes name; of several games, the first. The `variant`
    is that of a file which does not tell its own.

    Raises `FileFault` if there is no such file, or nothing in it to begin with.
    """
    format = _format(path)
    text = _text(path)
    if format == "fen":
        return Loaded(_position(path, text, variant), ())
    record = _record(path, text, format, variant)
    return _loaded(path, record)


def _format(path: Path) -> str:
    format = FORMATS.get(path.suffix.lower())
    if format is None:
        known = ", ".join(suffix for suffix in FORMATS if suffix)
        raise FileFault(f"'{path.suffix}' is no format of games: end the name in one of {known}.")
    return format


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_LARGEST + 1)
    except FileNotFoundError:
        raise FileFault(f"There is no file {path}.") from None
    except UnicodeDecodeError:
        raise FileFault(f"{path} is no text.") from None
    except (OSError, ValueError) as error:
        raise FileFault(f"{path} cannot be read: {_reason(error)}.") from error
    if len(text) > _LARGEST:
        raise FileFault(f"{path} is too long: at most {_LARGEST:,} characters are read.")
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


def _record(path: Path, text: str, format: str, variant: str) -> Record:
    if format == "smith":
        record = smith.read(text, variant)
    else:
        games = (pgn if format == "pgn" else pgn4).read(text)
        found = next(games, None)
        if found is None:
            raise FileFault(f"There is no game in {path}.")
        record = found
    failure = record.failure
    if failure is not None and failure.ply == 0:
        raise FileFault(f"{path}, line {failure.line}: {failure.reason}")
    return record


def _loaded(path: Path, record: Record) -> Loaded:
    """A record as something to open: from after the last departure on, since a game is opened with everybody in it
    who is still playing, and nobody else; and as far as our rules of its variant go."""
    steps = record.line.steps
    notes = []
    for number, step in enumerate(steps):
        if step.move is None and step.after.outcome is not None:
            notes.append(f"In {path} the game then ended: {written(step)}.")
            steps = steps[:number]
            break
    cut = max((number for number, step in enumerate(steps, start=1) if step.move is None), default=0)
    start = steps[cut - 1].after if cut else record.start
    while start.walk is not None and cut < len(steps):
        start, cut = steps[cut].after, cut + 1
    if cut:
        plies = sum(step.move is not None for step in steps[:cut])
        notes.append(f"A player had left the game in {path}: it begins after that, at move {plies + 1}.")
    variant = start.variant
    position = _playable(path, variant, start)
    moves: list[str] = []
    last = None
    failure = None
    for step in steps[cut:]:
        assert step.move is not None  # departures are behind us
        text = step.move.text
        try:
            after = position.play(position.find(text))
        except (InvalidNotation, IllegalMove) as error:
            failure = f"{path}: move {len(moves) + 1}, '{text}': {error}"
            break
        if after.outcome is not None:
            last = text
            break
        moves.append(text)
        position = after
    if failure is None and record.failure is not None:
        bad = record.failure
        failure = f"{path}, line {bad.line}: move {bad.ply}, '{bad.move}': {bad.reason}"
    if failure is not None:
        notes.append(f"{failure} Reading stops there.")
    usual = opening(variant).fen() == start.fen()
    return Loaded(Opening(variant, None if usual else start.fen(), tuple(moves)), tuple(notes), last)


def _playable(path: Path, variant: str, start: Position) -> Position:
    try:
        return opening(variant, position=start.fen())
    except (InvalidNotation, InvalidSetup) as error:
        raise FileFault(f"{path}: {error}") from error
