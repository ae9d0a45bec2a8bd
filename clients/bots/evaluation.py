"""What a position is worth to a side, at a glance: its men and where they stand. It looks no move ahead.

The unit is a hundredth of a pawn. A man's worth on a square depends on nothing but the stage of the game, so that a
position's is a sum over its men, and the stage is taken once for a whole search. Where two play by rules that `mailbox`
knows, that judges by `structure` instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from math import exp, log, log1p
from typing import Final

from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.tables import Man, tables_of

PAWN: Final = 100
POINT: Final = 30
"""What a point is worth in a game by points. Men are worth more than the points that they bring who takes them: they
win points, and keep their king alive."""

SPREAD: Final = 2400
"""By how many hundredths of a pawn one of several who play each alone must be ahead for e times the chances of another.
"""

NOBODY: Final = -1_000_000
"""The worth of a rival who is not there."""

STAGES: Final = 8
"""How finely the way from the opening (`STAGES`) to the endgame (0) is divided."""

_MATERIAL = {
    PieceKind.PAWN: 100,
    PieceKind.KNIGHT: 320,
    PieceKind.BISHOP: 335,
    PieceKind.ROOK: 500,
    PieceKind.QUEEN: 950,
    PieceKind.KING: 0,
    PieceKind.PROMOTED_QUEEN: 950,
}

_CENTRAL = {
    PieceKind.KNIGHT: 34,
    PieceKind.BISHOP: 18,
    PieceKind.ROOK: 4,
    PieceKind.QUEEN: 8,
    PieceKind.PROMOTED_QUEEN: 8,
    PieceKind.KING: 40,
}
"""How much better the middle of the board is than its edge; a king's in the endgame."""

_HOME = {PieceKind.KNIGHT: 14, PieceKind.BISHOP: 12, PieceKind.QUEEN: 0}
"""What a minor piece loses by standing on its first row, undeveloped."""


class Evaluation:
    """Worth as one team sees it, that of a seat or of who is to move, through a search that begins at a position."""

    def __init__(self, root: Position, seat: int | None = None) -> None:
        self._rules = root.rules
        teams = self._rules.teams
        self._team = teams[root.turn if seat is None else seat]
        self._own = tuple(seat for seat, team in enumerate(teams) if team == self._team)
        self._others = tuple(seat for seat, team in enumerate(teams) if team != self._team)
        self._even = even(root, self._team)
        self.worth: Callable[[Man], int] = worths_at(self._rules, stage_of(root)).__getitem__
        """What a man is worth where it stands."""

    def of(self, position: Position) -> int:
        """The worth of a position to that team: nought where all have the same."""
        own = sum([self.of_seat(position, seat) for seat in self._own])
        left = [seat for seat in self._others if position.points is not None or seat in position.alive]
        others = [self.of_seat(position, seat) for seat in left]
        return own - (sum(others) if self._rules.in_teams else reduce(joined, others, NOBODY)) + self._even

    def of_seat(self, position: Position, seat: int) -> int:
        """What a seat has: its men, if it is still in, and its points, if they count."""
        men = sum(map(self.worth, position.men(seat))) if seat in position.alive else 0
        return men if position.points is None else men + POINT * position.points[seat]


def even(root: Position, team: int) -> int:
    """By how much all the rivals of a team are worth more, joined, than one of them, if they are as strong as each
    other. They are those that are still in, or all where the points of those who are out still count."""
    teams = root.rules.teams
    left = range(len(teams)) if root.points is not None else root.alive
    return round(SPREAD * log(max(1, len({teams[seat] for seat in left} - {team}))))


def joined(one: int, other: int) -> int:
    """The worth of one rival who would have the chances of two together: more than the stronger's, by the more the
    nearer the other is. So the strongest counts most, and to put out one who is weak brings less."""
    apart = abs(one - other)
    return max(one, other) + (_RAISES[apart] if apart < len(_RAISES) else 0)


_RAISES: Final = [round(SPREAD * log1p(exp(-apart / SPREAD))) for apart in range(8 * SPREAD)]


def stage_of(position: Position) -> int:
    """How much of the pieces is left, from 0 to `STAGES`."""
    start = 62 * len(position.seats) // 2
    values = position.rules.values
    pieces = sum(values[man.kind] for seat in position.alive for man in position.men(seat) if not man.pawn)
    return min(STAGES, STAGES * pieces // start)


@cache
def worths_at(rules: Rules, stage: int) -> dict[Man, int]:
    """What each man is worth where it stands."""
    tables = tables_of(rules)
    return {man: _worth(rules, man, stage) for by_kind in tables.men for men in by_kind.values() for man in men}


def _worth(rules: Rules, man: Man, stage: int) -> int:
    board = rules.geometry
    forward = rules.seats[man.seat].forward
    file, rank = board.file(man.square), board.rank(man.square)
    middle = (board.files - 1) / 2
    off = max(abs(file - middle), abs(rank - middle)) / middle  # 0 in the middle, 1 at the edge
    aside = abs(file - middle if forward.ranks else rank - middle) / middle
    depth = board.depth(man.square, forward)
    early = stage / STAGES
    worth = float(_MATERIAL[man.kind])
    match man.kind:
        case PieceKind.PAWN:
            last = rules.promotion_depth or board.ranks
            advance = (depth - 2) / (last - 2)
            # Pawns of the middle go first, those at the sides stay as the king's shelter until the end.
            worth += early * advance * (60 * (1 - aside) ** 1.5 - 12) + (1 - early) * 110 * advance**2
            worth += 18 * early * (aside < 0.2) * (depth in (3, 4)) - 14 * early * (aside < 0.2) * (depth == 2)
        case PieceKind.KING:
            shelter = 30 * (aside > 0.5) - 22 * (depth - 1) - 12 * (depth == 1 and aside < 0.35)
            worth += early * max(shelter, -110) + (1 - early) * _CENTRAL[PieceKind.KING] * (1 - off)
        case kind:
            worth += _CENTRAL[kind] * (1 - off) - (depth == 1) * _HOME.get(kind, 0)
            if kind is PieceKind.ROOK:
                worth += 14 * (depth == board.ranks - 1) + early * 8 * (1 - aside) * (depth == 1)
    return round(worth)
