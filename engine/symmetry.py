"""Equivalent boards and positions: mirrored, rotated or with swapped colours; and boards a few moves apart.

For two players, a board can be mirrored from left to right, its colours can be swapped, or both. Boards for four are
not symmetric from left to right, but can be rotated, unless an army is missing. In `images` and `key` only the
placement of the pieces counts: castling rights, hands, counters and the turn are ignored. `mirrored`, `swapped` and
`rotated` give whole positions.

>>> from fourfold.engine import Position
>>> from fourfold.engine.symmetry import key, swapped
>>> position = Position.start().play("e4")
>>> swapped(position).fen()
'rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
>>> key(swapped(position)) == key(position)
True
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
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
    """The equivalent boards of a position, its own first: four, or one with three players."""
    stands = placed(position)
    return tuple(
        frozenset([Standing(squares[square], seats[seat], kind) for square, seat, kind in stands])
        for squares, seats in _symmetries(position.geometry, len(position.seats))
    )


def key(position: Position) -> bytes:
    """The canonical key of a board: equal for two positions if and only if their boards are equivalent."""
    return bytes([len(position.seats)]) + min(
        bytes([byte for one in sorted(image) for byte in _written(one)]) for image in images(position)
    )


def mirrored(position: Position) -> Position:
    """The position for two players, mirrored from left to right, without castling rights and earlier positions. Raises
    `ValueError` for more players.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.symmetry import mirrored
    >>> mirrored(Position.start().play("e4")).fen()
    'rnbkqbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBKQBNR b - - 0 1'
    """
    if len(position.seats) != 2:
        raise ValueError("Only boards for two players can be mirrored.")
    return _moved(position, 1, 0, castling=False)


def swapped(position: Position) -> Position:
    """The position for two players with swapped colours: mirrored from top to bottom, and the other side to move.
    Earlier positions are lost. Only for variants in which both sides play alike. Raises
    `ValueError` for more players."""
    if len(position.seats) != 2:
        raise ValueError("Only two colours can be swapped; a board for four can be rotated.")
    return _moved(position, 2, 1)


def rotated(position: Position, quarters: int = 1) -> Position:
    """The position for four players, rotated clockwise: each army moves to the next seat, `quarters` times. Earlier
    positions and the reasons of eliminations are lost. Raises `ValueError` for two players.

    >>> from fourfold.engine import Position
    >>> from fourfold.engine.symmetry import rotated
    >>> after = rotated(Position.start("survivor").play("h2h4"))
    >>> after.seats[after.turn], after.piece_at("d7").seat
    ('yellow', 1)
    """
    if len(position.seats) != 4:
        raise ValueError("Only boards for four players can be rotated.")
    return _moved(position, quarters % 4, quarters % 4)


def _moved(position: Position, symmetry: int, turns: int, castling: bool = True) -> Position:
    """The position under one of the `_symmetries`, with the turn `turns` seats later."""
    rules, players = position.rules, len(position.seats)
    squares, seats = _symmetries(position.geometry, players)[symmetry]
    setup = rules.notation.read(position.fen(), rules)

    def by_seat(values: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return values and tuple([values[(seat - turns) % players] for seat in range(players)])

    turn = (setup.turn + turns) % players
    changed = replace(
        setup,
        pieces={
            squares[square]: replace(piece, seat=seats[piece.seat]) for square, piece in setup.pieces.items()
        },
        turn=turn,
        castling=frozenset([(seats[seat], short) for seat, short in setup.castling if castling]),
        castling_rooks={
            (seats[seat], short): squares[rook] for (seat, short), rook in setup.castling_rooks.items() if castling
        },
        en_passant={seats[seat]: squares[square] for seat, square in setup.en_passant.items()},
        ply=setup.ply if players != 2 else setup.ply // 2 * 2 + turn,
        dead=frozenset([seats[seat] for seat in setup.dead]),
        points=by_seat(setup.points),
        fallen=tuple([seats[seat] for seat in setup.fallen]),
        checks=by_seat(setup.checks),
        hands=setup.hands and tuple([setup.hands[(seat - turns) % players] for seat in range(players)]),
    )
    return Position.from_setup(rules, changed, position.seed)


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
    if players == 3:
        return ((squares, {GREY: GREY, 0: 0, 1: 1, 2: 2}),)  # the army that is missing breaks every symmetry
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
    rules = position.rules
    if len(earlier) - len(later) > rules.most_removed * moves * len(rules.seats):
        return False
    if rules.drops:
        return True  # a piece may come from the hand
    came, gone = _by_seat(later - earlier), _by_seat(earlier - later)
    for seat, side in enumerate(rules.seats):
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
