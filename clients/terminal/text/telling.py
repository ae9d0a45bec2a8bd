"""What happens in a match, in the words of the protocol: for a game that no server tells of. Pure.

An event of the engine and one of the protocol have the same name and nearly the same fields; here is how the values
differ: seats are numbers there and names here, pairs are maps here.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from typing import Any, Final

from fourfold.engine.match import Decision, State, Status
from fourfold.engine.match import events as e
from fourfold.engine.match.clock import Clocks, Tick
from fourfold.engine.match.display import Sight
from fourfold.engine.match.history import moves_in
from fourfold.engine.match.state import Proposal
from fourfold.engine.outcome import Outcome
from fourfold.protocol import events as happened
from fourfold.protocol import from_server as told

Names = Sequence[str]
"""The seats' names, in the order of turns."""


def snapshot(room: str, state: State, now: int) -> told.Room:
    """All there is to know of a match; everybody in it is there."""
    position = state.position
    out = {seat: "set_up" for seat in range(len(position.seats)) if seat not in position.alive}
    out |= {gone.seat: gone.reason.value for gone in state.out}
    seats = [
        told.Seat(
            name,
            one.player,
            one.name,
            online=one.player is not None,
            out=out.get(index),
            invited=one.invited,
            stand_in=one.stand_in_name,
            score=one.score / 2,
        )
        for index, (name, one) in enumerate(zip(position.seats, state.seats, strict=True))
    ]
    return told.Room(
        room=room,
        variant=state.variant,
        status=state.status.value,
        seats=seats,
        start=state.start.fen(),
        position=position.fen(),
        moves=[step.move for step in state.line if step.move is not None],
        redo=moves_in(state.undone),
        clocks=_clocks(state.clocks, position.seats),
        turn=position.seats[position.turn] if state.status is Status.PLAYING else None,
        proposal=_proposal(state.proposal, position.seats),
        result=None if state.outcome is None else _result(state.outcome, position.seats),
        watchers=0,
        seq=state.seq,
        time=now,
        decided=state.at,
        game=state.game,
        visibility=state.visibility,
        host=state.host,
        chat=state.terms.chat,
        check=[position.seats[seat] for seat in position.checked()],
        claims={position.seats[seat]: [claim.value] for seat in position.alive if (claim := state.claim(seat))},
    )


def turn(room: str, state: State) -> told.Turn:
    """What the player to move is told."""
    position = state.position
    claim = state.claim(position.turn)
    claims = [] if claim is None else [claim.value]
    return told.Turn(room, state.seq, position.seats[position.turn], position.legal_texts(), claims)


def update(room: str, names: Names, decision: Decision) -> told.Update:
    """One decision."""
    events = [event(one, names) for one in decision.events if not isinstance(one, e.Created)]
    return told.Update(room, decision.seq, decision.at, events)


def event(event: e.Event, names: Names) -> happened.AnyEvent:
    """One event; any but `Created`, which is told to nobody."""
    cls = getattr(happened, type(event).__name__)
    values = {}
    for field in cls.__struct_fields__:
        value = getattr(event, _ELSEWHERE.get((cls, field), field))
        values[field] = _VALUES.get(field, _same)(value, names)
    made: happened.AnyEvent = cls(**values)
    return made


def _same(value: Any, _: Names) -> Any:
    return value


def _seat(seat: int | None, names: Names) -> str | None:
    return None if seat is None else names[seat]


def _seats(seats: Collection[int], names: Names) -> list[str]:
    return [names[seat] for seat in seats]


def _by_seat(values: Sequence[Any] | None, names: Names) -> dict[str, Any] | None:
    return None if values is None else dict(zip(names, values, strict=True))


def _out(out: Sequence[tuple[int, str]], names: Names) -> dict[str, str]:
    return {names[seat]: reason for seat, reason in out}


def _tick(tick: Tick | None, _: Names) -> happened.Tick | None:
    return None if tick is None else happened.Tick(tick.spent, tick.lag, tick.gained, tick.left)


def _sight(sight: Sight | None, names: Names) -> happened.Sight | None:
    if sight is None:
        return None
    changes = {square: cell or None for square, cell in sight.changes}
    return happened.Sight(sight.text, changes, _seats(sight.check, names), _by_seat(sight.points, names))


def _result(outcome: Outcome, names: Names) -> happened.Result:
    places = dict(zip(names, outcome.standings, strict=True))
    return happened.Result(
        outcome.termination.value, _seats(outcome.winners, names), places, _by_seat(outcome.points, names)
    )


def _scores(scores: Sequence[int], names: Names) -> dict[str, float]:
    return {name: score / 2 for name, score in zip(names, scores, strict=True)}


def _players(players: Sequence[tuple[str, str, int]], names: Names) -> list[happened.Player]:
    return [
        happened.Player(seat, player, name, score / 2)
        for seat, (player, name, score) in zip(names, players, strict=True)
    ]


def _clocks(clocks: Clocks | None, names: Names) -> told.Clocks | None:
    if clocks is None:
        return None
    return told.Clocks(**asdict(clocks.control), left=dict(zip(names, clocks.left, strict=True)), since=clocks.since)


def _proposal(proposal: Proposal | None, names: Names) -> told.Proposal | None:
    if proposal is None:
        return None
    return told.Proposal(
        proposal=proposal.number,
        kind=proposal.kind.value,
        seat=names[proposal.seat],
        plies=proposal.plies,
        ply=proposal.target,
        position=proposal.position,
        electorate=_seats(proposal.electorate, names),
        votes={names[seat]: accept for seat, accept in proposal.votes},
        deadline=proposal.deadline,
        absentee=_seat(proposal.absentee, names),
        level=proposal.level,
    )


def _term(term: Any, _: Names) -> str:
    return str(term.value)


_ELSEWHERE: Final[dict[tuple[type, str], str]] = {
    (happened.Proposed, "proposal"): "number",
    (happened.Voted, "proposal"): "number",
    (happened.Closed, "proposal"): "number",
    (happened.Closed, "outcome"): "closure",
    (happened.Finished, "result"): "outcome",
    (happened.Rematched, "seats"): "players",
}
"""The fields of the protocol's events that the engine calls otherwise."""

_VALUES: Final[dict[str, Callable[[Any, Names], Any]]] = {
    "seat": _seat,
    "by": _seat,
    "absentee": _seat,
    "electorate": _seats,
    "left": _by_seat,
    "out": _out,
    "tick": _tick,
    "sight": _sight,
    "result": _result,
    "scores": _scores,
    "seats": _players,
    "kind": _term,
    "outcome": _term,
    "reason": _term,
    "moves": lambda moves, _: list(moves),
}
"""How the values of a field are told; as they are, where it is not among these."""
