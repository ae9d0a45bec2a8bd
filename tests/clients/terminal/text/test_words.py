"""Games in words."""

import pytest

from fourfold.clients.terminal.text import words
from fourfold.engine.variants import opening
from fourfold.protocol import events as happened
from fourfold.protocol.events import Result

TWO = {"white": 1, "black": 2}
FOUR = {"red": 3, "blue": 1, "yellow": 2, "green": 4}


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (Result("checkmate", ["white"], TWO, None), "White wins by checkmate."),
        (Result("resignation", ["black"], TWO, None), "Black wins by resignation."),
        (Result("time", ["white"], TWO, None), "White wins on time."),
        (Result("insufficient_material", [], {"white": 1, "black": 1}, None), "Draw by insufficient material."),
        (Result("fifty_moves", [], dict.fromkeys(FOUR, 1), None), "Draw by the fifty-move rule."),
        (Result("threefold", [], {"white": 1, "black": 1}, None), "Draw by threefold repetition."),
        (
            Result("last_standing", ["blue"], FOUR, None),
            "Blue wins as the last one standing. 1. blue, 2. yellow, 3. red, 4. green.",
        ),
        (
            Result("points", ["blue"], FOUR, {"red": 20, "blue": 61, "yellow": 45, "green": 3}),
            "Blue wins on points. 1. blue (61), 2. yellow (45), 3. red (20), 4. green (3).",
        ),
        (
            Result("checkmate", ["red", "yellow"], {"red": 1, "blue": 2, "yellow": 1, "green": 2}, None),
            "Red and yellow win by checkmate. 1. red, 1. yellow, 2. blue, 2. green.",
        ),
        (Result("new_rule", ["white"], TWO, None), "White wins by new rule."),
        (Result("aborted", [], {"white": 1, "black": 1}, None), "The game was aborted: nobody has won."),
        (
            Result("agreement", ["blue"], FOUR, {"red": 20, "blue": 61, "yellow": 45, "green": 3}),
            "Blue wins on points, as everybody agreed to end. 1. blue (61), 2. yellow (45), 3. red (20), 4. green (3).",
        ),
        (
            Result("points", ["red", "blue"], {**FOUR, "red": 1}, {"red": 61, "blue": 61, "yellow": 4, "green": 3}),
            "Red and blue share first place on points. 1. red (61), 1. blue (61), 2. yellow (4), 4. green (3).",
        ),
        (
            Result("threefold", ["red", "blue"], {**FOUR, "red": 1}, {"red": 9, "blue": 9, "yellow": 4, "green": 3}),
            "Red and blue share first place on points, the game being drawn by threefold repetition. "
            "1. red (9), 1. blue (9), 2. yellow (4), 4. green (3).",
        ),
    ],
)
def test_results(result: Result, sentence: str) -> None:
    assert words.result(result) == sentence


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (happened.Seated("red", "p", "Ada"), "Ada takes red"),
        (happened.Seated("red", "p", "\x1b[31mA\ud800" + "a" * 40), "[31mAaaaaaaaaaaaaaaaaaaa takes red"),
        (happened.Unseated("red"), "red is free again"),
        (happened.Unseated("red", kicked=True), "red is removed by the host"),
        (happened.Started(), "The game begins."),
        (happened.Moved("white", "e2e4", 1), "   1 white  e2e4"),
        (happened.Moved("green", "d10d11q", 1204), "1204 green  d10d11q"),
        (happened.Moved("red", "h2h4", 1, happened.Tick(1000, 0, 0, 59_000)), "   1 red    h2h4   0:59"),
        (happened.Closed(1, "withdrawn"), "the proposal is taken back"),
        (happened.Eliminated("red", "checkmate", "green"), "red is out: checkmate by green"),
        (happened.Eliminated("red", "resignation", None), "red is out: resignation"),
        (happened.Resigned("red"), "red resigns"),
        (happened.Flagged("red"), "red has run out of time"),
        (happened.Proposed(1, "undo", "red", 3, 4, "", [], 0), "red proposes to undo 3 moves"),
        (happened.Proposed(1, "redo", "red", 1, 4, "", [], 0), "red proposes to redo 1 move"),
        (happened.Proposed(1, "draw", "red", None, None, None, [], 0), "red proposes a draw"),
        (happened.Voted(1, "red", True), "red says yes"),
        (happened.Voted(1, "red", False), "red says no"),
        (happened.Closed(1, "superseded"), "the proposal is dropped, because the game went on"),
        (happened.Closed(1, "expired"), "the proposal is not answered in time"),
        (happened.Undone(3, 4, ""), "back 3 plies, to ply 4"),
        (happened.Redone(1, 5, ["e2e4"], ""), "forward 1 ply, to ply 5"),
        (happened.Finished(Result("checkmate", [], {}, None)), None),
    ],
)
def test_events(event: happened.AnyEvent, sentence: str | None) -> None:
    said = words.event(event)
    assert said is None if sentence is None else said is not None and said.strip() == sentence.strip()


def test_where_points_count_a_draw_says_who_would_win() -> None:
    proposed = happened.Proposed(1, "draw", "red", None, None, None, [], 0)
    ahead = opening("ffa").fen().replace("-0,0,0,0-0-", "-0,12,3,0-0-")
    said = words.event(proposed, opening("ffa", position=ahead))
    assert said is not None
    assert said.strip() == "red proposes to end the game on points: blue would win with 22"
    assert (words.event(proposed, opening("survivor")) or "").strip() == "red proposes a draw"


def test_lists() -> None:
    assert [words.listed(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
