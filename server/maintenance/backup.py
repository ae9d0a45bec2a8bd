"""A backup: one file with all that the store and the archive hold, made while servers use them.

First the store is copied, key by key, then the archive, as it is at one moment. A game on its way from the one to the
other is therefore in the first copy, in the second, or in both; and handing it over can be done again. A log that is
appended to meanwhile is copied up to some decision.

What the archive holds compressed is unpacked on the way, so that damage is found while an older backup may still have
the game. The file is compressed, and ends with the numbers of what is in it: a part of one is told from a whole one.
"""

import gzip
import os
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import msgpack

from fourfold.server.archive.database import Database
from fourfold.server.archive.packing import unpack, unpack_text
from fourfold.server.archive.snapshot import Row, is_empty, replace, snapshot
from fourfold.server.maintenance.places import NotPossible
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.keys import Copy
from fourfold.server.storage.redis_log import RedisLog

FORM: Final = 1
"""The form of the files that `write` makes."""

_MAGIC: Final = "fourfold backup"

_UNPACK: Final[dict[str, Callable[[Row], object]]] = {
    "logs": lambda row: unpack(row["log"], row["lineage"]),
    "texts": lambda row: unpack_text(row["text"]),
}
"""What raises `UnreadableEntry` for a damaged row of each table that holds games."""


class Contents(NamedTuple):
    """What a backup has: the schema of its archive, when it was made (ms since 1970), and how many keys of the store
    and rows of the archive it holds."""

    schema: str
    made: int
    keys: int
    rows: int


async def write(
    path: Path, store: RedisLog, archive: Database, damaged: Callable[[str, str], None] = lambda room, why: None
) -> Contents:
    """Make a backup. The file has its name only when it is whole and on disk.

    It holds damaged games too, as they are: `damaged` is called with the room of each and the reason. Raises `OSError`
    and `LogUnavailable`.
    """
    part = path.with_name(f"{path.name}.part")
    made, keys, rows = round(time.time() * 1000), 0, 0
    with part.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6) as file:
        os.fchmod(raw.fileno(), 0o600)  # it has the secret that signs players' tokens
        _put(file, _MAGIC, FORM, made)
        async for copy in _copies(store):
            _put(file, "key", *copy)
            keys += 1
        async with snapshot(archive) as moment:
            _put(file, "archive", moment.schema)
            async for table, some in moment.rows():
                _put(file, "rows", table, some)
                rows += len(some)
                _check(table, some, damaged)
        _put(file, "end", keys, rows)
        file.close()
        raw.flush()
        os.fsync(raw.fileno())
    part.replace(path)
    return Contents(moment.schema, made, keys, rows)


def _check(table: str, rows: list[Row], damaged: Callable[[str, str], None]) -> None:
    unpack_row = _UNPACK.get(table)
    if unpack_row is None:
        return
    for row in rows:
        try:
            unpack_row(row)
        except UnreadableEntry as error:
            damaged(row["room"], str(error))


async def _copies(store: RedisLog) -> AsyncIterator[Copy]:
    seen: set[str] = set()
    async for names in store.keys.names():
        for name in names:
            if name not in seen and (copy := await store.keys.copy(name)) is not None:
                yield copy
            seen.add(name)


def _put(file: BinaryIO | gzip.GzipFile, *item: Any) -> None:
    file.write(msgpack.packb(item))


def look(path: Path) -> Contents:
    """Read a whole backup. Raises `NotPossible` if it is none, or damaged."""
    made, schema, keys, rows = 0, "", 0, 0
    ended = False
    try:
        for kind, *rest in items(path):
            match kind:
                case "fourfold backup":
                    _, made = rest
                case "key":
                    keys += 1
                case "archive":
                    (schema,) = rest
                case "rows":
                    rows += len(rest[1])
                case "end":
                    ended = rest == [keys, rows]
    except (OSError, EOFError, zlib.error, ValueError, msgpack.UnpackException) as error:
        raise NotPossible(f"{path} can't be read to its end: {error}") from error
    if not ended or not schema:
        raise NotPossible(f"{path} is a part of a backup: its end is missing.")
    return Contents(schema, made, keys, rows)


async def restore(path: Path, store: RedisLog, archive: Database) -> Contents:
    """Hold what a backup holds, and nothing of what there was.

    Raises `NotPossible` before anything is changed, and `LogUnavailable`.
    """
    contents = look(path)
    async for names in store.keys.names():
        await store.keys.remove(names)

    def rows() -> Iterator[tuple[str, list[dict[str, Any]]]]:
        for kind, *rest in items(path):
            if kind == "rows":
                yield rest[0], rest[1]

    await replace(archive, contents.schema, rows())
    for kind, *rest in items(path):
        if kind == "key":
            await store.keys.put(Copy(*rest))
    return contents


def items(path: Path) -> Iterator[list[Any]]:
    """What a file holds. Raises `NotPossible` if it is no backup that this server can read."""
    with gzip.open(path) as file:
        items = msgpack.Unpacker(file, max_buffer_size=0)
        try:
            kind, form, *_ = first = next(items)
        except (StopIteration, TypeError, ValueError, OSError, EOFError, zlib.error, msgpack.UnpackException) as error:
            raise NotPossible(f"{path} is no backup of fourfold-server.") from error
        if kind != _MAGIC:
            raise NotPossible(f"{path} is no backup of fourfold-server.")
        if form != FORM:
            raise NotPossible(f"{path} has the form {form}: it is of a newer server, and this one knows {FORM}.")
        yield first
        yield from items


async def is_nothing_there(store: RedisLog, archive: Database) -> bool:
    """Whether neither the store nor the archive holds anything."""
    async for names in store.keys.names():
        if names:
            return False
    return await is_empty(archive)
