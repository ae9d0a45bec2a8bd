"""The best lines of a position, as level 5 finds them, deeper and deeper; what they are worth to each seat, and what
the opponents threaten."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final, TypeAlias

from fourfold.clients.bots.evaluation import Evaluation
from fourfold.clients.bots.level5 import sure_mate
from fourfold.clients.bots.lookahead import Lookahead
from fourfold.clients.bots.mailbox import worth
from fourfold.clients.bots.mates import MOST
from fourfold.clients.bots.search import DEEPEST, FORCED, MATE, Known, Search, TimeIsUp
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.protocol.lines import Line, Threat

LONGEST: Final = 12
"""Of how many moves a line is told at most."""

MEMORY: Final = 80_000
"""How many positions an analysis remembers."""

LONG_MEMORY: Final = 200_000
"""How many are remembered between the positions of a game."""

MATING: Final = 0.25
"""The share of a limited number of nodes that the look for mates may use."""

SURE: Final = 625
"""By how many hundredths of a pawn one of two sides must be ahead for ten times the chances of the other: in games on
Lichess, by Stockfish's count."""

CAREFUL: Final = (400, 0.4)
"""The same by level 5's count, and by how much more for each hundredth of a pawn that it counts: the more one is ahead,
the less does more of it say. So its chances come nearest to those by Stockfish in public games."""

_WIDE: Final = {2: 180, 3: 450, 4: 900}
"""By how many hundredths of a pawn a player must be ahead for e times the chances of another, by how many are in."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is known at a depth, in plies, after so many nodes: the lines, the best first; whether an engine has found
    it, and not level 5."""

    depth: int
    nodes: int
    lines: list[Line]
    by_engine: bool = False


Look: TypeAlias = Callable[[Position, int, float, Callable[[], float]], Iterator[Found]]
"""Looks at a position as `analyse` does: the position, how many lines, a deadline, and the clock that it is of."""


def remembering() -> Look:
    """A look as `analyse`, which knows what it found in other positions of the same game, if that is between two."""
    memory: Known = {}

    def look(position: Position, count: int, deadline: float, clock: Callable[[], float]) -> Iterator[Found]:
        return analyse(position, count, deadline, clock, known=memory if len(position.seats) == 2 else None)

    return look


def analyse(
    position: Position,
    count: int,
    deadline: float,
    clock: Callable[[], float] = monotonic,
    deepest: int = DEEPEST,
    known: Known | None = None,
    *,
    nodes: float = math.inf,
    memory: int | None = None,
    among: Sequence[Move] | None = None,
) -> Iterator[Found]:
    """The best lines of a position in which there is a move, so many if there are, found until a deadline of the clock
    or so many `nodes`.

    The first is always found: an analysis that has no time yields its look at one ply. Between two, no mate in up to
    three moves is passed over, nor among four one in up to two that nobody can prevent: it comes first. `known`,
    `memory` and `among` as in `Search`.
    """
    if memory is None:
        memory = MEMORY if known is None else LONG_MEMORY
    search = Search(position, math.inf, clock, memory, known, among=among)
    moves = search.moves()
    mate: list[Move] = []
    two = len(position.seats) == 2

    def look() -> None:
        search.nodes += 1
        if search.nodes >= nodes * MATING or clock() >= search.deadline:
            raise TimeIsUp

    for depth in range(1, deepest + 1):
        best: list[tuple[Move, int]] = []
        left = list(moves)
        try:
            if depth == 2:
                with suppress(TimeIsUp):
                    mate = sure_mate(position, MOST, look)
                if clock() >= search.deadline:
                    return
            if mate and mate[0] in left:
                best.append((mate[0], MATE - len(mate)) if two else search.iterate(mate, depth))
                left.remove(mate[0])
            for _ in range(min(count, len(moves)) - len(best)):
                best.append(search.iterate(left, depth))
                left.remove(best[-1][0])
        except TimeIsUp:
            return
        moves = [move for move, _ in best] + left
        length = min(LONGEST, max(depth if two else 2 * depth, 2))
        lines = []
        for move, score in best:
            steps, leaf = (mate, None) if two and mate[:1] == [move] else search.line(move, length)
            lines.append(line(position, steps, score, careful(score), leaf))
        yield Found(depth, search.nodes, lines)
        search.deadline, search.most = deadline, nodes
        if depth > 2 and (abs(best[0][1]) > FORCED or clock() >= deadline):
            return


def careful(score: int) -> float:
    """`SURE` for what a position is worth by level 5's count."""
    return CAREFUL[0] + CAREFUL[1] * abs(score)


def line(
    root: Position, steps: Sequence[Move], score: int, sure: float = SURE, leaf: Position | None = None
) -> Line:
    """What is told of a line from a root that is worth so much to the mover there; `sure` and `leaf` as in `shares`,
    which is at the end of the line unless another is given."""
    texts, seats, before = [], [], root
    for made in steps:
        after = before.play(made)
        texts.append(before.san(made, after))
        seats.append(root.seats[before.turn])
        before = after
    mate = None
    if abs(score) > FORCED:
        mate = (MATE - abs(score)) * (1 if score > 0 else -1)
    found = shares(root, before if leaf is None else leaf, score, sure)
    return Line([made.text for made in steps], texts, seats, score, mate, found)


def shares(root: Position, leaf: Position, score: int, sure: float = SURE) -> dict[str, float]:
    """The chances of each seat, where a line from a root comes to a leaf and is worth so much to the mover; of two
    sides, the one that is ahead by `sure` has ten times the chances of the other."""
    if leaf.outcome is not None:
        return outcome_shares(leaf)
    teams = root.rules.teams
    if len(set(teams)) == 2:
        own = 1.0 if score > FORCED else 0.0 if score < -FORCED else 1 / (1 + 10 ** (-score / sure))
        each = len(teams) // 2
        found = [(own if team == teams[root.turn] else 1 - own) / each for team in teams]
    else:
        found = _among_all(leaf)
        if score > FORCED:
            found = [float(seat == root.turn) for seat in range(len(teams))]
    return _named(root, found)


def outcome_shares(position: Position) -> dict[str, float]:
    """The shares of the seats in a game that is over."""
    outcome = position.outcome
    assert outcome is not None
    winners = outcome.winners or position.alive or tuple(range(len(position.seats)))
    return _named(position, [1 / len(winners) if seat in winners else 0.0 for seat in range(len(position.seats))])


def _among_all(position: Position) -> list[float]:
    """The chances where each plays alone: by what stands on the board, and by points where they count."""
    alive, evaluation = position.alive, Evaluation(position)
    wide = _WIDE[min(max(len(alive), 2), 4)]
    weights = [
        evaluation.of_seat(position, seat) / wide if seat in alive or position.points is not None else -math.inf
        for seat in range(len(position.seats))
    ]
    most = max(weights)
    raised = [math.exp(weight - most) for weight in weights]
    return [one / sum(raised) for one in raised]


def _named(position: Position, found: Sequence[float]) -> dict[str, float]:
    return {name: round(share, 4) for name, share in zip(position.seats, found, strict=True)}


def standing(position: Position) -> dict[str, float]:
    """The chances of each seat at a glance."""
    if position.outcome is not None:
        return outcome_shares(position)
    score = worth(position)
    return shares(position, position, score, careful(score))


def threats(position: Position) -> list[Threat]:
    """What each opponent would do to the player to move, if it were that opponent's turn. Whoever is in check sees
    that, and nothing else."""
    victim = position.turn
    teams = position.rules.teams
    if position.outcome is not None or victim in position.checked():
        return []
    found = []
    for seat in position.alive:
        if teams[seat] == teams[victim]:
            continue
        view = position.replace(turn=seat, steps=(), halfmove=0, history=b"")
        ahead = Lookahead(view)
        best = max(((_harm(ahead, move, victim), move.text, move) for move in ahead.moves), default=None)
        if best is not None and best[0] > 0:
            gain, _, move = best
            mate = gain == MATE
            found.append(Threat(position.seats[seat], move.text, view.san(move), 0 if mate else gain, mate))
    return found


def _harm(ahead: Lookahead, move: Move, victim: int) -> int:
    """What a move costs a player, less what its own man is worth if that is lost for it; MATE if it mates them."""
    position = ahead.position
    man = position.man_at(move.target)
    takes = man is not None and man.seat == victim and not man.piece.grey
    after = ahead.after(move)
    if victim not in after.alive or (ahead.checks(move) and ahead.mates(move) and victim in after.checked()):
        return MATE
    if not takes or man is None:
        return 0
    risk = ahead.worth(ahead.mover(move)) if move.target in ahead.capturable(move) else 0
    return ahead.worth(man) - risk
