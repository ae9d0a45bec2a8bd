"""Who sits where, and which opening is played."""

from collections import Counter

from fourfold.clients.bots.arena.pairing import Player, distributions, expected_share, pairings
from fourfold.clients.bots.profile import Profile
from fourfold.engine.variants import VARIANTS, rules_of
from tests.each import each

THREE, TWO = Player(3), Player(2)


def test_seats_rotate_and_teams_stay_together() -> None:
    def sides(variant: str, games: int) -> list[tuple[int, ...]]:
        return [pair.sides for pair in pairings(variant, (THREE, TWO), games)]

    assert sides("standard", 3) == [(0, 1), (1, 0), (0, 1)]
    assert sides("ffa", 2) == [(0, 1, 1, 1), (1, 0, 1, 1)]
    assert sides("teams", 2) == [(0, 1, 0, 1), (1, 0, 1, 0)]


@each(("variant", "seats"), [(name, seats) for name in VARIANTS for seats in range(1, len(set(rules_of(name).teams)))])
def test_each_side_has_every_seat_equally_often_in_a_round(variant: str, seats: int) -> None:
    every = distributions(variant, seats)
    assert len(set(every)) == len(every)
    for side in (0, 1):
        held = Counter(seat for sides in every for seat, one in enumerate(sides) if one == side)
        assert len(held) == len(rules_of(variant).seats)
        assert len(set(held.values())) == 1


def test_equal_players_share_by_their_seats() -> None:
    assert expected_share("standard") == expected_share("teams", 1) == 1 / 2
    assert [expected_share("ffa", seats) for seats in (1, 2, 3)] == [1 / 4, 1 / 2, 3 / 4]
    assert expected_share("threeplayers") == 1 / 3


def test_both_sides_play_each_opening_before_the_next_comes() -> None:
    begun = [("e2e4",), ("d2d4",)]
    found = list(pairings("standard", (THREE, TWO), 6, openings=begun))
    assert [(pair.moves[0], pair.sides) for pair in found] == [
        ("e2e4", (0, 1)), ("e2e4", (1, 0)), ("d2d4", (0, 1)), ("d2d4", (1, 0)), ("e2e4", (0, 1)), ("e2e4", (1, 0)),
    ]  # fmt: skip
    assert [pair.draw for pair in found] == [0, 0, 1, 1, 2, 2]


def test_players_have_names() -> None:
    assert THREE.name == "3"
    assert Player(engine=Profile(("/usr/games/x",))).name == "/usr/games/x"
    assert Player(engine=Profile(("x",), name="Xena", options={"UCI_Elo": "1500"})).name == "Xena at 1500"
