"""Studies from PGN and PGN4, and back word for word."""

import re
from pathlib import Path

import pytest

from fourfold.engine.decisions import Rejection
from fourfold.engine.notation import pgn, pgn4
from fourfold.engine.notation.game import Game
from fourfold.engine.position import Position
from fourfold.engine.study import record
from fourfold.engine.study import state as limits
from fourfold.engine.study.commands import Comment, TitleChapter
from fourfold.engine.study.shapes import Shape
from tests.study.conftest import Desk, draft, read

DATA = Path(__file__).parent.parent / "engine" / "notation" / "data"

ANNOTATED = """\
[Event "Lesson"]
[Site "?"]
[Date "2026.01.02"]
[Round "?"]
[White "Ada"]
[Black "Bo"]
[Result "1-0"]
[TimeControl "-"]
[Annotator "Cy"]
[StudyName "Openings"]
[ChapterName "First"]
[Orientation "black"]

{[%csl Gd4] Before the start} 1. e4 $1 {[%clk 0:03:00] [%eval 0.3] best} ( {Or}
1. d4 d5 ( 1... Nf6 2. c4 ( 2. Nf3 ) 2... e6 ) ( 1... f5 {Dutch} ) 2. c4 ) ( 1.
c4 ) 1... e5 {[%csl Re5,Yd5] [%cal Gg1f3,Bb1c3] look} 2. -- $6 2... Nf6 ( 2...
d5 ) 1-0
"""

FOUR = """\
[Variant "FFA"]
[RuleVariants "EnPassant PromoteTo=D"]
[StartFen4 "4PC"]
[StudyName "Openings"]
[ChapterName "First"]

1. h2-h3 {[%foo] first} ( {why not} e2-e3 .. b5-c5 ) .. b5-c5 $2 .. g13-g12 .. m8-l8
2. R .. b6-c6 ( R ) .. k13-k12 .. m9-l9
"""


def again(text: str, format: str) -> str:
    """A game that becomes a chapter and a game again."""
    desk = Desk(read(text, format))
    return record.write(desk.study, [desk.chapter])


def test_pgn_word_for_word() -> None:
    assert again(ANNOTATED, "pgn") == ANNOTATED == pgn.write(read(ANNOTATED))


def test_pgn4_word_for_word() -> None:
    assert again(FOUR, "pgn4") == pgn4.write(read(FOUR, "pgn4"))
    assert again(again(FOUR, "pgn4"), "pgn4") == again(FOUR, "pgn4")
    assert "( {why not} e2-e3 .. b5-c5 )" in again(FOUR, "pgn4")


@pytest.mark.parametrize("name", ["ffa.pgn4", "teams.pgn4", "sample.pgn"])
def test_real_games_word_for_word(name: str) -> None:
    format = name.rpartition(".")[2]
    texts = re.split(r"\n(?=\[(?:GameNr|Event ))", (DATA / name).read_text())[:12]
    for text in texts:
        game = read(text, format)
        game.tags |= {"StudyName": "Openings", "ChapterName": "First"}
        assert again(text, format) == (pgn if format == "pgn" else pgn4).write(game)


def test_arrows_and_marks_are_taken_out_of_comments() -> None:
    desk = Desk(read(ANNOTATED))
    node = next(node for node in desk.chapter.nodes.values() if node.text == "e5")
    assert node.comment == "look"
    assert node.shapes == (
        Shape("red", "e5"),
        Shape("yellow", "d5"),
        Shape("green", "g1", "f3"),
        Shape("blue", "b1", "c3"),
    )
    odd = Desk(read("1. e4 {[%cal Ge2e9] [%csl Xa1] odd} *"))
    assert odd.chapter.nodes[1].comment == "odd" and not odd.chapter.nodes[1].shapes
    assert odd.text == "1. e4 {[%cal Ge2e9] [%csl Xa1] odd} *"


def test_commands_of_other_programs_are_kept_and_not_shown() -> None:
    text = "{[%evp 0,1]} 1. e4 {[%clk 0:03:00] [%eval 0.3] [%emt 0:00:02] [%cal Ge2e4] Best.} e5 {[%eval #-3]} *"
    desk = Desk(read(text))
    assert [node.comment for node in desk.chapter.nodes.values()] == ["", "Best.", ""]
    written = desk.text
    for command in ("[%evp 0,1]", "[%clk 0:03:00]", "[%eval 0.3] [%emt 0:00:02]", "[%cal Ge2e4]", "[%eval #-3]"):
        assert command in written.replace("\n", " ")
    assert Desk(read(written)).text == written


def test_a_comment_keeps_its_lines() -> None:
    desk = Desk(read("1. e4 *"))
    said = "First:\n\n- {one}\n[Event of the year]\n% all"
    desk.says(Comment(1, 1, f"  {said} \n"))
    assert desk.chapter.nodes[1].comment == said
    again = Desk(read(record.write(desk.study, [desk.chapter])))
    assert again.chapter.nodes[1].comment == said.replace("}", ")")


def test_variations_of_a_variations_first_move_become_its_neighbours() -> None:
    desk = Desk(read("1. e4 e5 (1... c5 (1... e6) 2. Nf3) 2. d4 *"))
    assert desk.text == "1. e4 e5 ( 1... c5 2. Nf3 ) ( 1... e6 ) 2. d4 *"


def test_a_chapter_is_called_by_its_players() -> None:
    assert record.title(read(ANNOTATED.replace("ChapterName", "Chapter")), 3) == "Ada - Bo"
    assert record.title(read('[Event "Cup"]\n\n1. e4 *'), 3) == "Cup"
    assert record.title(read("1. e4 *"), 3) == "Chapter 3"


def test_a_chapter_keeps_its_title() -> None:
    named = Desk(read('[White "Guest"]\n[Black "Bo"]\n[ChapterName "Old"]\n\n1. e4 *'))
    plain = Desk()
    for desk in (named, plain):
        desk.says(TitleChapter(1, "My great chapter"))
        (game,) = pgn.read(record.write(desk.study, [desk.chapter]))
        assert record.title(game, 1) == "My great chapter" and game.tags["StudyName"] == "Openings"
    assert dict(named.chapter.tags)["ChapterName"] == "Old"


def test_several_chapters_are_games_of_one_text() -> None:
    desk = Desk(read(ANNOTATED))
    text = record.write(desk.study, [desk.chapter, desk.chapter])
    assert [pgn.write(game) for game in pgn.read(text)] == [ANNOTATED, ANNOTATED]


def test_a_chapter_without_tags_is_named_by_the_study() -> None:
    desk = Desk()
    assert record.write(desk.study, [desk.chapter]).startswith('[Event "Openings: First"]')


def test_what_is_too_much_for_a_chapter(monkeypatch: pytest.MonkeyPatch) -> None:
    game = read("1. e4 $1 {[%csl Gd4] long} (1. d4 (1. c4)) 1... e5 *")
    assert len(draft(game).nodes) == 5
    for name in ("NODES", "DEPTH", "NESTING", "COMMENT", "SHAPES", "GLYPHS"):
        with monkeypatch.context() as patch:
            patch.setattr(record, name, 0)
            verdict = record.draft(game)
            assert isinstance(verdict, Rejection) and verdict.code == "study_full"
    assert limits.NODES


def test_a_game_that_was_drawn_goes_on_in_a_study() -> None:
    """The export has the game's end only if no move follows the last one, so it hides none."""
    text = FOUR.replace("[StartFen4", '[Termination "Draw by agreement"]\n[StartFen4')
    desk = Desk(read(text, "pgn4"))
    (end,) = (node for node in desk.chapter.nodes.values() if node.move == "=agreement")
    assert record.write(desk.study, [desk.chapter]) == pgn4.write(read(text, "pgn4"))
    desk.play("b7-c7", after=end.parent)
    assert desk.text.endswith("3. b7-c7")


def test_a_resignation_between_two_is_told_by_the_result() -> None:
    game = Game(Position.start("standard"), {"Result": "0-1"}).play("e4").leave(1)
    desk = Desk(game)
    assert [node.text for node in desk.chapter.nodes.values()] == ["", "e4"]
    assert desk.text == "1. e4 0-1"
