"""A match without a server is told of in the very words of a server."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.clients.terminal.text import telling
from fourfold.engine.match import Decision, Rejection, State, decide, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Command, Create, Expire, Invite, Move, Propose, Resign, Return, Sit, Vote
from fourfold.engine.match.events import Kind
from fourfold.server.rooms import outbound


def wild(variant: str, seed: int, timed: bool) -> tuple[list[Decision], list[State]]:
    """A match in which all sorts of things are asked for."""
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
            (Propose(Kind(chance.choice(["undo", "redo", "draw", "rematch"])), state.seq), anybody),
            (Propose(Kind.STAND_IN, state.seq, seat=absent, level=1, absent={names.index(absent): 0}), anybody),
            (Propose(Kind.REMOVE, state.seq, seat=absent, absent={names.index(absent): 0}), anybody),
            (Sit("Bot", absent, bot=True), "bot"),
            (Invite(2), "host"),
            (Return(), anybody),
            (Resign(), anybody if chance.random() < 0.1 else ""),
            (Expire(), ""),
        ]
        redo: tuple[Command, str] = (Propose(Kind.REDO, state.seq), anybody)
        ask(*(redo if state.undone and chance.random() < 0.5 else chance.choice(wishes)))
        proposal = states[-1].proposal
        if proposal is not None:
            ask(Vote(proposal.number, chance.random() < 0.9), chance.choice(names))
    return log, states


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(["standard", "survivor", "ffa", "teams"]), st.integers(0, 2**32), st.booleans())
def test_as_a_server_tells_it(variant: str, seed: int, timed: bool) -> None:
    log, states = wild(variant, seed, timed)
    names = states[-1].position.seats
    everybody = outbound.Attendance({}, 0, 60_000)
    for decision, state in zip(log, states, strict=True):
        assert telling.update("room", names, decision) == outbound.update("room", names, decision)
        here = telling.snapshot("room", state, 7)
        there = outbound.snapshot("room", state, everybody, 7)
        assert here == there


def test_the_matches_are_wild() -> None:
    kinds = {
        type(event).__name__
        for seed in range(60)
        for one in wild("survivor", seed, seed % 2 == 0)[0]
        for event in one.events
    }
    assert kinds >= {"Moved", "Proposed", "Voted", "Closed", "Undone", "Redone", "StoodIn", "Resigned", "Eliminated"}
