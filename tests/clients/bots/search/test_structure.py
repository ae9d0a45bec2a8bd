"""The evaluation of positions for two players."""

import pytest

from fourfold.clients.bots.search.mailbox import worth as glance
from fourfold.engine.variants import opening


def worth(board: str, turn: str = "w", variant: str = "standard") -> int:
    """The evaluation for the side to move."""
    position = opening(variant, position=f"{board} {turn} - - 0 1")
    return glance(position)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/8/PP6/4K3", "4k3/8/8/8/8/P7/P7/4K3"),  # doubled
        ("4k3/8/8/8/8/8/PP6/4K3", "4k3/8/8/8/8/8/P1P5/4K3"),  # isolated
        ("4k3/7p/8/P7/8/8/8/4K3", "4k3/1p6/8/P7/8/8/8/4K3"),  # passed
        ("7k/8/P7/8/8/8/8/4K3", "1k6/8/P7/8/8/8/8/4K3"),  # the king is too far away to stop it
        ("rnbqkbnr/ppp2ppp/8/8/8/8/PPP2PPP/RNBQ1RK1", "rnbqkbnr/ppp2ppp/8/8/8/8/PPP2PPP/RNBQKR2"),  # shelter
        ("4k3/p7/8/8/8/8/1P6/R3K3", "4k3/1p6/8/8/8/8/P7/R3K3"),  # a rook on a file without own pawns
        ("4k3/pppp4/8/8/8/8/4BB2/4K3", "4k3/pppp4/8/8/8/8/4BN2/4K3"),  # two bishops
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
    assert worth(board) == worth(turned, "b")
    assert worth(board, "b") == worth(turned)


def test_the_move_is_worth_something() -> None:
    board = "4k3/pppp4/8/8/8/8/PPPP4/4K3"
    assert worth(board) == worth(board, "b") > 0


def test_pawns_count_less_where_they_seldom_win() -> None:
    """Each side has only a queen, or only a bishop on squares of different colours."""
    queens, alike, different = "3qk3/8/8/8/8/8/PPP5/3QK3", "4k3/8/8/3b4/8/8/PPP5/3BK3", "4k3/8/8/3b4/8/8/PPP5/2B1K3"
    assert worth(different) < worth(alike) / 3
    assert worth(queens) < worth("3rk3/8/8/8/8/8/PPP5/3RK3") * 0.7
    for board in (queens, different):  # a king on the hill wins whatever the pieces are
        assert worth(board, variant="kingofthehill") > 1.9 * worth(board)
