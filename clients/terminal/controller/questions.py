"""Questions to the user, offers, and long texts page by page."""

import textwrap
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fourfold.clients.terminal.controller.front_end import FrontEnd
from fourfold.clients.terminal.parser.language import PLAY
from fourfold.clients.terminal.text.view import View
from fourfold.engine.position import Position

YES: Final = frozenset(PLAY.spellings("yes"))
NO: Final = frozenset(PLAY.spellings("no"))

Answered = Callable[[str], Coroutine[Any, Any, None]]
"""Called with an answer."""

Then = Callable[[], Awaitable[None]]
"""Called for the next step."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle in view: its position, the view, and the task as a sentence."""

    position: Position
    view: View
    task: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question that the next line answers. `then` gets the answer, empty for a no.

    With `choice`, the answer is yes or no, and any other line drops the question. Otherwise any line is the answer.
    With `takes`, the question is an offer: any line that `takes` rejects drops it. With `again`, the question is
    repeated after a wrong answer. The board of a `puzzle` is in view while the question is open.
    """

    text: str
    then: Answered
    choice: bool = False
    takes: Callable[[str], bool] | None = None
    again: bool = False
    puzzle: Puzzle | None = None


class Questions:
    """The single open question of a front end, if any."""

    def __init__(self, front: FrontEnd) -> None:
        self._front = front
        self.current: Question | None = None
        """The open question. The next line answers it."""

    def ask(
        self, text: str, then: Answered, *, choice: bool = False, again: bool = False, puzzle: Puzzle | None = None
    ) -> None:
        """Answer the question with the next line."""
        self.current = Question(text, then, choice, again=again, puzzle=puzzle)

    def confirm(self, text: str, then: Then, *, puzzle: Puzzle | None = None) -> None:
        """Ask for yes or no. Go on with `then` after a yes."""

        async def answered(answer: str) -> None:
            if answer:
                await then()

        self.ask(text, answered, choice=True, puzzle=puzzle)

    def offer(self, text: str, takes: Callable[[str], bool], then: Answered) -> None:
        """Answer the question with a line, if the question `takes` it."""
        self.current = Question(text, then, takes=takes)

    def drop_offer(self) -> None:
        """Drop the question if it is an offer."""
        if self.current is not None and self.current.takes is not None:
            self.current = None

    def tell(self, lines: Sequence[str], then: Callable[[], None] = lambda: None) -> None:
        """Show many lines, a page at a time. Call `then` after the last page."""
        found = pages(lines, self._front.room)

        def show(number: int) -> None:
            for line in found[number]:
                self._front.say(line)
            if number + 1 == len(found):
                then()
                return

            async def go_on(_: str) -> None:
                show(number + 1)

            self.offer(f"Page {number + 1} of {len(found)}; Enter: the next.", lambda line: not line, go_on)

        show(0)


def pages(lines: Sequence[str], room: tuple[int, int] | None) -> list[list[str]]:
    """Split lines into pages of `room` columns and rows; one page if `room` is None.

    Two rows below a page stay free, for the question and the line typed before.
    """
    if room is None:
        return [list(lines)]
    columns, rows = room
    cut = [part for line in lines for part in textwrap.wrap(line, columns - 1, subsequent_indent="  ") or [""]]
    step = max(1, rows - 2)
    return [cut[start : start + step] for start in range(0, len(cut), step)]
