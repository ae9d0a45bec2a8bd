"""What an entry of a log says of itself: which entries it follows, and that it is as it was written.

The lineage of an entry is a short digest over all entries up to it. Its writer knows it before the store does,
and so does everybody who has read the log: two who hold the same version of a room, but not the same lineage,
hold two different games. The time of an entry is the store's to give, and not part of it.

A seal is kept beside each entry: the schema it is written in, a checksum, and its lineage. Entries of older
servers have none; their lineage follows from what they hold.
"""

import struct
from hashlib import blake2b
from typing import Final
from zlib import crc32

from fourfold.server.storage.event_log import DamagedEntry, NewerEntry

SCHEMA: Final = 1
"""The schema of the entries that this server writes, 1 to 127. It is raised when an older server must not try to
read them; events and fields that an older one does not know need not raise it."""

BEGINNING: Final = b""
"""The lineage of a log without entries."""

_FORM: Final = struct.Struct(">BI8s")

SIZE: Final = _FORM.size
"""How many bytes a seal has. The last 8 are the lineage: the script that appends compares them."""


def descend(before: bytes, packed: bytes) -> bytes:
    """The lineage of an entry that follows the lineage `before`."""
    return blake2b(before + packed, digest_size=8).digest()


def seal(lineage: bytes, packed: bytes, schema: int = SCHEMA) -> bytes:
    """What is kept beside a packed entry of this lineage."""
    return _FORM.pack(schema, crc32(packed, schema), lineage)


def unseal(seq: int, sealed: bytes, packed: bytes) -> bytes:
    """The lineage that a seal names.

    Raises `NewerEntry` or `DamagedEntry` if entry `seq` is not one that this server can read.
    """
    try:
        schema, checksum, lineage = _FORM.unpack(sealed)
    except struct.error as error:
        raise DamagedEntry(seq, "its seal is broken") from error
    if checksum != crc32(packed, schema):
        raise DamagedEntry(seq, "its checksum does not fit")
    if schema > SCHEMA:
        raise NewerEntry(seq, f"its schema is {schema}, and this server knows {SCHEMA}")
    found: bytes = lineage
    return found
