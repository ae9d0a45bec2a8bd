"""A backup: one file with everything in the store and the archive, made while servers use them.

First the store is copied, key by key, then the archive, as of one moment. So a game on its way from the store to the
archive is in the first copy, in the second, or in both, and the hand-over can be repeated. A log that grows meanwhile
is copied up to some decision.

Compressed data of the archive are unpacked on the way, so that damage is found while an older backup may still have the
game. The file is compressed. It ends with the numbers of its contents, so that an incomplete file is detected.
"""

import gzip
import os
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import msgpack

from fourfold.server.archive.database import Database
from fourfold.server.archive.packing import unpack, unpack_text
from fourfold.server.archive.snapshot import Row, is_empty, replace, snapshot
from fourfold.server.clock import today
from fourfold.server.maintenance.places import NotPossible
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.keys import Copy
from fourfold.server.storage.redis_log import RedisLog

FORM: Final = 1
"""The version of the file format that `write` writes."""

_MAGIC: Final = "fourfold backup"

_UNPACK: Final[dict[str, Callable[[Row], object]]] = {
    "logs": lambda row: unpack(row["log"], row["lineage"]),
    "texts": lambda row: unpack_text(row["text"]),
}
"""The check for each table with games. It raises `UnreadableEntry` for a damaged row."""


class Contents(NamedTuple):
    """The contents of a backup: the schema of its archive, its time (ms since 1970), and the numbers of keys of the
    store and of rows of the archive."""

    schema: str
    made: int
    keys: int
    rows: int


async def write(
    path: Path, store: RedisLog, archive: Database, damaged: Callable[[str, str], None] = lambda room, why: None
) -> Contents:
    """Make a backup. The file gets its name only when it is complete and on disk.

    Damaged games are included as they are: `damaged` is called with the room of each and the reason. Raises `OSError`
    and `LogUnavailable`.
    """
    part = path.with_name(f"{path.name}.part")
    made, keys, rows = today(), 0, 0
    with part.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6) as file:
        os.fchmod(raw.fileno(), 0o600)  # it contains the secret that signs players' tokens
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
    """Read a whole backup. Raises `NotPossible` if the file is not a backup, or damaged."""
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
        raise NotPossible(f"{path} is incomplete: its end is missing.")
    return Contents(schema, made, keys, rows)


async def restore(path: Path, store: RedisLog, archive: Database) -> Contents:
    """Replace everything by the contents of a backup.

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
    """The items of a file. Raises `NotPossible` if it is not a backup that this server can read."""
    with gzip.open(path) as file:
        items = msgpack.Unpacker(file, max_buffer_size=0)
        try:
            kind, form, *_ = first = next(items)
        except (StopIteration, TypeError, ValueError, OSError, EOFError, zlib.error, msgpack.UnpackException) as error:
            raise NotPossible(f"{path} is not a backup of fourfold-server.") from error
        if kind != _MAGIC:
            raise NotPossible(f"{path} is not a backup of fourfold-server.")
        if form != FORM:
            raise NotPossible(f"{path} has the format {form}, of a newer server; this server knows {FORM}.")
        yield first
        yield from items


async def is_nothing_there(store: RedisLog, archive: Database) -> bool:
    """Whether the store and the archive are both empty."""
    async for names in store.keys.names():
        if names:
            return False
    return await is_empty(archive)
