"""The players as a widget: names, clocks, captured pieces, and a clear mark for the turn.

It draws a `PlayerRow` for each seat.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text
from textual.geometry import Size as Extent
from textual.widget import Widget

from fourfold.clients.terminal.fullscreen.paint import GREY, ON_SEAT
from fourfold.clients.terminal.text import words
from fourfold.clients.terminal.text.drawing import FILLED, SEAT_COLOURS

ALARM = 10_000
"""Milliseconds below which a clock shows tenths and warns."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A seat on the screen. `left` is the clock's time in milliseconds, None without one. `taken` has the letters of
    captured pieces. `lead` is the material lead over the strongest opponent."""

    seat: str
    name: str
    mine: bool = False
    online: bool = True
    to_move: bool = False
    out: str | None = None
    left: int | None = None
    running: bool = False
    taken: str = ""
    material: int = 0
    lead: int = 0
    points: int | None = None
    score: float = 0
    remark: str = ""
    won: bool = False


class Players(Widget):
    """The players, two lines each."""

    DEFAULT_CSS = """
    Players { height: auto; }
    """

    def __init__(self, *, ascii: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ascii = ascii
        self._players: tuple[PlayerRow, ...] = ()

    def show(self, players: tuple[PlayerRow, ...]) -> None:
        if players != self._players:
            grown = len(players) != len(self._players)
            self._players = players
            self.refresh(layout=grown)

    def get_content_height(self, container: Extent, viewport: Extent, width: int) -> int:
        return 2 * len(self._players)

    def render(self) -> Text:
        width = self.size.width
        text = Text(no_wrap=True, end="")
        for number, player in enumerate(self._players):
            if number:
                text.append("\n")
            text.append_text(self._first_line(player, width))
            text.append("\n")
            text.append_text(self._second_line(player, width))
        return text

    def _first_line(self, player: PlayerRow, width: int) -> Text:
        dark = self.app.current_theme.dark
        colour = GREY if player.out is not None else SEAT_COLOURS[player.seat].rgb
        ink = "#ffffff" if player.out is not None else ON_SEAT[player.seat]
        chip = Text(f" {player.seat[0].upper()} ", style=f"bold {ink} on {colour}")
        turn = player.to_move
        row_style = ("bold #101418 on #ffd45e" if turn else "bold") if not player.out else "strike dim"
        presence = ("*" if self._ascii else "●") if player.online else ("-" if self._ascii else "○")
        dot_style = ("#0b6b3c" if turn or not dark else "#56c28a") if player.online else "#b0452c"
        name = Text(style=row_style)
        name.append((">" if self._ascii else "▶") if turn else " ")
        name.append(presence, style=dot_style)
        name.append(f" {player.name}")
        if player.mine:
            name.append(" (you)", style="not bold")
        time = Text("")
        if player.left is not None:
            low = player.left < ALARM and player.out is None
            style = "bold #ffffff on #c22a17" if low and player.running else "bold #c22a17" if low else row_style
            time = Text(f" {words.time(player.left, ALARM)} ", style=style)
        room = width - cell_len(chip.plain) - cell_len(time.plain)
        name.truncate(room, overflow="ellipsis", pad=True)
        return Text.assemble(chip, name, time, end="", style=row_style if turn else "")

    def _second_line(self, player: PlayerRow, width: int) -> Text:
        text = Text("    ", end="")
        if player.won:
            text.append("won  ", style="bold")
        if player.out is not None:
            text.append(f"out: {player.out.replace('_', ' ')}  ", style="italic")
        elif player.remark:
            text.append(f"{player.remark}  ", style="italic")
        if player.points is not None:
            text.append(f"{player.points} points  ", style="bold")
        if player.taken:
            shown = player.taken if self._ascii else "".join(FILLED[letter] for letter in player.taken)
            text.append(f"{shown} ", style="dim")
        if player.lead > 0:
            text.append(f"+{player.lead} ", style="dim")
        right = Text(f"{'=' if self._ascii else '∑'}{player.material}", style="dim", end="")
        if player.score:
            right.append(f"  score {words.halves(player.score)}", style="bold not dim")
        right.append(" ")
        text.truncate(max(0, width - cell_len(right.plain)), overflow="ellipsis", pad=True)
        text.append_text(right)
        return text
