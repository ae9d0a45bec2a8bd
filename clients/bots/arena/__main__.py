"""Matches between levels and UCI engines, to measure their strength: `python -m fourfold.clients.bots.arena`.

Between two sides, each game is a point to share. Among four, the higher level plays one seat against three of the
lower. It shares the point of first place with the seats that share this place. Elo is the logistic difference that
predicts the share. Without a difference the share would be 1/2, or 1/4 for one against three. The error is for 95 %
confidence.

A budget is in seconds of processor time, so a busy machine makes players slower, but not weaker. With `--engine`, each
level meets a UCI engine: `--levels 5 --engine stockfish --elo 1500 --games 40 --budget 1`. With `--against` as well,
two engines meet.

With `--openings`, each round of games begins with the next balanced opening, and each side plays it from every seat.
`--sprt 0 20` stops as soon as the first player is stronger by 20 Elo rather than by 0, or the other way round. With
`--results`, a match that is started again continues.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf
from pathlib import Path
from typing import Final

from fourfold.clients.bots.arena import openings
from fourfold.clients.bots.arena.pairing import Player
from fourfold.clients.bots.arena.report import sentences
from fourfold.clients.bots.arena.results import BadResults
from fourfold.clients.bots.arena.series import Conditions, Series
from fourfold.clients.bots.profile import profile
from fourfold.clients.bots.uci.driver import EngineFault

USUAL: Final = 100
"""Games of a match, by default."""

MOST: Final = 20_000
"""Games of a match with a test, by default: it usually stops long before."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parser = _parser()
    values = parser.parse_args(arguments)
    try:
        players = list(_players(values))
        usual = USUAL if values.sprt is None else MOST
        conditions = Conditions(
            values.variant, usual if values.games is None else values.games, values.budget, values.seats,
            values.openings or "", values.seed, None if values.sprt is None else (values.sprt[0], values.sprt[1]),
            values.workers,
        )  # fmt: skip
        series = Series(conditions, values.results, values.record)
    except BadResults as error:
        return _fail(error)
    except ValueError as error:
        parser.error(str(error))
    reports = []
    try:
        with series:
            for pair in players:
                score, found = series.play(pair)
                reports.append(found)
                if not values.json:
                    print(sentences(values.variant, pair, found, score), flush=True)
    except (EngineFault, BadResults, OSError) as error:
        return _fail(error)
    if values.json:
        first = reports[0]
        print(json.dumps(first if len(reports) == 1 else {"games": sum(r["games"] for r in reports), "pairs": reports}))
    return 0


def _fail(error: Exception) -> int:
    print(f"arena: {error}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fourfold.clients.bots.arena", description="Measure strength.")
    parser.add_argument("--variant", default="standard", help="default standard")
    parser.add_argument("--levels",
                        help="two or more, as 3,4: each meets each; the higher is alone (default 1,2,3,4). "
                        "5:1600 is level 5 with a strength of 1600")  # fmt: skip
    parser.add_argument("--engine", metavar="NAME", help="a UCI engine, by its profile: each level meets it")
    parser.add_argument("--against", metavar="NAME", help="a second UCI engine, for a match of two engines")
    parser.add_argument("--engine-budget", type=float, metavar="S", help="seconds a move for engines, if not the same")
    parser.add_argument("--elo", type=int, help="the engine's strength (its UCI_LimitStrength and UCI_Elo)")
    parser.add_argument("--games", type=int, help=f"of each pair of players (default {USUAL}; with --sprt, {MOST:,})")
    parser.add_argument("--workers", type=int, default=1, help="processes to play in (default 1)")
    parser.add_argument("--seed", default="0", help="the same seed gives the same games (level 5 and engines apart)")
    parser.add_argument("--budget", type=float, default=0.5, help="seconds of processor time a move (default 0.5)")
    parser.add_argument("--seats", type=int, default=1, help="the first player's, among four without teams (default 1)")
    parser.add_argument("--openings", nargs="?", const=openings.INCLUDED, metavar="FILE",
                        help="begin with balanced openings: the included ones, or those of a file")  # fmt: skip
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"),
                        help="stop when one of two differences in Elo is accepted, with an error of 5 %%")  # fmt: skip
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep each game here, and continue from it")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write all games here, as PGN or PGN4")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    return parser


def _players(values: argparse.Namespace) -> Iterator[tuple[Player, Player]]:
    """The pairs that meet. Raises `ValueError`, and `BadProfile` is one."""
    if values.against is not None:
        if values.engine is None or values.levels is not None:
            raise ValueError("--against needs --engine, and no --levels")
        pair = (_engine(values, values.engine), _engine(values, values.against))
        if pair[0].name == pair[1].name:
            raise ValueError(f"both engines are called {pair[0].name}: give one another name in its profile")
        yield pair
        return
    levels = sorted(set(map(Player.of_level, (values.levels or "1,2,3,4").split(","))), key=_height)
    if len(levels) < 2 - (values.engine is not None):
        raise ValueError("--levels needs two or more; against an engine, one is enough")
    if values.engine is None:
        yield from ((high, low) for low, high in combinations(levels, 2))
    else:
        other = _engine(values, values.engine)
        yield from ((level, other) for level in levels)


def _height(player: Player) -> tuple[int, float]:
    """The order of levels: level 5 without a limit is above all others."""
    return player.level or 0, inf if player.elo is None else player.elo


def _engine(values: argparse.Namespace, name: str) -> Player:
    """The engine that the arguments name, with their strength and time. Raises `BadProfile`."""
    known = profile(name)
    limit = {} if values.elo is None else {"UCI_LimitStrength": "true", "UCI_Elo": str(values.elo)}
    options = {**known.options, **limit}
    return Player(engine=replace(known, options=options, budget=values.engine_budget or known.budget))


if __name__ == "__main__":
    sys.exit(main())
