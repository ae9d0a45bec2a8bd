"""Random edits in any order: the replayed log gives the same study, every move is reachable and legal, and the exported
text parses to the same study."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.engine.decisions import Rejection
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game
from fourfold.engine.position import Position
from fourfold.engine.study import Study, decide, record, replay, steps
from fourfold.engine.study import commands as c
from fourfold.engine.study.shapes import COLOURS, Shape
from fourfold.engine.study.state import Chapter
from tests.study.conftest import OWNER, Desk, draft

PEOPLE = (OWNER, "p-bo", "p-cy")
WORDS = ("", "good", "a {brace}", "[%cal Ga1a2]", "two  blanks", "two\nlines\n\nthree", "% line", "; rest", "\n(", '"')


class Writers:
    """Random people at one study."""

    def __init__(self, variant: str, seed: int) -> None:
        self.chance = Random(seed)
        self.desk = Desk(write="everybody", variant=variant)

    def step(self) -> None:
        study = self.desk.study
        by, change = self.chance.choice(PEOPLE), self._change(study)
        verdict = decide(study, c.Edit(by.title(), change), by, 0)
        if not isinstance(verdict, Rejection):
            self.desk.says(change, by)

    def _change(self, study: Study) -> c.Change:
        chance = self.chance
        chapter = chance.choice(study.chapters) if study.chapters else None
        number = 1 if chapter is None else chapter.number
        node = 0 if chapter is None else chance.choice([*chapter.nodes, chapter.made + 1])
        if chance.random() < 0.6:
            return c.Play(number, node, self._move(study, chapter, node))
        squares = ("a4", "h5", "e9", "k2")
        kinds: list[c.Change] = [
            c.Remove(number, node),
            c.Promote(number, node, chance.random() < 0.5),
            c.Comment(number, node, chance.choice(WORDS)),
            c.Annotate(number, node, tuple(chance.choices(range(300), k=chance.randrange(4)))),
            c.Draw(number, node, (Shape(chance.choice(list(COLOURS.values())), *chance.choices(squares, k=2)),)),
            c.TitleChapter(number, chance.choice(WORDS)),
            c.Title(chance.choice(WORDS)),
            c.OrderChapter(number, chance.randrange(-1, 4)),
            c.Share(chance.choice(("private", "link", "public"))),
            c.Allow(chance.choice(("owner", "named", "everybody")), (("p-bo", "Bo"),)),
        ]
        if chance.random() < 0.05:
            kinds = [c.RemoveChapter(number), c.AddChapters((("New", draft(Game(Position.start("standard")))),))]
        return chance.choice(kinds)

    def _move(self, study: Study, chapter: Chapter | None, node: int) -> str:
        if chapter is None or node not in chapter.nodes or self.chance.random() < 0.1:
            return self.chance.choice(("R", "--", "e2e4", "Zz9", "Tg"))
        legal = steps.position_at(study, chapter, node).past_draw().legal_texts()
        return self.chance.choice(legal) if legal else "e2e4"


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(["standard", "ffa", "survivor", "teams", "chess960"]), st.integers(0, 2**32))
def test_whatever_people_do(variant: str, seed: int) -> None:
    writers = Writers(variant, seed)
    for _ in range(60):
        writers.step()
    study = writers.desk.study
    again = replay(writers.desk.log)
    assert again == study
    for chapter in study.chapters:
        assert sorted(chapter.below(0)) == sorted(chapter.nodes)
        assert all(chapter.nodes[one].parent == node for node in chapter.nodes for one in chapter.follows(node))
        for node in chapter.nodes:
            known = steps.position_at(study, chapter, node)
            assert steps.position_at(forgetful(again), chapter, node) == known
        assert_written_and_read(study, chapter)


def assert_written_and_read(study: Study, chapter: Chapter) -> None:
    text = record.write(study, [chapter])
    (game,) = READERS[Position.start(chapter.variant).rules.records](text)
    assert game.failure is None
    desk = Desk(game)
    desk.says(c.Title(study.title))
    desk.says(c.TitleChapter(1, record.title(game, 1)))
    assert record.write(desk.study, [desk.chapter]) == text
    assert told(desk.chapter) == told(chapter)


def told(chapter: Chapter) -> Counter[tuple[str, str, tuple[int, ...], frozenset[Shape]]]:
    """Comments on moves, with the brace replaced that PGN cannot hold."""
    return Counter(
        (one.move, one.comment.replace("}", ")"), one.glyphs, frozenset(one.shapes)) for one in chapter.nodes.values()
    )


def forgetful(study: Study) -> Study:
    """A study that has no positions at hand."""
    study.positions.held.clear()
    return study
