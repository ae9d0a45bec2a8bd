"""The moderators' orders in force, in the memory of every server.

The archive's database holds them. The store has a copy, so that a server has them before it accepts clients, and while
the database is away. A change goes to all servers at once. A lifted order is kept as one that has ended, so that a
server that missed the change can't restore it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final, TypeAlias

import msgspec

from fourfold.server import logs
from fourfold.server.archive.acts import Order
from fourfold.server.clock import Clock
from fourfold.server.players import words
from fourfold.server.replication.collection import ReplicatedCollection, read_hash, write_hash
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.store import SharedData

ROOM: Final = "orders"
"""The room id for messages about orders between servers. No room has this id."""

HELD: Final = "fourfold:{orders}:held"
"""The hash of the orders by their ids."""

GUESTS: Final = 30 * 86_400_000
"""Milliseconds, at most, for which a ban or a mute also applies to guests from the player's addresses."""

FORGOTTEN: Final = 86_400_000
"""Milliseconds for which an ended order stays in the store. No server should miss it for longer."""

Network: TypeAlias = IPv4Network | IPv6Network

_Networks: TypeAlias = dict[tuple[int, int], dict[int, set[str]]]
"""The ids of orders by the version and length of a network, then by its number."""


WIDEST: Final = {4: 8, 6: 19}
"""The prefix length of the widest network that can be banned, by IP version."""

TOO_WIDE: Final = "You can't ban this machine's own addresses, or networks as wide as this."

_LOCAL: Final[tuple[Network, ...]] = tuple(
    ip_network(one)
    for one in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "::/64", "fc00::/7")
)


_LOOPBACK: Final[dict[int, Network]] = {4: ip_network("127.0.0.0/8"), 6: ip_network("::1/128")}


class Told(msgspec.Struct, array_like=True):
    """A message between servers: new or changed orders, an announcement to everyone, the ids of orders to forget, and
    the level that all logs change to."""

    orders: list[Order] = []
    announcement: str = ""
    forgotten: list[str] = []
    level: str = ""


def network_of(target: str) -> Network | None:
    """The network or address of a ban; None if the ban is about a player. For an IPv6 address, the /64 network that one
    customer gets."""
    try:
        network = ip_network(target, strict=False)
    except ValueError:
        return None
    if isinstance(network, IPv6Network) and network.prefixlen > 64:
        mapped = network.network_address.ipv4_mapped
        if mapped is not None:
            return ip_network((mapped, max(network.prefixlen - 96, 0)), strict=False)
        return network.supernet(new_prefix=64)
    return network


def is_everybody(network: Network) -> bool:
    """Whether a ban of a network must be a mistake: it covers this machine's own addresses, or half the world."""
    own = _LOOPBACK[network.version]
    return network.overlaps(own) or network.prefixlen < WIDEST[network.version]


def is_local(network: Network) -> bool:
    """Whether a network is that of this machine or its site: a proxy, or everybody in the building."""
    if isinstance(network, IPv4Network):
        return any(network.subnet_of(one) for one in _LOCAL if isinstance(one, IPv4Network))
    return any(network.subnet_of(one) for one in _LOCAL if isinstance(one, IPv6Network))


class InForce:
    """The orders that this server knows."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._orders: dict[str, Order] = {}
        self._about: dict[tuple[str, str], dict[str, Order]] = {}  # by kind and target, then by id
        self._networks: _Networks = {}
        self._origins: _Networks = {}  # the addresses' players, by order

    def all(self) -> list[Order]:
        """The orders in force, oldest first."""
        now = self._clock()
        return sorted((one for one in self._orders.values() if one.holds(now)), key=lambda one: (one.at, one.id))

    def get(self, id: str) -> Order | None:
        """An order, also one that has ended."""
        return self._orders.get(id)

    def take(self, order: Order) -> bool:
        """Apply an order; returns whether it was new, newer, or had more targets."""
        known = self._orders.get(order.id)
        if known is not None:
            latest, other = (order, known) if order.changed > known.changed else (known, order)
            order = replace(latest, also=tuple(dict.fromkeys((*latest.also, *other.also))))
            if order == known:
                return False
        self._orders[order.id] = order
        for target in (order.target, *order.also):
            network = network_of(target) if order.kind in ("ban", "mute") else None
            if network is None:
                self._about.setdefault((order.kind, target), {})[order.id] = order
            else:
                networks = self._networks if target == order.target else self._origins
                length = (network.version, network.prefixlen)
                networks.setdefault(length, {}).setdefault(int(network.network_address), set()).add(order.id)
        return True

    def forget(self, id: str) -> None:
        """Forget an order."""
        order = self._orders.pop(id, None)
        if order is None:
            return
        for target in (order.target, *order.also):
            self._about.get((order.kind, target), {}).pop(id, None)

    def about(self, kind: str, target: str = "") -> Order | None:
        """The longest order in force of a kind about a target: a player, a room or a word. `silence` has none."""
        return self._longest(self._about.get((kind, target), {}).values())

    def _longest(self, orders: Iterable[Order]) -> Order | None:
        now = self._clock()
        holding = [order for order in orders if order.holds(now)]
        return max(holding, key=lambda order: float("inf") if order.until is None else order.until, default=None)

    def ban_from(self, address: str) -> Order | None:
        """The ban of an address, as `Admission.address` writes it."""
        return self._longest(self._of_address(self._networks, address))

    def about_guests(self, kind: str, address: str) -> Order | None:
        """The order of a kind about a player who came from an address. It applies to guests from there too."""
        early = self._clock() - GUESTS
        found = self._of_address(self._origins, address)
        return self._longest(one for one in found if one.kind == kind and one.changed > early)

    def _of_address(self, networks: _Networks, address: str) -> list[Order]:
        if not networks or (network := network_of(address)) is None:
            return []
        number = int(network.network_address)
        found: set[str] = set()
        for (version, length), banned in networks.items():
            if version == network.version and length <= network.prefixlen:
                spare = network.max_prefixlen - length
                found |= banned.get(number >> spare << spare, set())
        return [order for id in found if (order := self._orders.get(id)) is not None]

    def unwanted(self, text: str) -> Order | None:
        """The order against a word in a text, in any spelling."""
        about = [target for kind, target in self._about if kind == "word"]
        holding = {words.plain(target): order for target in about if (order := self.about("word", target))}
        word = words.found(text, holding) if holding else None
        return None if word is None else holding[word]


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Told).decode
_decode_order: Final = msgspec.msgpack.Decoder(Order).decode


async def publish(store: SharedData, order: Order) -> None:
    """Store an order, and notify all servers; for callers that are not servers. Raises `LogUnavailable`."""
    await write_hash(store, HELD, [(order.id, _encode(order))])
    await store.tell(ROOM, _encode(Told([order])))


async def forget(store: SharedData, ids: Sequence[str]) -> None:
    """Make all servers forget orders. Raises `LogUnavailable`."""
    if ids:
        await store.execute(HELD, "HDEL", HELD, *ids)
        await store.tell(ROOM, _encode(Told(forgotten=list(ids))))


async def announce(store: SharedData, text: str) -> None:
    """Make all servers send an announcement to their clients. Raises `LogUnavailable`."""
    await store.tell(ROOM, _encode(Told(announcement=text)))


async def set_log_level(store: SharedData, level: str) -> None:
    """Make all servers log from a level on. Raises `LogUnavailable`."""
    await store.tell(ROOM, _encode(Told(level=level)))


class OrderBook(ReplicatedCollection):
    """Keeps the orders in force up to date from `start` to `stop`."""

    def __init__(
        self,
        in_force: InForce,
        store: SharedData,
        clock: Clock,
        changed: Callable[[Order], object],
        announced: Callable[[str], object],
    ) -> None:
        """`changed` is called with each new or changed order, `announced` with each announcement."""
        super().__init__(store, ROOM, "orders")
        self.in_force = in_force
        self._store = store
        self._clock = clock
        self._changed = changed
        self._announced = announced
        self._unsent: set[str] = set()  # orders that not all servers know, perhaps

    async def put(self, orders: Iterable[Order]) -> None:
        """Store orders, and notify all servers. They are in force here at once. After `LogUnavailable` they are stored
        and sent as soon as the store takes them."""
        for order in orders:
            self._apply(order)
            self._unsent.add(order.id)
        try:
            await self._send()
        except LogUnavailable:
            self.missed()  # learn, and send what is not sent
            raise

    async def send_again(self, id: str) -> bool:
        """Store and send an order again, if the store may lack its latest change. Returns False if the store has it.
        Raises `LogUnavailable`."""
        if id not in self._unsent:
            return False
        await self._send()
        return True

    async def _send(self) -> None:
        for id in list(self._unsent):
            order = self.in_force.get(id)
            if order is not None:
                await publish(self._store, order)
            if self.in_force.get(id) is order:  # it has not changed meanwhile
                self._unsent.discard(id)

    def take(self, message: bytes) -> None:
        """Apply the message of a server."""
        told = _decode(message)
        for order in told.orders:
            self._apply(order)
        for id in told.forgotten:
            self.in_force.forget(id)
        if told.announcement:
            self._announced(told.announcement)
        if told.level in logs.LEVELS:
            logs.change_level(told.level)

    def _apply(self, order: Order) -> None:
        if self.in_force.take(order):
            self._changed(order)

    async def learn(self) -> None:
        """Load the stored orders. Store and send again those in force that the store has lost, and those that have
        changed here since, also by their end."""
        there = {id: _decode_order(kept) for id, kept in (await read_hash(self._store, HELD)).items()}
        for order in there.values():
            self._apply(order)
        early = self._clock() - FORGOTTEN
        over = [order.id for order in there.values() if order.until is not None and order.until < early]
        if over:
            await self._store.execute(HELD, "HDEL", HELD, *over)
            for id in over:
                self.in_force.forget(id)
        self._unsent |= {order.id for order in self.in_force.all() if order.id not in there}
        self._unsent |= {id for id, kept in there.items() if self.in_force.get(id) not in (None, kept)}
        await self._send()
