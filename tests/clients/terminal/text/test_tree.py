"""The moves of a study as lines: their layout and their width."""

from hypothesis import given
from hypothesis import strategies as st

from fourfold.clients.study_state import Chapter, Study
from fourfold.clients.terminal.text import tree
from fourfold.engine.study import commands as c
from fourfold.protocol import study_projection as wire
from tests.study.conftest import Desk, read

GAME = (
    "{A lesson.} 1. e4 $1 e5 (1... c5 {The Sicilian: it is sharper than what follows.} 2. Nf3 d6 (2... Nc6 3. d4)) "
    "(1... e6) 2. Nf3 Nc6 $6 $14 *"
)


def chapter(desk: Desk) -> Chapter:
    return Study(wire.snapshot("s", desk.study, "p", [], 0, 0)).chapters[0]


def written(one: Chapter, width: int = 60, at: int = -1) -> list[str]:
    names = {"p-ada": "Ada", "p-bo": "Bo"}
    return [tree.plain(line, at) for line in tree.lines(one, names, width)]


def test_glyphs_that_nothing_stands_for_are_passed_over() -> None:
    assert written(chapter(Desk(read("1. e4 $146 $9 $36 $1 e5 $200 *"))))[1:] == ["1. e4! novelty initiative e5"]


def test_variations_stand_below_the_move_they_replace() -> None:
    assert written(chapter(Desk(read(GAME)))) == [
        "Start",
        "A lesson.",
        "1. e4! e5",
        "  - 1... c5",
        "      The Sicilian: it is sharper than what follows.",
        "  2. Nf3 d6",
        "    - 2... Nc6 3. d4",
        "  - 1... e6",
        "2. Nf3 Nc6?! +=",
    ]


def test_the_move_that_is_looked_at_stands_in_brackets() -> None:
    one = chapter(Desk(read("1. e4 e5 *")))
    assert written(one, at=one.line(0)[1])[1] == "1. e4 [e5]"
    assert written(one, at=0)[0] == "[Start]"


def test_it_says_who_wrote_what_others_did_not() -> None:
    desk = Desk(read("1. e4 e5 *"), write="everybody")
    desk.says(c.Play(1, 1, "c7c5"), "p-bo")
    desk.says(c.Play(1, 3, "g1f3"))
    assert written(chapter(desk))[2] == "  - 1... c5 (by Bo) 2. Nf3 (by Ada)"


def test_who_stands_where_is_shown_without_what_could_upset_a_terminal() -> None:
    one = chapter(Desk(read("1. e4 e5 *")))
    lines = tree.lines(one, {}, 60, {one.line(0)[0]: ["B\x1b[2Jo"]})
    assert tree.plain(lines[1], -1) == "1. e4 <B[2Jo> e5"


def test_among_four_each_move_says_whose_it_is() -> None:
    desk = Desk(variant="survivor")
    desk.play("h2h4", "b7d7", "h13h11", "m8k8", "h4h5")
    one = chapter(desk)
    assert written(one) == ["Start", "1. R:h2-h4 B:b7-d7 Y:h13-h11 G:m8-k8+ 2. R:h4-h5"]
    assert tree.move(one, one.line(0)[1]) == "1. blue b7-d7"
    assert tree.move(one, 0) == "the start"


@given(st.integers(20, 120))
def test_lines_keep_to_their_width(width: int) -> None:
    one = chapter(Desk(read(GAME)))
    assert all(len(line) <= width for line in written(one, width))
    moves = {piece.node for line in tree.lines(one, {}, width) for piece in line if piece.node is not None}
    assert moves == set(one.nodes)
