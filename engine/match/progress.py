"""The consequences of a move or departure for the match: eliminations, the open vote, the end of the game."""

from collections import Counter
from dataclasses import replace
from typing import Final

from fourfold.engine.match import events as e
from fourfold.engine.match.display import sight
from fourfold.engine.match.state import State
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import rules_of

Events = tuple[e.Event, ...]

LEAST_MOVES: Final = 2
"""Moves that each seat must have made for a game to be rated."""

_DEPARTURES: dict[Termination, type[e.Resigned | e.Flagged | e.Removed]] = {
    Termination.RESIGNATION: e.Resigned,
    Termination.TIME: e.Flagged,
    Termination.ABANDONMENT: e.Removed,
}


def depart(state: State, seat: int, reason: Termination) -> Events:
    """The events of a seat's departure: by resignation, on time, or by vote."""
    position = state.position
    after = position.eliminate(seat, reason)
    return _DEPARTURES[reason](seat, sight(position, after)), *consequences(state, after, mover=None)


def consequences(state: State, after: Position, mover: int | None) -> Events:
    """The events that follow from a new position. `mover` made the last move; None for a departure.

    Walking kings move at once, by the moves that the seed decides.
    """
    if after.outcome is None and not after.eliminated and not after.walking and state.proposal is None:
        return ()
    events, after = settle(after, state.ply + (mover is not None))
    gone = {event.seat for event in events if isinstance(event, e.Eliminated)}
    ended = () if after.outcome is None else (finished(state, after.outcome, mover),)
    return *events, *_close(state, mover, gone, over=after.outcome is not None), *ended


def settle(position: Position, ply: int) -> tuple[list[e.Event], Position]:
    """The eliminations in a position, the moves of walking kings, and the position after them. `ply` is the number of
    moves up to the given position."""
    events = eliminations(position)
    while (walk := position.walk) is not None:
        before, position, ply = position, position.play(walk), ply + 1
        events.append(e.Moved(before.turn, walk.text, ply, None, position, sight(before, position, walk)))
        events += eliminations(position)
    return events, position


def eliminations(position: Position) -> list[e.Event]:
    """The events for the eliminations that led to a position."""
    return [e.Eliminated(out.seat, out.reason, out.by) for out in position.eliminated]


def finish(state: State, outcome: Outcome) -> Events:
    """The events of an end without a move."""
    return *_close(state, None, set(), over=True), finished(state, outcome)


def finished(state: State, outcome: Outcome, mover: int | None = None) -> e.Finished:
    """The end of the game, with the new scores of the series: 1 for a win, ½ for a draw among the players still in.
    `mover` is as in `why_unrated`."""
    scores = tuple(seat.score + _half_points(outcome, index) for index, seat in enumerate(state.seats))
    return e.Finished(outcome, scores, why_unrated(state, outcome, mover))


def why_unrated(state: State, outcome: Outcome, mover: int | None = None) -> str:
    """The reason why a game cannot be rated; empty if it can.

    `too_short`: a seat has not moved twice. `same_address`: opponents played from one address. `mover` is the seat of
    the last move, if the state does not have that move yet.
    """
    if outcome.termination is Termination.ABORTED or state.terms.imported or not state.terms.rated:
        return ""  # these games are unrated for a known reason
    moves = Counter[int]([] if mover is None else [mover])
    gone: set[int] = set()
    for step in state.line:
        if step.move is None:
            gone.add(step.seat)
        elif step.seat not in gone:  # otherwise its king walks by itself
            moves[step.seat] += 1
    if any(moves[seat] < LEAST_MOVES for seat in range(len(state.seats))):
        return "too_short"
    sides = {(seat.mark, side) for seat, side in zip(state.seats, rules_of(state.variant).teams, strict=True)}
    marks = [mark for mark, _ in sides if mark]
    return "same_address" if len(set(marks)) < len(marks) and not state.terms.same_address else ""


def _half_points(outcome: Outcome, seat: int) -> int:
    if outcome.termination is Termination.ABORTED:
        return 0
    if outcome.winners:
        return 2 * (seat in outcome.winners)
    return int(outcome.standings[seat] == 1)


def without_vote(state: State) -> State:
    """The state without the open vote, which an earlier event of the same decision has closed."""
    return replace(state, proposal=None)


def _close(state: State, mover: int | None, gone: set[int], *, over: bool) -> Events:
    """The events that close the open vote. A move supersedes an undo or redo. It counts as a no to a draw if the mover
    has not voted. An elimination supersedes a vote that has the seat as an elector or is about it."""
    proposal = state.proposal
    if proposal is None:
        return ()
    on_the_line = proposal.kind in (e.ProposalKind.UNDO, e.ProposalKind.REDO)
    if over or on_the_line or gone & {*proposal.electorate, proposal.absentee}:
        return (e.Closed(proposal.number, e.Closure.SUPERSEDED),)
    voter = None if mover is None else state.together(mover)[0]
    if proposal.kind is e.ProposalKind.DRAW and voter in proposal.electorate and proposal.vote_of(voter) is None:
        return e.Voted(proposal.number, voter, False), e.Closed(proposal.number, e.Closure.REFUSED)
    return ()
