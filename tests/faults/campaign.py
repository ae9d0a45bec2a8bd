"""Many schedules, one after the other, on clusters that are kept from one to the next; by several workers at once."""

import asyncio
import multiprocessing
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

from server.store import find_binary
from tests.faults.cluster import Cluster
from tests.faults.game import Kind
from tests.faults.plan import plan
from tests.faults.schedule import NODES, Played, play

ERA = 20
"""So many seeds in a row are played on one cluster, and the next on one with the other kind of store."""

FAREWELL = 10
"""Seconds that a worker has to end."""

KINDS: tuple[Kind, ...] = ("lost", "doubled", "divergent", "illegal", "unlawful", "stuck")


class Result(NamedTuple):
    """What one schedule came to, as it is told to the main process."""

    seed: int
    commands: int
    acknowledged: int
    faults: dict[Kind, int]
    told: list[str]
    events: dict[str, int]
    blows: dict[str, int]


def store_of(seed: int) -> str:
    """The program of the store on which a seed is played."""
    redis = shutil.which("redis-server")
    return redis if redis is not None and seed // ERA % 2 else find_binary()


def eras(first: int, count: int) -> Iterator[range]:
    """The seeds, in parts that are played on one cluster each."""
    at, end = first, first + count
    while at < end:
        upto = min(end, (at // ERA + 1) * ERA)
        yield range(at, upto)
        at = upto


async def play_era(seeds: range, keep: Path, tell: "Queue[Result]") -> None:
    """Some schedules on one cluster; a new one after each that failed."""
    task = asyncio.current_task()
    assert task is not None  # it is what runs here
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    cluster = await Cluster(store_of(seeds[0]), NODES).start()
    try:
        for seed in seeds:
            played = await play(cluster, plan(seed))
            report = played.report
            tell.put(result(played, keep, cluster))
            if report.faults:
                await cluster.stop()
                cluster = await Cluster(store_of(seed), NODES).start()
    finally:
        await cluster.stop()


def result(played: Played, keep: Path, cluster: Cluster) -> Result:
    """Sum up; of a schedule that failed, keep all there is."""
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


def work(todo: "Queue[range | None]", keep: Path, tell: "Queue[Result]") -> None:
    """One worker: era after era, until there are none."""
    with suppress(asyncio.CancelledError):
        while (seeds := todo.get()) is not None:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(play_era(seeds, keep, tell))


def _interrupt(*_: object) -> None:
    """End in order when told to, as by Ctrl-C: nothing is left running."""
    raise KeyboardInterrupt


def run(first: int, count: int, jobs: int, keep: Path) -> dict[str, Any]:
    """Play them all; returns the summary."""
    signal.signal(signal.SIGTERM, _interrupt)
    begun, failed = time.monotonic(), []
    events: Counter[str] = Counter()
    blows: Counter[str] = Counter()
    total: dict[str, Any] = {"schedules": 0, "commands": 0, "acknowledged": 0, **dict.fromkeys(KINDS, 0)}
    for one in _results(first, count, jobs, keep):
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


def _results(first: int, count: int, jobs: int, keep: Path) -> Iterator[Result]:
    """Every schedule's result, in the order in which they come; however that ends, all workers end."""
    context = multiprocessing.get_context("spawn")
    todo: Queue[range | None] = context.Queue()
    tell: Queue[Result] = context.Queue()
    for seeds in [*eras(first, count), *[None] * jobs]:
        todo.put(seeds)
    workers = [context.Process(target=work, args=(todo, keep, tell), daemon=True) for _ in range(jobs)]
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


def _next(tell: "Queue[Result]", workers: "list[Any]") -> Result:
    """The next result. A worker that died takes all down."""
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
