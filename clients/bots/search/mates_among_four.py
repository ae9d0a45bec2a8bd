"""Mates in games for four without teams: mates of another player that nobody can prevent, and mates of the searcher by
two opponents.

The ordinary search lets one opponent answer. So it is never sure of a mate, and does not see two opponents' moves in
one round. This search tries every reply of every player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fourfold.clients.bots.search.board import GOES_ON, LOST
from fourfold.clients.bots.search.mailbox import Mailbox
from fourfold.engine.fourplayer.referee import FourPlayerReferee
from fourfold.engine.moves import Move
from fourfold.engine.position import Position


def each_alone(position: Position) -> bool:
    """Whether such mates can be searched for in a position."""
    return type(position.rules.referee) is FourPlayerReferee and position.outcome is None


def forced_among_four(position: Position, count: Callable[[], None] = lambda: None) -> Move | None:
    """The first move of a mate of another player in one or two moves of the side to move, whatever the others do; None
    if there is none. A mate that ends the game while others lead on points does not count. `count` is called for each
    visited position, and can raise an exception to stop the search."""
    hunt = _Hunt(position, count)
    moves = [move for move in position.legal_moves if hunt.mates(move)]
    return moves[0] if moves else hunt.in_two(position.legal_moves)


def mated_by_two(position: Position, own: int, count: Callable[[], None] = lambda: None) -> bool:
    """Whether one opponent of a seat, or two in turn, can mate it before its next turn. `count` is as above."""
    board = Mailbox(position)
    seats = [seat for seat in position.tables.clockwise[own] if seat != own and board.in_game(seat)]
    return any(_mated_by(board, own, first, seats[number:], count) for number, first in enumerate(seats, start=1))


def _mated_by(board: Mailbox, own: int, first: int, later: Sequence[int], count: Callable[[], None]) -> bool:
    """Whether an opponent can mate a seat by one move, or prepare a mate by a later opponent's next move."""
    board.pass_to(first)
    found = False
    for move in board.moves():
        count()
        if not board.make(move):
            continue
        found = not board.in_game(own) or any(_mates_now(board, own, second) for second in later)
        board.undo()
        if found:
            break
    board.undo()
    return found


def _mates_now(board: Mailbox, own: int, seat: int) -> bool:
    """Whether a seat can mate another, as if it were its turn."""
    if not board.in_game(seat):
        return False
    board.pass_to(seat)
    found = False
    for move in board.moves():
        if board.may_mate(move) and board.make(move):
            found = not board.in_game(own)
            board.undo()
            if found:
                break
    board.undo()
    return found


class _Hunt:
    """One search for mates, on its own board."""

    def __init__(self, position: Position, count: Callable[[], None]) -> None:
        self._board = Mailbox(position)
        self._own = position.turn
        self._count = count
        self._threats: list[Move] = []
        """Moves that have mated."""
        self._refutations: dict[Move, int] = {}
        """How often a reply has prevented a mate, to try it early."""

    def mates(self, move: Move) -> bool:
        """Whether a move of the searcher, whose turn it is, mates at once."""
        board = self._board
        if not board.may_mate(move):
            return False
        before = board.alive
        if not board.make(move):
            return False
        fewer = board.alive != before and board.alive | 1 << self._own == board.alive and board.ended() != LOST
        board.undo()
        return fewer

    def in_two(self, moves: Sequence[Move]) -> Move | None:
        """A move after which nobody can prevent a mate by the next move."""
        board = self._board
        for move in sorted(moves, key=lambda move: not board.gives_check(move)):
            self._count()
            if not board.make(move):
                continue
            sure = board.ended() == GOES_ON and self._holds()
            board.undo()
            if sure:
                return move
        return None

    def _finds(self) -> bool:
        """Whether the searcher, whose turn it is, can mate at once."""
        moves = self._board.moves()
        for move in self._threats:
            if move in moves and self.mates(move):
                return True
        for move in moves:
            if self.mates(move):
                self._threats = [move, *self._threats[:3]]
                return True
        return False

    def _holds(self) -> bool:
        """Whether the searcher can mate at the next turn, against all play until then."""
        board = self._board
        self._count()
        if board.ended() != GOES_ON or not board.in_game(self._own):
            return False
        if board.turn == self._own:
            return self._finds()
        refuted = self._refutations
        stuck = True
        for reply in sorted(board.moves(), key=lambda reply: -refuted.get(reply, 0)):
            if not board.make(reply):
                continue
            stuck = False
            holds = self._holds()
            board.undo()
            if not holds:
                refuted[reply] = refuted.get(reply, 0) + 1
                return False
        return not stuck
