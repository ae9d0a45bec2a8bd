"""Three-check: a side's third check wins. The variant has its own referee and FEN.

The FEN has one more field after the en passant square: the checks that each side still needs (``3+3`` at the start).
The parser also accepts the checks given, which other programs write at the end (``+0+0``).
"""

from __future__ import annotations

import re
from dataclasses import replace

from fourfold.engine.movegen import in_check
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.setup import Setup
from fourfold.engine.tables import Man
from fourfold.engine.twoplayer.draws import TwoPlayerReferee, won
from fourfold.engine.twoplayer.fen import Fen, invalid
from fourfold.engine.twoplayer.rules import STANDARD

CHECKS = 3


class ThreeCheckReferee(TwoPlayerReferee):
    """The referee of `threecheck`."""

    def begin(self, position: Position) -> None:
        """Count from 0 if the FEN has no checks. End the game if a side has given all its checks."""
        position.checks = position.checks or (0, 0)
        for seat, given in enumerate(position.checks):
            if given >= CHECKS:
                position.ended = won(Termination.THREE_CHECKS, seat)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn. Count a check, and end the game with the third."""
        super().settle(position, arrived, taken)
        if position.checks is not None and in_check(position, position.turn):
            seat = arrived.seat
            white, black = position.checks
            position.checks = (white + 1, black) if seat == 0 else (white, black + 1)
            position.history = b""  # after a check, no earlier position can recur
            if position.checks[seat] >= CHECKS:
                position.ended = won(Termination.THREE_CHECKS, seat)

    def insufficient(self, position: Position) -> bool:
        """Whether only kings are left: any other piece can give check."""
        return not (self.can_win(position, 0) or self.can_win(position, 1))

    def can_win(self, position: Position, seat: int) -> bool:
        """Whether the seat has any piece besides its king."""
        return len(position._armies[seat]) > 1


class ThreeCheckFen(Fen):
    """FEN with the remaining checks."""

    def read(self, text: str, rules: Rules) -> Setup:
        """Parse a FEN, with or without the field for checks. Raises `InvalidNotation` (`invalid_fen`)."""
        fields = text.split()
        given = (0, 0)
        for field in fields[4:]:
            match = re.fullmatch(r"(\+?)(\d)\+(\d)", field)
            if match is not None:
                fields.remove(field)
                counts = int(match[2]), int(match[3])
                given = counts if match[1] else (CHECKS - counts[0], CHECKS - counts[1])
                if min(given) < 0 or max(given) > CHECKS:
                    raise invalid(f"each side has from 0 to {CHECKS} checks left, as in 3+3, not '{field}'")
        return replace(super().read(" ".join(fields), rules), checks=given)

    def write(self, position: Position) -> str:
        """The position as FEN."""
        fields = super().write(position).split()
        given = position.checks or (0, 0)
        return " ".join([*fields[:4], "+".join(str(CHECKS - count) for count in given), *fields[4:]])


THREE_CHECK = replace(
    STANDARD,
    name="threecheck",
    title="Three-check",
    summary="Chess for two: checkmate wins, and so does the third check.",
    referee=ThreeCheckReferee(),
    notation=ThreeCheckFen(),
    starts=(("standard", STANDARD.starts[0][1].replace(" 0 1", " 3+3 0 1")),),
    record_name="Three-check",
)
