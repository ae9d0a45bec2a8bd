"""The board during a game: the pieces, the turn, and the remaining rights.

This module also decides the side effects of a move: castling, captures, en passant. `position` decides how the game
continues and ends.
"""

from __future__ import annotations

from collections.abc import Mapping, ValuesView
from dataclasses import dataclass
from types import MappingProxyType

from fourfold.engine.moves import Move
from fourfold.engine.tables import Castle, DoubleStep, Man, Tables
from fourfold.engine.values import mypyc_attr


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, repr=False, slots=True)
class Board:
    """The fields that the move generator reads.

    * `_armies[seat]`: the seat's live pieces by square. The last entry holds the grey pieces. Code outside the engine
      reads `armies`.
    * `forces[team]`: a team's pieces as an integer (see `attacks`). The last entry holds the grey pieces.
      `total` is the exclusive or of all entries.
    * `sides`: a byte for each square, 0 for an empty one, otherwise the `side` of the piece there.
    * `kings[seat]`: the square of the seat's king, or -1.
    * `turn`: the seat to move.
    * `rights`: the remaining castling rights, as the `bit`s of castlings.
    * `steps`: the double steps that can still be captured en passant.
    * `walking`: the eliminated seats whose king still moves at random.
    * `hands[seat]`: the captured pieces that a seat can drop, as counts by kind. Empty in variants without drops.
    * `exposed`: the seats whose king is attacked. Only variants in which a check can outlast a turn keep it.
    """

    tables: Tables
    _armies: list[dict[int, Man]]
    forces: tuple[int, ...]
    total: int
    sides: bytes
    kings: tuple[int, ...]
    turn: int
    rights: int
    steps: tuple[DoubleStep, ...]
    walking: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    exposed: tuple[int, ...]

    @property
    def armies(self) -> tuple[Mapping[int, Man], ...]:
        """Each seat's live pieces by square, as read-only views. The last entry holds the grey pieces."""
        return tuple([MappingProxyType(army) for army in self._armies])

    def men(self, seat: int) -> ValuesView[Man]:
        """The live pieces of a seat; for seat -1, the grey pieces."""
        return self._armies[seat].values()

    def man_at(self, square: int) -> Man | None:
        """The piece on a square number, or None."""
        for army in self._armies:
            man = army.get(square)
            if man is not None:
                return man
        return None

    def castles(self, seat: int) -> list[Castle]:
        """The castlings that a seat still has the right to, legal now or not."""
        return [castle for castle in self.tables.castles_of[seat] if self.rights & castle.bit]

    def castle_of(self, move: Move) -> Castle | None:
        """The castling that a legal move stands for; None for any other move."""
        castle = self.tables.castle_of_move.get(move)
        return castle if castle is not None and self.rights & castle.bit else None

    def takers(self, seat: int, step: DoubleStep) -> list[tuple[Man, tuple[Move, ...]]]:
        """The seat's pawns that can capture this double step en passant now, with their moves."""
        found = []
        army = self._armies[seat]
        for taker in step.takers[seat]:
            if army.get(taker[0].square) is taker[0]:
                found.append(taker)
        if found and self.total >> step.skipped & 1:
            friends = self.forces[self.tables.teams[seat]]
            if friends >> step.skipped & 1 or not self.tables.rules.en_passant_onto_piece:
                return []
        return found

    def passed_by(self, man: Man, target: int) -> list[DoubleStep]:
        """The double steps that a pawn captures en passant by moving to `target`."""
        return [
            step
            for step in self.steps
            if step.skipped == target and any(taker is man for taker, _ in self.takers(man.seat, step))
        ]

    def taken(self, man: Man, move: Move) -> tuple[Man, ...]:
        """The pieces that a legal move captures: first the piece on its target, then pawns captured en passant. The
        move must not be a castling."""
        standing = self.man_at(move.target)
        found: tuple[Man, ...] = () if standing is None else (standing,)
        if man.pawn and self.steps:
            pushed = [self.man_at(step.landed) for step in self.passed_by(man, move.target)]
            found += tuple([pawn for pawn in pushed if pawn is not None])
        return found
