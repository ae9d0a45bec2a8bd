"""Faults planted in the server, which seeds must find: those of the campaign, and mutants that tests once missed."""

import os
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.faults.plan import Plan
from tests.faults.plants import PLANTS, Plant
from tests.world.blows import ABSENT, GOES_BACK, TAKES_OVER
from tests.world.plans import plan, schedule

ROOT: Final = Path(__file__).parents[2]

MOST: Final = 1000
"""The number of seeds tried for a planted fault, among those that can show it."""

MUTANTS: Final = (
    Plant(
        "a game is handed over before its watchers have seen its end",
        "server/rooms/hand_over.py",
        "state.at + max(self._after, state.terms.delay)",
        "state.at + self._after",
        "",
        "unlawful",
        "",
    ),
    Plant(
        "a log that went on is taken to have left",
        "server/rooms/hand_over.py",
        "if not await self._store.retire(room.id, entries[-1], LEFT):",
        "if await self._store.retire(room.id, entries[-1], LEFT) is None:",
        GOES_BACK,
        "lost",
        "",
    ),
    Plant(
        "a decision of another node is dropped while this one is busy",
        "server/replication/log_writer.py",
        "self._heard = max(self._heard, seq)\n        elif seq",
        "pass\n        elif seq",
        "",
        "stuck",
        "",
    ),
    Plant(
        "one who has been away for long makes all absent",
        "server/rooms/writer.py",
        "all(at > now for at in command.absent.values())",
        "any(at > now for at in command.absent.values())",
        ABSENT,
        "unlawful",
        "",
    ),
    Plant(
        "a called bot of any level passes a password",
        "server/sessions/session.py",
        "called = level is not None and any(seat.invited == level for seat in state.seats)",
        "called = level is not None",
        "",
        "unlawful",
        "",
    ),
    Plant(
        "what its replica does not have is acknowledged",
        "server/storage/pipeline.py",
        "synced[1] >= self._replicas:",
        "synced[0]:",
        TAKES_OVER,
        "lost",
        "",
    ),
    Plant(
        "what no replica has is read",
        "server/storage/redis_log.py",
        "if decisions and self._replicas:",
        "if not decisions and self._replicas:",
        TAKES_OVER,
        "divergent",
        "",
    ),
    Plant(
        "watchers of a game with a delay see it at once",
        "server/replication/feed.py",
        "        if delay is None:\n            self.shown = after",
        "        if delay is not None:\n            self.shown = after",
        "",
        "unlawful",
        "",
    ),
    Plant(
        "a deadline that comes nearer is noticed late",
        "server/rooms/room.py",
        "self._presence.saw(decision)\n            self._set_alarm()",
        "self._presence.saw(decision)",
        "",
        "stuck",
        "",
    ),
)
"""Five mutants that the default tests once missed, two that lose what a replica does not have, and two that worlds once
missed. Any failure counts as finding them."""


class Found(msgspec.Struct):
    """The outcome of the search for a planted fault: the seed that found it, the number of seeds tried, and that seed's
    failures."""

    plant: str
    seed: int | None
    played: int
    told: list[str]


PLANS: Final = {"worlds": plan, "schedules": schedule}
"""The plans of seeds that may be searched: those of worlds, and those that the campaign plays with real processes."""


def seeds(blow: str, planned: Callable[[int], Plan] = plan) -> Iterator[int]:
    """The seeds whose plan has a blow; all seeds without a blow."""
    return (seed for seed in range(1, 10**9) if not blow or any(one.what == blow for one in planned(seed).blows))


def look(plant: Plant, most: int, plans: str = "worlds") -> Found:
    """Play seeds on a copy of the server that has the fault, until one finds it. `plans` is a key of `PLANS`."""
    with plant.planted() as source:
        command = [sys.executable, "-m", "tests.world.hunt", plant.blow, str(most), plans]
        environment = os.environ | {"PYTHONPATH": str(source)}
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode:
        return Found(plant.name, None, 0, [ran.stderr[-500:]])
    seed, played, told = msgspec.json.decode(ran.stdout, type=tuple[int | None, int, list[str]])
    return Found(plant.name, seed, played, told)


def search(names: Collection[str], workers: int, most: int = MOST) -> Iterator[Found]:
    """Look for the planted faults of these names, or for all."""
    chosen = [plant for plant in (*PLANTS, *MUTANTS) if not names or plant.name in names]

    def one(plant: Plant) -> Any:
        return look(plant, most)

    with ThreadPool(workers) as pool:
        yield from pool.imap_unordered(one, chosen)
