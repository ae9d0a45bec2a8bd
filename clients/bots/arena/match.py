"""A match: plays pairings in order, in several processes if wanted, until all are played or a test is decided."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from fourfold.clients.bots.arena.game import Played, play, points_of
from fourfold.clients.bots.arena.pairing import Pairing
from fourfold.clients.bots.arena.statistics import SequentialTest, rounds_of
from fourfold.engine.variants import rules_of

Hear: TypeAlias = Callable[[Pairing, Played], None]
"""Called with each finished game, in order."""


@dataclass(slots=True)
class Score:
    """The points of the first side so far, game by game. A round has `games` games."""

    games: int
    """The number of games in a round."""
    points: list[float] = field(default_factory=list)
    test: SequentialTest | None = None

    @property
    def rounds(self) -> list[float]:
        """The points of each whole round."""
        return rounds_of(self.points, self.games)

    @property
    def ratio(self) -> float | None:
        """The log-likelihood ratio of the test after the last whole round."""
        return None if self.test is None else self.test.ratio(Counter(self.rounds))

    @property
    def verdict(self) -> str | None:
        """The hypothesis that the test accepts; None while it goes on, and without a test."""
        ratio = self.ratio
        return None if self.test is None or ratio is None else self.test.verdict(ratio)


def match(
    games: Sequence[Pairing], score: Score, *, workers: int = 1, title: str = "", hear: Hear | None = None
) -> None:
    """Play games, and add their points to the score, which can have points of earlier ones. Stop after the round that
    decides the score's test. With more than one of `workers`, other processes play. On a terminal, a bar shows the
    progress. Raises `EngineFault` if an engine cannot play."""
    if score.verdict is not None:
        return
    with ExitStack() as stack:
        played: Iterator[Played] = map(play, games)
        if workers > 1:
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(workers))
            played = pool.imap(play, games)
        console = Console(stderr=True)
        bar = Progress(
            TextColumn(title), BarColumn(), TextColumn(_TEXT), TextColumn("{task.fields[ratio]}"),
            console=console, transient=True, disable=not console.is_terminal,
        )  # fmt: skip
        done = len(score.points)
        task = stack.enter_context(bar).add_task(
            "", total=done + len(games), completed=done, points=sum(score.points), ratio=_shown(score)
        )
        for pairing, game in zip(games, played, strict=True):
            in_teams = rules_of(pairing.variant).in_teams
            score.points.append(points_of(game.shares, pairing.sides, in_teams))
            if hear is not None:
                hear(pairing, game)
            bar.update(task, completed=len(score.points), points=sum(score.points), ratio=_shown(score))
            if len(score.points) % score.games == 0 and score.verdict is not None:
                return


_TEXT: Final = "{task.fields[points]:g} of {task.completed}/{task.total}"


def _shown(score: Score) -> str:
    ratio = score.ratio
    return "" if ratio is None or score.test is None else f"LLR {ratio:.2f} of ±{score.test.upper:.2f}"
