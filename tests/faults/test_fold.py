"""The fold finds no fault in random games of the engine, and has the same clocks, votes and positions."""

import random
from dataclasses import replace
from typing import Any, Final

import pytest

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match import commands as ask
from fourfold.engine.match.clock import Control
from fourfold.engine.match.decide import NOBODY, decide
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.match.evolve import evolve
from fourfold.engine.match.state import State
from fourfold.engine.match.terms import Terms
from tests.faults.fold import apply
from tests.faults.game import Broken, Game
from tests.faults.history import entry
from tests.faults.refusals import Asked, justifies

STEPS: Final = 200
"""How often somebody tries something, in one series of games."""

CLOCKS: Final = (None, Control(60_000, 1_000), Control(20_000, 0, 2_000), Control(3_000, 100), Control(0, 0, 5_000))

PASSES: Final = (0, 10, 300, 300, 2_000, 25_000)
"""Milliseconds that pass between two attempts."""

KINDS: Final = (
    ProposalKind.UNDO, ProposalKind.REDO, ProposalKind.DRAW, ProposalKind.REMATCH, ProposalKind.PAUSE,
    ProposalKind.RESUME,
)  # fmt: skip


class Series:
    """Games of random players, decided by the engine and checked by the fold."""

    def __init__(
        self, chance: random.Random, variant: str, control: Control | None, late: int = 0, fill: int = 0
    ) -> None:
        """A decision is written `late` milliseconds after it was made. The fold knows when the command was sent.
        Computers of the level `fill` have all seats but the first, if it is not 0."""
        self.chance = chance
        self.now = 1_800_000_000_000
        self.happened: set[str] = set()
        self._late, self._sent = late, self.now
        self.game = Game(sent=lambda by, key: self._sent)
        self._state: State | None = None
        terms = Terms(seek=True, rated=False, fill=fill) if fill else Terms(rated=chance.random() < 0.5)
        self.do(ask.Create(variant, control=control, terms=terms), "p0")
        for number in range(len(self.state.seats)):
            bot = fill > 0 and number > 0
            self.do(ask.Sit(f"name{number}", bot=bot), f"bot:level{fill}:{number}" if bot else f"p{number}")

    @property
    def state(self) -> State:
        assert self._state is not None
        return self._state

    def do(self, command: Any, by: str) -> None:
        """Give a command. If it is not rejected, the fold takes its decision too."""
        verdict = decide(self._state, command, by, self.now)
        if isinstance(verdict, Rejection) or not verdict:
            return
        self._sent, self.now = self.now, self.now + self._late
        seq = 1 if self._state is None else self._state.seq + 1
        decision = Decision(seq, self.now, by, f"key{seq}", verdict)
        self._state = state = evolve(self._state, decision)
        told = entry("room", state.position.seats, decision)
        self.happened |= {event["type"] for event in told.events}
        apply(self.game, told)
        self._compare(state)

    def break_rule(self, state: State) -> None:
        """The server decides by another state from now on."""
        self._state = state

    def _compare(self, state: State) -> None:
        fold = self.game
        assert fold.place.position.fen() == state.position.fen()
        assert fold.paused == state.paused
        assert (fold.vote is None) == (state.proposal is None)
        if state.clocks is not None:
            assert (tuple(fold.place.left.values()), fold.since) == (state.clocks.left, state.clocks.since)

    def expire(self, until: int) -> None:
        """Let time pass; what is due meanwhile happens then."""
        while True:
            state = self.state
            vote = state.proposal
            moments = [state.flag(), state.paused, None if vote is None else vote.deadline]
            due = min((moment for moment in moments if moment is not None), default=until + 1)
            if due > until:
                self.now = until
                return
            self.now = max(self.now, due)
            self.do(ask.Expire(), NOBODY)

    def step(self) -> None:
        """Somebody tries something."""
        self.expire(self.now + self.chance.choice(PASSES))
        chance, state = self.chance, self.state
        turn, seats = state.position.turn, range(len(state.seats))
        someone = state.seats[chance.choice(seats)].player or ""
        what, vote = chance.random(), state.proposal
        if vote is not None and what < 0.5:
            self.do(ask.Vote(vote.number, chance.random() < 0.9), someone)
        elif what < 0.7 and state.position.outcome is None:
            legal = state.position.legal_texts()
            self.do(ask.Move(chance.choice(legal), state.seq), state.seats[turn].player or "")
        elif what < 0.85:
            kind = chance.choice(KINDS)
            plies = chance.randint(1, 3) if kind in (ProposalKind.UNDO, ProposalKind.REDO) else None
            self.do(ask.Propose(kind, state.seq, plies=plies), someone)
        elif what < 0.9:
            self.do(ask.Give(chance.choice(state.position.seats)), someone)
        elif what < 0.95:
            self.do(ask.Berserk(), someone)
        elif what < 0.97:
            self.do(chance.choice([ask.Resign(), ask.Claim(), ask.Abort()]), someone)
        elif vote is not None:
            self.do(ask.Withdraw(vote.number), someone)


@pytest.mark.parametrize("seed", range(10))
def test_random_games_of_the_engine_keep_the_law(seed: int) -> None:
    chance = random.Random(f"fold {seed}")
    series = Series(chance, chance.choice(["standard", "standard", "survivor", "ffa"]), CLOCKS[seed % len(CLOCKS)])
    for _ in range(STEPS):
        series.step()
    assert {"moved", "proposed", "closed"} <= series.happened


@pytest.mark.parametrize("seed", range(10))
def test_a_busy_node_writes_its_decisions_late(seed: int) -> None:
    series = Series(random.Random(f"late {seed}"), "standard", CLOCKS[1], late=300)
    for _ in range(STEPS):
        series.step()
    assert series.happened >= {"moved", "proposed", "closed"}


def test_the_games_have_pauses_gifts_and_halves() -> None:
    happened: set[str] = set()
    for seed in range(20):
        series = Series(random.Random(seed), "standard", CLOCKS[1])
        for _ in range(STEPS):
            series.step()
        happened |= series.happened
    assert {"paused", "resumed", "gave", "berserked", "undone", "redone", "flagged", "rematched"} <= happened


def test_a_game_that_everybody_has_left_is_adjourned_and_closed() -> None:
    series = Series(random.Random(1), "standard", None)
    series.do(ask.Adjourn(series.now + 1_000), NOBODY)
    series.now += 1_000
    series.do(ask.Close(), NOBODY)
    assert series.happened > {"adjourned", "finished"}


@pytest.mark.parametrize("deadline", [None, 1_000])
def test_no_other_game_is_closed_once_it_has_begun(deadline: int | None) -> None:
    series = Series(random.Random(1), "standard", None)
    if deadline is not None:
        series.do(ask.Adjourn(series.now + deadline), NOBODY)
    series.break_rule(replace(series.state, adjourned=series.now))
    with pytest.raises(Broken, match="only adjourned games, and in time"):
        series.do(ask.Close(), NOBODY)


def relieve(series: Series, player: str) -> None:
    """Somebody takes a seat over from a player whom the server calls a computer."""
    series.do(ask.Sit("Ann", computers=frozenset({player})), "ann")


def test_people_take_seats_over_from_the_computers_that_fill_a_table() -> None:
    series = Series(random.Random(1), "standard", None, fill=1)
    refused = Asked("bob", {"type": "join"}, {"code": "already_started"}, series.now, series.now)
    assert not justifies(series.game, refused)
    relieve(series, "bot:level1:1")
    assert series.state.seats[1].player == "ann"
    assert justifies(series.game, refused)


@pytest.mark.parametrize("broken", ["of a person", "at another table", "later"])
def test_nobody_takes_another_seat_over(broken: str) -> None:
    series = Series(random.Random(1), "standard", None, fill=0 if broken == "at another table" else 1)
    if broken == "later":
        for _ in range(10):
            mover = series.state.seats[series.state.position.turn].player
            series.do(ask.Move(series.state.position.legal_texts()[0], series.state.seq), mover or "")
        series.break_rule(replace(series.state, ply=0))
    elif broken == "at another table":
        series.break_rule(replace(series.state, terms=Terms(seek=True, fill=1)))
    with pytest.raises(Broken, match="is not free"):
        relieve(series, "p0" if broken == "of a person" else series.state.seats[1].player or "")
