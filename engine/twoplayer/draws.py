"""The endings of games for two players: mate, and the draws of the FIDE Laws of Chess (2023), articles 5.2, 6.9, 9.2,
9.3 and 9.6.

Material is insufficient if each side has its king alone or with one knight or bishop. This is wider than the Laws'
dead position, because a helpful opponent could be mated with two such pieces on the board. Material is also
insufficient if both sides have only kings and bishops on squares of one colour. Blocked positions that nobody can win
are not recognised.
"""

from __future__ import annotations

from collections.abc import Iterable

from fourfold.engine.movegen import in_check
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position, Referee
from fourfold.engine.rules import Rules
from fourfold.engine.tables import Man
from fourfold.engine.values import mypyc_attr

_DRAWN = (1, 1)


@mypyc_attr(allow_interpreted_subclasses=True)
class TwoPlayerReferee(Referee):
    """The referee of games for two players."""

    def begin(self, position: Position) -> None:
        """End the game if a king is missing. Otherwise a set-up position is complete."""
        if -1 in position.kings:
            for seat, king in enumerate(position.kings):
                if king < 0 and seat not in position.rules.kingless:
                    position.ended = won(Termination.KING_CAPTURED, 1 - seat)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn."""
        position.turn = 1 - arrived.seat

    def checked(self, position: Position) -> tuple[int, ...]:
        """The side to move, if in check. The other side cannot be."""
        turn = position.turn
        if position.rules.own_legality:
            king = position.kings[turn]
            return (turn,) if king >= 0 and self.attacked(position, turn, king) else ()
        return (turn,) if in_check(position, turn) else ()

    def attacked(self, position: Position, seat: int, square: int, vacated: int = 0) -> bool:
        """Whether the seat's king would be in check on a square. The squares of the mask `vacated` count as empty."""
        hostile = position.total ^ position.forces[position.tables.teams[seat]]
        return position.tables.threats[square].reached(hostile, position.total & ~vacated)

    def castlings(self, position: Position, seat: int) -> list[Move]:
        """The legal castlings of a seat, judged by `attacked`. For referees with their own `moves`."""
        found = []
        for castle in position.castles(seat):
            vacated, path = 1 << castle.move.source | 1 << castle.rook.source, (castle.move.source, *castle.path)
            safe = not any(self.attacked(position, seat, square, vacated) for square in path)
            if safe and not position.total & castle.empty:
                found.append(castle.move)
        return found

    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game by checkmate, stalemate or an automatic draw; None while it goes on."""
        if not position.can_move():
            if position.checked():
                return won(Termination.CHECKMATE, 1 - position.turn)
            return drawn(Termination.STALEMATE)
        if not position.total & position.tables.planes.decisive and self.insufficient(position):
            return drawn(Termination.INSUFFICIENT_MATERIAL)
        # A position needs four plies to recur, so its fifth occurrence comes after sixteen.
        if position.halfmove >= 16:
            if position.halfmove >= 150:
                return drawn(Termination.SEVENTYFIVE_MOVES)
            if position.repetitions() >= 5:
                return drawn(Termination.FIVEFOLD)
        return None

    def claims(self, rules: Rules) -> tuple[Termination, ...]:
        """The two draws that need a claim."""
        return Termination.FIFTY_MOVES, Termination.THREEFOLD

    def may_claim(self, position: Position, seat: int) -> Termination | None:
        """A draw by the fifty-move rule or by threefold repetition. Only the side to move can claim it."""
        if position.halfmove >= 8 and seat == position.turn:
            if position.halfmove >= 100:
                return Termination.FIFTY_MOVES
            if position.repetitions() >= 3:
                return Termination.THREEFOLD
        return None

    def eliminate(self, position: Position, seat: int, reason: Termination) -> Position:
        """The other side wins. A loss on time is a draw if the other side has no material to mate with."""
        if reason is Termination.TIME and not self.can_win(position, 1 - seat):
            return position.replace(ended=drawn(reason))
        return position.replace(ended=won(reason, 1 - seat))

    def insufficient(self, position: Position) -> bool:
        """Whether neither side has enough material. Call it only if no piece on the board is `decisive`."""
        lone_minors = position.rules.minor_pieces_draw and not position.rules.goal
        if lone_minors and len(position._armies[0]) <= 2 and len(position._armies[1]) <= 2:
            return True
        return not (self.can_win(position, 0) or self.can_win(position, 1))

    def can_win(self, position: Position, seat: int) -> bool:
        """Whether a seat has enough material to win: to mate, or with a goal the king alone."""
        return bool(position.rules.goal) or can_mate(position, seat)

    def draw(self, position: Position, termination: Termination) -> Position:
        """The position, ended as a draw."""
        return position.replace(ended=drawn(termination))


def can_mate(position: Position, seat: int) -> bool:
    """Whether the seat could mate if the other side helped, judged by material alone. A single knight or bishop needs
    a piece of the other side to mate."""
    own = [man for man in position._armies[seat].values() if not man.king]
    other = [man for man in position._armies[1 - seat].values() if not man.king]
    kinds = {man.kind for man in own}
    if kinds & {PieceKind.PAWN, PieceKind.ROOK, PieceKind.QUEEN}:
        return True
    if PieceKind.KNIGHT in kinds:
        return len(own) > 1 or any(man.kind is not PieceKind.QUEEN for man in other)
    if PieceKind.BISHOP in kinds:
        colours = shades(position, [man for man in own + other if man.kind is PieceKind.BISHOP])
        return len(colours) > 1 or any(man.kind in (PieceKind.PAWN, PieceKind.KNIGHT) for man in other)
    return False


def shades(position: Position, men: Iterable[Man]) -> set[int]:
    """The colours of the squares of some pieces: 0 for dark, 1 for light."""
    board = position.rules.geometry
    return {(board.file(man.square) + board.rank(man.square)) % 2 for man in men}


def won(termination: Termination, seat: int) -> Outcome:
    """The outcome of a game that a seat has won."""
    return Outcome(termination, (seat,), (1, 2) if seat == 0 else (2, 1))


def drawn(termination: Termination) -> Outcome:
    """The outcome of a drawn game."""
    return Outcome(termination, (), _DRAWN)
