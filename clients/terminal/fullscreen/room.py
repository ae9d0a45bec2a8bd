"""The screen of a game: board, players, vote, moves, talk and the line for commands."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Grid, Horizontal, ScrollableContainer, Vertical
from textual.widgets import Button, Footer, Static

from clients.terminal import words
from clients.terminal.fullscreen.board import BoardView
from clients.terminal.fullscreen.console import CommandInput, CommandLine, Talk
from clients.terminal.fullscreen.dialogs import Promotion
from clients.terminal.fullscreen.frame import Banner, Frame
from clients.terminal.fullscreen.grid import Size
from clients.terminal.fullscreen.hand import Hand
from clients.terminal.fullscreen.moves import MoveList
from clients.terminal.fullscreen.paint import Script
from clients.terminal.fullscreen.players import Player, Players
from clients.terminal.fullscreen.votes import Ballot, VoteBar
from clients.terminal.game import Game
from clients.terminal.view import View

SIDE: Final = 33
"""Columns that the panel beside the board needs at least."""

_TICK: Final = 0.1
_AROUND: Final = 3
"""Rows above and below the board: the title, the line, the keys."""


class RoomScreen(Frame):
    """A game that is played, watched or looked back at."""

    DEFAULT_CSS = """
    RoomScreen { layout: vertical; }
    RoomScreen #title { height: 1; background: $panel; color: $text; padding: 0 1; }
    RoomScreen #hall { layout: grid; grid-size: 2; height: 1fr; }
    RoomScreen #stage { align: center middle; overflow: auto; scrollbar-size: 1 1; width: 100%; height: 100%; }
    RoomScreen #side { width: 100%; height: 100%; padding: 0 0 0 1; }
    RoomScreen #past { display: none; height: 1; background: $primary-muted; }
    RoomScreen #past.-up { display: block; }
    RoomScreen #past Static { width: 1fr; padding: 0 1; text-style: italic; }
    RoomScreen #past Button { min-width: 8; width: auto; height: 1; border: none; }
    RoomScreen #result { display: none; height: auto; background: $success-muted; text-style: bold; padding: 0 1; }
    RoomScreen #result.-up { display: block; }
    RoomScreen #moves { margin: 0 0 0 0; border-top: solid $panel-lighten-1; }
    RoomScreen #talk { border-top: solid $panel-lighten-1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "typed('flip')", "Turn"),
        Binding("f3", "typed('zoom out')", "Smaller"),
        Binding("f4", "typed('zoom in')", "Larger"),
        Binding("f5", "typed('undo')", "Undo"),
        Binding("f6", "typed('draw')", "Draw"),
        Binding("f8", "typed('resign')", "Resign"),
        Binding("f9", "typed('leave')", "Lobby"),
        Binding("f10", "typed('quit')", "Quit"),
        Binding("escape", "rest", "Put back", show=False),
    ]

    def __init__(self, script: Script) -> None:
        super().__init__()
        self._script = script
        self._ascii = script is Script.LETTERS
        self._hand = Hand()

    def compose(self) -> ComposeResult:
        yield Banner(id="banner")
        yield Static(id="title", markup=False)
        with Grid(id="hall"):
            with ScrollableContainer(id="stage", can_focus=False):
                yield BoardView(self._script, id="board")
            with Vertical(id="side"):
                yield Players(ascii=self._ascii, id="players")
                yield VoteBar(ascii=self._ascii, id="vote")
                yield Static(id="result", markup=False)
                with Horizontal(id="past"):
                    yield Static("", markup=False)
                    yield Button("Back to live", id="live", variant="primary", compact=True)
                yield MoveList(id="moves")
            with Container(id="below"):
                yield Talk(id="talk")
        yield CommandLine(id="command")
        yield Footer(compact=True, show_command_palette=False)

    def begin(self) -> None:
        """Keep time."""
        self.set_interval(_TICK, self._tick)

    # -- as large as the terminal allows --------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Lay everything out anew."""
        if self.ready:
            self._arrange()

    def _arrange(self) -> None:
        """The board as large as it fits beside the panel; the talk below it if there is room, else beside it."""
        width, height = self.size
        banner = self.query_one(Banner).has_class("-up")
        room = height - _AROUND - banner
        board = self.query_one(BoardView)
        board.fit(Size(width - SIDE, room))
        grid = board.grid.size
        wide = min(grid.width + 1, max(width - SIDE, 12))
        hall, stage, side, below = (self.query_one(name) for name in ("#hall", "#stage", "#side", "#below"))
        spare = room - grid.height
        hall.styles.grid_columns = f"{wide} 1fr"
        if spare >= 3:
            stage.styles.row_span, side.styles.row_span = 1, 2
            hall.styles.grid_rows = f"{grid.height} 1fr"
            hall.styles.grid_size_rows = 2
        else:
            stage.styles.row_span, side.styles.row_span = 2, 1
            hall.styles.grid_rows = "2fr 1fr"
            hall.styles.grid_size_rows = 2
        below.styles.padding = (0, 0, 0, 0 if spare >= 3 else 1)

    def zoom(self, by: int) -> None:
        """The board larger, smaller, or as it fits."""
        self.query_one(BoardView).zoom(by)
        self._arrange()

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
        self.query_one("#title", Static).update(self._title(game))
        self._tick()
        self._arrange()

    def _renew_board(self, game: Game, view: View) -> None:
        mine = game.mover is not None and view.ply is None
        self._hand.deal(game.table.position.legal_texts() if mine else ())
        held = self._hand.holding
        if held is not None:
            found, names = game.choices(held), game.table.position.geometry.names
            view = replace(
                view,
                asked=held,
                targets=frozenset(names[move.target] for move in found.quiet),
                prey=frozenset(names[move.target] for move in found.captures),
            )
        self.query_one(BoardView).show(view)

    def _renew_moves(self, game: Game, view: View) -> None:
        entries = self.program.chronicle.entries
        first = entries[0].seat if entries else game.table.position.turn
        ply = len(entries) if view.ply is None else view.ply
        live = view.ply is None
        self.query_one(MoveList).show(self.program.chronicle, game.table.position.seats, first, ply)
        past = self.query_one("#past")
        past.set_class(not live, "-up")
        past.query_one(Static).update(f"After move {ply} of {len(entries)}" if ply else "The beginning")

    def _title(self, game: Game) -> Text:
        table = game.table
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append("Fourfold", style="bold")
        text.append(f"  {table.variant}")
        if table.room:
            text.append(f"  {table.room}", style="dim")
        if table.game > 1:
            text.append(f"  game {table.game}")
        state = {"open": "waiting for players", "finished": "over"}.get(table.status)
        if state is None:
            state = "your move" if game.mover is not None else f"{table.turn} to move"
        text.append(f"  {state}", style="bold")
        if game.watchers:
            text.append(f"  {game.watchers} watching", style="dim")
        return text

    def _tick(self) -> None:
        """What changes with time: clocks, and what is left of a vote."""
        game, view = self.desk.game, self.desk.view
        if game is None or view is None:
            return
        self.query_one(Players).show(self._players(game, view))
        self.query_one(VoteBar).show(self._ballot(game))

    def _players(self, game: Game, view: View) -> tuple[Player, ...]:
        table, chronicle = game.table, self.program.chronicle
        position = (None if view.ply is None else chronicle.position(view.ply)) or table.position
        material = position.material()
        taken = chronicle.taken(view.ply)
        seats = list(table.seats)
        if len(seats) == 2 and view.outlook.places[position.geometry.names[0]][0] > 0:
            seats.reverse()  # as they sit: the one at the bottom last
        teams = position.rules.teams
        shown = []
        for name in seats:
            seat, number = table.seats[name], position.seats.index(name)
            against = [worth for other, worth in enumerate(material) if teams[other] != teams[number]]
            who = words.name(seat.name) if seat.name is not None else "free"
            remark = ""
            if seat.invited is not None and seat.stand_in is None:
                who, remark = f"level {seat.invited}" if seat.name is None else who, "on the way"
            if seat.stand_in is not None:
                remark = "a bot stands in"
            elif seat.name is not None and name not in game.online:
                remark = "away"
            shown.append(
                Player(
                    seat=name,
                    name=who,
                    mine=name in game.seats,
                    online=name in game.online,
                    to_move=name == table.turn,
                    out=table.out.get(name),
                    left=game.left(name),
                    running=table.clocks is not None and table.clocks.since is not None and name == table.turn,
                    taken="".join(piece.kind.letter for piece in taken.get(number, ())),
                    material=material[number],
                    lead=material[number] - max(against, default=0),
                    points=None if position.points is None else position.points[number],
                    score=seat.score,
                    remark=remark,
                    won=table.result is not None and name in table.result.winners,
                )
            )
        return tuple(shown)

    def _ballot(self, game: Game) -> Ballot | None:
        proposal = game.table.proposal
        if proposal is None:
            prompt = self.desk.prompt.strip()
            question = prompt.removesuffix("(yes/no)").strip()
            return Ballot(question) if question != prompt else None
        left = max(0, -(-(proposal.deadline - game.now()) // 1000))
        votes = tuple((seat, proposal.votes.get(seat)) for seat in proposal.electorate)
        return Ballot(words.proposal(proposal), votes, left, game.voter is not None)

    # -- hands --------------------------------------------------------------------------------------

    @on(BoardView.Pressed)
    def _pressed(self, event: BoardView.Pressed) -> None:
        game, view = self.desk.game, self.desk.view
        if game is None or view is None:
            return
        if event.button != 1:
            self._hand.rest()
        else:
            moves = self._hand.press(event.square, dropped=event.dropped)
            if len(moves) > 1:
                self.app.push_screen(Promotion(moves, ascii=self._ascii), self._promoted)
            elif moves:
                self.program.do(f"move {moves[0]}")
        self._renew_board(game, view)

    def _promoted(self, move: str | None) -> None:
        if move is not None:
            self.program.do(f"move {move}")

    @on(MoveList.Chosen)
    def _chosen(self, event: MoveList.Chosen) -> None:
        self.program.do("last" if event.ply == len(self.program.chronicle) else f"history {event.ply}")

    @on(CommandInput.Browse)
    def _browse(self, event: CommandInput.Browse) -> None:
        self.program.do(event.to)

    @on(CommandInput.Cancelled)
    def action_rest(self) -> None:
        """Put the piece in hand back."""
        self._hand.rest()
        self.renew()

    @on(VoteBar.Answered)
    def _answered(self, event: VoteBar.Answered) -> None:
        self.action_answer(event.accept)
        self.query_one(CommandInput).focus()

    @on(Button.Pressed, "#live")
    def _live(self) -> None:
        self.program.do("last")

    def action_typed(self, line: str) -> None:
        """As if this had been typed."""
        self.program.do(line)

    def on_key(self, event: events.Key) -> None:
        """Keys of the board, where it has the focus; anything else goes into the line."""
        if self.focused is self.query_one(BoardView):
            line = _BOARD_KEYS.get(event.key)
            if event.key in ("y", "n") and self.query_one(VoteBar).open:
                line = {"y": "yes", "n": "no"}[event.key]
            if line is not None:
                self.program.do(line)
                event.stop()
                event.prevent_default()


_BOARD_KEYS: Final = {
    "f": "flip",
    "plus": "zoom in",
    "equals_sign": "zoom in",
    "minus": "zoom out",
    "0": "zoom",
    "comma": "back",
    "full_stop": "forward",
    "home": "first",
    "end": "last",
}
