"""What a match is made of never changes; in tests, whoever tries is told."""

from __future__ import annotations

import dataclasses
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
            with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
                setattr(value, field.name or "anything", 1)


def test_events_are_compared_by_what_they_say() -> None:
    one, other = events.Moved(0, "e2e4", 1), events.Moved(0, "e2e4", 1)
    assert one == other and hash(one) == hash(other) and one != events.Moved(0, "e2e4", 2)
