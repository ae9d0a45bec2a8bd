"""Everything that a player sees one move ahead: captures, checks, mates, and who could capture what.

The levels decide which move is best. Values are those of the variant's rules. Grey pieces are worth nothing, and taking
one does not count as a capture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

from fourfold.engine.movegen import in_check
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.tables import Man

Moves: TypeAlias = Sequence[Move]
"""Moves of equal merit."""


class Lookahead:
    """The view of the side to move, in a position with a legal move. Results are cached. `among` has the moves to
    choose from; the default is all."""

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
        """The value of a piece; 0 for a grey one."""
        return 0 if man.piece.grey else self.position.rules.values[man.kind]

    def mover(self, move: Move) -> Man:
        """The piece that moves or is dropped."""
        if move.drop is not None:
            return self.position.tables.men[self.seat][move.drop][move.target]
        return self.position.armies[self.seat][move.source]

    def taken(self, move: Move) -> int:
        """The value of a move's captures."""
        if self.position.castle_of(move) is not None:
            return 0
        return sum(self.worth(man) for man in self.position.taken(self.mover(move), move))

    def opponents(self, position: Position) -> tuple[int, ...]:
        """The seats of other teams that are still in."""
        teams, kings, kingless = position.rules.teams, position.kings, position.rules.kingless
        others = [seat for seat in position.alive if teams[seat] != teams[self.seat]]
        return tuple([seat for seat in others if kings[seat] >= 0 or seat in kingless])

    def checked(self) -> bool:
        """Whether the player is in check now."""
        return self.seat in self.position.checked()

    def checks(self, move: Move) -> bool:
        """Whether this player or a partner attacks an opponent's king after a move."""
        after = self.after(move)
        force, threats = after.forces[after.rules.teams[self.seat]], after.tables.threats
        kings = [after.kings[seat] for seat in self.opponents(after)]
        return any(king >= 0 and threats[king].reached(force, after.total) for king in kings)

    def mates(self, move: Move) -> bool:
        """Whether a move mates an opponent, captures a king, or wins a game for two. In teams, a mate counts even if it
        is judged only at the victim's turn."""
        after = self.after(move)
        if len(self.opponents(after)) < len(self.opponents(self.position)):
            return True
        if len(after.seats) == 2:
            return after.outcome is not None and self.seat in after.outcome.winners
        return self.checks(move) and any(
            in_check(after, seat) and not after.moves_of(seat) for seat in self.opponents(after)
        )

    @cached_property
    def attackers(self) -> dict[int, list[Move]]:
        """The own pieces, without kings, that opponents could capture if it were their turn now: by square, with the
        capturing moves."""
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
        if position is not self.position:  # pawns that could be captured en passant now are safe after a move
            for step in position.steps:
                if step.seat == self.seat and step.landed in army:
                    for seat in self.opponents(position):
                        legal = _moves_of(position, seat) if step.takers[seat] else ()
                        passing = [move for _, options in step.takers[seat] for move in options if move in legal]
                        if passing:
                            found.setdefault(step.landed, []).extend(passing)
        return found

    def risk(self, move: Move) -> int:
        """The value that a move endangers: its own piece, if it can be captured on its new square; or another piece
        that the move exposes."""
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
        """The squares of own pieces that would be lost if it were the opponents' turn now."""
        attacked = self.attackers.items()
        return {square for square, captures in attacked if self._lost(self.position, square, captures)}

    def _lost(self, position: Position, square: int, captures: Moves) -> bool:
        """Whether capturing a piece wins it: a lesser piece captures it, or nobody can recapture."""
        worth = self.worth(position.armies[self.seat][square])
        takers = [taker for capture in captures if (taker := position.man_at(capture.source)) is not None]
        return any(
            (not taker.king and self.worth(taker) < worth) or not self._taken_back(position, square, taker)
            for taker in takers
        )

    def _taken_back(self, position: Position, square: int, taker: Man) -> bool:
        """Whether this player or a partner can recapture an opponent's piece on a square."""
        tables, army = position.tables, position.armies[self.seat]
        force = position.forces[tables.teams[self.seat]]
        hostile = position.total ^ force
        occupied = position.total & tables.full
        king = position.kings[self.seat]
        threats = tables.threats[king]
        for between, line in threats[hostile & threats.mask & tables.far] if king >= 0 else ():
            pinned = between & occupied
            man = army.get(pinned.bit_length() - 1) if pinned & pinned - 1 == 0 else None
            if man is not None and not line >> square & 1:
                force ^= man.mark
        left = occupied & ~taker.bit
        if king >= 0 and tables.threats[square].reached(hostile ^ taker.mark, left):
            force ^= army[king].mark
        return tables.threats[square].reached(force, left)

    def sound(self, move: Move) -> bool:
        """Whether a move endangers nothing, or captures more than it endangers."""
        risk = self.risk(move)
        return not risk or self.taken(move) > risk

    def possible_checks(self, move: Move) -> int:
        """The number of checks that opponents would have against this player after a move, as if it were the turn of
        each."""
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
                if reply.drop is not None:
                    mark = tables.men[seat][reply.drop][reply.target].mark
                    count += bool(mark & threats.mask) and threats.reached(mark, total)
                    continue
                man = army[reply.source]
                if man.bit & lines or man.king or (man.pawn and passing):
                    # It may also open lines: by leaving one, by castling, or by a capture en passant.
                    count += threats.reached(*self._replied(position, man, reply))
                else:
                    mark = _arrived(position, man, reply).mark
                    count += bool(mark & threats.mask) and threats.reached(mark, total & ~man.bit)
        return count

    def _replied(self, position: Position, man: Man, reply: Move) -> tuple[int, int]:
        """The opponents' force, and the occupied squares, after one of their pieces has moved."""
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
        """The number of squares that the own pieces attack after a move, squares of friends included."""
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
    """The legal moves of a seat, as if it were its turn."""
    return position.movable() if seat == position.turn else position.moves_of(seat)


def _arrived(position: Position, man: Man, move: Move) -> Man:
    """The moved piece on its new square. The move must not be a castling."""
    kind = man if move.promotion is None else position.tables.men[man.seat][move.promotion][man.square]
    return kind.kin[move.target]


def best(moves: Iterable[Move], merits: Iterable[tuple[int, ...]]) -> list[Move]:
    """The moves with the highest merit."""
    ranked = list(zip(moves, merits, strict=True))
    highest = max((merit for _, merit in ranked), default=())
    return [move for move, merit in ranked if merit == highest]
