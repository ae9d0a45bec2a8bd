"""The fold: how a game changes its players' standings, and whether stronger players end up higher."""

import random
from dataclasses import replace

import pytest

from fourfold.server.ratings.fold import RatedGame, RatedSeat, rate
from fourfold.server.ratings.kinds import Kind
from fourfold.server.ratings.standing import Standing, standing_of
from tests.conftest import some

BLITZ = Kind("standard", "blitz")
DAY = 86_400_000


def game(kind: Kind, players: list[str], places: list[int], ended: int = DAY) -> RatedGame:
    sides = [turn % 2 if kind.variant == "teams" else turn for turn in range(len(players))]
    return RatedGame(kind, ended, tuple(map(RatedSeat, players, sides, places)))


def test_two_new_players() -> None:
    won, lost = rate(game(BLITZ, ["ann", "bob"], [1, 2]), {})
    assert won.before == lost.before == Standing()
    assert (won.expected, won.scored, lost.expected, lost.scored) == (500, 1000, 500, 0)
    assert won.after.rating - 1_500_000 == 1_500_000 - lost.after.rating > 0
    assert won.after.deviation == lost.after.deviation < 350_000
    assert (won.after.games, won.after.last) == (1, DAY)


def test_a_draw_with_a_stronger_player_is_worth_something() -> None:
    strong, weak = rate(game(BLITZ, ["ann", "bob"], [1, 1]), {"ann": Standing(1_900_000, 60_000, games=9)})
    assert strong.scored == weak.scored == 500
    assert strong.expected > 800 and strong.after.rating < 1_900_000 and weak.after.rating > 1_500_000


@pytest.mark.parametrize("variant", ["survivor", "ffa", "teams"])
def test_among_four(variant: str) -> None:
    places = [1, 2, 1, 2] if variant == "teams" else [2, 1, 4, 2]
    changes = rate(game(Kind(variant), ["ann", "bob", "cat", "dan"], places), {})
    after = dict(zip(places, (change.after.rating for change in changes), strict=True))
    assert [after[place] for place in sorted(after)] == sorted(after.values(), reverse=True)
    assert all(change.after.deviation < 350_000 and change.expected == 500 for change in changes)


def test_fixed_levels_do_not_change_and_level_5_does() -> None:
    for level in (1, 2, 3, 4):
        bot, person = rate(game(BLITZ, [f"level{level}", "ann"], [2, 1]), {})
        assert bot.before.rating == bot.after.rating == standing_of(f"level{level}", "standard").rating
        assert person.after.rating > 1_500_000
    bot, _ = rate(game(BLITZ, ["level5", "ann"], [2, 1]), {})
    assert bot.before.rating == 1_840_000 > bot.after.rating


def test_a_level_that_holds_several_seats_does_not_change() -> None:
    changes = rate(game(Kind("ffa"), ["level5", "ann", "level5", "level5"], [1, 2, 3, 4]), {})
    assert [change.before.rating == change.after.rating for change in changes] == [True, False, True, True]


def test_a_game_that_comes_late_is_folded_where_it_comes() -> None:
    stood = Standing(1_600_000, 50_000, games=40, last=DAY)
    late = rate(game(BLITZ, ["ann", "bob"], [1, 2], ended=0), {"ann": stood})[0]
    assert late.before == stood and late.after.last == DAY


def test_what_stands_is_all_that_the_next_game_begins_from() -> None:
    one = rate(game(BLITZ, ["ann", "bob"], [1, 2]), {})
    standings = {"ann": one[0].after, "bob": one[1].after}
    again = rate(game(BLITZ, ["bob", "ann"], [1, 2]), standings)
    assert again == rate(game(BLITZ, ["bob", "ann"], [1, 2]), {name: replace(one) for name, one in standings.items()})
    assert all(type(value) is int for change in again for value in (change.after.rating, change.after.volatility))


PLAYERS, GAMES = 200, 60


def strengths() -> dict[str, float]:
    chance = random.Random(1)
    return {f"player{number}": chance.gauss(1500, 300) for number in range(PLAYERS)}


def finished(players: list[str], strength: dict[str, float], chance: random.Random) -> list[str]:
    """The players in an order of finish: each next one is drawn by strength from the remaining ones."""
    # The lowest of exponential times whose rates are the odds.
    return sorted(players, key=lambda one: chance.expovariate(10 ** ((strength[one] - 1500) / 400)))


def evening(kind: Kind, players: list[str], strength: dict[str, float], chance: random.Random) -> RatedGame:
    if kind.variant == "teams":
        teams = [players[0::2], players[1::2]]
        means = [sum(strength[one] for one in team) / 2 for team in teams]
        first = chance.random() < 1 / (1 + 10 ** ((means[1] - means[0]) / 400))
        return game(kind, players, [1, 2, 1, 2] if first else [2, 1, 2, 1])
    order = finished(players, strength, chance)
    return game(kind, players, [order.index(one) + 1 for one in players])


def correlation(one: dict[str, float], other: dict[str, float]) -> float:
    """The rank correlation, by Spearman."""
    first, second = ({name: rank for rank, name in enumerate(sorted(by, key=by.__getitem__))} for by in (one, other))
    squares = sum((first[name] - second[name]) ** 2 for name in one)
    return 1 - 6 * squares / (len(one) * (len(one) ** 2 - 1))


@pytest.mark.parametrize(
    ("kind", "least"),
    some(1, (BLITZ, 0.95), (Kind("survivor"), 0.95), (Kind("ffa"), 0.95), (Kind("teams"), 0.9)),
    ids=["standard", "survivor", "ffa", "teams"],
)
def test_players_of_known_strength_are_ordered_by_their_ratings(kind: Kind, least: float) -> None:
    """The bound for teams is lower, because a win with a partner says less about each: 60 games contain no more. The
    likeliest strengths of all players, from all games of an evening at once, correlate with the true ones at 0.923 to
    0.939 (four evenings; 0.918 to 0.951 if players of similar strength meet). The ratings correlate at 0.915 to 0.937
    (0.918 to 0.945). After 100 games it is 0.943 to 0.963, after 120 games 0.952 to 0.968.
    """
    strength, chance = strengths(), random.Random(2)
    seats = 2 if kind.speed else 4
    standings: dict[str, Standing] = {}
    later = []
    for number in range(GAMES):
        names = list(strength)
        chance.shuffle(names)
        for start in range(0, PLAYERS, seats):
            players = names[start : start + seats]
            changes = rate(evening(kind, players, strength, chance), standings)
            standings |= {player: change.after for player, change in zip(players, changes, strict=True)}
            later += changes if number >= GAMES // 2 else []
    assert {one.games for one in standings.values()} == {GAMES}
    assert correlation(strength, {name: float(one.rating) for name, one in standings.items()}) > least
    # The expectations hold in the second half of the games: expectations 1.5 times as high would be as wrong.
    pairs = [(change.expected - 500, change.scored - 500) for change in later]
    slope = sum(expected * scored for expected, scored in pairs) / sum(expected**2 for expected, _ in pairs)
    assert 0.9 < slope < 1.1
