"""The parts of all main screens."""

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input
from textual.widgets._footer import FooterKey

from fourfold.clients.terminal.fullscreen.main_screen import KeyBar


class Program(App[None]):
    """Two fields, and two keys: the second may be without effect."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1", "help", "Help"), Binding("f2", "turn", "Turn")]

    board = True

    def compose(self) -> ComposeResult:
        yield Input(id="one")
        yield Input(id="other")
        yield KeyBar(show_command_palette=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if action == "turn" and not self.board else True

    def labels(self) -> list[FooterKey]:
        return list(self.query(FooterKey))


async def test_labels_of_keys_stay_until_the_keys_change() -> None:
    app = Program()
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.pause()
        first = app.labels()
        assert [(label.description, label.has_class("-disabled")) for label in first] == [
            ("Help", False),
            ("Turn", False),
        ]
        for field in ("#other", "#one"):
            app.query_one(field).focus()
            await pilot.pause()
        assert app.labels() == first
        app.board = False
        app.screen.refresh_bindings()
        await pilot.pause()
        await pilot.pause()
        assert [(label.description, label.has_class("-disabled")) for label in app.labels()] == [
            ("Help", False),
            ("Turn", True),
        ]
        app.board = True
        app.screen.refresh_bindings()
        await pilot.pause()
        await pilot.pause()
        assert [label.has_class("-disabled") for label in app.labels()] == [False, False]
