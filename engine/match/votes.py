"""The rules of a vote on undo, redo or draw.

One proposal at a time. Its electorate (every seat still in the game) is frozen when it is made, and
the proposer has said yes. Unanimity carries it; one no, or the deadline, ends it. It never holds up
play: a move, resignation or elimination closes an undo or redo as superseded, since its target has
moved; a draw stays open, but an elector who moves without having answered has answered no, and one
who leaves the game closes it. A seat whose proposals were refused n times waits 10·n² seconds before
the next.
"""

from engine.match.commands import Propose, Vote
from engine.match.events import (
    Closed,
    Closure,
    Event,
    Finished,
    Kind,
    Proposed,
    Redone,
    Rejection,
    Undone,
    Voted,
    refused,
)
from engine.match.state import Line, Proposal, State, moves_in
from engine.outcome import Termination

VOTE_MS = 30_000
"""How long electors have to answer, in milliseconds."""

COOLDOWN_MS = 10_000
"""The n-th refusal makes its proposer wait n² times this, in milliseconds."""


def propose(state: State, command: Propose, seat: int, now: int) -> tuple[Event, ...] | Rejection:
    """Open a vote; or, for a draw that the rules let this seat claim, end the game at once."""
    position = state.position
    if state.proposal is not None:
        return refused("proposal_open", f"Proposal {state.proposal.number} is still being voted on.")
    if seat not in position.alive:
        return refused("out_of_game", "You are out of this game; only those still in may propose.")
    claim = position.claimable
    if command.kind is Kind.DRAW and claim is not None and seat == position.turn:
        ended = position.end_in_draw(claim).outcome
        assert ended is not None  # end_in_draw ends the game
        return (Finished(ended),)
    wait = state.seats[seat].refused_at + COOLDOWN_MS * state.seats[seat].refusals ** 2 - now
    if state.seats[seat].refusals and wait > 0:
        return refused("too_soon", f"Your proposals were refused; you may propose again in {-(-wait // 1000)} s.")
    if command.kind is Kind.DRAW:
        if command.plies is not None:
            return refused("bad_plies", "A draw takes no plies.")
        plies = ply = target = None
    else:
        plies = command.plies or 1
        there_are = state.ply if command.kind is Kind.UNDO else moves_in(state.undone)
        if plies > there_are:
            return refused("bad_plies", f"You asked to {command.kind} {plies} moves; there are {there_are}.")
        line = _target(state, command.kind, plies)
        ply, target = line.ply, line.play(state.start)[0].fen()
    number = state.proposals + 1
    return (Proposed(number, command.kind, seat, plies, ply, target, position.alive, now + VOTE_MS),)


def _target(state: State, kind: Kind, plies: int) -> Line:
    line = Line(state.line, state.undone)
    return line.back(plies) if kind is Kind.UNDO else line.forth(plies)


def vote(state: State, command: Vote, seat: int, now: int) -> tuple[Event, ...] | Rejection:
    """Answer the open vote, and close it if that settles it."""
    proposal = state.proposal
    if proposal is None or proposal.number != command.proposal:
        what = "none is" if proposal is None else f"number {proposal.number} is"
        return refused("no_such_proposal", f"Proposal {command.proposal} is not open; {what}.")
    if seat not in proposal.electorate:
        return refused("no_vote", "You have no vote on this proposal.")
    if proposal.vote_of(seat) is not None:
        return refused("already_voted", "You have answered this proposal.")
    if now >= proposal.deadline:
        return refused("too_late", "The time to answer this proposal is over.")
    voted = Voted(proposal.number, seat, command.accept)
    if not command.accept:
        return voted, Closed(proposal.number, Closure.REFUSED)
    if len(proposal.votes) + 1 < len(proposal.electorate):  # only yeses leave a proposal open
        return (voted,)
    return voted, Closed(proposal.number, Closure.CARRIED), _carried(state, proposal)


def _carried(state: State, proposal: Proposal) -> Event:
    if proposal.kind is Kind.DRAW:
        outcome = state.position.end_in_draw(Termination.AGREEMENT).outcome
        assert outcome is not None  # end_in_draw ends the game
        return Finished(outcome)
    assert proposal.plies is not None and proposal.position is not None  # only a draw has none
    line = _target(state, proposal.kind, proposal.plies)
    if proposal.kind is Kind.UNDO:
        return Undone(proposal.plies, line.ply, proposal.position)
    moves = tuple(step.move for step in line.steps[len(state.line) :] if step.move is not None)
    return Redone(proposal.plies, line.ply, moves, proposal.position)


def expire(state: State, now: int) -> tuple[Event, ...]:
    """Close a vote past its deadline: silence is a no."""
    if state.proposal is None or now < state.proposal.deadline:
        return ()
    return (Closed(state.proposal.number, Closure.EXPIRED),)


def close_for_progress(state: State, mover: int | None, gone: frozenset[int], over: bool) -> tuple[Event, ...]:
    """What a move (by `mover`) or a departure does to the open vote.

    `gone` are the seats that leave the game by it; `over` says that the game ends with it.
    """
    proposal = state.proposal
    if proposal is None:
        return ()
    if proposal.kind is not Kind.DRAW or over or not gone.isdisjoint(proposal.electorate):
        return (Closed(proposal.number, Closure.SUPERSEDED),)
    if mover in proposal.electorate and proposal.vote_of(mover) is None:
        return Voted(proposal.number, mover, False), Closed(proposal.number, Closure.REFUSED)
    return ()
