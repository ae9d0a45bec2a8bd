"""Precomputed tables of a variant: its pieces on every square, its moves, castlings, double steps and threats.

`tables_of` gives the `Tables` of a `Rules` record. Positions mostly hold references into them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from fourfold.engine import zobrist
from fourfold.engine.attacks import Planes, Threats
from fourfold.engine.geometry import OFF, Direction
from fourfold.engine.moves import Move, MoveTable
from fourfold.engine.pieces import AXES, LEAPS, NOBODY, SLIDES, Piece, PieceKind, pawn_captures
from fourfold.engine.rules import Castling, Rules

# The first numbers of Zobrist features; pieces on squares have 1, 2 and 6.
_TURN, _CASTLE, _DOUBLE_STEP, _HAND = 3, 4, 5, 7

_KEPT: Final = 32
"""The number of tables that each cache keeps: `_known` those used last, `_built` those built last."""

_built: Final[dict[Rules, Tables]] = {}
"""The tables for each variant's rules. All threads use the same ones."""


class Man:
    """A piece on a square. There is one object for each piece of each seat on each square. The same piece on
    another square is ``man.kin[square]``.

    Its moves assume an empty board, and its captures a full one. A slider has `rays`, each with the nearest square
    first. A knight has `leaps`. A king has `steps`, because its moves depend on attacks. A pawn has `captures` and
    `advances`: first its one-step moves, then its two-step move. Each entry of `advances` is a group of moves to one
    square, several if the pawn promotes there.

    `mark` is the piece's part of the force of its `team`. Grey pieces have team -1. `side` is the team's byte in
    `Board.sides`: its number plus one; grey pieces have the next number after all teams. `cell` is the piece in FEN4
    (``rP``, ``drP`` if grey), with ``w`` and ``b`` for two players. `symbol` is its letter in FEN for two players, with
    a tilde if it is a promoted piece of a variant with drops.
    """

    __slots__ = (
        "advances", "bit", "captures", "cell", "kin", "kind", "king", "leaps", "mark", "pawn", "piece", "rays", "seat",
        "side", "square", "steps", "symbol", "team",
    )  # fmt: skip

    def __init__(self, piece: Piece, cell: str, team: int, side: int, square: int, mark: int, kin: list[Man]) -> None:
        self.piece = piece
        self.cell = cell
        self.seat = piece.seat
        self.team = team
        self.side = side
        self.kind = piece.kind
        self.symbol = (piece.kind.letter if piece.seat else piece.kind.letter.upper()) + "~" * piece.promoted
        self.pawn = piece.kind is PieceKind.PAWN
        self.king = piece.kind is PieceKind.KING
        self.square = square
        self.bit = 1 << square
        self.mark = mark
        self.kin = kin
        self.rays: tuple[tuple[Move, ...], ...] = ()
        self.leaps: tuple[Move, ...] = ()
        self.steps: tuple[Move, ...] = ()
        self.advances: tuple[tuple[Move, ...], ...] = ()
        self.captures: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Castle:
    """A castling right, with its king, its rook, and the squares that must be empty or safe."""

    seat: int
    """The seat that castles."""
    short: bool
    """Whether the move is ``O-O``; otherwise it is ``O-O-O``."""
    move: Move
    """The player's move, in coordinate notation."""
    target: int
    """The king's square after the move."""
    rook: Move
    """The rook's part of the move."""
    empty: int
    """A mask of the squares that must be empty."""
    path: tuple[int, ...]
    """The squares that the king crosses and reaches. None of them may be attacked."""
    bit: int
    """The right's bit in a set of rights."""
    key: int
    """The right's part of a position's hash."""


@dataclass(frozen=True, slots=True, eq=False)
class DoubleStep:
    """A pawn's double step, with the pawns that could capture it en passant.

    `takers[seat]` lists that seat's pawns, each with its moves to the skipped square.
    """

    seat: int
    skipped: int
    landed: int
    takers: tuple[tuple[tuple[Man, tuple[Move, ...]], ...], ...]
    key: int


class Tables:
    """The tables of one variant. Call `tables_of` to get them."""

    def __init__(self, rules: Rules) -> None:
        board = rules.geometry
        seats = range(len(rules.seats))
        self.rules = rules
        self.seats = tuple(seat.name for seat in rules.seats)
        self.size = board.size
        self.planes = Planes(rules)
        self.moves = MoveTable(board)
        self.threats = tuple(Threats(square, rules, self.planes) for square in range(board.size))
        self.names = board.names
        self.threats_on = dict(zip(board.names, self.threats, strict=True))
        """The threats by the square's name."""
        self.full = self.planes.occupied
        self.far = self.planes.far
        self.key_shift = self.planes.key_shift
        self.teams = rules.teams
        self.clockwise = tuple((*seats[seat + 1 :], *seats[:seat]) for seat in seats)
        """For each seat, the other seats in the order of turns after it."""
        self.turn_keys = tuple(zobrist.key(_TURN, seat) for seat in seats)
        self._rays = [[self._rays_along(square, axis) for axis in AXES] for square in range(board.size)]
        self._leaps = {kind: [self._leaps_from(square, kind) for square in range(board.size)] for kind in LEAPS}
        self.neighbours = tuple([tuple([move.target for move in steps]) for steps in self._leaps[PieceKind.KING]])
        """For each square, the squares next to it."""
        self._men: dict[Piece, list[Man]] = {}
        self.men = tuple({kind: self.men_of(Piece(seat, kind)) for kind in PieceKind} for seat in seats)
        self.promoted = self.men
        """By seat and kind: the pieces that pawns become."""
        self.drops: dict[PieceKind, tuple[Move, ...]] = {}
        """The drops of each kind, on any square."""
        if rules.drops:
            self.promoted = tuple([{kind: self._promoted(seat, kind) for kind in rules.promotions} for seat in seats])
            self.drops = {kind: self._drops_of(kind) for kind in rules.drops}
        self.double_steps: dict[Move, DoubleStep] = {}
        self.steps_over: dict[tuple[int, int], tuple[Move, DoubleStep]] = {}
        """Each double step with its move, by the seat and the skipped square."""
        if rules.en_passant:
            for seat in seats:
                self._add_double_steps(seat)
        self.castles: list[Castle] = []
        self.castles_of: tuple[list[Castle], ...] = tuple([] for _ in seats)
        self.castle_of_move: dict[Move, Castle] = {}
        self.kept_rights = [-1] * board.size
        """For each square, a mask of the castling rights that survive a move from it or to it."""
        for castling in rules.castlings:
            self._add_castle(castling)
        self._rights_keys = {0: 0}
        self.misplaced_pawns = sum(
            self.men[seat][PieceKind.PAWN][square].mark & self.planes.pawns
            for seat in seats
            for square in range(board.size)
            if self.promotes(seat, square)
            or (board.depth(square, rules.seats[seat].forward) == 1 and seat not in rules.back_row_pawns)
        )
        """The marks, as a mask, of pawns on squares where no pawn of their seat can stand."""

    def men_of(self, piece: Piece) -> list[Man]:
        """The piece on every square, by square number."""
        men = self._men.get(piece)
        if men is None:
            men = self._men[piece] = []
            team = -1 if piece.grey else self.rules.teams[piece.seat]
            side = (max(self.rules.teams) + 1 if piece.grey else team) + 1
            owner = "" if piece.seat == NOBODY else self.rules.seats[piece.seat].letter
            cell = ("d" if piece.grey else "") + owner + piece.kind.letter.upper()
            for square in range(self.size):
                man = Man(piece, cell, team, side, square, self.planes.mark(piece, square), men)
                man.king = man.king and piece.seat not in self.rules.kingless
                if not piece.grey:
                    self._set_moves(man)
                men.append(man)
        return men

    def promotes(self, seat: int, square: int) -> bool:
        """Whether the seat's pawns promote on the square."""
        rules, forward = self.rules, self.rules.seats[seat].forward
        if rules.promotion_depth is None:
            return rules.geometry.step(square, forward) == OFF
        return rules.geometry.depth(square, forward) >= rules.promotion_depth

    def rights_key(self, rights: int) -> int:
        """The hash of a set of castling rights."""
        key = self._rights_keys.get(rights)
        if key is None:
            key = 0
            for castle in self.castles:
                if rights & castle.bit:
                    key ^= castle.key
            self._rights_keys[rights] = key
        return key

    def hand_key(self, seat: int, kind: int, number: int) -> int:
        """The part of a force for the `number`th piece of a kind in a seat's hand."""
        return zobrist.key(_HAND, seat, kind, number) << self.key_shift

    def _promoted(self, seat: int, kind: PieceKind) -> list[Man]:
        return self.men_of(Piece(seat, kind, promoted=True))

    def _drops_of(self, kind: PieceKind) -> tuple[Move, ...]:
        barred = self._barred() if kind is PieceKind.PAWN else set()
        return tuple([self.moves.drop(kind, square) for square in range(self.size) if square not in barred])

    def _barred(self) -> set[int]:
        """The squares on which no seat can drop a pawn."""
        board = self.rules.geometry
        return {
            square
            for seat, side in enumerate(self.rules.seats)
            for square in range(self.size)
            if board.depth(square, side.forward) == 1 or self.promotes(seat, square)
        }

    def _add_castle(self, castling: Castling) -> None:
        board = self.rules.geometry
        king, target = board.index[castling.king], board.index[castling.king_target]
        rook, rook_target = board.index[castling.rook], board.index[castling.rook_target]
        path = self._between(king, target) or (target,)
        crossed = {*path, *self._between(rook, rook_target)} - {king, rook}
        castle = Castle(
            seat=castling.seat,
            short=castling.short,
            move=self.moves.move(king, board.index[castling.target]),
            target=target,
            rook=self.moves.move(rook, rook_target),
            empty=sum(1 << square for square in crossed),
            path=path,
            bit=1 << len(self.castles),
            key=zobrist.key(_CASTLE, castling.seat, king, rook),
        )
        self.castles.append(castle)
        self.castles_of[castle.seat].append(castle)
        self.castle_of_move[castle.move] = castle
        self.kept_rights[king] &= ~castle.bit
        self.kept_rights[rook] &= ~castle.bit

    def _between(self, source: int, target: int) -> tuple[int, ...]:
        """The squares of a line after `source`, up to and including `target`."""
        for axis in AXES:
            for direction in axis:
                ray = self.rules.geometry.ray(source, direction)
                if target in ray:
                    return ray[: ray.index(target) + 1]
        return ()

    def _rays_along(self, square: int, axis: tuple[Direction, Direction]) -> tuple[tuple[Move, ...], ...]:
        rays = [self.rules.geometry.ray(square, direction) for direction in axis]
        return tuple(tuple(self.moves.move(square, target) for target in ray) for ray in rays if ray)

    def _leaps_from(self, square: int, kind: PieceKind) -> tuple[Move, ...]:
        targets = [self.rules.geometry.step(square, leap) for leap in LEAPS[kind]]
        return tuple(self.moves.move(square, target) for target in targets if target != OFF)

    def _set_moves(self, man: Man) -> None:
        if man.pawn:
            self._set_pawn_moves(man)
        elif man.king:
            man.steps = self._leaps[man.kind][man.square]
        elif man.kind in SLIDES:
            man.rays = tuple(ray for axis in SLIDES[man.kind] for ray in self._rays[man.square][axis])
        else:
            man.leaps = self._leaps[man.kind][man.square]

    def _pawn_moves(self, seat: int, source: int, target: int) -> tuple[Move, ...]:
        """A pawn's moves between two squares: one, or one for each promotion."""
        kinds: tuple[PieceKind | None, ...] = self.rules.promotions if self.promotes(seat, target) else (None,)
        return tuple(self.moves.move(source, target, kind) for kind in kinds)

    def _set_pawn_moves(self, man: Man) -> None:
        board, seat, square = self.rules.geometry, man.seat, man.square
        forward = self.rules.seats[seat].forward
        ahead = board.step(square, forward)
        if ahead != OFF:
            man.advances = (self._pawn_moves(seat, square, ahead),)
            beyond = board.step(ahead, forward)
            depth = board.depth(square, forward)
            if beyond != OFF and (depth == 2 or (depth == 1 and seat in self.rules.back_row_pawns)):
                man.advances += (self._pawn_moves(seat, square, beyond),)
        for capture in pawn_captures(forward):
            target = board.step(square, capture)
            if target != OFF:
                man.captures += self._pawn_moves(seat, square, target)

    def _flank(self, seat: int, taker: int, source: int, landed: int) -> bool:
        """Whether a pawn on `source` would capture by the flank: its path crosses the pushed pawn's, and the pushed
        pawn is not straight ahead."""
        forward, across = self.rules.seats[seat].forward, self.rules.seats[taker].forward
        crossing = forward not in (across, across.opposite())
        return crossing and self.rules.geometry.step(source, across) != landed

    def _add_double_steps(self, seat: int) -> None:
        rules = self.rules
        board, forward = rules.geometry, rules.seats[seat].forward
        for square in range(self.size):
            if board.depth(square, forward) != 2:
                continue
            skipped = board.step(square, forward)
            landed = board.step(skipped, forward)
            takers = tuple(
                tuple(
                    (self.men[taker][PieceKind.PAWN][source], self._pawn_moves(taker, source, skipped))
                    for capture in pawn_captures(self.rules.seats[taker].forward)
                    if (source := board.step(skipped, capture.opposite())) != OFF
                    and (rules.en_passant_by_flank or not self._flank(seat, taker, source, landed))
                )
                if self.rules.teams[taker] != self.rules.teams[seat]
                else ()
                for taker in range(len(self.rules.seats))
            )
            move = self.moves.move(square, landed)
            key = zobrist.key(_DOUBLE_STEP, skipped)
            self.double_steps[move] = step = DoubleStep(seat, skipped, landed, takers, key)
            self.steps_over[seat, skipped] = move, step


def tables_of(rules: Rules) -> Tables:
    """The tables of these rules, the same for all threads. The first call takes some tens of milliseconds; later calls
    use a cache."""
    return _known(rules)


@lru_cache(maxsize=_KEPT)
def _known(rules: Rules) -> Tables:
    for old in list(_built)[:-_KEPT]:
        _built.pop(old, None)
    return _built.setdefault(rules, Tables(rules))  # two threads may both build tables: the first to finish sets them
