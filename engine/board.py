"""The board in the middle of a game: what stands where, who is to move, and which rights are left.

Here is also the one place that says what a move does besides moving a piece: which castling it is, and what it takes,
in passing too. How the game goes on and ends is the business of `position`.
"""

from __future__ import annotations

from collections.abc import Mapping, ValuesView
from dataclasses import dataclass
from types import MappingProxyType

from fourfold.engine.moves import Move
from fourfold.engine.tables import Castle, DoubleStep, Man, Tables


@dataclass(init=False, eq=False, repr=False, slots=True)
class Board:
    """The fields that moves are generated from.

    * `_armies[seat]` are its live pieces by square, and after the last seat's come the grey ones; outside the engine
      they are read through `armies`;
    * `forces[team]` are the pieces of a team as an integer (see `attacks`), and after the last team's come
      the grey ones; `total` is the exclusive or of all of them;
    * `sides` has a byte for each square: 0 if it is empty, otherwise the `side` of the man there;
    * `kings[seat]` is the square of the seat's king, -1 without one; `turn` is the seat to move;
    * `rights` are the castling rights left, as the `bit`s of castlings; `steps` the double steps that may still be
      taken in passing;
    * `walking` are the seats that are out, but whose king still moves at random;
    * `exposed` are the seats whose king is attacked (kept by variants in which that outlasts a turn).
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
    exposed: tuple[int, ...]

    @property
    def armies(self) -> tuple[Mapping[int, Man], ...]:
        """Each seat's live pieces by square, and after the last seat's the grey ones: views, which only read."""
        return tuple([MappingProxyType(army) for army in self._armies])

    def men(self, seat: int) -> ValuesView[Man]:
        """The live pieces of a seat; with -1 the grey ones."""
        return self._armies[seat].values()

    def man_at(self, square: int) -> Man | None:
        """The man on a square, given as a number."""
        for army in self._armies:
            man = army.get(square)
            if man is not None:
                return man
        return None

    def castles(self, seat: int) -> list[Castle]:
        """The castlings that a seat still has a right to."""
        return [castle for castle in self.tables.castles_of[seat] if self.rights & castle.bit]

    def castle_of(self, move: Move) -> Castle | None:
        """The castling that a legal move is; None if it is none."""
        castle = self.tables.castle_of_move.get(move)
        return castle if castle is not None and self.rights & castle.bit else None

    def takers(self, seat: int, step: DoubleStep) -> list[tuple[Man, tuple[Move, ...]]]:
        """The seat's pawns that can take a double-stepped pawn in passing now, with their moves."""
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
        """The double steps whose pawns a pawn takes in passing when it moves to a square."""
        return [
            step
            for step in self.steps
            if step.skipped == target and any(taker is man for taker, _ in self.takers(man.seat, step))
        ]

    def taken(self, man: Man, move: Move) -> tuple[Man, ...]:
        """What a man takes with a legal move that is no castling: what stands on its target, then any pawns taken in
        passing."""
        standing = self.man_at(move.target)
        found: tuple[Man, ...] = () if standing is None else (standing,)
        if man.pawn and self.steps:
            pushed = [self.man_at(step.landed) for step in self.passed_by(man, move.target)]
            found += tuple([pawn for pawn in pushed if pawn is not None])
        return found
