"""Many seeds, by several processes at once; and the search for the smallest plan that still fails."""

import atexit
import gc
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.faults.plan import Plan
from tests.world.plans import plan, smaller
from tests.world.seed import Outcome, collect, run

GARBAGE: Final = 8
"""The number of worlds whose garbage is collected at once: some 10 MB each."""

PERIOD: Final = 50
"""The number of seeds between two lines of progress, where there is no bar."""


class Verdict(NamedTuple):
    """The outcome of a seed, in the form that processes exchange."""

    seed: int
    faults: list[str]
    seconds: float
    steps: int
    acknowledged: int
    events: dict[str, int]
    blows: dict[str, int]
    fingerprint: int


@dataclass
class Total:
    """What came of many. `seconds` are virtual, `took` are not."""

    seeds: int = 0
    seconds: float = 0.0
    steps: int = 0
    acknowledged: int = 0
    took: float = 0.0
    failed: dict[int, list[str]] = field(default_factory=dict)
    events: Counter[str] = field(default_factory=Counter)
    blows: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        """One more."""
        self.seeds += 1
        self.seconds += verdict.seconds
        self.steps += verdict.steps
        self.acknowledged += verdict.acknowledged
        self.events.update(verdict.events)
        self.blows.update(verdict.blows)
        if verdict.faults:
            self.failed[verdict.seed] = verdict.faults

    def summary(self) -> dict[str, Any]:
        """As plain data."""
        hours = self.took / 3600 or 1
        return {
            "seeds": self.seeds, "failed": self.failed, "steps": self.steps, "acknowledged": self.acknowledged,
            "seconds": round(self.took, 1), "virtual hours": round(self.seconds / 3600, 2),
            "seeds an hour": round(self.seeds / hours),
            "virtual hours an hour": round(self.seconds / 3600 / hours, 1),
            "events": dict(self.events.most_common()), "blows": dict(self.blows.most_common()),
        }  # fmt: skip


_left = count(1)
"""Numbers the worlds of this process."""


def judge(seed: int, pause: float = 0, planned: Callable[[int], Plan] = plan) -> Verdict:
    """Play a plan of a seed, and the pause after it. The garbage of many worlds is collected at once."""
    gc.disable()
    outcome = run(seed, planned(seed), pause=pause, beside=planned is plan, clean=False)
    number = next(_left)
    if number == 1:
        atexit.register(collect)
    if number % GARBAGE == 0:
        collect()
    return _verdict(outcome)


def _verdict(outcome: Outcome) -> Verdict:
    faults = [f"{fault.kind}: {fault.room} at {fault.seq}: {fault.message}"[:400] for fault in outcome.faults]
    played = outcome.played
    acknowledged, events, dealt = 0, {}, {}
    if played is not None:
        acknowledged, events, dealt = played.report.acknowledged, dict(played.report.events), dict(played.dealt)
    return Verdict(
        outcome.seed, faults, outcome.seconds, outcome.steps, acknowledged, events, dealt, outcome.fingerprint
    )


def verdicts(seeds: range, workers: int, pause: float, planned: Callable[[int], Plan]) -> Iterator[Verdict]:
    """Play seeds; with one worker, in this process."""
    playing = partial(judge, pause=pause, planned=planned)
    if workers == 1:
        yield from map(playing, seeds)
        return
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])  # workers need not import the server again
    with context.Pool(workers, maxtasksperchild=200) as pool:
        yield from pool.imap_unordered(playing, seeds)


def campaign(
    seeds: range, workers: int, console: Console, pause: float = 0, planned: Callable[[int], Plan] = plan
) -> Total:  # fmt: skip
    """Play the plans of seeds, each with a `pause` in seconds after it, and show progress on a console."""
    total, began = Total(), time.perf_counter()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("", total=len(seeds))
        for verdict in verdicts(seeds, workers, pause, planned):
            total.add(verdict)
            total.took = time.perf_counter() - began
            told = total.summary()
            progress.update(
                bar,
                advance=1,
                description=f"{told['seeds an hour']} seeds/h, {told['virtual hours an hour']} h/h, "
                f"{len(total.failed)} failed",
            )
            if not console.is_terminal and total.seeds % PERIOD == 0:
                console.print(f"{total.seeds} seeds: {progress.tasks[bar].description}", soft_wrap=True)
            if verdict.faults:
                console.print("\n".join([f"seed {verdict.seed}:", *verdict.faults[:5]]), markup=False, soft_wrap=True)
    return total


def shrink(least: Plan, console: Console, *, beside: bool) -> Plan:
    """The smallest plan found that still fails as this one does. Raises `ValueError` if it does not fail."""
    seed = least.seed
    kinds = {fault.kind for fault in run(seed, least, beside=beside).faults}
    if not kinds:
        raise ValueError(f"seed {seed} does not fail")
    found = True
    while found:
        found = False
        for candidate in smaller(least):
            if kinds & {fault.kind for fault in run(seed, candidate, beside=beside).faults}:
                least, found = candidate, True
                console.print(f"{len(least.blows)} faults, {len(least.games)} games, {least.nodes} nodes")
                break
    return least
