"""Erased data are gone everywhere, except for a row in the audit log; running games are skipped."""

import pytest
from redis import Redis

from fourfold.server.archive.facts import Search
from fourfold.server.archive.people import AccountFacts, SignedIn
from fourfold.server.maintenance.anonymity import NAME
from fourfold.server.maintenance.erasure import erase_account, erase_game, erase_player
from fourfold.server.maintenance.places import Places
from fourfold.server.players.members import NAMES, VOID, read_hash, tombstone
from fourfold.server.storage.records import read
from fourfold.server.storage.redis_log import chat_of, stream
from tests.server.archive.played import archived, mate, of_four
from tests.server.maintenance.conftest import put


async def is_there(places: Places, room: str) -> bool:
    return bool(await places.store.entries(room)) or await places.archive.log(room) is not None


@pytest.mark.parametrize("room", ["left", "playing"])
async def test_a_game_is_erased_wherever_it_is(room: str, places: Places, store: Redis) -> None:
    """One has left the store, the other is over and has not."""
    store.rpush(chat_of(room), b"Hello")
    assert await erase_game(places, room, "root", "asked for it") == (1, {}, False)
    assert not await is_there(places, room) and not store.exists(chat_of(room))
    assert await is_there(places, "between")
    (record,) = await places.archive.orders.records()
    assert (record.by, record.action, record.target, record.rooms, record.why) == (
        "root", "erase game", room, 1, "asked for it",
    )  # fmt: skip


async def test_a_game_that_is_played_or_handed_over_is_left(places: Places, store: Redis) -> None:
    put(store, "played", mate(4).entries[:5])
    erased = await erase_game(places, "played", "root", "")
    assert erased.rooms == 0 and "still being played" in erased.left["played"]
    erased = await erase_game(places, "between", "root", "")
    assert erased.rooms == 0 and "being archived" in erased.left["between"]
    assert await is_there(places, "played") and await is_there(places, "between")


async def test_a_log_that_has_gone_on_is_left(places: Places, store: Redis) -> None:
    name = stream("playing")
    last = len(await places.store.entries("playing"))
    assert not await places.store.keys.remove_log(name, last - 1)
    assert store.exists(name)
    assert await places.store.keys.remove_log(name, last)
    assert not store.exists(name)


async def test_a_damaged_game_can_be_erased(places: Places, store: Redis) -> None:
    put(store, "bad", mate(4).entries[:2] + mate(5).entries[2:])
    assert await erase_game(places, "bad", "root", "") == (1, {}, False)
    assert not store.exists(stream("bad"))


async def test_all_games_of_a_player_and_no_others(places: Places, store: Redis) -> None:
    await archived(places.archive, "four", of_four(5))
    put(store, "over", of_four(6, archived=False).entries)
    put(store, "going on", of_four(7).entries[:8])
    erased = await erase_player(places, "dan", "root", "")
    assert erased.rooms == 3 and erased.left.keys() == {"going on"}
    for room in ("four", "left", "over"):
        assert not await is_there(places, room)
    for room in ("playing", "between"):
        assert await is_there(places, room)
    assert not await places.archive.search(Search(player="dan"))
    assert [(one.action, one.target, one.rooms) for one in await places.archive.orders.records()] == [
        ("erase player", "dan", 4)
    ]


async def test_games_stay_without_the_player_whose_account_is_erased(places: Places, store: Redis) -> None:
    store.zadd("fourfold:{an address}:players", {"ann": 1, "bob": 2})
    erased = await erase_account(places, "ann", "root", "")
    assert store.zrange("fourfold:{an address}:players", 0, -1) == [b"bob"]
    assert erased.rooms == 2 and erased.left.keys() == {"between"} and "being archived" in erased.left["between"]
    (game,) = await places.archive.games("left")
    first, *others = game.seats
    assert first.name == NAME and first.player != "ann" and [seat.name for seat in others] == ["Bob", "Cat", "Dan"]
    log = await places.archive.log("left")
    assert log is not None and len(read(log)) == len(of_four(3).entries)
    assert await places.store.entries("left") == log[-1:], "the rest in the store has the new lineage"
    assert 0 < int(store.pttl(stream("left"))) <= 60_000  # type: ignore[arg-type]
    for entry in (*log, *await places.store.entries("playing")):
        assert b"ann" not in entry.packed
    assert not await places.archive.search(Search(player="ann"))
    assert len(await places.archive.search(Search(player="bob"))) == 1
    (record,) = await places.archive.orders.records()
    assert (record.action, record.target, record.rooms) == ("erase account", tombstone("ann"), 3)


async def test_an_account_goes_with_the_games_of_its_player(places: Places) -> None:
    facts = AccountFacts("ann", "Ann", "ann", b"code", 5, (), (SignedIn("s1", "ann", "Here", 5, 5),))
    bot = AccountFacts("bot:b", "Annbot", "annbot", None, 5, (), (SignedIn("bot~2", "bot:b", "Annbot", 5, 5),), "ann")
    for one in (facts, bot):
        await places.archive.accounts.add(one)
    erased = await erase_player(places, "ann", "root", "")
    assert erased.account and erased.rooms == 2
    assert await places.archive.accounts.all() == []
    known = await read_hash(places.store, NAMES)
    assert known.keys() == {tombstone("ann"), tombstone("bot:b")}
    assert not any(b"Ann" in member for member in known.values())
    assert (await read_hash(places.store, VOID)).keys() == {"s1", "bot~2"}


async def test_nothing_to_erase_is_no_row(places: Places) -> None:
    assert await erase_game(places, "nowhere", "root", "") == (0, {}, False)
    assert await erase_player(places, "nobody", "root", "") == (0, {}, False)
    assert await places.archive.orders.records() == []
