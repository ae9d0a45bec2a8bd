"""What a world leaves in the store is judged: leaks planted in the server are found, and so is a foreign key."""

import pytest

from fourfold.server.lobby import listing_store, neighbours
from fourfold.server.lobby.player_rooms import PlayerRooms
from fourfold.server.storage import redis_log
from tests.world.plans import brief
from tests.world.redis import Redis
from tests.world.remains import Remains
from tests.world.seed import run

pytestmark = pytest.mark.interpreted  # as in test_world

SEEDS = range(3, 30)
"""Seeds of brief worlds. In the first, a game is archived. A change of the server changes what happens in each of them:
then another seed finds the fault."""

PLANTED = [
    (redis_log, "RETIRE", "redis.call('PEXPIRE', KEYS[2], ARGV[4])\n", ":chat: its room has left the store"),
    (listing_store, "POST", "redis.call('HDEL', KEYS[1], ARGV[i])", "{lobby}:listings: "),
    (neighbours, "NOTE", "redis.call('PEXPIRE', KEYS[1], ARGV[3])\n", ":players: it never ends"),
]
"""Commands of scripts that are left out, and what is left behind then."""


@pytest.mark.slow
def test_what_is_left_behind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All leaks at once: of keys and list entries that scripts should delete, and of a game that a player keeps."""
    for place, script, command, _ in PLANTED:
        text = getattr(place, script)
        assert command in text
        monkeypatch.setattr(place, script, text.replace(command, ""))
    note = PlayerRooms._note

    async def keep(self: PlayerRooms, seat: tuple[str, str], began: int | None) -> None:
        if began is not None:
            await note(self, seat, began)

    monkeypatch.setattr(PlayerRooms, "_note", keep)
    missed = {":rooms: ", *(left for *_, left in PLANTED)}
    for seed in SEEDS:
        outcome = run(seed, brief(seed), beside=False)
        told = "\n".join(fault.message for fault in outcome.faults if "left behind" in fault.message)
        missed = {left for left in missed if left not in told}
        if not missed:
            return
    raise AssertionError(f"not found: {missed}")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["SET", "fourfold:{room}:log2", "1"], "no rule knows such a key"),
        (["SET", "other", "1"], "no rule knows such a key"),
        (["SET", "fourfold:alarms", "1"], "a bytes"),
        (["HSET", "fourfold:{player}:rooms", "room", "1"], "it never ends"),
        (["RPUSH", "fourfold:{room}:chat", "line"], "it never ends"),
    ],
)
def test_a_key_that_no_rule_allows_is_left_behind(command: list[str], why: str) -> None:
    redis = Redis(lambda: 1_800_000_000.0)
    assert Remains(redis, archives=True).wrong() == []
    redis.run([word.encode() for word in command])
    assert f"{command[1]}: {why}" in Remains(redis, archives=True).wrong()


@pytest.mark.parametrize("went_back", [False, True])
def test_a_log_without_an_end_stays_only_in_a_store_that_went_back_and_with_a_reminder(went_back: bool) -> None:
    redis = Redis(lambda: 1_800_000_000.0)
    redis.run([b"XADD", b"fourfold:{room}:log", b"1-0", b"t", b"1", b"d", b"?"])
    left = "fourfold:{room}:log: it never ends"
    assert Remains(redis, archives=True, went_back=went_back).wrong() == [left]
    redis.run([b"ZADD", b"fourfold:alarms", b"1800003600000", b"room"])
    assert Remains(redis, archives=True, went_back=went_back).wrong() == ([] if went_back else [left])
