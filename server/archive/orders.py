"""Queries on the tables of orders, reports, departures and the audit log."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeAlias

from sqlalchemy import Row, Select, and_, insert, or_, select, update

from fourfold.server.archive.acts import Departure, Order, Record, Report
from fourfold.server.archive.statements import Statements
from fourfold.server.archive.tables import ACCOUNTS, AUDIT, DEPARTURES, ORDERS, REPORTS, SEATS

PAGE: Final = 100
"""How many reports and rows of the audit log are returned at once."""

Judge: TypeAlias = Callable[[list[Departure], list[tuple[str, int, int]]], int]
"""Returns a cooldown in milliseconds, from departures, newest first, and games by room and number with their ends."""

_LISTS: Final = ("lines", "moves")


class OrderTables(Statements):
    """The orders, reports and actions of a database. All methods raise `ArchiveUnavailable`."""

    async def put(self, order: Order, record: Record) -> None:
        """Store a new or changed order, with its row of the audit log."""
        row = asdict(order) | {"also": " ".join(order.also)}
        changed = {"until": order.until, "changed": order.changed}
        async with self._begin(write=True) as connection:
            kept = self._insert(ORDERS).values(**row)
            await connection.execute(kept.on_conflict_do_update(index_elements=["id"], set_=changed))
            await connection.execute(insert(AUDIT).values(**record._asdict()))

    async def extend(self, id: str, also: Sequence[str]) -> None:
        """Store the further targets of an order."""
        await self._do(update(ORDERS).where(ORDERS.c.id == id).values(also=" ".join(also)))

    async def in_force(self, now: int) -> list[Order]:
        """The orders in force, oldest first."""
        which = or_(ORDERS.c.until.is_(None), ORDERS.c.until > now)
        rows = await self._rows(select(ORDERS).where(which).order_by(ORDERS.c.at))
        return [Order(**(row._asdict() | {"also": tuple(row.also.split())})) for row in rows]

    async def about(self, players: Sequence[str]) -> list[Order]:
        """The orders about some players, and those they have given."""
        which = or_(ORDERS.c.target.in_(players), ORDERS.c.by.in_(players))
        rows = await self._rows(select(ORDERS).where(which))
        return [Order(**(row._asdict() | {"also": tuple(row.also.split())})) for row in rows]

    async def note(self, record: Record) -> None:
        """Add a row to the audit log."""
        await self._do(insert(AUDIT).values(**record._asdict()))

    async def records(self) -> list[Record]:
        """All rows of the audit log, oldest first."""
        rows = await self._rows(select(AUDIT).order_by(AUDIT.c.at, AUDIT.c.id))
        return [Record(**row._asdict()) for row in rows]

    async def acts(self) -> list[Record]:
        """The latest rows of the audit log, newest first."""
        rows = await self._rows(select(AUDIT).order_by(AUDIT.c.at.desc(), AUDIT.c.id).limit(PAGE))
        return [Record(**row._asdict()) for row in rows]

    async def appoint(self, player: str, role: str, record: Record) -> None:
        """Give a player's account a role; an empty one removes it."""
        async with self._begin(write=True) as connection:
            await connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.player == player).values(role=role))
            await connection.execute(insert(AUDIT).values(**record._asdict()))

    async def report(self, report: Report) -> None:
        """Store a report."""
        row = {name: _text(value) for name, value in asdict(report).items()}
        await self._do(insert(REPORTS).values(**row))

    async def reports(self) -> list[Report]:
        """The open reports, oldest first."""
        which = select(REPORTS).where(REPORTS.c.settled.is_(None)).order_by(REPORTS.c.at).limit(PAGE)
        return [_report(row) for row in await self._rows(which)]

    async def settle(self, id: str, outcome: str, record: Record) -> bool:
        """Settle a report; returns whether it was open."""
        async with self._begin(write=True) as connection:
            which = update(REPORTS).where(REPORTS.c.id == id, REPORTS.c.settled.is_(None))
            done = await connection.execute(which.values(settled=record.at, settled_by=record.by, outcome=outcome))
            if done.rowcount:
                await connection.execute(insert(AUDIT).values(**record._asdict()))
            return bool(done.rowcount)

    async def leave(self, departure: Departure, history: int, judge: Judge) -> int:
        """Store a departure, with its cooldown: the result of `judge` on the latest departures, newest first, and the
        latest games, `history` of each. Repeating it changes nothing."""
        async with self._begin(write=True) as connection:
            kept = self._insert(DEPARTURES).values(**departure._asdict())
            await connection.execute(kept.on_conflict_do_nothing())
            found = [Departure(*row) for row in await connection.execute(_departures(departure.player).limit(history))]
            if found[0][:3] != departure[:3] or found[0].wait:
                return found[0].wait
            games = select(SEATS.c.room, SEATS.c.number, SEATS.c.ended).where(SEATS.c.player == departure.player)
            rows = await connection.execute(games.order_by(SEATS.c.ended.desc()).limit(history))
            wait = judge(found, [(row.room, row.number, row.ended) for row in rows])
            this = and_(*(DEPARTURES.c[name] == getattr(departure, name) for name in ("player", "room", "game")))
            await connection.execute(update(DEPARTURES).where(this).values(wait=wait))
        return wait

    async def departures(self, player: str, limit: int | None = None) -> list[Departure]:
        """The departures of a player, newest first."""
        return [Departure(*row) for row in await self._rows(_departures(player).limit(limit))]

    async def forget(self, names: Mapping[str, str]) -> None:
        """Delete orders and reports about some players, their own reports, and their departures. Their own orders and
        actions, and actions about them, stay under their new `names`."""
        players = list(names)
        async with self._begin(write=True) as connection:
            for column in (AUDIT.c.by, AUDIT.c.target, ORDERS.c.by, REPORTS.c.settled_by):
                for player, name in names.items():
                    renamed = update(column.table).where(column == player)
                    await connection.execute(renamed.values({column.name: name}))
            await connection.execute(ORDERS.delete().where(ORDERS.c.target.in_(players)))
            await connection.execute(DEPARTURES.delete().where(DEPARTURES.c.player.in_(players)))
            about = or_(REPORTS.c.player.in_(players), REPORTS.c.by.in_(players))
            await connection.execute(REPORTS.delete().where(about))


def _departures(player: str) -> Select[Any]:
    return select(DEPARTURES).where(DEPARTURES.c.player == player).order_by(DEPARTURES.c.at.desc())


def _text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, tuple) else value


def _report(row: Row[Any]) -> Report:
    found = row._asdict()
    return Report(**(found | {name: tuple(json.loads(found[name])) for name in _LISTS}))
