"""Makes balanced openings: `python -m fourfold.clients.bots.arena.make_openings VARIANT COUNT >> balanced.txt`.

Each opening begins with random quiet moves: no captures, no checks, no piece left where it can be taken at a profit.
Then level 5 searches the position as if it were each seat's turn. The opening is kept if no team has a result much
better than another's; a team's result is the mean of its seats. With `--engine`, a UCI engine must agree.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from math import inf
from typing import Final

from fourfold.clients.bots.levels.lookahead import Lookahead
from fourfold.clients.bots.profile import Profile, profile
from fourfold.clients.bots.search.alpha_beta import Search
from fourfold.clients.bots.uci.driver import Engine, EngineFault
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.questions import gives_check, is_capture
from fourfold.engine.variants import opening

EVEN: Final = 50
"""The most that one team's result may be better than another's, in hundredths of a pawn."""

_SCORE: Final = re.compile(r" score (?:cp )?(-?\d+)")


def quiet_moves(position: Position) -> list[Move]:
    """The moves that neither capture nor check nor lose material at once."""
    ahead = Lookahead(position)
    return [
        move
        for move in position.legal_moves
        if not is_capture(position, move) and not gives_check(position, move) and ahead.sound(move)
    ]


def beginning(variant: str, rounds: int, chance: random.Random) -> tuple[Position, tuple[str, ...]] | None:
    """Random quiet moves of each seat, and the position after them. None if a seat had none."""
    position = opening(variant)
    moves = []
    for _ in range(rounds * len(position.seats)):
        quiet = quiet_moves(position)
        if not quiet:
            return None
        move = chance.choice(sorted(quiet, key=lambda move: move.text))
        moves.append(move.text)
        position = position.play(move)
    return position, tuple(moves)


def spread(position: Position, depth: int) -> float:
    """The advantage of the best team over the worst, in hundredths of a pawn. For each seat to move in turn, level 5
    searches `depth` plies. A team's result is the mean of its seats."""
    scores = {}
    for seat in position.alive:
        search = Search(position.replace(turn=seat), inf)
        search.best(depth)
        scores[seat] = search.score
    return _apart(position, scores)


async def spread_by(engine: Engine, position: Position, seconds: float) -> float:
    """As `spread`, but by the scores of a UCI engine, which has `seconds` for each seat. Infinity if it reports no
    score. Raises `EngineFault`."""
    scores = {}
    for seat in position.alive:
        lines: list[str] = []
        await engine.look(position.replace(turn=seat), seconds, lines.append)
        found = [match for line in lines if (match := _SCORE.search(line))]
        if not found:
            return inf
        scores[seat] = int(found[-1][1])
    return _apart(position, scores)


def _apart(position: Position, scores: Mapping[int, int]) -> float:
    teams = defaultdict[int, list[int]](list)
    for seat, score in scores.items():
        teams[position.rules.teams[seat]].append(score)
    means = [sum(each) / len(each) for each in teams.values()]
    return max(means) - min(means)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m fourfold.clients.bots.arena.make_openings", description="Make balanced openings."
    )
    parser.add_argument("variant")
    parser.add_argument("count", type=int, help="how many to print")
    parser.add_argument("--moves", type=int, help="moves of each seat (default 4 for two players, 2 for more)")
    parser.add_argument("--depth", type=int, default=4, help="plies of each search (default 4)")
    parser.add_argument("--even", type=int, default=EVEN, help=f"hundredths of a pawn between teams (default {EVEN})")
    parser.add_argument("--engine", metavar="NAME", help="a UCI engine that must agree, by its profile")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each of its searches (default 0.3)")
    parser.add_argument("--seed", default="0", help="the same seed begins with the same moves")
    values = parser.parse_args(arguments)
    try:
        seats = len(opening(values.variant).seats)
        engine = None if values.engine is None else profile(values.engine)
    except ValueError as error:
        parser.error(str(error))
    rounds = values.moves or (4 if seats == 2 else 2)
    chance = random.Random(f"{values.variant} {values.seed}")
    try:
        asyncio.run(_print(values, rounds, chance, engine))
    except EngineFault as error:
        print(f"make_openings: {error}", file=sys.stderr)
        return 1
    return 0


async def _print(values: argparse.Namespace, rounds: int, chance: random.Random, engine: Profile | None) -> None:
    printed = set[tuple[str, ...]]()
    async with AsyncExitStack() as stack:
        other = None if engine is None else await stack.enter_async_context(Engine(engine))
        while len(printed) < values.count:
            begun = beginning(values.variant, rounds, chance)
            if begun is None or begun[1] in printed:
                continue
            position, moves = begun
            if spread(position, values.depth) > values.even:
                continue
            if other is not None and await spread_by(other, position, values.seconds) > values.even:
                continue
            printed.add(moves)
            print(values.variant, *moves, flush=True)


if __name__ == "__main__":
    sys.exit(main())
