"""Messages show every event and all its fields as in the engine, compared with a translation by field names."""

import random
from collections.abc import Sequence
from enum import Enum
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.engine.match import Decision, Rejection, State, decide, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Command, Create, Expire, Invite, Move, Propose, Resign, Return, Sit, Vote
from fourfold.engine.match.events import Created, Event, Finished, ProposalKind
from fourfold.engine.study.events import Event as StudyEvent
from fourfold.protocol import events as happened
from fourfold.protocol import projection, study_projection


def wild(variant: str, seed: int, timed: bool) -> tuple[list[Decision], list[State]]:
    """A match with all kinds of commands."""
    chance = random.Random(seed)
    log: list[Decision] = []
    states: list[State] = []
    now = 0

    def ask(command: Command, by: str) -> None:
        nonlocal now
        now += chance.randrange(2000)
        state = states[-1] if states else None
        verdict = decide(state, command, by, now)
        if not isinstance(verdict, Rejection) and verdict:
            log.append(Decision(len(log) + 1, now, by, "", verdict))
            states.append(evolve(state, log[-1]))

    ask(Create(variant, control=Control(600_000, 1000) if timed else None, seed=seed), "host")
    names = states[-1].position.seats
    for name in names:
        ask(Sit(name.title()), name)
    for _ in range(60):
        state = states[-1]
        by = state.seats[state.position.turn].player or ""
        anybody = chance.choice(names)
        absent = chance.choice(names)
        wishes: list[tuple[Command, str]] = [
            (Move(chance.choice(state.position.legal_texts() or ["e2e4"]), state.seq), by),
            (Move(chance.choice(state.position.legal_texts() or ["e2e4"]), state.seq), by),
            (Propose(ProposalKind(chance.choice(["undo", "redo", "draw", "rematch"])), state.seq), anybody),
            (Propose(ProposalKind.STAND_IN, state.seq, seat=absent, level=1, absent={names.index(absent): 0}), anybody),
            (Propose(ProposalKind.REMOVE, state.seq, seat=absent, absent={names.index(absent): 0}), anybody),
            (Sit("Bot", absent, bot=True, level=1), "bot"),
            (Invite(2), "host"),
            (Return(), anybody),
            (Resign(), anybody if chance.random() < 0.1 else ""),
            (Expire(), ""),
        ]
        redo: tuple[Command, str] = (Propose(ProposalKind.REDO, state.seq), anybody)
        ask(*(redo if state.undone and chance.random() < 0.5 else chance.choice(wishes)))
        proposal = states[-1].proposal
        if proposal is not None:
            ask(Vote(proposal.number, chance.random() < 0.9), chance.choice(names))
    return log, states


ELSEWHERE = {
    (happened.Proposed, "proposal"): "number",
    (happened.Voted, "proposal"): "number",
    (happened.Closed, "proposal"): "number",
    (happened.Closed, "outcome"): "closure",
    (happened.Finished, "result"): "outcome",
    (happened.Rematched, "seats"): "players",
}
"""Protocol fields whose names differ in the engine."""


def by_fields(event: Any, names: Sequence[str]) -> Any:
    """An event as a message, made field by field."""
    shape = getattr(happened, type(event).__name__)
    fields = {name: getattr(event, ELSEWHERE.get((shape, name), name)) for name in shape.__struct_fields__}
    if isinstance(event, Finished):
        fields["result"] = event.outcome, event.unrated
    return shape(**{name: by_name(name, value, names) for name, value in fields.items()})


def by_name(field: str, value: Any, names: Sequence[str]) -> Any:
    match field, value:
        case _, None:
            return None
        case "seat" | "by" | "absentee", seat:
            return names[seat]
        case "electorate" | "check" | "winners", seats:
            return [names[seat] for seat in seats]
        case "left" | "points" | "standings", values:
            return dict(zip(names, values, strict=True))
        case "out", out:
            return {names[seat]: reason for seat, reason in out}
        case "tick", tick:
            return happened.Tick(tick.spent, tick.lag, tick.gained, tick.left)
        case "sight", sight:
            fields = {name: by_name(name, getattr(sight, name), names) for name in ("text", "check", "points")}
            return happened.Sight(changes={square: cell or None for square, cell in sight.changes}, **fields)
        case "result", (outcome, unrated):
            fields = {name: by_name(name, getattr(outcome, name), names) for name in ("winners", "standings", "points")}
            return happened.Result(outcome.termination.value, **fields, unrated=unrated or None)
        case "scores", scores:
            return {name: score / 2 for name, score in zip(names, scores, strict=True)}
        case "seats", players:
            return [happened.Player(seat, *one[:2], one[2] / 2) for seat, one in zip(names, players, strict=True)]
        case "moves", moves:
            return list(moves)
        case _, Enum():
            return value.value
    return value


@settings(max_examples=40)
@given(st.sampled_from(["standard", "survivor", "ffa", "teams"]), st.integers(0, 2**32), st.booleans())
def test_every_field_of_every_event_is_told(variant: str, seed: int, timed: bool) -> None:
    log, states = wild(variant, seed, timed)
    names = states[-1].position.seats
    for decision in log:
        update = projection.update("room", names, decision)
        assert (update.room, update.seq, update.time) == ("room", decision.seq, decision.at)
        events = [event for event in decision.events if not isinstance(event, Created)]
        assert update.events == [by_fields(event, names) for event in events]


def test_every_event_but_one_is_told() -> None:
    of_studies = {one.__name__ for one in get_args(happened.AnyEvent) if one.__name__ not in MATCH_EVENTS}
    told = {event.__name__ for event in get_args(happened.AnyEvent)} - of_studies
    assert told == MATCH_EVENTS - {"Created"}
    assert {event.__name__ for event in projection._EVENT} == told
    assert len(of_studies) == len(get_args(StudyEvent)) == len(study_projection._EVENTS)


MATCH_EVENTS = {event.__name__ for event in get_args(Event)}


def test_a_snapshot_tells_who_is_here() -> None:
    _, states = wild("survivor", 1, False)
    here = projection.snapshot("room", states[-1], projection.Attendance(), 7)
    assert (here.time, here.watchers, here.absence) == (7, 0, 60_000)
    assert all(seat.online and seat.since is None and not seat.bot for seat in here.seats)
    gone = projection.snapshot("room", states[-1], projection.Attendance({1: 5}, 3, 1000, {2}), 7)
    assert (gone.watchers, gone.absence) == (3, 1000)
    assert [(seat.online, seat.since, seat.bot) for seat in gone.seats] == [
        (True, None, False),
        (False, 5, False),
        (True, None, True),
        (True, None, False),
    ]


def test_the_matches_are_wild() -> None:
    kinds = {
        type(event).__name__
        for seed in range(60)
        for one in wild("survivor", seed, seed % 2 == 0)[0]
        for event in one.events
    }
    assert kinds >= {"Moved", "Proposed", "Voted", "Closed", "Undone", "Redone", "StoodIn", "Resigned", "Eliminated"}
