"""Games between levels in one process, to measure their strength: `python -m fourfold.clients.bots.arena`.

This module knows pairings and statistics; the levels choose the moves.

Between two sides, each game is a point to share. Among four, the higher level plays one seat against three of the
lower. It shares the point of first place with the seats that share this place. Elo is the logistic difference that
predicts the share. Without a difference the share would be 1/2, or 1/4 for one against three. The error is for 95 %
confidence.

Level 5 has its budget in seconds of processor time, so a busy machine makes it slower, but not weaker. With `--engine`,
each level meets a UCI engine: `--levels 5 --engine stockfish --elo 1500 --games 40 --budget 1`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import combinations, product
from time import process_time
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from fourfold.clients.bots.levels import LEVELS, Choose, chooser
from fourfold.clients.bots.profile import Profile, profile
from fourfold.clients.bots.uci.driver import Engine, EngineFault
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import opening, rules_of

LONGEST: Final = 1000
"""Plies after which a game counts as drawn by the players still in."""

ENGINE: Final = 0
"""The number of the UCI engine among the levels."""

_CONFIDENCE: Final = 1.96


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game: the level of each seat, its number from 0, level 5's seconds for each move, and the engine at seats
    with `ENGINE`. The engine has the same time, or that of its profile."""

    variant: str
    levels: tuple[int, ...]
    seed: str
    number: int
    budget: float
    engine: Profile | None = None


@contextmanager
def engine_chooser(profile: Profile) -> Iterator[Choose]:
    """A UCI engine as a function that chooses moves. Entering it and choosing a move raise `EngineFault`."""
    engine = Engine(profile)
    with asyncio.Runner() as runner:
        runner.run(engine.__aenter__())
        try:
            yield lambda position, budget: runner.run(engine.think(position, profile.budget or budget))
        finally:
            runner.run(engine.__aexit__())


def play(pairing: Pairing) -> tuple[float, ...]:
    """Each seat's share of the one point of a game; in teams, each partner counts with the team's point."""
    position = opening(pairing.variant, seed=pairing.number)
    with ExitStack() as stack:
        engine = None if pairing.engine is None else stack.enter_context(engine_chooser(pairing.engine))
        players: list[Choose] = []
        for seat, level in enumerate(pairing.levels):
            own = f"{pairing.seed} {pairing.number} {seat}"
            players.append(engine if engine is not None and level == ENGINE else chooser(level, own, process_time))
        plies = 0
        while position.outcome is None and plies < LONGEST:
            move = position.walk or position.find(players[position.turn](position, pairing.budget))
            position = position.play(move)
            plies += 1
    return shares(position.outcome or position.end_in_draw(Termination.AGREEMENT).outcome, position)


def shares(outcome: Outcome | None, position: Position) -> tuple[float, ...]:
    """The points of a game by seat."""
    assert outcome is not None  # the game is over
    first = [seat for seat, place in enumerate(outcome.standings) if place == 1]
    if position.rules.in_teams or len(outcome.standings) == 2:
        whole = 1.0 if outcome.winners else 0.5
    else:
        whole = 1 / len(first)
    return tuple(whole * (seat in first) for seat in range(len(outcome.standings)))


def pairings(
    variant: str, levels: Sequence[int], games: int, seed: str, budget: float, engine: Profile | None = None
) -> Iterator[Pairing]:
    """The games of two levels, with rotated seats: the first level alone (or as a team) against the second."""
    high, low = levels
    rules = rules_of(variant)
    for number in range(games):
        seat = number % len(rules.seats)
        side = rules.teams[seat]
        alone = tuple(high if team == side else low for team in rules.teams)
        yield Pairing(variant, alone, seed, number, budget, engine)


def elo(share: float, expected: float) -> float:
    """The difference in Elo that explains a share of the points, if equal players would have the `expected` share."""
    share = min(max(share, 1e-4), 1 - 1e-4)
    return 400 * (math.log10(share / (1 - share)) - math.log10(expected / (1 - expected)))


def error_of(points: Sequence[float]) -> float:
    """The half-width of a share's 95 % interval. An added win and loss prevent overconfidence after few games."""
    games = len(points) + 2
    mean = (sum(points) + 1) / games
    variance = (sum((point - mean) ** 2 for point in points) + (1 - mean) ** 2 + mean**2) / games
    return _CONFIDENCE * math.sqrt(variance / games)


def match(games: Sequence[Pairing], level: int, *, workers: int = 1, title: str = "") -> list[float]:
    """Play games, in other processes if `workers` is more than 1, with a progress bar on a terminal. Return a level's
    points from each game. Raises `EngineFault` if the engine cannot play."""
    points: list[float] = []
    with ExitStack() as stack:
        played: Iterator[tuple[float, ...]] = map(play, games)
        if workers > 1:
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(workers))
            played = pool.imap(play, games)
        text = TextColumn("{task.fields[points]:g} of {task.completed}/{task.total}")
        console = Console(stderr=True)
        bar = Progress(
            TextColumn(title), BarColumn(), text, console=console, transient=True, disable=not console.is_terminal
        )
        task = stack.enter_context(bar).add_task("", total=len(games), points=0)
        for pairing, shared in zip(games, played, strict=True):
            points.append(shared[pairing.levels.index(level)])
            bar.update(task, completed=len(points), points=sum(points))
    return points


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m fourfold.clients.bots.arena", description="Measure levels.")
    parser.add_argument("--variant", default="standard", help="default standard")
    parser.add_argument("--levels", default="1,2,3,4", help="two or more, as 3,4: each meets each; the higher is alone")
    parser.add_argument("--engine", metavar="NAME", help="a UCI engine, by its profile: each level meets it")
    parser.add_argument("--engine-budget", type=float, metavar="S", help="seconds a move for it, if not the same")
    parser.add_argument("--elo", type=int, help="the engine's strength (its UCI_LimitStrength and UCI_Elo)")
    parser.add_argument("--games", type=int, default=100, help="of each pair of levels (default 100)")
    parser.add_argument("--workers", type=int, default=1, help="processes to play in (default 1)")
    parser.add_argument("--seed", default="0", help="the same seed gives the same games (level 5 apart)")
    parser.add_argument("--budget", type=float, default=0.5, help="seconds a move for level 5 (default 0.5)")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    values = parser.parse_args(arguments)
    try:
        levels = sorted({int(level) for level in values.levels.split(",")})
        rules = rules_of(values.variant)
        engine = None if values.engine is None else _limited(values)
    except ValueError as error:
        parser.error(str(error))
    if len(levels) < 2 - (engine is not None) or not set(levels) <= set(LEVELS):
        parser.error(f"--levels needs two or more of {', '.join(map(str, LEVELS))}; against an engine, one is enough")
    if values.games < 1 or values.workers < 1:
        parser.error("--games and --workers are numbers from 1")
    sides = len(set(rules.teams))
    reports = []
    for low, high in combinations(levels, 2) if engine is None else product([ENGINE], levels):
        games = list(pairings(values.variant, (high, low), values.games, values.seed, values.budget, engine))
        title = f"level {high} against {_name(low, engine)}"
        try:
            points = match(games, high, workers=values.workers, title=title)
        except EngineFault as error:
            print(f"arena: {error}", file=sys.stderr)
            return 1
        report = _report(points, high, low, 1 / sides, engine)
        reports.append(report)
        if not values.json:
            print(_sentence(values.variant, report), flush=True)
    if values.json:
        first = reports[0]
        print(json.dumps(first if len(reports) == 1 else {"games": sum(r["games"] for r in reports), "pairs": reports}))
    return 0


def _limited(values: argparse.Namespace) -> Profile:
    """The engine that the arguments name, with their strength and time. Raises `BadProfile`."""
    known = profile(values.engine)
    limit = {} if values.elo is None else {"UCI_LimitStrength": "true", "UCI_Elo": str(values.elo)}
    return replace(known, options={**known.options, **limit}, budget=values.engine_budget or known.budget)


def _name(level: int, engine: Profile | None) -> str:
    if level != ENGINE or engine is None:
        return str(level)
    elo = engine.options.get("UCI_Elo")
    return (engine.name or engine.command[0]) + (f" at {elo}" if elo else "")


def _report(points: list[float], high: int, low: int, expected: float, engine: Profile | None) -> dict[str, Any]:
    games, wins, losses = len(points), points.count(1.0), points.count(0.0)
    share = sum(points) / games
    margin = error_of(points)
    error = (elo(min(share + margin, 1), expected) - elo(max(share - margin, 0), expected)) / 2
    return {
        "games": games,
        "score": {str(high): round(share, 4), _name(low, engine): round(1 - share, 4)},
        "elo": round(elo(share, expected), 1),
        "error": round(error, 1),
        "margin": round(margin, 4),
        "expected": expected,
        "wins": wins,
        "draws": games - wins - losses,
        "losses": losses,
        "points": round(sum(points), 2),
    }


def _sentence(variant: str, report: dict[str, Any]) -> str:
    score = report["score"]
    high, low = score
    return (
        f"{variant}: level {high} against {low}: {report['points']} points of {report['games']} games "
        f"(+{report['wins']} ={report['draws']} -{report['losses']}), "
        f"{100 * score[high]:.1f} % ± {100 * report['margin']:.1f}, Elo {report['elo']:+} ± {report['error']}"
    )


if __name__ == "__main__":
    sys.exit(main())
