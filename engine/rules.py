"""`Rules`: the differences between variants, as plain data.

The engine reads this record and never tests a variant's name. A `Variant` (in `position`) adds a name, a start, a
referee and notations.
"""

from dataclasses import dataclass
from typing import NamedTuple

from fourfold.engine.geometry import OFF, Direction, Geometry
from fourfold.engine.pieces import PieceKind, sideways


class Side(NamedTuple):
    """A seat in the rules."""

    name: str
    """The name of its colour, such as ``red``."""
    letter: str
    """The letter of its colour, such as ``r``."""
    forward: Direction
    """The direction in which its pawns move."""

    @property
    def called(self) -> str:
        """The name with a capital letter."""
        return self.name.capitalize()


class Castling(NamedTuple):
    """One way to castle. Squares go by name."""

    seat: int
    """The seat that castles."""
    short: bool
    """Whether the move is ``O-O``; otherwise it is ``O-O-O``."""
    king: str
    """The king's square before."""
    king_target: str
    """The king's square after."""
    rook: str
    """The rook's square before."""
    rook_target: str
    """The rook's square after."""
    target: str
    """The target square in coordinate notation: usually `king_target`, in Chess960 the rook's square."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a variant, as data. The fields of en passant from `en_passant_by_flank` on, and those from
    `scored` to `walking_kings_take`, matter for four players only."""

    geometry: Geometry
    """The shape of the board."""
    seats: tuple[Side, ...]
    """The seats, in the order of turns."""
    teams: tuple[int, ...]
    """The team of each seat. If all differ, everybody plays alone."""
    one_player_a_team: bool = False
    """Whether one player has all seats of a team."""
    castlings: tuple[Castling, ...] = ()
    """All ways to castle."""
    values: tuple[int, ...] = (1, 3, 3, 5, 9, 0, 1)
    """The value of each `PieceKind`, in pawns or points."""
    promotion_depth: int | None = None
    """The rank on which pawns promote, counted from their own back row as 1. None: at the end of the board."""
    promotions: tuple[PieceKind, ...] = (PieceKind.QUEEN, PieceKind.ROOK, PieceKind.BISHOP, PieceKind.KNIGHT)
    """The kinds that a pawn can become, the queen first."""
    kingless: tuple[int, ...] = ()
    """The seats without a king to protect. Their kings, if any, are ordinary pieces, which can be captured."""
    back_row_pawns: tuple[int, ...] = ()
    """The seats whose pawns may stand on their own back row. They may step two squares from there too; no pawn can
    capture such a step en passant."""
    giveaway: bool = False
    """Whether captures are compulsory, and a player without pieces or moves wins."""
    drops: tuple[PieceKind, ...] = ()
    """The kinds of captured pieces that go to the captor's hand, who may drop one on an empty square instead of a move.
    Pawns are dropped neither on back rows nor where they would promote."""
    goal: frozenset[int] = frozenset()
    """The squares on which a king wins. With such squares, no material is insufficient."""
    en_passant: bool = True
    """Whether pawns can capture en passant."""
    en_passant_by_flank: bool = True
    """Whether a pawn that crosses the pushed pawn's path can capture it en passant without having it straight ahead."""
    en_passant_onto_piece: bool = True
    """Whether en passant is possible after a piece has moved to the skipped square. It captures that piece too."""
    idle_steps_differ: bool = True
    """Whether a double step makes a position different, for repetitions, even if no pawn can capture en passant."""
    scored: bool = False
    """Whether the most points win."""
    stalemate_eliminates: bool = False
    """Whether a stalemate eliminates its player; otherwise it draws the game."""
    dead_kings_walk: bool = False
    """Whether the king of a player who resigned keeps moving at random."""
    walking_kings_take: bool = False
    """Whether such a king captures live pieces."""
    own_legality: bool = False
    """Whether the referee lists the legal moves (`Referee.moves`); otherwise checks and pins decide."""
    kings_may_touch: bool = False
    """Whether enemy kings may stand next to each other. They then give no check."""
    kings_may_vanish: bool = False
    """Whether a move may remove a king from the board and so end the game. One king may then be missing in a FEN."""
    most_removed: int = 3
    """The most pieces that one move can remove. With four players: one on its target, and two pawns en passant."""
    decisive: tuple[PieceKind, ...] = (PieceKind.PAWN, PieceKind.ROOK)
    """The kinds of which a single piece, on either side, is always enough to win. A queen counts as a rook too. Without
    such a piece, the referee judges the material."""
    minor_pieces_draw: bool = False
    """Whether two armies with at most one minor piece each draw; otherwise only bare kings do."""
    moves_without_progress: int = 50
    """The number of moves of each player without a capture or pawn move that draws the game; 0 if none does."""
    claim_lead: int = 21
    """The lead in points with which one of the last two players can claim the game."""

    def __hash__(self) -> int:
        """A hash of few fields: positions look up the tables of their rules by it."""
        return hash((self.geometry.name, self.teams, self.promotion_depth))

    @property
    def in_teams(self) -> bool:
        """Whether seats play in teams."""
        return len(set(self.teams)) < len(self.teams)

    def together(self, seat: int) -> tuple[int, ...]:
        """The seats of the player who has a seat, in turn order: this one alone, unless one player has a team."""
        if not self.one_player_a_team:
            return (seat,)
        return tuple([other for other, team in enumerate(self.teams) if team == self.teams[seat]])

    @property
    def players(self) -> tuple[int, ...]:
        """The first seat of each player, in turn order."""
        return tuple([seat for seat in range(len(self.seats)) if self.together(seat)[0] == seat])


def two_step_castlings(board: Geometry, seats: tuple[Side, ...], homes: tuple[str, ...]) -> tuple[Castling, ...]:
    """The usual castlings of kings that start on the squares `homes`.

    The king goes two squares towards a rook at the end of its row, and the rook goes to the square that the king
    crosses. The nearer rook's side is the short one. Raises `ValueError` for a square from which this is impossible.
    """
    found = []
    for home in homes:
        king = board.index.get(home, OFF)
        if king == OFF:
            raise ValueError(f"There is no square '{home}' on the {board.name} board.")
        seat = next((number for number, side in enumerate(seats) if board.depth(king, side.forward) == 1), None)
        if seat is None:
            raise ValueError(f"A king castles on its own back row, but {home} is on nobody's back row.")
        rows = sorted((board.ray(king, way) for way in sideways(seats[seat].forward)), key=len)
        for row in rows:
            if len(row) < 2:
                edge = "the edge of the board" if not row else f"the rook on {board.names[row[0]]}"
                raise ValueError(f"A king on {home} cannot castle by two squares: it is next to {edge}.")
            first, second, last = (board.names[square] for square in (row[0], row[1], row[-1]))
            found.append(Castling(seat, row is rows[0], home, second, last, first, second))
    return tuple(found)
