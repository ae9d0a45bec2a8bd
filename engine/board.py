"""The board during a game: the pieces, the turn, and the remaining rights.

This module also decides the side effects of a move: castling, captures, en passant; and it changes the board of a
draft. `position` decides how the game continues and ends.
"""

from __future__ import annotations

from collections.abc import Mapping, ValuesView
from dataclasses import dataclass
from types import MappingProxyType

from fourfold.engine.moves import Move
from fourfold.engine.pieces import Piece, PieceKind
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

    # ---- Changes of a draft -----------------------------------------------------------------------

    def place(self, tables: Tables, pieces: Mapping[int, Piece], hands: tuple[tuple[int, ...], ...]) -> None:
        """Put the pieces on the empty board of a draft, and into the hands."""
        rules = tables.rules
        self.tables = tables
        armies: list[dict[int, Man]] = [{} for _ in range(len(rules.seats) + 1)]
        self._armies = armies
        forces = [0] * (max(rules.teams) + 2)
        sides = bytearray(tables.size)
        kings = [-1] * len(rules.seats)
        live = tables.men
        for square in sorted(pieces):
            piece = pieces[square]
            if piece.grey:
                man = tables.men_of(piece)[square]
                armies[-1][square] = man
            else:
                man = live[piece.seat][piece.kind][square]
                armies[piece.seat][square] = man
                if man.king:
                    kings[piece.seat] = square
                elif piece.promoted:
                    man = armies[piece.seat][square] = tables.men_of(piece)[square]
            forces[man.team] ^= man.mark
            sides[square] = man.side
        self.total = 0
        for force in forces:
            self.total ^= force
        self.forces = tuple(forces)
        self.sides = bytes(sides)
        self.kings = tuple(kings)
        self.hands = ()
        if rules.drops:
            self.hands = tuple([(0,) * len(PieceKind) for _ in rules.seats])
            for seat, hand in enumerate(hands):
                for kind in PieceKind:
                    for _ in range(hand[kind]):
                        self.give(seat, kind)

    def remove(self, square: int) -> None:
        """Remove the piece from a square of a draft, with the rights that depend on it, for referees. Raises
        `ValueError` if the square is empty."""
        man = self.man_at(square)
        if man is None:
            raise ValueError(f"There is no piece on {self.tables.names[square]}.")
        place = -1 if man.piece.grey else man.seat
        army = self._armies[place] = self._armies[place].copy()
        del army[square]
        self._add_force(man.team, man.mark)
        sides = bytearray(self.sides)
        sides[square] = 0
        self.sides = bytes(sides)
        if man.king and not man.piece.grey:
            self.kings = tuple([-1 if king == square else king for king in self.kings])
        self.rights &= self.tables.kept_rights[square]
        self.steps = tuple([step for step in self.steps if step.landed != square])

    def put(self, man: Man) -> None:
        """Put a piece on an empty square of a draft, for referees."""
        army = self._armies[man.seat] = self._armies[man.seat].copy()
        army[man.square] = man
        self._add_force(man.team, man.mark)
        sides = bytearray(self.sides)
        sides[man.square] = man.side
        self.sides = bytes(sides)
        if man.king:
            self.kings = (*self.kings[: man.seat], man.square, *self.kings[man.seat + 1 :])

    def give(self, seat: int, kind: PieceKind, number: int = 1) -> None:
        """Put a piece into the hand of a seat of a draft, or take one out (`number` -1), for referees. Raises
        `ValueError` if the hand has none."""
        hand = [*self.hands[seat]]
        key = self.tables.hand_key(seat, kind, max(hand[kind], hand[kind] + number))
        hand[kind] += number
        if hand[kind] < 0:
            raise ValueError(f"{self.tables.rules.seats[seat].called} has no {kind.noun} in hand.")
        self.hands = (*self.hands[:seat], tuple(hand), *self.hands[seat + 1 :])
        # As part of the force, the hand is part of the position's hash.
        self._add_force(self.tables.teams[seat], key)

    def _add_force(self, team: int, mark: int) -> None:
        """Add a mark to a team's force in a draft, or take it out."""
        forces = [*self.forces]
        forces[team] ^= mark
        self.forces = tuple(forces)
        self.total ^= mark


def move_rook(move: Move, army: dict[int, Man], forces: list[int], sides: bytearray) -> int:
    """Move the rook of a castling; returns the change of all forces together."""
    rook = army.pop(move.source)
    moved = army[move.target] = rook.kin[move.target]
    change = rook.mark ^ moved.mark
    forces[rook.team] ^= change
    sides[rook.square] = 0
    sides[moved.square] = rook.side
    return change


def take_off(taken: tuple[Man, ...], armies: list[dict[int, Man]], forces: list[int], sides: bytearray) -> int:
    """Remove captured pieces; returns the change of all forces together."""
    change = 0
    for victim in taken:
        owner = victim.seat if victim.team >= 0 else -1
        theirs = armies[owner] = armies[owner].copy()
        del theirs[victim.square]
        forces[victim.team] ^= victim.mark
        change ^= victim.mark
        sides[victim.square] = 0
    return change


def still_open(steps: tuple[DoubleStep, ...], mover: int, taken: tuple[Man, ...]) -> tuple[DoubleStep, ...]:
    """The double steps that can still be captured en passant after a move. The right lapses when the pawn's player
    moves again, or when the pawn is captured."""
    left = [step for step in steps if step.seat != mover]
    for victim in taken:
        left = [step for step in left if step.landed != victim.square]
    return tuple(left)
