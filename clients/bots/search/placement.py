"""The pieces on the board of a search, with incrementally updated keys, values and attacks."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from fourfold.clients.bots.search.board import SearchBoard
from fourfold.clients.bots.search.evaluation import stage_of, worths_at
from fourfold.clients.bots.search.plan import BESIDE, KNIGHT, LINE, SHORT, plan_of
from fourfold.clients.bots.search.structure import blended, pawns_and_kings, worths
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.tables import tables_of

_REMEMBERED: Final = 50_000
"""The number of cached pawn and king structures."""

_QUEENS, _BISHOPS = 2, 4
"""Divisors of a material lead in queen endgames, and in endgames of opposite-coloured bishops, fitted to Stockfish's
judgement in public games."""

_SPREAD: Final = [sum([15 << 4 * file for file in range(8) if files >> file & 1]) for files in range(256)]
"""Files as bits, spread to four bits for each file."""


@lru_cache(maxsize=64)
def _worths(rules: Rules, stage: int) -> tuple[list[int], list[int]]:
    """The values of pieces in the opening and in the endgame, or among four at a stage, by code and square as one
    number."""
    plan, among_four = plan_of(rules), worths_at(rules, stage)
    of_two = worths(tables_of(rules)) if plan.seats == 2 else {}
    early, late = [0] * (len(plan.seat_of) * plan.size), [0] * (len(plan.seat_of) * plan.size)
    for code, men in enumerate(plan.men):
        for man in men:
            at = code * plan.size + man.square
            early[at], late[at] = of_two.get(man) or (among_four[man], 0)
    return early, late


class Placement(SearchBoard):
    """The pieces on the board of one search, which starts at a position."""

    def __init__(self, root: Position) -> None:
        rules = root.rules
        plan = self._plan = plan_of(rules)
        tables = self._tables = tables_of(rules)
        self._size = plan.size
        self._seats = plan.seats
        self._two = plan.seats == 2
        self._teams = list(rules.teams)
        self._rivals = [[other for other in tables.clockwise[seat] if team != rules.teams[other]]
                        for seat, team in enumerate(rules.teams)]  # fmt: skip
        """By seat: the seats of other teams, in the order of their turns."""
        self.turn = root.turn
        self._codes = [0] * plan.size
        self._where: list[list[int]] = [[] for _ in range(plan.seats + 1)]
        """The squares of each seat's pieces. Pieces that are grey at the root come last."""
        self._place = [0] * plan.size
        """The index of each square in that list."""
        self._kings = list(root.kings)
        """The squares of the kings; -1 for a lost king, even if it is still there as a grey piece."""
        self._reach = [
            [0 if owner == team else way for way, owner in zip(plan.reach, plan.team_of, strict=True)]
            for team in range(max(rules.teams) + 1)
        ]
        """By team and code: the attacks of a hostile piece; 0 for friends and for pieces of eliminated players."""
        self.key = plan.turn_keys[root.turn] ^ tables.rights_key(root.rights) & SHORT
        """A hash of the position, without en passant rights."""
        self.pawn_key = 0
        """The same for pawns and kings only."""
        self._early = [0] * (plan.seats + 1)
        self._late = [0] * (plan.seats + 1)
        """The value of each seat's pieces on their squares, in the opening and in the endgame. The endgame values, and
        all following fields, are only for two players."""
        self._count = [0] * len(plan.seat_of)
        """The number of pieces, by code."""
        self._strength = 0
        """The number of pieces, with queens counted twice."""
        self._rooks = [0] * (plan.seats + 1)
        """By seat: the number of rooks on each file, in four bits each."""
        self._pawns: dict[int, tuple[int, int, int, int, int]] = {}
        self._early_of, self._late_of = _worths(rules, stage_of(root))
        for army in root.armies:
            for square, man in army.items():
                self._put(1 + 7 * (plan.seats if man.piece.grey else man.seat) + man.kind, square)

    def _put(self, code: int, square: int) -> None:
        seat = self._plan.seat_of[code]
        self._codes[square] = code
        where = self._where[seat]
        self._place[square] = len(where)
        where.append(square)
        self._count[code] += 1
        self._weigh(code, seat, code * self._size + square, 1)

    def _lift(self, square: int) -> None:
        code = self._codes[square]
        seat = self._plan.seat_of[code]
        self._codes[square] = 0
        where = self._where[seat]
        last = where.pop()
        if last != square:
            place = self._place[square]
            where[place] = last
            self._place[last] = place
        self._count[code] -= 1
        self._weigh(code, seat, code * self._size + square, -1)

    def _weigh(self, code: int, seat: int, at: int, sign: int) -> None:
        """Record that a piece was added (1) or removed (-1)."""
        change = self._plan.keys[at]
        self.key ^= change
        self._early[seat] += sign * self._early_of[at]
        self._late[seat] += sign * self._late_of[at]
        kind = self._plan.kind_of[code]
        if kind == 0 or kind == 5:
            self.pawn_key ^= change
        else:
            self._strength += sign * (2 if kind == 4 else 1)
            if kind == 3 and self._two:
                self._rooks[seat] += sign << 4 * (at & 7)

    def _shift(self, source: int, target: int) -> None:
        """Move the piece on a square to an empty square."""
        code = self._codes[source]
        seat = self._plan.seat_of[code]
        self._codes[source] = 0
        self._codes[target] = code
        place = self._place[source]
        self._where[seat][place] = target
        self._place[target] = place
        keys = self._plan.keys
        source += code * self._size
        target += code * self._size
        change = keys[source] ^ keys[target]
        self.key ^= change
        self._early[seat] += self._early_of[target] - self._early_of[source]
        self._late[seat] += self._late_of[target] - self._late_of[source]
        kind = self._plan.kind_of[code]
        if kind == 0 or kind == 5:
            self.pawn_key ^= change
        elif kind == 3 and self._two:
            self._rooks[seat] += (1 << 4 * (target & 7)) - (1 << 4 * (source & 7))

    def attacked(self, square: int, team: int) -> bool:
        """Whether a rival of a team attacks a square."""
        plan, codes, reach = self._plan, self._codes, self._reach[team]
        for way, ray in plan.rays[square]:
            ways = way | BESIDE  # from a neighbouring square a king attacks too
            for target in ray:
                code = codes[target]
                if code:
                    if reach[code] & ways:
                        return True
                    break
                ways = way
        for target in plan.knights[square]:
            if reach[codes[target]] == KNIGHT:
                return True
        for seat in range(plan.seats):
            pawn = 1 + 7 * seat
            if reach[pawn]:
                for source in plan.pawns[seat][square]:
                    if codes[source] == pawn:
                        return True
        return False

    def _attacks(self, seat: int, code: int, square: int, king: int, leaving: int = -1) -> bool:
        """Whether a seat's piece on a square attacks a king, after leaving another square."""
        plan = self._plan
        if code == 1 + 7 * seat:
            return square in plan.pawns[seat][king]
        way = plan.way[king][square] & plan.reach[code]
        if way & LINE:
            for between in plan.between[king][square]:
                if self._codes[between] and between != leaving:
                    return False
        return way > 0

    def _worth_of_two(self) -> int:
        """How much better the first side stands."""
        found = self._pawns.get(self.pawn_key)
        if found is None:
            if len(self._pawns) >= _REMEMBERED:
                self._pawns.clear()
            pawns = [sum([1 << square for square in where if self._codes[square] == 1 + 7 * seat])
                     for seat, where in enumerate(self._where[:2])]  # fmt: skip
            early, late, free, whites, blacks = pawns_and_kings(pawns[0], pawns[1], self._kings[0], self._kings[1])
            found = self._pawns[self.pawn_key] = early, late, _SPREAD[free], _SPREAD[whites], _SPREAD[blacks]
        count = self._count
        own, other = self._rooks[0], self._rooks[1]
        on_free = on_half = 0
        if own or other:
            on_free = _sum(own & found[2]) - _sum(other & found[2])
            on_half = _sum(own & found[4]) - _sum(other & found[3])
        return blended(
            self._early[0] - self._early[1] + found[0], self._late[0] - self._late[1] + found[1],
            (count[3] > 1) - (count[10] > 1), on_free, on_half, 1 if self.turn == 0 else -1,
            self._strength,
        )  # fmt: skip

    def _levels(self) -> int:
        """The divisor of a side's lead in endgames where a lead seldom wins. With only a queen each, perpetual checks
        draw. With only opposite-coloured bishops, pawns are blocked."""
        count = self._count
        if self._strength == 4 and count[5] + count[7] == 1 == count[12] + count[14]:
            return _QUEENS
        if self._strength == 2 and count[3] == 1 == count[10]:
            one, other = self._codes.index(3), self._codes.index(10)
            return _BISHOPS if (one ^ one >> 3 ^ other ^ other >> 3) & 1 else 1
        return 1


def _sum(files: int) -> int:
    """The sum of eight numbers of four bits each."""
    return files * 0x11111111 >> 28 & 15
