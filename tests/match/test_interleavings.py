"""Any order of events: moves, proposals, votes, flags, resignations, absences, and late or foreign commands.

For all random commands: each leads to at most one decision, only electors can vote, an undo restores its ply exactly,
and replaying the log gives the same match.
"""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.engine.match import Decision, Rejection, State, Status, decide, evolve, replay
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import (
    Abort,
    Claim,
    Command,
    Create,
    Expire,
    Move,
    Propose,
    Resign,
    Return,
    Sit,
    Vote,
    Withdraw,
)
from fourfold.engine.match.events import (
    Closed,
    Closure,
    Event,
    Finished,
    Moved,
    ProposalKind,
    Proposed,
    Redone,
    Undone,
    Voted,
)
from fourfold.engine.match.history import moves_in
from fourfold.engine.outcome import Elimination
from fourfold.engine.position import Position

Ply = tuple[Position, tuple[int, ...] | None, tuple[Elimination, ...]]
"""Everything that an undo must restore: position (with history), clocks, eliminations."""


class Evening:
    """A match of random players, checked at every step."""

    def __init__(self, variant: str, control: Control | None, seed: int) -> None:
        self.chance = Random(seed)
        self.now = 1_000_000
        self.log: list[Decision] = []
        self.plies: dict[int, Ply] = {}
        self.state: State = self._create(variant, control, seed)
        for name in self.state.position.seats:
            self.ask(Sit(name, name), name)
        self.plies[0] = self.here()

    def _create(self, variant: str, control: Control | None, seed: int) -> State:
        events = decide(None, Create(variant, control=control, seed=seed), "host", self.now)
        assert not isinstance(events, Rejection)
        self.log.append(Decision(1, self.now, "host", "", events))
        return evolve(None, self.log[0])

    def here(self) -> Ply:
        clocks = self.state.clocks
        return self.state.position, None if clocks is None else clocks.left, self.state.out

    def ask(self, command: Command, by: str) -> tuple[Event, ...]:
        before = self.state
        events = decide(before, command, by, self.now)
        assert decide(before, command, by, self.now) == events, "deciding changes nothing"
        if isinstance(events, Rejection) or not events:
            return ()
        decision = Decision(before.seq + 1, self.now, by, "", events)
        self.log.append(decision)
        self.state = evolve(before, decision)
        self.check(before, events)
        return events

    def check(self, before: State, events: tuple[Event, ...]) -> None:
        state = self.state
        assert state.seq == before.seq + 1
        assert sum(isinstance(event, Closed) for event in events) <= 1
        assert sum(isinstance(event, Finished) for event in events) <= 1
        votes = dict(before.proposal.votes) if before.proposal is not None else {}
        electorate = before.proposal.electorate if before.proposal is not None else ()
        for event in events:
            match event:
                case Proposed():
                    assert before.proposal is None, "one at a time"
                    votes, electorate = {event.seat: True}, event.electorate
                    assert event.seat in electorate
                case Voted():
                    assert event.seat in electorate, "nobody outside the electorate counts"
                    assert event.seat not in votes, "nobody twice"
                    votes[event.seat] = event.accept
                case Closed(closure=Closure.CARRIED):
                    assert votes == dict.fromkeys(electorate, True), "unanimity"
                case Closed(closure=Closure.REFUSED):
                    assert False in votes.values()
                case Closed(closure=Closure.EXPIRED):
                    assert before.proposal is not None
                    assert self.now >= before.proposal.deadline
                case Undone() | Redone():
                    asked = {state.together(seat)[0] for seat in state.position.alive}
                    assert asked <= set(electorate), "who comes back is asked"
                    assert self.here() == self.plies[event.ply]
                    assert state.position.legal_texts() == self.plies[event.ply][0].legal_texts()
                    then = self.plies[event.ply][0]
                    assert state.position.may_claim(state.position.turn) == then.may_claim(then.turn)
        if any(isinstance(event, Moved) for event in events):
            self.plies = {ply: known for ply, known in self.plies.items() if ply < state.ply}
        if not any(isinstance(event, Undone | Redone) for event in events):
            self.plies[state.ply] = self.here()

    def turn(self) -> None:
        """Run a random command."""
        chance, state = self.chance, self.state
        names = state.position.seats
        self.now += chance.choice([0, 20, 900, 4_000])
        due = state.deadline()
        if due is not None and due <= self.now and chance.random() < 0.9:
            assert self.ask(Expire(), ""), "what is due happens"
            return
        who = chance.choice([*names, "host", "stranger"])
        mover = state.seats[state.position.turn].player or ""
        seen = state.seq - chance.choice([0, 0, 0, 0, 3])
        legal = state.position.legal_texts()
        absentee = chance.choice(names)
        there_are = moves_in(state.undone) if state.undone else min(4, state.ply)
        command, by = chance.choices(
            [
                (Move(chance.choice(legal) if legal else "a1a1", seen, chance.choice([0, 60])), mover),
                (Move("e2e4", seen), who),
                (
                    Propose(
                        ProposalKind.REDO if state.undone else ProposalKind.UNDO, seen, chance.randint(1, there_are + 1)
                    ),
                    who,
                ),
                (Propose(ProposalKind.DRAW, seen), who),
                (
                    Propose(
                        chance.choice([ProposalKind.STAND_IN, ProposalKind.REMOVE]),
                        seen,
                        seat=absentee,
                        level=chance.choice([None, 3]),
                        absent={names.index(absentee): state.at + chance.choice([-1, 0, 60_000])},
                    ),
                    who,
                ),
                (Vote(max(1, state.proposals - chance.choice([0, 0, 0, 1])), chance.random() < 0.93), who),
                (Withdraw(max(1, state.proposals)), who),
                (Claim(), who),
                (Resign(), who),
                (Abort(), who),
                (Sit("Bot", bot=True, level=3), "bot:x"),
                (Return(), who),
                (Expire(), ""),
            ],
            [
                *((10, 3, 40) if state.undone else (60, 3, 14)),
                *(1.5, 5, 300 if state.proposal else 2, 1, 1, 0.6, 0.1, 5, 5, 1),
            ],
        )[0]
        self.ask(command, by)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    variant=st.sampled_from(["standard", "survivor", "ffa", "teams", "selfpartner"]),
    control=st.sampled_from([None, Control(60_000), Control(30_000, 2_000), Control(20_000, 0, 5_000)]),
)
def test_any_interleaving_keeps_the_rules(seed: int, variant: str, control: Control | None) -> None:
    evening = Evening(variant, control, seed)
    for _ in range(150):
        if evening.state.status is Status.FINISHED:
            break
        evening.turn()
    assert replay(evening.log) == evening.state


def test_the_interleavings_reach_everything() -> None:
    """The property above would prove little if its events never occurred."""
    reached: set[str] = set()
    for seed in range(60):
        variant = ("standard", "survivor", "ffa", "teams")[seed % 4]
        evening = Evening(variant, [None, Control(20_000, 0, 5_000)][seed % 8 // 4], seed)
        for _ in range(150):
            if evening.state.status is Status.FINISHED:
                break
            evening.turn()
        for decision in evening.log:
            reached |= {type(event).__name__ for event in decision.events}
            reached |= {event.closure.value for event in decision.events if isinstance(event, Closed)}
    assert reached >= {"Undone", "Redone", "Flagged", "Resigned", "Eliminated", "Removed", "Invited", "StoodIn"}
    assert reached >= {"Returned", "Finished", "carried", "refused", "expired", "superseded"}
