"""Racing kings: the first king on the last rank wins, and no move may give check
(https://lichess.org/variant/racingKings).

If White's king arrives first, Black has one more move, and draws by arriving too.
"""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.movegen import in_check, legal_moves
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.tables import Man
from fourfold.engine.twoplayer.draws import TwoPlayerReferee, drawn, won
from fourfold.engine.twoplayer.rules import STANDARD


class RacingReferee(TwoPlayerReferee):
    """The referee of `racingkings`."""

    def begin(self, position: Position) -> None:
        """End the game if a king has arrived and the other cannot follow at once."""
        super().begin(position)
        white, black = [king in position.rules.goal for king in position.kings]
        if black or (white and not (position.turn == 1 and self._can_follow(position))):
            both = white and black
            end = Termination.KING_ON_LAST_RANK
            position.ended = drawn(end) if both else won(end, 0 if white else 1)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn, and end the game like `begin`."""
        super().settle(position, arrived, taken)
        self.begin(position)

    def _can_follow(self, position: Position) -> bool:
        """Whether Black's king can reach the last rank in one move."""
        army = position._armies[1]
        return any(
            square in position.rules.goal and square not in army and not self.attacked(position, 1, square)
            for square in position.tables.neighbours[position.kings[1]]
        )

    def moves(self, position: Position, seat: int) -> list[Move]:
        """The moves that give no check."""
        tried = position.tries(seat, legal_moves(position, seat))
        return [move for move, after in tried if not in_check(after, 1 - seat)]


RACING_KINGS = replace(
    STANDARD,
    name="racingkings",
    title="Racing kings",
    summary="A race for two: the first king on the last rank wins, and nobody may give check.",
    referee=RacingReferee(),
    starts=(("standard", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),),
    castlings=(),
    own_legality=True,
    goal=frozenset(STANDARD.geometry.index[f"{file}8"] for file in "abcdefgh"),
    record_name="Racing Kings",
)
