"""Every server's orders: updated at once, loaded at the start, stored again after a loss."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from fourfold.server.archive.acts import Order, new_order
from fourfold.server.players.actions import ended
from fourfold.server.players.moderation import sentence
from fourfold.server.players.orders import (
    FORGOTTEN,
    GUESTS,
    HELD,
    ROOM,
    InForce,
    OrderBook,
    is_everybody,
    is_local,
    network_of,
)
from fourfold.server.storage.event_log import Listener, LogUnavailable
from fourfold.server.storage.redis_log import RedisLog
from tests.server.conftest import client


def order(kind: str, target: str, now: int = 1000, seconds: int | None = None, also: tuple[str, ...] = ()) -> Order:
    return new_order(kind, target, also, "root", "a reason", now, seconds)


@pytest.fixture
async def log(every_clean_url: str) -> AsyncIterator[RedisLog]:
    log = await RedisLog.open(every_clean_url)
    yield log
    await log.close()


async def opened(log: RedisLog) -> tuple[OrderBook, asyncio.Queue[Order], asyncio.Queue[str]]:
    changed: asyncio.Queue[Order] = asyncio.Queue()
    announced: asyncio.Queue[str] = asyncio.Queue()
    book = OrderBook(InForce(log.now), log, log.now, changed.put_nowait, announced.put_nowait)
    await book.start()
    return book, changed, announced


async def test_an_order_is_known_to_all_servers_and_after_a_restart(log: RedisLog, every_clean_url: str) -> None:
    there = await RedisLog.open(every_clean_url)
    (here, _, _), (other, told, _) = await opened(log), await opened(there)
    ban = order("ban", "p1", log.now())
    await here.put([ban])
    async with asyncio.timeout(240):
        assert await told.get() == ban
    later, _, _ = await opened(log)
    assert later.in_force.about("ban", "p1") == ban
    lifted = ended(ban, log.now())
    await here.put([lifted])
    async with asyncio.timeout(240):
        assert await told.get() == lifted
    assert other.in_force.about("ban", "p1") is None and not other.in_force.all()
    for book in (here, other, later):
        await book.stop()
    await there.close()


async def test_what_the_store_has_lost_is_kept_again(log: RedisLog, every_clean_url: str) -> None:
    book, _, _ = await opened(log)
    ban = order("ban", "p1", log.now())
    await book.put([ban])
    there = await RedisLog.open(every_clean_url)
    again = asyncio.Event()

    class Listening(Listener):
        def told(self, message: bytes) -> None:
            again.set()

    await there.follow(ROOM, Listening())
    with client(every_clean_url) as store:
        store.delete(HELD)
        book.missed()
        async with asyncio.timeout(240):
            await again.wait()
        assert store.hexists(HELD, ban.id)
    await book.stop()
    await there.close()


@pytest.mark.parametrize("step", ["execute", "tell"])
async def test_a_lift_that_the_store_did_not_take_is_known_to_all_servers_later(
    log: RedisLog, every_clean_url: str, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    there = await RedisLog.open(every_clean_url)
    (here, _, _), (other, told, _) = await opened(log), await opened(there)
    ban = order("ban", "p1", log.now())
    await here.put([ban])

    async def fail(*_: object) -> None:
        raise LogUnavailable("The store is full.")

    async with asyncio.timeout(240):
        assert await told.get() == ban
        with monkeypatch.context() as patch:
            patch.setattr(log, step, fail)
            with pytest.raises(LogUnavailable):
                await here.put([ended(ban, log.now())])
        assert not (await told.get()).holds(log.now())
    assert not other.in_force.all()
    for book in (here, other):
        await book.stop()
    await there.close()


async def test_what_ended_long_ago_is_forgotten(log: RedisLog, every_clean_url: str) -> None:
    book, _, _ = await opened(log)
    old = order("mute", "p1", log.now() - 2 * FORGOTTEN, 1)
    await book.put([old, order("mute", "p2", log.now() - 2000, 1)])
    await book.stop()
    later, _, _ = await opened(log)
    with client(every_clean_url) as store:
        assert store.hlen(HELD) == 1
    assert later.in_force.get(old.id) is None
    await later.stop()


def test_a_lifted_order_does_not_come_back_by_what_is_late() -> None:
    in_force = InForce(lambda: 5000)
    ban = order("ban", "p1")
    assert in_force.take(ended(ban, 3000)) and not in_force.take(ban)
    assert in_force.about("ban", "p1") is None
    assert in_force.take(replace(ban, changed=4000)) and in_force.about("ban", "p1") is not None


def test_the_ban_that_holds_longest_is_named() -> None:
    in_force = InForce(lambda: 2000)
    short, good = order("ban", "p1", seconds=60), order("ban", "p2", also=("bot:1", "p1"))
    for one in (good, short):
        in_force.take(one)
    assert in_force.about("ban", "p1") == in_force.about("ban", "bot:1") == good
    assert in_force.about("mute", "p1") is None and in_force.about("ban", "p3") is None


@pytest.mark.parametrize(
    ("banned", "address", "holds"),
    [
        ("203.0.113.7", "203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
        ("203.0.113.0/24", "203.0.113.8", True),
        ("2001:db8::7", "2001:db8::/64", True),
        ("2001:db8::/32", "2001:db8:1:2::/64", True),
        ("2001:db8::/32", "2001:db9::/64", False),
        ("203.0.113.0/24", "told 127.0.0.1", False),
        ("203.0.113.0/24", "", False),
    ],
)
def test_an_address_is_banned_by_its_network(banned: str, address: str, holds: bool) -> None:
    in_force = InForce(lambda: 2000)
    in_force.take(order("ban", banned))
    assert (in_force.ban_from(address) is not None) is holds


def test_guests_are_refused_from_where_a_banned_player_came_for_a_while() -> None:
    now = 2000
    in_force = InForce(lambda: now)
    ban = order("ban", "p1")
    here, there = replace(ban, also=("203.0.113.7/32",)), replace(ban, also=("bot:1", "2001:db8::/64"))
    assert in_force.take(ban) and in_force.take(here) and in_force.take(there) and not in_force.take(here)
    assert (in_force.get(ban.id) or ban).also == ("203.0.113.7/32", "bot:1", "2001:db8::/64")
    for address in ("203.0.113.7", "2001:db8::/64"):
        assert in_force.about_guests("ban", address) is not None and in_force.ban_from(address) is None
    assert in_force.about_guests("ban", "203.0.113.8") is None
    assert in_force.take(ended(ban, 3000))
    assert in_force.about_guests("ban", "203.0.113.7") is None
    in_force.take(order("ban", "p2", also=("203.0.113.9/32",)))
    assert in_force.about_guests("ban", "203.0.113.9") is not None
    now += GUESTS
    assert in_force.about_guests("ban", "203.0.113.9") is None


def test_what_is_a_network() -> None:
    assert str(network_of("203.0.113.77/24")) == "203.0.113.0/24"
    assert str(network_of("2001:db8::7")) == "2001:db8::/64"
    assert str(network_of("::ffff:203.0.113.7")) == "203.0.113.7/32", "an address of IPv4"
    assert network_of("Zk3vX0aQp1sT") is None


@pytest.mark.parametrize(
    ("address", "local"),
    [("127.0.0.1", True), ("172.18.0.2", True), ("::1", True), ("fd00::1", True), ("203.0.113.7", False),
     ("2001:db8::7", False)],
)  # fmt: skip
def test_which_networks_are_of_the_site(address: str, local: bool) -> None:
    network = network_of(address)
    assert network is not None and is_local(network) is local


@pytest.mark.parametrize("target", ["127.0.0.1", "127.0.0.0/8", "::1", "::ffff:127.0.0.1", "0.0.0.0/0", "::/3"])
def test_a_network_that_is_not_banned(target: str) -> None:
    network = network_of(target)
    assert network is not None and is_everybody(network)


def test_a_word_is_found_however_it_is_written() -> None:
    in_force = InForce(lambda: 2000)
    assert in_force.unwanted("a gnrf") is None
    in_force.take(order("word", "gnrf"))
    for text in ("gnrf", "so GNRF!", "gn\u200brf", "\u0261nrf"):
        assert in_force.unwanted(text) is not None, text
    for text in ("gnrfs", "a gnr", "fgnrf", "g n rfs"):
        assert in_force.unwanted(text) is None, text
    in_force.take(order("word", "bad  ass"))
    in_force.take(order("word", "eel"))
    for text in ("g n r f", "G.N-R_F!", "gñŕf", "gn​rf", "b4d a55", "B-A-D @$$.", "3e1", "é é l"):
        assert in_force.unwanted(text) is not None, text
    for text in ("a bad asset", "811 or 331", "4 bad as so", "feel", "he el"):
        assert in_force.unwanted(text) is None, text


def test_what_is_said_of_an_order() -> None:
    assert sentence(order("ban", "p1", 1_767_261_600_000, 60)) == (
        "You are banned from this server until 2026-01-01 10:01 UTC: a reason."
    )
    assert sentence(replace(order("mute", "p1"), why="")) == "You are muted on this server."
