"""The board that a search moves on, as the search asks it, and the one that knows every variant.

`PositionBoard` keeps the positions of the engine on its way, one for each move. `mailbox` has a faster one for the
variants of which it knows all rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from fourfold.clients.bots.evaluation import Evaluation
from fourfold.engine.movegen import in_check, legal_moves
from fourfold.engine.moves import Move
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.tables import Man

LOST: Final = -1
DRAWN: Final = 0
WON: Final = 1
GOES_ON: Final = 2
"""How a game stands for the searcher's team is one of these."""

KING_WORTH: Final = 20
"""What a king counts for where moves are put in order."""


class SearchBoard(ABC):
    """A board on which moves are made and taken back. What pieces are worth here is in pawns, as the rules of the
    variant have it; grey ones are worth nothing."""

    turn: int
    """The seat to move."""

    @abstractmethod
    def identity(self) -> int:
        """A hash of what must be the same for a position to be the same."""

    @abstractmethod
    def moves(self) -> list[Move]:
        """All moves of the side to move. Some may turn out to be illegal when they are made."""

    @abstractmethod
    def captures(self) -> list[Move]:
        """Those of them that take or promote."""

    def moves_of(self, seat: int) -> list[Move]:
        """All moves of a seat, were it its turn."""
        if seat == self.turn:
            return self.moves()
        self.pass_to(seat)
        found = self.moves()
        self.undo()
        return found

    def captures_of(self, seat: int) -> list[Move]:
        """Those of them that take or promote."""
        if seat == self.turn:
            return self.captures()
        self.pass_to(seat)
        found = self.captures()
        self.undo()
        return found

    @abstractmethod
    def make(self, move: Move) -> bool:
        """Make one of these moves. If it is illegal, nothing changes, and the answer is False."""

    @abstractmethod
    def undo(self) -> None:
        """Take the latest move, or the latest `pass_to`, back."""

    @abstractmethod
    def pass_to(self, seat: int) -> None:
        """Make it a seat's turn, as if the others had passed."""

    @abstractmethod
    def next_seat(self) -> int:
        """The seat that moves after the one whose turn it is."""

    @abstractmethod
    def checked(self) -> bool:
        """Whether the king of the side to move is attacked."""

    @abstractmethod
    def ended(self) -> int:
        """How the game stands, as far as that needs no moves: mate and stalemate show when none can be made. Between
        two it is a draw when a position comes again that has stood on the board since the root, or twice before it."""

    @abstractmethod
    def stalemate(self) -> bool:
        """Where a stalemate puts its player out, do that to the side to move, which has no move, as if it were a move;
        False where it draws."""

    @abstractmethod
    def in_game(self, seat: int) -> bool:
        """Whether a seat is still in the game."""

    @abstractmethod
    def worth(self) -> int:
        """What the position is worth to the searcher's team, at a glance."""

    @abstractmethod
    def gain(self, move: Move) -> int:
        """What the piece is worth that stands where a move goes to: nought if none does, and -1 for a grey one."""

    @abstractmethod
    def risk(self, move: Move) -> int:
        """What the piece that moves is worth."""

    @abstractmethod
    def owner(self, move: Move) -> int:
        """The seat whose piece stands where a move begins."""

    @abstractmethod
    def guarded(self, move: Move) -> bool:
        """Whether what takes by a move, of any seat, could be taken there by a rival."""

    @abstractmethod
    def gives_check(self, move: Move) -> bool:
        """Whether the piece that moves gives check to a rival where it arrives."""

    @abstractmethod
    def has_pieces(self) -> bool:
        """Whether the side to move has more than king and pawns."""


class PositionBoard(SearchBoard):
    """The board of a search that begins at a position of any variant."""

    def __init__(self, root: Position) -> None:
        self._evaluation = Evaluation(root)
        self._path = [root]
        self._position = root
        self._teams = root.rules.teams
        self._team = self._teams[root.turn]
        self._two = len(self._teams) == 2
        self._major = root.tables.planes.major
        self._value = [max(1, value) for value in root.rules.values]
        self._value[PieceKind.KING] = KING_WORTH
        self.turn = root.turn

    def _enter(self, position: Position) -> None:
        self._path.append(position)
        self._position = position
        self.turn = position.turn

    def identity(self) -> int:
        return self._position.identity

    def moves(self) -> list[Move]:
        return list(self._position.movable())

    def captures(self) -> list[Move]:
        position = self._position
        legal = position._memo.legal
        if legal is None:
            return legal_moves(position, position.turn, taking=True)
        occupied = position.total
        return [move for move in legal if occupied & move.bit or move.promotion is not None]

    def make(self, move: Move) -> bool:
        self._enter(self._position.play(move))
        return True

    def undo(self) -> None:
        self._path.pop()
        self._position = self._path[-1]
        self.turn = self._position.turn

    def pass_to(self, seat: int) -> None:
        self._enter(self._position.replace(turn=seat, steps=(), halfmove=0, history=b""))

    def next_seat(self) -> int:
        seats: tuple[int, ...] = self._position.tables.clockwise[self.turn]
        return next(seat for seat in seats if self.in_game(seat))

    def checked(self) -> bool:
        position = self._position
        return position.kings[position.turn] >= 0 and in_check(position, position.turn)

    def ended(self) -> int:
        position = self._position
        if self._two:
            halfmove = position.halfmove
            if halfmove >= 100 or (halfmove >= 4 and self._comes_again(position)):
                return DRAWN
            if position.ended is None and position.total & self._major:
                return GOES_ON  # to look for a move costs more than all else, and most positions never need it
        outcome = position.outcome
        if outcome is None:
            return GOES_ON
        if not outcome.winners:
            return DRAWN
        return WON if any(self._teams[seat] == self._team for seat in outcome.winners) else LOST

    def _comes_again(self, position: Position) -> bool:
        """Whether a position has stood on the board since the root, or twice before."""
        times = position.repetitions()
        if times == 2:
            since = position.history[-8 * (len(self._path) - 1) :]
            return len(self._path) > 1 and position.identity.to_bytes(8) in since
        return times > 2

    def stalemate(self) -> bool:
        return False  # the positions of the engine are never such that it would

    def in_game(self, seat: int) -> bool:
        return seat in self._position.alive

    def worth(self) -> int:
        return self._evaluation.of(self._position)

    def gain(self, move: Move) -> int:
        man = self._position.man_at(move.target) if self._position.total & move.bit else None
        return 0 if man is None else -1 if man.piece.grey else self._value[man.kind]

    def risk(self, move: Move) -> int:
        return self._value[self._man(move).kind]

    def owner(self, move: Move) -> int:
        return self._man(move).seat

    def _man(self, move: Move) -> Man:
        man = self._position.man_at(move.source)
        assert man is not None
        return man

    def guarded(self, move: Move) -> bool:
        position = self._position
        hostile = position.total ^ position.forces[self._teams[self.owner(move)]]
        victim = position.man_at(move.target)
        left = hostile if victim is None or victim.piece.grey else hostile ^ victim.mark
        return position.tables.threats[move.target].reached(left, position.total & ~(1 << move.source))

    def gives_check(self, move: Move) -> bool:
        position = self._position
        tables = position.tables
        man = self._man(move)
        mark, left = man.kin[move.target].mark, position.total & tables.full & ~man.bit
        return any(
            king >= 0 and team != man.team and tables.threats[king].reached(mark, left)
            for king, team in zip(position.kings, self._teams, strict=True)
        )

    def has_pieces(self) -> bool:
        return any(not man.pawn and not man.king for man in self._position.men(self.turn))
