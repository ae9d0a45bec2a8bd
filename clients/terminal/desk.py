"""What becomes of what is typed: the one place where commands are carried out, for every front end.

A desk has a venue, at most one game on it, and perhaps a position that is being put together. A front end gives it
lines (`do`) and is told what to say and to show. It refuses to know how that looks.

    async with Desk(venue, front) as desk:
        await desk.do("create 4 bots=3")
        await desk.do("h2h4")
"""

from typing import Literal, Protocol, Self

from clients.terminal.game import Game, News, Venue
from clients.terminal.language import LOBBY, PLAY, SETUP, Language
from clients.terminal.view import View
from engine.editor import BoardEditor


class Front(Protocol):
    """What a front end does for a desk. Nothing here may block or raise."""

    def say(self, text: str) -> None:
        """Show a line of text: an answer, something that happened, or what was wrong."""

    def show(self) -> None:
        """Show the board, `desk.view`: asked for, or changed."""

    def zoom(self, by: Literal[-1, 0, 1]) -> None:
        """Show the board larger (1), smaller (-1), or in the next size round (0)."""

    def heard(self, news: News) -> None:
        """Something happened in `desk.game`, which has it already; sentences about it have been said."""

    def moved(self) -> None:
        """`desk.game` or `desk.editor` is another, or none any more."""

    def bell(self) -> None:
        """Call for attention: a seat of ours is to move, or to vote."""


class Desk:
    """See the module. An async context manager: it reads the news of its game meanwhile."""

    def __init__(self, venue: Venue, front: Front) -> None:
        self.venue = venue
        self.front = front
        self.game: Game | None = None
        self.editor: BoardEditor | None = None
        """The board that is being put together (setup mode)."""
        self.over = False
        """Whether `quit` has been carried out: the front end should end."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        raise NotImplementedError

    @property
    def language(self) -> Language:
        """What may be typed now."""
        if self.editor is not None:
            return SETUP
        return LOBBY if self.game is None else PLAY

    @property
    def prompt(self) -> str:
        """What to ask for: "White to move: ", "Black, do you agree? (yes/no) ", "Save to which file? ", ..."""
        raise NotImplementedError

    @property
    def view(self) -> View | None:
        """What to show; None in the lobby."""
        raise NotImplementedError

    async def do(self, line: str) -> None:
        """Carry out a line. Whatever is wrong with it is said, never raised, but `ConnectionFault`: there is no
        going on."""
        raise NotImplementedError

    async def open(self, game: Game) -> None:
        """Put a game on the desk, in the stead of the one that was there (which is left)."""
        raise NotImplementedError

    async def idle(self) -> None:
        """Wait until something is expected of us: our move, our vote, an answer, or that the game is over."""
        raise NotImplementedError
