"""A pool of opponents: our levels, earlier versions of a program that learns, or any other policies.

A program that only plays against its newest self forgets how to beat its earlier ones. With a pool, `FourfoldEnv` draws
the other players of each game. Those whom the agent beats rarely are drawn most often.

>>> from fourfold.clients.environments.policies import policy
>>> from fourfold.clients.environments.pool import Pool
>>> from fourfold.clients.environments.single import FourfoldEnv
>>> pool = Pool()
>>> for level in (1, 2):
...     pool.add(f"level {level}", policy(level, seed=level), keep=True)
>>> env = FourfoldEnv("ffa", opponents=pool, plies=40)
>>> observation, info = env.reset(seed=1)
>>> sorted(env.others), set(env.others.values()) <= {"level 1", "level 2"}
([1, 2, 3], True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from fourfold.engine.position import Position

Policy: TypeAlias = Callable[[Position], int]
"""A policy: from a position to the action of the side to move."""

_EVEN = 2
"""The number of drawn games that each opponent counts as having played, so that a new one is neither easy nor hard."""


@dataclass(slots=True)
class Opponent:
    """A player in a pool, with the agent's results against it."""

    name: str
    policy: Policy
    keep: bool
    """Whether it stays when the pool is full."""
    games: int = 0
    points: float = 0.0
    """The agent's points: 1 for a game in which it came before the opponent, 0.5 if they shared a place."""

    @property
    def share(self) -> float:
        """The agent's share of the points, counting two drawn games before the first."""
        return (self.points + _EVEN / 2) / (self.games + _EVEN)


class Pool:
    """Opponents, drawn by how hard they are: in proportion to ``(1 - share) ** curve``, but at least `least`.

    With `curve` 0, all are drawn alike. At most `size` opponents without `keep` stay: a further one replaces the one
    that the agent beats most surely.
    """

    def __init__(self, *, size: int = 16, curve: float = 2.0, least: float = 0.05) -> None:
        self._size, self._curve, self._least = size, curve, least
        self._by_name: dict[str, Opponent] = {}

    def __iter__(self) -> Iterator[Opponent]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __getitem__(self, name: str) -> Opponent:
        return self._by_name[name]

    def add(self, name: str, policy: Policy, *, keep: bool = False) -> None:
        """Add an opponent. Raises `ValueError` if the pool has one of this name."""
        if name in self._by_name:
            raise ValueError(f"The pool has an opponent '{name}' already.")
        passing = [opponent for opponent in self if not opponent.keep]
        if not keep and len(passing) >= self._size:
            del self._by_name[max(passing, key=lambda opponent: opponent.share).name]
        self._by_name[name] = Opponent(name, policy, keep)

    def draw(self, chance: np.random.Generator) -> Opponent:
        """A random opponent, drawn by `chance`. Raises `ValueError` if the pool is empty."""
        if not self._by_name:
            raise ValueError("The pool is empty: add an opponent first.")
        weights = np.array([max((1 - opponent.share) ** self._curve, self._least) for opponent in self])
        return list(self)[int(chance.choice(len(weights), p=weights / weights.sum()))]

    def record(self, name: str, points: float) -> None:
        """Record the agent's points in a game against an opponent: 1, 0.5 or 0. An opponent that is gone is left
        out."""
        opponent = self._by_name.get(name)
        if opponent is not None:
            opponent.games += 1
            opponent.points += points
