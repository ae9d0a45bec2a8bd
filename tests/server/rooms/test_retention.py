"""How long games are kept: decided by their events, counted by the store."""

from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from fourfold.server.clock import DAY
from fourfold.server.rooms.retention import USUAL, Retention
from fourfold.server.settings import read

Dial = Any  # see conftest


FOR_GOOD = -1
"""Redis's answer for a key without expiry."""


def log_of(room: str) -> str:
    return f"fourfold:{{{room}}}:log"


async def game(dial: Dial) -> tuple[str, Any, Any]:
    white, black = await dial(), await dial()
    room = (await white.asks("create"))["room"]
    await white.asks("join", room=room)
    await black.asks("join", room=room)
    return room, white, black


def kept(store: Redis, room: str) -> float:
    """The number of days from now."""
    return store.pttl(log_of(room)) / DAY  # type: ignore[operator]


async def test_each_part_of_a_games_life_has_its_time(dial: Dial, store: Redis) -> None:
    white, black = await dial(), await dial()
    room = (await white.asks("create"))["room"]
    assert kept(store, room) == pytest.approx(1, abs=0.001)
    await white.asks("join", room=room)
    assert kept(store, room) == pytest.approx(1, abs=0.001)
    await black.asks("join", room=room)
    assert kept(store, room) == pytest.approx(90, abs=0.001)
    store.pexpire(log_of(room), DAY)  # 89 days have gone by
    await white.asks("move", room=room, move="e2e4", seq=3, key="k")
    assert kept(store, room) == pytest.approx(90, abs=0.001)
    await black.asks("resign", room=room, key="k")
    assert store.pttl(log_of(room)) == FOR_GOOD  # until it is in the archive
    await white.asks("propose", room=room, kind="rematch", seq=5, key="p")
    assert store.pttl(log_of(room)) == FOR_GOOD
    await black.asks("vote", room=room, proposal=1, accept=True, key="v")
    assert kept(store, room) == pytest.approx(90, abs=0.001)


async def test_a_room_that_was_closed_before_its_game_is_kept_for_an_hour(dial: Dial, store: Redis) -> None:
    host = await dial()
    room = (await host.asks("create"))["room"]
    await host.asks("close", room=room)
    assert kept(store, room) * 24 == pytest.approx(1, abs=0.01)


async def test_who_still_sits_in_a_room_whose_time_is_over_is_told(dial: Dial, store: Redis) -> None:
    room, white, black = await game(dial)
    watcher = await dial()
    await watcher.asks("watch", room=room)
    store.delete(log_of(room))
    reply = await white.asks("move", room=room, move="e2e4", seq=3, key="k")
    assert (reply["kind"], reply["code"], reply["room"]) == ("refused", "no_such_room", room)
    for wire in (black, watcher):
        told = await wire.seen(lambda frame: frame["type"] == "error")
        assert (told["code"], told["room"], "id" in told) == ("no_such_room", room, False)
        assert (await wire.asks("watch", room=room))["code"] == "no_such_room"


async def test_who_comes_back_to_a_room_whose_time_is_over_is_told(dial: Dial, store: Redis) -> None:
    room, _, _ = await game(dial)
    store.delete(log_of(room))
    late = await dial()
    assert (await late.asks("watch", room=room, since=1))["type"] == "ok"
    assert (await late.seen(lambda frame: frame["type"] == "error"))["code"] == "no_such_room"
    assert (await late.asks("watch", room=room))["code"] == "no_such_room"


@pytest.mark.parametrize(
    ("arguments", "environment", "days"),
    [
        ([], {}, None),
        ([], {"RETENTION_DAYS": "7"}, 7),
        (["--retention-days", "3650"], {"RETENTION_DAYS": "7"}, 3650),
        (["--retention-days", "0"], {}, None),
    ],
)
def test_the_host_of_a_server_without_an_archive_sets_it(
    arguments: list[str], environment: dict[str, str], days: int | None
) -> None:
    environment |= {"ARCHIVE_AFTER": "0"}
    retention = Retention.of(read(arguments, {"DATA_DIR": str(Path()), **environment}))
    assert retention.finished == (None if days is None else days * DAY)
    assert (retention.open, retention.playing) == (USUAL.open, USUAL.playing)


def test_a_game_that_will_be_archived_stays_until_then() -> None:
    assert Retention.of(read(["--retention-days", "7"], {})).finished is None


@pytest.mark.parametrize("days", ["-1", "1.5", "soon", "1000000"])
def test_a_time_that_is_none_is_refused(days: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read(["--retention-days", days], {})
    assert "--retention-days" in capsys.readouterr().err
