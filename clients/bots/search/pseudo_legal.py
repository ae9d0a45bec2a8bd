"""The pseudo-legal moves on the board of a search: they may leave the own king attacked."""

from __future__ import annotations

from fourfold.clients.bots.search.placement import Placement
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.tables import Castle, DoubleStep


class PseudoLegal(Placement):
    """The pseudo-legal moves on the board of one search, which starts at a position."""

    def __init__(self, root: Position) -> None:
        super().__init__(root)
        self._rules = root.rules
        self.rights = root.rights
        self.steps = root.steps
        """The double steps that can still be captured en passant."""

    def moves(self) -> list[Move]:
        return self._moves_of(self.turn)

    def _moves_of(self, seat: int) -> list[Move]:
        codes, men, team_of, team = self._codes, self._plan.men, self._plan.team_of, self._teams[seat]
        found: list[Move] = []
        for source in self._where[seat]:
            man = men[codes[source]][source]
            if man.pawn:
                for group in man.advances:
                    if codes[group[0].target]:
                        break
                    found += group
                for move in man.captures:
                    there = codes[move.target]
                    if there and team_of[there] != team:
                        found.append(move)
                continue
            for move in man.leaps:
                if team_of[codes[move.target]] != team:
                    found.append(move)
            for move in man.steps:
                if team_of[codes[move.target]] != team:
                    found.append(move)
            for ray in man.rays:
                for move in ray:
                    there = codes[move.target]
                    if there:
                        if team_of[there] != team:
                            found.append(move)
                        break
                    found.append(move)
        for step in self.steps:
            for moves in self._takers(seat, step):
                found += [move for move in moves if move not in found]
        if self.rights:
            for castle in self._tables.castles_of[seat]:
                if self.rights & castle.bit and self._may_castle(seat, castle):
                    found.append(castle.move)
        return found

    # The loops are repeated, as in `engine.movegen`, because a test inside them would slow down every move.

    def captures(self) -> list[Move]:
        seat = self.turn
        codes, men, team_of, team = self._codes, self._plan.men, self._plan.team_of, self._teams[seat]
        found: list[Move] = []
        for source in self._where[seat]:
            man = men[codes[source]][source]
            if man.pawn:
                for move in man.captures:
                    there = codes[move.target]
                    if there and team_of[there] != team:
                        found.append(move)
                if man.advances and man.advances[0][0].promotion is not None and not codes[man.advances[0][0].target]:
                    found += man.advances[0]
                continue
            for move in man.leaps:
                there = codes[move.target]
                if there and team_of[there] != team:
                    found.append(move)
            for move in man.steps:
                there = codes[move.target]
                if there and team_of[there] != team:
                    found.append(move)
            for ray in man.rays:
                for move in ray:
                    there = codes[move.target]
                    if there:
                        if team_of[there] != team:
                            found.append(move)
                        break
        return found

    def _takers(self, seat: int, step: DoubleStep) -> list[tuple[Move, ...]]:
        """The moves of a seat's pawns that can capture a double step en passant."""
        if not step.takers[seat]:
            return []
        codes, pawn = self._codes, 1 + 7 * seat
        there = codes[step.skipped]
        if there and (self._plan.team_of[there] == self._teams[seat] or not self._rules.en_passant_onto_piece):
            return []
        return [moves for man, moves in step.takers[seat] if codes[man.square] == pawn]

    def _may_castle(self, seat: int, castle: Castle) -> bool:
        codes, team = self._codes, self._teams[seat]
        for square in self._plan.empty[castle]:
            if codes[square] and square != castle.move.source and square != castle.rook.source:
                return False
        king, rook = castle.move.source, castle.rook.source
        if self.attacked(king, team):
            return False
        codes[rook] = 0  # once the rook has left, an attack along the row may pass its square
        safe = True
        for square in castle.path:
            if self.attacked(square, team):
                safe = False
        codes[rook] = 1 + 7 * seat + 3
        return safe and codes[king] == 1 + 7 * seat + 5
