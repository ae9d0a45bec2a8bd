"""The rules of chat: who may say what to whom, and how often. What is said is not stored."""

import unicodedata
from typing import Final

from fourfold.engine.match import State
from fourfold.protocol.from_client import Say
from fourfold.server.clock import Clock
from fourfold.server.limits.rate import SlidingWindow
from fourfold.server.limits.refused import RequestRefused, too_fast
from fourfold.server.players.sanitize import shown

PACE: Final = (5, 10_000)
"""How many times a player may say something in how many milliseconds, on all their connections to this server."""

_JOINERS: Final = "\u200c\u200d"
"""Format characters that some scripts and many emoji need."""


class Chat:
    """Checks what a player wants to say."""

    def __init__(self, clock: Clock) -> None:
        self._window = SlidingWindow(*PACE, clock)

    def judge(self, state: State, player: str, request: Say) -> str:
        """The text as it may be shown to others. Raises `RequestRefused`."""
        if not state.terms.chat:
            raise RequestRefused("chat_off", "The host of this room has switched talk off.")
        if request.to == "table" and state.seat_of(player) is None:
            raise RequestRefused("not_seated", "Only those who are seated talk at the table; say it to all.")
        text = clean(request.text)
        if not text:
            raise RequestRefused("nothing_said", "There is nothing in this text to be shown.")
        wait = self._window.wait(player)
        if wait:
            raise too_fast("You talk faster than the others can read", wait)
        self._window.count(player)
        return text


def clean(text: str) -> str:
    """A text as it may be shown: one line of visible characters."""
    return shown(unicodedata.normalize("NFC", text), keep=_JOINERS)


def clean_lines(text: str) -> str:
    """A text of several lines as it may be shown."""
    return "\n".join(map(clean, text.splitlines())).strip("\n")
