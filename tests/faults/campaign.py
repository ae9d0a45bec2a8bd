"""Many schedules, played by several workers at once. Each worker keeps its cluster from one schedule to the next.

Alternatively, for each planted fault, the schedules in which it must be found, on clusters that have it.
"""

import asyncio
import multiprocessing
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

from fourfold.server.storage.embedded import find_binary
from tests import postgres
from tests.faults.archive import ServedArchive
from tests.faults.cluster import Cluster
from tests.faults.game import Kind
from tests.faults.plan import ERA, archived, plan
from tests.faults.plants import PLANTS, Plant
from tests.faults.process import mortal
from tests.faults.schedule import NODES, Played, play

FAREWELL = 10
"""Seconds that a worker has to end."""

KINDS: tuple[Kind, ...] = ("lost", "doubled", "divergent", "illegal", "unlawful", "stuck")


NOTHING: dict[Kind, int] = dict.fromkeys(KINDS, 0)

LONGEST = 200
"""Seconds after which a schedule counts as failed on an idle machine. Most take less than thirty."""


class Result(NamedTuple):
    """The result of one schedule, as reported to the main process."""

    seed: int
    commands: int
    acknowledged: int
    faults: dict[Kind, int]
    told: list[str]
    events: dict[str, int]
    blows: dict[str, int]


class Finding(NamedTuple):
    """The result of the search for a planted fault: the schedule that found it, the number of schedules tried, and the
    kind of failure."""

    plant: str
    seed: int | None
    schedules: int
    told: str


class Era(NamedTuple):
    """Some schedules on one cluster, with a new cluster after each failure."""

    seeds: range
    keep: Path
    workers: int
    archive_after: int
    served: bool

    async def work(self, tell: Callable[[Result], None]) -> None:
        """Play them, and report each."""
        cluster = await self._cluster()
        try:
            for seed in self.seeds:
                try:
                    async with asyncio.timeout(LONGEST * cluster.patience):
                        played = await play(cluster, plan(seed, archived=self.archive_after > 0, served=self.served))
                    came = result(played, self.keep, cluster)
                except Exception as error:  # noqa: BLE001 - the cluster cannot be mended: the next one may
                    came = Result(seed, 0, 0, {**NOTHING, "stuck": 1}, [f"seed {seed}: {error!r}"], {}, {})
                tell(came)
                if came.told:
                    await cluster.stop()
                    cluster = await self._cluster()
        finally:
            await cluster.stop()

    async def _cluster(self) -> Cluster:
        archive = None
        if self.served:
            binaries = postgres.binaries()
            assert binaries is not None  # the command has checked that it is there
            archive = ServedArchive(binaries)
        cluster = Cluster(
            store_of(self.seeds[0]), NODES, workers=self.workers, archive_after=self.archive_after, archive=archive
        )
        return await cluster.start()


class Search(NamedTuple):
    """The schedules in which a planted fault must be found."""

    plant: Plant

    async def work(self, tell: Callable[[Finding], None]) -> None:
        """Play them until it is found."""
        plant, played = self.plant, 0
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # failing clients are expected
        with plant.planted() as source:
            for played, seed in enumerate(plant.seeds(), start=1):
                cluster = await Cluster(find_binary(), NODES, source).start()
                cluster.patience = 1  # a fault that is not the planted one does not count
                try:
                    async with asyncio.timeout(LONGEST):
                        faults = (await play(cluster, plan(seed))).report.faults
                except TimeoutError:
                    # the harness itself waits for something that the fault prevents: another schedule may find it
                    faults = []
                finally:
                    await cluster.stop()
                for fault in faults:
                    if fault.kind == plant.kind and plant.says in fault.message:
                        tell(Finding(plant.name, seed, played, f"{fault.kind}: {fault.message}"[:300]))
                        return
        tell(Finding(plant.name, None, played, ""))


def store_of(seed: int) -> str:
    """The store program for a seed."""
    redis = shutil.which("redis-server")
    return redis if redis is not None and seed // ERA % 2 else find_binary()


def eras(first: int, count: int, keep: Path, workers: int, archive_after: int, served: bool) -> Iterator[Era]:
    """The seeds, in parts that are played on one cluster each."""
    at, end = first, first + count
    while at < end:
        upto = min(end, (at // ERA + 1) * ERA)
        yield Era(range(at, upto), keep, workers, archive_after if served or archived(at) else 0, served)
        at = upto


def result(played: Played, keep: Path, cluster: Cluster) -> Result:
    """Sum up; keep the whole history of a failed schedule."""
    report, seed = played.report, played.plan.seed
    told: list[str] = []
    if report.faults:
        folder = keep / f"seed-{seed}-{time.strftime('%H%M%S')}"
        folder.mkdir(parents=True)
        played.history.write(folder / "history.json")
        told = [f"{fault.kind}: {fault.room} at {fault.seq}: {fault.message}" for fault in report.faults]
        (folder / "faults.txt").write_text("\n".join([str(played.plan), "", *told, ""]))
        for log in cluster.folder.glob("*.log"):
            shutil.copy(log, folder)
        told = [f"seed {seed}, kept in {folder}", *(line[:300] for line in told[:5])]
    counts = {kind: report.count(kind) for kind in KINDS}
    return Result(seed, report.commands, report.acknowledged, counts, told, dict(report.events), dict(played.dealt))


def run(
    first: int, count: int, jobs: int, keep: Path, workers: int = 1, archive_after: int = 0, *, served: bool = False
) -> dict[str, Any]:
    """Play `schedules` schedules, on three nodes or on one server with `workers` workers; returns the summary.

    In half of them games are archived after `archive_after` quiet seconds (0: in none). With `served` they are in all,
    and the archive is a PostgreSQL server."""
    begun, failed = time.monotonic(), []
    events: Counter[str] = Counter()
    blows: Counter[str] = Counter()
    total: dict[str, Any] = {"schedules": 0, "commands": 0, "acknowledged": 0, **NOTHING}
    for one in _results(list(eras(first, count, keep, workers, archive_after, served)), count, jobs):
        total["schedules"] += 1
        total["commands"] += one.commands
        total["acknowledged"] += one.acknowledged
        for kind in KINDS:
            total[kind] += one.faults[kind]
        events.update(one.events)
        blows.update(one.blows)
        if one.told:
            failed.append(one.seed)
            print("\n" + "\n".join(one.told), file=sys.stderr)
        _progress(total, count, begun)
    print(file=sys.stderr)
    told = {"events": dict(events.most_common()), "blows": dict(blows.most_common())}
    return {**total, **told, "seconds": round(time.monotonic() - begun), "failed": failed}


def search(names: Collection[str], jobs: int) -> dict[str, Any]:
    """Look for the planted faults of these names, or for all; returns the results."""
    begun = time.monotonic()
    plants = [plant for plant in PLANTS if not names or plant.name in names]
    found: dict[str, str] = {}
    missed: list[str] = []
    for one in _results([Search(plant) for plant in plants], len(plants), jobs):
        if one.seed is None:
            missed.append(one.plant)
            text = f"not found in {one.schedules} schedules"
        else:
            text = found[one.plant] = f"schedule {one.schedules}, seed {one.seed}: {one.told}"
        print(f"{one.plant}: {text}", file=sys.stderr, flush=True)
    return {"planted": len(plants), "found": found, "missed": missed, "seconds": round(time.monotonic() - begun)}


# -- workers --


def work(todo: "Queue[Era | Search | None]", tell: "Queue[Any]") -> None:
    """One worker: one piece of work after the other, until there is none."""
    mortal()
    with suppress(asyncio.CancelledError):
        while (piece := todo.get()) is not None:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(_work(piece, tell))


async def _work(piece: Era | Search, tell: "Queue[Any]") -> None:
    task = asyncio.current_task()
    assert task is not None  # this task is the running one
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await piece.work(tell.put)


def _interrupt(*_: object) -> None:
    """End in an orderly way on a signal, as on Ctrl-C: no process stays behind."""
    raise KeyboardInterrupt


def _results(pieces: Sequence[Era | Search], count: int, jobs: int) -> Iterator[Any]:
    """All reports, in the order of arrival. In any case, all workers end."""
    signal.signal(signal.SIGTERM, _interrupt)
    context = multiprocessing.get_context("spawn")
    todo: Queue[Era | Search | None] = context.Queue()
    tell: Queue[Any] = context.Queue()
    for piece in [*pieces, *[None] * jobs]:
        todo.put(piece)
    workers = [context.Process(target=work, args=(todo, tell)) for _ in range(jobs)]
    for worker in workers:
        worker.start()
    try:
        for _ in range(count):
            yield _next(tell, workers)
        for worker in workers:
            worker.join(FAREWELL)
    finally:
        for end in ("terminate", "kill"):
            for worker in workers:
                if worker.is_alive():
                    getattr(worker, end)()
                worker.join(FAREWELL)


def _next(tell: "Queue[Any]", workers: "list[Any]") -> Any:
    """The next report. A worker that died ends all of them."""
    while True:
        try:
            return tell.get(timeout=1)
        except multiprocessing.queues.Empty:  # type: ignore[attr-defined]
            if any(worker.exitcode for worker in workers):
                sys.exit("a worker of the harness died; see above")


def _progress(total: dict[str, Any], count: int, begun: float) -> None:
    done = total["schedules"]
    left = (time.monotonic() - begun) / done * (count - done)
    wrong = ", ".join(f"{total[kind]} {kind}" for kind in KINDS)
    line = f"{done}/{count} schedules, {total['acknowledged']} commands acknowledged; {wrong}; {left / 60:.0f} min left"
    print(f"\r{line}   ", end="", file=sys.stderr, flush=True)
