"""Puzzles from reviewed games: missed mates and gains, for two and for four, each with one solution."""

from collections.abc import Callable
from itertools import count
from time import monotonic

import pytest

from fourfold.clients.bots.analysis.examination import examine
from fourfold.clients.bots.analysis.puzzles import puzzles
from fourfold.clients.bots.hosting.analyst import steps_of
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from fourfold.protocol.lines import Puzzle
from tests.conftest import some


def found(
    start: Position, *moves: str, each: float = 0.1, clock: Callable[[], float] = monotonic
) -> list[Puzzle]:
    steps = steps_of(moves, start.seats)
    return puzzles(start, steps, examine(start, steps, each, clock), 0.5, clock)


def test_a_mate_that_was_missed() -> None:
    made = found(opening("standard"), "f2f3", "e7e5", "g2g4", "b8c6", "a2a3")
    assert [(one.ply, one.seat, one.goal, one.line, one.last) for one in made if one.ply == 3] == [
        (3, "black", "mate", ["d8h4"], ["d8h4"])
    ]
    assert opening("standard", position=made[0].position).seats[0] == "white"


def test_a_mate_in_two_has_one_first_move_and_any_last_one() -> None:
    start = opening("standard", position="kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    ticks = count()  # a clock that advances at each reading: it needs a search, on a busy machine too
    (puzzle,) = found(start, "b6a7", each=0.5, clock=lambda: 0.001 * next(ticks))
    assert (puzzle.goal, puzzle.line[0], len(puzzle.line)) == ("mate", "a1a6", 3)
    assert puzzle.line[2] in puzzle.last


@pytest.mark.parametrize(
    ("position", "made", "best"),
    some(
        1,
        ("4k3/pp4pp/8/8/5b2/8/PP4PP/4KR2 w - - 0 1", "a2a3", "f1f4"),
        ("r3k3/1p4pp/8/1N6/8/8/PP4PP/4K2R w - - 0 1", "a2a3", "b5c7"),  # a fork
    ),
)
def test_a_gain_that_was_missed(position: str, made: str, best: str) -> None:
    (puzzle,) = found(opening("standard", position=position), made)
    assert (puzzle.ply, puzzle.goal, puzzle.line, puzzle.last) == (0, "gain", [best], [best])


@pytest.mark.slow
def test_what_was_found_is_no_puzzle() -> None:
    assert found(opening("standard", position="4k3/pp4pp/8/8/5b2/8/PP4PP/4KR2 w - - 0 1"), "f1f4") == []
    assert found(opening("standard"), "e2e4", "e7e5") == []


def test_a_mate_among_four_that_was_missed(four: Callable[..., Position]) -> None:
    start = four("survivor", "rKh1 bKa11 yKg14 gKn8 rRb5 rRd6 gRd9")
    (puzzle,) = found(start, "h1g1", each=0.01)
    assert (puzzle.ply, puzzle.seat, puzzle.goal, puzzle.last) == (0, "red", "mate", ["d6a6"])


@pytest.mark.parametrize("each", some(1, 0.01, 0.05, 0.3))
def test_a_piece_among_four_that_was_left(each: float, four: Callable[..., Position]) -> None:
    start = four("survivor", "rKh1 bKa11 yKg14 gKn8 rRd6 yPd13 gQd9 bPb5 rPh2")
    (puzzle,) = found(start, "h1g1", each=each)
    assert (puzzle.seat, puzzle.goal, puzzle.line) == ("red", "gain", ["d6d9"])
