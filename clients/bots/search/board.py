"""The board of a search: its interface, and an implementation for every variant.

`PositionBoard` keeps the engine's positions, one for each move. `mailbox` has a faster board for the variants that it
supports completely.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from fourfold.clients.bots.search.evaluation import Evaluation
from fourfold.engine.movegen import in_check, legal_moves
from fourfold.engine.moves import Move
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position
from fourfold.engine.tables import Man

LOST: Final = -1
DRAWN: Final = 0
WON: Final = 1
GOES_ON: Final = 2
"""The state of a game for the searcher's team is one of these."""

KING_WORTH: Final = 20
"""The value of a king in move ordering."""


class SearchBoard(ABC):
    """A board on which moves are made and taken back. Values of pieces are in pawns, by the variant's rules; grey
    pieces are worth nothing."""

    turn: int
    """The seat to move."""

    @abstractmethod
    def identity(self) -> int:
        """A hash of the position, for repetitions."""

    @abstractmethod
    def moves(self) -> list[Move]:
        """The pseudo-legal moves of the side to move."""

    @abstractmethod
    def captures(self) -> list[Move]:
        """The captures and promotions among them."""

    def moves_of(self, seat: int) -> list[Move]:
        """The pseudo-legal moves of a seat, as if it were its turn."""
        if seat == self.turn:
            return self.moves()
        self.pass_to(seat)
        found = self.moves()
        self.undo()
        return found

    def captures_of(self, seat: int) -> list[Move]:
        """The captures and promotions among them."""
        if seat == self.turn:
            return self.captures()
        self.pass_to(seat)
        found = self.captures()
        self.undo()
        return found

    @abstractmethod
    def make(self, move: Move) -> bool:
        """Make a pseudo-legal move. If it is illegal, change nothing and return False."""

    @abstractmethod
    def undo(self) -> None:
        """Take back the latest move, or the latest `pass_to`."""

    @abstractmethod
    def pass_to(self, seat: int) -> None:
        """Make it a seat's turn, as if the others had passed."""

    @abstractmethod
    def next_seat(self) -> int:
        """The seat that moves after the side to move."""

    @abstractmethod
    def checked(self) -> bool:
        """Whether the side to move is in check, or must capture. Such positions are searched deeper."""

    @abstractmethod
    def ended(self) -> int:
        """The state of the game, as far as it needs no moves: mate and stalemate show when no move can be made. For two
        players, a position that occurred since the root, or twice before it, is a draw."""

    @abstractmethod
    def stalemate(self) -> bool:
        """In variants where a stalemate eliminates its player, eliminate the side to move, which has no move, as if by
        a move. Return False in variants where a stalemate draws."""

    @abstractmethod
    def in_game(self, seat: int) -> bool:
        """Whether a seat is still in the game."""

    @abstractmethod
    def worth(self) -> int:
        """The static evaluation for the searcher's team."""

    @abstractmethod
    def gain(self, move: Move) -> int:
        """The value of the piece on a move's target: 0 if there is none, -1 for a grey one."""

    @abstractmethod
    def risk(self, move: Move) -> int:
        """The value of the moving piece."""

    @abstractmethod
    def owner(self, move: Move) -> int:
        """The seat of the moving piece."""

    @abstractmethod
    def guarded(self, move: Move) -> bool:
        """Whether a rival could recapture after a capture, by any seat."""

    @abstractmethod
    def gives_check(self, move: Move) -> bool:
        """Whether the moved piece gives check to a rival on its new square."""

    @abstractmethod
    def has_pieces(self) -> bool:
        """Whether the side to move has more than king and pawns."""


class PositionBoard(SearchBoard):
    """The board of a search from a position of any variant."""

    def __init__(self, root: Position) -> None:
        self._evaluation = Evaluation(root)
        self._path = [root]
        self._position = root
        self._teams = root.rules.teams
        self._team = self._teams[root.turn]
        self._two = len(self._teams) == 2
        rules = root.rules
        self._giveaway, self._own_legality = rules.giveaway, rules.own_legality
        self._most = 2 * rules.moves_without_progress or 1_000_000
        """The number of plies without progress that draws a game for two."""
        self._decisive = root.tables.planes.decisive
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
        legal = position.movable() if self._own_legality else position._memo.legal
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
        if self._giveaway:
            moves = position.movable()
            return bool(moves and position.taken(self._man(moves[0]), moves[0]))
        return position.is_check() if self._own_legality else in_check(position, position.turn)

    def ended(self) -> int:
        position = self._position
        if self._two:
            halfmove = position.halfmove
            if halfmove >= self._most or (halfmove >= 4 and self._comes_again(position)):
                return DRAWN
            if position.ended is None and position.total & self._decisive:
                return GOES_ON  # generating moves costs more than all else, and most positions never need it
        outcome = position.outcome
        if outcome is None:
            return GOES_ON
        if not outcome.winners:
            return DRAWN
        return WON if any(self._teams[seat] == self._team for seat in outcome.winners) else LOST

    def _comes_again(self, position: Position) -> bool:
        """Whether a position has occurred since the root, or twice before."""
        times = position.repetitions()
        if times == 2:
            since = position.history[-8 * (len(self._path) - 1) :]
            return len(self._path) > 1 and position.identity.to_bytes(8) in since
        return times > 2

    def stalemate(self) -> bool:
        return False  # the engine's positions are never illegal, so this cannot happen

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
        if move.drop is not None:
            return self._position.tables.men[self.turn][move.drop][move.target]
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
        # In giveaway, a player would often like to pass.
        return not self._giveaway and any(not man.pawn and not man.king for man in self._position.men(self.turn))
