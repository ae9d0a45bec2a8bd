"""What play does to the rest of the match: who is out, what becomes of the open vote, whether the game is over."""

from collections import Counter
from dataclasses import replace
from typing import Final

from fourfold.engine.match.display import sight
from fourfold.engine.match.events import (
    Closed,
    Closure,
    Eliminated,
    Event,
    Finished,
    Flagged,
    Moved,
    ProposalKind,
    Removed,
    Resigned,
    Voted,
)
from fourfold.engine.match.state import State
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import rules_of

Events = tuple[Event, ...]

LEAST_MOVES: Final = 2
"""How many moves each seat must have made for a game to be rated."""

_DEPARTURES: dict[Termination, type[Resigned | Flagged | Removed]] = {
    Termination.RESIGNATION: Resigned,
    Termination.TIME: Flagged,
    Termination.ABANDONMENT: Removed,
}


def depart(state: State, seat: int, reason: Termination) -> Events:
    """A seat leaves between moves: by resignation, on time, or voted out."""
    position = state.position
    after = position.eliminate(seat, reason)
    return _DEPARTURES[reason](seat, sight(position, after)), *consequences(state, after, mover=None)


def consequences(state: State, after: Position, mover: int | None) -> Events:
    """What follows from reaching a position, by a move of `mover` or (None) by a departure.

    Kings of players who have left may walk on: their moves, which chance has settled, are made at once.
    """
    if after.outcome is None and not after.eliminated and not after.walking and state.proposal is None:
        return ()
    events, after = settle(after, state.ply + (mover is not None))
    gone = {event.seat for event in events if isinstance(event, Eliminated)}
    ended = () if after.outcome is None else (finished(state, after.outcome, mover),)
    return *events, *_close(state, mover, gone, over=after.outcome is not None), *ended


def settle(position: Position, ply: int) -> tuple[list[Event], Position]:
    """Who goes out with reaching a position, at a ply, and how dead kings walk on from there; and where that leads."""
    events = eliminations(position)
    while (walk := position.walk) is not None:
        before, position, ply = position, position.play(walk), ply + 1
        events.append(Moved(before.turn, walk.text, ply, None, position, sight(before, position, walk)))
        events += eliminations(position)
    return events, position


def eliminations(position: Position) -> list[Event]:
    """Who goes out with reaching a position."""
    return [Eliminated(out.seat, out.reason, out.by) for out in position.eliminated]


def finish(state: State, outcome: Outcome) -> Events:
    """The game ends by something else than a move."""
    return *_close(state, None, set(), over=True), finished(state, outcome)


def finished(state: State, outcome: Outcome, mover: int | None = None) -> Finished:
    """The end of the game, with what it adds to the score of the series: 1 for a win, ½ for a draw survived.
    `mover` is as in `why_unrated`."""
    scores = tuple(seat.score + _half_points(outcome, index) for index, seat in enumerate(state.seats))
    return Finished(outcome, scores, why_unrated(state, outcome, mover))


def why_unrated(state: State, outcome: Outcome, mover: int | None = None) -> str:
    """Why the way a game was played keeps it from being rated; empty if nothing does. `mover` makes the last move,
    which the state does not have yet.

    `too_short`: a seat has not moved twice. `same_address`: opponents have played from one address.
    """
    if outcome.termination is Termination.ABORTED or state.terms.imported or not state.terms.rated:
        return ""  # that says enough
    moves = Counter[int]([] if mover is None else [mover])
    gone: set[int] = set()
    for step in state.line:
        if step.move is None:
            gone.add(step.seat)
        elif step.seat not in gone:  # else its king walks by itself
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
    """The state as it will be when the open vote, whose closing has just been said, is gone."""
    return replace(state, proposal=None)


def _close(state: State, mover: int | None, gone: set[int], *, over: bool) -> Events:
    """What becomes of the open vote. A move supersedes an undo or redo, and answers no to a draw for a mover who has
    not voted. An elimination supersedes a vote in which the seat is an elector, or which is about it."""
    proposal = state.proposal
    if proposal is None:
        return ()
    on_the_line = proposal.kind in (ProposalKind.UNDO, ProposalKind.REDO)
    if over or on_the_line or gone & {*proposal.electorate, proposal.absentee}:
        return (Closed(proposal.number, Closure.SUPERSEDED),)
    if proposal.kind is ProposalKind.DRAW and mover in proposal.electorate and proposal.vote_of(mover) is None:
        return Voted(proposal.number, mover, False), Closed(proposal.number, Closure.REFUSED)
    return ()
