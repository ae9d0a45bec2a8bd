"""The rules of votes.

There is one proposal at a time. Its electorate is fixed when it is opened, and the proposer's vote is a yes. Unanimity
carries it; one no, or the deadline, ends it. A vote never blocks play. A move, resignation or elimination supersedes an
undo or redo, whose target has moved. A draw vote stays open, but a move counts as its player's no if that player has
not voted. An elector's departure closes the vote. The proposer can take the proposal back.

A player with several seats has one vote, at the first of them. Proposals, refusals and gifts of time count there too.

After n refused proposals in a game, a seat must wait 10·n² seconds before the next. The first proposal that it takes
back in a game costs nothing. Each further one counts as refused, which prevents endless votes.

| kind | when | electorate | effect |
|---|---|---|---|
| undo, redo | playing | all still in the game, and players whom it brings back | restores another ply of the line |
| draw | playing | all still in the game | ends the game: as a draw, or where points count, on points |
| stand_in | playing, the seat absent | all still in the game except absent players | invites a bot to the seat |
| remove | playing, the seat absent | all still in the game except absent players | takes the seat out of the game |
| rematch | finished | all seats | begins the next game of the series |
| pause | playing, with clocks | all still in the game | stops the clocks, and all moves |
| resume | paused | all still in the game | ends the pause |

No answer counts as no, even from absent players, so nobody loses a game by silence. A player with a stand-in counts as
absent. A player who has been away for less than `absence` does not.
"""

from collections.abc import Callable

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.match import commands as c
from fourfold.engine.match import events as e
from fourfold.engine.match import time_rules
from fourfold.engine.match.history import History, moves_in
from fourfold.engine.match.progress import Events, depart, finished, without_vote
from fourfold.engine.match.state import Proposal, State, Status
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position

VOTE_MS = 30_000
"""Time for electors to vote, in milliseconds."""

COOLDOWN_MS = 10_000
"""The wait after a proposer's first refusal, in milliseconds. After the n-th refusal, the wait is n² times as long."""


def propose(state: State, command: c.Propose, seat: int, now: int) -> Events | Rejection:
    """Open a vote. It is carried at once if the proposer is the only elector."""
    rejection = _admit(state, command, seat, now)
    if rejection is not None:
        return rejection
    plies = ply = target = absentee = None
    asked = set(state.position.alive)
    match command.kind:
        case e.ProposalKind.UNDO | e.ProposalKind.REDO:
            plies = command.plies or 1
            found = _target(state, command.kind, plies)
            if found is None:
                most = _most(state, command.kind, plies)
                there_are = f"there {'is' if most == 1 else 'are'} {most}"
                return refused("bad_plies", f"You asked to {command.kind} {_moves(plies)}; {there_are}.")
            line, there = found
            ply, target = line.ply, there.fen()
            asked.update(there.alive)
            plies = abs(ply - state.ply)
        case e.ProposalKind.STAND_IN | e.ProposalKind.REMOVE:
            missing = _absentee(state, command, seat, now)
            if isinstance(missing, Rejection):
                return missing
            absentee = missing
    if command.kind is e.ProposalKind.REMATCH:
        electorate = state.position.rules.players  # nobody joins a new game without agreeing
    else:
        if absentee is not None:
            asked = {one for one in asked if one == seat or not _is_absent(state, command, one, now)}
        electorate = tuple(sorted({state.together(one)[0] for one in asked}))
    proposed = e.Proposed(
        number=state.proposals + 1,
        kind=command.kind,
        seat=seat,
        plies=plies,
        ply=ply,
        position=target,
        electorate=electorate,
        deadline=now + VOTE_MS,
        absentee=absentee,
        level=command.level,
    )
    if electorate == (seat,):  # there are no other electors
        return proposed, e.Closed(proposed.number, e.Closure.CARRIED), *_CARRIED[command.kind](state, proposed, now)
    return (proposed,)


_FIELDS = {
    "plies": (
        (e.ProposalKind.UNDO, e.ProposalKind.REDO),
        refused("bad_plies", "Only a vote on an undo or redo takes plies."),
    ),
    "seat": (
        (e.ProposalKind.STAND_IN, e.ProposalKind.REMOVE),
        refused("bad_seat", "Only a vote on a stand-in or removal takes a seat."),
    ),
    "level": ((e.ProposalKind.STAND_IN,), refused("bad_level", "Only a vote on a stand-in takes a level.")),
}
"""For each field of a proposal, the kinds that take it, and the rejection for other kinds."""


def _admit(state: State, command: c.Propose, seat: int, now: int) -> Rejection | None:
    """The rejection if this seat cannot open this kind of vote now, or None."""
    if state.proposal is not None:
        return refused("proposal_open", f"Proposal {state.proposal.number} is still being voted on.")
    if command.kind is e.ProposalKind.REMATCH:
        if state.status is not Status.FINISHED:
            return refused("not_finished", "A rematch follows a game that is over.")
        if any(one.player is None for one in state.seats):
            return refused("not_started", "This game never began: there is nothing to play again.")
    elif state.status is Status.FINISHED:
        return refused("game_over", "This game is over; you may propose a rematch.")
    elif seat not in state.position.alive:
        return refused("out_of_game", "You are out of this game; only players still in can propose.")
    pause = time_rules.why_no_pause(state, command.kind)
    if pause is not None:
        return pause
    for field, (kinds, rejection) in _FIELDS.items():
        if getattr(command, field) is not None and command.kind not in kinds:
            return rejection
    refusals = state.seats[seat].refusals
    wait = state.seats[seat].refused_at + COOLDOWN_MS * refusals**2 - now
    if refusals and wait > 0:
        sentence = f"Your proposals were refused or taken back; propose again in {_seconds(wait)}."
        return refused("too_soon", sentence, wait)
    return None


def takes_stand_ins(state: State) -> bool:
    """Whether bots may stand in for absent players: in all games except games for two that may be rated."""
    return len(state.seats) > 2 or not state.terms.rated


def _is_absent(state: State, command: c.Propose, seat: int, now: int) -> bool:
    """Whether a seat's player is absent. A player with a stand-in is."""
    return state.seats[seat].stand_in is not None or _is_deserted(command, seat, now)


def _is_deserted(command: c.Propose, seat: int, now: int) -> bool:
    """Whether a seat has been without a connection for long enough."""
    return seat in command.absent and command.absent[seat] <= now


def _moves(number: int) -> str:
    return "1 move" if number == 1 else f"{number} moves"


def _seconds(milliseconds: int) -> str:
    return f"{-(-milliseconds // 1000)} s"


def _absentee(state: State, command: c.Propose, by: int, now: int) -> int | Rejection:
    """The seat of the absent player in a stand-in or removal, or a rejection."""
    names = state.position.seats
    if command.seat not in names:
        return refused("no_such_seat", f"Say which seat it is about: {', '.join(names)}.")
    seat = state.together(names.index(command.seat))[0]
    if seat not in state.position.alive:
        return refused("out_of_game", f"{command.seat} is out of this game.")
    if command.kind is e.ProposalKind.STAND_IN and not takes_stand_ins(state):
        return refused("rated_game", "Rated games for two players have no stand-ins.")
    if seat == by or seat not in command.absent:
        if command.absence is None:
            return refused("not_absent", "In a game this slow, players never count as absent: the clock decides.")
        return refused("not_absent", f"{command.seat} is here.", command.absence)
    if not _is_deserted(command, seat, now):
        wait = command.absent[seat] - now
        sentence = f"{command.seat} has not been away for long enough; propose it again in {_seconds(wait)}."
        return refused("not_absent", sentence, wait)
    if command.kind is e.ProposalKind.STAND_IN and command.level is None:
        return refused("bad_level", "Say which level of bot should stand in.")
    return seat


def _target(state: State, kind: e.ProposalKind, plies: int) -> tuple[History, Position] | None:
    """The line and position of another ply. If a walking king is to move there, the next ply in the same direction.

    None if there are too few moves, or if only moves of walking kings are left on the way back.
    """
    line = History(state.line, state.undone)
    while plies <= _there_are(line, kind):
        line = line.back(plies) if kind is e.ProposalKind.UNDO else line.forth(plies)
        position = line.play(state.start)
        if position.walk is None:
            return line, position
        plies = 1
    return None


def _there_are(line: History, kind: e.ProposalKind) -> int:
    """The number of moves in the direction of an undo or redo."""
    return line.ply if kind is e.ProposalKind.UNDO else moves_in(line.undone)


def _most(state: State, kind: e.ProposalKind, plies: int) -> int:
    """The number of moves that can be undone or redone, below `plies`."""
    fewer = range(min(plies - 1, _there_are(History(state.line, state.undone), kind)), 0, -1)
    return next((number for number in fewer if _target(state, kind, number) is not None), 0)


def withdraw(state: State, command: c.Withdraw, seat: int, _now: int) -> Events | Rejection:
    """Close the open vote, for its proposer."""
    proposal = _open(state, command.proposal)
    if isinstance(proposal, Rejection):
        return proposal
    if seat != proposal.seat:
        return refused("not_yours", "Only the proposer can take a proposal back; you can vote against it.")
    return (e.Closed(proposal.number, e.Closure.WITHDRAWN),)


def _open(state: State, number: int) -> Proposal | Rejection:
    """The open vote, if it has this number."""
    proposal = state.proposal
    if proposal is not None and proposal.number == number:
        return proposal
    what = "none is" if proposal is None else f"number {proposal.number} is"
    return refused("no_such_proposal", f"Proposal {number} is not open; {what}.")


def vote(state: State, command: c.Vote, seat: int, now: int) -> Events | Rejection:
    """Vote on the open proposal, and close it if that decides it."""
    proposal = _open(state, command.proposal)
    if isinstance(proposal, Rejection):
        return proposal
    if seat not in proposal.electorate:
        return refused("no_vote", "You have no vote on this proposal.")
    if proposal.vote_of(seat) is not None:
        return refused("already_voted", "You have already voted on this proposal.")
    if now >= proposal.deadline:
        return refused("too_late", "The time to vote on this proposal is over.")
    voted = e.Voted(proposal.number, seat, command.accept)
    if not command.accept:
        return voted, e.Closed(proposal.number, e.Closure.REFUSED)
    if len(proposal.votes) + 1 < len(proposal.electorate):  # a no would have closed the proposal
        return (voted,)
    carried = _CARRIED[proposal.kind](without_vote(state), proposal, now)
    return voted, e.Closed(proposal.number, e.Closure.CARRIED), *carried


def expire(state: State, now: int) -> Events:
    """Close the vote if its deadline has passed: missing votes count as no."""
    if state.proposal is None or now < state.proposal.deadline:
        return ()
    return (e.Closed(state.proposal.number, e.Closure.EXPIRED),)


def returned(state: State, seat: int) -> Events:
    """Close the vote if it is about a seat whose player is back."""
    if state.proposal is None or state.proposal.absentee != seat:
        return ()
    return (e.Closed(state.proposal.number, e.Closure.SUPERSEDED),)


def _restore(state: State, proposal: e.Proposed | Proposal, _now: int) -> Events:
    """Go to the target ply of an undo or redo."""
    plies, position = proposal.plies, proposal.position
    assert plies is not None and position is not None  # an undo or redo has a target
    found = _target(state, proposal.kind, plies)
    assert found is not None  # the target existed when the vote opened, and a move would have closed the vote
    line, there = found
    out, left = tuple([(gone.seat, gone.reason.value) for gone in there.out]), line.left(state.clocks)
    if proposal.kind is e.ProposalKind.UNDO:
        return (e.Undone(plies, line.ply, position, out, left),)
    moves = tuple([step.move for step in tuple(line.steps)[len(state.line) :] if step.move is not None])
    return (e.Redone(plies, line.ply, moves, position, out, left),)


def _draw(state: State, _: e.Proposed | Proposal, _now: int) -> Events:
    outcome = state.position.end_in_draw(Termination.AGREEMENT).outcome
    assert outcome is not None  # end_in_draw ends the game
    return (finished(state, outcome),)


def _stand_in(state: State, proposal: e.Proposed | Proposal, _now: int) -> Events:
    assert proposal.absentee is not None and proposal.level is not None  # the proposal needs both
    return tuple([e.Invited(seat, proposal.level) for seat in state.together(proposal.absentee)])


def _remove(state: State, proposal: e.Proposed | Proposal, _now: int) -> Events:
    assert proposal.absentee is not None  # the proposal needs it
    return depart(state, proposal.absentee, Termination.ABANDONMENT)


def _rematch(state: State, _: e.Proposed | Proposal, _now: int) -> Events:
    people = [(seat.player or "", seat.name or "", seat.score) for seat in state.seats]
    return e.Rematched(state.game + 1, (people[-1], *people[:-1])), e.Started()


_CARRIED: dict[e.ProposalKind, Callable[[State, e.Proposed | Proposal, int], Events]] = {
    e.ProposalKind.UNDO: _restore,
    e.ProposalKind.REDO: _restore,
    e.ProposalKind.DRAW: _draw,
    e.ProposalKind.STAND_IN: _stand_in,
    e.ProposalKind.REMOVE: _remove,
    e.ProposalKind.REMATCH: _rematch,
    e.ProposalKind.PAUSE: lambda state, _, now: (time_rules.pause(state, now),),
    e.ProposalKind.RESUME: lambda _state, _proposal, _now: (e.Resumed(),),
}
