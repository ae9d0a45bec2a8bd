"""The referees of games for four players: turns, eliminations and endings, by the options in `Rules`."""

from __future__ import annotations

from fourfold.engine.fourplayer import scoring
from fourfold.engine.fourplayer.elimination import corner, expose, judge_mates, leave, pass_turn, take_kings
from fourfold.engine.movegen import in_check
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.position import Position, Referee
from fourfold.engine.rules import Rules
from fourfold.engine.tables import Man
from fourfold.engine.values import mypyc_attr

_CLAIMS = (Termination.RESIGNATION, Termination.POINTS)
"""Departures of a leader with a claim that count as claiming the game. Recorded games write a claim as a
resignation."""


@mypyc_attr(allow_interpreted_subclasses=True)
class FourPlayerReferee(Referee):
    """The referee of games in which everybody plays alone, for points or until one player is left."""

    def begin(self, position: Position) -> None:
        """Judge the kings of a set-up position, as after a move."""
        last = position.tables.clockwise[position.turn][-1]
        if position.rules.scored:
            position.points = position.points or (0,) * len(position.rules.seats)
        else:
            position.points = None
        expose(position, last)
        judge_mates(position, last, None)
        corner(position, None)
        pass_turn(position, last)
        self._conclude(position)

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Score the move, eliminate players, and pass the turn."""
        mover = arrived.seat
        if taken:
            scoring.captured(position, mover, taken)
            take_kings(position, taken, mover)
        expose(position, mover)
        if position.exposed:
            scoring.checked(position, arrived)
            judge_mates(position, mover, mover)
            corner(position, mover)
        elif position.cornered:
            position.cornered = ()
        pass_turn(position, mover)
        if position.eliminated:
            self._conclude(position)

    def checked(self, position: Position) -> tuple[int, ...]:
        """The seats that `begin` and `settle` recorded as attacked."""
        exposed = position.exposed
        return exposed and tuple(seat for seat in position.alive if seat in exposed)

    def outcome(self, position: Position) -> Outcome | None:
        """A draw by the rules, or None."""
        alive = position.alive
        if not position.can_move():
            return self._drawn(position, Termination.STALEMATE)
        if self.insufficient(position):
            return self._drawn(position, Termination.INSUFFICIENT_MATERIAL)
        if position.halfmove >= position.rules.moves_without_progress * len(alive):
            return self._drawn(position, Termination.FIFTY_MOVES)
        # For a threefold repetition, everybody must move there and back, twice.
        if position.halfmove >= 4 * len(alive) and position.repetitions() >= 3:
            return self._drawn(position, Termination.THREEFOLD)
        return None

    def claims(self, rules: Rules) -> tuple[Termination, ...]:
        """`POINTS` if the game counts points; otherwise nothing."""
        return (Termination.POINTS,) if rules.scored else ()

    def may_claim(self, position: Position, seat: int) -> Termination | None:
        """`POINTS` for the leader of a game that is already won on points. Draws need no claim."""
        return Termination.POINTS if scoring.may_claim(position, seat) else None

    def claim(self, position: Position, seat: int, termination: Termination) -> Position:
        """The position after the leader ended the game."""
        return position.replace(ended=scoring.claimed(position, seat))

    def eliminate(self, position: Position, seat: int, reason: Termination) -> Position:
        """Eliminate the seat. If it was its turn and its king does not walk, pass the turn. A leader with a claim wins
        the game by resigning."""
        claimed = reason in _CLAIMS and scoring.may_claim(position, seat)
        after = position.draft()
        after.eliminated = ()
        leave(after, seat, reason)
        expose(after, after.turn)
        corner(after, None)
        if after.turn == seat:
            pass_turn(after, after.tables.clockwise[seat][-1])
        self._conclude(after)
        if claimed:
            after.ended = scoring.claimed(position, seat)
        return after.seal()

    def draw(self, position: Position, termination: Termination) -> Position:
        """The position, ended as a draw of the players still in."""
        return position.replace(ended=self._drawn(position, termination))

    def insufficient(self, position: Position) -> bool:
        """Whether only kings are left, or by the rules too little besides. With a goal, a king alone can win."""
        if position.total & position.tables.planes.decisive or position.rules.goal:
            return False
        most = 2 if position.rules.minor_pieces_draw and len(position.alive) == 2 else 1
        return all(len(position._armies[seat]) <= most for seat in position.alive)

    def _conclude(self, position: Position) -> None:
        """End the game if only one player is left."""
        if len(position.alive) == 1:
            if position.points is None:
                position.ended = Outcome(Termination.LAST_STANDING, position.alive, standings(position))
            else:
                position.ended = scoring.decided(position, Termination.POINTS, draw=False)

    def _drawn(self, position: Position, termination: Termination) -> Outcome:
        if position.points is not None:
            return scoring.decided(position, termination, draw=True)
        return Outcome(termination, (), standings(position))


@mypyc_attr(allow_interpreted_subclasses=True)
class TeamReferee(FourPlayerReferee):
    """The referee of games in two teams: a mate or the capture of a king wins for both partners."""

    def begin(self, position: Position) -> None:
        """Record the attacked kings. End the game if a king is missing."""
        position.points = None
        for seat, king in enumerate(position.kings):
            if king < 0:
                position.ended = self._lost(position, seat, Termination.KING_CAPTURED)
        expose(position, position.tables.clockwise[position.turn][-1])

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn. End the game if a king was captured."""
        mover = arrived.seat
        position.turn = position.tables.clockwise[mover][0]
        for man in taken:
            if man.king:
                position.kings = (*position.kings[: man.seat], -1, *position.kings[man.seat + 1 :])
                position.ended = self._lost(position, man.seat, Termination.KING_CAPTURED)
        expose(position, mover)

    def outcome(self, position: Position) -> Outcome | None:
        """Mate or stalemate of the seat to move, or a draw by the rules; None while the game goes on."""
        if not position.can_move() and in_check(position, position.turn):
            return self._lost(position, position.turn, Termination.CHECKMATE)
        return super().outcome(position)

    def eliminate(self, position: Position, seat: int, reason: Termination) -> Position:
        """End the game: the seat's team loses."""
        return position.replace(ended=self._lost(position, seat, reason))

    def _lost(self, position: Position, loser: int, termination: Termination) -> Outcome:
        teams = position.rules.teams
        places = tuple(2 if team == teams[loser] else 1 for team in teams)
        return Outcome(termination, tuple(seat for seat, place in enumerate(places) if place == 1), places)


def first(position: Position, seat: int, termination: Termination) -> Outcome:
    """The outcome of a game that a seat wins while others are still in. They share the second place."""
    places = [1 if other == seat else max(2, place) for other, place in enumerate(standings(position))]
    return Outcome(termination, (seat,), tuple(places))


def standings(position: Position) -> tuple[int, ...]:
    """Each seat's place. The players still in share the first. The later an elimination, the better the place. Seats
    that were out from the start, in an unknown order, share the last place."""
    places = dict.fromkeys(position.alive, 1)
    place = len(position.alive)
    for seat in reversed(position.order_out()):
        place += 1
        places[seat] = place
    return tuple(places.get(seat, place + 1) for seat in range(len(position.rules.seats)))
