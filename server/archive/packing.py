"""The archived form of room logs and of imported games' texts: compressed, each in one piece.

The lineage and the checksum of each entry can be recomputed from the entries, so only the last lineage is stored,
beside the log. It proves that the entries are the original ones.
"""

import zlib
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import msgpack

from fourfold.server.storage.event_log import DamagedEntry
from fourfold.server.storage.records import BEGINNING, Entry, descend, schema_of, seal

FORM: Final = 1
"""The version of the format that `pack` writes. It comes first in the output."""


def pack(entries: Sequence[Entry]) -> bytes:
    """The bytes of a whole log."""
    times = [entry.at for entry in entries]
    steps = [after - before for before, after in zip([0, *times], times, strict=False)]
    schemas = bytes(0 if entry.sealed is None else schema_of(entry.sealed) for entry in entries)
    return zlib.compress(msgpack.packb([FORM, steps, schemas, [entry.packed for entry in entries]]), 6)


def unpack(packed: bytes, lineage: bytes) -> list[Entry]:
    """The entries of a packed log whose last entry has this lineage.

    Raises `DamagedEntry` if the bytes are damaged.
    """
    try:
        form, steps, schemas, written = msgpack.unpackb(zlib.decompress(packed))
    except (zlib.error, ValueError, msgpack.UnpackException) as error:
        raise DamagedEntry(1, f"the archived log can't be unpacked ({error})") from error
    if form != FORM:
        raise DamagedEntry(1, f"the archived log has the form {form}, and this server knows {FORM}")
    entries = []
    last = BEGINNING
    for seq, (at, schema, entry) in enumerate(zip(accumulate(steps), schemas, written, strict=True), start=1):
        last = descend(last, entry)
        entries.append(Entry(seq, at, entry, seal(last, entry, schema) if schema else None))
    if last != lineage:
        raise DamagedEntry(len(entries), "the archived log has a different lineage from the one written")
    return entries


def pack_text(text: str) -> bytes:
    """The bytes of the text of an imported game."""
    return zlib.compress(text.encode())


def unpack_text(packed: bytes) -> str:
    """The text that was packed. Raises `DamagedEntry` if the bytes are damaged."""
    try:
        return zlib.decompress(packed).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise DamagedEntry(1, f"the text of the imported game can't be unpacked ({error})") from error


def lineages_of(entries: Sequence[Entry]) -> list[bytes]:
    """The lineage of each entry of a whole log."""
    return list(accumulate((entry.packed for entry in entries), descend, initial=BEGINNING))[1:]
