"""How a game for four goes on and ends."""

from __future__ import annotations

from engine.fourplayer.elimination import (
    expose,
    go_out,
    judge_mates,
    pass_turn,
    take_kings,
)
from engine.outcome import Elimination, Outcome, Termination
from engine.pieces import Kind
from engine.position import Position
from engine.tables import Man

_MINOR = (Kind.KNIGHT, Kind.BISHOP)


class FourPlayerReferee:
    """The referee of every game for four; the `Rules` say which."""

    def begin(self, position: Position) -> None:
        """Judge a set-up position as if a move had just been made."""
        last = (position.turn - 1) % len(position.rules.seats)
        expose(position, last)
        judge_mates(position, last, None)
        if position.kings[position.turn] < 0:
            pass_turn(position, position.turn)

    def settle(self, position: Position, mover: int, taken: tuple[Man, ...]) -> None:
        """Put out who is out, and pass the turn."""
        if taken:
            take_kings(position, taken, mover)
        expose(position, mover)
        if position.exposed:
            judge_mates(position, mover, mover)
        pass_turn(position, mover)

    def outcome(self, position: Position) -> Outcome | None:
        """The last one standing wins; the rest are draws among those still in."""
        alive = position.alive
        if len(alive) == 1:
            return Outcome(Termination.LAST_STANDING, alive, standings(position))
        if not position.movable():
            return drawn(position, Termination.STALEMATE)
        if len(alive) == 2 and all(_bare(position.armies[seat]) for seat in alive):
            return drawn(position, Termination.INSUFFICIENT_MATERIAL)
        if position.halfmove >= 50 * len(alive):
            return drawn(position, Termination.FIFTY_MOVES)
        # Everybody must move there and back, twice.
        if position.halfmove >= 4 * len(alive) and position.repetitions() >= 3:
            return drawn(position, Termination.THREEFOLD)
        return None

    def claimable(self, position: Position) -> Termination | None:
        """Nothing: the draws come by themselves."""
        return None

    def eliminate(self, position: Position, seat: int, reason: Termination) -> Position:
        """The seat goes out, and its turn passes if it had it."""
        after = position.replace(armies=position.armies.copy(), forces=position.forces.copy(), eliminated=())
        go_out(after, seat, reason, None)
        if after.turn == seat:
            pass_turn(after, seat)
        expose(after, after.turn)
        return after

    def draw(self, position: Position, termination: Termination) -> Position:
        """The position, drawn among those still in."""
        return position.replace(ended=drawn(position, termination))


def _bare(army: dict[int, Man]) -> bool:
    """Whether an army is a king alone or with one knight or bishop."""
    return len(army) == 1 or (len(army) == 2 and any(man.kind in _MINOR for man in army.values()))


def drawn(position: Position, termination: Termination) -> Outcome:
    """A draw among those still in."""
    return Outcome(termination, (), standings(position))


def standings(position: Position) -> tuple[int, ...]:
    """Each seat's place: those still in share the first, and who went out later stands higher. Seats that
    were out from the beginning share the last."""
    places = dict.fromkeys(position.alive, 1)
    place = len(position.alive)
    for elimination in reversed(position.out):
        place += 1
        places[elimination.seat] = place
    return tuple(places.get(seat, place + 1) for seat in range(len(position.rules.seats)))


__all__ = ["Elimination", "FourPlayerReferee", "drawn", "standings"]
