"""The full-screen program: the controller's front end, which shows the screen for the open game, study or lobby."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Literal

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.games.game import News, Notice, Venue
from fourfold.clients.terminal.controller.controller import Controller
from fourfold.clients.terminal.fullscreen.chronicle import Chronicle
from fourfold.clients.terminal.fullscreen.lobby import LobbyScreen
from fourfold.clients.terminal.fullscreen.main_screen import Banner, MainScreen
from fourfold.clients.terminal.fullscreen.puzzle import PuzzleScreen
from fourfold.clients.terminal.fullscreen.room import RoomScreen
from fourfold.clients.terminal.fullscreen.setup import SetupScreen
from fourfold.clients.terminal.fullscreen.study import StudyScreen
from fourfold.clients.terminal.parser.commands import Command, Quit, Unclear
from fourfold.engine.position import Position
from fourfold.protocol.from_server import Room, Update

_THEME = Theme(
    name="fourfold",
    primary="#56c2a3",
    secondary="#7f9c8a",
    accent="#ffd45e",
    warning="#e0a82e",
    error="#c2341d",
    success="#3fa66a",
    foreground="#e6e3dc",
    background="#16181b",
    surface="#1f2226",
    panel="#282c31",
    dark=True,
)


class FourfoldApp(App[None]):
    """Plays at a venue, starting with the lines `first`. `fault` is the error that ended it: that of the connection, or
    the refusal of one of those lines."""

    TITLE = "Fourfold"
    ENABLE_COMMAND_PALETTE = True
    CSS = """
    Screen { background: $background; color: $foreground; }
    ModalScreen { background: $background 70%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit at once", show=False, priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(self, venue: Venue, first: Sequence[str] = (), *, ascii: bool = False) -> None:
        super().__init__()
        self.register_theme(_THEME)
        self.theme = _THEME.name
        self.ascii = ascii
        self.desk = Controller(venue, self)
        self.said: deque[str] = deque(maxlen=200)
        """The latest lines, for the next screen to show."""
        self.quoted: str | None = None
        """The last text for copying, which the terminal shows after the program has ended."""
        self.trouble: str | None = None
        """The state of the connection, if it is lost."""
        self.fault: ConnectionFault | RequestError | None = None
        self._work: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._first = first
        self._stale = False  # a redraw is scheduled
        self._interrupted = False  # Ctrl-C has offered to save
        self._asked = asyncio.Event()  # the chronicle must be rebuilt
        self.chronicle = Chronicle()
        """The moves of the current game."""
        self._position: Position | None = None  # the position after the chronicle

    def on_mount(self) -> None:
        """Start executing lines."""
        self._arrange()
        self.run_worker(self._serve(), name="desk")
        self.run_worker(self._write(), name="chronicle")

    async def on_event(self, event: events.Event) -> None:
        """Move typed characters to the command line first, so that each later key, including Enter, finds them
        there."""
        typed = isinstance(event, (events.Key, events.Paste)) and not event.is_forwarded
        if typed and self.screen_stack and isinstance(self.screen, MainScreen):
            self.screen.catch(event)
        await super().on_event(event)

    def do(self, line: str) -> None:
        self._work.put_nowait(lambda: self.desk.do(line))

    def press(self, line: str) -> None:
        try:
            self.carry_out(self.desk.language.read(line))
        except Unclear as unclear:
            self.say(str(unclear))

    def carry_out(self, command: Command) -> None:
        self._work.put_nowait(lambda: self.desk.carry_out(command))

    async def action_interrupt(self) -> None:
        """Quit. Offer to save first; after that offer, quit at once."""
        if self._interrupted or not self.desk.unsaved:
            await self.action_quit()
            return
        self._interrupted = True
        while len(self.screen_stack) > 1 and not isinstance(self.screen, MainScreen):
            self.pop_screen()
        self.carry_out(Quit())

    async def _serve(self) -> None:
        try:
            async with self.desk:
                for line in self._first:
                    await self.desk.insist(line)
                    self.show()
                while not self.desk.over:
                    work = await self._work.get()
                    await work()
                    self._interrupted = self._interrupted and self.desk.question is not None
                    self.show()
        except (ConnectionFault, RequestError) as fault:
            self.fault = fault
        self.exit()

    # -- the desk's front end -------------------------------------------------------------------------

    @property
    def room(self) -> tuple[int, int] | None:
        """None: lines can scroll."""
        return None

    def say(self, text: str) -> None:
        self.said.append(text)
        if self.showing is not None:
            self.showing.say(text)

    def quote(self, text: str) -> None:
        """Show the text and copy it, because this screen breaks it into rows. Terminals without OSC 52 cannot copy, so
        it is printed again at the end."""
        self.say(text)
        self.copy_to_clipboard(text)
        self.quoted = text
        self.say("Copied, if the terminal allows it; it is also printed when you quit.")

    def zoom(self, by: Literal[-1, 0, 1]) -> None:
        if self.showing is not None:
            self.showing.zoom(by)

    def heard(self, news: News) -> None:
        match news:
            case Notice(text=text, connected=connected):
                self.trouble = None if connected else text
                if self.showing is not None:
                    self.showing.query_one(Banner).show(self.trouble)
            case Room():
                self._asked.set()
            case Update() if self.desk.game is not None:
                self._follow(news)
        if self.desk.game is not None:
            self._position = self.desk.game.table.position
        self.show()

    def moved(self) -> None:
        """Show the screen for the open game, study or lobby."""
        self.chronicle = Chronicle()
        self._position = None
        if self.desk.game is not None:
            self._position = self.desk.game.table.position
            self._asked.set()
        self.call_later(self._arrange)

    # -- screens --------------------------------------------------------------------------------------

    @property
    def main(self) -> MainScreen | None:
        """The screen below the dialogs."""
        return next((screen for screen in self.screen_stack if isinstance(screen, MainScreen)), None)

    @property
    def showing(self) -> MainScreen | None:
        """The same, while it can be updated: after it is mounted, and before the program ends."""
        main = self.main
        return main if main is not None and main.ready and self.is_running else None

    def _arrange(self) -> None:
        """Show the screen for the open game, study or lobby."""
        if not self.is_running:
            return
        wanted: type[LobbyScreen | SetupScreen | RoomScreen | StudyScreen | PuzzleScreen] = LobbyScreen
        if self.desk.puzzle is not None:
            wanted = PuzzleScreen
        elif self.desk.editor is not None:
            wanted = SetupScreen
        elif self.desk.study is not None:
            wanted = StudyScreen
        elif self.desk.game is not None:
            wanted = RoomScreen
        if type(self.main) is wanted:
            self.show()
            return
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.push_screen(wanted(self))

    def show(self) -> None:
        """Update the screen, once for all changes of one event loop turn."""
        if not self._stale:
            self._stale = True
            self.call_later(self._renew_now)

    def _renew_now(self) -> None:
        self._stale = False
        if isinstance(self.main, PuzzleScreen) != (self.desk.puzzle is not None):
            self._arrange()
        elif self.showing is not None:
            self.showing.renew()
        self._entitle()

    def _entitle(self) -> None:
        """Show the turn in the terminal's title."""
        game = self.desk.game
        title = "Fourfold"
        if game is not None and game.table.status == "playing":
            title = f"{'* Your move' if game.mover is not None else f'{game.table.turn} to move'} - Fourfold"
        if title != self.title:
            self.title = title
            driver = self._driver
            if driver is not None and not driver.is_headless:
                driver.write(f"\x1b]2;{title}\x07")

    # -- how the game went ----------------------------------------------------------------------------

    def _follow(self, update: Update) -> None:
        following = None if self._position is None else self.chronicle.after(self._position, update)
        if following is None:
            self._asked.set()
        else:
            self.chronicle = following

    async def _write(self) -> None:
        """Fetch the game's record if the news alone does not show the moves."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            game = self.desk.game
            if game is None:
                continue
            seq = game.table.seq
            try:
                record = await game.record()
            except (RequestError, ConnectionFault):
                continue  # the game is gone; the desk reports why
            chronicle = Chronicle.of(record).reaching(record.position, game.table.moves)
            if game is self.desk.game and chronicle is not None:
                self.chronicle = chronicle
                self.show()
            elif game is self.desk.game and game.table.seq != seq:
                self._asked.set()  # the game has gone on by more than moves
