"""What the variants of the game differ in: one record, `Rules`, and nothing else.

The presets are in `twoplayer.rules` and `fourplayer.rules`; `variants` lists them by name. Everything that
moves pieces reads this record and asks for no variant's name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from fourfold.engine.geometry import Direction, Geometry
from fourfold.engine.pieces import PieceKind

if TYPE_CHECKING:
    from fourfold.engine.outcome import Outcome, Termination
    from fourfold.engine.position import Position
    from fourfold.engine.setup import Setup
    from fourfold.engine.tables import Man


class Side(NamedTuple):
    """A player's place at the board: its colour, the colour's letter, and which way its pawns go."""

    name: str
    letter: str
    forward: Direction


class Referee(ABC):
    """Who says what follows from a move beyond the board: turns, eliminations, the end of the game."""

    @abstractmethod
    def begin(self, position: Position) -> None:
        """Finish a position that is being set up."""

    @abstractmethod
    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Finish a position that is being built: a man has moved and others were taken, the turn has not
        passed."""

    @abstractmethod
    def checked(self, position: Position) -> tuple[int, ...]:
        """The live seats whose king is attacked."""

    @abstractmethod
    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, if the position is one."""

    @abstractmethod
    def claims(self, rules: Rules) -> tuple[Termination, ...]:
        """By what a game of the variant may be ended at all by a claim."""

    @abstractmethod
    def may_claim(self, position: Position, seat: int) -> Termination | None:
        """What a seat may claim: a draw, or `POINTS`."""

    def claim(self, position: Position, seat: int, termination: Termination) -> Position:
        """The position, ended by what a seat may claim."""
        return self.draw(position, termination)

    @abstractmethod
    def eliminate(self, position: Position, seat: int, reason: Termination) -> Position:
        """The position after a seat has left the game by something else than a move."""

    @abstractmethod
    def draw(self, position: Position, termination: Termination) -> Position:
        """The position, ended as a draw."""


class Notation(Protocol):
    """How a position of the variant is written: FEN or FEN4."""

    def read(self, text: str, rules: Rules) -> Setup:
        """What the text says. Raises `InvalidNotation`."""

    def write(self, position: Position) -> str:
        """The position's text."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a variant.

    `title` is what people call the variant, `summary` its aim in a sentence or two.

    **Everywhere.** `starts` maps names of starting arrays to FEN or FEN4, the first being the default one. A
    king may castle from one of the `king_homes`, with the rooks at the ends of its row. `teams[seat]` is the
    seat's team; everybody plays for himself where they all differ. `values` are the worth of each `PieceKind`.
    A pawn promotes at `promotion_depth`, counted from its own side with the back row as 1, or where the board
    ends in front of it if that is None; to one of `promotions`, of which the first is the queen.

    **Among four**, where pawns cross each other's way: whether a pawn may be taken in passing also by one
    beside whose way it did not end (`en_passant_by_flank`), and also when a piece has since come to stand on
    the skipped square, which is then taken as well (`en_passant_onto_piece`). Whether points decide
    (`scored`); whether a stalemate puts its player out or draws the game (`stalemate_eliminates`); whether
    the king of a player who resigned walks about (`dead_kings_walk`), and takes live pieces
    (`walking_kings_take`). Whether two armies with at most one minor piece each draw, or only bare kings
    (`minor_pieces_draw`); how many moves of each player without a capture or pawn move draw
    (`moves_without_progress`). With what lead one of the last two players may claim the game (`claim_lead`).
    """

    name: str
    title: str
    summary: str
    geometry: Geometry
    seats: tuple[Side, ...]
    teams: tuple[int, ...]
    referee: Referee
    notation: Notation
    starts: tuple[tuple[str, str], ...]
    king_homes: tuple[str, ...]
    values: tuple[int, ...] = (1, 3, 3, 5, 9, 0, 1)
    promotion_depth: int | None = None
    promotions: tuple[PieceKind, ...] = (PieceKind.QUEEN, PieceKind.ROOK, PieceKind.BISHOP, PieceKind.KNIGHT)
    en_passant: bool = True
    en_passant_by_flank: bool = True
    en_passant_onto_piece: bool = True
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
