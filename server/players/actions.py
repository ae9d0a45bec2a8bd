"""Actions of moderators: orders, announcements, reports, roles. Each action is in the audit log.

Servers carry out the requests of moderators, and `fourfold-server moderate` the commands of an operator.
"""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import structlog

from fourfold.server.archive.acts import Order, Record, Report, new_order, record
from fourfold.server.archive.people import ADMIN, AccountFacts
from fourfold.server.clock import Clock
from fourfold.server.players.accounts import AccountRefused
from fourfold.server.players.identity import is_id
from fourfold.server.players.names import skeleton
from fourfold.server.players.orders import TOO_WIDE, announce, is_everybody, network_of
from fourfold.server.players.words import plain
from fourfold.server.storage.store import SharedData

if TYPE_CHECKING:
    from fourfold.server.archive.accounts import AccountTables
    from fourfold.server.archive.orders import OrderTables

APART: Final = 1000
"""How many milliseconds the clocks of servers may differ. A lifted order gets an end that much earlier."""

_log = structlog.get_logger(__name__)

_T = TypeVar("_T")


class Tables(Protocol):
    """The database of accounts and orders. A server's `Archive` implements it, and `Places` for the operator's commands
    beside a server."""

    async def people(self, question: "Callable[[AccountTables], Coroutine[Any, Any, _T]]") -> _T:
        """The result of a query on the tables of accounts."""

    async def orders(self, question: "Callable[[OrderTables], Coroutine[Any, Any, _T]]") -> _T:
        """The result of a query on the tables of orders."""


class Actions:
    """What moderators do. `by` is the author's id, or the name of an operator. The methods raise `AccountRefused`, and
    `LogUnavailable` while the database or the store is away."""

    def __init__(
        self, tables: Tables, store: SharedData, clock: Clock, put: Callable[[Order], Awaitable[None]]
    ) -> None:
        """`put` stores an order, and notifies all servers."""
        self._tables = tables
        self._store = store
        self._clock = clock
        self._put = put

    # -- players --

    def role(self, account: AccountFacts | None) -> str:
        """The role of an account: `admin`, `moderator`, or empty."""
        return "" if account is None or account.closed is not None else account.role

    async def account(self, who: str) -> AccountFacts | None:
        """The account with a player's id or a name."""
        return await self._tables.people(lambda tables: tables.find_either(who, skeleton(who)))

    async def existing(self, who: str) -> AccountFacts:
        """The account with a player's id or a name. Raises `AccountRefused` if there is none."""
        account = await self.account(who)
        if account is None:
            raise AccountRefused("no_such_player", f"Unknown account {who}.")
        return account

    async def person(self, who: str, role: str) -> tuple[str, ...]:
        """The ids of a player (or of a guest, by the id), and of their bots. Raises `AccountRefused` if an author of
        this role may not act on them."""
        account = await self.account(who)
        if account is None:
            if is_id(who):
                return (who,)
            raise AccountRefused("no_such_player", f"Unknown account {who}. To name a guest, use the player id.")
        if self.role(account) and role != ADMIN:
            raise AccountRefused("outranked", f"Only an admin can do this to {account.name}.")
        return await self._tables.people(lambda tables: tables.players(account))

    # -- actions --

    async def order(self, by: str, role: str, kind: str, target: str, why: str, seconds: int | None) -> Order:
        """Give an order for `seconds` (None: for good)."""
        whom: tuple[str, ...] = (target,)
        if kind == "ban" and (network := network_of(target)) is not None:
            if is_everybody(network):
                raise AccountRefused("bad_target", TOO_WIDE)
            whom = (str(network),)
        elif kind in ("ban", "mute"):
            whom = await self.person(target, role)
            if by in whom:
                raise AccountRefused("bad_target", "You can't do this to yourself.")
        elif kind == "word" and not plain(target):
            raise AccountRefused("bad_target", "A banned word needs at least one letter or digit.")
        order = new_order(kind, whom[0], whom[1:], by, why, self._clock(), seconds)
        await self._keep(order, record(by, kind, whom[0], why, order.at, order.until))
        return order

    async def end(self, by: str, order: Order, why: str) -> None:
        """Lift an order."""
        now = self._clock()
        await self._keep(ended(order, now), record(by, f"lift {order.kind}", order.target, why, now))

    async def _keep(self, order: Order, row: Record) -> None:
        await self._tables.orders(lambda tables: tables.put(order, row))
        await self._put(order)
        _log.info("moderated", action=row.action, target=row.target, by=row.by, until=row.until)

    async def note(self, by: str, action: str, target: str, why: str) -> None:
        """Add an action to the audit log."""
        row = record(by, action, target, why, self._clock())
        await self._tables.orders(lambda tables: tables.note(row))
        _log.info("moderated", action=action, target=target, by=by)

    async def appoint(self, by: str, account: AccountFacts, role: str, why: str) -> None:
        """Give an account a role; an empty one removes it."""
        row = record(by, f"appoint {role or 'nobody'}", account.player, why, self._clock())
        await self._tables.orders(lambda tables: tables.appoint(account.player, role, row))

    async def announce(self, by: str, text: str, why: str) -> None:
        """Send an announcement to all connected clients."""
        await self.note(by, "announce", text, why)
        await announce(self._store, text)

    # -- reports --

    async def reports(self) -> list[Report]:
        """The open reports."""
        return await self._tables.orders(lambda tables: tables.reports())

    async def settle(self, by: str, id: str, outcome: str) -> bool:
        """Settle a report. Returns False if no such report is open."""
        row = record(by, "settle", id, outcome, self._clock())
        return await self._tables.orders(lambda tables: tables.settle(id, outcome, row))


def ended(order: Order, now: int) -> Order:
    """The order, lifted now."""
    return replace(order, changed=max(now, order.changed + 1), until=now - APART)
