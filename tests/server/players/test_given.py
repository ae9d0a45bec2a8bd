"""The names of guests who have given none."""

from fourfold.server.players.given import given_name
from fourfold.server.players.identity import is_bot
from fourfold.server.players.names import clean_name


def test_a_player_is_always_called_the_same_and_players_differ() -> None:
    names = {given_name(f"player{number}") for number in range(1000)}
    assert given_name("player1") == given_name("player1")
    assert len(names) > 900


def test_a_name_is_short_and_passes_for_one() -> None:
    for number in range(1000):
        name = given_name(f"{number}")
        assert len(name) <= 16
        assert clean_name(name) == name
        assert not is_bot(name)
