"""The best lines of a position, each seat's chances, and the opponents' threats."""

import math
from collections.abc import Callable
from itertools import pairwise

import pytest

from fourfold.clients.bots.analysis.best_lines import analyse, careful, outcome_shares, shares, standing, threats
from fourfold.engine.position import Position
from fourfold.engine.variants import opening

LOST = (
    "R-0,0,1,0-0,0,0,0-0,0,0,0-28,57,29,24-0-x,x,x,dyK,7,x,x,x/x,x,x,8,x,x,x/x,x,x,8,x,x,x/3,dyP,5,dyQ,4/5,dyP,4,dyP,3/"
    "3,gR,1,dyB,dyP,dyP,1,gP,4/14/11,gB,2/rR,1,rP,7,gN,1,gP,1/3,bK,7,gP,1,gK/5,gQ,3,rP,gP,3/x,x,x,rK,6,rP,x,x,x/"
    "x,x,x,8,x,x,x/x,x,x,3,gD,4,x,x,x"
)
"""A public game after 295 plies: red can be mated within a round, and can mate green for twenty points."""


def deepest(position: Position, count: int, depth: int) -> list[list[str]]:
    """The lines at a depth, in SAN or long algebraic notation."""
    *_, last = analyse(position, count, math.inf, deepest=depth)
    assert last.depth <= depth
    return [line.texts for line in last.lines]


def test_the_lines_are_different_moves_the_best_first() -> None:
    position = opening("standard", position="4k3/pp6/8/3r4/8/2N5/PP6/4K3 w - - 0 1")
    *_, found = analyse(position, 3, math.inf, deepest=3)
    assert found.lines[0].moves[0] == "c3d5" and found.lines[0].texts[0] == "Nxd5"
    assert len({line.moves[0] for line in found.lines}) == 3
    scores = [line.score for line in found.lines]
    assert scores == sorted(scores, reverse=True) and scores[0] > scores[1] + 200
    assert found.lines[0].shares["white"] > 0.7
    assert sum(found.lines[0].shares.values()) == pytest.approx(1, abs=1e-3)


def test_more_of_what_is_ahead_says_less_and_less() -> None:
    start = opening("standard")
    found = [shares(start, start, score, careful(score))["white"] for score in range(0, 2001, 100)]
    assert found[0] == 0.5 and 0.6 < found[1] < 0.65 and 0.8 < found[4] < 0.9 and found[-1] < 0.99
    gained = [after - before for before, after in pairwise(found)]
    assert all(later < earlier for earlier, later in pairwise(gained)) and gained[-1] > 0
    assert shares(start, start, -300, careful(-300))["black"] == found[3]


@pytest.mark.parametrize("count", [1, 3])
def test_whoever_is_lost_among_four_can_mate_another_first(count: int) -> None:
    position = opening("ffa", position=LOST)
    *_, found = analyse(position, count, math.inf, deepest=3)
    assert found.lines[0].moves[0] == "c6c7"
    assert len({line.moves[0] for line in found.lines}) == count


def test_shares_are_of_what_the_search_has_seen(four: Callable[..., Position]) -> None:
    """Opponents who pass in the search move in the line, here by capturing the queen with check. The shares do not
    count these moves."""
    start = four("survivor", "rKg1 bKa11 yKg14 gKn8 rRd6 yPd13 gQd9 bPb5 rPh2", turn="B")
    looks = list(analyse(start, 1, math.inf, deepest=6))
    assert any("Rd6xQd7" in look.lines[0].texts for look in looks)
    for look in looks:
        assert look.lines[0].shares["green"] == pytest.approx(looks[0].lines[0].shares["green"], abs=0.01)


def test_a_line_can_be_played() -> None:
    for variant in ("standard", "ffa", "survivor", "teams"):
        start = opening(variant)
        for found in analyse(start, 2, math.inf, deepest=3):
            for line in found.lines:
                position = start
                for move, text, seat in zip(line.moves, line.texts, line.seats, strict=True):
                    assert position.seats[position.turn] == seat
                    assert position.san(position.find(move)) == text
                    position = position.play(move)
                assert set(line.shares) == set(start.seats)
                assert sum(line.shares.values()) == pytest.approx(1, abs=1e-3)


def test_a_mate_is_counted_in_moves() -> None:
    position = opening("standard", position="kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    *_, found = analyse(position, 1, math.inf, deepest=6)
    (line,) = found.lines
    assert (line.texts[0], line.mate) == ("Ra6", 3)
    assert line.shares == {"white": 1, "black": 0}
    lost = position.play("a1a6")
    *_, found = analyse(lost, 2, math.inf, deepest=6)
    assert [line.mate for line in found.lines] == [-2, -2]


def test_with_no_time_there_is_a_first_look() -> None:
    looks = list(analyse(opening("standard"), 3, -1.0))
    assert looks and looks[0].depth == 1 and len(looks[0].lines) == 3


def test_what_is_wanted_no_more_ends() -> None:
    asked = 0

    def clock() -> float:
        nonlocal asked
        asked += 1
        return math.inf if asked > 3 else 0.0

    assert len(list(analyse(opening("standard"), 3, math.inf, clock=clock))) < 8


def test_equal_armies_have_equal_chances() -> None:
    assert standing(opening("ffa")) == dict.fromkeys(("red", "blue", "yellow", "green"), 0.25)
    teams = standing(opening("teams"))
    assert all(0.2 < share < 0.3 for share in teams.values())
    assert sum(standing(opening("standard")).values()) == pytest.approx(1)


def test_whoever_is_out_has_no_chance() -> None:
    text = "R-0,1,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-" + "/".join(
        ["x,x,x,3,yK,4,x,x,x", "x,x,x,8,x,x,x", "x,x,x,8,x,x,x", "14", "14", "14", "14", "dbK,12,gK", "14", "14", "14",
         "x,x,x,8,x,x,x", "x,x,x,8,x,x,x", "x,x,x,1,rQ,rK,5,x,x,x"]
    )  # fmt: skip
    found = standing(opening("survivor", position=text))
    assert found["blue"] == 0 and found["red"] > found["yellow"] == found["green"] > 0


def test_the_end_is_shared_by_the_winners() -> None:
    mate = opening("standard").play("f2f3").play("e7e5").play("g2g4").play("d8h4")
    assert outcome_shares(mate) == {"white": 0, "black": 1}
    draw = opening("standard", position="8/8/8/8/8/8/8/K1k5 w - - 0 1")
    assert draw.outcome is not None and outcome_shares(draw) == {"white": 0.5, "black": 0.5}


def test_what_is_threatened() -> None:
    position = opening("standard", position="4k3/8/8/3r4/8/8/3B4/K7 w - - 0 1")
    (threat,) = threats(position)
    assert (threat.seat, threat.move, threat.text, threat.gain, threat.mate) == ("black", "d5d2", "Rxd2", 3, False)
    guarded = opening("standard", position="4k3/8/8/3r4/8/8/3B4/4K3 w - - 0 1")
    assert threats(guarded) == []
    fool = opening("standard").play("f2f3").play("e7e5").play("g2g4")
    assert threats(fool) == []  # Black is to move, and White has no threats
    mated = fool.replace(turn=0)
    (threat,) = threats(mated)
    assert (threat.text, threat.mate) == ("Qh4#", True)
    assert threats(opening("ffa")) == []
    checked = opening("standard", position="4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    assert threats(checked) == []
