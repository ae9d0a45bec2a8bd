"""Moderation on a server: applies the orders about players and addresses, and carries out moderators' actions.

An order refuses and closes connections. `actions` gives orders, and `orders` sends them to all servers.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import structlog

from fourfold.server.archive.acts import Order, Record, Report
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.people import ADMIN, MODERATOR
from fourfold.server.clock import Clock
from fourfold.server.players.accounts import AccountRefused, Accounts
from fourfold.server.players.actions import Actions
from fourfold.server.players.identity import Player
from fourfold.server.players.orders import InForce, OrderBook, is_local, network_of, set_log_level
from fourfold.server.storage.event_log import unless_unavailable, until_available
from fourfold.server.storage.store import SharedData
from fourfold.server.supervision import Tasks, end

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


class Moderation(Actions):
    """Runs from `open` to `close`. The methods raise `AccountRefused`, and `LogUnavailable` while the database or the
    store is away."""

    def __init__(
        self, in_force: InForce, store: SharedData, archive: Archive, clock: Clock, accounts: Accounts
    ) -> None:
        super().__init__(archive, store, clock, lambda order: self._book.put([order]))  # it applies here at once
        self.in_force = in_force
        self._archive = archive
        self._accounts = accounts
        self._book = OrderBook(in_force, store, clock, self._carry_out, self.tell)
        self._tasks = Tasks()

    async def open(self) -> None:
        """Load the orders. Raises `LogUnavailable`."""
        await self._book.start()
        self._tasks.start(until_available(AGAIN, self._compare, _log, "orders not compared"))

    async def close(self) -> None:
        """Stop."""
        await end(self._tasks)
        await self._book.stop()

    async def _compare(self) -> None:
        """Copy to the store the orders that only the database has, because the store lost data."""
        held = await self._archive.orders(lambda tables: tables.in_force(self._clock()))
        await self._book.put([order for order in held if self.in_force.get(order.id) is None])

    # -- blocking orders --

    def admit(self, player: str, address: str, *, guest: bool = False) -> None:
        """Raises `AccountRefused` if a player or an address (empty: none) is banned; also for a guest, if a banned
        player came from that address. Stores the address of a banned player."""
        ban = self.in_force.about("ban", player)
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
        self._refuse(self.in_force.about("silence"))
        if self.in_force.unwanted(text) is not None:
            raise AccountRefused("unwanted_word", "This contains a word that is not allowed here. Please rephrase it.")

    def require_unmuted(self, player: Player, address: str) -> None:
        """Raises `AccountRefused` if a player is muted; also if a guest comes from an address (empty: none) from which
        a muted player came."""
        mute = self.in_force.about("mute", player.id)
        if mute is not None:
            self._remember(mute, address)
            self._refuse(mute)
        if player.session == player.id and (found := self.in_force.about_guests("mute", address)) is not None:
            self._refuse(replace(found, why=""), _UNHEARD)

    def enter(self, room: str) -> None:
        """Raises `AccountRefused` if a room is locked."""
        self._refuse(self.in_force.about("lock", room))

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
        self._tasks.start(self._extend(extended))

    async def _extend(self, order: Order) -> None:
        with unless_unavailable(_log, "address of a player not stored"):  # it is known here
            await self._book.put([order])
            also = (self.in_force.get(order.id) or order).also  # more may have come meanwhile
            await self._archive.orders(lambda tables: tables.extend(order.id, also))

    def _carry_out(self, order: Order) -> None:
        """Close the connections of newly banned players and addresses. Store the addresses of banned and muted
        players."""
        if order.kind not in ("ban", "mute") or not order.holds(self._clock()):
            return
        for connection in self._accounts.connections():
            found = self.in_force.about(order.kind, connection.player_id)
            if found is not None:
                self._remember(found, connection.address)
            if order.kind == "ban" and (found is not None or self.in_force.ban_from(connection.address)):
                connection.banish(sentence(order))

    def tell(self, text: str) -> None:
        """Send an announcement to all clients of this server."""
        for connection in self._accounts.connections():
            connection.announce(text)

    # -- permissions --

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

    # -- actions --

    async def lift(self, by: str, id: str, why: str) -> None:
        """End an order."""
        order = self.in_force.get(id)
        if order is not None and order.holds(self._clock()):
            await self.end(by, order, why)
        elif not await self._book.send_again(id):
            raise AccountRefused("no_such_order", "There is no such order in force.")

    async def rename(self, by: str, role: str, who: str, name: str, why: str) -> None:
        """Give a player's account another name."""
        await self.person(who, role)
        account = await self.existing(who)
        await self._accounts.give_name(account, name)
        await self.note(by, "rename", account.player, why)

    async def set_log_level(self, by: str, level: str, why: str) -> None:
        """Change the level of the logs of all servers, until they restart."""
        await self.note(by, "log level", level, why)
        await set_log_level(self._store, level)

    # -- reports --

    async def report(self, report: Report) -> None:
        """Store a report."""
        await self._archive.orders(lambda tables: tables.report(report))
        _log.info("reported", player=report.player, room=report.room, by=report.by)

    async def acts(self) -> list[Record]:
        """The latest rows of the audit log, newest first."""
        return await self._archive.orders(lambda tables: tables.acts())

    def name(self, player: str) -> str:
        """The name of a player's account, or else the id."""
        return self._accounts.name(player) or player


def sentence(order: Order, said: str = "") -> str:
    """The message for a player whom an order stops: until when, and why."""
    said = said or _SAID[order.kind][1]
    if order.until is not None:
        said += f" until {datetime.fromtimestamp(order.until / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    return f"{said}{f': {order.why}' if order.why else ''}".rstrip(".") + "."
