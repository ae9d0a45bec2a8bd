"""How a game for four goes on and ends, as its `Rules` have it."""

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
"""The departures that claim the game for a leader who may: recorded games write a claim as a resignation."""


@mypyc_attr(allow_interpreted_subclasses=True)
class FourPlayerReferee(Referee):
    """The referee of games for four in which everybody plays alone: for points, or until one is left."""

    def begin(self, position: Position) -> None:
        """Judge a set-up position as if a move had just been made."""
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
        """Score, eliminate, and pass the turn."""
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
        """The seats that were noted as attacked when the position was made."""
        exposed = position.exposed
        return exposed and tuple(seat for seat in position.alive if seat in exposed)

    def outcome(self, position: Position) -> Outcome | None:
        """The draws."""
        alive = position.alive
        if not position.movable():
            return self._drawn(position, Termination.STALEMATE)
        if _insufficient(position):
            return self._drawn(position, Termination.INSUFFICIENT_MATERIAL)
        if position.halfmove >= position.rules.moves_without_progress * len(alive):
            return self._drawn(position, Termination.FIFTY_MOVES)
        # Everybody must move there and back, twice.
        if position.halfmove >= 4 * len(alive) and position.repetitions() >= 3:
            return self._drawn(position, Termination.THREEFOLD)
        return None

    def claims(self, rules: Rules) -> tuple[Termination, ...]:
        """A game by points."""
        return (Termination.POINTS,) if rules.scored else ()

    def may_claim(self, position: Position, seat: int) -> Termination | None:
        """A game by points that is won already; the draws come by themselves."""
        return Termination.POINTS if scoring.may_claim(position, seat) else None

    def claim(self, position: Position, seat: int, termination: Termination) -> Position:
        """The leader stops the game."""
        return position.replace(ended=scoring.claimed(position, seat))

    def eliminate(self, position: Position, seat: int, reason: Termination) -> Position:
        """The seat goes out, and its turn passes if it had it and its king does not walk. A leader who may claim
        the game claims it by resigning."""
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
        """The position, drawn among those still in."""
        return position.replace(ended=self._drawn(position, termination))

    def _conclude(self, position: Position) -> None:
        """End a game in which only one is left."""
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
    """The referee of games for four in two teams: a mate or the capture of a king wins for both partners."""

    def begin(self, position: Position) -> None:
        """Note whose king is attacked; or that the game is over, if one is missing."""
        position.points = None
        for seat, king in enumerate(position.kings):
            if king < 0:
                position.ended = self._lost(position, seat, Termination.KING_CAPTURED)
        expose(position, position.tables.clockwise[position.turn][-1])

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Pass the turn; if a king was taken, end the game."""
        mover = arrived.seat
        position.turn = position.tables.clockwise[mover][0]
        for man in taken:
            if man.king:
                position.kings = (*position.kings[: man.seat], -1, *position.kings[man.seat + 1 :])
                position.ended = self._lost(position, man.seat, Termination.KING_CAPTURED)
        expose(position, mover)

    def outcome(self, position: Position) -> Outcome | None:
        """Mate, judged now that it is the victim's turn, and the draws."""
        if not position.movable() and in_check(position, position.turn):
            return self._lost(position, position.turn, Termination.CHECKMATE)
        return super().outcome(position)

    def eliminate(self, position: Position, seat: int, reason: Termination) -> Position:
        """The seat's team loses."""
        return position.replace(ended=self._lost(position, seat, reason))

    def _lost(self, position: Position, loser: int, termination: Termination) -> Outcome:
        teams = position.rules.teams
        places = tuple(2 if team == teams[loser] else 1 for team in teams)
        return Outcome(termination, tuple(seat for seat, place in enumerate(places) if place == 1), places)


def _insufficient(position: Position) -> bool:
    """Whether kings alone are left, or as much as the rules hold to be as little."""
    if position.total & position.tables.planes.major:
        return False
    most = 2 if position.rules.minor_pieces_draw and len(position.alive) == 2 else 1
    return all(len(position._armies[seat]) <= most for seat in position.alive)


def standings(position: Position) -> tuple[int, ...]:
    """Each seat's place: those still in share the first, and who went out later stands higher. Seats that
    were out from the beginning, nobody knows in which order, share the last."""
    places = dict.fromkeys(position.alive, 1)
    place = len(position.alive)
    for seat in reversed(position.order_out()):
        place += 1
        places[seat] = place
    return tuple(places.get(seat, place + 1) for seat in range(len(position.rules.seats)))
