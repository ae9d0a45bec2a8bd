"""What people may say to each other in a room: who to whom, how much, how often.

Talk is heard by those who are there and kept nowhere. A room delivers it; this knows its rules alone.
"""

import unicodedata
from typing import Final

from fourfold.engine.match import State
from fourfold.protocol.from_client import Say
from fourfold.server.clock import Clock
from fourfold.server.limits.rate import SlidingWindow
from fourfold.server.limits.refused import RequestRefused, too_fast
from fourfold.server.players.sanitize import shown

PACE: Final = (5, 10_000)
"""How many times a player may say something, in how many milliseconds, on all his connections to this node."""

_JOINERS: Final = "\u200c\u200d"
"""Format characters that some scripts and many emoji are not written without."""


class Chat:
    """Judges what is about to be said."""

    def __init__(self, clock: Clock) -> None:
        self._pace = SlidingWindow(*PACE, clock)

    def judge(self, state: State, player: str, request: Say) -> str:
        """The text as it may be shown to the others. Raises `RequestRefused`."""
        if not state.terms.chat:
            raise RequestRefused("chat_off", "The host of this room has switched talk off.")
        if request.to == "table" and state.seat_of(player) is None:
            raise RequestRefused("not_seated", "Only those who are seated talk at the table; say it to all.")
        text = clean(request.text)
        if not text:
            raise RequestRefused("nothing_said", "There is nothing in this text to be shown.")
        wait = self._pace.wait(player)
        if wait:
            raise too_fast("You talk faster than the others can read", wait)
        self._pace.count(player)
        return text


def clean(text: str) -> str:
    """A text fit to be shown: one line, of what can be seen."""
    return shown(unicodedata.normalize("NFC", text), keep=_JOINERS)
