"""The lessons of the browser client: five of each variant, as the engine says."""

import re

import pytest

from fourfold.clients.web import lessons
from fourfold.clients.web.lessons import LESSONS, Lesson, Question
from fourfold.engine.variants import VARIANTS, opening


def test_the_module_has_these_lessons() -> None:
    assert lessons.PATH.read_text() == lessons.module(), "run python -m fourfold.clients.web.lessons"


def test_every_variant_has_five() -> None:
    assert {variant: len(those) for variant, those in LESSONS.items()} == dict.fromkeys(LESSONS, 5)
    assert LESSONS.keys() == VARIANTS.keys()


@pytest.mark.parametrize("variant", LESSONS)
def test_a_lesson_can_be_solved_and_missed(variant: str) -> None:
    for lesson in LESSONS[variant]:
        told = lessons.written(variant, lesson)
        assert re.search(r"[.?]$", lesson.text) and lesson.right.endswith(".") and lesson.hint.endswith(".")
        if isinstance(lesson, Question):
            assert len(set(lesson.answers)) == len(lesson.answers) >= 2
        else:
            assert set(told["solved"]) < set(told["legal"])


def test_what_the_lessons_of_four_say_is_so() -> None:
    """Eliminations, the value of grey pieces, and promotion ranks."""
    mate, grey, promotion, last, _ = (lesson for lesson in LESSONS["survivor"])
    assert isinstance(mate, Lesson) and isinstance(last, Lesson)
    after = opening("survivor", position=next(iter(lessons.written("survivor", mate)["solved"].values())))
    assert len(after.alive) == 3
    assert opening("survivor", position=last.position).find("d10d14") is not None
    assert "h9" in next(iter(lessons.written("survivor", grey)["solved"]))
    assert all(move.startswith("e13e14") for move in lessons.written("survivor", promotion)["solved"])
    scored = LESSONS["ffa"]
    for lesson, points in zip(scored[:4], (9, 20, 5, 0), strict=True):
        position = lessons.written("ffa", lesson)["solved"]
        for fen in position.values():
            assert opening("ffa", position=fen).points[0] == points, lesson.title  # type: ignore[index]
