"""Imports games from files into the archive, in batches. Bad games are reported and skipped."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.resume import format_of
from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import Imported, fold
from fourfold.server.maintenance import records
from fourfold.server.maintenance.records import NoGame

AT_ONCE: Final = 50
"""How many games one transaction writes. Games that end meanwhile wait for it."""

FORMATS: Final = ("pgn", "pgn4")
"""The formats of imported files. A file's name or its first game shows which one it is."""


class Bad(NamedTuple):
    """A game that can't be imported: its file, its number in the file from 1, its first line, and the reason."""

    file: str
    number: int
    line: int
    why: str


class Importer:
    """Counts imported games: `new`, `known` and `bad` ones."""

    def __init__(self, database: Database, now: Callable[[], int], tell: Callable[[Bad], None]) -> None:
        """`tell` is called with each skipped game."""
        self._database = database
        self._now = now
        self._tell = tell
        self._waiting: list[Imported] = []
        self.new = self.known = self.bad = 0

    async def take(self, name: str, file: BinaryIO) -> AsyncIterator[int]:
        """Import the games of a file, and yield the number of bytes read so far, game by game. Raises `OSError`, and
        `ArchiveUnavailable`: games written before that stay."""
        format = Path(name).suffix.lower().removeprefix(".")
        place = 0

        def lines() -> Iterator[bytes]:
            nonlocal place
            for line in file:
                place += len(line)
                yield line

        for number, (line, text) in enumerate(records.texts(lines()), start=1):
            if format not in FORMATS:
                format = format_of(text)
            try:
                if format not in FORMATS:
                    raise NoGame(f"this is neither {' nor '.join(name.upper() for name in FORMATS)}")
                self._waiting.append(await _imported(text, format))
            except NoGame as error:
                self.bad += 1
                self._tell(Bad(name, number, line, str(error)))
            if len(self._waiting) >= AT_ONCE:
                await self.flush()
            yield place
        await self.flush()

    async def flush(self) -> None:
        """Write the games read so far."""
        games, self._waiting = self._waiting, []
        if games:
            new = await self._database.import_games(games, self._now())
            self.new += new
            self.known += len(games) - new


async def _imported(text: str, format: str) -> Imported:
    kept = text.strip("\n") + "\n"
    games = list(READERS[format](kept))
    if len(games) != 1:
        raise NoGame("there is no game" if not games else "several games are not separated by tags")
    entries, decisions = records.log(games[0])
    room = records.room_of(kept)
    _, (facts,) = await fold(room, decisions)
    return Imported(room, entries, facts, format, kept)
