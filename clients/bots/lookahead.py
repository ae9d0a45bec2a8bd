"""What a player sees one move ahead: what a move takes, whether it checks or mates, and who can take what.

Which of the moves is best, the levels decide. Worth is that of the variant's rules. Grey pieces are worth nothing, and
to take them is no capture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

from fourfold.engine.movegen import can_move, in_check, legal_moves
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.tables import Man

Moves: TypeAlias = Sequence[Move]
"""Moves that are as good as one another."""


class Lookahead:
    """What the side to move sees in a position in which it has a move. What has been seen is remembered. `among` are
    the moves to choose from, if not all."""

    def __init__(self, position: Position, among: Moves | None = None) -> None:
        self.position = position
        self.seat = position.turn
        self.moves: Moves = position.legal_moves if among is None else among
        self._after: dict[Move, Position] = {}
        self._capturable: dict[Move, dict[int, list[Move]]] = {}

    def after(self, move: Move) -> Position:
        """The position after a move."""
        after = self._after.get(move)
        if after is None:
            after = self._after[move] = self.position.play(move)
        return after

    def worth(self, man: Man) -> int:
        """What a man is worth; a grey one nothing."""
        return 0 if man.piece.grey else self.position.rules.values[man.kind]

    def mover(self, move: Move) -> Man:
        """The man that a move moves."""
        return self.position.armies[self.seat][move.source]

    def taken(self, move: Move) -> int:
        """The worth of what a move takes."""
        if self.position.castle_of(move) is not None:
            return 0
        return sum(self.worth(man) for man in self.position.taken(self.mover(move), move))

    def opponents(self, position: Position) -> tuple[int, ...]:
        """The seats of other teams that are in the game."""
        teams = position.rules.teams
        return tuple(seat for seat in position.alive if teams[seat] != teams[self.seat] and position.kings[seat] >= 0)

    def checked(self) -> bool:
        """Whether an opponent gives check now."""
        return self.seat in self.position.checked()

    def checks(self, move: Move) -> bool:
        """Whether an opponent's king is attacked by this player or a partner after a move."""
        after = self.after(move)
        force, threats = after.forces[after.rules.teams[self.seat]], after.tables.threats
        return any(threats[after.kings[seat]].reached(force, after.total) for seat in self.opponents(after))

    def mates(self, move: Move) -> bool:
        """Whether a move mates an opponent or takes their king. In teams a mate counts also where it will be judged
        only when it is the victim's turn."""
        after = self.after(move)
        if len(self.opponents(after)) < len(self.opponents(self.position)):
            return True
        return self.checks(move) and any(
            in_check(after, seat) and not can_move(after, seat) for seat in self.opponents(after)
        )

    @cached_property
    def attackers(self) -> dict[int, list[Move]]:
        """The own men, kings apart, that opponents could take if it were their turn now: by square, with the
        moves that would do it."""
        return self._captures(self.position)

    def capturable(self, move: Move) -> dict[int, list[Move]]:
        """The same after a move."""
        capturable = self._capturable.get(move)
        if capturable is None:
            capturable = self._capturable[move] = self._captures(self.after(move))
        return capturable

    def _captures(self, position: Position) -> dict[int, list[Move]]:
        army = position.armies[self.seat]
        found: dict[int, list[Move]] = {}
        for seat in self.opponents(position):
            for move in _moves_of(position, seat):
                man = army.get(move.target)
                if man is not None and not man.king:
                    found.setdefault(move.target, []).append(move)
        if position is not self.position:  # what could be taken in passing now cannot any more after a move
            for step in position.steps:
                if step.seat == self.seat and step.landed in army:
                    for seat in self.opponents(position):
                        legal = _moves_of(position, seat) if step.takers[seat] else ()
                        passing = [move for _, options in step.takers[seat] for move in options if move in legal]
                        if passing:
                            found.setdefault(step.landed, []).extend(passing)
        return found

    def risk(self, move: Move) -> int:
        """What a move puts in danger: the worth of its own man if that can be taken where it arrives, or of another
        that would be lost, and would not have been before."""
        capturable = self.capturable(move)
        if not capturable:
            return 0
        after = self.after(move)
        army = after.armies[self.seat]
        risk = 0
        for square, captures in capturable.items():
            worth = self.worth(army[square])
            if worth > risk and (
                square == move.target or (self._lost(after, square, captures) and square not in self.losses)
            ):
                risk = worth
        return risk

    @cached_property
    def losses(self) -> set[int]:
        """The squares of the own men that would be lost if it were the opponents' turn now."""
        attacked = self.attackers.items()
        return {square for square, captures in attacked if self._lost(self.position, square, captures)}

    def _lost(self, position: Position, square: int, captures: Moves) -> bool:
        """Whether a man that can be taken is lost with that: a lesser man takes it, or it cannot be taken back."""
        worth = self.worth(position.armies[self.seat][square])
        takers = [taker for capture in captures if (taker := position.man_at(capture.source)) is not None]
        return any(
            (not taker.king and self.worth(taker) < worth) or not self._taken_back(position, square, taker)
            for taker in takers
        )

    def _taken_back(self, position: Position, square: int, taker: Man) -> bool:
        """Whether an opponent's man that takes on a square can be taken there, by this player or a partner."""
        tables, army = position.tables, position.armies[self.seat]
        force = position.forces[tables.teams[self.seat]]
        hostile = position.total ^ force
        occupied = position.total & tables.full
        king = position.kings[self.seat]
        threats = tables.threats[king]
        for between, line in threats[hostile & threats.mask & tables.far]:
            pinned = between & occupied
            man = army.get(pinned.bit_length() - 1) if pinned & pinned - 1 == 0 else None
            if man is not None and not line >> square & 1:
                force ^= man.mark
        left = occupied & ~taker.bit
        if tables.threats[square].reached(hostile ^ taker.mark, left):
            force ^= army[king].mark
        return tables.threats[square].reached(force, left)

    def sound(self, move: Move) -> bool:
        """Whether a move puts nothing in danger, unless it takes more than that."""
        risk = self.risk(move)
        return not risk or self.taken(move) > risk

    def possible_checks(self, move: Move) -> int:
        """How many moves opponents would have to check this player after a move, were it the turn of each."""
        position = self.after(move)
        king = position.kings[self.seat]
        if king < 0 or position.outcome is not None:
            return 0
        tables = position.tables
        threats, total = tables.threats[king], position.total
        lines = 0
        for _, line in threats[threats.mask & tables.far]:
            lines |= line
        count = 0
        for seat in self.opponents(position):
            army, passing = position.armies[seat], any(step.takers[seat] for step in position.steps)
            for reply in _moves_of(position, seat):
                man = army[reply.source]
                if man.bit & lines or man.king or (man.pawn and passing):
                    # It may uncover others: from a line, by castling, or by taking a pawn in passing.
                    count += threats.reached(*self._replied(position, man, reply))
                else:
                    mark = _arrived(position, man, reply).mark
                    count += bool(mark & threats.mask) and threats.reached(mark, total & ~man.bit)
        return count

    def _replied(self, position: Position, man: Man, reply: Move) -> tuple[int, int]:
        """The force of all opponents, and the squares that are occupied, after a man of theirs has moved."""
        force = position.total ^ position.forces[position.rules.teams[self.seat]]
        occupied = position.total & position.tables.full & ~man.bit
        castle = position.castle_of(reply)
        if castle is not None:
            rook = position.armies[man.seat][castle.rook.source]
            moved, castled = rook.kin[castle.rook.target], man.kin[castle.target]
            return (
                force ^ man.mark ^ castled.mark ^ rook.mark ^ moved.mark,
                occupied & ~rook.bit | castled.bit | moved.bit,
            )
        for taken in position.taken(man, reply):
            if taken.team != position.rules.teams[self.seat]:
                force ^= taken.mark
            occupied &= ~taken.bit
        return force ^ man.mark ^ _arrived(position, man, reply).mark, occupied | reply.bit

    def control(self, move: Move) -> int:
        """How many squares the own men attack after a move, those of friends included."""
        after = self.after(move)
        tables = after.tables
        occupied = after.total & tables.full
        squares = 0
        for man in after.men(self.seat):
            if man.pawn:
                for target in man.captures:
                    squares |= target.bit
            else:
                for target in man.leaps + man.steps:
                    squares |= target.bit
                for ray in man.rays:
                    for target in ray:
                        squares |= target.bit
                        if occupied & target.bit:
                            break
        return squares.bit_count()


def _moves_of(position: Position, seat: int) -> Moves:
    """The legal moves of a seat, were it to move now."""
    return position.movable() if seat == position.turn else legal_moves(position, seat)


def _arrived(position: Position, man: Man, move: Move) -> Man:
    """The piece as it stands after a move that does not castle."""
    kind = man if move.promotion is None else position.tables.men[man.seat][move.promotion][man.square]
    return kind.kin[move.target]


def best(moves: Iterable[Move], merits: Iterable[tuple[int, ...]]) -> list[Move]:
    """Those of the moves that have the highest merit."""
    ranked = list(zip(moves, merits, strict=True))
    highest = max((merit for _, merit in ranked), default=())
    return [move for move, merit in ranked if merit == highest]
