"""The best lines of a position by level 5, with increasing depth; each seat's chances; and the opponents' threats."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final, TypeAlias

from fourfold.clients.bots.levels.level5 import sure_mate
from fourfold.clients.bots.levels.lookahead import Lookahead
from fourfold.clients.bots.search.alpha_beta import DEEPEST, FORCED, MATE, Search, TimeIsUp
from fourfold.clients.bots.search.evaluation import Evaluation
from fourfold.clients.bots.search.known import Known
from fourfold.clients.bots.search.mailbox import worth
from fourfold.clients.bots.search.mates import MOST
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.protocol.lines import Line, Threat

LONGEST: Final = 12
"""The longest line to report, in moves."""

MEMORY: Final = 80_000
"""The most positions that an analysis remembers."""

LONG_MEMORY: Final = 200_000
"""The most positions remembered between the positions of a game."""

MATING: Final = 0.25
"""The share of a limited number of nodes for the search for mates."""

SURE: Final = 625
"""The lead between two sides, in hundredths of a pawn by Stockfish's count, that means ten times the other's chances.
Measured in games on Lichess."""

CAREFUL: Final = (400, 0.4)
"""The same lead by level 5's count: a constant, and an increase for each hundredth of a pawn of the lead. Large leads
count less. Fitted to the chances by Stockfish in public games."""

_WIDE: Final = {2: 180, 3: 450, 4: 900}
"""The lead of a player, in hundredths of a pawn, that means e times another's chances, by the number of players still
in."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result at one `depth`, in plies, after `nodes`: the lines, the best first. `by_engine` tells whether an
    engine found it, and not level 5."""

    depth: int
    nodes: int
    lines: list[Line]
    by_engine: bool = False


Look: TypeAlias = Callable[[Position, int, float, Callable[[], float]], Iterator[Found]]
"""A function that analyses a position as `analyse` does. Its arguments are the position, the number of lines, a
deadline, and the clock of the deadline."""


def remembering() -> Look:
    """A look like `analyse` that, for two players, remembers results from other positions of the same game."""
    memory = Known()

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
    """Yield the best lines of a position with a legal move: up to `count` lines, until a deadline of the clock or a
    number of `nodes`.

    The first result always comes: without any time left, it is a search of one ply. For two players, the analysis
    misses no mate in up to three moves. For four, it misses no mate in up to two moves that nobody can prevent, and
    puts it first. `known`, `memory` and `among` are as in `Search`.
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
    """The lead that means ten times the chances, as `SURE`, for a score by level 5's count."""
    return CAREFUL[0] + CAREFUL[1] * abs(score)


def line(
    root: Position, steps: Sequence[Move], score: int, sure: float = SURE, leaf: Position | None = None
) -> Line:
    """The report on a line from a root with this score for its mover. `sure` and `leaf` are as in `shares`; the default
    leaf is the end of the line."""
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
    """The chances of each seat for a line from `root` to `leaf` with this score for the mover. Between two sides, a
    lead of `sure` means ten times the chances."""
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
    """The shares of the seats in a finished game."""
    outcome = position.outcome
    assert outcome is not None
    winners = outcome.winners or position.alive or tuple(range(len(position.seats)))
    return _named(position, [1 / len(winners) if seat in winners else 0.0 for seat in range(len(position.seats))])


def _among_all(position: Position) -> list[float]:
    """The chances in games without teams, from the pieces on the board, and from points where they count."""
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
    """The chances of each seat by static evaluation."""
    if position.outcome is not None:
        return outcome_shares(position)
    score = worth(position)
    return shares(position, position, score, careful(score))


def threats(position: Position) -> list[Threat]:
    """Each opponent's best action against the player to move, if it were that opponent's turn. For a player in check,
    only the check."""
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
    """The loss of a player by a move, minus the value of the moving piece if it is lost in return; MATE if the move
    mates."""
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
