"""What pawns and kings add to the worth of a position of two."""

import pytest

from fourfold.clients.bots.evaluation import Evaluation
from fourfold.engine.variants import opening


def worth(board: str) -> int:
    position = opening("standard", position=f"{board} w - - 0 1")
    return Evaluation(position).of(position)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/8/PP6/4K3", "4k3/8/8/8/8/P7/P7/4K3"),  # doubled
        ("4k3/8/8/8/8/8/PP6/4K3", "4k3/8/8/8/8/8/P1P5/4K3"),  # isolated
        ("4k3/7p/8/P7/8/8/8/4K3", "4k3/1p6/8/P7/8/8/8/4K3"),  # passed
        ("7k/8/P7/8/8/8/8/4K3", "1k6/8/P7/8/8/8/8/4K3"),  # the king is too far away to stop it
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1", "rnbqkbnr/pppppppp/8/8/5PPP/8/PPPPP3/RNBQ1RK1"),  # shelter
    ],
)
def test_what_is_better(better: str, worse: str) -> None:
    assert worth(better) > worth(worse)


@pytest.mark.parametrize(
    ("board", "turned"),
    [
        ("r3k2r/pp3ppp/2p5/3P4/8/2N5/PP3PPP/R3K2R", "r3k2r/pp3ppp/2n5/8/3p4/2P5/PP3PPP/R3K2R"),
        ("6k1/5p2/4P3/8/8/p7/8/BB4K1", "bb4k1/8/P7/8/8/4p3/5P2/6K1"),
    ],
)
def test_both_sides_are_judged_alike(board: str, turned: str) -> None:
    assert worth(board) == -worth(turned)
