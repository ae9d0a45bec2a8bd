"""The parts of a match are immutable."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable

import pytest

from fourfold.engine.match import commands, events
from tests.match.conftest import Table


def test_nothing_of_a_match_can_be_changed(table: Callable[..., Table]) -> None:
    one = table("ffa")
    one.play("h2h4")
    moved = one.log[-1].events[0]
    parts = (one.state, one.state.seats[0], one.state.line.last, one.log[-1], moved, moved.sight, commands.Resign())
    for value in parts:
        for field in dataclasses.fields(value) or [dataclasses.field()]:
            name = field.name or "anything"
            with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot assign to its field '{name}'"):
                setattr(value, name, 1)
            with pytest.raises(dataclasses.FrozenInstanceError):
                delattr(value, name)
        for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), dataclasses.replace(value)):
            assert (type(again), again, hash(again)) == (type(value), value, hash(value))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'seat'"):
        events.Resigned()  # type: ignore[call-arg]
    one_vote, other = (commands.Propose(events.ProposalKind.DRAW, 1) for _ in range(2))
    assert one_vote == other and one_vote.absent == {} and one_vote.absent is not other.absent


def test_events_are_compared_by_what_they_say() -> None:
    one, other = events.Moved(0, "e2e4", 1), events.Moved(0, "e2e4", 1)
    assert one == other and hash(one) == hash(other) and one != events.Moved(0, "e2e4", 2)
