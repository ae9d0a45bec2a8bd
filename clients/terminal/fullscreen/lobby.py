"""The lobby as a screen: lists of games and studies, and buttons to open them."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Button, DataTable, Static

from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.games.game import Opening
from fourfold.clients.terminal.controller.arriving import rated
from fourfold.clients.terminal.fullscreen.console import CommandInput, CommandLine, MessageLog
from fourfold.clients.terminal.fullscreen.create import CreateScreen
from fourfold.clients.terminal.fullscreen.main_screen import MainScreen, Program
from fourfold.clients.terminal.fullscreen.paint import seat_style
from fourfold.clients.terminal.parser.commands import Create
from fourfold.clients.terminal.text import words
from fourfold.engine.variants import VARIANTS
from fourfold.protocol.from_server import Control, Listing
from fourfold.protocol.studies import StudyListing

_EVERY: Final = 2.0
"""Seconds between two refreshes of the list."""

_SELDOM: Final = 10
"""The number of refreshes after which studies are refreshed too: they are costly for the server, and change slowly."""

_LOW: Final = 18
"""The number of terminal rows below which the list takes the rows of margins and old messages."""

_STUDIES: Final = "studies"

_STATES: Final = (("All games", None), ("Free seats", "open"), ("Being played", "playing"), ("Studies", _STUDIES))

_GAME_COLUMNS: Final = ("room", "variant", "time", "seats", "state")
_STUDY_COLUMNS: Final = ("study", "variant", "chapters", "title", "by", "changed")


def time_control(clock: Control | None) -> str:
    """A time control in short form: `5+3`, `5d3`, or untimed."""
    if clock is None:
        return "untimed"
    base = f"{clock.base / 60_000:g}"
    if clock.delay:
        return f"{base}d{clock.delay / 1000:g}"
    return f"{base}+{clock.increment / 1000:g}"


class LobbyScreen(MainScreen):
    """Rooms with a filter, or studies; buttons to create, join, watch, be paired, and set up a board."""

    DEFAULT_CSS = """
    LobbyScreen #buttons, LobbyScreen #filters { height: 1; margin: 1 1 0 1; }
    LobbyScreen Button { width: auto; min-width: 6; margin: 0 1 0 0; }
    LobbyScreen #count { width: 1fr; color: $text-muted; text-align: right; }
    LobbyScreen DataTable { height: 1fr; margin: 0 1; background: $background; overflow-x: hidden; }
    LobbyScreen DataTable > .datatable--cursor { background: $primary-muted; }
    LobbyScreen #empty { height: auto; margin: 1 2; color: $text-muted; display: none; }
    LobbyScreen #below { height: 6; border-top: solid $panel-lighten-1; }
    LobbyScreen.-low #buttons, LobbyScreen.-low #filters { margin: 0 1; }
    LobbyScreen.-low #below { height: 3; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "create", "New game"),
        Binding("f3", "seek", "Pair me"),
        Binding("f4", "edit", "Set up"),
        Binding("f5", "state", "Filter"),
        Binding("f6", "variant", "Variant"),
        Binding("f10", "press('quit')", "Quit"),
    ]

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._rooms: list[Listing] = []
        self._studies: list[StudyListing] = []
        self._looks = 0
        self._state = 0
        self._variant: str | None = None

    def body(self) -> ComposeResult:
        with Horizontal(id="buttons"):
            yield Button("New game", id="create", variant="primary", compact=True)
            yield Button("Pair me", id="seek", compact=True)
            yield Button("Join", id="join", compact=True)
            yield Button("Watch", id="watch", compact=True)
            yield Button("Set up", id="edit", compact=True)
        with Horizontal(id="filters"):
            yield Button("All games", id="state", compact=True)
            yield Button("All variants", id="variant", compact=True)
            yield Static(id="count")
        with Vertical():
            yield DataTable(id="rooms", cursor_type="row", cursor_foreground_priority="renderable", zebra_stripes=True)
            yield Static(id="empty", markup=False)
        with Container(id="below"):
            yield MessageLog(id="talk")

    def begin(self) -> None:
        """Refresh the list of games from time to time."""
        table = self.query_one(DataTable)
        table.add_columns(*_GAME_COLUMNS)
        self.query_one("#title", Static).update(
            Text.assemble(("Fourfold", "bold"), "  chess for two and for four  ", (self.desk.venue.name, "dim"))
        )
        self._look()
        self.set_interval(_EVERY, self._look)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height < _LOW, "-low")

    # -- the list -----------------------------------------------------------------------------------

    def _look(self) -> None:
        self._looks += 1
        if self._lists_studies and self._looks % _SELDOM != 1:
            return
        self.run_worker(self._list(), group="rooms", exclusive=True)

    async def _list(self) -> None:
        refusal = None
        try:
            if self._lists_studies:
                self._studies = await self._every_study()
            else:
                self._rooms = await rated(self.desk.venue, await self.desk.venue.rooms())
        except RequestError as error:
            self._rooms, self._studies, refusal = [], [], error
        except ConnectionFault:
            return  # the desk gets the same error, and ends
        if self.closed:
            return
        if refusal is None:
            self._fill()
            return
        if refusal.code == "no_such_room":  # a venue without rooms: games are on this machine
            self.query_one("#filters").display = False
        self._empty(refusal.message)

    @property
    def _lists_studies(self) -> bool:
        return _STATES[self._state][1] == _STUDIES

    async def _every_study(self) -> list[StudyListing]:
        """The user's own studies, then public ones of others."""
        connection = self.desk.server.connection
        mine = (await connection.studies("mine")).studies
        known = {study.room for study in mine}
        return [*mine, *(study for study in (await connection.studies("public")).studies if study.room not in known)]

    def _fill(self) -> None:
        table = self.query_one(DataTable)
        at, key = table.cursor_row, self._chosen()
        table.clear()
        keys, count = self._add_studies(table) if self._lists_studies else self._add_rooms(table)
        if key in keys:
            table.move_cursor(row=table.get_row_index(key))
        elif keys:
            table.move_cursor(row=min(at, len(keys) - 1))
        line = self.query_one(CommandInput)
        if keys and not line.value and not self.typing and self.focused is line:
            self.set_focus(table)  # typed keys go to the command line all the same
        self.query_one("#count", Static).update(f"{len(keys)} of {count}")
        none = "No studies here. Make one: type 'study new TITLE'."
        if not self._lists_studies:
            none = "No games here. Open one: F2, or type 'create 4 bots=3'."
        self._empty(None if keys else none)

    def _add_studies(self, table: DataTable[object]) -> tuple[list[str], int]:
        """A row for each study that passes the filter. Return their keys, and the number of all studies."""
        shown = [study for study in self._studies if self._variant is None or self._variant in study.variants]
        for study in shown:
            at = datetime.fromtimestamp(study.changed / 1000)
            changed = f"{at:%H:%M}" if at.date() == datetime.now().date() else f"{at:%Y-%m-%d}"  # 80 columns are few
            mine = study.owner == self.desk.venue.player
            by = f"you, {study.visibility}" if mine else words.name(study.name)
            cells = (study.room, ", ".join(study.variants), str(study.chapters), words.shown(study.title), by, changed)
            table.add_row(*(Text(cell, no_wrap=True) for cell in cells), key=study.room)
        return [study.room for study in shown], len(self._studies)

    def _add_rooms(self, table: DataTable[object]) -> tuple[list[str], int]:
        """The same for rooms."""
        state = _STATES[self._state][1]
        rooms = [room for room in self._rooms if state in (None, room.status) and self._variant in (None, room.variant)]
        for room in rooms:
            facts = (
                "locked" if room.locked else "",
                words.moves(room.ply) if room.ply else "",
                f"{room.watchers} watching" if room.watchers else "",
            )
            table.add_row(
                room.room,
                room.variant,
                time_control(room.clock),
                self._seats(room),
                ", ".join(filter(None, facts)),
                key=room.room,
            )
        return [room.room for room in rooms], len(self._rooms)

    def _empty(self, text: str | None) -> None:
        empty = self.query_one("#empty", Static)
        empty.update(text or "")
        empty.display = text is not None
        self.query_one(DataTable).display = text is None

    def _seats(self, room: Listing) -> Text:
        text = Text(no_wrap=True)
        longest = min(max((self.size.width - 48) // len(room.seats) - 5, 4), 16)
        for seat in room.seats:
            name = "bot" if seat.name is None and seat.bot else "free" if seat.name is None else words.name(seat.name)
            text.append(f" {seat.seat[0].upper()} ", style=seat_style(seat.seat))
            text.append(f" {name[:longest]} ", style="bold" if name == "free" else "")
        return text

    def _chosen(self) -> str | None:
        """The room under the cursor."""
        table = self.query_one(DataTable)
        if not table.row_count:
            return None
        return table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value

    # -- buttons ------------------------------------------------------------------------------------

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        getattr(self, f"action_{event.button.id}")()

    def action_create(self) -> None:
        self.app.push_screen(CreateScreen(), self._created)

    def _created(self, opening: Opening | None) -> None:
        if opening is not None:
            self.program.carry_out(Create(opening))
        self.query_one(CommandInput).focus()

    def action_seek(self) -> None:
        self.query_one(CommandLine).begin_with("seek 2 5+3")

    def action_join(self) -> None:
        self._enter("join")

    def action_watch(self) -> None:
        self._enter("watch")

    def _enter(self, verb: str) -> None:
        room = self._chosen() if self.focused is self.query_one(DataTable) else None
        if room is not None and self._lists_studies:
            self.program.press(f"study {room}")
        elif room is not None:
            self.program.press(f"{verb} {room}")
        else:
            self.query_one(CommandLine).begin_with(f"{verb} {self._chosen() or ''}")

    def action_edit(self) -> None:
        self.program.press(f"setup {self._variant or ''}")

    def action_state(self) -> None:
        were = self._lists_studies
        self._state = (self._state + 1) % len(_STATES)
        self.query_one("#state", Button).label = _STATES[self._state][0]
        if were is not self._lists_studies:
            table = self.query_one(DataTable)
            table.clear(columns=True)
            table.add_columns(*(_STUDY_COLUMNS if self._lists_studies else _GAME_COLUMNS))
            self._looks = 0
            self._look()
        else:
            self._fill()

    def action_variant(self) -> None:
        names = [None, *VARIANTS]
        self._variant = names[(names.index(self._variant) + 1) % len(names)]
        self.query_one("#variant", Button).label = self._variant or "All variants"
        self._fill()

    @on(DataTable.RowSelected)
    def _selected(self, event: DataTable.RowSelected) -> None:
        if self._lists_studies:
            self.program.press(f"study {event.row_key.value}")
            return
        room = next((room for room in self._rooms if room.room == event.row_key.value), None)
        if room is not None:
            free = any(seat.name is None and not seat.bot for seat in room.seats)
            self.program.press(f"{'join' if room.status == 'open' and free else 'watch'} {room.room}")
