"""The static evaluation of a position for a side: its pieces and their squares, without any look ahead.

The unit is a hundredth of a pawn. The value of a piece on a square depends only on the stage of the game. So the value
of a position is a sum over its pieces, and a search computes the stage once. For two players with rules that `mailbox`
supports, `structure` evaluates instead.
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
"""The value of a point in a game on points. Pieces are worth more than their points, because they win points and
protect their king."""

SPREAD: Final = 2400
"""The lead in games without teams, in hundredths of a pawn, that means e times another player's chances."""

NOBODY: Final = -1_000_000
"""The value of a missing rival."""

STAGES: Final = 8
"""The number of stages from the opening (`STAGES`) to the endgame (0)."""

_MATERIAL = {
    PieceKind.PAWN: 100,
    PieceKind.KNIGHT: 320,
    PieceKind.BISHOP: 335,
    PieceKind.ROOK: 500,
    PieceKind.QUEEN: 950,
    PieceKind.KING: 0,
    PieceKind.PROMOTED_QUEEN: 950,
}

_BURDEN = {
    PieceKind.PAWN: 100,
    PieceKind.KNIGHT: 130,
    PieceKind.BISHOP: 150,
    PieceKind.ROOK: 170,
    PieceKind.QUEEN: 160,
    PieceKind.KING: 120,
    PieceKind.PROMOTED_QUEEN: 160,
}
"""The cost of having a piece in giveaway, where a player without pieces wins. The piece's square does not matter."""

_IN_HAND: Final = 1.1
"""The value of a piece in hand, as a multiple of its value on the board: it can be dropped anywhere."""

_STEP: Final = 120
"""The cost of each step between a king and the goal, where kings race."""

_CENTRAL = {
    PieceKind.KNIGHT: 34,
    PieceKind.BISHOP: 18,
    PieceKind.ROOK: 4,
    PieceKind.QUEEN: 8,
    PieceKind.PROMOTED_QUEEN: 8,
    PieceKind.KING: 40,
}
"""How much better the centre of the board is than its edge; for the king, in the endgame."""

_HOME = {PieceKind.KNIGHT: 14, PieceKind.BISHOP: 12, PieceKind.QUEEN: 0}
"""The loss of a minor piece that is undeveloped on its first row."""


class Evaluation:
    """The evaluation for one team, a seat's or that of the side to move, during a search from a position."""

    def __init__(self, root: Position, seat: int | None = None) -> None:
        self._rules = root.rules
        teams = self._rules.teams
        self._team = teams[root.turn if seat is None else seat]
        self._own = tuple(seat for seat, team in enumerate(teams) if team == self._team)
        self._others = tuple(seat for seat, team in enumerate(teams) if team != self._team)
        self._even = even(root, self._team)
        self.worth: Callable[[Man], int] = worths_at(self._rules, stage_of(root)).__getitem__
        """The value of a piece on its square."""

    def of(self, position: Position) -> int:
        """The value of the position for that team: 0 if all are equal."""
        own = sum([self.of_seat(position, seat) for seat in self._own])
        left = [seat for seat in self._others if position.points is not None or seat in position.alive]
        others = [self.of_seat(position, seat) for seat in left]
        return own - (sum(others) if self._rules.in_teams else reduce(joined, others, NOBODY)) + self._even

    def of_seat(self, position: Position, seat: int) -> int:
        """The value of a seat: its pieces, if it is still in, and its points, if they count."""
        men = sum(map(self.worth, position.men(seat))) if seat in position.alive else 0
        for kind, count in enumerate(position.hands[seat] if position.hands else ()):
            if count:
                men += round(count * _IN_HAND * _MATERIAL[PieceKind(kind)])
        return men if position.points is None else men + POINT * position.points[seat]


def even(root: Position, team: int) -> int:
    """How much more all rivals of a team are worth together than one of them, if they are equally strong. Rivals count
    while they are in, or always where the points of eliminated players still count."""
    teams = root.rules.teams
    left = range(len(teams)) if root.points is not None else root.alive
    return round(SPREAD * log(max(1, len({teams[seat] for seat in left} - {team}))))


def joined(one: int, other: int) -> int:
    """The value of one rival with the chances of two together. It is higher than the stronger one's, and the more so
    the closer the two are. So the strongest rival counts most, and eliminating a weak one gains less."""
    apart = abs(one - other)
    return max(one, other) + (_RAISES[apart] if apart < len(_RAISES) else 0)


_RAISES: Final = [round(SPREAD * log1p(exp(-apart / SPREAD))) for apart in range(8 * SPREAD)]


def stage_of(position: Position) -> int:
    """The remaining share of the pieces, from 0 to `STAGES`."""
    start = 62 * len(position.seats) // 2
    values = position.rules.values
    pieces = sum(values[man.kind] for seat in position.alive for man in position.men(seat) if not man.pawn)
    return min(STAGES, STAGES * pieces // start)


@cache
def worths_at(rules: Rules, stage: int) -> dict[Man, int]:
    """The value of each piece on its square."""
    tables = tables_of(rules)
    every = (*tables.men, *tables.promoted)
    return {man: _worth(rules, man, stage) for by_kind in every for men in by_kind.values() for man in men}


def _worth(rules: Rules, man: Man, stage: int) -> int:
    if rules.giveaway:
        return -_BURDEN[man.kind]
    if man.king and rules.goal and not rules.castlings:  # a race, in which kings need no shelter
        return -_STEP * min(_steps(rules, man.square, square) for square in rules.goal)
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
            # Central pawns should advance first; the others shelter the king until the end.
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


def _steps(rules: Rules, one: int, other: int) -> int:
    """The number of a king's steps between two squares."""
    board = rules.geometry
    return max(abs(board.file(one) - board.file(other)), abs(board.rank(one) - board.rank(other)))
