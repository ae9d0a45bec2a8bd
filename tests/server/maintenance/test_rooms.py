"""The seat that an operator names."""

import pytest

from fourfold.engine.match.commands import Create
from fourfold.server.maintenance.places import NotPossible
from fourfold.server.maintenance.rooms import _seat
from tests.server.archive.played import Game


@pytest.mark.parametrize(("who", "seat"), [("ann", "red"), ("Bob", "blue"), ("green", "green")])
def test_a_player_with_two_seats_is_one_player(who: str, seat: str) -> None:
    state = Game(Create("selfpartner"), ["ann", "bob"]).state
    assert state is not None and _seat(state, who) == seat


def test_two_players_of_one_name_are_told_apart_by_their_seats() -> None:
    state = Game(Create("standard"), ["ann", "ANN"]).state
    assert state is not None
    with pytest.raises(NotPossible, match="white and black are both called Ann"):
        _seat(state, "Ann")
    with pytest.raises(NotPossible, match="No player called eve"):
        _seat(state, "eve")
