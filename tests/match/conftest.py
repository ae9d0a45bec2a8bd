"""A match for tests: commands by seat name, a clock set by hand, and the whole log."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from fourfold.engine.match import Decision, Rejection, State, decide, evolve, replay
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Command, Create, Expire, Move, Propose, Resign, Sit, Vote
from fourfold.engine.match.events import Event, Moved, ProposalKind


class Table:
    """Players have the names of their seats. `says` returns the events, and `refused` the code of the rejection."""

    def __init__(
        self,
        variant: str,
        position: str | None = None,
        *,
        seated: bool = True,
        control: Control | None = None,
        seed: int = 0,
        moves: tuple[str, ...] = (),
        **settled: Any,
    ) -> None:
        self.now = 1_000_000
        self.log: list[Decision] = []
        self.state: State
        self._do(None, Create(variant, position, moves, control=control, seed=seed, **settled), "host")
        if seated:
            for name in self.state.position.seats:
                self.says(name, Sit(name.title(), name))

    def _do(self, state: State | None, command: Command, by: str) -> tuple[Event, ...]:
        verdict = decide(state, command, by, self.now)
        assert not isinstance(verdict, Rejection), verdict
        if verdict:
            seq = len(self.log) + 1
            self.log.append(Decision(seq, self.now, by, f"k{seq}", verdict))
            self.state = evolve(state, self.log[-1])
        return verdict

    def says(self, by: str, command: Command) -> tuple[Event, ...]:
        return self._do(self.state, command, by)

    def refused(self, by: str, command: Command) -> str:
        return self.rejection(by, command).code

    def rejection(self, by: str, command: Command) -> Rejection:
        verdict = decide(self.state, command, by, self.now)
        assert isinstance(verdict, Rejection), verdict
        assert verdict.message.endswith("."), "a sentence"
        return verdict

    def play(self, *moves: str) -> tuple[Event, ...]:
        """Moves, each by the side to move. Returns the events of the last."""
        events: tuple[Event, ...] = ()
        for move in moves:
            events = self.says(self.turn, Move(move, self.state.seq))
        return events

    def propose(self, by: str, kind: str, plies: int | None = None) -> tuple[Event, ...]:
        return self.says(by, Propose(ProposalKind(kind), self.state.seq, plies))

    def propose_refused(self, by: str, kind: str, plies: int | None = None) -> str:
        return self.refused(by, Propose(ProposalKind(kind), self.state.seq, plies))

    def vote(self, by: str, accept: bool) -> tuple[Event, ...]:
        return self.says(by, Vote(self.state.proposals, accept))

    def resign(self, by: str) -> tuple[Event, ...]:
        return self.says(by, Resign())

    def wait(self, milliseconds: int) -> tuple[Event, ...]:
        """Let time pass, and close votes past their deadline."""
        self.now += milliseconds
        return self._do(self.state, Expire(), "")

    @property
    def turn(self) -> str:
        return self.state.seat_name(self.state.position.turn)

    @property
    def fen(self) -> str:
        return self.state.position.fen()


@pytest.fixture
def table() -> Iterator[Callable[..., Table]]:
    """Makes a table. Afterwards, checks that replaying its log gives the same state."""
    made: list[Table] = []

    def make(variant: str = "standard", position: str | None = None, **options: Any) -> Table:
        made.append(Table(variant, position, **options))
        return made[-1]

    yield make
    for one in made:
        again = replay(
            Decision(d.seq, d.at, d.by, d.key, tuple(_as_stored(event) for event in d.events)) for d in one.log
        )
        assert again == one.state


def _as_stored(event: Event) -> Event:
    """The event without the positions that `decide` passes on, which logs do not keep."""
    return replace(event, after=None) if isinstance(event, Moved) else event
