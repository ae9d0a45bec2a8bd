"""The form for a new game: variant, time, and a person or computer player at each seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Select, Static

from fourfold.clients.bots.levels import LEVELS
from fourfold.clients.games.game import Opening
from fourfold.clients.terminal.parser.commands import Unclear
from fourfold.clients.terminal.parser.phrases import clock as read_clock
from fourfold.engine.variants import VARIANTS, player_seats

_VARIANTS: Final = {f"{rules.title}, {len(rules.players)} players": name for name, rules in VARIANTS.items()}
_TIMES: Final = ("untimed", "1+0", "3+2", "5+3", "10+5", "15+10", "30+0", "5d5")
_YOU: Final = "you"
_PERSON: Final = "person"
_WHO: Final = {
    "you": _YOU,
    "anybody who joins": _PERSON,
    **{f"computer, level {level}": str(level) for level in LEVELS},
}
_MOST: Final = max(len(player_seats(name)) for name in VARIANTS)


class CreateScreen(ModalScreen[Opening | None]):
    """Returns the game to open, or None."""

    DEFAULT_CSS = """
    CreateScreen { align: center middle; }
    CreateScreen > Vertical { width: 64; max-width: 100%; height: auto; max-height: 100%;
        background: $panel; border: round $primary; }
    CreateScreen VerticalScroll { height: auto; max-height: 1fr; padding: 0 1; }
    CreateScreen .row { height: 1; margin: 0 0 0 0; }
    CreateScreen .row.gap { margin: 1 0 0 0; }
    CreateScreen .row .label { width: 12; text-style: bold; }
    CreateScreen Select { width: 1fr; }
    CreateScreen Input { width: 1fr; background: $surface; }
    CreateScreen #fault { color: $text-error; height: auto; padding: 0 1; }
    CreateScreen #buttons { height: 1; margin: 1 1 0 1; align: right middle; }
    CreateScreen #buttons Button { width: auto; margin: 0 0 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel", show=False),
        Binding("f2", "open", "Open", show=False),
    ]

    def __init__(self, variant: str = "standard", position: str = "") -> None:
        super().__init__()
        self._variant = variant
        self._position = position

    def compose(self) -> ComposeResult:
        with Vertical():
            with VerticalScroll(can_focus=False):
                yield _row("Game", _choice("variant", self._variant, _VARIANTS))
                yield _row("Time", _choice("time", "10+5", {text: text for text in _TIMES}))
                minutes = "7+3, 1d5 with a delay, 0d30 for each move"
                yield _row("or minutes", Input(placeholder=minutes, compact=True, id="other"))
                for number in range(_MOST):
                    choice = _choice(f"seat-{number}", _PERSON if number else _YOU, _WHO)
                    yield _row("", choice, id=f"row-{number}", gap=number == 0)
                listed = {"in the lobby": "public", "private: only by its link": "private"}
                yield _row("Listed", _choice("listed", "public", listed), gap=True)
                yield _row("Password", Input(placeholder="none", max_length=64, compact=True, id="password"))
                usual = "the usual; or FEN, FEN4"
                yield _row("Position", Input(self._position, placeholder=usual, compact=True, id="position"))
            yield Static(id="fault", markup=False)
            with Horizontal(id="buttons"):
                yield Button("Open the game (F2)", id="open", variant="primary", compact=True)
                yield Button("Cancel", id="cancel", compact=True)

    def on_mount(self) -> None:
        self._renew()

    @on(Select.Changed, "#variant")
    def _renew(self) -> None:
        names = player_seats(self._chosen("variant"))
        for number in range(_MOST):
            self.query_one(f"#row-{number}").display = number < len(names)
            if number < len(names):
                self.query_one(f"#row-{number} .label", Static).update(names[number].capitalize())

    @on(Select.Changed)
    def _one_of_you(self, event: Select.Changed) -> None:
        """Keep a single seat for the user: a previous seat becomes open to anybody."""
        if event.select.value != _YOU:  # not the value of the event, which may have changed since
            return
        for number in range(_MOST):
            choice = self.query_one(f"#seat-{number}", Select)
            if choice is not event.select and choice.value == _YOU and self.query_one(f"#row-{number}").display:
                choice.value = _PERSON

    @on(Button.Pressed, "#open")
    @on(Input.Submitted)
    def action_open(self) -> None:
        """Return the opening, if the form is valid."""
        variant = self._chosen("variant")
        other = self.query_one("#other", Input).value.strip()
        try:
            clock = read_clock(other or self._chosen("time"))
        except Unclear as unclear:
            self._fault(str(unclear))
            return
        who = {name: self._chosen(f"seat-{n}") for n, name in enumerate(player_seats(variant))}
        mine = next((name for name, choice in who.items() if choice == _YOU), None)
        if mine is None:
            self._fault("Choose one seat as yours. To watch only, open the game and leave the seat.")
            return
        self.dismiss(
            Opening(
                variant,
                position=self.query_one("#position", Input).value.strip() or None,
                clock=clock,
                visibility="private" if self._chosen("listed") == "private" else "public",
                password=self.query_one("#password", Input).value or None,
                levels={name: int(choice) for name, choice in who.items() if choice not in (_YOU, _PERSON)},
                seat=mine,
            )
        )

    def _chosen(self, id: str) -> str:
        return str(self.query_one(f"#{id}", Select).value)

    def _fault(self, text: str) -> None:
        self.query_one("#fault", Static).update(text)

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        self.dismiss(None)


def _row(label: str, widget: Widget, *, id: str | None = None, gap: bool = False) -> Horizontal:
    return Horizontal(Static(label, classes="label"), widget, classes="row gap" if gap else "row", id=id)


def _choice(id: str, value: str, options: Mapping[str, str]) -> Select[str]:
    """A choice between values with labels."""
    return Select(options.items(), value=value, allow_blank=False, compact=True, id=id)
