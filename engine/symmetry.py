"""Boards that are the same problem for other seats: mirrored, with swapped colours, turned; and boards that lie a few
moves apart.

For two players a board may be mirrored from left to right, its colours may be swapped, or both. For four, whose boards
are not symmetric from left to right, it may be turned. Only what stands where counts here: a board with a castling
right fewer, other counters or a passed turn is the same problem.
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
"""The seat of every grey piece here: a FEN4 need not say whose it was."""


class Standing(NamedTuple):
    """A piece on a square. A promoted queen counts as a queen."""

    square: int
    seat: int
    kind: int


Placement = frozenset[Standing]
"""What stands where."""


def placement(pieces: Mapping[int, Piece]) -> Placement:
    """What stands where, by the numbers of squares."""
    return frozenset(
        [Standing(square, GREY if piece.grey else piece.seat, _KINDS[piece.kind]) for square, piece in pieces.items()]
    )


def placed(position: Position) -> Placement:
    """What stands where in a position."""
    return placement({square: man.piece for army in position.armies for square, man in army.items()})


_KINDS: Final = {kind: PieceKind.QUEEN if kind is PieceKind.PROMOTED_QUEEN else kind for kind in PieceKind}


def images(position: Position) -> tuple[Placement, ...]:
    """The four boards that are the same problem as a position's: first its own, then those of the other symmetries."""
    stands = placed(position)
    return tuple(
        frozenset([Standing(squares[square], seats[seat], kind) for square, seat, kind in stands])
        for squares, seats in _symmetries(position.geometry, len(position.seats))
    )


def key(position: Position) -> bytes:
    """A key that two positions share exactly if each is an image of the other."""
    return bytes([len(position.seats)]) + min(
        bytes([byte for one in sorted(image) for byte in _written(one)]) for image in images(position)
    )


def _written(one: Standing) -> tuple[int, int]:
    return one.square, (one.seat + 1) << 4 | one.kind


@cache
def _symmetries(board: Geometry, players: int) -> tuple[tuple[tuple[int, ...], dict[int, int]], ...]:
    """For each symmetry where a square goes, and whose a seat's pieces become."""
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

    Never false if it can. It may be true although it cannot: nothing is searched. `position` tells the geometry and
    the ways of the pawns.
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
            return False  # nothing but a pawn becomes another piece
        for one in here:
            if one.kind == PieceKind.PAWN and not any(
                _advances(position.geometry, side, pawn.square, one.square, moves) for pawn in pawns
            ):
                return False
    return True


_TAKEN: Final = 3
"""Pieces that one move may take among four: one on its square, and two pawns in passing."""


def _by_seat(standing: Placement) -> dict[int, list[Standing]]:
    found: dict[int, list[Standing]] = {}
    for one in standing:
        found.setdefault(one.seat, []).append(one)
    return found


def _advances(board: Geometry, side: Side, source: int, target: int, moves: int) -> bool:
    """Whether a pawn may get from `source` to `target` within `moves` moves. One of them may be a double step."""
    ahead = board.depth(target, side.forward) - board.depth(source, side.forward)
    across = board.file(target) - board.file(source)
    if side.forward.files:
        across = board.rank(target) - board.rank(source)
    return abs(across) <= min(ahead, moves) and 1 <= ahead <= moves + 1
