"""What the controller asks of a front end."""

from typing import Literal, Protocol

from fourfold.clients.games.game import News


class FrontEnd(Protocol):
    """What a front end does for a desk. Nothing here may block or raise."""

    @property
    def room(self) -> tuple[int, int] | None:
        """The columns and rows in which lines are seen at once; None where they can be scrolled, or go to a pipe."""

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
