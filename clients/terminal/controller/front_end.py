"""What the controller asks of a front end."""

from typing import Literal, Protocol

from fourfold.clients.games.game import News


class FrontEnd(Protocol):
    """What the controller calls on a front end. None of it may block or raise."""

    @property
    def room(self) -> tuple[int, int] | None:
        """The columns and rows in which text is seen at once; None where it can be scrolled, or goes to a pipe."""

    def say(self, text: str) -> None:
        """Show a line of text: an answer, something that happened, or what was wrong."""

    def quote(self, text: str) -> None:
        """Show a text that users copy: a FEN or a link."""

    def show(self) -> None:
        """Show the board, that of `desk.puzzle` or `desk.view`: it was asked for, or has changed."""

    def zoom(self, by: Literal[-1, 0, 1]) -> None:
        """Show the board larger (1), smaller (-1), or in the next size round (0)."""

    def heard(self, news: News) -> None:
        """Something happened in `desk.game` or `desk.study`, which is up to date; the sentences about it have been
        said."""

    def moved(self) -> None:
        """`desk.game`, `desk.study` or `desk.editor` was replaced or closed."""

    def bell(self) -> None:
        """Call for attention: a seat played from here is to move or to vote."""
