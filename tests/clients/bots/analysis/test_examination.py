"""The review of a finished game: bad moves, missed chances in words, accuracy, and the moment of defeat."""

import math
from collections.abc import Callable, Iterator

import pytest

from fourfold.clients.bots.analysis.best_lines import Found, analyse
from fourfold.clients.bots.analysis.examination import examine, summary
from fourfold.clients.bots.hosting.analyst import steps_of
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from fourfold.protocol.lines import Departed, JudgedPly, Line

QUICK = 0.2


def judged(start: Position, *steps: str, each: float = QUICK) -> list[JudgedPly]:
    return examine(start, steps_of(steps, start.seats), each)


def test_a_mate_that_was_allowed_and_one_that_was_missed() -> None:
    start = opening("standard")
    plies = judged(start, "f2f3", "e7e5", "g2g4", "d8e7", "a2a3", "e7h4")
    assert len(plies) == 7
    assert plies[0].mark is plies[0].seat is None and sum(plies[0].shares.values()) == pytest.approx(1, abs=1e-3)
    assert (plies[3].seat, plies[3].mark) == ("white", "??")
    assert plies[3].remark == "Black can win by force now: Qh4#."
    assert (plies[3].best, plies[3].shares["black"]) == ("Qh4#", 1)
    assert (plies[4].seat, plies[4].mark, plies[4].remark) == ("black", "??", "Black could win by force: Qh4#.")
    assert plies[6].mark is None and plies[6].shares == {"white": 0, "black": 1} and plies[6].best is None
    found = summary(start, plies)
    assert found.lost == {"white": 5, "black": None}
    assert found.accuracy["white"] is not None and found.accuracy["white"] < 80


def test_what_could_be_taken_for_nothing() -> None:
    start = opening("standard", position="4k3/pp4pp/8/8/5b2/8/PP4PP/4KR2 w - - 0 1")
    plies = judged(start, "a2a3")
    assert plies[1].remark == "White could take the bishop on f4 for nothing."
    start = opening("standard", position="4k3/pp4pp/8/4b3/8/8/PP4PP/4KR2 b - - 0 1")
    plies = judged(start, "e5f4")
    assert plies[1].remark == "White can take Black's bishop on f4 for nothing."


def test_a_mate_that_was_missed_is_named_though_the_game_is_won_all_the_same() -> None:
    start = opening("standard", position="6k1/5ppp/8/8/8/2Q5/5PPP/R5K1 w - - 0 1")
    plies = judged(start, "h2h3", each=0.05)
    assert plies[1].shares["white"] > 0.9
    assert plies[1].shares["white"] == 1 or (plies[1].mark, plies[1].remark) == (
        "?!", "White could win by force: Ra8#."
    )  # fmt: skip


def test_a_man_is_named_though_the_game_is_lost_already() -> None:
    start = opening("standard", position="4k3/pppppppp/8/4b3/8/8/PPP1PPPP/RQB1K1QR b - - 0 1")
    plies = judged(start, "e5f4")
    assert plies[1].remark == "White can take Black's bishop on f4 for nothing."
    assert plies[1].mark is None


def test_four_players_mate_and_go_out(four: Callable[..., Position]) -> None:
    start = four("survivor", "rKh1 bKa11 yKg14 gKn8 rRb5 rRd6 gRd9")
    missed = judged(start, "h1g1", each=0.01)[1]
    assert missed.mark is not None and missed.remark == "Red could mate Blue: Rd6-a6+#."
    made = judged(start, "d6a6", each=0.01)[1]
    assert (made.mark, made.remark) == (None, None)
    assert made.out == [Departed("blue", "checkmate", "red")]


def test_points_are_kept_where_they_count() -> None:
    start = opening("ffa")
    plies = judged(start, "h2h3", each=0.01)
    assert plies[0].points == plies[1].points == dict.fromkeys(start.seats, 0)
    assert judged(opening("survivor"), "h2h3", each=0.01)[1].points is None


def test_among_four_with_departures() -> None:
    start = opening("ffa")
    plies = judged(start, "h2h3", "blue resignation", "a7a6", "g13g12", "m8l8", each=0.01)
    assert len(plies) == 1 + 4
    assert [ply.seat for ply in plies] == [None, "red", "blue", "yellow", "green"]
    assert all(set(ply.shares) == set(start.seats) for ply in plies)
    assert plies[1].shares["blue"] < plies[1].shares["red"]
    found = summary(start, plies)
    assert found.lost["blue"] == 1 and found.lost["red"] is None
    assert set(found.accuracy) == set(start.seats)


def test_whoever_leaves_has_not_moved_badly() -> None:
    start = opening("standard")
    plies = judged(start, "e2e4", "e7e5", "black resignation", each=0.01)
    assert len(plies) == 3 and plies[2].shares["black"] > 0.4 and plies[2].best is not None
    found = summary(start, plies)
    assert found.lost["black"] is None
    assert found.accuracy["black"] is not None and found.accuracy["black"] > 80


def test_whoever_leaves_four_after_a_move_has_lost_nothing_by_the_move() -> None:
    start = opening("survivor")
    plies = judged(start, "h2h3", "red resignation", each=0.01)
    assert plies[1].shares["red"] == 0
    assert summary(start, plies).accuracy["red"] is None


def test_moves_of_an_opening_with_a_name_are_no_mistakes() -> None:
    start = opening("standard")

    def costing(cost: float, theory: int) -> tuple[str | None, float | None]:
        """The mark and White's accuracy if the first move costs this much."""
        shares = iter([{"white": 0.5 - cost, "black": 0.5 + cost}, {"white": 0.5, "black": 0.5}] * 2)

        def look(position: Position, count: int, until: float, clock: Callable[[], float]) -> Iterator[Found]:
            line = Line(["d2d4" if position.ply == 0 else "d7d5"], ["d4"], ["white"], 0, None, next(shares))
            yield Found(1, 1, [line])

        plies = examine(start, steps_of(["e2e4"], start.seats), 1, look=look, theory=theory)
        return plies[1].mark, summary(start, plies, theory).accuracy["white"]

    assert costing(0.07, theory=0)[0] == "?"
    assert costing(0.07, theory=1) == (None, 100)
    assert costing(0.3, theory=1)[0] == "??"


def test_what_nobody_waits_for_ends_at_once() -> None:
    start = opening("ffa")
    assert len(examine(start, steps_of(["h2h3"], start.seats), 1000, clock=lambda: math.inf)) == 2


def test_positions_are_looked_at_in_another_way() -> None:
    """The analyser gets each position, with the time and the clock of the review."""
    asked: list[str] = []

    def look(position: Position, count: int, deadline: float, clock: Callable[[], float]) -> Iterator[Found]:
        asked.append(position.fen())
        assert (count, deadline) == (1, 6.0)  # half of the time: this game has no doubtful move
        yield from analyse(position, count, deadline, lambda: math.inf)

    start = opening("standard")
    told: list[int] = []
    plies = examine(start, steps_of(["e2e4", "e7e5"], start.seats), 2.0, lambda: 5.0, look, told.append)
    after = start.play(start.find("e2e4"))
    assert asked == [one.fen() for one in (after.play(after.find("e7e5")), after, start)]  # the last first
    assert (told[-1], len(plies)) == (3, 3)


def test_what_is_in_doubt_is_looked_at_again_for_longer() -> None:
    asked: list[tuple[str, float]] = []

    def look(position: Position, count: int, deadline: float, clock: Callable[[], float]) -> Iterator[Found]:
        asked.append((position.fen(), deadline))
        yield from analyse(position, count, math.inf, clock, deepest=3, nodes=300)

    start = opening("standard")
    moves = ["e2e4", "e7e5", "d1h5", "b8c6", "h5f3", "g8f6", "f3g3", "d7d6", "h2h4", "f6e4", "g3f3", "e4f6"]
    told: list[int] = []
    plies = examine(start, steps_of(moves, start.seats), 2.0, lambda: 0.0, look, told.append)
    first, again = asked[:13], asked[13:]
    assert {deadline for _, deadline in first} == {1.0} and {deadline for _, deadline in again} == {4.0}
    assert 2 <= len(again) <= 3 and set(dict(again)) <= set(dict(first))
    assert told == sorted(told) and told[-1] == len(plies) == 13


@pytest.mark.parametrize(
    ("cost", "by_level_5", "by_engine"),
    [(0.02, None, None), (0.04, "?!", None), (0.07, "?", "?!"), (0.12, "?", "?"), (0.14, "??", "?"), (0.2, "??", "??")],
)
def test_marks_are_of_who_has_looked(cost: float, by_level_5: str | None, by_engine: str | None) -> None:
    """Level 5 is less sure than an engine about the cost of a move. An engine's marks start at Lichess's thresholds."""
    start = opening("standard")
    for mark, engine in ((by_level_5, False), (by_engine, True)):

        def look(
            position: Position, count: int, deadline: float, clock: Callable[[], float], engine: bool = engine
        ) -> Iterator[Found]:
            white, move, text = (0.5 - cost, "d7d5", "d5") if position.turn else (0.5, "d2d4", "d4")
            seat = position.seats[position.turn]
            yield Found(1, 1, [Line([move], [text], [seat], 0, None, {"white": white, "black": 1 - white})], engine)

        plies = examine(start, steps_of(["e2e4"], start.seats), 1.0, lambda: 0.0, look)
        assert plies[1].mark == mark


@pytest.mark.parametrize(
    ("position", "tick", "least", "most"),
    [("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", 0.0001, 0.1, 0.4), (None, 0.001, 0.5, 0.6)],
    ids=["decided", "open"],
)
def test_a_game_that_is_decided_is_not_looked_at_for_long(
    position: str | None, tick: float, least: float, most: float
) -> None:
    """With a clock that advances one tick at each reading."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += tick
        return now

    assert examine(opening("standard", position=position), [], 1, clock)
    assert least < now < most
