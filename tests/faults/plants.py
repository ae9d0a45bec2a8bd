"""Planted faults: one-line changes that make a server wrong. The campaign must find each.

The change is made to a copy of the source, which the nodes then run. The product contains nothing of it. The search for
a planted fault tries the schedules that have its blow, from seed 1 on.
"""

import itertools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.faults.cluster import ROOT
from tests.faults.game import Kind
from tests.faults.plan import plan

TRIES = 10
"""The number of schedules within which a planted fault must be found."""


class Plant(NamedTuple):
    """A fault: its name; the file, the text and its replacement; the blow that shows it, the kind of failure, and a
    part of its message."""

    name: str
    file: str
    text: str
    instead: str
    blow: str
    kind: Kind
    says: str

    def seeds(self) -> Iterator[int]:
        """The schedules that are searched for it."""
        there = (seed for seed in itertools.count(1) if any(blow.what == self.blow for blow in plan(seed).blows))
        return itertools.islice(there, TRIES)

    @contextmanager
    def planted(self) -> Iterator[Path]:
        """A folder with a copy of the package that has this fault in it, until the context ends.

        A node that is started there runs the copy instead of the installed package.
        """
        folder = Path(tempfile.mkdtemp(prefix="fourfold-plant-"))
        try:
            shutil.copytree(ROOT / ".src", folder, dirs_exist_ok=True)  # the targets of its links
            source = folder / "fourfold" / self.file
            text = source.read_text()
            assert text.count(self.text) == 1, f"{self.name}: not once in {self.file}"
            source.write_text(text.replace(self.text, self.instead))
            yield folder
        finally:
            shutil.rmtree(folder)


PLANTS = (
    Plant(
        "an outage is credited twice",
        "engine/match/evolve.py",
        "credited=event.until)",
        "credited=state.credited)",
        "keep everybody from the store",
        "unlawful",
        "credited",
    ),
    Plant(
        "a flag falls for an outage",
        "server/storage/heartbeat.py",
        "tuple(Outage(*map(int, entry.split())) for entry in await self._history())",
        "()",
        "keep everybody from the store",
        "unlawful",
        "was not given back first",
    ),
    Plant(
        "nobody takes over the deadlines of dead nodes",
        "server/rooms/takeover.py",
        "self._stale(), take=TAKE)",
        "self._stale(), take=0)",
        "leave a game to a dead node",
        "stuck",
        "has passed and its event happened",
    ),
    Plant(
        "the players of a dead node stay",
        "server/rooms/presence.py",
        "lost = self._shares.lose(nodes)",
        "lost = []",
        "take a player along with a node",
        "stuck",
        "all know who",
    ),
    Plant(
        "a resuming client gets no presence",
        "server/rooms/room.py",
        "            self._seats.tell_all(follower, self._match)\n",
        "",
        "cut guests off",
        "stuck",
        "all know who",
    ),
    Plant(
        "a short absence counts as absence",
        "engine/match/votes.py",
        "return seat in command.absent and command.absent[seat] <= now",
        "return seat in command.absent",
        "cut guests off",
        "unlawful",
        "has not been away for long",
    ),
    Plant(
        "votes are open to the first one back",
        "server/rooms/presence.py",
        "return max(self._left.get(player, self._began), outages[-1].end if outages else 0)",
        "return self._left.get(player, 0)",
        "kill every node",
        "unlawful",
        "has not been away for long",
    ),
    Plant(
        "acknowledged before it is stored",
        "server/replication/log_writer.py",
        "self._decided = perf_counter()",
        "self._decided = perf_counter(); type(verdict[0]).__name__ == 'Moved' and request.answer(self.seq + 1)",
        "kill the store",
        "lost",
        "before it was stored",
    ),
    Plant(
        "a key is forgotten",
        "server/replication/replica.py",
        "self._digests += _digest(decision.by, decision.key)",
        "pass",
        "lose answers to guests",
        "lost",
        "after it was done",
    ),
    Plant(
        "refused writes count as stored",
        "server/storage/pipeline.py",
        'item.failed(f"the store refused to write: {answer}")',
        "item.answered([1, 0])",
        "run the store out of memory",
        "lost",
        "",
    ),
    Plant(
        "a missing answer counts as success",
        "server/storage/pipeline.py",
        "answers = [exceptions.ConnectionError(str(error))] * len(batch)",
        "answers = [[1, 0]] * len(batch)",
        "fill the store's disk",
        "lost",
        "",
    ),
    Plant(
        "ready although the store takes no writes",
        "server/storage/redis_log.py",
        "            if self._inspector.trouble is None:\n                await self._heartbeat.beat()\n",
        "            pass\n",
        "turn the store read-only",
        "stuck",
        "reports ready",
    ),
    Plant(
        "a cut-off node keeps its players",
        "server/transport/cutoff.py",
        "            left()\n",
        "            pass\n",
        "keep a node from the store",
        "stuck",
        "is still at",
    ),
    Plant(
        "a store that went back goes unnoticed",
        "server/storage/records.py",
        "if last < after:",
        "if False:",
        "put the store back",
        "divergent",
        "",
    ),
    Plant(
        "a resuming client's version is not checked",
        "server/replication/replica.py",
        "or found[0].at != decided",
        "",
        "put the store back",
        "divergent",
        "",
    ),
    Plant(
        "a spoiled game counts as gone",
        "server/replication/log_writer.py",
        "self.stop(NEWER if isinstance(error, NewerEntry) else DAMAGED)",
        "self.stop(GONE)",
        "spoil a game",
        "stuck",
        "is refused by",
    ),
)
