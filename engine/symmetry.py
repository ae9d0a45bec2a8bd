"""Equivalent boards: mirrored, rotated or with swapped colours; and boards a few moves apart.

For two players, a board can be mirrored from left to right, its colours can be swapped, or both. Boards for four are
not symmetric from left to right, but can be rotated. Only the placement of the pieces counts. Castling rights, counters
and the turn are ignored.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

from fourfold.engine.geometry import Geometry
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.position import Position
from fourfold.engine.rules import Side

GREY: Final = -1
"""The seat of every grey piece here: a FEN4 may omit its former owner."""


class Standing(NamedTuple):
    """A piece on a square. A promoted queen counts as a queen."""

    square: int
    seat: int
    kind: int


Placement = frozenset[Standing]
"""The placement of all pieces."""


def placement(pieces: Mapping[int, Piece]) -> Placement:
    """The placement of pieces that are given by square number."""
    return frozenset(
        [Standing(square, GREY if piece.grey else piece.seat, _KINDS[piece.kind]) for square, piece in pieces.items()]
    )


def placed(position: Position) -> Placement:
    """The placement of a position's pieces."""
    return placement({square: man.piece for army in position.armies for square, man in army.items()})


_KINDS: Final = {kind: PieceKind.QUEEN if kind is PieceKind.PROMOTED_QUEEN else kind for kind in PieceKind}


def images(position: Position) -> tuple[Placement, ...]:
    """The four equivalent boards of a position, its own first."""
    stands = placed(position)
    return tuple(
        frozenset([Standing(squares[square], seats[seat], kind) for square, seat, kind in stands])
        for squares, seats in _symmetries(position.geometry, len(position.seats))
    )


def key(position: Position) -> bytes:
    """A key that is equal for two positions if and only if their boards are equivalent."""
    return bytes([len(position.seats)]) + min(
        bytes([byte for one in sorted(image) for byte in _written(one)]) for image in images(position)
    )


def _written(one: Standing) -> tuple[int, int]:
    return one.square, (one.seat + 1) << 4 | one.kind


@cache
def _symmetries(board: Geometry, players: int) -> tuple[tuple[tuple[int, ...], dict[int, int]], ...]:
    """For each symmetry, the new number of each square and the new seat of each seat's pieces."""
    last = board.files - 1

    def moved(to: Callable[[int, int], tuple[int, int]]) -> tuple[int, ...]:
        return tuple(board.at(*to(board.file(square), board.rank(square))) for square in range(board.size))

    same, swapped = {GREY: GREY, 0: 0, 1: 1}, {GREY: GREY, 0: 1, 1: 0}
    if players == 2:
        return (
            (moved(lambda file, rank: (file, rank)), same),
            (moved(lambda file, rank: (last - file, rank)), same),
            (moved(lambda file, rank: (file, last - rank)), swapped),
            (moved(lambda file, rank: (last - file, last - rank)), swapped),
        )
    found = []
    squares = moved(lambda file, rank: (file, rank))
    quarter = moved(lambda file, rank: (rank, last - file))
    for turns in range(players):
        found.append((squares, {GREY: GREY} | {seat: (seat + turns) % players for seat in range(players)}))
        squares = tuple([quarter[square] for square in squares])
    return tuple(found)


def may_follow(position: Position, earlier: Placement, later: Placement, moves: int) -> bool:
    """Whether the `later` board may arise from the `earlier` one within `moves` moves of each seat.

    The test is fast, not exact. False means impossible; True means only that nothing simple rules it out. `position`
    supplies the geometry and the directions of the pawns.
    """
    taken = 1 if len(position.seats) == 2 else _TAKEN
    if len(earlier) - len(later) > taken * moves * len(position.seats):
        return False
    came, gone = _by_seat(later - earlier), _by_seat(earlier - later)
    for seat, side in enumerate(position.rules.seats):
        here, there = came.get(seat, ()), gone.get(seat, ())
        # Castling brings two pieces to new squares, and each seat castles once.
        if len(here) > min(moves + 1, len(there)):
            return False
        pawns = [one for one in there if one.kind == PieceKind.PAWN]
        kinds = Counter(one.kind for one in here) - Counter(one.kind for one in there)
        if kinds.pop(PieceKind.PAWN, 0) or kinds.total() > len(pawns):
            return False  # only pawns become other pieces
        for one in here:
            if one.kind == PieceKind.PAWN and not any(
                _advances(position.geometry, side, pawn.square, one.square, moves) for pawn in pawns
            ):
                return False
    return True


_TAKEN: Final = 3
"""The most pieces that one move can capture with four players: one on its target, and two pawns en passant."""


def _by_seat(standing: Placement) -> dict[int, list[Standing]]:
    found: dict[int, list[Standing]] = {}
    for one in standing:
        found.setdefault(one.seat, []).append(one)
    return found


def _advances(board: Geometry, side: Side, source: int, target: int, moves: int) -> bool:
    """Whether a pawn can get from `source` to `target` within `moves` moves. One of them may be a double step."""
    ahead = board.depth(target, side.forward) - board.depth(source, side.forward)
    across = board.file(target) - board.file(source)
    if side.forward.files:
        across = board.rank(target) - board.rank(source)
    return abs(across) <= min(ahead, moves) and 1 <= ahead <= moves + 1
