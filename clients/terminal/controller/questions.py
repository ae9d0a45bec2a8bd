"""Questions to the user, offers, and long texts page by page."""

import textwrap
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fourfold.clients.terminal.controller.front_end import FrontEnd
from fourfold.clients.terminal.parser.language import PLAY
from fourfold.clients.terminal.text.view import View
from fourfold.engine.position import Position

YES: Final = frozenset(PLAY.spellings("yes"))
NO: Final = frozenset(PLAY.spellings("no"))

Answered = Callable[[str], Coroutine[Any, Any, None]]
"""What is done with an answer."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle as it is seen: its position, how that is shown, and what is to be done, in a sentence."""

    position: Position
    view: View
    task: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question that the next line answers; `then` gets the answer, empty for a no. With `choice`, yes or no is
    expected and any other line drops the question; otherwise any line is the answer. With `takes`, the question is an
    offer: any line that it does not take drops it. With `again`, it is asked again if something is wrong with the
    answer. The board of a `puzzle` is seen as long as the question is open."""

    text: str
    then: Answered
    choice: bool = False
    takes: Callable[[str], bool] | None = None
    again: bool = False
    puzzle: Puzzle | None = None


class Questions:
    """The one question that is open at a front end, if any."""

    def __init__(self, front: FrontEnd) -> None:
        self._front = front
        self.current: Question | None = None
        """What has been asked; the next line answers it."""

    def ask(
        self, text: str, then: Answered, *, choice: bool = False, again: bool = False, puzzle: Puzzle | None = None
    ) -> None:
        """Let the next line answer a question."""
        self.current = Question(text, then, choice, again=again, puzzle=puzzle)

    def offer(self, text: str, takes: Callable[[str], bool], then: Answered) -> None:
        """Let the next line answer a question, if it is one that the question `takes`."""
        self.current = Question(text, then, takes=takes)

    def drop_offer(self) -> None:
        """Drop the question if it is an offer."""
        if self.current is not None and self.current.takes is not None:
            self.current = None

    def tell(self, lines: Sequence[str], then: Callable[[], None] = lambda: None) -> None:
        """Say many lines, a page at a time; call `then` after the last page."""
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
    """Lines cut into pages of so many columns and rows; one page if `room` is None.

    Two rows below a page stay free, for the question and the line typed before.
    """
    if room is None:
        return [list(lines)]
    columns, rows = room
    cut = [part for line in lines for part in textwrap.wrap(line, columns - 1, subsequent_indent="  ") or [""]]
    step = max(1, rows - 2)
    return [cut[start : start + step] for start in range(0, len(cut), step)]
