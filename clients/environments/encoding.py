"""The observation of an agent as planes of numbers, and the numbers of its moves. Version 1.

Both are turned to the seat that looks: its own pawns go up. The planes of a position are `planes` by rows by columns,
row 0 the one farthest from the seat, as small integers:

| planes, among `n` seats | |
|---|---|
| 7 n | pieces: for the own seat, then the others in the order of turns, a plane for each kind: pawn, knight, bishop, rook, queen, king, promoted queen |
| 1 | grey pieces, of players who are out |
| 1 | rooks with which somebody may still castle |
| 1 | squares that a pawn has skipped, and on which it can be taken: by the side to move, or by the pawn of another seat before the pusher moves again |
| 1 | squares that the last move has changed |
| 1 | squares that exist |
| n | for each seat, as above: 1 everywhere while the player is in |
| n | for each seat: its points everywhere, or the checks that it has given, where they count |
| 1 | plies since a capture or a pawn's move, everywhere |
| 1 | how often the position has stood on the board, everywhere |
| 5 n + 1 | only in variants with drops: for each seat, as above, how many pawns, knights, bishops, rooks and queens are in its hand, everywhere; and promoted pieces |

Numbers above 255 are 255. An action is the number of a move in `Encoding.actions`: all that any piece could ever do on
the board, in the order of the squares that it comes from, the squares that it goes to, and the promotions. Castling is
the king's move as its text has it. Drops follow all moves.
"""  # noqa: E501

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fourfold.engine.geometry import Direction
from fourfold.engine.moves import Move
from fourfold.engine.position import Position, Variant
from fourfold.engine.tables import DoubleStep, Man, tables_of
from fourfold.engine.variants import rules_of

VERSION: Final = 1
"""The version of the encoding. It changes with the meaning of any plane or action."""

PLIES: Final = 1000
"""The default length at which a game is truncated, in plies."""

Planes: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.int8]
_Name: TypeAlias = tuple[int, int, int]


class Encoding:
    """The encoding of one variant. Call `encoding_of` to get it.

    `planes`, `rows` and `columns` are the shape of an observation. `actions` is the number of actions.
    """

    def __init__(self, rules: Variant) -> None:
        geometry, tables = rules.geometry, tables_of(rules)
        if geometry.files != geometry.ranks:
            raise ValueError(f"{rules.name} has a board of {geometry.name}; it must be as wide as high to be turned.")
        seats = len(rules.seats)
        self.rows = self.columns = geometry.files
        self._drops = rules.drops
        self.planes = 9 * seats + 7 + (len(rules.drops) * seats + 1 if rules.drops else 0)
        self.shape = (self.planes, self.rows, self.columns)
        self._seats = seats
        self._cells = self.rows * self.columns
        self._places = [self._turned(rules, seat) for seat in range(seats)]
        exists = bytearray(self._cells)
        for cell in self._places[0]:
            exists[cell] = 1
        self._exists = bytes(exists)  # the same from every seat
        self._pieces: list[dict[Man, int]] = [{} for _ in range(seats)]
        for seat in range(seats):
            for owner in range(seats):
                for kind, men in (*tables.men[owner].items(), *tables.promoted[owner].items()):
                    plane = 7 * ((owner - seat) % seats) + kind
                    for man in men:
                        self._pieces[seat][man] = plane * self._cells + self._places[seat][man.square]
        known: set[_Name] = set()
        names: list[dict[Move, _Name]] = []
        for seat in range(seats):
            moves = {move for men in tables.men[seat].values() for man in men for move in _moves_of(man)}
            moves |= {castle.move for castle in tables.castles_of[seat]}
            moves |= {drop for drops in tables.drops.values() for drop in drops}
            names.append({move: self._name(move, seat) for move in moves})
            known |= set(names[-1].values())
        numbers = {name: number for number, name in enumerate(sorted(known))}
        self.actions = len(numbers)
        self._numbers = [{move: numbers[name] for move, name in by_seat.items()} for by_seat in names]
        self._moves = [{number: move for move, number in by_seat.items()} for by_seat in self._numbers]

    def _turned(self, rules: Variant, seat: int) -> list[int]:
        """For each square, its index among the cells that the seat sees, row by row from the far side."""
        last = self.rows - 1
        forward = rules.seats[seat].forward
        right = Direction(forward.ranks, -forward.files)
        places = []
        for square in range(rules.geometry.size):
            file, rank = rules.geometry.file(square), rules.geometry.rank(square)
            ahead = file * forward.files + rank * forward.ranks
            aside = file * right.files + rank * right.ranks
            ahead += last if ahead < 0 or -1 in forward else 0
            aside += last if aside < 0 or -1 in right else 0
            places.append((last - ahead) * self.columns + aside)
        return places

    def _name(self, move: Move, seat: int) -> _Name:
        places = self._places[seat]
        if move.drop is not None:
            return self._cells, places[move.target], int(move.drop)
        return places[move.source], places[move.target], -1 if move.promotion is None else int(move.promotion)

    def see(self, position: Position, seat: int) -> Planes:
        """A seat's observation of a position: an array of planes by rows by columns."""
        cells, seats = self._cells, self._seats
        places = self._places[seat]
        seen = bytearray(self.planes * cells)
        numbers = self._pieces[seat]
        for army in position.armies[:-1]:
            for man in army.values():
                seen[numbers[man]] = 1
        start = 7 * seats * cells
        for square in position.armies[-1]:
            seen[start + places[square]] = 1
        start += cells
        if position.rights:
            for owner in range(seats):
                for castle in position.castles(owner):
                    seen[start + places[castle.rook.source]] = 1
        start += cells
        for step in position.steps:
            if _may_be_taken(position, step):
                seen[start + places[step.skipped]] = 1
        start += cells
        for square in position.changed:
            seen[start + places[square]] = 1
        start += cells
        seen[start : start + cells] = self._exists
        start += cells
        counts = position.points or position.checks
        for plane, other in enumerate(range(seat, seat + seats)):
            if other % seats in position.alive:
                at = start + plane * cells
                seen[at : at + cells] = b"\1" * cells
            if counts is not None and counts[other % seats]:
                at = start + (seats + plane) * cells
                seen[at : at + cells] = bytes((min(counts[other % seats], 255),)) * cells
        start += 2 * seats * cells
        if position.halfmove:
            seen[start : start + cells] = bytes((min(position.halfmove, 255),)) * cells
        start += cells
        seen[start : start + cells] = bytes((min(position.repetitions(), 255),)) * cells
        if self._drops:
            self._see_hands(position, seat, seen, start + cells)
        return np.frombuffer(seen, np.uint8).reshape(self.shape)

    def _see_hands(self, position: Position, seat: int, seen: bytearray, start: int) -> None:
        """Fill the planes from `start` on: the hands, then the promoted pieces."""
        cells, places = self._cells, self._places[seat]
        for other in range(seat, seat + self._seats):
            for kind in self._drops:
                seen[start : start + cells] = bytes((position.hands[other % self._seats][kind],)) * cells
                start += cells
        for army in position.armies[:-1]:
            for man in army.values():
                if man.piece.promoted:
                    seen[start + places[man.square]] = 1

    def mask(self, position: Position, into: Mask | None = None) -> Mask:
        """An array with a 1 for each legal action of the side to move. `into`, if given, must be an array of zeros, and
        is filled and returned."""
        mask = np.zeros(self.actions, np.int8) if into is None else into
        numbers = self._numbers[position.turn]
        mask[[numbers[move] for move in position.legal_moves]] = 1
        return mask

    def action(self, position: Position, move: Move) -> int:
        """The action of a legal move."""
        return self._numbers[position.turn][move]

    def move(self, position: Position, action: int) -> Move | None:
        """The legal move of an action; None if the action is illegal now."""
        move = self._moves[position.turn].get(int(action))
        return move if move is not None and move in position.legal_moves else None


def _may_be_taken(position: Position, step: DoubleStep) -> bool:
    """Whether a pawn can capture this double step en passant: one of the side to move now, or another seat's before the
    pusher moves again."""
    for seat in (position.turn, *position.tables.clockwise[position.turn]):
        if seat == step.seat:
            break
        if position.takes(step) if seat == position.turn else position.takers(seat, step):
            return True
    return False


def _moves_of(man: Man) -> list[Move]:
    groups = (*man.rays, man.leaps, man.steps, *man.advances, man.captures)
    return [move for group in groups for move in group]


@cache
def encoding_of(variant: str) -> Encoding:
    """The encoding of a listed variant, created on first use. Raises `InvalidNotation` for an unknown variant.

    >>> from fourfold.clients.environments.encoding import encoding_of
    >>> encoding_of("standard").shape, encoding_of("standard").actions
    ((25, 8, 8), 1880)
    """
    return Encoding(rules_of(variant))


def rewards(position: Position) -> list[float]:
    """The rewards of a finished game, from -1 to 1 for each seat: the share of the other players with a worse place,
    minus the share with a better place. In games for two, and in teams, this is 1, 0 or -1."""
    outcome = position.outcome
    if outcome is None:
        return [0.0] * len(position.seats)
    teams, places = position.rules.teams, outcome.standings
    found = []
    for seat, place in enumerate(places):
        others = [places[other] for other in range(len(places)) if teams[other] != teams[seat]]
        found.append((sum(other > place for other in others) - sum(other < place for other in others)) / len(others))
    return found


def follow(position: Position) -> Position:
    """The next position in which a player is to move or the game is over: walking kings have moved, and any possible
    draw has been claimed."""
    while (walk := position.walk) is not None:
        position = position.play(walk)
    claim = position.may_claim(position.turn)
    if claim is not None and not position.rules.scored:
        return position.claim(position.turn)
    return position
