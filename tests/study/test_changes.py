"""The changes of a study: their effects, their permissions, and refusals."""

import pytest

from fourfold.engine.decisions import refused
from fourfold.engine.notation.game import Game
from fourfold.engine.position import Position
from fourfold.engine.study import commands as c
from fourfold.engine.study import decide, replay, steps
from fourfold.engine.study import events as e
from fourfold.engine.study import state as limits
from fourfold.engine.study.shapes import Shape
from tests.study.conftest import OWNER, Desk, draft, read


def test_moves_are_legal_and_variations_hang_where_they_part() -> None:
    desk = Desk()
    last = desk.play("e4", "e7e5", "Nf3")
    assert last == 3
    desk.says(c.Play(1, 1, "c7c5"))
    assert desk.text == "1. e4 e5 ( 1... c5 ) 2. Nf3 *"
    assert desk.refused(c.Play(1, 3, "z9e5")) == "bad_source"
    assert desk.refused(c.Play(1, 3, "e5e3")) == "cannot_move_there"
    assert desk.refused(c.Play(1, 9, "e2e4")) == "no_such_node"
    assert desk.refused(c.Play(2, 0, "e4")) == "no_such_chapter"
    assert desk.says(c.Play(1, 1, "e7e5")) == ()  # it is there


def test_a_comment_that_somebody_else_has_changed_is_not_overwritten_unseen() -> None:
    desk = Desk(write="everybody")
    desk.play("e4")
    seen = desk.study.seq
    desk.says(c.Comment(1, 0, "Elsewhere.", seen), by="bob")
    desk.says(c.Comment(1, 1, "Bob's.", seen), by="bob")
    desk.play("e5", after=1)  # other changes do not matter
    verdict = decide(desk.study, c.Edit("Ada", c.Comment(1, 1, "Ada's.", seen)), OWNER, 0)
    assert verdict == refused("comment_changed", "Meanwhile somebody has changed this comment: “Bob's.”.")
    assert desk.says(c.Comment(1, 1, "Bob's.", seen)) == ()  # both have written the same
    desk.says(c.Comment(1, 1, "Both.", desk.study.seq))
    desk.says(c.Comment(1, 1, "", desk.study.seq), by="bob")
    assert desk.refused(c.Comment(1, 1, "More.", desk.study.seq - 1)) == "comment_changed"
    desk.says(c.Comment(1, 1, "Anyhow."))  # without a version, as ever
    assert desk.chapter.nodes[1].comment == "Anyhow."


def test_a_null_move_passes_the_turn() -> None:
    desk = Desk()
    desk.play("e4", "--", "d4")
    assert desk.text == "1. e4 -- 2. d4 *"


def test_four_players_and_one_who_resigns() -> None:
    desk = Desk(variant="ffa")
    last = desk.play("h2h3", "R")
    position = steps.position_at(desk.study, desk.chapter, last)
    assert position.seats[position.turn] != "blue" or position.walk is not None
    first = desk.chapter.nodes[1]
    assert (first.move, first.seat, desk.chapter.nodes[2].move) == ("h2h3", 0, "Rb")
    assert desk.text.startswith("1. h2-h3 .. R")


def test_a_move_is_removed_with_all_that_follows() -> None:
    desk = Desk()
    desk.play("e4", "e5", "Nf3")
    desk.says(c.Play(1, 1, "c7c5"))
    desk.says(c.Remove(1, 2))
    assert desk.text == "1. e4 c5 *"
    assert desk.refused(c.Remove(1, 3)) == desk.refused(c.Remove(1, 0)) == "no_such_node"
    assert desk.play("e5", after=1) == 5  # numbers are never given twice
    desk.says(c.Remove(1, 1))
    assert desk.text == "*"


def test_a_variation_is_promoted_a_step_or_all_the_way() -> None:
    desk = Desk()
    desk.play("e4", "e5", "Nf3")
    desk.play("d4", "d5")
    deep = desk.play("Nf6", "c4", after=4)
    desk.says(c.Promote(1, deep))
    assert desk.text == "1. e4 ( 1. d4 Nf6 ( 1... d5 ) 2. c4 ) 1... e5 2. Nf3 *"
    desk.says(c.Promote(1, deep, whole=True))
    assert desk.text == "1. d4 ( 1. e4 e5 2. Nf3 ) 1... Nf6 ( 1... d5 ) 2. c4 *"
    assert desk.says(c.Promote(1, deep, whole=True)) == ()


def test_comments_glyphs_arrows_and_marks() -> None:
    desk = Desk()
    desk.play("e4")
    desk.says(c.Comment(1, 0, " The  start. "))
    desk.says(c.Comment(1, 1, "Best by {test}"))
    desk.says(c.Annotate(1, 1, (1, 1, 14)))
    desk.says(c.Draw(1, 1, (Shape("green", "e2", "e4"), Shape("red", "d5"))))
    assert desk.text == "{The start.} 1. e4 $1 $14 {[%csl Rd5] [%cal Ge2e4] Best by {test)} *"
    assert desk.chapter.nodes[1].comment == "Best by {test}"
    assert desk.says(c.Comment(1, 0, "The start.")) == ()
    desk.says(c.Comment(1, 1, ""))
    desk.says(c.Draw(1, 1, ()))
    desk.says(c.Annotate(1, 1, ()))
    assert desk.text == "{The start.} 1. e4 *"
    assert desk.refused(c.Annotate(1, 0, (1,))) == "no_such_node"
    assert desk.refused(c.Annotate(1, 1, (256,))) == "bad_glyphs"
    assert desk.refused(c.Annotate(1, 1, tuple(range(1, 20)))) == "bad_glyphs"
    assert desk.refused(c.Draw(1, 1, (Shape("red", "k9"),))) == "bad_square"
    assert desk.refused(c.Draw(1, 1, (Shape("mauve", "a1"),))) == "bad_colour"
    many = tuple(Shape("red", f"{file}{rank}", f"{file}{9 - rank}") for file in "abcdefgh" for rank in range(1, 9))
    assert desk.refused(c.Draw(1, 1, (*many, Shape("red", "a1")))) == "too_many_shapes"
    assert desk.refused(c.Comment(1, 1, "x" * (limits.COMMENT + 1))) == "too_long"
    assert desk.refused(c.Comment(1, 7, "x")) == desk.refused(c.Draw(1, 7, ())) == "no_such_node"


def test_chapters_come_and_go_and_keep_their_numbers() -> None:
    desk = Desk()
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    ending = draft(Game(Position.from_fen(fen)))
    four = draft(Game(Position.start("teams")))
    desk.says(c.AddChapters((("Ending", ending), ("Four", four))))
    assert [(one.number, one.title) for one in desk.study.chapters] == [(1, "First"), (2, "Ending"), (3, "Four")]
    desk.says(c.Play(2, 0, "e2e4"))
    desk.says(c.Play(3, 0, "h2h4"))
    desk.says(c.TitleChapter(2, "King and pawn"))
    desk.says(c.RemoveChapter(1))
    assert [(one.number, one.title) for one in desk.study.chapters] == [(2, "King and pawn"), (3, "Four")]
    assert desk.refused(c.RemoveChapter(1)) == desk.refused(c.TitleChapter(1, "x")) == "no_such_chapter"
    assert desk.refused(c.Comment(1, 0, "x")) == desk.refused(c.Promote(1, 0)) == "no_such_chapter"
    desk.says(c.AddChapters((("Again", ending),)))
    assert desk.study.chapters[-1].number == 4
    assert desk.refused(c.TitleChapter(2, " ")) == desk.refused(c.AddChapters((("x" * 101, four),))) == "bad_title"


def test_who_may_write() -> None:
    desk = Desk()
    play = c.Play(1, 0, "e2e4")
    assert desk.refused(play, "p-bo") == "not_writer"
    assert desk.refused(c.Title("Mine"), "p-bo") == "not_owner"
    desk.says(c.Allow("named", (("p-bo", "Bo"),)))
    desk.says(play, "p-bo")
    assert desk.chapter.nodes[1].by == "p-bo"
    assert desk.study.names == {OWNER: "P-Ada", "p-bo": "P-Bo"}  # who writes goes by their own name
    assert desk.refused(c.Play(1, 0, "d2d4"), "p-cy") == "not_writer"
    desk.says(c.Allow("everybody"))
    desk.says(c.Play(1, 0, "d2d4"), "p-cy")
    desk.says(c.Allow("owner"))
    assert desk.refused(c.Remove(1, 1), "p-cy") == desk.refused(c.Remove(1, 1), "p-bo") == "not_writer"
    named = tuple((f"p{number}", "x") for number in range(limits.WRITERS + 1))
    assert desk.refused(c.Allow("named", named)) == "too_many_writers"
    assert desk.says(c.Allow("owner")) == ()


def test_a_private_study_is_seen_by_the_owner_and_the_named_alone() -> None:
    desk = Desk(visibility="private", write="everybody")
    assert desk.refused(c.Play(1, 0, "e2e4"), "p-bo") == "no_such_room"
    desk.says(c.Allow("named", (("p-bo", "Bo"),)))
    assert desk.study.may_see("p-bo") and not desk.study.may_see("p-cy")
    desk.says(c.Share("public"))
    assert desk.study.may_see("p-cy") and not desk.study.may_write("p-cy")
    desk.says(c.Title("Endings"))
    assert desk.study.title == "Endings"
    assert desk.refused(c.Title("\n")) == "bad_title"


def test_a_name_is_told_once_and_again_when_it_changes() -> None:
    desk = Desk()
    assert desk.says(c.Play(1, 0, "e2e4"))[0] == e.Added(1, 1, 0, "e2e4", "e4", 0)
    verdict = desk.says(c.Play(1, 0, "d2d4"), OWNER)
    assert len(verdict) == 1
    assert isinstance(desk.log[0].events[1], e.Named)


def test_how_large_a_study_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    desk.play("e4", "e5")
    four = c.AddChapters((("Four", draft(Game(Position.start("ffa")))),))
    refusals: list[tuple[str, int, c.Change]] = [
        ("DEPTH", 2, c.Play(1, 2, "d2d4")),
        ("NESTING", 0, c.Play(1, 1, "d7d5")),
        ("NODES", 2, c.Play(1, 1, "d7d5")),
        ("ALL_NODES", 3, c.Play(1, 1, "d7d5")),
        ("ALL_NODES", 3, four),
        ("CHAPTERS", 1, four),
        ("TEXT", 9, c.Comment(1, 1, "x" * 10)),
        ("TEXT", 9, c.Draw(1, 1, (Shape("red", "a1"),))),
        ("TEXT", -1, four),
    ]
    for name, most, change in refusals:
        with monkeypatch.context() as patch:
            patch.setattr(limits, name, most)
            assert desk.refused(change) == "study_full"


def test_a_study_that_is_full_of_text_can_be_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    desk.play("e4")
    desk.says(c.Comment(1, 1, "x" * 10))
    desk.says(c.Draw(1, 1, (Shape("red", "a1"), Shape("red", "a2"))))
    monkeypatch.setattr(limits, "TEXT", 9)
    assert desk.refused(c.Comment(1, 1, "x" * 11)) == "study_full"
    assert desk.says(c.Comment(1, 1, "y" * 10)) and desk.says(c.Comment(1, 1, ""))
    assert desk.says(c.Draw(1, 1, (Shape("red", "a1"),)))


def test_a_promotion_does_not_bury_what_was_the_main_line(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    desk.play("e4", "e5")
    desk.play("c5", after=1)
    other = desk.play("d4")
    monkeypatch.setattr(limits, "NESTING", 1)
    assert desk.refused(c.Promote(1, other)) == "study_full"
    monkeypatch.setattr(limits, "NESTING", 2)
    desk.says(c.Promote(1, other))
    assert desk.text == "1. d4 ( 1. e4 e5 ( 1... c5 ) ) *"


def test_what_is_there_is_not_opened_again() -> None:
    desk = Desk()
    assert desk.refused(c.Create("Again", "public", "owner")) == "room_exists"  # type: ignore[arg-type]


def test_the_log_played_again_gives_the_same_study() -> None:
    desk = Desk(read("1. e4 {good} (1. d4 d5 $1) 1... e5 *"))
    desk.play("c4")
    desk.says(c.Comment(1, 2, "x"))
    assert replay(desk.log) == desk.study


def test_positions_are_found_again_after_a_while() -> None:
    """Only the latest are kept; the others are played again."""
    desk = Desk()
    number = 0
    for _ in range(40):
        number = desk.play("Nf3", "Nf6", "Ng1", "Ng8", after=number)
    assert len(desk.study.positions.held) == steps.HELD
    position = steps.position_at(desk.study, desk.chapter, 3)
    assert position.fen().startswith("rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR")


def test_chapters_are_put_in_order() -> None:
    desk = Desk()
    one = draft(Game(Position.start("standard")))
    desk.says(c.AddChapters((("Second", one), ("Third", one))))
    assert desk.says(c.OrderChapter(3, 0)) == (e.ChapterOrdered(3, 0),)
    assert [chapter.number for chapter in desk.study.chapters] == [3, 1, 2]
    assert desk.says(c.OrderChapter(3, 99)) == (e.ChapterOrdered(3, 2),)
    assert [chapter.number for chapter in desk.study.chapters] == [1, 2, 3]
    assert desk.says(c.OrderChapter(1, 0)) == ()  # it is there
    assert desk.refused(c.OrderChapter(4, 0)) == "no_such_chapter"
    assert replay(desk.log) == desk.study


def test_the_owner_deletes_a_study_for_everybody() -> None:
    desk = Desk(write="everybody")
    assert desk.refused(c.Delete(), "p-bo") == "not_owner"
    assert desk.says(c.Delete()) == (e.Named(OWNER, "P-Ada"), e.Deleted())[1:]
    assert desk.study.deleted and not desk.study.may_see(OWNER) and not desk.study.chapters
    assert desk.refused(c.Title("Again")) == "no_such_room"


def test_what_is_written_in_a_life_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    desk.play("e4")
    before = desk.study.written
    desk.says(c.Comment(1, 1, "x" * 50))
    assert desk.study.written == before + 150
    monkeypatch.setattr(limits, "WRITTEN", desk.study.written - 1)
    assert desk.refused(c.Comment(1, 1, "more")) == "study_full"
    assert desk.says(c.Comment(1, 1, "x" * 50)) == ()  # nothing would be written
    desk.says(c.Delete())
