"""Each rule of levels 1 to 4, by positions in which that rule alone explains what is chosen."""

from collections.abc import Callable

import pytest

from clients.bots.levels import RULES, chooser
from clients.bots.sight import Sight
from engine.position import Position
from engine.variants import opening


def texts(level: int, position: Position) -> str:
    """What a level holds best, in order."""
    return " ".join(sorted({move.text for move in RULES[level](Sight(position))}))


TWO = [
    # level, what the rule says, position, moves
    (1, "any legal move", "4k3/4r3/8/8/8/8/3P4/4K2R w - - 0 1", "e1d1 e1f1 e1f2"),
    (2, "mate before the most valuable capture", "6k1/5ppp/8/8/7r/6B1/8/R5K1 w - - 0 1", "a1a8"),
    (2, "taking with check before taking more", "4k3/2p5/8/3N4/8/8/8/r2QK3 w - - 0 1", "d5c7"),
    (2, "of those that take with check the most taken", "4k3/2p3n1/8/3N1Q2/8/8/8/4K3 w - - 0 1", "d5c7"),
    (2, "taking more before a mere check", "4k3/8/8/8/8/2r5/1P6/R3K3 w - - 0 1", "b2c3"),
    (2, "the most taken", "4k3/8/8/1r1p4/2P5/8/8/4K3 w - - 0 1", "c4b5"),
    (2, "the same taken by the lesser man", "4k3/8/8/8/3p4/4P3/8/3QK3 w - - 0 1", "e3d4"),
    (2, "a check where nothing can be taken", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
    (2, "else anything", "4k3/7p/8/8/8/8/8/K7 w - - 0 1", "a1a2 a1b1 a1b2"),
    (3, "mate before saving the queen", "6k1/5ppp/8/8/8/8/2n5/R3Q1K1 w - - 0 1", "a1a8 e1e8"),
    (3, "the only attacker taken where that is safe", "4k3/8/8/r2N4/8/2B5/8/4K3 w - - 0 1", "c3a5"),
    (3, "the only attacker taken, winning more than is risked", "3rk3/8/8/3q4/8/2N5/8/3RK3 w - - 0 1", "c3d5"),
    (3, "a lesser man given for one that cannot escape", "2r1k3/8/8/8/8/8/PPn5/QNR3K1 w - - 0 1", "c1c2"),
    (3, "no sacrifice where it can escape", "2r1k3/8/8/8/8/8/1Pn5/QNR3K1 w - - 0 1",
     "a1a4"),
    (3, "the one attacker taken, no matter what else", "4k3/8/2p5/1P1N4/8/8/8/4K3 w - - 0 1", "b5c6"),
    (3, "of two attackers none taken", "4k3/8/2p1p3/1P1N4/8/8/8/4K3 w - - 0 1", "d5c7 d5f6"),
    (3, "the next saved where the most valuable cannot be", "2r1k3/8/8/6p1/7B/8/PPn5/QN4K1 w - - 0 1", "h4g5"),
    (3, "the most valuable saved first", "4k3/8/8/2p1p3/1N1Q4/8/8/4K3 w - - 0 1", "d4e5"),
    (3, "away to a safe square, taking the most", "4k3/8/8/4p3/p2R4/8/1b6/4K3 w - - 0 1", "d4a4"),
    (3, "away to a safe square, checking", "4k3/8/8/3N4/2b1b3/8/8/4K3 w - - 0 1", "d5c7 d5f6"),
    (3, "a safe move of another man where nothing can be saved", "2r1k3/8/8/8/8/8/PPn5/QN4K1 w - - 0 1",
     "a2a4 b1d2 b2b3 g1f1 g1f2 g1g2 g1h1 g1h2"),
    (3, "not even by a good trade of what cannot be saved", "N2r2k1/2p5/1r6/4b3/4b3/8/P7/6K1 w - - 0 1",
     "a2a3 a2a4 g1f1 g1f2"),
    (3, "free men are taken", "4k3/8/8/8/8/3n4/8/R2QK3 w - - 0 1", "d1d3"),
    (3, "nothing safe: level 2", "7k/8/3p3P/3p4/4P3/1q6/8/K7 w - - 0 1", "e4d5"),
    (3, "no man where it can be taken", "4k3/8/3p4/8/8/5N2/8/K7 w - - 0 1",
     "a1a2 a1b1 a1b2 f3d2 f3d4 f3e1 f3g1 f3g5 f3h2 f3h4"),
    (3, "but for a good trade", "4k3/8/3p4/4r3/8/5N2/8/K7 w - - 0 1", "f3e5"),
    (3, "nothing better uncovered", "3rk3/8/8/8/3N4/8/3Q4/4K3 w - - 0 1", "d2e2 d2e3"),
    (4, "checks prevented where there is no contact", "r5k1/5ppp/8/8/8/8/2N2PPP/6K1 w - - 0 1", "c2e1"),
    (4, "else the most squares controlled", "4k3/p7/8/8/8/8/8/1N2K3 w - - 0 1", "b1c3 e1f2"),
    (4, "a man is attacked: level 3", "4k3/8/8/r2N4/8/2B5/8/4K3 w - - 0 1", "c3a5"),
    (4, "a man is attacked, and nothing else: level 3", "6k1/5ppp/8/2p5/3N4/8/5PPP/6K1 w - - 0 1", "d4c6"),
    (4, "something can be taken: level 3", "4k3/8/8/8/8/p7/8/1N2K3 w - - 0 1", "b1a3"),
    (4, "a check can be given: level 3", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
    (4, "of what level 3 holds equal what prevents checks", "r5k1/5ppp/8/8/8/1p6/2N2PPP/6K1 w - - 0 1", "c2e1"),
]  # fmt: skip


@pytest.mark.parametrize(("level", "rule", "fen", "moves"), TWO, ids=[f"{row[0]}: {row[1]}" for row in TWO])
def test_rules_for_two(level: int, rule: str, fen: str, moves: str) -> None:
    assert texts(level, opening("standard", position=fen)) == moves


KINGS = "rKh1 bKa7 yKg14 gKn8"
FOUR = [
    (1, "any legal move", "survivor", KINGS, "h1g1 h1g2 h1h2 h1i1 h1i2"),
    (2, "mate of anybody before the most valuable capture", "survivor",
     "rKh1 bKa11 yKg14 gKn8 rRb5 rRd6 gRd9", "d6a6"),
    (2, "taking with check before taking more", "survivor", f"{KINGS} rQg5 yPg13 gRl5", "g5g13"),
    (2, "a check of anybody", "survivor", f"{KINGS} rRd4", "d4a4 d4d14 d4d7 d4d8 d4g4 d4n4"),
    (2, "the most taken, of whomever", "survivor", f"{KINGS} rNf5 bRd6 gQe7 yBg7", "f5e7"),
    (2, "grey men and partners' are no captures", "teams", f"{KINGS} rNf5 yQe7 bPd6", "f5d6"),
    (3, "the only attacker taken where that is safe", "survivor", f"{KINGS} rQf5 rBb5 yBd3", "b5d3 f5d3"),
    (3, "away from the attackers of two players", "survivor", f"{KINGS} rNf5 bRb5 gRm5",
     "f5d4 f5d6 f5e3 f5e7 f5g3 f5g7 f5h4 f5h6"),
    (3, "in teams a partner is no danger", "teams", f"{KINGS} rNf5 yRf13 gPe10",
     "f5d4 f5d6 f5e3 f5e7 f5g3 f5g7 f5h4 f5h6 h1g1 h1g2 h1h2 h1i1 h1i2"),
    (4, "something of anybody can be taken: level 3", "survivor", f"{KINGS} rNf5 gPd4", "f5d4"),
    (4, "checks of any rival prevented", "survivor", f"{KINGS} rNi3 yRd12", "h1i2"),
    (4, "else the most squares controlled", "survivor", "rKd1 bKa7 yKg14 gKn8 rNd2", "d1e2"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("level", "rule", "variant", "pieces", "moves"), FOUR, ids=[f"{row[0]}: {row[1]}" for row in FOUR]
)
def test_rules_for_four(
    level: int, rule: str, variant: str, pieces: str, moves: str, four: Callable[..., Position]
) -> None:
    assert texts(level, four(variant, pieces)) == moves


@pytest.mark.parametrize("variant", ["standard", "survivor", "ffa", "teams"])
def test_whole_games_by_legal_moves(variant: str) -> None:
    """One seat of each level, and the same seed again gives the same game."""
    games = []
    for _ in range(2):
        position = opening(variant, seed=7)
        players = [chooser(level, f"whole {level}") for level in (4, 3, 2, 1)[: len(position.seats)]]
        for _ in range(200):
            if position.outcome is not None:
                break
            text = players[position.turn].choose(position, 0)
            position = position.play(position.walk or position.find(text))
        games.append(position)
    assert games[0] == games[1]


def test_chance_decides_between_moves_that_are_as_good(four: Callable[..., Position]) -> None:
    position = four("survivor", KINGS)
    assert {chooser(1, seed).choose(position, 0) for seed in range(60)} == set(position.legal_texts())


def test_no_such_level() -> None:
    with pytest.raises(ValueError, match=r"There is no level 9; there are 1, 2, 3, 4, 5"):
        chooser(9)
