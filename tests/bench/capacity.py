"""Measures how many players a server can take: a load that rises until moves are late.

python -m tests.bench.capacity [--cores 1,2] [--compiled PYTHON] [--minutes 4] [--json]

Workload: rooms of two on 8x8. A player moves every five seconds: a random legal move, after thinking for up to five
seconds, 2.5 on average. After 60 plies a player resigns, and both open the next room. Every tenth room has two
watchers. The server keeps its promise: each move is synced to disk before anybody sees it. Finished games go to the
archive.

The load rises in steps until the slowest hundredth of the moves takes more than `--limit` milliseconds (50), twice in a
row, from sending it to its arrival at the opponent. The result is the step before. A measurement takes `--seconds`
(10), after as many for the load to settle.

The load must not count as the server's. So the server, its workers and its store run on the first `--cores` processors
alone (`taskset`), one worker for each; the generator, a process for each of the other processors, on those alone. The
processor time and the memory are of the server's processes. A step at which the generator itself was late or busy is no
result: the measurement stops there, and its numbers are a lower bound (`at least`). If no processor is left for the
generator, it shares those of the server, and the numbers are a lower bound too.

With `--compiled`, the same is measured on a compiled server too, which that Python has:

    python3 -m venv FOLDER && FOURFOLD_COMPILE=1 FOLDER/bin/pip install '.[server]'

It prints a table in Markdown, or with `--json` all steps. It takes `--minutes` at most for each row of the table, and
half a minute for the bytes of an archived game. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import uvloop

from fourfold.server.storage.embedded import SOCKET
from tests.bench import archiving
from tests.bench.generator import PLIES, WATCHED
from tests.bench.processes import NO_LIMITS, ROOT, Process, Running, executable
from tests.bench.progress import bar

EVERY: Final = 5.0
"""Seconds between two moves of a player."""

FILES: Final = 200_000
"""Open files that each process may have, if this user may raise the limit."""

BUSY: Final = 0.85
"""The share of its processor from which the generator is too busy to measure."""

STEPS: Final = ((0.35, 1.6), (0.6, 1.25), (1.0, 1.1))
"""How much a step is larger than the one before while the server's processors are busy up to a share."""

SETUP: Final = 600.0
"""Seconds that a step's new rooms may take to open."""

DAY: Final = 86_400
UNLIMITED: Final = {"MAX_OPEN": "0", "MAX_ROOMS_TOTAL": "0", "EXHIBITION": "no", "ARCHIVE_AFTER": "30", "SETUP": "no"}


class Cores(NamedTuple):
    """The processors of the server, and those of the generator."""

    server: list[int]
    generator: list[int]

    @property
    def apart(self) -> bool:
        """Whether they differ."""
        return not {*self.server} & {*self.generator}


def divided(count: int) -> Cores:
    """The processors of this machine, divided: `count` for the server, the others for the generator."""
    known = sorted(os.sched_getaffinity(0))
    if count > len(known):
        raise SystemExit(f"there are {len(known)} processors, not {count}")
    return Cores(known[:count], known[count:] or known[:1])


def pinned(cores: Sequence[int]) -> tuple[str, ...]:
    """A command that starts another one on some processors alone."""
    return "taskset", "--cpu-list", ",".join(map(str, cores))


@contextmanager
def serving(python: str, cores: Cores, folder: Path) -> Iterator[Running]:
    """A server, with a worker for each of its processors, and its store."""
    flags = ("--port", "0", "--data", str(folder), "--workers", str(len(cores.server)))
    command = (*pinned(cores.server), python, "-m", "fourfold.server", *flags)
    with executable(*command, **NO_LIMITS, **UNLIMITED) as (url, server):
        store = int((folder / "store.lock").read_text())
        workers = [Process(child) for child in server.children() if child != store]
        yield Running([url], [server, *workers], Process(store), f"unix://{folder / SOCKET}")


class Generators:
    """The processes of the load generator, from `open` to `close`."""

    def __init__(self, url: str, cores: Cores) -> None:
        self._url = url
        self._cores = cores.generator
        self._processes: list[asyncio.subprocess.Process] = []

    async def open(self) -> None:
        """Start them."""
        for number, core in enumerate(self._cores):
            command = (*pinned([core]), sys.executable, "-m", "tests.bench.generator")
            process = await asyncio.create_subprocess_exec(
                *command, self._url, str(number + 1), str(EVERY), f"127.0.0.{2 + 10 * number}",
                cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=2**30,
            )  # fmt: skip
            self._processes.append(process)

    async def close(self) -> None:
        """End them."""
        for process in self._processes:
            assert process.stdin is not None  # it is a pipe
            process.stdin.close()
            with suppress(ProcessLookupError):
                process.terminate()  # in the middle of an order, after an error
            await process.wait()

    async def ask(self, orders: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answers to an order for each. Raises `RuntimeError` if one fails."""
        answers = await asyncio.gather(*map(_ask, self._processes, orders))
        for answer in answers:
            if "failed" in answer:
                raise RuntimeError(answer["failed"])
        return answers

    async def grow(self, players: int) -> dict[str, int]:
        """Let so many people play, in all; returns the numbers."""
        each = 2 * round(players / len(self._processes) / 2)
        order = {"players": each, "watchers": round(each / WATCHED)}
        async with asyncio.timeout(SETUP):
            answers = await self.ask([order] * len(self._processes))
        return {name: sum(answer[name] for answer in answers) for name in ("players", "watchers")}

    async def measure(self, seconds: float) -> list[dict[str, Any]]:
        """Count for some seconds."""
        return await self.ask([{"measure": seconds}] * len(self._processes))


async def _ask(process: asyncio.subprocess.Process, order: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin is not None and process.stdout is not None  # pipes
    process.stdin.write(json.dumps(order).encode() + b"\n")
    line = await process.stdout.readline()
    if not line:
        raise RuntimeError("the load generator has ended")
    answer: dict[str, Any] = json.loads(line)
    return answer


def percentile(times: Sequence[float], share: int) -> float:
    """The time within which so many hundredths of some times lie; 0 of none."""
    return sorted(times)[len(times) * share // 100] if times else 0.0


async def measured(running: Running, generators: Generators, cores: Cores, seconds: float) -> dict[str, Any]:
    """A measurement of the present load."""
    before = sum(running.cpu())
    start = time.perf_counter()
    answers = await generators.measure(seconds)
    passed = time.perf_counter() - start
    busy = (sum(running.cpu()) - before) / passed / len(cores.server)
    server, store = running.memory()
    errors: dict[str, int] = {}
    for answer in answers:
        for code, count in answer["errors"].items():
            errors[code] = errors.get(code, 0) + count
    seen = [took for answer in answers for took in answer["seen"]]
    return {
        "moves_per_second": sum(answer["moves"] for answer in answers) / passed,
        "seen_ms": {"p50": percentile(seen, 50), "p99": percentile(seen, 99)},
        "server_busy": busy,
        "server_bytes": server,
        "store_bytes": store,
        "generator_busy": max(answer["busy"] for answer in answers),
        "generator_late_ms": max(answer["late"] for answer in answers),
        "errors": errors,
    }


def verdict(step: dict[str, Any], limit: float) -> str:
    """What a measurement shows: `good`; `late`, the server's moves; or `generator`, which was itself late or busy."""
    if step["generator_busy"] > BUSY or step["generator_late_ms"] > limit / 2:
        return "generator"
    return "late" if step["seen_ms"]["p99"] > limit or step["errors"] else "good"


def next_size(players: int, busy: float) -> int:
    """The number of players of the next step."""
    factor = next((factor for share, factor in STEPS if busy < share), STEPS[-1][1])
    return int(players * factor)


async def rise(running: Running, cores: Cores, options: argparse.Namespace) -> dict[str, Any]:
    """Let the load rise until it is too much; returns all steps, the last good one, and what ended the rise."""
    generators = Generators(running.urls[0], cores)
    steps: list[dict[str, Any]] = []
    good: dict[str, Any] | None = None
    players, ended = options.start, "time"
    until = time.monotonic() + options.minutes * 60
    await generators.open()
    try:
        with bar("load", options.minutes * 60) as update:
            while (left := until - time.monotonic()) > 2 * options.seconds:
                update(options.minutes * 60 - left, f"{players} players")
                size = await generators.grow(players)
                for _ in range(2):
                    await asyncio.sleep(options.seconds)  # lets the load settle
                    step = size | {"rooms": size["players"] // 2}
                    step |= await measured(running, generators, cores, options.seconds)
                    step["verdict"] = verdict(step, options.limit)
                    steps.append(step)
                    if step["verdict"] != "late":
                        break
                if step["verdict"] != "good":
                    ended = step["verdict"]
                    break
                good = step
                players = next_size(size["players"], step["server_busy"])
    finally:
        await generators.close()
    return {"steps": steps, "good": good, "ended": ended}


def row(name: str, count: int, python: str, options: argparse.Namespace) -> dict[str, Any]:
    """One row of the table."""
    mine, cores = os.sched_getaffinity(0), divided(count)
    os.sched_setaffinity(0, cores.generator)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="fourfold-bench-", dir=options.data) as folder,
            serving(python, cores, Path(folder)) as running,
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            found = runner.run(rise(running, cores, options))
    finally:
        os.sched_setaffinity(0, mine)
    at_least = found["ended"] != "late" or not cores.apart
    return {"name": name, "cores": count, "apart": cores.apart, "at_least": at_least, **found}


def printed(rows: Sequence[dict[str, Any]], archived: float) -> str:
    """The table, in Markdown. `archived`: the bytes of a game in the archive."""
    lines = [
        "| cores | server | players | watchers | rooms | moves a second | move, 99 % within | memory: server; store "
        "| disk a day |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for found in rows:
        good = found["good"]
        if good is None:
            lines.append(f"| {found['cores']} | {found['name']} | none within the limit |||||||")
            continue
        rate = good["moves_per_second"]
        least = "at least " if found["at_least"] else ""
        lines.append(
            f"| {found['cores']} | {found['name']} | {least}{good['players']:,} | {good['watchers']:,} "
            f"| {good['rooms']:,} | {rate:,.0f} | {good['seen_ms']['p99']:.0f} ms "
            f"| {good['server_bytes'] / 1e6:,.0f} MB; {good['store_bytes'] / 1e6:,.0f} MB "
            f"| {rate * DAY / PLIES * archived / 1e9:,.1f} GB |"
        )
    return "\n".join(lines)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.capacity", description="How many players fit.")
    parser.add_argument("--cores", default="1", metavar="N,N", help="processors of the server, for each row (1)")
    parser.add_argument("--compiled", metavar="PYTHON", help="the Python of a compiled installation, measured too")
    parser.add_argument("--only-compiled", action="store_true", help="measure only that one")
    parser.add_argument("--start", type=int, default=2000, metavar="N", help="players of the first step (2000)")
    parser.add_argument("--limit", type=float, default=50, metavar="MS", help="when moves are late (50)")
    parser.add_argument("--seconds", type=float, default=10, metavar="S", help="length of a measurement (10)")
    parser.add_argument("--minutes", type=float, default=4, metavar="M", help="time limit of a row (4)")
    parser.add_argument("--games", type=int, default=600, metavar="N", help="games archived for their size (600)")
    parser.add_argument("--data", metavar="FOLDER", help="folder on the disk of the store; default a temporary one")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, PermissionError):  # only root may
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(FILES, most), max(FILES, most)))
    pythons = {} if options.only_compiled else {"pure Python": sys.executable}
    if options.compiled:
        pythons["compiled"] = options.compiled
    for python in pythons.values():
        subprocess.run([python, "-c", "import fourfold.server"], check=True)
    archived = archiving.measure(options.games, 20)["archived: archive bytes"]
    counts = [int(count) for count in options.cores.split(",")]
    rows = [row(name, count, python, options) for count in counts for name, python in pythons.items()]
    if options.json:
        print(json.dumps({"archived_bytes": archived, "rows": rows}))
        return
    print(printed(rows, archived))
    for found in rows:
        why = {"late": "moves were late", "generator": "the load generator was late", "time": "the time was over"}
        shared = "" if found["apart"] else "; the load generator shared the server's processors"
        print(f"{found['cores']} {found['name']}: {why[found['ended']]}{shared}", file=sys.stderr)


if __name__ == "__main__":
    main()
