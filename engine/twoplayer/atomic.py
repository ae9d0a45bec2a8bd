"""Atomic chess: a capture explodes, and the player whose king explodes loses (https://lichess.org/variant/atomic).

The capturing piece, the captured piece and all pieces next to the target disappear, except pawns that were not
captured. So a king cannot capture. No move may explode its own king. Kings that touch are not in check.
"""

from dataclasses import replace

from fourfold.engine.movegen import possible_moves
from fourfold.engine.moves import Move
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.tables import Man
from fourfold.engine.twoplayer.draws import TwoPlayerReferee, shades
from fourfold.engine.twoplayer.rules import STANDARD


class AtomicReferee(TwoPlayerReferee):
    """The referee of `atomic`."""

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn. Explode the pieces round a capture, and end the game if a king was among them."""
        super().settle(position, arrived, taken)
        for square in (arrived.square, *position.tables.neighbours[arrived.square]) if taken else ():
            man = position.man_at(square)
            if man is not None and (man is arrived or not man.pawn):
                position.remove(square)
        self.begin(position)

    def moves(self, position: Position, seat: int) -> list[Move]:
        """The moves after which the seat's king stands, and is safe unless the enemy king has exploded."""
        found = self.castlings(position, seat)
        for move, after in position.tries(seat, possible_moves(position, seat)):
            king = after.kings[seat]
            if king >= 0 and (after.kings[1 - seat] < 0 or not self.attacked(after, seat, king)):
                found.append(move)
        return found

    def attacked(self, position: Position, seat: int, square: int, vacated: int = 0) -> bool:
        """Whether the seat's king would be in check on a square: not beside the other king."""
        touching = position.kings[1 - seat] in position.tables.neighbours[square]
        return not touching and super().attacked(position, seat, square, vacated)

    def can_win(self, position: Position, seat: int) -> bool:
        """Whether the seat's pieces could ever explode or mate the other king."""
        own, other = ([man for man in position.men(side) if not man.king] for side in (seat, 1 - seat))
        kinds = {man.kind for man in own}
        if not own or position.kings[1 - seat] < 0:
            return position.kings[1 - seat] < 0
        if other:  # can be captured beside their king, unless all are bishops that never meet
            bishops = kinds | {man.kind for man in other} == {PieceKind.BISHOP}
            return not bishops or not shades(position, own).isdisjoint(shades(position, other))
        return bool(kinds & {PieceKind.QUEEN, PieceKind.PAWN}) or len(own) > (2 if kinds == {PieceKind.KNIGHT} else 1)


ATOMIC = replace(
    STANDARD, name="atomic", title="Atomic", record_name="Atomic", referee=AtomicReferee(), most_removed=10,
    summary="Chess for two: captures explode the pieces round them, and the king that explodes loses.",
    own_legality=True, kings_may_touch=True, kings_may_vanish=True, decisive=(PieceKind.PAWN,), minor_pieces_draw=False,
)  # fmt: skip
