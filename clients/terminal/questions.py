"""What is asked of whoever types, and what is said page by page."""

import textwrap
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final

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
