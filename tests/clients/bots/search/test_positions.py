"""Level 5 must keep finding mates and gains in positions from real games, for two and for four players.

Each search has a number of nodes, never a time, so that every machine gives the same result. `positions.tsv` has the
solutions and sources.
"""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from fourfold.clients.bots.search.alpha_beta import MATE, Search
from fourfold.clients.bots.search.mates_among_four import each_alone, forced_among_four
from fourfold.engine.variants import opening, seats
from tests.conftest import some

NODES: Final = {("mate", 2): 10_000, ("gain", 2): 5000, ("mate", 4): 5000, ("gain", 4): 2000}
"""The nodes for a position, by its kind and its number of players."""

UNSEEN: Final[frozenset[str]] = frozenset()
"""The mates that level 5 does not find today. It must find all others."""

MISSED: Final = {2: 4, 4: 4}
"""The number of gains that level 5 misses today, by number of players. It must not grow; lower it after an
improvement."""


class Task(NamedTuple):
    """The solution of a position: a `mate` in `moves` moves, or a `gain`, by one of the `best` moves."""

    kind: str
    variant: str
    moves: int
    best: frozenset[str]
    position: str
    source: str

    @property
    def found(self) -> bool:
        """Whether level 5 finds the solution. For two players, seeing a mate is enough."""
        players = len(seats(self.variant))
        position = opening(self.variant, position=self.position)
        if self.kind == "mate" and each_alone(position):
            found = forced_among_four(position)
            return found is not None and found.text in self.best
        search = Search(position, NODES[self.kind, players], lambda: search.nodes)
        move = search.best().text
        return move in self.best or (self.kind == "mate" and players == 2 and search.score > MATE - 100)


def tasks(kind: str, players: int) -> list[Task]:
    found = []
    for line in (Path(__file__).parent / "positions.tsv").read_text().splitlines():
        if not line.startswith("#"):
            what, variant, moves, best, position, source = line.split("\t")
            if what == kind and len(seats(variant)) == players:
                found.append(Task(what, variant, int(moves), frozenset(best.split()), position, source))
    return found


@pytest.mark.parametrize("every", some(1, 3, 1))
@pytest.mark.parametrize("players", [2, 4])
def test_each_mate_is_found_that_is_found_today(players: int, every: int) -> None:
    """By default, every third of them."""
    there = tasks("mate", players)
    assert len(there) >= 16
    there = there[::every]
    assert {task.source for task in there if not task.found} <= UNSEEN


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_no_less_gains_are_found_than_today(players: int) -> None:
    there = tasks("gain", players)
    assert len(there) > 30
    missed = [task.source for task in there if not task.found]
    assert len(missed) <= MISSED[players], missed


@pytest.mark.parametrize("task", [*tasks("mate", 2), *tasks("mate", 4)], ids=lambda task: task.source)
def test_what_is_to_be_found_can_be_played(task: Task) -> None:
    legal = opening(task.variant, position=task.position).legal_texts()
    assert task.best and task.best <= set(legal)
