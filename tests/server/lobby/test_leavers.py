"""Leavers: which departures count, how long the cooldowns are, and that a player is warned and then refused."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fourfold.engine.decisions import Decision
from fourfold.engine.match.events import Finished, Flagged, Moved, Removed
from fourfold.engine.match.terms import Terms
from fourfold.engine.outcome import Outcome, Termination
from fourfold.server.archive.acts import CALLED_OFF, LEFT, Departure
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.database import Database
from fourfold.server.lobby.leavers import AWAY, FIRST, LONGEST, Leavers, sentence, wait_after
from fourfold.server.metrics import Metrics
from fourfold.server.rooms.room import Departed
from fourfold.server.storage.event_log import Outage
from tests import new_archive
from tests.conftest import archive_of
from tests.server.conftest import Dial, Wire
from tests.server.memory_log import MemoryLog

pytestmark = pytest.mark.usefixtures("no_outages")

MINUTE = 60_000
DAY = 86_400_000
NOW = 1_800_000_000_000


def departures(*found: tuple[int, str, int]) -> list[Departure]:
    """Departures, newest first, from their age in minutes, kind, and cooldown in minutes."""
    return [
        Departure("eve", f"room{ago}", 1, NOW - ago * MINUTE, kind, wait * MINUTE) for ago, kind, wait in found
    ]


def games(ago: Iterable[int]) -> list[tuple[str, int, int]]:
    return [(f"game{one}", 1, NOW - one * MINUTE) for one in ago]


@pytest.mark.parametrize(
    ("left", "played", "minutes"),
    [
        ([(0, LEFT, 0)], [], 0),
        ([(one, LEFT, 0) for one in range(3)], [], 0),
        ([(one, LEFT, 0) for one in range(4)], [], 10),
        ([(one, CALLED_OFF, 0) for one in range(5)], [], 0),
        ([(one, CALLED_OFF, 0) for one in range(6)], [], 10),
        # four in ten of the last twenty
        ([(one, LEFT, 0) for one in range(4)], range(10, 17), 0),
        ([(one, LEFT, 0) for one in range(7)], range(10, 30), 0),
        ([(one, LEFT, 0) for one in range(8)], range(10, 30), 10),
        # games before the last twenty don't count
        ([(0, LEFT, 0), *((100 + one, LEFT, 0) for one in range(9))], range(1, 20), 0),
        # the next cooldown is longer, by a factor that shrinks with time
        ([(0, LEFT, 0), (10, LEFT, 10), *((20 + one, LEFT, 0) for one in range(3))], [], 30),
        ([(0, LEFT, 0), (2170, LEFT, 10), *((2180 + one, LEFT, 0) for one in range(3))], [], 20),
        ([(0, LEFT, 0), (4330, LEFT, 30), *((4340 + one, LEFT, 0) for one in range(3))], [], 30),
        ([(0, LEFT, 0), (90 * 1440, LEFT, 30), *((91 * 1440 + one, LEFT, 0) for one in range(3))], [], 10),
        ([(0, LEFT, 0), (4320, LEFT, 4320), *((9000 + one, LEFT, 0) for one in range(3))], [], 4320),
    ],
)  # fmt: skip
def test_how_long_somebody_waits(left: list[tuple[int, str, int]], played: Iterable[int], minutes: int) -> None:
    assert abs(wait_after(departures(*left), games(played)) - minutes * MINUTE) <= MINUTE
    assert FIRST == 10 * MINUTE and LONGEST == 3 * DAY


def test_a_game_that_is_listed_counts_once() -> None:
    left = departures(*((one, LEFT, 0) for one in range(4)))
    listed = [(one.room, one.game, one.at) for one in left]
    assert wait_after(left, listed) == wait_after(left, []) == FIRST


def test_what_somebody_is_told() -> None:
    assert "in 1 min" in sentence(1) and "in 10 min" in sentence(FIRST) and "in 72 hours" in sentence(LONGEST)


async def test_a_wait_ends_by_the_clock_and_is_none_without_the_database(tmp_path: Any) -> None:
    now = NOW
    new_archive.lay(tmp_path)
    archive = Archive(None, tmp_path, _agree, Metrics())
    archive.open()
    leavers = Leavers(archive, MemoryLog(lambda: now), lambda: now)
    assert await leavers.latest("eve") is None
    for number in range(4):
        one = Departure("eve", f"room{number}", 1, NOW - 4 + number, LEFT, 0)
        for _ in range(2):  # a decision that is read again
            wait = await archive.orders(lambda tables, one=one: tables.leave(one, 20, wait_after))  # type: ignore[misc]
        assert wait == (FIRST if number == 3 else 0)
    last = await leavers.latest("eve")
    assert last is not None and leavers.rest(last) == FIRST - 1 and not leavers.recent(last)
    now += FIRST
    assert leavers.rest(last) == 0
    await leavers.close()
    await archive.close()
    away = Archive("postgresql://nobody@127.0.0.1:9/none", tmp_path, _agree, Metrics())
    away.open()
    assert await Leavers(away, MemoryLog(lambda: now), lambda: now).latest("eve") is None
    await away.close()


async def _agree(name: str) -> str:
    return name


async def paired(one: Wire, other: Wire) -> str:
    """The room of a paired game that has begun."""
    clock = {"base": 600_000, "increment": 5_000}
    first = await one.asks("seek", clock=clock)
    room: str = first["room"]
    assert (await other.asks("seek", clock=clock))["room"] == room
    await one.seen(lambda frame: frame["type"] == "update" and frame["room"] == room
                   and any(event["type"] == "started" for event in frame["events"]))  # fmt: skip
    return room


def told(wire: Wire) -> list[dict[str, Any]]:
    return [frame for frame in wire.frames if frame["type"] == "error" and "id" not in frame]


async def noted(wire: Wire, count: int, export: Callable[[str], Awaitable[list[Departure]]]) -> list[Departure]:
    """The departures of a player, once there are `count` of them."""
    async with asyncio.timeout(240):
        while len(found := await export(wire.player)) < count:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.02)
    return found


@pytest.fixture
async def kept(common_url: str, tmp_path: Path) -> Any:
    """A player's departures in the database."""
    database = await Database.open(archive_of(common_url), tmp_path)
    yield database.orders.departures
    await database.close()


async def test_who_calls_games_off_is_told_and_then_waits(dial: Dial, elsewhere: str, kept: Any) -> None:
    ann, eve = await dial(name="Ann"), await dial(name="Eve")
    for number in range(1, 7):
        room = await paired(ann, eve)
        assert len(told(eve)) == number - 1
        if told(eve):
            assert told(eve)[-1]["code"] == "left_games" and "left your last game" in told(eve)[-1]["message"]
        assert (await eve.asks("abort", room=room, key=f"{number}"))["type"] == "ok"
        found = await noted(eve, number, kept)
    assert [(one.kind, one.wait) for one in found] == [(CALLED_OFF, FIRST), *[(CALLED_OFF, 0)] * 5]
    there = await dial(at=elsewhere, token=eve.token)
    for wire in (eve, there):
        refused = await wire.asks("seek", variant="ffa")
        assert refused["code"] == "left_games" and 0 < refused["retry"] <= FIRST and "10 min" in refused["message"]
    assert await kept(ann.player) == [] and told(ann) == []
    room = (await eve.asks("create"))["room"]
    assert (await eve.asks("join", room=room))["type"] == "joined", "a player's own open table"


async def test_what_is_no_departure(dial: Dial, kept: Any) -> None:
    ann, eve = await dial(name="Ann"), await dial(name="Eve")
    room = await paired(ann, eve)  # resigned
    await eve.asks("resign", room=room, key="r")
    room = await paired(ann, eve)  # called off, because the other player is away
    await ann.end()
    await eve.seen(lambda frame: frame["type"] == "presence" and frame["room"] == room and not frame["online"])
    await eve.asks("abort", room=room, key="a")
    bob = await dial(name="Bob")  # at the player's own table
    room = (await bob.asks("create"))["room"]
    for wire in (bob, eve):
        await wire.asks("join", room=room)
    assert (await eve.asks("abort", room=room, key="b"))["type"] == "ok"
    room = await paired(bob, eve)  # counted, so that all earlier ones would have been counted too
    await eve.asks("abort", room=room, key="c")
    assert [one.room for one in await noted(eve, 1, kept)] == [room]


async def test_who_goes_and_is_voted_out_has_left(dial: Dial, start: Callable[..., Awaitable[str]], kept: Any) -> None:
    at = await start(absence=0)
    ann, eve = await dial(at=at), await dial(at=at)
    room = await paired(ann, eve)
    await eve.end()
    gone = await ann.seen(lambda frame: frame["type"] == "presence" and frame["room"] == room and not frame["online"])
    seq = max(frame["seq"] for frame in ann.frames if frame.get("room") == room and "seq" in frame)
    await ann.asks("propose", room=room, seq=seq, key="k", kind="remove", seat=gone["seat"])
    (found,) = await noted(eve, 1, kept)
    assert (found.kind, found.room, found.wait) == (LEFT, room, 0)


# -- without a server --


class Noted:
    """An archive that records departures."""

    def __init__(self) -> None:
        self.left: list[tuple[str, str]] = []

    async def orders(self, ask: Callable[[Any], Any]) -> int:
        ask(self)
        return 0

    def leave(self, departure: Departure, history: int, wait: Any) -> None:
        self.left.append((departure.player, departure.kind))


class Outages(MemoryLog):
    def outages(self) -> list[Outage]:
        return [Outage(500, 1_000)]


ABORTED = Finished(Outcome(Termination.ABORTED, (), (1, 1)), (0, 0))
RESIGNED = Finished(Outcome(Termination.RESIGNATION, (1,), (2, 1)), (0, 2))


@pytest.mark.parametrize(
    ("event", "by", "away", "left"),
    [
        (Removed(0), "bob", {0: 0}, [("ann", LEFT)]),
        (Flagged(0), "", {0: 90_000 - AWAY}, [("ann", LEFT)]),
        (Flagged(0), "", {0: 90_001 - AWAY}, []),
        (Flagged(0), "", {1: 0}, []),
        (ABORTED, "ann", {}, [("ann", CALLED_OFF)]),
        (ABORTED, "ann", {0: 0}, [("ann", CALLED_OFF)]),
        (ABORTED, "ann", {1: 0}, []),
        (ABORTED, "", {}, []),
        (RESIGNED, "ann", {}, []),
        (Moved(0, "e2e4", 1), "ann", {0: 0}, []),
    ],
)
@pytest.mark.parametrize("otherwise", ["", "a table of their own", "an outage in the game"])
async def test_who_has_left(
    event: Any, by: str, away: dict[int, int], left: list[tuple[str, str]], otherwise: str
) -> None:
    seats = [SimpleNamespace(player=player) for player in ("ann", "bob")]
    state: Any = SimpleNamespace(
        terms=Terms(seek=otherwise != "a table of their own"),
        seats=seats,
        game=1,
        together=lambda seat: (seat,),
        created=999 if otherwise == "an outage in the game" else 1_000,
        seat_of=lambda player: next((index for index, seat in enumerate(seats) if seat.player == player), None),
    )
    archive: Any = Noted()
    leavers = Leavers(archive, Outages(lambda: 90_000), lambda: 90_000)
    leavers.departed(Departed("room", state, Decision(9, 90_000, by, "", (event,)), away))
    await asyncio.gather(*leavers._tasks)
    assert archive.left == ([] if otherwise else left)
