"""The translation of matches of the engine to messages, for the server and for local play. Pure.

Seats are numbers in the engine and names in messages. Positions become FEN or FEN4, and pairs become maps.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from fourfold.engine.decisions import Decision
from fourfold.engine.match import events as e
from fourfold.engine.match.clock import Clocks
from fourfold.engine.match.display import Sight
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.match.history import moves_in
from fourfold.engine.match.state import Proposal, State, Status
from fourfold.engine.match.votes import takes_stand_ins
from fourfold.engine.outcome import Outcome
from fourfold.protocol import events as happened
from fourfold.protocol import from_server as wire

Names = Sequence[str]
"""The names of the seats, in turn order."""


class Attendance(NamedTuple):
    """The parts of a snapshot that are not part of the match. By default all players are here, without watchers.

    `away` has the seats of absent players, each with the time from which the absence counts (milliseconds since 1970).
    `watchers` is the number of watchers. `absence` is the time after which a player who is away counts as absent, in
    milliseconds (None: never). `bots` has the seats of bots.
    """

    away: Mapping[int, int] = MappingProxyType({})
    watchers: int = 0
    absence: int | None = 60_000
    bots: Container[int] = ()


def snapshot(room: str, state: State, attendance: Attendance, now: int) -> wire.Room:
    """The snapshot of a room at the time `now` (milliseconds since 1970)."""
    position = state.position
    away = attendance.away
    playing = state.status is Status.PLAYING
    out = {seat: "set_up" for seat in range(len(position.seats)) if seat not in position.alive}
    out |= {gone.seat: gone.reason.value for gone in state.out}
    return wire.Room(
        room=room,
        variant=state.variant,
        status=state.status.value,
        game=state.game,
        seats=[
            wire.Seat(
                name,
                seat.player,
                seat.name,
                seat.player is not None and index not in away,
                out.get(index),
                bot=index in attendance.bots,
                invited=seat.invited,
                stand_in=seat.stand_in_name,
                score=seat.score / 2,
                since=away.get(index),
                berserk=True if state.clocks is not None and state.clocks.is_berserk(index) else UNSET,
            )
            for index, (name, seat) in enumerate(zip(position.seats, state.seats, strict=True))
        ],
        start=state.start.fen(),
        position=position.fen(),
        moves=[step.move for step in state.line if step.move is not None],
        redo=moves_in(state.undone),
        clocks=None if state.clocks is None else _clocks(position.seats, state.clocks),
        turn=position.seats[position.turn] if playing else None,
        proposal=None if state.proposal is None else _proposal(position.seats, state.proposal),
        result=None if state.outcome is None else _result(position.seats, state.outcome, state.unrated),
        watchers=attendance.watchers,
        seq=state.seq,
        time=now,
        visibility=state.visibility,
        locked=state.terms.lock is not None,
        chat=state.terms.chat,
        check=[position.seats[seat] for seat in position.checked()],
        delay=state.terms.delay,
        host=state.host,
        absence=wire.NEVER if attendance.absence is None else attendance.absence,
        absentee_votes=_absentee_votes(state, attendance.absence),
        decided=state.at,
        archived=state.archived,
        imported=state.terms.imported,
        rated=state.terms.rated,
        unrated=state.casual or UNSET,
        fill=state.terms.fill,
        paused=UNSET if state.paused is None else state.paused,
        claims={position.seats[seat]: [claim.value] for seat in position.alive if (claim := state.claim(seat))},
    )


def _absentee_votes(state: State, absence: int | None) -> list[str]:
    kinds = [ProposalKind.REMOVE] + [ProposalKind.STAND_IN] * takes_stand_ins(state)
    return [] if absence is None else [kind.value for kind in kinds]


def turn(room: str, state: State) -> wire.Turn:
    """The frame for the player to move, with legal moves and claims."""
    position = state.position
    claim = state.claim(position.turn)
    claims = [] if claim is None else [claim.value]
    return wire.Turn(room, state.seq, position.seats[position.turn], position.legal_texts(), claims)


def update(room: str, names: Names, decision: Decision) -> wire.Update:
    """The update for one decision."""
    events = [_EVENT[type(event)](event, names) for event in decision.events if type(event) in _EVENT]
    return wire.Update(room, decision.seq, decision.at, events)


def update_of(room: str, state: State, decision: Decision) -> wire.Update:
    """The update for one decision of a match, which is in a state now."""
    return update(room, state.position.seats, decision)


def _clocks(names: Names, clocks: Clocks) -> wire.Clocks:
    control = clocks.control
    left = dict(zip(names, clocks.left, strict=True))
    return wire.Clocks(control.base, control.increment, control.delay, left, clocks.since)


def _result(names: Names, outcome: Outcome, unrated: str) -> happened.Result:
    return happened.Result(
        reason=outcome.termination.value,
        winners=[names[seat] for seat in outcome.winners],
        standings=dict(zip(names, outcome.standings, strict=True)),
        points=None if outcome.points is None else dict(zip(names, outcome.points, strict=True)),
        unrated=unrated or None,
    )


def _proposal(names: Names, proposal: Proposal) -> wire.Proposal:
    return wire.Proposal(
        proposal=proposal.number,
        kind=proposal.kind.value,
        seat=names[proposal.seat],
        plies=proposal.plies,
        ply=proposal.target,
        position=proposal.position,
        electorate=[names[seat] for seat in proposal.electorate],
        votes={names[seat]: accept for seat, accept in proposal.votes},
        deadline=proposal.deadline,
        absentee=None if proposal.absentee is None else names[proposal.absentee],
        level=proposal.level,
    )


def _proposed(event: e.Proposed, names: Names) -> happened.Proposed:
    return happened.Proposed(
        proposal=event.number,
        kind=event.kind.value,
        seat=names[event.seat],
        plies=event.plies,
        ply=event.ply,
        position=event.position,
        electorate=[names[seat] for seat in event.electorate],
        deadline=event.deadline,
        absentee=None if event.absentee is None else names[event.absentee],
        level=event.level,
    )


def _moved(event: e.Moved, names: Names) -> happened.Moved:
    tick = event.tick
    told = None if tick is None else happened.Tick(tick.spent, tick.lag, tick.gained, tick.left)
    return happened.Moved(names[event.seat], event.move, event.ply, told, _sight(event.sight, names))


def _sight(sight: Sight | None, names: Names) -> happened.Sight | None:
    if sight is None:
        return None
    points = None if sight.points is None else dict(zip(names, sight.points, strict=True))
    changes = {square: cell or None for square, cell in sight.changes}
    hands = dict(zip(names, sight.hands, strict=True)) if sight.hands else UNSET
    return happened.Sight(sight.text, changes, [names[seat] for seat in sight.check], points, hands)


def _left(left: tuple[int, ...] | None, names: Names) -> dict[str, int] | None:
    return None if left is None else dict(zip(names, left, strict=True))


def _undone(event: e.Undone, names: Names) -> happened.Undone:
    return happened.Undone(event.plies, event.ply, event.position, _out(event.out, names), _left(event.left, names))


def _redone(event: e.Redone, names: Names) -> happened.Redone:
    out, left = _out(event.out, names), _left(event.left, names)
    return happened.Redone(event.plies, event.ply, list(event.moves), event.position, out, left)


def _out(out: tuple[tuple[int, str], ...], names: Names) -> dict[str, str]:
    return {names[seat]: reason for seat, reason in out}


def _finished(event: e.Finished, names: Names) -> happened.Finished:
    scores = {name: score / 2 for name, score in zip(names, event.scores, strict=True)}
    return happened.Finished(_result(names, event.outcome, event.unrated), scores)


def _rematched(event: e.Rematched, names: Names) -> happened.Rematched:
    people = [
        happened.Player(seat, player, name, score / 2)
        for seat, (player, name, score) in zip(names, event.players, strict=True)
    ]
    return happened.Rematched(event.game, people)


def _eliminated(event: e.Eliminated, names: Names) -> happened.Eliminated:
    return happened.Eliminated(names[event.seat], event.reason.value, None if event.by is None else names[event.by])


_EVENT: Final[dict[type[e.Event], Callable[[Any, Names], happened.AnyEvent]]] = {
    e.Seated: lambda event, names: happened.Seated(names[event.seat], event.player, event.name),
    e.Renamed: lambda event, names: happened.Renamed(names[event.seat], event.name),
    e.Unseated: lambda event, names: happened.Unseated(names[event.seat], event.kicked),
    e.Invited: lambda event, names: happened.Invited(names[event.seat], event.level),
    e.StoodIn: lambda event, names: happened.StoodIn(names[event.seat], event.player, event.name),
    e.Returned: lambda event, names: happened.Returned(names[event.seat]),
    e.Started: lambda event, names: happened.Started(),
    e.Moved: _moved,
    e.Eliminated: _eliminated,
    e.Resigned: lambda event, names: happened.Resigned(names[event.seat], _sight(event.sight, names)),
    e.Flagged: lambda event, names: happened.Flagged(names[event.seat], _sight(event.sight, names)),
    e.Removed: lambda event, names: happened.Removed(names[event.seat], _sight(event.sight, names)),
    e.Credited: lambda event, names: happened.Credited(names[event.seat], event.milliseconds, event.until),
    e.Adjourned: lambda event, names: happened.Adjourned(event.deadline),
    e.Paused: lambda event, names: happened.Paused(event.until, dict(zip(names, event.left, strict=True))),
    e.Resumed: lambda event, names: happened.Resumed(),
    e.Gave: lambda event, names: happened.Gave(names[event.seat], names[event.to], event.milliseconds),
    e.Berserked: lambda event, names: happened.Berserked(names[event.seat], event.left),
    e.Proposed: _proposed,
    e.Voted: lambda event, names: happened.Voted(event.number, names[event.seat], event.accept),
    e.Closed: lambda event, names: happened.Closed(event.number, event.closure.value),
    e.Undone: _undone,
    e.Redone: _redone,
    e.Finished: _finished,
    e.Archived: lambda event, names: happened.Archived(),
    e.Rematched: _rematched,
}
"""The translation of each event. `Created` has none, because no client follows the room yet."""
