"""Loads what every server loads at its start: modules, and the files of the browser client. The process that
`tests.forked` forks servers from imports this module once."""

import gc

import aiosqlite
import alembic.command

from fourfold.server import __main__, process
from fourfold.server.transport import static_files

__all__ = ["__main__", "aiosqlite", "alembic", "process"]

static_files.load(frozenset())
gc.freeze()  # or the garbage collector of each server would go through all this
