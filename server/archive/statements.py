"""The base of all queries on tables. Each statement has a transaction of its own."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import Executable

Begin: TypeAlias = Callable[..., AbstractAsyncContextManager[AsyncConnection]]


class Statements:
    """The base of queries on some tables of a database. All methods raise `ArchiveUnavailable`."""

    def __init__(self, begin: Begin, insert: Any) -> None:
        """`begin` begins a transaction (`write`: one that writes); `insert` builds an INSERT that may ignore
        conflicts."""
        self._begin = begin
        self._insert = insert

    async def _do(self, statement: Executable) -> None:
        """Execute a statement that writes."""
        async with self._begin(write=True) as connection:
            await connection.execute(statement)

    async def _rows(self, query: Executable) -> Sequence[Any]:
        """All rows of a query."""
        async with self._begin() as connection:
            return (await connection.execute(query)).all()
