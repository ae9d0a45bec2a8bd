"""Imports games from files into the archive, in batches. Bad games are reported and skipped."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from fourfold.engine.notation.resume import format_of
from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import Imported
from fourfold.server.rooms import imported
from fourfold.server.rooms.imported import FORMATS, NoGame

AT_ONCE: Final = 50
"""How many games one transaction writes. Games that end meanwhile wait for it."""


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

        for number, (line, text) in enumerate(imported.texts(lines()), start=1):
            if format not in FORMATS:
                format = format_of(text)
            try:
                if format not in FORMATS:
                    raise NoGame(f"this is neither {' nor '.join(name.upper() for name in FORMATS)}")
                self._waiting.append(await imported.of(text, format))
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
