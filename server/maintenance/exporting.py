"""Writes games of the archive as text, one after another, newest first."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Final

from fourfold.server.archive import texts
from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import Cursor, GameFacts, Search
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.records import read

PAGE: Final = 50
"""How many games are looked up at a time."""


async def exported(
    database: Database, search: Search, format: str, damaged: Callable[[str, str], None]
) -> AsyncIterator[str]:
    """The texts of the games that match a search and that the format can express. `limit` and `after` of the search are
    ignored.

    A game that can't be read is skipped: `damaged` is called with its room and the reason. Raises `ArchiveUnavailable`.
    """
    after: Cursor | None = None
    while True:
        page = await database.search(replace(search, after=after, limit=PAGE))
        for facts in page:
            if texts.is_written(facts.variant, format):
                try:
                    text = await _text(database, facts, format)
                except UnreadableEntry as error:
                    damaged(facts.room, str(error))
                    continue
                if text is not None:
                    yield text
        if len(page) < PAGE:
            return
        after = Cursor.behind(page[-1])


async def _text(database: Database, facts: GameFacts, format: str) -> str | None:
    """A game's text, the original one if it was imported; None if it has been erased meanwhile."""
    came = await database.text(facts.room) if facts.imported else None
    if came is not None and came[0] == format:
        return came[1]
    entries = await database.log(facts.room)
    return None if entries is None else texts.write(facts, read(entries), format)
