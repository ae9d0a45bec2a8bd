"""The bar with a question: an open vote with its answers and time left, or a question of the program. Answer it by
click or key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Static

from fourfold.clients.terminal.fullscreen.paint import seat_style


@dataclass(frozen=True, slots=True)
class Ballot:
    """A question. `votes` has an answer (None: not yet) for each seat of the electorate. `left` is in seconds.
    `answerable` tells whether the user can answer it here."""

    question: str
    votes: tuple[tuple[str, bool | None], ...] = ()
    left: int | None = None
    answerable: bool = True


class VoteBar(Vertical):
    """Shows a ballot, or nothing. Posts `Answered`."""

    DEFAULT_CSS = """
    VoteBar { height: auto; display: none; background: $warning-muted; padding: 0 1; border-left: thick $warning; }
    VoteBar.-open { display: block; }
    VoteBar #question { height: auto; }
    VoteBar #answers { height: 1; }
    VoteBar #tally { width: 1fr; height: 1; }
    VoteBar Button { height: 1; min-width: 5; width: 5; border: none; padding: 0; margin: 0 0 0 1; }
    VoteBar Button:focus { text-style: bold reverse; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,right", "app.focus_next", show=False),
    ]

    @dataclass
    class Answered(Message):
        """Yes or no."""

        accept: bool

    def __init__(self, *, ascii: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ascii = ascii
        self._ballot: Ballot | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="question", markup=False)
        with Horizontal(id="answers"):
            yield Static(id="tally")
            yield Button("[u]Y[/u]es", id="yes", variant="success", compact=True)
            yield Button("[u]N[/u]o", id="no", variant="error", compact=True)

    @property
    def open(self) -> bool:
        """Whether the bar shows a question that the user can answer here."""
        return self._ballot is not None and self._ballot.answerable

    def show(self, ballot: Ballot | None) -> None:
        """Show the ballot; hide the widget if there is none."""
        if ballot == self._ballot:
            return
        self._ballot = ballot
        self.set_class(ballot is not None, "-open")
        if ballot is None:
            return
        left = "" if ballot.left is None else f" ({ballot.left} s)"
        self.query_one("#question", Static).update(ballot.question + left)
        self.query_one("#tally", Static).update(self._tally(ballot))
        for button in self.query(Button):
            button.display = ballot.answerable

    def _tally(self, ballot: Ballot) -> Text:
        text = Text(no_wrap=True)
        signs = {True: "+", False: "-", None: "?"} if self._ascii else {True: "✓", False: "✗", None: "…"}
        for seat, answer in ballot.votes:
            text.append(f" {seat[0].upper()}{signs[answer]} ", style=seat_style(seat))
        return text

    @on(Button.Pressed)
    def _answered(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.Answered(event.button.id == "yes"))
