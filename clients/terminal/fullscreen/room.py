"""The screen of a game: board, players, vote, moves, messages and the command line."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button, Static

from fourfold.clients.games.game import Game
from fourfold.clients.terminal.fullscreen import roster
from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.board_layout import BoardLayout
from fourfold.clients.terminal.fullscreen.console import CommandInput
from fourfold.clients.terminal.fullscreen.main_screen import BOARD_KEYS
from fourfold.clients.terminal.fullscreen.moves import MoveList
from fourfold.clients.terminal.fullscreen.moving import SHORTCUTS, MovingScreen
from fourfold.clients.terminal.fullscreen.players import Players
from fourfold.clients.terminal.fullscreen.votes import VoteBar
from fourfold.clients.terminal.parser.commands import Resign
from fourfold.clients.terminal.text import words
from fourfold.clients.terminal.text.view import View

_TICK: Final = 0.1
"""Seconds between two updates of the clocks."""


class RoomScreen(MovingScreen):
    """A game that the user plays, watches or looks back at."""

    DEFAULT_CSS = """
    RoomScreen #past { display: none; height: 1; background: $primary-muted; }
    RoomScreen #past.-up { display: block; }
    RoomScreen #past Static { width: 1fr; padding: 0 1; text-style: italic; }
    RoomScreen #past Button { min-width: 8; width: auto; height: 1; border: none; }
    RoomScreen #result { display: none; height: auto; background: $success-muted; text-style: bold; padding: 0 1; }
    RoomScreen #result.-up { display: block; }
    RoomScreen #moves { border-top: solid $panel-lighten-1; }
    """

    shortcuts = SHORTCUTS

    BINDINGS: ClassVar[list[BindingType]] = [
        *BOARD_KEYS,
        Binding("f5", "press('undo')", "Undo"),
        Binding("f6", "press('draw')", "Draw"),
        Binding("f8", "resign", "Resign"),
        Binding("f9", "press('leave')", "Lobby"),
        Binding("f10", "press('quit')", "Quit"),
        Binding("escape", "rest", "Put back", show=False),
    ]

    def body(self) -> ComposeResult:
        ascii = self.program.ascii
        yield BoardLayout(
            Players(ascii=ascii, id="players"),
            VoteBar(ascii=ascii, id="vote"),
            Static(id="result", markup=False),
            Horizontal(
                Static("", markup=False), Button("Back to live", id="live", variant="primary", compact=True), id="past"
            ),
            MoveList(id="moves"),
            ascii=ascii,
        )

    def begin(self) -> None:
        self.set_interval(_TICK, self._tick)

    # -- what is shown ------------------------------------------------------------------------------

    def renew(self) -> None:
        super().renew()
        game, view = self.desk.game, self.desk.view
        if game is None or view is None:
            return
        self._renew_board(game, view)
        self._renew_moves(game, view)
        result = self.query_one("#result", Static)
        over = game.table.result
        result.set_class(over is not None, "-up")
        if over is not None:
            result.update(words.result(over))
        self.query_one(BoardLayout).share()
        self.entitle()
        self._tick()

    @property
    def prompt(self) -> str:
        """A short prompt: the bar beside the board shows the whole question."""
        if self.desk.question is not None:
            return "Yes or no: " if self.desk.question.choice else "Answer: "
        game = self.desk.game
        return "Yes or no: " if game is not None and game.voter is not None else super().prompt

    def _renew_board(self, game: Game, view: View) -> None:
        mine = game.mover is not None and view.ply is None
        self._selection.offer(game.table.position.legal_texts() if mine else ())
        self.query_one(BoardView).show(view.asking(game.table.position, self._selection.square))

    def _renew_moves(self, game: Game, view: View) -> None:
        entries = self.program.chronicle.entries
        first = entries[0].seat if entries else game.table.position.turn
        ply = len(entries) if view.ply is None else view.ply
        live = view.ply is None
        reviewed, marks = self.desk.look.marks
        marks = marks if reviewed == game.table.game else {}
        self.query_one(MoveList).show(self.program.chronicle, game.table.position.seats, first, ply, marks)
        past = self.query_one("#past")
        past.set_class(not live, "-up")
        if not live:
            where = f"After move {ply} of {len(entries)}" if ply else "The beginning"
            past.query_one(Static).update(where, layout=False)

    def _title(self, game: Game) -> Text:
        table = game.table
        text = Text(no_wrap=True, overflow="ellipsis")
        if self.query_one(BoardLayout).crowded:
            return text.append_text(self._news(game))
        text.append("Fourfold", style="bold")
        text.append(f"  {table.variant}")
        if table.room:
            text.append(f"  {table.room}", style="dim")
        if table.game > 1:
            text.append(f"  game {table.game}")
        text.append(f"  {_state(game)}", style="bold")
        if game.watchers:
            text.append(f"  {game.watchers} watching", style="dim")
        return text

    def _news(self, game: Game) -> Text:
        """The title on screens without room for the panel: the running clock, and the question or the last message."""
        ballot = roster.ballot(game, self.desk.question)
        turn = game.table.turn
        left = None if turn is None else game.left(turn)
        text = Text.assemble(("offline " if self.program.trouble else "", "bold #ff8a75"))
        text.append("" if left is None else f"{words.time(left)} ", style="bold")
        if ballot is not None:
            return text.append(ballot.question, style="bold")
        return text.append(self.latest or _state(game))

    def entitle(self) -> None:
        if self.desk.game is not None:
            self.query_one("#title", Static).update(self._title(self.desk.game), layout=False)

    def _tick(self) -> None:
        """Update the parts that change with time: clocks, and the time left of a vote."""
        game, view = self.desk.game, self.desk.view
        if game is None or view is None or self.closed:
            return
        self.query_one(Players).show(roster.players(game, view, self.program.chronicle))
        self.query_one(VoteBar).show(roster.ballot(game, self.desk.question))
        if game.table.clocks is not None and self.query_one(BoardLayout).crowded:
            self.entitle()

    # -- mouse and keys -----------------------------------------------------------------------------

    @on(BoardView.Pressed)
    def _pressed(self, event: BoardView.Pressed) -> None:
        game, view = self.desk.game, self.desk.view
        if game is None or view is None:
            return
        self.press_board(event)
        self._renew_board(game, view)

    @on(MoveList.Chosen)
    def _chosen(self, event: MoveList.Chosen) -> None:
        self.program.press("last" if event.ply == len(self.program.chronicle) else f"history {event.ply}")

    @on(VoteBar.Answered)
    def _answered(self, event: VoteBar.Answered) -> None:
        self.action_answer(event.accept)
        self.query_one(CommandInput).focus()

    @on(Button.Pressed, "#live")
    def _live(self) -> None:
        self.program.press("last")

    def action_resign(self) -> None:
        """Ask before resigning, because a wrong key is more likely than a wrong word."""
        seat = self.desk.game.speaker if self.desk.game is not None else None
        if self.desk.question is None and seat is not None:
            resign = partial(self.desk.carry_out, Resign(seat))
            self.desk.questions.confirm(f"{seat.capitalize()}, give up this game (yes or no)?", resign)
            self.renew()

    def uses(self, key: str) -> bool:
        return super().uses(key) or (
            self.focused is self.query_one(BoardView) and (key in self.shortcuts or self._votes(key))
        )

    def _votes(self, key: str) -> bool:
        return key in ("y", "n") and self.query_one(VoteBar).open

    def press_key(self, key: str) -> bool:
        if not self._votes(key):
            return super().press_key(key)
        self.action_answer(key == "y")
        return True


def _state(game: Game) -> str:
    """The state of the game, in a few words."""
    table = game.table
    state = {"open": "waiting for players", "finished": "over"}.get(table.status)
    return state or ("your move" if game.mover is not None else f"{table.turn} to move")
