"""One seed: a schedule of `tests.faults`, played on simulated machines, with its history, verdict and trace."""

import asyncio
import gc
import logging
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import structlog

from fourfold.server import supervision
from fourfold.server.archive.database import Database
from tests.faults.checker import Fault
from tests.faults.history import Recorder
from tests.faults.plan import Plan
from tests.faults.schedule import Played, play
from tests.world.beside import go_on
from tests.world.cluster import Cluster, Store
from tests.world.collisions import collide
from tests.world.loop import Deadlock, WorldLoop
from tests.world.machine import replaced
from tests.world.network import Network
from tests.world.pause import think
from tests.world.plans import plan
from tests.world.remains import left_behind
from tests.world.sqlite import lay_out, without_threads

LONGEST: Final = 600.0
"""Virtual seconds after which a world should long have come to rest."""

MEMORY: Final = Path("/dev/shm")
"""A folder in memory, where to sync a file takes no time."""

PROMPT: Final = 100.0
"""Milliseconds within which decisions reach those who follow their room, when there are no faults."""


@dataclass
class Outcome:
    """The outcome of a seed. `seconds` is the time that has passed in the world. `fingerprint` is the same for the same
    seed and code. `trace` has its steps, if requested."""

    seed: int
    faults: list[Fault] = field(default_factory=list)
    seconds: float = 0.0
    steps: int = 0
    fingerprint: int = 0
    played: Played | None = None
    trace: list[str] = field(default_factory=list)


def run(
    seed: int, given: Plan | None = None, *, traced: bool = False, pause: float = 0, beside: bool = True,
    clean: bool = True,
) -> Outcome:  # fmt: skip
    """Play the plan of a seed, or another plan by the chance of this seed. `pause` is for how many seconds two players
    think about their moves after it. Without `beside`, nothing happens beside the games. Without `clean`, the caller
    collects the world's garbage: see `collect`."""
    schedule = plan(seed) if given is None else given
    outcome = Outcome(seed)
    folder = Path(tempfile.mkdtemp(prefix="fourfold-world-", dir=MEMORY if MEMORY.is_dir() else None))
    lay_out(folder)
    claims: list[_Claims] = []

    def tell(now: float, machine: str, what: str) -> None:
        outcome.trace.append(f"{now - 1000:11.6f} {machine:6} {what}")

    loop = WorldLoop(seed, tell if traced else None)
    ending = ExitStack()
    try:
        with replaced(loop, seed), without_threads(), _logged(loop, claims):
            Network(loop)
            began = loop.time()
            try:
                outcome.played = loop.run(_world(loop, schedule, folder, outcome, claims, pause, beside))
            except (Deadlock, Exception) as error:  # noqa: BLE001 - it is a fault of the seed
                outcome.faults.append(_stuck(f"the world ended by {error!r}"))
            outcome.seconds, outcome.steps = loop.time() - began, loop.steps
            outcome.fingerprint = loop.fingerprint
            if outcome.played is not None:
                outcome.faults = [*outcome.played.report.faults, *outcome.faults]
            outcome.faults += map(_stuck, loop.failed)
            ending.enter_context(_silent())
            loop.end()
    finally:
        with ending:
            claims.clear()
            del loop
            if clean:
                collect()
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


def collect() -> None:
    """Free what worlds have left. That takes half as long as a small world."""
    with _silent():
        gc.collect()


@contextmanager
def _silent() -> Iterator[None]:
    """Killed programs did not close their files, and their coroutines may go on waiting while they are ended."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.unraisablehook = hook


class _Claims:
    """Compares what nodes log with the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def compare(self, event: dict[str, Any]) -> str | None:
        """What is wrong about it, if anything is."""
        room = event.get("room", "")
        if event["event"] == "archived" and self._store.size(room) > 1 and room not in self._store.excused:
            return f"it has archived {room}, which is still in the store"
        return None


async def _recomputed(folder: Path) -> list[str]:
    """Ratings are the same when they are computed again from all rated games."""
    database = await Database.open(None, folder)
    try:
        found = await database.ratings.recompute(write=False)
    finally:
        await database.close()
    return [f"{found.different} rows of ratings differ from what {found.games} games give"] if found.different else []


def _stuck(text: str) -> Fault:
    return Fault("stuck", "", None, text)


async def _world(
    loop: WorldLoop, schedule: Plan, folder: Path, outcome: Outcome, claims: list[_Claims], pause: float, beside: bool
) -> Played:
    async with asyncio.timeout(LONGEST + pause):
        cluster = Cluster(loop, schedule.nodes, folder, int(schedule.archives), schedule.replicas)
        await cluster.start()
        claims.append(_Claims(cluster.store))
        played = await play(cluster, schedule, _Traced(loop), go_on if beside else None, PROMPT, collide)
        if pause:
            outcome.faults += map(_stuck, await think(cluster, schedule.seed, pause))
        went_back = played.history.fork is not None
        outcome.faults += map(_stuck, await left_behind(cluster, played.spoiled, went_back=went_back))
        outcome.faults += map(_stuck, await _recomputed(folder))
        for node in cluster.nodes:
            outcome.faults += map(_stuck, await node.rest())
    return played


class _Traced(Recorder):
    """Records the clients' messages in both directions, and adds them to the trace."""

    def __init__(self, loop: WorldLoop) -> None:
        super().__init__()
        self._loop = loop

    def observer(self, who: str) -> Callable[[Literal["in", "out"], Any], None]:
        """See `Recorder`."""
        observe = super().observer(who)

        def see(way: Literal["in", "out"], message: Any) -> None:
            observe(way, message)
            self._loop.note(lambda: f"{who} {'hears' if way == 'in' else 'sends'} {message}")

        return see


@contextmanager
def _logged(loop: WorldLoop, claims: list[_Claims]) -> Iterator[None]:
    """The servers' logs are part of the trace. A logged exception is a fault, and so is a wrong claim."""
    held = structlog.get_config()
    deaths = supervision.DEATHS.copy()

    def keep(_logger: Any, method: str, event: dict[str, Any]) -> str:
        error = event.pop("exc_info", None)
        loop.tell(loop.current, f"[{method}] {event['event']}")
        loop.note(lambda: _told(event))
        if error:
            error = error if isinstance(error, BaseException) else sys.exc_info()[1]
            loop.failed.append(f"{loop.current.name} logs {_told(event)}: {error!r} {_place(error)}")
        for wrong in filter(None, (claim.compare(event) for claim in claims)):
            loop.failed.append(f"{loop.current.name}: {wrong}")
        raise structlog.DropEvent

    structlog.configure(processors=[keep], cache_logger_on_first_use=False)
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        structlog.configure(**held)
        supervision.DEATHS.clear()
        supervision.DEATHS.update(deaths)


def _told(event: dict[str, Any]) -> str:
    """An event of the log, and its fields."""
    return " ".join([event["event"], *(f"{name}={value}" for name, value in event.items() if name != "event")])


def _place(error: BaseException | None) -> str:
    """The call stack of an exception, innermost last."""
    trace, places = None if error is None else error.__traceback__, []
    while trace is not None:
        places.append(f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " > ".join(places[-6:])
