"""Decides whether a match accepts a command, and which events follow. Pure."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any, Final

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.match import commands as c
from fourfold.engine.match import events as e
from fourfold.engine.match import time_rules, votes
from fourfold.engine.match.display import sight
from fourfold.engine.match.progress import Events, consequences, depart, eliminations, finish, settle, without_vote
from fourfold.engine.match.state import State, Status, start_faults, start_position
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.variants import rules_of

NOBODY: Final = ""
"""The identity of the server itself, for its own commands."""


def decide(state: State | None, command: c.Command, by: str, now: int) -> Events | Rejection:
    """The events that a command leads to, or its rejection.

    * `state`: the state of the match; None before `Create`.
    * `command`: one of `commands`.
    * `by`: the player's identity, taken from the connection and never from the message; `NOBODY` for the server.
    * `now`: milliseconds since 1970.

    An empty result means that there is nothing to do.

    >>> from fourfold.engine.match.commands import Create
    >>> from fourfold.engine.match.decide import decide
    >>> decide(None, Create("chessboxing"), by="ann", now=0).code
    'unknown_variant'
    """
    if state is None:
        return _create(command, by) if isinstance(command, c.Create) else _NO_SUCH_ROOM
    if type(command) in _OF_ANYBODY:
        return _OF_ANYBODY[type(command)](state, command, by, now)
    seat = state.seat_of(by)
    if seat is None:
        return refused("not_seated", "You have no seat in this room; join first.")
    if by == state.seats[seat].stand_in and not _may_stand_in_do(state, command):
        return _ONLY_STANDS_IN
    judge, statuses = _JUDGES[type(command)]
    if state.status not in statuses:
        return _NOT_NOW[state.status]
    if state.archived:
        return _ARCHIVED
    if isinstance(command, (c.Move, c.Propose)) and not state.position_seq <= command.seq <= state.seq:
        return _not_of_now(state, command.seq)
    return judge(state, command, seat, now)


def _not_of_now(state: State, seq: int) -> Rejection:
    """The rejection of a command for an older position, or for a version that does not exist yet."""
    if seq > state.seq:
        return refused("ahead", f"There is no version {seq} yet; look at version {state.seq}.")
    return refused("stale", f"The position has changed since version {seq}; look at version {state.seq}.")


def _may_stand_in_do(state: State, command: c.Command) -> bool:
    """Whether a stand-in may give this command: it can move, vote against a proposal, and propose or accept an undo."""
    match command:
        case c.Move() | c.Withdraw() | c.Vote(accept=False) | c.Propose(kind=e.ProposalKind.UNDO):
            return True
        case c.Vote():
            return state.proposal is None or state.proposal.kind is e.ProposalKind.UNDO
    return False


_ONLY_STANDS_IN = refused("only_stands_in", "A stand-in can only move, and agree to an undo.")

_NO_SUCH_ROOM = refused("no_such_room", "There is no such room.")

_NOT_NOW = {
    Status.OPEN: refused("not_started", "This game has not started: seats are still free."),
    Status.PLAYING: refused("already_started", "The game has started. Resign to give up your seat."),
    Status.FINISHED: refused("game_over", "This game is over."),
}


_ARCHIVED = refused("archived", "This game is in the archive: open a new room to play again.")


def _create(command: c.Create, by: str) -> Events | Rejection:
    played = _rehearsed(command) if command.played is None else command.played
    if isinstance(played, Rejection):
        return played
    terms = command.terms
    if terms.rated and rules_of(command.variant).one_player_a_team:
        terms = replace(terms, rated=False)  # a rating is of one army
    created = e.Created(command.variant, command.position, command.visibility, by, command.control, terms, command.seed)
    return created, *played


def _rehearsed(command: c.Create) -> Events | Rejection:
    rehearsal = rehearse(command)
    while True:
        try:
            next(rehearsal)
        except StopIteration as end:
            played: Events | Rejection = end.value
            return played


def rehearse(command: c.Create) -> Generator[None, None, Events | Rejection]:
    """Check the start of a match, and play its moves, including those of walking kings. The generator yields before
    each move, so that the caller can let other tasks run. It returns the events, or a rejection."""
    try:
        faults = start_faults(command.variant, command.position, command.seed)
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    if faults:
        return refused("invalid_setup", " ".join(fault.message for fault in faults))
    position = start_position(command.variant, command.position, command.seed)
    events: list[e.Event] = []
    for ply, text in enumerate(command.moves, start=1):
        yield
        if position.outcome is not None:
            return refused("invalid_setup", f"The game is over before move {ply}, {text}.")
        try:
            move = position.find(text)
        except InvalidNotation as error:
            return Rejection("unreadable", error.code, f"Move {ply}, {text[:16]}: {error.message}")
        except IllegalMove as error:
            return Rejection("illegal", error.code, f"Move {ply}, {text}: {error.message}")
        events += eliminations(position)
        before, position = position, position.play(move)
        events.append(e.Moved(before.turn, move.text, ply, None, position, sight(before, position, move)))
    walks, position = settle(position, len(command.moves))
    if position.outcome is not None:
        return refused("invalid_setup", f"Nothing is left to play: {position.outcome.termination}.")
    return *events, *walks


def _sit(state: State, command: c.Sit, by: str, _now: int) -> Events | Rejection:
    held = state.seat_of(by)
    names = state.position.seats
    if command.seat is not None and command.seat not in names:
        return _no_such_seat(state, command.seat)
    if held is not None:
        if command.seat is None or names.index(command.seat) in state.together(held):
            return _rename(state, command, by, held)
        return refused("already_seated", f"You sit at {names[held]} already.")
    if command.bot and all(seat.player is not None for seat in state.seats):
        return _stand_in(state, command, by)  # do not reveal that the game is over: watchers may see it late
    if state.status is not Status.OPEN:
        return _relieve(state, command, by)
    if by in state.kicked:
        return _KICKED
    if command.guest and command.mark in state.kicked and by != state.host:
        return refused("kicked", "The host has removed a player from your address: sign in to an account, or watch.")
    free = [index for index, seat in enumerate(state.seats) if seat.player is None]
    # Seats reserved for bots go to bots first, and to people only if they name the seat.
    free.sort(key=lambda index: (state.seats[index].invited is None) is command.bot)
    seat = free[0] if command.seat is None else names.index(command.seat)
    if seat not in free:
        return refused("seat_taken", f"{names[seat]} is taken; free: {', '.join(names[i] for i in sorted(free))}.")
    if command.seat is None and not command.bot and state.seats[seat].invited is not None:
        return refused("seats_reserved", "The free seats are reserved for bots; name one to take it anyway.")
    apart = command.mark and (command.apart or state.terms.fill)
    if apart and any(other.mark == command.mark for other in state.seats):
        return _SAME_ADDRESS
    seated = _seated(state, command, by, seat)
    return (*seated, e.Started()) if len(seated) == len(free) else seated


def _seated(state: State, command: c.Sit, by: str, seat: int) -> Events:
    return tuple([e.Seated(one, by, command.name, command.mark) for one in state.together(seat)])


def _rename(state: State, command: c.Sit, by: str, held: int) -> Events:
    seat = state.seats[held]
    changes = seat.player == by and seat.name != command.name and state.status is not Status.FINISHED
    renamed = tuple([e.Renamed(one, by, command.name) for one in state.together(held)])
    return renamed if changes and state.begins else ()


_KICKED = refused("kicked", "The host has removed you from this table; you can watch.")
_SAME_ADDRESS = refused("same_address", "A player from your address sits at this table.")


def _relieve(state: State, command: c.Sit, by: str) -> Events | Rejection:
    """A person takes a seat over from a computer that fills the table."""
    if not state.young or command.bot:
        return _begun(state, "The game has started; you can watch it.")
    if by in state.kicked:
        return _KICKED
    if command.mark and any(other.mark == command.mark for other in state.seats):
        return _SAME_ADDRESS
    names = state.position.seats
    computers = [index for index in sorted(state.position.alive) if state.seats[index].player in command.computers]
    if not computers:
        return _begun(state, "People have all the seats; you can watch.")
    seat = computers[0] if command.seat is None else names.index(command.seat)
    if seat not in computers:
        return refused("seat_taken", f"{names[seat]} is taken; free: {', '.join(names[i] for i in computers)}.")
    return _seated(state, command, by, seat)


def _stand_in(state: State, command: c.Sit, by: str) -> Events | Rejection:
    names = state.position.seats
    for index, seat in enumerate(state.seats if state.status is Status.PLAYING else ()):
        wanted = seat.invited is not None and seat.invited == command.level and seat.stand_in is None
        if wanted and command.seat in (None, names[index]):
            return tuple([e.StoodIn(one, by, command.name) for one in state.together(index)])
    return refused("not_invited", "Only this server's bot of the chosen level can stand in.")


def _invite(state: State, command: c.Invite, by: str, _now: int) -> Events | Rejection:
    if by != state.host:
        return refused("not_host", "Only the host can invite bots.")
    if state.status is not Status.OPEN:
        return _begun(state, "The game has started; bots can join only by a stand-in vote.")
    names = state.position.seats
    if command.seat is not None and command.seat not in names:
        return _no_such_seat(state, command.seat)
    free = [index for index, seat in enumerate(state.seats) if seat.player is None]
    wanted = [index for index in free if state.seats[index].invited is None] or free
    seat = wanted[0] if command.seat is None else names.index(command.seat)
    if seat not in free:
        return refused("seat_taken", f"{names[seat]} is taken.")
    return tuple([e.Invited(one, command.level) for one in state.together(seat)])


def _kick(state: State, command: c.Kick, by: str, _now: int) -> Events | Rejection:
    if by not in (state.host, NOBODY):
        return refused("not_host", "Only the host can free the seats of others.")
    if state.status is not Status.OPEN:
        return _begun(state, "The game has started; the host can no longer remove players.")
    names = state.position.seats
    if command.seat not in names:
        return _no_such_seat(state, command.seat)
    index = names.index(command.seat)
    seat = state.seats[index]
    if seat.player is None and seat.invited is None:
        return refused("seat_free", f"Nobody sits at {command.seat}.")
    return tuple([e.Unseated(one, kicked=seat.player not in (None, by)) for one in state.together(index)])


def _close(state: State, _command: c.Close, by: str, now: int) -> Events | Rejection:
    if by not in (state.host, NOBODY):
        return refused("not_host", "Only the host can close the room.")
    unattended = by == NOBODY and state.adjourned is not None and state.adjourned <= now
    if state.status is not Status.OPEN and not (state.status is Status.PLAYING and unattended):
        return _begun(state, "The game has started and can no longer be closed.")
    return finish(state, _aborted(state))


def _begun(state: State, sentence: str) -> Rejection:
    """The rejection of a command that comes after the start. It does not reveal whether the game has ended: watchers
    may see it late."""
    if any(seat.player is None for seat in state.seats):
        return _NOT_NOW[Status.FINISHED]  # closed before the start
    return refused("already_started", sentence)


def _no_such_seat(state: State, name: str) -> Rejection:
    return refused("no_such_seat", f"There is no seat {name!r}. Seats: {', '.join(state.position.seats)}.")


def _stand(state: State, _command: c.Stand, seat: int, _now: int) -> Events | Rejection:
    return tuple([e.Unseated(one) for one in state.together(seat)])


def _expire(state: State, _command: c.Expire, _by: str, now: int) -> Events:
    closed = votes.expire(state, now)
    resumed = time_rules.expire(state, closed, now)
    flag = state.flag()
    if flag is None or now < flag:
        return *closed, *resumed
    return *closed, *depart(without_vote(state) if closed else state, state.position.turn, Termination.TIME)


def _credit(state: State, command: c.Credit, _by: str, _now: int) -> Events:
    clocks = state.clocks
    if clocks is None or clocks.since is None:
        return ()
    lost = command.until - max(command.since, clocks.since, state.credited)
    return (e.Credited(state.position.turn, lost, command.until),) if lost > 0 else ()


def _adjourn(state: State, command: c.Adjourn, _by: str, _now: int) -> Events:
    untimed = state.status is Status.PLAYING and state.clocks is None  # otherwise the clock decides
    return (e.Adjourned(command.deadline),) if untimed and state.adjourned is None else ()


def _return(state: State, _command: c.Return, seat: int, _now: int) -> Events:
    held = state.seats[seat]
    missed = held.stand_in is not None or held.invited is not None or state.adjourned is not None
    back = tuple([e.Returned(one) for one in state.together(seat)]) if missed else ()
    return *votes.returned(state, seat), *back


def _move(state: State, command: c.Move, seat: int, now: int) -> Events | Rejection:
    position = state.position
    if seat != position.turn and position.turn in state.together(seat):
        seat = position.turn
    if seat not in position.alive:
        return refused("out_of_game", "You are out of this game.")
    pause = time_rules.paused(state, now)
    if pause is not None:
        return pause
    if seat != position.turn:
        return Rejection("illegal", "not_your_turn", f"It is {position.seats[position.turn]}'s turn.")
    try:
        move = position.find(command.move)
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    except IllegalMove as error:
        return Rejection("illegal", error.code, error.message)
    tick = None
    if state.clocks is not None:
        tick = state.clocks.press(seat, now, command.lag)
        if tick is None:
            return refused("flag_fallen", "Your time is over.")
    after = position.play(move)
    moved = e.Moved(seat, move.text, state.ply + 1, tick, after, sight(position, after, move))
    return moved, *consequences(state, after, mover=seat)


def _claim(state: State, _command: c.Claim, seat: int, _now: int) -> Events | Rejection:
    if state.claim(seat) is None:
        return refused("nothing_to_claim", "You have nothing to claim now.")
    outcome = state.position.claim(seat).outcome
    assert outcome is not None  # a claim ends the game
    return finish(state, outcome)


def _resign(state: State, _command: c.Resign, seat: int, _now: int) -> Events | Rejection:
    if seat not in state.position.alive:
        return refused("out_of_game", "You are out of this game already.")
    return depart(state, seat, Termination.RESIGNATION)


def _abort(state: State, _command: c.Abort, _seat: int, _now: int) -> Events | Rejection:
    if state.moved.issuperset(state.position.alive):  # an undo does not change this
        return refused("too_late", "Everybody has moved, so the game counts: resign, or propose a draw.")
    return finish(state, _aborted(state))


def _ends_for_good(state: State, seq: int) -> bool:
    return state.complete and not state.archived and state.seq == seq


def _aborted(state: State) -> Outcome:
    return Outcome(Termination.ABORTED, (), (1,) * len(state.seats))


_OF_ANYBODY: dict[type[c.Command], Callable[[State, Any, str, int], Events | Rejection]] = {
    c.Create: lambda _state, _command, _by, _now: refused("room_exists", "This room exists already."),
    c.Expire: _expire,
    c.Credit: _credit,
    c.Adjourn: _adjourn,
    c.Archive: lambda state, command, _by, _now: (e.Archived(),) if _ends_for_good(state, command.seq) else (),
    c.Sit: _sit,
    c.Invite: _invite,
    c.Kick: _kick,
    c.Close: _close,
}
"""The commands for which the sender needs no seat."""


_PLAYING = frozenset({Status.PLAYING})
_STARTED = frozenset({Status.PLAYING, Status.FINISHED})

_JUDGES: dict[type[c.Command], tuple[Callable[[State, Any, int, int], Events | Rejection], frozenset[Status]]] = {
    c.Stand: (_stand, frozenset({Status.OPEN})),
    c.Move: (_move, _PLAYING),
    c.Propose: (votes.propose, _STARTED),
    c.Vote: (votes.vote, _STARTED),
    c.Withdraw: (votes.withdraw, _STARTED),
    c.Claim: (_claim, _PLAYING),
    c.Resign: (_resign, _PLAYING),
    c.Abort: (_abort, _PLAYING),
    c.Give: (time_rules.give, _PLAYING),
    c.Berserk: (time_rules.berserk, _PLAYING),
    c.Return: (_return, _PLAYING),
}
"""The commands of seated players, and the statuses in which each is allowed."""
