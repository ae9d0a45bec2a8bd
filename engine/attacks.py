"""Which pieces attack a square: armies as bit planes, and for each square a mask of its possible attackers.

An army is one large integer, its *force*: the exclusive or of the *marks* of its pieces. A mark sets the
bit of the piece's square in several planes. The planes follow each other in this order: all pieces; sliders
along ranks and files; sliders along diagonals; knights; kings; the pawns of each seat, because each seat's
pawns have their own direction. The piece's Zobrist key lies above the planes. One exclusive or updates all.

For each square, `Threats` has one mask with the bit of every piece that could attack it. Usually a force has
no bit in common with that mask, and one operation on two integers shows that the square is not attacked.
Otherwise each common bit is a candidate. A number above `Planes.far` contains a pawn, knight or king, whose
attack nothing can block. Any other bit is a slider, which a piece in between may block.

A grey piece has no bit in a plane of movement: it occupies its square and attacks nothing.
"""

from __future__ import annotations

from fourfold.engine import zobrist
from fourfold.engine.geometry import OFF, Geometry
from fourfold.engine.pieces import AXES, LEAPS, SLIDES, Piece, PieceKind, pawn_captures
from fourfold.engine.rules import Rules

_PROMOTED = 6
"""The first number of the Zobrist features of promoted pieces; other pieces have 1, grey ones 2."""

_ORTHOGONAL, _DIAGONAL, _KNIGHTS, _KINGS, _PAWNS = 1, 2, 3, 4, 5
_NEAR = {PieceKind.KNIGHT: _KNIGHTS, PieceKind.KING: _KINGS}
_PLANES: dict[PieceKind, tuple[int, ...]] = {
    **{kind: (plane,) for kind, plane in _NEAR.items()},
    **{kind: tuple({_ORTHOGONAL + axis // 2 for axis in axes}) for kind, axes in SLIDES.items()},
}
"""The planes of each kind that moves the same way for every seat: all kinds but the pawn."""


class Planes:
    """The layout of marks for one variant."""

    def __init__(self, rules: Rules) -> None:
        self.size = rules.geometry.size
        self.key_shift = self.size * (_PAWNS + len(rules.seats))
        self.occupied = (1 << self.size) - 1
        """The plane of all pieces, as a mask."""
        self.far = (1 << self.size * (_DIAGONAL + 1)) - 1
        """The planes of all pieces and of sliders, as a mask. The planes above it hold knights, kings and
        pawns, whose attacks cannot be blocked."""
        self.kings = self.occupied << self.size * _KINGS
        """The plane of kings, as a mask."""
        self.pawns = ((1 << self.size * len(rules.seats)) - 1) << self.size * _PAWNS
        """The planes of pawns, as a mask."""
        self.decisive = 0
        for kind in rules.decisive:
            for plane in _PLANES.get(kind) or range(_PAWNS, _PAWNS + len(rules.seats)):
                self.decisive |= self.occupied << self.size * plane
        """The planes of the kinds in `Rules.decisive`, as a mask."""
        self.alike = {
            kind: sum(self.occupied << self.size * plane for plane in planes) for kind, planes in _PLANES.items()
        }
        """For each kind except the pawn, a mask of its planes. A bishop's plane also holds queens."""

    def bit(self, plane: int, square: int) -> int:
        return 1 << self.size * plane + square

    def mark(self, piece: Piece, square: int) -> int:
        """The mark of a piece on a square: combine it with a force by exclusive or."""
        feature = _PROMOTED if piece.promoted else 1 + piece.grey
        mark = zobrist.key(feature, piece.seat, piece.kind, square) << self.key_shift
        planes = () if piece.grey else _PLANES.get(piece.kind) or (_PAWNS + piece.seat,)
        return mark | sum(self.bit(plane, square) for plane in (0, *planes))


_LIMIT = 512


class Threats:
    """The possible attackers of one square.

    ``found = force & threats.mask`` are the candidates in a force. If all of them are sliders,
    ``threats[found]`` lists them as pairs of bit masks: the squares that must be empty for the attack to
    arrive, and the same squares plus the attacker's own. Up to `_LIMIT` such lists are cached.
    """

    __slots__ = ("_attacks", "_candidates", "_far", "_lines", "_sources", "mask")

    def __init__(self, square: int, rules: Rules, planes: Planes) -> None:
        board = rules.geometry
        self._lines: dict[int, tuple[tuple[int, int], ...]] = {}
        self._sources: dict[int, tuple[tuple[int, int], ...]] = {}
        self._far = planes.far
        near = [(plane, leap) for kind, plane in _NEAR.items() for leap in LEAPS[kind]]
        for number, seat in enumerate(rules.seats):
            near += [(_PAWNS + number, capture.opposite()) for capture in pawn_captures(seat.forward)]
        self._attacks: dict[int, tuple[int, int]] = {}
        """For each possible attacker's bit, the squares between, and these with its own, as masks."""
        for plane, step in near:
            source = board.step(square, step)
            if source != OFF:
                self._attacks[planes.bit(plane, source)] = 0, 1 << source
        for bit, between, line in _sliders(square, board, planes):
            self._attacks[bit] = between, line
        self._candidates: dict[int, tuple[int, tuple[int, int]]] = {
            bit.bit_length(): (bit, ((line ^ between).bit_length() - 1, between))
            for bit, (between, line) in self._attacks.items()
        }
        """The same by the bit's length: the bit, the attacker's square, and the squares between as a mask."""
        self.mask = sum(self._attacks)

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, found: int) -> tuple[tuple[int, int], ...]:
        lines = self._lines.get(found)
        if lines is None:
            if len(self._lines) >= _LIMIT:
                self._lines.clear()
            lines = tuple(self._split(found))
            self._lines[found] = lines
        return lines

    def near(self, found: int) -> list[int]:
        """The squares of the attackers that nothing can block, one bit each."""
        return [square for _, square in self._split(found ^ (found & self._far))]

    def sources(self, found: int) -> tuple[tuple[int, int], ...]:
        """The candidates ``force & threats.mask`` by square: pairs of the number of the attacker's own square, and a
        mask of the squares that must be empty for the attack to arrive. Cached like the lines of sliders."""
        sources = self._sources.get(found)
        if sources is None:
            if len(self._sources) >= _LIMIT:
                self._sources.clear()
            attacks = []
            left = found
            while left:
                bit, attack = self._candidates[left.bit_length()]
                attacks.append(attack)
                left ^= bit
            sources = tuple(sorted(attacks) if len(attacks) > 1 else attacks)
            self._sources[found] = sources
        return sources

    def _split(self, found: int) -> list[tuple[int, int]]:
        """The attacks of several candidates, from the lowest bit on."""
        attacks = []
        while found:
            lowest = found & -found
            attacks.append(self._attacks[lowest])
            found ^= lowest
        return attacks

    def reached(self, force: int, total: int) -> bool:
        """Whether a force attacks this square; `total` is the force of the whole board."""
        found = force & self.mask
        if not found:
            return False
        if found > self._far:
            return True
        for between, _ in self[found]:  # noqa: SIM110 (any() takes three times as long)
            if not between & total:
                return True
        return False


def _sliders(square: int, board: Geometry, planes: Planes) -> list[tuple[int, int, int]]:
    """The possible sliders at each square of each line: bit, mask of the squares between, and mask with its own."""
    sliders = []
    for number, axis in enumerate(AXES):
        for direction in axis:
            between = 0
            for source in board.ray(square, direction):
                line = between | 1 << source
                sliders.append((planes.bit(_ORTHOGONAL + number // 2, source), between, line))
                between = line
    return sliders
