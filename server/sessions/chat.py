"""The rules of chat: who may write what to whom, and how often."""

import unicodedata
from typing import Final

from fourfold.engine.match import State
from fourfold.protocol.from_client import Say
from fourfold.server.clock import Clock
from fourfold.server.limits.rate import SlidingWindow
from fourfold.server.limits.refused import RequestRefused, too_fast
from fourfold.server.players.sanitize import shown

PACE: Final = (5, 10_000)
"""A player's rate limit: messages per milliseconds, over all their connections to this server."""

REACTIONS: Final = (4, 10_000)
"""A player's rate limit for reactions: reactions per milliseconds, over all their connections to this server."""

_JOINERS: Final = "\u200c\u200d"
"""Format characters that some scripts and many emoji need."""


class Chat:
    """Checks the chat messages of players."""

    def __init__(self, clock: Clock) -> None:
        self._window = SlidingWindow(*PACE, clock)
        self._reactions = SlidingWindow(*REACTIONS, clock)

    def judge(self, state: State, player: str, request: Say) -> str:
        """The text in a form that is safe to show. Raises `RequestRefused`."""
        _require_chat(state)
        if request.to == "table" and state.seat_of(player) is None:
            raise RequestRefused("not_seated", "Only seated players can write to the table. Write to all instead.")
        text = clean(request.text)
        if not text:
            raise RequestRefused("nothing_said", "This text has no visible characters.")
        _count(self._window, player, "You talk faster than the others can read")
        return text

    def judge_reaction(self, state: State, player: str) -> None:
        """Raises `RequestRefused` if a player may not react now."""
        _require_chat(state)
        if state.seat_of(player) is None:
            raise RequestRefused("not_seated", "Only seated players can react. You can write to all.")
        _count(self._reactions, player, "You react faster than the others can see")


def _require_chat(state: State) -> None:
    if not state.terms.chat:
        raise RequestRefused("chat_off", "The host of this room has switched chat off.")


def _count(window: SlidingWindow, player: str, complaint: str) -> None:
    wait = window.wait(player)
    if wait:
        raise too_fast(complaint, wait)
    window.count(player)


def clean(text: str) -> str:
    """A text in a form that is safe to show: one line of visible characters."""
    return shown(unicodedata.normalize("NFC", text), keep=_JOINERS)


def clean_lines(text: str) -> str:
    """A text of several lines in a form that is safe to show."""
    return "\n".join(map(clean, text.splitlines())).strip("\n")
