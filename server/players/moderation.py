"""What moderators do: give and lift orders, appoint others, settle reports. Each action is in the audit log.

This module applies the orders about players and addresses: it refuses and closes connections. `orders` sends them to
all servers.
"""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import structlog

from fourfold.server.archive.acts import Order, Record, Report, new_order, record
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.people import ADMIN, MODERATOR, AccountFacts
from fourfold.server.clock import Clock
from fourfold.server.players.accounts import AccountRefused, Accounts
from fourfold.server.players.identity import Player, is_bot, is_id
from fourfold.server.players.names import skeleton
from fourfold.server.players.orders import (
    TOO_WIDE,
    InForce,
    OrderBook,
    announce,
    is_everybody,
    is_local,
    network_of,
    set_log_level,
)
from fourfold.server.players.words import plain
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.store import SharedStore
from fourfold.server.supervision import end

APART: Final = 1000
"""How many milliseconds the clocks of servers may differ. A lifted order gets an end that much earlier."""

UNKNOWN: Final = "Unknown account {}. To name a guest, use the player id."

MOST: Final = 40
"""How many further targets an order may have: a banned player's bots, and networks."""

AGAIN: Final = 5.0
"""Seconds between attempts to read the orders from the database."""

_SAID: Final = {
    "ban": ("banned", "You are banned from this server"),
    "mute": ("muted", "You are muted on this server"),
    "silence": ("chat_closed", "Chat is off on this server"),
    "lock": ("room_locked", "A moderator has locked this room: nobody can join"),
}
"""The error code of a blocking order, and the beginning of its message."""

_GUESTS: Final = "Sign in to an account. Guests from your network are refused, as a banned player came from it,"

_UNHEARD: Final = "Sign in to an account to chat. Guests from your network are muted, as a muted player came from it,"

_log = structlog.get_logger(__name__)


class Moderation:
    """Runs from `open` to `close`. The methods raise `AccountRefused`, and `LogUnavailable` while the database or the
    store is away."""

    def __init__(
        self, in_force: InForce, store: SharedStore, archive: Archive, clock: Clock, accounts: Accounts
    ) -> None:
        self.in_force = in_force
        self._store = store
        self._archive = archive
        self._clock = clock
        self._accounts = accounts
        self._book = OrderBook(in_force, store, clock, self._carry_out, self.tell)
        self._comparing: asyncio.Task[None] | None = None
        self._extending: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Load the orders. Raises `LogUnavailable`."""
        await self._book.open()
        self._comparing = asyncio.create_task(self._compare())

    async def close(self) -> None:
        """Stop."""
        await end([self._comparing, *self._extending])
        await self._book.close()

    async def _compare(self) -> None:
        """Copy to the store the orders that only the database has, because the store lost data."""
        while True:
            try:
                held = await self._archive.orders(lambda tables: tables.in_force(self._clock()))
                await self._book.put([order for order in held if self.in_force.get(order.id) is None])
                return
            except LogUnavailable as error:
                _log.debug("orders not compared", error=str(error))
                await asyncio.sleep(AGAIN)  # paces the attempts

    # -- blocking orders --

    def admit(self, player: str, address: str, *, guest: bool = False) -> None:
        """Raises `AccountRefused` if a player or an address (empty: none) is banned; also for a guest, if a banned
        player came from that address. Stores the address of a banned player."""
        ban = self.in_force.ban_of(player)
        if ban is not None:
            self._remember(ban, address)
        self._refuse(ban or self.in_force.ban_from(address))
        if guest and (found := self.in_force.about_guests("ban", address)) is not None:
            self._refuse(replace(found, why=""), _GUESTS)

    def turned_away(self, address: str) -> str | None:
        """Why an address is banned, in a sentence; None if it is not."""
        order = self.in_force.ban_from(address)
        return None if order is None else sentence(order)

    def hear(self, player: Player, text: str, address: str) -> None:
        """Raises `AccountRefused` if a player may not send this text to others: see `require_unmuted`."""
        self.require_unmuted(player, address)
        self._refuse(self.in_force.silence)
        if self.in_force.unwanted(text) is not None:
            raise AccountRefused("unwanted_word", "This contains a word that is not allowed here. Please rephrase it.")

    def require_unmuted(self, player: Player, address: str) -> None:
        """Raises `AccountRefused` if a player is muted; also if a guest comes from an address (empty: none) from which
        a muted player came."""
        mute = self.in_force.mute_of(player.id)
        if mute is not None:
            self._remember(mute, address)
            self._refuse(mute)
        if player.session == player.id and (found := self.in_force.about_guests("mute", address)) is not None:
            self._refuse(replace(found, why=""), _UNHEARD)

    def enter(self, room: str) -> None:
        """Raises `AccountRefused` if a room is locked."""
        self._refuse(self.in_force.lock_of(room))

    def _refuse(self, order: Order | None, said: str = "") -> None:
        if order is not None:
            retry = None if order.until is None else order.until - self._clock()
            raise AccountRefused(_SAID[order.kind][0], sentence(order, said), retry)

    def _remember(self, order: Order, address: str) -> None:
        """Add the address of a player to their order. (A guest becomes a new player with every new token.)"""
        network = network_of(address)
        if network is None or is_local(network) or str(network) in order.also or len(order.also) >= MOST:
            return
        extended = replace(order, also=(*order.also, str(network)))
        self.in_force.take(extended)
        task = asyncio.create_task(self._extend(extended))
        self._extending.add(task)
        task.add_done_callback(self._extending.discard)

    async def _extend(self, order: Order) -> None:
        try:
            await self._book.put([order])
            await self._archive.orders(lambda tables: tables.extend(order.id, self.in_force.others(order.id)))
        except LogUnavailable as error:
            _log.debug("address of a player not stored", error=str(error))  # it is known here

    def _carry_out(self, order: Order) -> None:
        """Close the connections of newly banned players and addresses. Store the addresses of banned and muted
        players."""
        if order.kind not in ("ban", "mute") or not order.holds(self._clock()):
            return
        of = {"ban": self.in_force.ban_of, "mute": self.in_force.mute_of}[order.kind]
        for connection in self._accounts.connections():
            found = of(connection.player_id)
            if found is not None:
                self._remember(found, connection.address)
            if order.kind == "ban" and (found is not None or self.in_force.ban_from(connection.address)):
                connection.banish(sentence(order))

    def tell(self, text: str) -> None:
        """Send an announcement to all clients of this server."""
        for connection in self._accounts.connections():
            connection.announce(text)

    # -- permissions --

    def role(self, account: AccountFacts | None) -> str:
        """The role of an account: `admin`, `moderator`, or empty."""
        return "" if account is None or account.closed is not None else account.role

    async def require(self, player: Player, role: str = MODERATOR, scopes: Collection[str] = ("", "moderate")) -> str:
        """The role of a player for an action that needs one, with a token of one of these scopes. Raises
        `AccountRefused` without that role."""
        if player.scope not in scopes:
            raise AccountRefused("out_of_scope", f"A token to {player.scope} does not allow this.")
        account = None
        if player.session != player.id:
            account = await self._archive.people(lambda tables: tables.find(player.id))
        found = self.role(account)
        if not found or role not in (found, MODERATOR):
            raise AccountRefused("not_moderator", f"Only {'admins' if role == ADMIN else 'moderators'} can do this.")
        return found

    async def account(self, who: str) -> AccountFacts | None:
        """The account with a player's id or a name."""
        return await self._archive.people(lambda tables: tables.find_either(who, skeleton(who)))

    async def _person(self, who: str, role: str) -> tuple[str, ...]:
        """The ids of a player (or of a guest, by the id), and of their bots. Raises `AccountRefused` if the player has
        a role that moderators may not act on."""
        account = await self.account(who)
        if account is None:
            if is_id(who):
                return (who,)
            raise AccountRefused("no_such_player", UNKNOWN.format(who))
        if self.role(account) and role != ADMIN:
            raise AccountRefused("outranked", f"Only an admin can do this to {account.name}.")
        return await self._archive.people(lambda tables: tables.players(account))

    # -- actions --

    async def order(self, by: Player, role: str, kind: str, target: str, why: str, seconds: int | None) -> Order:
        """Give an order for `seconds` (None: for good)."""
        whom: tuple[str, ...] = (target,)
        if kind == "ban" and (network := network_of(target)) is not None:
            if is_everybody(network):
                raise AccountRefused("bad_target", TOO_WIDE)
            whom = (str(network),)
        elif kind in ("ban", "mute"):
            whom = await self._person(target, role)
            if by.id in whom:
                raise AccountRefused("bad_target", "You can't do this to yourself.")
        elif kind == "word" and not plain(target):
            raise AccountRefused("bad_target", "A banned word needs at least one letter or digit.")
        order = new_order(kind, whom[0], whom[1:], by.id, why, self._clock(), seconds)
        await self._keep(order, record(by.id, kind, whom[0], why, order.at, order.until))
        return order

    async def lift(self, by: Player, id: str, why: str) -> None:
        """End an order."""
        order = self.in_force.get(id)
        if order is None or not order.holds(now := self._clock()):
            raise AccountRefused("no_such_order", "There is no such order in force.")
        await self._keep(ended(order, now), record(by.id, f"lift {order.kind}", order.target, why, now))

    async def _keep(self, order: Order, row: Record) -> None:
        await self._archive.orders(lambda tables: tables.put(order, row))
        await self._book.put([order])
        _log.info("moderated", action=row.action, target=row.target, by=row.by, until=row.until)

    async def note(self, by: Player, action: str, target: str, why: str) -> None:
        """Add an action to the audit log."""
        row = record(by.id, action, target, why, self._clock())
        await self._archive.orders(lambda tables: tables.note(row))
        _log.info("moderated", action=action, target=target, by=by.id)

    async def rename(self, by: Player, role: str, who: str, name: str, why: str) -> None:
        """Give a player's account another name."""
        await self._person(who, role)
        account = await self.existing(who)
        await self._accounts.give_name(account, name)
        await self.note(by, "rename", account.player, why)

    async def appoint(self, by: Player, who: str, role: str, why: str) -> None:
        """Give an account a role; an empty one removes it."""
        if role not in ("", MODERATOR, ADMIN):
            raise AccountRefused("bad_target", f"A role is {MODERATOR}, {ADMIN}, or empty.")
        account = await self.existing(who)
        if is_bot(account.player):
            raise AccountRefused("bad_target", "A bot can't have a role.")
        row = record(by.id, f"appoint {role or 'nobody'}", account.player, why, self._clock())
        await self._archive.orders(lambda tables: tables.appoint(account.player, role, row))

    async def existing(self, who: str) -> AccountFacts:
        """The account with a player's id or a name. Raises `AccountRefused` if there is none."""
        account = await self.account(who)
        if account is None:
            raise AccountRefused("no_such_player", f"Unknown account {who}.")
        return account

    async def announce(self, by: Player, text: str, why: str) -> None:
        """Send an announcement to all connected clients."""
        await self.note(by, "announce", text, why)
        await announce(self._store, text)

    async def set_log_level(self, by: Player, level: str, why: str) -> None:
        """Change the level of the logs of all servers, until they restart."""
        await self.note(by, "log level", level, why)
        await set_log_level(self._store, level)

    # -- reports --

    async def report(self, report: Report) -> None:
        """Store a report."""
        await self._archive.orders(lambda tables: tables.report(report))
        _log.info("reported", player=report.player, room=report.room, by=report.by)

    async def settle(self, by: Player, id: str, outcome: str) -> None:
        """Settle a report."""
        row = record(by.id, "settle", id, outcome, self._clock())
        if not await self._archive.orders(lambda tables: tables.settle(id, outcome, row)):
            raise AccountRefused("no_such_report", "There is no such report, or it is settled.")

    async def reports(self) -> list[Report]:
        """The open reports."""
        return await self._archive.orders(lambda tables: tables.reports())

    async def acts(self) -> list[Record]:
        """The latest rows of the audit log, newest first."""
        return await self._archive.orders(lambda tables: tables.acts())

    def name(self, player: str) -> str:
        """The name of a player's account, or else the id."""
        return self._accounts.name(player) or player


def ended(order: Order, now: int) -> Order:
    """The order, lifted now."""
    return replace(order, changed=max(now, order.changed + 1), until=now - APART)


def sentence(order: Order, said: str = "") -> str:
    """The message for a player whom an order stops: until when, and why."""
    said = said or _SAID[order.kind][1]
    if order.until is not None:
        said += f" until {datetime.fromtimestamp(order.until / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    return f"{said}{f': {order.why}' if order.why else ''}".rstrip(".") + "."
