"""The computer players in antichess, atomic, crazyhouse, horde, racing kings, and among three."""

from __future__ import annotations

import pytest

from fourfold.clients.bots.levels import LEVELS, chooser
from fourfold.clients.bots.levels.level5 import Level5
from fourfold.clients.bots.search.evaluation import Evaluation
from fourfold.engine import Position
from tests.conftest import some

FOREVER = 1e9


@pytest.mark.parametrize(
    ("variant", "fen", "best"),
    [
        ("antichess", "8/8/8/8/8/1p6/8/R7 w - - 0 1", {"a1a2"}),  # the only offer that must be taken
        ("atomic", "4k3/4p3/8/8/8/8/8/4Q1K1 w - - 0 1", {"e1e7"}),
        ("crazyhouse", "6k1/5ppp/8/8/8/8/8/4K3[R] w - - 0 1", {"R@a8", "R@b8", "R@c8", "R@d8", "R@e8"}),
        ("horde", "4k3/8/3PPP2/8/8/8/8/Q7 w - - 0 1", {"a1a8"}),
        ("horde", "k7/8/8/8/8/8/8/r6P b - - 0 1", {"a1h1"}),
        ("racingkings", "8/6K1/8/8/8/k7/8/8 w - - 0 1", {"g7f8", "g7g8", "g7h8"}),
    ],
)
@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_win_is_taken(variant: str, fen: str, best: set[str], level: int) -> None:
    if variant == "antichess" and level == 2:
        pytest.skip("it takes two plies to see that an offer is taken")
    assert chooser(level, 1)(Position.from_fen(fen, variant), FOREVER if level < 5 else 0.5) in best


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "variant",
    some(2, "antichess4", "crazyhouse", "antichess", "atomic", "horde", "racingkings", "threeplayers", "selfpartner"),
)
def test_a_game_of_each_level(variant: str, level: int) -> None:
    choose, position = chooser(level, 3), Position.start(variant)
    for _ in range(12):
        if position.outcome is None:
            position = position.play(choose(position, 0.01))
    assert position.outcome is not None or position.ply == 12


def test_fewer_pieces_are_better_in_antichess() -> None:
    more = Position.from_fen("8/8/8/3p4/8/8/8/RR6 w - - 0 1", "antichess")
    less = Position.from_fen("8/8/8/3p4/8/8/8/R7 w - - 0 1", "antichess")
    assert Evaluation(less).of(less) > Evaluation(more).of(more)


def test_a_piece_in_hand_counts() -> None:
    without, hand = (
        Position.from_fen(f"4k3/8/8/8/8/8/8/4K3[{held}] w - - 0 1", "crazyhouse") for held in ("", "N")
    )
    assert Evaluation(hand).of(hand) > Evaluation(without).of(without) + 300


def test_kings_race() -> None:
    boards = "8/8/7K/8/8/k7/8/8", "8/8/8/8/8/k6K/8/8"
    near, far = (Position.from_fen(f"{board} w - - 0 1", "racingkings") for board in boards)
    assert Evaluation(near).of(near) > Evaluation(far).of(far)
    choice = Level5(deepest=3).choose(Position.from_fen("8/8/8/8/7K/k7/8/8 w - - 0 1", "racingkings"), FOREVER)
    assert choice.endswith("5")
