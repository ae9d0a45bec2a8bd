"""What variants differ in: one record of plain data, `Rules`.

Everything that moves pieces reads this record and asks for no variant's name. A `Variant` (in `position`) is a
record with a name, a start, a referee and notations besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fourfold.engine.geometry import OFF, Direction, Geometry
from fourfold.engine.pieces import PieceKind, sideways


class Side(NamedTuple):
    """A seat as the rules know it: the name and letter of its colour, and the direction in which its pawns move."""

    name: str
    letter: str
    forward: Direction

    @property
    def called(self) -> str:
        """The name as a sentence begins with it."""
        return self.name.capitalize()


class Castling(NamedTuple):
    """One way to castle, by the names of squares. `target` is where the king is said to go, in coordinate notation."""

    seat: int
    short: bool
    king: str
    king_target: str
    rook: str
    rook_target: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a variant, as data.

    **Everywhere.** `castlings` are all the ways to castle. `teams[seat]` is the seat's team; where they all differ,
    everybody plays alone. `values` are the worth of each `PieceKind`. A pawn promotes at `promotion_depth`, counted
    from its own side with the back row as 1, or where the board ends in front of it if that is None; to one of
    `promotions`, of which the first is the queen. Where `idle_steps_differ` is false, a double step makes a position
    another one (for repetitions) only if the pawn can be taken in passing.

    **Among four**, where pawns cross each other's way: whether a pawn may be taken in passing also by one
    that does not have it straight ahead (`en_passant_by_flank`), and also when a piece has since come to stand on
    the skipped square, which is then taken as well (`en_passant_onto_piece`). Whether points decide
    (`scored`); whether a stalemate eliminates its player or draws the game (`stalemate_eliminates`); whether
    the king of a player who resigned goes on moving at random (`dead_kings_walk`), and takes live pieces
    (`walking_kings_take`). Whether two armies with at most one minor piece each draw, or only bare kings
    (`minor_pieces_draw`); how many moves of each player without a capture or pawn move draw
    (`moves_without_progress`). With what lead one of the last two players may claim the game (`claim_lead`).
    """

    geometry: Geometry
    seats: tuple[Side, ...]
    teams: tuple[int, ...]
    castlings: tuple[Castling, ...] = ()
    values: tuple[int, ...] = (1, 3, 3, 5, 9, 0, 1)
    promotion_depth: int | None = None
    promotions: tuple[PieceKind, ...] = (PieceKind.QUEEN, PieceKind.ROOK, PieceKind.BISHOP, PieceKind.KNIGHT)
    en_passant: bool = True
    en_passant_by_flank: bool = True
    en_passant_onto_piece: bool = True
    idle_steps_differ: bool = True
    scored: bool = False
    stalemate_eliminates: bool = False
    dead_kings_walk: bool = False
    walking_kings_take: bool = False
    minor_pieces_draw: bool = False
    moves_without_progress: int = 50
    claim_lead: int = 21

    @property
    def in_teams(self) -> bool:
        """Whether some play together."""
        return len(set(self.teams)) < len(self.teams)


def two_step_castlings(board: Geometry, seats: tuple[Side, ...], homes: tuple[str, ...]) -> tuple[Castling, ...]:
    """Castling as usual, for kings with these homes: the king goes two squares towards a rook at the end of its row,
    and the rook goes to the square that the king crosses. The short side is that of the nearer rook. Raises
    `ValueError` for a home from which a king cannot castle so."""
    found = []
    for home in homes:
        king = board.index.get(home, OFF)
        if king == OFF:
            raise ValueError(f"'{home}' is not a square of the {board.name} board.")
        seat = next((number for number, side in enumerate(seats) if board.depth(king, side.forward) == 1), None)
        if seat is None:
            raise ValueError(f"A king castles on its own back row, and {home} is on no seat's.")
        rows = sorted((board.ray(king, way) for way in sideways(seats[seat].forward)), key=len)
        for row in rows:
            if len(row) < 2:
                edge = "the edge of the board" if not row else f"the rook on {board.names[row[0]]}"
                raise ValueError(f"A king on {home} cannot castle by two squares: it stands beside {edge}.")
            first, second, last = (board.names[square] for square in (row[0], row[1], row[-1]))
            found.append(Castling(seat, row is rows[0], home, second, last, first, second))
    return tuple(found)
