"""A study to be written in tests: commands by player, and the whole log kept."""

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game
from fourfold.engine.position import Position
from fourfold.engine.study import Study, decide, evolve, record, steps
from fourfold.engine.study import commands as c
from fourfold.engine.study.events import Draft, Event, Visibility, Writing
from fourfold.engine.study.state import Chapter

OWNER = "p-ada"


def draft(game: Game) -> Draft:
    made = record.draft(game)
    assert not isinstance(made, Rejection), made
    return made


def read(text: str, format: str = "pgn") -> Game:
    (game,) = READERS[format](text)
    assert game.failure is None, game.failure
    return game


class Desk:
    """Players are called by their ids. `says` returns the events, `refused` the code of the rejection."""

    def __init__(
        self,
        game: Game | None = None,
        visibility: Visibility = "link",
        write: Writing = "owner",
        variant: str = "standard",
    ) -> None:
        first = draft(game or Game(Position.start(variant)))
        self.log: list[Decision] = []
        self.study: Study
        self._do(None, c.Create("Openings", visibility, write, (("First", first),)), OWNER)

    def _do(self, study: Study | None, change: c.Create | c.Change, by: str) -> tuple[Event, ...]:
        verdict = decide(study, c.Edit(by.title(), change), by, 1000)
        assert not isinstance(verdict, Rejection), verdict
        if verdict:
            seq = len(self.log) + 1
            self.log.append(Decision(seq, 1000 + seq, by, f"k{seq}", verdict))
            self.study = evolve(study, self.log[-1])
        return verdict

    def says(self, change: c.Change, by: str = OWNER) -> tuple[Event, ...]:
        return self._do(self.study, change, by)

    def refused(self, change: c.Change, by: str = OWNER) -> str:
        verdict = decide(self.study, c.Edit(by, change), by, 1000)
        assert isinstance(verdict, Rejection), verdict
        assert verdict.message.endswith("."), "a sentence"
        return verdict.code

    def play(self, *moves: str, after: int = 0, by: str = OWNER) -> int:
        """Moves, one after another; the number of the last."""
        for move in moves:
            self.says(c.Play(1, after, self.typed(after, move)), by)
            after = self.chapter.follows(after)[-1]
        return after

    def typed(self, after: int, text: str) -> str:
        """The notation of a move given in coordinates."""
        position = steps.position_at(self.study, self.chapter, after)
        return text if text in ("--", "R") else position.past_draw().read_move(text).text

    @property
    def chapter(self) -> Chapter:
        chapter = self.study.chapter(1)
        assert chapter is not None
        return chapter

    @property
    def text(self) -> str:
        """The moves of the first chapter, as PGN or PGN4 has them."""
        return record.write(self.study, [self.chapter]).partition("\n\n")[2].strip()
