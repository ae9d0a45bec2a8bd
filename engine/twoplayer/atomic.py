"""Atomic chess: a capture explodes, and the player whose king explodes loses (https://lichess.org/variant/atomic).

The capturing piece, the captured piece and all pieces next to the target disappear, except pawns that were not
captured. A king cannot capture, and no move may explode its own king. Kings that touch are not in check.

>>> from fourfold.engine import Position
>>> from fourfold.engine.twoplayer.atomic import ATOMIC
>>> position = Position.start(ATOMIC)
>>> for move in ("Nf3", "a6", "Ne5", "b6", "Nxd7"):
...     position = position.play(move)
>>> position.fen(), position.outcome.winners
('rn3bnr/2p1pppp/pp6/8/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 3', (0,))
"""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.movegen import possible_moves
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.setup import Setup
from fourfold.engine.tables import Castle, Man
from fourfold.engine.twoplayer.draws import TwoPlayerReferee, drawn, won
from fourfold.engine.twoplayer.fen import Fen
from fourfold.engine.twoplayer.rules import STANDARD


class AtomicReferee(TwoPlayerReferee):
    """The referee of `ATOMIC`."""

    def begin(self, position: Position) -> None:
        """End the game if a king has exploded."""
        for seat, king in enumerate(position.kings):
            if king < 0:
                position.ended = won(Termination.KING_CAPTURED, 1 - seat)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn. Explode the pieces round a capture, and end the game if a king was among them."""
        super().settle(position, arrived, taken)
        if taken:
            for square in (arrived.square, *_neighbours(position, arrived.square)):
                man = position.man_at(square)
                if man is not None and (man is arrived or not man.pawn):
                    position.remove(square)
            self.begin(position)

    def moves(self, position: Position, seat: int) -> list[Move]:
        """The moves after which the seat's king is there, and is safe unless the enemy king has exploded."""
        before = position.trial(seat)
        found = []
        for move in possible_moves(before, seat):
            if move.source != before.kings[seat] or before.man_at(move.target) is None:
                after = before.play(move)
                if after.kings[seat] >= 0 and (after.kings[1 - seat] < 0 or not _attacked(after, seat)):
                    found.append(move)
        return found + [castle.move for castle in before.castles(seat) if _may_castle(before, castle)]

    def checked(self, position: Position) -> tuple[int, ...]:
        """The side to move, if its king is attacked and does not touch the other."""
        return (position.turn,) if min(position.kings) >= 0 and _attacked(position, position.turn) else ()

    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, or None. A rook cannot mate alone."""
        found = super().outcome(position)
        return drawn(Termination.INSUFFICIENT_MATERIAL) if found is None and self.insufficient(position) else found

    def insufficient(self, position: Position) -> bool:
        """Whether neither side can win."""
        return not (self.can_win(position, 0) or self.can_win(position, 1))

    def can_win(self, position: Position, seat: int) -> bool:
        """Whether the seat's pieces could ever explode or mate the other king."""
        own, other = ([man for man in position.men(side) if not man.king] for side in (seat, 1 - seat))
        kinds = {man.kind for man in own}
        if not own or position.kings[1 - seat] < 0:
            return position.kings[1 - seat] < 0
        if other:  # can be captured beside their king, unless all are bishops that never meet
            colours = [{_colour(position, man) for man in men} for men in (own, other)]
            bishops = {man.kind for man in own + other} == {PieceKind.BISHOP}
            return not (bishops and len(colours[0]) == len(colours[1]) == 1 and colours[0] != colours[1])
        if kinds & {PieceKind.QUEEN, PieceKind.PAWN}:
            return True
        return len(own) > (2 if kinds == {PieceKind.KNIGHT} else 1)


def _neighbours(position: Position, square: int) -> list[int]:
    return [move.target for move in position.tables.men[0][PieceKind.KING][square].steps]


def _colour(position: Position, man: Man) -> int:
    return (position.geometry.file(man.square) + position.geometry.rank(man.square)) % 2


def _attacked(position: Position, seat: int, square: int | None = None, moved: int = 0) -> bool:
    """Whether the seat's king is in check, or would be on a square. `moved` are the squares of pieces that leave."""
    square = position.kings[seat] if square is None else square
    if position.kings[1 - seat] in _neighbours(position, square):
        return False
    return position.tables.threats[square].reached(position.forces[1 - seat], position.total & ~moved)


def _may_castle(position: Position, castle: Castle) -> bool:
    seat, moved = castle.seat, 1 << castle.rook.source | 1 << castle.move.source
    safe = not _attacked(position, seat) and not any(_attacked(position, seat, at, moved) for at in castle.path)
    return safe and not position.total & castle.empty


class AtomicFen(Fen):
    """FEN in which one king may be missing, because it has exploded."""

    def read(self, text: str, rules: Rules) -> Setup:
        """Parse a FEN. Raises `InvalidNotation` (`invalid_fen`)."""
        setup = super().read(text, rules)
        kings = {piece.seat for piece in setup.pieces.values() if piece.kind is PieceKind.KING}
        return replace(setup, over=len(kings) == 1)


ATOMIC = replace(
    STANDARD,
    name="atomic",
    title="Atomic",
    summary="Chess for two: captures explode, and the exploding king loses.",
    referee=AtomicReferee(),
    notation=AtomicFen(),
    own_legality=True,
    kings_may_touch=True,
    record_name="Atomic",
)
