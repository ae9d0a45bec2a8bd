"""Imports games from files into the archive, some at a time. A bad game is named and passed over; the rest is kept."""

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
"""How many games are written in one transaction: games that end meanwhile wait for it."""

FORMATS: Final = ("pgn", "pgn4")
"""What is imported; a file says by its ending which it is, or else by its first game."""


class Bad(NamedTuple):
    """A game that can't be imported: its file, its number in there from 1, its first line, and why not."""

    file: str
    number: int
    line: int
    why: str


class Importer:
    """Counts what it has imported: the games that are `new`, those that were `known`, and those that were `bad`."""

    def __init__(self, database: Database, now: Callable[[], int], tell: Callable[[Bad], None]) -> None:
        """`tell` is called with each game that is passed over."""
        self._database = database
        self._now = now
        self._tell = tell
        self._waiting: list[Imported] = []
        self.new = self.known = self.bad = 0

    async def take(self, name: str, file: BinaryIO) -> AsyncIterator[int]:
        """Import the games of a file, and give the number of bytes read so far, game by game. Raises `OSError`, and
        `ArchiveUnavailable`: what has been written by then stays."""
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
        """Write what has been read."""
        games, self._waiting = self._waiting, []
        if games:
            new = await self._database.import_games(games, self._now())
            self.new += new
            self.known += len(games) - new


async def _imported(text: str, format: str) -> Imported:
    kept = text.strip("\n") + "\n"
    games = list(READERS[format](kept))
    if len(games) != 1:
        raise NoGame("there is no game" if not games else "several games are not parted by their tags")
    entries, decisions = records.log(games[0])
    room = records.room_of(kept)
    _, (facts,) = await fold(room, decisions)
    return Imported(room, entries, facts, format, kept)
