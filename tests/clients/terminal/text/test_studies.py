"""Studies in words: the description of a move, line by line."""

from fourfold.clients.study_state import Study
from fourfold.clients.terminal.text import studies
from fourfold.engine.study import commands as c
from fourfold.protocol import events as happened
from fourfold.protocol import study_projection as wire
from tests.study.conftest import Desk, read


def test_a_comment_of_several_lines_is_shown_in_them() -> None:
    desk = Desk(read("1. e4 *"))
    desk.says(c.Comment(1, 1, "First.\n\nSecond."))
    study = Study(wire.snapshot("s", desk.study, "p", [], 0, 0))
    position = wire.board(1, read("1. e4 *").position)
    assert studies.place(study, study.chapters[0], 1, position)[1:3] == ["First.", "Second."]
    said = studies.event(study, happened.Commented(1, 1, "First.\nSecond"), "Bo")
    assert said == "Bo says of 1.e4: First. Second."


def test_who_has_no_study_is_told_as_whom() -> None:
    assert studies.listing([], "mine", "Ada") == ["You have no studies as Ada. 'study new' creates one."]
    assert studies.listing([], "mine", "Guest 7", ["Ada", "Bo B."]) == [
        "You have no studies as Guest 7. 'study new' creates one.",
        "You have used other names here: '--name Ada', '--name Bo B.'.",
    ]
    assert studies.listing([], "public", "Ada", ["Bo"]) == ["There are no public studies."]
