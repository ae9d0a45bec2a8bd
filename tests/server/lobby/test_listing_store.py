"""The rooms in which seekers wait, as the store keeps them: the time of an outage does not count."""

from collections.abc import Sequence

import pytest
from redis import Redis

from fourfold.server.lobby.listing_store import KEPT, ListingStore, extension
from fourfold.server.storage.event_log import Outage
from fourfold.server.storage.heartbeat import STAMP_KEYS
from fourfold.server.storage.redis_log import RedisLog

LIVES = 20_000
SEEKERS = "fourfold:seekers:standard"


@pytest.mark.parametrize(
    ("outages", "extended"),
    [
        ([], 0),
        ([(90, 95)], 5),
        ([(60, 81)], 21),
        ([(60, 80)], 0),
        ([(40, 61), (70, 90)], 41),
        ([(30, 50), (70, 90)], 20),
        ([(10, 15), (40, 61), (70, 90)], 41),
    ],
)
def test_the_outages_of_an_entrys_life_do_not_count(outages: Sequence[tuple[int, int]], extended: int) -> None:
    """The moment is 100, and an entry lives for 20."""
    assert extension([Outage(*outage) for outage in outages], 100, 20) == extended


@pytest.mark.parametrize("seed", range(50))
def test_an_entry_lives_as_long_as_the_store_was_there(seed: int) -> None:
    outages = [Outage(3, 4), Outage(11, 30 + seed), Outage(38 + seed, 91)]
    for now in range(91, 120):
        for noted in range(now):
            if any(start <= noted < end for start, end in outages):
                continue  # nothing is stored in an outage
            lived = sum(not any(start <= time < end for start, end in outages) for time in range(noted, now))
            assert (noted + 20 + extension(outages, now, 20) > now) is (lived < 20), (now, noted)


async def test_after_an_outage_seekers_meet_in_the_same_room(log: RedisLog, store: Redis) -> None:
    listings, now = ListingStore(log), log.now()
    entries = {"kept": f"{now - 90_000} {now - 50_000}", "gone": f"{now - 95_000} {now - 75_000}"}
    store.hset(SEEKERS, mapping=entries)
    assert await listings.meet("standard", "new", LIVES) == "new", "both entries have expired"
    store.delete(SEEKERS)
    store.hset(SEEKERS, mapping=entries)
    store.rpush(STAMP_KEYS[1], f"{now - 65_000} {now - 5_000}")
    await log.beat()
    assert await listings.meet("standard", "new", LIVES) == "kept"
    assert not store.hexists(SEEKERS, "gone")
    await listings.hold("standard", "kept", LIVES)
    assert LIVES < store.pttl(SEEKERS) <= KEPT
