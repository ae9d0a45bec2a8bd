"""A second implementation of the rules, as a player would explain them: try every move and look. It is slow, and shares
only the record of rules with the engine, so that the two can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cache

from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules

Square = tuple[int, int]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
HOPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]

CORNERS = {8: 0, 14: 3, 16: 4}
"""The width of the missing corners, by the number of files."""


@dataclass(frozen=True)
class Stone:
    seat: int
    letter: str
    grey: bool = False


def name(square: Square) -> str:
    return "abcdefghijklmnop"[square[0]] + str(square[1] + 1)


def square_of(text: str) -> Square:
    return "abcdefghijklmnop".index(text[0]), int(text[1:]) - 1


@cache
def squares(size: int) -> frozenset[Square]:
    """All squares of the board with `size` files, without its cut corners."""
    every = {(file, rank) for file in range(size) for rank in range(size)}
    edge = {number for number in range(size) if not CORNERS[size] <= number < size - CORNERS[size]}
    return frozenset(square for square in every if not edge.issuperset(square))


@cache
def apart(one: Square, other: Square) -> bool:
    """Whether two squares are on no common line, and no knight's move apart: no piece on one attacks the other."""
    files, ranks = abs(one[0] - other[0]), abs(one[1] - other[1])
    return 0 not in (files, ranks) and files != ranks and (files, ranks) not in HOPS


@dataclass
class Try:
    """A move to try: its text and its effect."""

    text: str
    source: Square
    target: Square
    becomes: str | None = None
    also_takes: Square | None = None
    rook: tuple[Square, Square] | None = None


class Board:
    """A game in progress, as simple as possible."""

    def __init__(self, position: Position) -> None:
        self.rules: Rules = position.rules
        self.stones = {
            square_of(where): Stone(piece.seat, piece.kind.letter, piece.grey)
            for where, piece in position.pieces().items()
        }
        self.squares = squares(position.geometry.files)
        self.turn = position.turn
        self.alive = list(position.alive)
        self.pushed = {
            step.seat: (
                square_of(position.geometry.names[step.skipped]),
                square_of(position.geometry.names[step.landed]),
            )
            for step in position.steps
        }
        names = position.geometry.names
        self.castling = {
            (castle.seat, square_of(names[castle.move.source]), square_of(names[castle.rook.source]))
            for castle in position.tables.castles
            if position.rights & castle.bit
        }

    # ---- The board --------------------------------------------------------------------------------

    def exists(self, square: Square) -> bool:
        return square in self.squares

    def forward(self, seat: int) -> Square:
        if self.rules.name == "standard":
            return [(0, 1), (0, -1)][seat]
        return [(0, 1), (1, 0), (0, -1), (-1, 0)][seat]

    def depth(self, seat: int, square: Square) -> int:
        """The rank as this player counts it."""
        last = self.rules.geometry.files - 1
        ahead = self.forward(seat)
        along = square[0] if ahead[0] else square[1]
        return along + 1 if sum(ahead) > 0 else last - along + 1

    def promotes(self, seat: int, square: Square) -> bool:
        if self.rules.promotion_depth is not None:
            return self.depth(seat, square) >= self.rules.promotion_depth
        ahead = self.forward(seat)
        return not self.exists((square[0] + ahead[0], square[1] + ahead[1]))

    def friends(self, one: int, other: int) -> bool:
        return self.rules.teams[one] == self.rules.teams[other]

    def takeable(self, seat: int, square: Square) -> bool:
        stone = self.stones.get(square)
        return stone is not None and (stone.grey or not self.friends(seat, stone.seat))

    # ---- Attacks ----------------------------------------------------------------------------------

    def slides(self, square: Square, ways: list[Square]) -> Iterator[Square]:
        for way in ways:
            file, rank = square
            while (file := file + way[0], rank := rank + way[1]) in self.squares:
                yield file, rank
                if (file, rank) in self.stones:
                    break

    def attacks(self, square: Square) -> Iterator[Square]:
        """Every square that a piece attacks."""
        stone = self.stones[square]
        ways = {"r": STRAIGHT, "b": SLANTED, "q": STRAIGHT + SLANTED, "d": STRAIGHT + SLANTED}
        if stone.letter in ways:
            yield from self.slides(square, ways[stone.letter])
            return
        if stone.letter == "p":
            ahead = self.forward(stone.seat)
            steps = [way for way in SLANTED if (way[0] == ahead[0] if ahead[0] else way[1] == ahead[1])]
        else:
            steps = HOPS if stone.letter == "n" else STRAIGHT + SLANTED
        for way in steps:
            target = square[0] + way[0], square[1] + way[1]
            if self.exists(target):
                yield target

    def attacked(self, square: Square, seat: int) -> bool:
        """Whether any live rival of the seat attacks the square."""
        return any(
            square in self.attacks(where)
            for where, stone in self.stones.items()
            if not stone.grey and not self.friends(seat, stone.seat) and not apart(where, square)
        )

    def king(self, seat: int) -> Square | None:
        for where, stone in self.stones.items():
            if stone == Stone(seat, "k"):
                return where
        return None

    def in_check(self, seat: int) -> bool:
        king = self.king(seat)
        return king is not None and self.attacked(king, seat)

    # ---- Moves ------------------------------------------------------------------------------------

    def tries(self, seat: int) -> Iterator[Try]:
        for where, stone in list(self.stones.items()):
            if stone.grey or stone.seat != seat:
                continue
            if stone.letter == "p":
                yield from self.pawn_tries(seat, where)
            else:
                for target in self.attacks(where):
                    if target not in self.stones or self.takeable(seat, target):
                        yield Try(name(where) + name(target), where, target)
        yield from self.castlings(seat)

    def pawn_tries(self, seat: int, where: Square) -> Iterator[Try]:
        targets: list[tuple[Square, Square | None]] = []
        ahead = self.forward(seat)
        one = where[0] + ahead[0], where[1] + ahead[1]
        two = one[0] + ahead[0], one[1] + ahead[1]
        if one not in self.stones and self.exists(one):
            targets.append((one, None))
            if self.depth(seat, where) == 2 and two not in self.stones and self.exists(two):
                targets.append((two, None))
        for target in self.attacks(where):
            passed = [
                landed
                for pusher, (skipped, landed) in self.pushed.items()
                if skipped == target and not self.friends(seat, pusher) and self.rules.en_passant
            ]
            if self.takeable(seat, target) or (passed and target not in self.stones):
                targets.append((target, passed[0] if passed else None))
        for target, passed_pawn in targets:
            text = name(where) + name(target)
            if self.promotes(seat, target):
                for kind in self.rules.promotions:
                    letter = "q" if kind is PieceKind.PROMOTED_QUEEN else kind.letter
                    yield Try(text + letter, where, target, kind.letter, passed_pawn)
            else:
                yield Try(text, where, target, None, passed_pawn)

    def castlings(self, seat: int) -> Iterator[Try]:
        for owner, king, rook in self.castling:
            if owner != seat:
                continue
            distance = abs(king[0] - rook[0]) + abs(king[1] - rook[1])
            way = (rook[0] - king[0]) // distance, (rook[1] - king[1]) // distance
            path = [(king[0] + way[0] * n, king[1] + way[1] * n) for n in range(distance)]
            if any(square in self.stones for square in path[1:]):
                continue
            if any(self.attacked(square, seat) for square in path[:3]):
                continue
            yield Try(name(king) + name(path[2]), king, path[2], rook=(rook, path[1]))

    def carry_out(self, move: Try) -> Board:
        """The board after a move. The owner of a captured king is out."""
        after = copy(self)
        after.stones, after.alive = dict(self.stones), list(self.alive)
        stone = after.stones.pop(move.source)
        gone = [after.stones.pop(move.target, None)]
        if move.also_takes is not None:
            gone.append(after.stones.pop(move.also_takes, None))
        after.stones[move.target] = Stone(stone.seat, move.becomes or stone.letter)
        if move.rook is not None:
            after.stones[move.rook[1]] = after.stones.pop(move.rook[0])
        after.pushed = {
            seat: squares
            for seat, squares in after.pushed.items()
            if seat != stone.seat and squares[1] not in (move.target, move.also_takes)
        }
        span = abs(move.source[0] - move.target[0]) + abs(move.source[1] - move.target[1])
        straight = move.source[0] == move.target[0] or move.source[1] == move.target[1]
        if stone.letter == "p" and span == 2 and straight and self.rules.en_passant:
            middle = (move.source[0] + move.target[0]) // 2, (move.source[1] + move.target[1]) // 2
            after.pushed[stone.seat] = (middle, move.target)
        after.castling = {right for right in after.castling if not {right[1], right[2]} & {move.source, move.target}}
        for victim in gone:
            if victim is not None and victim.letter == "k" and not victim.grey:
                after.turn_grey(victim.seat)
        return after

    def turn_grey(self, seat: int) -> None:
        for where, stone in self.stones.items():
            if stone.seat == seat:
                self.stones[where] = Stone(seat, stone.letter, grey=True)
        self.castling = {right for right in self.castling if right[0] != seat}
        if seat in self.alive:
            self.alive.remove(seat)

    def legal(self, seat: int) -> dict[str, Try]:
        return {
            move.text: move for move in self.tries(seat) if self.wins(move) or not self.carry_out(move).in_check(seat)
        }

    def wins(self, move: Try) -> bool:
        """Whether it captures a king in a team game, which ends the game at once."""
        victim = self.stones.get(move.target)
        return self.rules.in_teams and victim is not None and victim.letter == "k" and not victim.grey

    # ---- The game ---------------------------------------------------------------------------------

    def play(self, text: str) -> Board:
        """The game after a move of the seat to move: mates are judged at once, and the turn passes."""
        mover = self.turn
        after = self.carry_out(self.legal(mover)[text])
        seats = len(self.rules.seats)
        order = [(mover + number) % seats for number in range(1, seats)]
        if seats > 2 and not self.rules.in_teams:
            for seat in order:
                if seat in after.alive and after.in_check(seat) and not after.legal(seat):
                    after.turn_grey(seat)
        for seat in order:
            if seat not in after.alive:
                after.pushed.pop(seat, None)
            elif self.rules.stalemate_eliminates and len(after.alive) > 1 and not after.legal(seat):
                after.turn_grey(seat)
            else:
                after.turn = seat
                break
        return after
