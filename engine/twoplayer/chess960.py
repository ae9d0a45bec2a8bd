"""Chess960: its arrays, its castlings, and its FEN.

The 960 arrays and their numbers are Scharnagl's (https://www.chessprogramming.org/Chess960). Castling ends on the same
squares as in standard chess, and is written as the king taking its own rook. The parser reads castling rights in X-FEN
(``KQkq``, or a file's letter for an inner rook) and Shredder-FEN (``HAha``); the writer uses X-FEN.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.position import Position
from fourfold.engine.rules import Castling, Rules
from fourfold.engine.twoplayer.fen import Fen, invalid
from fourfold.engine.twoplayer.rules import STANDARD

FILES = "abcdefgh"
KNIGHTS = tuple(combinations(range(5), 2))


def row(number: int) -> str:
    """The pieces of an array, from file a to file h. `number` is 0 to 959.

    >>> from fourfold.engine.twoplayer.chess960 import row
    >>> row(518)
    'RNBQKBNR'
    """
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    pieces = {2 * light + 1: "B", 2 * dark: "B"}

    def free() -> list[int]:
        return [file for file in range(8) if file not in pieces]

    pieces[free()[queen]] = "Q"
    first, second = KNIGHTS[knights]
    left = free()
    pieces[left[first]] = pieces[left[second]] = "N"
    pieces |= dict(zip(free(), "RKR", strict=True))
    return "".join(pieces[file] for file in range(8))


def start(number: int) -> str:
    """The FEN of an array. `number` is 0 to 959."""
    pieces = row(number)
    return f"{pieces.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{pieces} w KQkq - 0 1"


def castlings() -> Iterator[Castling]:
    """All castlings, for every king between two rooks. Outer rooks come first, because ``K`` and ``Q`` mean them."""
    for seat, rank in enumerate("18"):
        for king in range(1, 7):
            for file in (*range(7, king, -1), *range(king)):
                short = file > king
                king_target, rook_target = ("g", "f") if short else ("c", "d")
                rook = FILES[file] + rank
                yield Castling(seat, short, FILES[king] + rank, king_target + rank, rook, rook_target + rank, rook)


class FilesToo(Fen):
    """FEN with castling rights as in X-FEN or Shredder-FEN."""

    def read_castling(
        self, text: str, pieces: Mapping[int, Piece], rules: Rules
    ) -> dict[tuple[int, bool], int | None]:
        """Parse castling rights: K and Q mean the outer rook, and a file's letter means the rook on that file."""
        rights: dict[tuple[int, bool], int | None] = {}
        for letter in "" if text == "-" else text:
            seat = int(letter.islower())
            if letter in "KQkq":
                right, rook = (seat, letter in "Kk"), None
            elif letter.lower() in FILES:
                king = next((square for square, piece in pieces.items() if piece == Piece(seat, PieceKind.KING)), 0)
                rook = rules.geometry.index[letter.lower() + "18"[seat]]
                right = seat, rook > king
            else:
                raise invalid(f"castling rights are K, Q, k, q, file letters or -, not '{text[:12]}'")
            if right in rights:
                raise invalid(f"a castling right is written twice in '{text[:12]}'")
            rights[right] = rook
        return rights

    def write_castling(self, position: Position) -> str:
        """Castling rights in X-FEN: a rook with another rook further outside gets its file's letter."""
        letters = ""
        board = position.geometry
        for seat in range(2):
            for castle in sorted(position.castles(seat), key=lambda castle: not castle.short):
                rook, king = castle.rook.source, castle.move.source
                outer = [
                    man
                    for man in position._armies[seat].values()
                    if man.kind is PieceKind.ROOK
                    and board.rank(man.square) == board.rank(king)
                    and (man.square > rook if castle.short else man.square < rook)
                ]
                letter = board.names[rook][0].upper() if outer else "K" if castle.short else "Q"
                letters += letter.lower() if seat else letter
        return letters


CHESS960 = replace(
    STANDARD,
    name="chess960",
    title="Chess960",
    summary="Chess for two from one of 960 starting arrays.",
    castlings=tuple(castlings()),
    notation=FilesToo(),
    starts=tuple((str(number), start(number)) for number in range(960)),
    draws_start=True,
    record_name="Chess960",
)
