"""What servers load before they start: modules, and the files of the browser client. `tests.forked` loads it once."""

import gc

import aiosqlite
import alembic.command

from fourfold.server import __main__, process
from fourfold.server.transport import static_files

__all__ = ["__main__", "aiosqlite", "alembic", "process"]

static_files.load(frozenset())
gc.freeze()  # no server needs to look through all this again
