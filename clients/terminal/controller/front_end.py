"""The interface of a front end, for the controller."""

from typing import Literal, Protocol

from fourfold.clients.games.game import News


class FrontEnd(Protocol):
    """The methods that the controller calls on a front end: `Plain` or `FourfoldApp`. None may block or raise."""

    @property
    def room(self) -> tuple[int, int] | None:
        """The visible columns and rows of text; None if it can scroll, or goes to a pipe."""

    def say(self, text: str) -> None:
        """Show a line of text: an answer, news or an error."""

    def quote(self, text: str) -> None:
        """Show a text for copying: a FEN or a link."""

    def show(self) -> None:
        """Show the board, of `desk.puzzle` or `desk.view`, because the user asked for it or it has changed."""

    def zoom(self, by: Literal[-1, 0, 1]) -> None:
        """Show the board larger (1), smaller (-1), or in the next size of the cycle (0)."""

    def heard(self, news: News) -> None:
        """Handle news of `desk.game` or `desk.study`, which is up to date. The sentences about it have been shown."""

    def moved(self) -> None:
        """Handle that `desk.game`, `desk.study` or `desk.editor` was replaced or closed."""

    def bell(self) -> None:
        """Call for attention: a seat played from here must move or vote."""
