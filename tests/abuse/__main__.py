"""Measures the effect of each attack on players: at the attacker's address, and at others.

python -m tests.abuse [ATTACK...] [--seconds 5] [--rounds 3] [--games 10] [--json]

from the root of the repository. For each attack a server starts on its own store, as behind one proxy. Some games are
played on it by players at separate addresses, and as many by players at the attacker's address. The attacker is another
process. Every round measures the games for `--seconds` in peace, then for as long under attack.

The output has the medians over all rounds of the p99 of the time from a move to its `ok`, in peace (of all players, who
share it) and under attack, and their ratio, which should be at most 1.5; the server's processor time under attack
(100 % is one core) and memory growth; and the attacker's results. The attacker takes only processor time that nobody
else wants, as if it were on another machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import time
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any, Final

from tests.abuse.attacks import ATTACKS, address_of, attack
from tests.abuse.bystanders import Bystanders, percentile
from tests.games.conftest import running

SETTLE: Final = 1.0
"""Seconds between a change and the measurement."""

MOST: Final = 1.5
"""The highest acceptable ratio."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.abuse", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(ATTACKS)}; all, if none is named")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.json:
        print(f"{'p99 in ms':24} {'same address':>22}  {'other addresses':>22}    CPU    MiB  got")
    for name in options.attacks or ATTACKS:
        row = measure(name, options.seconds, options.rounds, options.games)
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        got = ", ".join(f"{what} {times}" for what, times in row["got"].items())
        sides = "  ".join(_side(row[side]) for side in ("same", "other"))
        print(f"{name:24} {sides}   {row['cpu']:3.0f}% {row['grown']:6.1f}  {got}", flush=True)


def _side(side: dict[str, float]) -> str:
    mark = "!" if side["ratio"] > MOST else " "
    return f"{side['peace']:6.1f} {side['attack']:7.1f} x{side['ratio']:5.2f}{mark}"


def measure(name: str, seconds: float, rounds: int, games: int) -> dict[str, Any]:
    """One attack on a separate server."""
    with running(None, 0, "--trust-proxy", "1") as server:
        return asyncio.run(_measure(name, server.url, server.pid, seconds, rounds, games))


async def _measure(name: str, url: str, pid: int, seconds: float, rounds: int, games: int) -> dict[str, Any]:
    got, cpu, grown = Counter[str](), list[float](), list[float]()
    async with Bystanders(url, games, address_of(name)) as same, Bystanders(url, games) as other:
        players = same, other
        peace: list[float] = []
        under: tuple[list[float], ...] = ([], [])
        for _ in range(rounds):
            await asyncio.sleep(SETTLE)
            peace.append(percentile([*chain(*await _latencies(players, seconds))], 99))
            attacker = attack(name, url, seconds + SETTLE)
            assert attacker.stdout is not None
            assert await asyncio.to_thread(attacker.stdout.readline) == "ready\n"  # it has loaded all modules
            memory, work, began = _resident(pid), _worked(pid), time.monotonic()
            await asyncio.sleep(SETTLE / 2)
            for latencies, ranks in zip(await _latencies(players, seconds), under, strict=True):
                ranks.append(percentile(latencies, 99))
            cpu.append(100 * (_worked(pid) - work) / (time.monotonic() - began))
            grown.append(_resident(pid) - memory)
            got.update(json.loads((await asyncio.to_thread(attacker.communicate))[0]))
            same.check()
            other.check()
    before = median(peace)
    told = [{"peace": before, "attack": median(during), "ratio": median(during) / before} for during in under]
    return {
        "attack": name, "limit": ATTACKS[name].limit, "same": told[0], "other": told[1], "cpu": median(cpu),
        "grown": sum(grown), "got": dict(got),
    }  # fmt: skip


async def _latencies(players: Sequence[Bystanders], seconds: float) -> list[list[float]]:
    """Those of the next `seconds`, of each."""
    firsts = [len(those.latencies) for those in players]
    await asyncio.sleep(seconds)
    return [those.latencies[first:] for those, first in zip(players, firsts, strict=True)]


def _resident(pid: int) -> float:
    """In MiB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


def _worked(pid: int) -> float:
    """Seconds of processor time."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
