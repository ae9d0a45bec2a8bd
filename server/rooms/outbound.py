"""From the match to the wire: what each audience is told. Pure.

Seats become names, positions become FEN or FEN4, and every frame is encoded once for each codec,
however many it is sent to.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fourfold.engine.match import events as e
from fourfold.engine.match.clock import Clocks
from fourfold.engine.match.display import Sight
from fourfold.engine.match.events import Decision
from fourfold.engine.match.history import moves_in
from fourfold.engine.match.state import Proposal, State, Status
from fourfold.engine.outcome import Outcome
from fourfold.protocol import events as happened
from fourfold.protocol import from_server as wire
from fourfold.protocol.codec import Codec
from fourfold.server.players.identity import is_bot


class Encoded:
    """A frame on its way to many: its bytes are made once for each codec that asks."""

    __slots__ = ("_bytes", "frame")

    def __init__(self, frame: wire.Frame) -> None:
        self.frame = frame
        self._bytes: dict[Codec, bytes] = {}

    def to(self, codec: Codec) -> bytes:
        """The frame's bytes in one codec."""
        data = self._bytes.get(codec)
        if data is None:
            data = self._bytes[codec] = codec.encode(self.frame)
        return data


class Attendance(NamedTuple):
    """Who is in a room: the seats whose players are `away`, each with the moment from which that is counted (ms since
    1970), how many watch, and after how many milliseconds somebody who is away is absent."""

    away: Mapping[int, int]
    watchers: int
    absence: int


def snapshot(room: str, state: State, attendance: Attendance, now: int) -> wire.Room:
    """All there is to know of a room."""
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
                bot=is_bot(seat.player or ""),
                invited=seat.invited,
                stand_in=seat.stand_in_name,
                score=seat.score / 2,
                since=away.get(index),
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
        result=None if state.outcome is None else _result(position.seats, state.outcome),
        watchers=attendance.watchers,
        seq=state.seq,
        time=now,
        visibility=state.visibility,
        locked=state.terms.lock is not None,
        chat=state.terms.chat,
        check=[position.seats[seat] for seat in position.checked()],
        delay=state.terms.delay,
        host=state.host,
        absence=attendance.absence,
        decided=state.at,
        claims={position.seats[seat]: [claim.value] for seat in position.alive if (claim := state.claim(seat))},
    )


def turn(room: str, state: State) -> wire.Turn:
    """What the player to move is told."""
    position = state.position
    claim = state.claim(position.turn)
    claims = [] if claim is None else [claim.value]
    return wire.Turn(room, state.seq, position.seats[position.turn], position.legal_texts(), claims)


def update(room: str, names: Sequence[str], decision: Decision) -> wire.Update:
    """One decision, for everybody; `names` are the seats' names in turn order."""
    events = [_EVENT[type(event)](event, names) for event in decision.events if type(event) in _EVENT]
    return wire.Update(room, decision.seq, decision.at, events)


def _clocks(names: Sequence[str], clocks: Clocks) -> wire.Clocks:
    control = clocks.control
    left = dict(zip(names, clocks.left, strict=True))
    return wire.Clocks(control.base, control.increment, control.delay, left, clocks.since)


def _result(names: Sequence[str], outcome: Outcome) -> happened.Result:
    return happened.Result(
        reason=outcome.termination.value,
        winners=[names[seat] for seat in outcome.winners],
        standings=dict(zip(names, outcome.standings, strict=True)),
        points=None if outcome.points is None else dict(zip(names, outcome.points, strict=True)),
    )


def _proposal(names: Sequence[str], proposal: Proposal) -> wire.Proposal:
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


def _proposed(event: e.Proposed, names: Sequence[str]) -> happened.Proposed:
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


def _moved(event: e.Moved, names: Sequence[str]) -> happened.Moved:
    tick = event.tick
    told = None if tick is None else happened.Tick(tick.spent, tick.lag, tick.gained, tick.left)
    return happened.Moved(names[event.seat], event.move, event.ply, told, _sight(event.sight, names))


def _sight(sight: Sight | None, names: Sequence[str]) -> happened.Sight | None:
    if sight is None:
        return None
    points = None if sight.points is None else dict(zip(names, sight.points, strict=True))
    changes = {square: cell or None for square, cell in sight.changes}
    return happened.Sight(sight.text, changes, [names[seat] for seat in sight.check], points)


def _left(left: tuple[int, ...] | None, names: Sequence[str]) -> dict[str, int] | None:
    return None if left is None else dict(zip(names, left, strict=True))


def _undone(event: e.Undone, names: Sequence[str]) -> happened.Undone:
    return happened.Undone(event.plies, event.ply, event.position, _out(event.out, names), _left(event.left, names))


def _redone(event: e.Redone, names: Sequence[str]) -> happened.Redone:
    out, left = _out(event.out, names), _left(event.left, names)
    return happened.Redone(event.plies, event.ply, list(event.moves), event.position, out, left)


def _out(out: tuple[tuple[int, str], ...], names: Sequence[str]) -> dict[str, str]:
    return {names[seat]: reason for seat, reason in out}


def _finished(event: e.Finished, names: Sequence[str]) -> happened.Finished:
    scores = {name: score / 2 for name, score in zip(names, event.scores, strict=True)}
    return happened.Finished(_result(names, event.outcome), scores)


def _rematched(event: e.Rematched, names: Sequence[str]) -> happened.Rematched:
    people = [
        happened.Player(seat, player, name, score / 2)
        for seat, (player, name, score) in zip(names, event.players, strict=True)
    ]
    return happened.Rematched(event.game, people)


def _eliminated(event: e.Eliminated, names: Sequence[str]) -> happened.Eliminated:
    return happened.Eliminated(names[event.seat], event.reason.value, None if event.by is None else names[event.by])


_EVENT: dict[type[e.Event], Callable[[Any, Sequence[str]], happened.AnyEvent]] = {
    e.Seated: lambda event, names: happened.Seated(names[event.seat], event.player, event.name),
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
    e.Proposed: _proposed,
    e.Voted: lambda event, names: happened.Voted(event.number, names[event.seat], event.accept),
    e.Closed: lambda event, names: happened.Closed(event.number, event.closure.value),
    e.Undone: _undone,
    e.Redone: _redone,
    e.Finished: _finished,
    e.Rematched: _rematched,
}
"""Every event the wire tells; `created` it does not, since nobody is there yet."""
