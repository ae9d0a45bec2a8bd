"""The computer players as rated players."""

import pytest

from fourfold.server.players.identity import Identities, new_bot
from fourfold.server.ratings.levels import FIXED, is_fixed, level_of, rated_as, rated_level, start_of


def test_all_bots_of_a_level_are_one_rated_player() -> None:
    identities = Identities(b"secret")
    one, other = identities.house_bot(3).id, identities.house_bot(3).id
    assert one != other and rated_as(one) == rated_as(other) == "level3"
    assert level_of(one) == rated_level("level3") == 3


def test_others_are_rated_as_themselves() -> None:
    for player in ("ann", new_bot(), "level", "level33"):
        assert rated_as(player) == player
        assert level_of(player) is None and rated_level(player) is None and start_of(player, "standard") is None
        assert not is_fixed(player)


@pytest.mark.parametrize("variant", FIXED)
def test_each_level_stands_above_the_one_below(variant: str) -> None:
    starts = [start_of(f"level{level}", variant) for level in range(1, 6)]
    ratings = [start[0] for start in starts if start is not None]
    assert len(ratings) == 5 and ratings == sorted(ratings)
    assert [is_fixed(f"level{level}") for level in range(1, 6)] == [True] * 4 + [False]


def test_variants_that_were_not_measured_have_the_ratings_of_standard() -> None:
    assert start_of("level4", "chess960") == start_of("level4", "standard") == (1150, 1)
