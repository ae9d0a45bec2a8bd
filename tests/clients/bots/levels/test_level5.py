"""The search of level 5: its results and its limits."""

from collections.abc import Callable
from itertools import count
from time import process_time

import pytest

from fourfold.clients.bots.levels.level5 import Level5
from fourfold.clients.bots.search.alpha_beta import MATE, Search
from fourfold.clients.bots.search.evaluation import PAWN, POINT, Evaluation
from fourfold.clients.bots.search.known import Known
from fourfold.clients.bots.search.mailbox import worth
from fourfold.clients.bots.search.mates_among_four import mated_by_two
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from tests.clients.bots.analysis.test_best_lines import LOST

FOREVER = float("inf")


@pytest.mark.parametrize(
    ("fen", "depth", "move"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, "a1a8"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 6, "a1a6"),  # Morphy's problem: mate in two
        ("8/8/8/8/8/3k4/3p4/3K4 b - - 0 1", 1, None),
        ("4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1", 2, "c3d5"),
        ("8/5P2/8/8/8/8/1k6/4K3 w - - 0 1", 2, "f7f8q"),
    ],
)
def test_tactics(fen: str, depth: int, move: str | None) -> None:
    position = opening("standard", position=fen)
    found = Search(position, FOREVER).best(depth)
    if move is None:
        assert found in position.legal_moves
    else:
        assert found.text == move


def test_a_mate_is_worth_more_the_nearer_it_is() -> None:
    search = Search(opening("standard", position="kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), FOREVER)
    search.best(6)
    assert search.score == MATE - 3


@pytest.mark.slow
def test_what_is_known_of_a_later_position_counts_from_the_earlier_one() -> None:
    """Two rooks mate in five moves. A search after the first move finds the mate. With these results, a search before
    it does too, although it is too short on its own."""
    start = opening("standard", position="8/8/8/8/4k3/8/8/QR2K3 w - - 0 1")
    short = Search(start, FOREVER)
    short.best(2)
    assert abs(short.score) < MATE - 100
    later = start.play(start.find("b1b4"))
    known = Known()
    for position in (later.play(later.find("e4f5")), later):
        Search(position, FOREVER, known=known).best(6)
    before = Search(start, FOREVER, known=known)
    assert before.best(2).text == "b1b4"
    assert before.score == MATE - 9
    assert len(before.line(start.find("b1b4"), 12)[0]) == 9


def test_what_was_found_for_a_move_helps_with_the_next() -> None:
    start = opening("standard", position="r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 4")
    level, other = Level5(deepest=6), Level5(deepest=6)
    move = level.choose(start, FOREVER)
    assert level.search is not None
    line, _ = level.search.line(start.find(move), 2)
    assert len(line) == 2
    later = start.play(line[0]).play(line[1])
    level.choose(later, FOREVER)
    other.choose(later, FOREVER)
    assert other.search is not None
    assert level.search.depth == other.search.depth == 6
    assert level.search.nodes < 0.9 * other.search.nodes


def test_a_lost_side_takes_the_stalemate() -> None:
    position = opening("standard", position="7k/5Q2/8/8/8/8/6q1/7K w - - 0 1")
    search = Search(position, FOREVER)
    search.best(3)
    assert search.score >= 0


def test_a_repetition_is_a_draw_to_the_search() -> None:
    """White is lost without the perpetual check on e8 and h5."""
    search = Search(opening("standard", position="6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1"), FOREVER)
    assert search.best(5).text == "h5e8"
    assert search.score == 0


def test_the_budget_is_kept() -> None:
    ticks = count()
    search = Search(opening("standard"), 50, clock=lambda: float(next(ticks)))
    assert search.best() in opening("standard").legal_moves
    assert search.nodes <= 128 * 51
    position = opening("ffa")
    assert Level5(clock=process_time).choose(position, 0.2) in position.legal_texts()


def test_the_book_is_followed_while_it_is_usual() -> None:
    assert Level5(1).choose(opening("standard"), 0) in {"e2e4", "d2d4", "c2c4", "g1f3"}


@pytest.mark.parametrize("variant", ["standard", "survivor", "ffa", "teams"])
def test_equals_are_worth_the_same(variant: str) -> None:
    """Equal except for the turn, which counts for two."""
    position = opening(variant)
    assert abs(worth(position)) <= (20 if variant == "standard" else 1)


def test_whoever_is_lost_among_four_mates_another_first() -> None:
    position = opening("ffa", position=LOST)
    level = Level5(deepest=3)
    after = position.play(position.find(level.choose(position, FOREVER)))
    assert after.points is not None and after.points[0] == 48


def test_what_others_have_is_worth_less_among_four(four: Callable[..., Position]) -> None:
    kings = "rKh1 bKa7 yKg14 gKn8"
    without = four("survivor", kings + " rPd2")
    rich, rival = four("survivor", kings + " rPd2 rQf6"), four("survivor", kings + " rPd2 bQf6")
    worth, more, less = (Evaluation(position).of(position) for position in (without, rich, rival))
    assert more - worth > 8 * PAWN
    assert -5 * PAWN < less - worth < -2 * PAWN


def test_points_count_in_a_game_by_points(four: Callable[..., Position]) -> None:
    gains = []
    for variant in ("survivor", "ffa"):
        position = four(variant, "rKh1 bKa7 yKg14 gKn8 rQd5 gQd9 rPd2 gPm10")
        evaluation = Evaluation(position)
        gains.append(evaluation.of(position.play(position.find("d5d9"))) - evaluation.of(position))
    assert gains[1] == gains[0] + 9 * POINT


def test_what_the_last_opponent_has_counts_whole(four: Callable[..., Position]) -> None:
    position = four("survivor", "rKh1 gKn8 rQd5 gQd9 rPd2 gPm10", out="0,1,1,0")
    after = position.play(position.find("d5d9"))
    assert Evaluation(position).of(after) - Evaluation(position).of(position) > 9 * PAWN


@pytest.mark.parametrize("variant", ["survivor", "ffa", "teams"])
def test_where_all_have_the_same_nobody_is_ahead(variant: str) -> None:
    assert abs(Evaluation(opening(variant)).of(opening(variant))) <= 2


@pytest.mark.parametrize("variant", ["survivor", "ffa"])
def test_what_the_strongest_loses_counts_most(variant: str, four: Callable[..., Position]) -> None:
    pieces = "rKh1 rQd2 bKa7 bQb6 bQb9 yKg14 yQe13 gKn8"
    worth = [
        Evaluation(position).of(position)
        for position in (four(variant, pieces + " " + pawns) for pawns in ("bPb7 gPm9", "bPb7", "gPm9"))
    ]
    of_the_weakest, of_the_strongest = worth[1] - worth[0], worth[2] - worth[0]
    assert of_the_strongest > of_the_weakest > 0


def test_to_put_out_who_is_weak_brings_less(four: Callable[..., Position]) -> None:
    brought = []
    for queens in ("gQm6", "yQe13"):  # Green mates, and one other player is left
        position = four("survivor", f"rKh1 rQd2 yKg14 gKn8 {queens}", out="0,1,0,0")
        evaluation = Evaluation(position)
        brought.append(evaluation.of(position.eliminate(3, Termination.RESIGNATION)) - evaluation.of(position))
    assert brought[0] > brought[1] > 0


@pytest.mark.parametrize("variant", ["survivor", "ffa", "teams"])
def test_a_free_queen_is_taken_among_four(variant: str, four: Callable[..., Position]) -> None:
    position = four(variant, "rKh1 bKa7 yKg14 gKn8 rRd5 gQd9 rPe2 yPe13 bPb8 gPm9")
    assert Search(position, FOREVER).best(2).text == "d5d9"


@pytest.mark.parametrize(("variant", "depth"), [("survivor", 2), ("ffa", 2), ("teams", 3)])
def test_what_the_last_opponent_guards_is_not_taken(variant: str, depth: int, four: Callable[..., Position]) -> None:
    """Green recaptures only after Blue's and Yellow's moves. Without teams that is beyond such a short search."""
    position = four(variant, "rKh1 bKa7 yKg14 gKn8 rRd5 gNd9 gRl9 rPe2 yPe13 bPb8 gPm9")
    assert Search(position, FOREVER).best(depth).text != "d5d9"
    free = four(variant, "rKh1 bKa7 yKg14 gKn8 rRd5 gNd9 gRl10 rPe2 yPe13 bPb8 gPm9")
    assert Search(free, FOREVER).best(depth).text == "d5d9"


def test_what_a_partner_has_is_ones_own(four: Callable[..., Position]) -> None:
    kings = "rKh1 bKa7 yKg14 gKn8"
    without, partnered = four("teams", kings + " rPd2"), four("teams", kings + " rPd2 yQf6")
    assert Evaluation(partnered).of(partnered) - Evaluation(without).of(without) > 8 * PAWN


MATED_BY_TWO = [
    (
        "survivor", "j1k2", "j1j2",
        "R-0,0,1,0-0,0,0,0-0,0,0,0-0,0,0,0-0-x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,gQ,dyK,6,x,x,x/1,dyB,9,gP,1,gK/bQ,13/"
        "7,rQ,rB,1,gB,2,gR/10,gP,3/4,gN,4,gP,1,gB,1,gR/2,bP,7,gP,3/bR,bR,5,bP,6/bK,1,bP,rN,10/x,x,x,6,rN,1,x,x,x/"
        "x,x,x,3,rB,4,x,x,x/x,x,x,6,rK,rR,x,x,x",
    ),
    (
        "ffa", "a5b7", "a6i14",
        "B-0,0,0,0-1,0,1,1-1,1,1,1-11,0,9,2-0-x,x,x,yR,yN,yB,yK,yQ,yB,yN,yR,x,x,x/x,x,x,yP,1,yP,3,yP,yP,x,x,x/"
        "x,x,x,1,yP,3,yP,2,x,x,x/bR,bP,4,yP,5,gP,gR/1,bP,10,gP,gN/bB,bP,10,gP,1/bQ,bN,1,bP,6,gP,2,gK/bK,2,bP,8,gP,1/"
        "bB,bP,10,gP,gB/bN,bP,10,gP,1/rQ,4,rP,1,rP,3,gN,gP,gR/x,x,x,8,x,x,x/x,x,x,rP,rP,1,rN,1,rP,rP,rP,x,x,x/"
        "x,x,x,rR,1,rB,1,rK,rB,rN,rR,x,x,x",
    ),
]  # fmt: skip
"""Positions in which two opponents mated level 5 within a round: after the first move, but not after the second."""


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "deadly", "safe", "text"), MATED_BY_TWO)
def test_what_two_opponents_can_do_is_seen(variant: str, deadly: str, safe: str, text: str) -> None:
    position = opening(variant, position=text)
    own = position.turn
    assert mated_by_two(position.play(deadly), own)
    assert not mated_by_two(position.play(safe), own)
    assert Search(position, FOREVER).best(4).text == deadly
    assert not mated_by_two(position.play(Level5(deepest=4).choose(position, FOREVER)), own)


def test_what_two_opponents_can_do_is_not_worth_everything() -> None:
    """If no move is almost as good, the best move is played anyway."""
    position = opening("survivor", position=MATED_BY_TWO[0][3])
    level = Level5(deepest=4)
    level.search = search = Search(position, FOREVER)
    best = search.best(4)
    search.score = MATE
    assert level._safer(search, position, best) is best
