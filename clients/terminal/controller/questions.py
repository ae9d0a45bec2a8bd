"""What is asked of whoever types: questions, offers, and the next page of a long text."""

import textwrap
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fourfold.clients.terminal.controller.front_end import FrontEnd
from fourfold.clients.terminal.parser.language import PLAY

YES: Final = frozenset(PLAY.spellings("yes"))
NO: Final = frozenset(PLAY.spellings("no"))

Answered = Callable[[str], Coroutine[Any, Any, None]]
"""What is done with an answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that must be answered before anything else; `then` gets the answer, empty for a no. `choice`: yes or no
    is expected, and any other command drops the question; otherwise any line is the answer, and what is wrong with it
    is said before it is asked for again. `takes`: the question is an offer, which is dropped by any line that it does
    not take."""

    text: str
    then: Answered
    choice: bool = False
    takes: Callable[[str], bool] | None = None


class Questions:
    """The one question that is open at a front end, if any."""

    def __init__(self, front: FrontEnd) -> None:
        self._front = front
        self.current: Question | None = None
        """What has been asked; the next line answers it."""

    def ask(self, text: str, then: Answered, *, choice: bool = False) -> None:
        """Let the next line answer a question."""
        self.current = Question(text, then, choice)

    def offer(self, text: str, takes: Callable[[str], bool], then: Answered) -> None:
        """Let the next line answer a question, if it is one that the question `takes`."""
        self.current = Question(text, then, takes=takes)

    def drop_offer(self) -> None:
        """Drop the question if it is an offer."""
        if self.current is not None and self.current.takes is not None:
            self.current = None

    def tell(self, lines: Sequence[str], then: Callable[[], None] = lambda: None) -> None:
        """Say many lines, so many at a time as can be seen at once; and then go on."""
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
    """Lines as they can be seen at once in so many columns and rows; all on one page where there is no end of room.

    Below a page stand what is asked next and the line that was typed before.
    """
    if room is None:
        return [list(lines)]
    columns, rows = room
    cut = [part for line in lines for part in textwrap.wrap(line, columns - 1, subsequent_indent="  ") or [""]]
    step = max(1, rows - 2)
    return [cut[start : start + step] for start in range(0, len(cut), step)]
