"""The judge: whether a command may be carried out, and what then happens. Pure; changes nothing."""

from collections.abc import Callable
from typing import Any

from engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from engine.match import votes
from engine.match.commands import Command, Create, Expire, Move, Propose, Resign, Sit, Stand, Vote
from engine.match.events import (
    Created,
    Eliminated,
    Event,
    Finished,
    Moved,
    Rejection,
    Resigned,
    Seated,
    Started,
    Unseated,
    refused,
)
from engine.match.state import State, Status
from engine.outcome import Termination
from engine.position import Position
from engine.variants import opening

Events = tuple[Event, ...]


def decide(state: State | None, command: Command, by: str, now: int) -> Events | Rejection:
    """What `command` leads to.

    `state` is None before the match exists; `by` is the identity of the player who asks (of nobody
    for `Expire`), from the connection, never from the message; `now` is in milliseconds since 1970.
    No events mean that there is nothing to do.
    """
    if state is None or isinstance(command, Create):
        if not isinstance(command, Create):
            return refused("no_such_room", "There is no such room.")
        return _create(command, by) if state is None else refused("room_exists", "This room exists already.")
    if isinstance(command, Expire):
        return votes.expire(state, now)
    if isinstance(command, Sit):
        return _sit(state, command, by)
    seat = state.seat_of(by)
    if seat is None:
        return refused("not_seated", "You have no seat in this room; join first.")
    if isinstance(command, Stand):
        return _stand(state, seat)
    if state.status is not Status.PLAYING:
        over = state.status is Status.FINISHED
        return refused(*(_GAME_OVER if over else _NOT_STARTED))
    if isinstance(command, Move | Propose) and command.seq < state.position_seq:
        return refused(
            "stale", f"The position has changed since version {command.seq}; look at version {state.seq}."
        )
    return _PLAY[type(command)](state, command, seat, now)


_GAME_OVER = ("game_over", "This game is over.")
_NOT_STARTED = ("not_started", "This game has not started: seats are still free.")


def _create(command: Create, by: str) -> Events | Rejection:
    try:
        position = opening(command.variant, position=command.position)
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    except InvalidSetup as error:
        return refused("invalid_setup", str(error))
    if position.outcome is not None:
        return refused("position_over", f"Nothing is left to play in this position: {position.outcome.termination}.")
    return (Created(command.variant, command.position, command.visibility, by),)


def _sit(state: State, command: Sit, by: str) -> Events | Rejection:
    held = state.seat_of(by)
    names = state.position.seats
    if command.seat is not None and command.seat not in names:
        return refused("no_such_seat", f"There is no seat {command.seat!r}; there are {', '.join(names)}.")
    if held is not None:
        if command.seat in (None, names[held]):
            return ()
        return refused("already_seated", f"You sit at {names[held]} already.")
    if state.status is not Status.OPEN:
        return refused("already_started", "The game has started; you can watch it.")
    free = [index for index, seat in enumerate(state.seats) if seat.player is None]
    seat = free[0] if command.seat is None else names.index(command.seat)
    if seat not in free:
        return refused("seat_taken", f"{names[seat]} is taken; free: {', '.join(names[i] for i in free)}.")
    seated = Seated(seat, by, command.name)
    return (seated, Started()) if free == [seat] else (seated,)


def _stand(state: State, seat: int) -> Events | Rejection:
    if state.status is not Status.OPEN:
        return refused("already_started", "The game has started: a seat is given up by resigning.")
    return (Unseated(seat),)


def _move(state: State, command: Move, seat: int, _: int) -> Events | Rejection:
    position = state.position
    if seat not in position.alive:
        return refused("out_of_game", "You are out of this game.")
    if seat != position.turn:
        return Rejection("illegal", "not_your_turn", f"It is {position.seats[position.turn]}'s turn.")
    try:
        move = position.find(command.move)
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    except IllegalMove as error:
        return Rejection("illegal", error.code, error.message)
    after = position.play(move)
    return Moved(seat, move.text, state.ply + 1, after), *_consequences(state, after, mover=seat)


def _resign(state: State, _command: Resign, seat: int, _now: int) -> Events | Rejection:
    if seat not in state.position.alive:
        return refused("out_of_game", "You are out of this game already.")
    after = state.position.eliminate(seat, Termination.RESIGNATION)
    return Resigned(seat), *_consequences(state, after, mover=None)


def _consequences(state: State, after: Position, mover: int | None) -> Events:
    """What follows from reaching a position: who is out, what becomes of the open vote, whether it is over."""
    if after.outcome is None and not after.eliminated and state.proposal is None:
        return ()
    eliminated = tuple(Eliminated(out.seat, out.reason, out.by) for out in after.eliminated)
    gone = frozenset(out.seat for out in eliminated)
    closed = votes.close_for_progress(state, mover, gone, over=after.outcome is not None)
    finished = () if after.outcome is None else (Finished(after.outcome),)
    return *eliminated, *closed, *finished


_PLAY: dict[type[Command], Callable[[State, Any, int, int], Events | Rejection]] = {
    Move: _move,
    Propose: votes.propose,
    Vote: votes.vote,
    Resign: _resign,
}
