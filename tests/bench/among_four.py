"""Which search is the stronger among four that are all against all: the paranoid one, or max^n.

    python -m tests.bench.among_four [--variant survivor] [--games 30] [--budget 0.1]

from the root of the repository. Both have the same evaluation, ordering of moves, quiet positions at the leaves, and
processor time for a move. *Paranoid* takes the others to play together against the searcher, so that alpha-beta cuts;
*max^n* (Luckhardt and Irani, 1986) assumes that each looks after itself, and can cut almost nothing. Two seats play by
each, in turn by all six ways to sit; each game begins with random moves. Told is max^n's share of the
points, with its 95 % interval; equals would share evenly.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import combinations, cycle, islice
from time import process_time

from fourfold.clients.bots.arena import error_of, shares
from fourfold.clients.bots.evaluation import PAWN, Evaluation
from fourfold.clients.bots.search import DEEPEST, MATE, Search, TimeIsUp
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import opening

RANDOM_PLIES = 8
LONGEST = 600
QUIET_PLIES = 4
"""So far captures are followed in quiet positions; four plies are what one round can take."""

Worths = tuple[int, ...]


class MaxN(Search):
    """A search in which every seat looks after itself."""

    def __init__(self, root: Position, deadline: float) -> None:
        super().__init__(root, deadline, process_time)
        self._man = Evaluation(root).worth
        self._points = root.points is not None

    def best(self, deepest: int = DEEPEST) -> Move:
        moves = self._ordered(self._root, self._root.legal_moves, None, 0)
        seat = self._root.turn
        try:
            for depth in range(1, deepest + 1):
                worths = {}
                for move in moves:
                    worths[move] = self._value_of(self._root.play(move), depth - 1, 1)[seat]
                moves.sort(key=lambda move: -worths[move])
                self.depth = depth
                if len(moves) == 1 or abs(worths[moves[0]]) > MATE - 100:
                    break
        except TimeIsUp:
            pass
        return moves[0]

    def _value_of(self, position: Position, depth: int, ply: int) -> Worths:
        self._count()
        outcome = position.outcome
        if outcome is not None:
            won = MATE - ply
            return tuple(0 if not outcome.winners else won if seat in outcome.winners else -won for seat in range(4))
        if depth <= 0:
            return self._quiet(position, QUIET_PLIES)
        seat = position.turn
        best: Worths | None = None
        for move in self._ordered(position, position.movable(), None, ply):
            worths = self._value_of(position.play(move), depth - 1, ply + 1)
            if best is None or worths[seat] > best[seat]:
                best = worths
        assert best is not None
        return best

    def _quiet(self, position: Position, plies: int) -> Worths:
        best = self._worths(position)
        if plies and position.outcome is None:
            seat = position.turn
            for move, _ in self._captures(position):
                self._count()
                worths = self._quiet(position.play(move), plies - 1)
                if worths[seat] > best[seat]:
                    best = worths
        return best

    def _worths(self, position: Position) -> Worths:
        """What the position is worth to each seat, as `Evaluation` has it for one."""
        men = [sum(map(self._man, army.values())) for army in position.armies[:4]]
        own = [men[seat] if seat in position.alive else 0 for seat in range(4)]
        total = sum(own)
        if not self._points:
            return tuple(worth - (total - worth) // 3 for worth in own)
        points = position.points
        assert points is not None
        won = sum(points)
        return tuple(
            (3 * worth - (total - worth)) // 6 + PAWN * (3 * won_here - (won - won_here)) // 3
            for worth, won_here in zip(own, points, strict=True)
        )


def play(variant: str, number: int, seats: Sequence[int], budget: float) -> float:
    """The points that the seats of max^n share in a game."""
    position = opening(variant, seed=number)
    chance = random.Random(number)
    while position.outcome is None and position.ply < LONGEST:
        if position.walk is not None:
            move = position.walk
        elif position.ply < RANDOM_PLIES:
            move = chance.choice(sorted(position.legal_moves, key=lambda move: move.text))
        elif position.turn in seats:
            move = MaxN(position, process_time() + budget).best()
        else:
            move = Search(position, process_time() + budget, process_time).best()
        position = position.play(move)
    shared = shares(position.outcome or position.end_in_draw(Termination.AGREEMENT).outcome, position)
    return sum(shared[seat] for seat in seats)


def arrangements(games: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The games by number, and which seats are max^n's."""
    return zip(range(games), islice(cycle(combinations(range(4), 2)), games), strict=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print, after each game what is known so far."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.among_four", description="Compare two searches.")
    parser.add_argument("--variant", choices=("survivor", "ffa"), default="survivor", help="default survivor")
    parser.add_argument("--games", type=int, default=30, help="default 30")
    parser.add_argument("--budget", type=float, default=0.1, help="seconds a move (default 0.1)")
    values = parser.parse_args(arguments)
    points: list[float] = []
    for number, seats in arrangements(values.games):
        points.append(play(values.variant, number, seats, values.budget))
        share, error = 100 * sum(points) / len(points), 100 * error_of(points)
        print(f"{values.variant}: max^n {share:.1f} % ± {error:.1f} of {len(points)} games", flush=True)


if __name__ == "__main__":
    main()
