"""The state of a match after a decision. Nothing is checked here: every result of `decide` can be applied."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from fourfold.engine.decisions import Decision
from fourfold.engine.match import clock
from fourfold.engine.match import events as e
from fourfold.engine.match.clock import Clocks
from fourfold.engine.match.history import History, PlayedStep
from fourfold.engine.match.state import Proposal, Seat, State, Status, start_position
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position


def evolve(state: State | None, decision: Decision) -> State:
    """The state after `decision`, which must directly follow `state`. `state` is None for the first decision."""
    events = decision.events
    if state is None:
        created, events = events[0], events[1:]
        assert isinstance(created, e.Created)  # every log starts with `Created`
        start = start_position(created.variant, created.position, created.seed, created.options)
        state = State(
            variant=created.variant,
            visibility=created.visibility,
            host=created.host,
            terms=created.terms,
            seats=(Seat(),) * len(start.seats),
            start=start,
            position=start,
            seq=decision.seq,
            at=decision.at,
            clocks=clock.start(created.control, len(start.seats)),
            created=decision.at,
            casual="position" if "/" in (created.position or "") else "",  # the names of start arrays count as usual
        )
    for event in events:
        state = _APPLY[type(event)](state, event, decision)
    if decision.seq == 1 and state.ply > 0:
        state = replace(state, casual=state.casual or "moves")
    return state if state.seq == decision.seq else replace(state, seq=decision.seq, at=decision.at)


def replay(decisions: Iterable[Decision]) -> State:
    """The state after a whole log, which must have at least one entry."""
    state = None
    for decision in decisions:
        state = evolve(state, decision)
    assert state is not None  # a log is never empty
    return state


def _with_seat(state: State, index: int, seat: Seat) -> tuple[Seat, ...]:
    return (*state.seats[:index], seat, *state.seats[index + 1 :])


def _at_seat(state: State, index: int, seat: Seat) -> State:
    return replace(state, seats=_with_seat(state, index, seat))


def _unseated(state: State, event: e.Unseated, _: Decision) -> State:
    seat, kicked = state.seats[event.seat], state.kicked
    if event.kicked:
        kicked += tuple(filter(None, (seat.player, seat.mark)))
    return replace(state, seats=_with_seat(state, event.seat, Seat()), kicked=kicked)


def _invited(state: State, event: e.Invited, _: Decision) -> State:
    seat = replace(state.seats[event.seat], invited=event.level, stand_in=None, stand_in_name=None)
    return _at_seat(state, event.seat, seat)


def _stood_in(state: State, event: e.StoodIn, _: Decision) -> State:
    seat = replace(state.seats[event.seat], stand_in=event.player, stand_in_name=event.name)
    return replace(state, seats=_with_seat(state, event.seat, seat), casual=state.casual or "stand_in")


def _returned(state: State, event: e.Returned, _: Decision) -> State:
    seat = replace(state.seats[event.seat], invited=None, stand_in=None, stand_in_name=None)
    return replace(state, seats=_with_seat(state, event.seat, seat), adjourned=None)


def _started(state: State, _: e.Started, decision: Decision) -> State:
    """Start the first turn's clock, from the time at which the log took the decision."""
    clocks = None if state.clocks is None else state.clocks.run(decision.at)
    return replace(state, clocks=clocks, status=Status.PLAYING, position_seq=decision.seq)


def _moved(state: State, event: e.Moved, decision: Decision) -> State:
    clocks = state.clocks
    if clocks is not None and event.tick is not None:
        clocks = clocks.pressed(event.seat, event.tick, decision.at)
    step = PlayedStep(event.seat, event.move, left=None if clocks is None else clocks.left)
    return _step(state, step, decision, clocks, event.after)


def _flagged(state: State, event: e.Flagged, decision: Decision) -> State:
    clocks = state.clocks
    if clocks is not None:  # an imported game may not have them
        state = replace(state, clocks=clocks.add(event.seat, -clocks.left[event.seat]))
    return _departed(state, event.seat, Termination.TIME, decision)


def _departed(state: State, seat: int, reason: Termination, decision: Decision) -> State:
    clocks = state.clocks
    step = PlayedStep(seat, None, reason, None if clocks is None else clocks.left)
    if clocks is not None and seat == state.position.turn and state.paused is None:
        clocks = clocks.run(decision.at)
    return _step(state, step, decision, clocks)


def _step(
    state: State, step: PlayedStep, decision: Decision, clocks: Clocks | None, after: Position | None = None
) -> State:
    """Add a step to the line. Undone moves can no longer be redone, and an adjourned game resumes."""
    position = after if after is not None else step.play(state.position)
    # Every move of every game comes here, so the fields are written out: `replace` takes fifteen times as long.
    return State(
        variant=state.variant,
        visibility=state.visibility,
        host=state.host,
        seats=state.seats,
        start=state.start,
        position=position,
        seq=decision.seq,
        at=decision.at,
        clocks=clocks,
        status=state.status,
        game=state.game,
        line=state.line.then(step, position),
        undone=(),
        ply=state.ply + (step.move is not None),
        position_seq=decision.seq,
        proposal=state.proposal,
        proposals=state.proposals,
        out=state.out + position.eliminated,
        outcome=state.outcome,
        credited=state.credited,
        moved=state.moved if step.move is None or step.seat in state.moved else state.moved | {step.seat},
        created=state.created,
        terms=state.terms,
        kicked=state.kicked,
        paused=state.paused,
        casual=state.casual,
    )


def _paused(state: State, event: e.Paused, _: Decision) -> State:
    assert state.clocks is not None  # only a game with clocks is paused
    return replace(state, clocks=replace(state.clocks, left=event.left, since=None), paused=event.until)


def _resumed(state: State, _: e.Resumed, decision: Decision) -> State:
    """The player to move must look again: `position_seq` tells so."""
    assert state.clocks is not None  # only a game with clocks is paused
    return replace(state, clocks=state.clocks.run(decision.at), paused=None, position_seq=decision.seq)


def _gave(state: State, event: e.Gave, _: Decision) -> State:
    assert state.clocks is not None  # only a clock gets time
    seat = state.seats[event.seat]
    seats = _with_seat(state, event.seat, replace(seat, gifts=seat.gifts + 1))
    return replace(state, seats=seats, clocks=state.clocks.add(event.to, event.milliseconds))


def _berserked(state: State, event: e.Berserked, _: Decision) -> State:
    assert state.clocks is not None  # only a clock is halved
    return replace(state, clocks=state.clocks.halved(event.seat, event.left))


def _credited(state: State, event: e.Credited, _: Decision) -> State:
    assert state.clocks is not None  # only a clock is credited
    return replace(state, clocks=state.clocks.add(event.seat, event.milliseconds), credited=event.until)


def _proposed(state: State, event: e.Proposed, decision: Decision) -> State:
    proposal = Proposal(
        number=event.number,
        kind=event.kind,
        seat=event.seat,
        plies=event.plies,
        target=event.ply,
        position=event.position,
        seq=decision.seq,
        ply=state.ply,
        electorate=event.electorate,
        votes=((event.seat, True),),
        deadline=event.deadline,
        absentee=event.absentee,
        level=event.level,
    )
    return replace(state, proposal=proposal, proposals=event.number)


def _voted(state: State, event: e.Voted, _: Decision) -> State:
    proposal = state.proposal
    assert proposal is not None  # a vote needs an open proposal
    return replace(state, proposal=replace(proposal, votes=(*proposal.votes, (event.seat, event.accept))))


def _closed(state: State, event: e.Closed, decision: Decision) -> State:
    proposal = state.proposal
    assert proposal is not None  # only the open proposal closes
    seats, seat = state.seats, state.seats[proposal.seat]
    withdrawn = event.closure is e.Closure.WITHDRAWN
    if event.closure in (e.Closure.REFUSED, e.Closure.EXPIRED) or (withdrawn and seat.withdrew):
        seats = _with_seat(state, proposal.seat, replace(seat, refusals=seat.refusals + 1, refused_at=decision.at))
    elif withdrawn:
        seats = _with_seat(state, proposal.seat, replace(seat, withdrew=True))
    return replace(state, proposal=None, seats=seats)


def _history(state: State) -> History:
    return History(state.line, state.undone)


def _rebuilt(state: State, line: History, decision: Decision) -> State:
    """The state of another ply, by replaying the line. No move is ever unmade."""
    position = line.play(state.start)
    clocks, left = state.clocks, line.left(state.clocks)
    if clocks is not None and left is not None:
        clocks = replace(clocks, left=left, since=decision.at if state.paused is None else None)
    return replace(
        state,
        position=position,
        clocks=clocks,
        out=position.out,
        line=line.steps,
        undone=line.undone,
        ply=line.ply,
        position_seq=decision.seq,
        casual=state.casual or "undone",
    )


def _finished(state: State, event: e.Finished, decision: Decision) -> State:
    seats = tuple(
        replace(seat, score=score, refusals=0, withdrew=False, gifts=0)
        for seat, score in zip(state.seats, event.scores, strict=True)
    )
    return replace(
        state,
        seats=seats,
        clocks=None if state.clocks is None else state.clocks.run(None),
        status=Status.FINISHED,
        outcome=event.outcome,
        unrated=event.unrated,
        paused=None,
        position_seq=decision.seq,
    )


def _rematched(state: State, event: e.Rematched, decision: Decision) -> State:
    """Start the next game of the series. Its seats keep only the players, their marks and their scores."""
    marks = {seat.player: seat.mark for seat in state.seats}
    return State(
        variant=state.variant,
        visibility=state.visibility,
        host=state.host,
        seats=tuple(Seat(one, name, score=score, mark=marks.get(one, "")) for one, name, score in event.players),
        start=state.start,
        position=state.start,
        seq=decision.seq,
        at=decision.at,
        clocks=None if state.clocks is None else clock.start(state.clocks.control, len(state.seats)),
        game=event.game,
        proposals=state.proposals,
        credited=state.credited,
        created=state.created,
        terms=state.terms,
        casual=state.casual if state.casual == "position" else "",
    )


_APPLY: dict[type[e.Event], Callable[[State, Any, Decision], State]] = {
    e.Seated: lambda state, event, _: _at_seat(state, event.seat, Seat(event.player, event.name, mark=event.mark)),
    e.Renamed: lambda state, event, _: _at_seat(state, event.seat, replace(state.seats[event.seat], name=event.name)),
    e.Unseated: _unseated,
    e.Invited: _invited,
    e.StoodIn: _stood_in,
    e.Returned: _returned,
    e.Started: _started,
    e.Moved: _moved,
    e.Resigned: lambda state, event, decision: _departed(state, event.seat, Termination.RESIGNATION, decision),
    e.Flagged: _flagged,
    e.Removed: lambda state, event, decision: _departed(state, event.seat, Termination.ABANDONMENT, decision),
    e.Credited: _credited,
    e.Adjourned: lambda state, event, _: replace(state, adjourned=event.deadline),
    e.Eliminated: lambda state, _event, _decision: state,  # for clients: the step before has changed the position
    e.Paused: _paused,
    e.Resumed: _resumed,
    e.Gave: _gave,
    e.Berserked: _berserked,
    e.Proposed: _proposed,
    e.Voted: _voted,
    e.Closed: _closed,
    e.Undone: lambda state, event, decision: _rebuilt(state, _history(state).back(event.plies), decision),
    e.Redone: lambda state, event, decision: _rebuilt(state, _history(state).forth(event.plies), decision),
    e.Finished: _finished,
    e.Rematched: _rematched,
    e.Archived: lambda state, _event, _decision: replace(state, archived=True),
}
