"""Measures what players in other rooms notice of each attack.

    python -m tests.abuse [ATTACK...] [--seconds 5] [--games 10] [--json]

from the root of the repository. For each attack a server is started on a store of its own, as behind one proxy;
some games are played on it from addresses of their own; the attack comes from another process, at one address. Told are
p50 and p99 of the time from a move to its `ok`, before and during the attack; how much processor time the server took
meanwhile (100 % is one core), what it grew by, and what the attacker got. On a machine with few cores the attacker's
own work is part of what the players wait for.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import time
from pathlib import Path
from typing import Any

from tests.abuse.attacks import ATTACKS, attack
from tests.abuse.bystanders import Bystanders, percentile
from tests.games.conftest import running


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.abuse", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(ATTACKS)}; all, if none is named")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.json:
        print(f"{'attack':24} {'before p50':>10} {'p99':>7} {'during p50':>10} {'p99':>7} ms   CPU    MiB  got")
    for name in options.attacks or ATTACKS:
        row = measure(name, options.seconds, options.games)
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        got = ", ".join(f"{what} {times}" for what, times in row["got"].items())
        print(
            f"{name:24} {row['before'][0]:10.1f} {row['before'][1]:7.1f} {row['during'][0]:10.1f} "
            f"{row['during'][1]:7.1f}    {row['cpu']:4.0f}% {row['grown']:6.1f}  {got}",
            flush=True,
        )


def measure(name: str, seconds: float, games: int) -> dict[str, Any]:
    """One attack on a server of its own."""
    with running(None, 0, "--trust-proxy", "1") as server:
        return asyncio.run(_measure(name, server.url, server.pid, seconds, games))


async def _measure(name: str, url: str, pid: int, seconds: float, games: int) -> dict[str, Any]:
    async with Bystanders(url, games) as bystanders:
        await asyncio.sleep(1)
        before = await _moves(bystanders, seconds)
        attacker = attack(name, url, seconds)
        assert attacker.stdout is not None
        assert await asyncio.to_thread(attacker.stdout.readline) == "ready\n"  # it has loaded what it needs
        memory, work, began = _resident(pid), _worked(pid), time.monotonic()
        during = await _moves(bystanders, seconds)
        cpu = 100 * (_worked(pid) - work) / (time.monotonic() - began)
        grown = _resident(pid) - memory
        got = json.loads((await asyncio.to_thread(attacker.communicate))[0])
        bystanders.check()
    ranks = [[percentile(latencies, 50), percentile(latencies, 99)] for latencies in (before, during)]
    moves = len(before), len(during)
    return {
        "attack": name, "limit": ATTACKS[name].limit, "before": ranks[0], "during": ranks[1], "moves": moves,
        "cpu": cpu, "grown": grown, "got": got,
    }  # fmt: skip


async def _moves(bystanders: Bystanders, seconds: float) -> list[float]:
    first = len(bystanders.latencies)
    await asyncio.sleep(seconds)
    return bystanders.latencies[first:]


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
