"""The full-screen program without a server: games at one keyboard, by mouse, by keys and by line."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Select, Static

from fourfold.clients.games.game import Notice
from fourfold.clients.games.local import LocalVenue
from fourfold.clients.terminal.fullscreen import roster
from fourfold.clients.terminal.fullscreen.app import FourfoldApp
from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.console import CommandInput
from fourfold.clients.terminal.fullscreen.create import CreateScreen
from fourfold.clients.terminal.fullscreen.dialogs import Help, Promotion
from fourfold.clients.terminal.fullscreen.grid import SIZES
from fourfold.clients.terminal.fullscreen.lobby import LobbyScreen
from fourfold.clients.terminal.fullscreen.moves import MoveList
from fourfold.clients.terminal.fullscreen.players import Players
from fourfold.clients.terminal.fullscreen.room import RoomScreen
from fourfold.clients.terminal.fullscreen.setup import Palette, SetupScreen
from fourfold.clients.terminal.fullscreen.votes import VoteBar
from tests.clients.terminal.fullscreen.driving import Driver
from tests.conftest import some


@asynccontextmanager
async def program(*first: str, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Driver]:
    async with LocalVenue(pace=0) as venue:
        app = FourfoldApp(venue, first)
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot)
            verb = first[0].split()[0] if first else ""
            await driver.at({"create": RoomScreen, "setup": SetupScreen}.get(verb, LobbyScreen))
            yield driver


@pytest.mark.slow
async def test_four_at_one_keyboard_by_mouse_keys_and_lines() -> None:
    async with program("create 4") as at:
        await at.click("h2", "h4")
        await at.moved(1)
        await at.type("b7 c7")
        await at.moved(2)
        board = at.screen.query_one(BoardView)
        board.focus()
        board.cursor = "g13"
        await at.pilot.press("enter", "down", "enter")
        await at.moved(3)
        await at.type("m8;l8")
        await at.moved(4)
        assert [entry.text for entry in at.app.chronicle.entries] == ["h2-h4", "b7-c7", "g13-g12", "m8-l8"]


@pytest.mark.slow
async def test_a_line_is_read_however_fast_it_is_typed_and_wherever_the_focus_was() -> None:
    async with program("create 2") as at:
        for plies, line in ((1, "e2e4"), (2, "e7e5")):
            board = at.screen.query_one(BoardView)
            board.focus()
            await at.until(lambda board=board: board.has_focus)
            at.rattle(line)
            await at.moved(plies)


async def test_a_screen_stays_in_place_where_a_terminal_is_small() -> None:
    """Before the size is known, the layout is larger than the screen. The focused line must not scroll it away."""
    async with program(size=(40, 12)) as at:
        at.screen.remove_class("-low")
        at.screen.query_one(CommandInput).scroll_visible(animate=False)
        await at.pilot.pause(0.1)
        assert at.screen.scroll_offset.y == 0
        assert not at.screen.show_vertical_scrollbar


async def test_news_may_come_while_the_program_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []

    def hear(screen: RoomScreen) -> None:
        app = screen.program
        app.heard(Notice("the connection is lost", connected=False))
        app.moved()
        app.say("it is gone")
        heard.append(app.main)

    async with program("create 4"):
        monkeypatch.setattr(RoomScreen, "on_unmount", hear, raising=False)
    assert [type(screen) for screen in heard] == [RoomScreen]  # still there, though no longer whole


async def test_the_list_of_games_may_come_while_the_program_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = []

    async def go_on(screen: LobbyScreen) -> None:
        await screen._list()
        listed.append(screen.closed)

    async with program() as at:
        await at.at(LobbyScreen)
        monkeypatch.setattr(LobbyScreen, "on_unmount", go_on, raising=False)
    assert listed == [True]


async def test_a_screen_may_open_while_the_program_ends() -> None:
    """It then has no widgets."""
    async with program() as at:
        late = LobbyScreen(at.app)
    with at.app._context():
        late.on_mount()
    assert not late.ready


@pytest.mark.slow
async def test_sizes_follow_the_terminal() -> None:
    async with program("create 4") as at:
        board = at.screen.query_one(BoardView)
        assert board.grid.square == SIZES[0]
        await at.pilot.resize_terminal(200, 60)
        await at.until(lambda: board.grid.square == SIZES[3] and board.size == board.grid.size)
        await at.click("h2", "h4")
        await at.moved(1)
        await at.pilot.resize_terminal(110, 36)
        await at.until(lambda: board.grid.square == SIZES[1] and board.size == board.grid.size)
        await at.click("b7", "c7")
        await at.moved(2)
        await at.pilot.resize_terminal(80, 24)
        await at.until(lambda: board.grid.square == SIZES[0] and board.size == board.grid.size)
        await at.click("g13", "g12")
        await at.moved(3)


@pytest.mark.slow
async def test_the_board_is_turned_and_clicks_follow() -> None:
    async with program("create 4") as at:
        board = at.screen.query_one(BoardView)
        for moves, (source, target) in enumerate((("h2", "h3"), ("b7", "c7"), ("g13", "g12"), ("m8", "l8")), 1):
            bottom = board.grid.orientation.name(12, 7)
            await at.pilot.press("f2")
            await at.until(lambda bottom=bottom: board.grid.orientation.name(12, 7) != bottom)
            await at.click(source, target)
            await at.moved(moves)


async def test_an_undo_is_asked_of_everybody_and_redone() -> None:
    async with program("create 2") as at:
        vote = at.screen.query_one(VoteBar)
        for move in ("e2e4", "e7e5"):
            await at.type(move)
        await at.moved(2)
        await at.type("undo 2")
        await at.until(lambda: vote.open)
        await at.press("#yes")
        await at.moved(0)
        await at.until(lambda: not vote.open)
        await at.type("redo 2")
        await at.until(lambda: vote.open)
        await at.pilot.press("ctrl+y")
        await at.moved(2)
        await at.type("draw")
        await at.until(lambda: vote.open)
        await at.pilot.press("ctrl+n")
        await at.until(lambda: not vote.open)
        assert at.app.desk.game is not None
        assert at.app.desk.game.table.status == "playing"


@pytest.mark.slow
async def test_looking_back_by_keys_and_clicks() -> None:
    async with program("create 2") as at:
        for move in ("e2e4", "e7e5", "g1f3"):
            await at.type(move)
        await at.moved(3)

        def ply() -> int | None:
            assert at.app.desk.view is not None
            return at.app.desk.view.ply

        for key, expected in (("left", 2), ("left", 1), ("home", 0), ("right", 1), ("end", None)):
            await at.pilot.press(key)
            await at.until(lambda expected=expected: ply() == expected)
        await at.press(MoveList, (6, 1))  # the first move, below the line
        await at.until(lambda: ply() == 1)
        assert at.screen.query_one("#past").display
        await at.click("b8", "c6")  # past positions have no moves
        await at.press("#live")
        await at.until(lambda: ply() is None)
        assert at.table_moves() == 3


@pytest.mark.slow
async def test_promotion_is_chosen() -> None:
    async with program("setup 2") as at:
        for line in ("+ wK e1", "+ bK h8", "+ wP a7"):
            await at.type(line)
        await at.type("done")
        await at.at(RoomScreen)
        await at.click("a7", "a8")
        await at.dialog(Promotion)
        await at.pilot.press("escape")
        await at.click("a7", "a8")
        await at.dialog(Promotion)
        await at.pilot.press("n")
        await at.moved(1)
        assert at.app.chronicle.entries[0].text == "a8=N"


@pytest.mark.slow
async def test_a_board_is_set_up_by_mouse_and_keys() -> None:
    async with program("setup 4") as at:
        board = at.screen.query_one(BoardView)

        def pieces() -> set[str]:
            assert at.app.desk.editor is not None
            return set(at.app.desk.editor.pieces())

        squares = ("h1", "a7", "g14", "n8")
        for row, square in enumerate(squares):
            await at.press(Palette, (1, row))
            await at.click(square)
            await at.until(lambda square=square: square in pieces())
        await at.press(Palette, (21, 0))  # red's pawn
        await at.click("h2", "h5")
        await at.until(lambda: {"h2", "h5"} <= pieces())
        await at.press(Palette, (9, 4))  # erase
        await at.click("h5")
        await at.until(lambda: "h5" not in pieces())
        await at.press(Palette, (1, 4))  # move
        await at.click("h2", "i2")
        await at.until(lambda: pieces() == {*squares, "i2"})
        board.focus()
        board.cursor = "i5"
        await at.pilot.press("2", "enter")
        await at.until(lambda: "i5" in pieces())
        await at.pilot.press("x")
        await at.until(lambda: "i5" not in pieces())
        await at.pilot.press("f5")
        await at.until(lambda: at.app.desk.editor is not None and at.app.desk.editor.setup.turn == 1)
        await at.pilot.press("f8")
        await at.at(RoomScreen)
        assert at.app.desk.game is not None
        assert at.app.desk.game.table.turn == "blue"


@pytest.mark.slow
async def test_faults_of_a_board_are_all_listed() -> None:
    async with program("setup 2") as at:
        await at.type("+ wP a8")
        faults = at.screen.query_one("#faults")
        for words in ("White has no king", "Black has no king", "pawn on a8"):
            await at.until(lambda words=words: words in str(faults.render()))
        await at.told("done", "No game can begin")
        await at.pilot.press("f9")
        await at.at(LobbyScreen)


@pytest.mark.slow
async def test_the_form_opens_a_game_against_computers() -> None:
    async with program() as at:
        await at.pilot.press("f2")
        form = await at.dialog(CreateScreen)
        form.query_one("#variant", Select).value = "survivor"
        await at.until(lambda: form.query_one("#row-3").region)  # its place pushes down the buttons
        for seat in (0, 2, 3):
            form.query_one(f"#seat-{seat}", Select).value = "1"
        form.query_one("#seat-1", Select).value = "you"
        await at.press("#open")
        await at.at(RoomScreen)
        assert at.app.desk.game is not None
        assert at.app.desk.game.seats == ("blue",)
        await at.moved(1)
        await at.until(lambda: at.app.desk.game is not None and at.app.desk.game.mover == "blue")
        await at.type("b7c7")
        await at.until(lambda: at.table_moves() >= 5)


@pytest.mark.slow
async def test_the_form_asks_a_seat_for_its_choice_now() -> None:
    """A message about an earlier choice may come late."""
    async with program() as at:
        await at.pilot.press("f2")
        form = await at.dialog(CreateScreen)
        first, second = form.query_one("#seat-0", Select), form.query_one("#seat-1", Select)
        first.value, second.value = "1", "you"
        first.post_message(Select.Changed(first, "you"))
        await at.press("#open")
        await at.at(RoomScreen)
        assert at.app.desk.game is not None
        assert at.app.desk.game.seats == ("black",)


@pytest.mark.slow
async def test_the_line_remembers_and_helps() -> None:
    async with program("create 2") as at:
        line = at.screen.query_one(CommandInput)
        await at.told("frobnicate", "There is no command")
        await at.told("e2e5", "pawn")
        await at.pilot.press("up", "up")
        assert line.value == "frobnicate"
        await at.pilot.press("down", "down")
        assert line.value == ""
        await at.type("help")
        await at.dialog(Help)
        await at.pilot.press("escape")
        await at.until(lambda: at.app.desk.question is not None)
        await at.told("d7", "The black pawn on d7 can move once it is black's turn")
        assert at.app.desk.view is not None and at.app.desk.view.targets == {"d5", "d6"}
        board = at.screen.query_one(BoardView)
        board.focus()
        await at.pilot.press("e", "2", "e", "4", "enter")
        await at.moved(1)


@pytest.mark.slow
async def test_the_players_of_two_are_listed_while_a_board_of_four_is_set_up() -> None:
    """The game's screen may be drawn once more before the setup screen appears."""
    async with program("create 2") as at:
        await at.type("setup ffa")
        await at.until(lambda: at.app.desk.editor is not None)
        game, view = at.app.desk.game, at.app.desk.view
        assert game is not None and view is not None and len(view.seats) == 4
        assert [row.seat for row in roster.players(game, view, at.app.chronicle)] == ["white", "black"]


@pytest.mark.slow
async def test_what_is_typed_right_after_enter_begins_the_next_line() -> None:
    async with program("create 2") as at:
        line = at.screen.query_one(CommandInput)
        line.focus()
        for key in [*"frob", "enter", *"nicate", "enter"]:
            at.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await at.until(lambda: "'frob'" in at.said and "'nicate'" in at.said)
        assert line.value == ""


@pytest.mark.slow
async def test_a_text_to_be_copied_is_on_the_clipboard_whole() -> None:
    async with program("create 4", size=(40, 12)) as at:
        await at.told("fen", "Copied")
        assert at.app.desk.game is not None
        assert at.app.clipboard == at.app.quoted == at.app.desk.game.table.fen


@pytest.mark.slow
async def test_help_begins_with_the_keys() -> None:
    async with program("create 2", size=(80, 24)) as at:
        await at.pilot.press("f1")
        await at.dialog(Help)

        def begins(title: str) -> bool:
            return str(at.app.screen.query_one("#group", Static).content).startswith(title)

        for key, title in (("0", "Keys"), ("1", "Keys"), ("left", "1 of"), ("escape", "Keys")):
            await at.until(partial(begins, title))
            await at.pilot.press(key)


@pytest.mark.slow
@pytest.mark.parametrize(
    "size",
    [(40, 12), pytest.param((80, 24), marks=pytest.mark.slow), pytest.param((200, 60), marks=pytest.mark.slow)],
)
async def test_help_has_its_groups_page_by_page(size: tuple[int, int]) -> None:
    async with program("create 2", size=size) as at:
        await at.pilot.press("f1")
        await at.dialog(Help)
        seen = ""
        for _ in range(40):
            await at.pilot.pause()
            strips = at.app.screen._compositor.render_strips()
            seen += " ".join(strip.text.strip(" │") for strip in strips) + " "
            await at.pilot.press("space")
        words = " ".join(seen.split())
        for entry in at.app.desk.language.entries:
            assert entry.usage.split()[0] in words and entry.about.split()[-1] in words


async def test_a_first_line_that_is_unclear_is_said() -> None:
    async with LocalVenue(pace=0) as venue:
        app = FourfoldApp(venue, ["frobnicate"])
        async with app.run_test(size=(80, 24)) as pilot:
            at = Driver(app, pilot)
            await at.at(LobbyScreen)
            await at.until(lambda: "There is no command 'frobnicate'." in at.said)


async def test_what_to_play_is_asked_in_the_lobby() -> None:
    async with program("begin") as at:
        await at.until(lambda: "Two players or four" in at.screen.prompt)
        await at.type("4")
        await at.until(lambda: "Game or setup" in at.screen.prompt)
        await at.type("")
        await at.at(RoomScreen)
        assert at.app.desk.game is not None and at.app.desk.game.table.variant == "survivor"


@pytest.mark.parametrize("name", some(1, "game.pgn", "game.smith"))
async def test_save_and_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    async with program("create 2") as at:
        for move in ("e2e4", "e7e5", "Ng1-f3"):
            await at.type(move)
        await at.moved(3)
        await at.told(f"save {path}", "Saved to")
        await at.type("resign")
        await at.pilot.press("ctrl+y")
        await at.until(lambda: at.screen.query_one("#result").display)
        await at.type(f"read {path}")
        await at.until(lambda: at.app.desk.game is not None and at.app.desk.game.table.result is None)
        await at.moved(3)


async def test_quit_offers_to_save(tmp_path: Path) -> None:
    path = tmp_path / "last.pgn"
    async with program("create 2") as at:
        await at.type("e2e4")
        await at.moved(1)
        await at.pilot.press("f10")
        await at.until(lambda: at.app.desk.question is not None)
        await at.pilot.press("left")  # no answer
        await at.type(str(path))
        await at.until(lambda: not at.app.is_running)
    assert "1. e4" in path.read_text()


async def test_an_interrupt_offers_to_save_what_would_be_lost(tmp_path: Path) -> None:
    path = tmp_path / "last.pgn"
    async with program("create 2") as at:
        await at.type("e2e4")
        await at.moved(1)
        await at.pilot.press("ctrl+c")
        await at.until(lambda: at.app.desk.question is not None)
        await at.type(str(path))
        await at.until(lambda: not at.app.is_running)
    assert "1. e4" in path.read_text()


@pytest.mark.slow
async def test_a_second_interrupt_goes_at_once() -> None:
    async with program("create 2") as at:
        await at.type("e2e4")
        await at.moved(1)
        await at.pilot.press("f1", "ctrl+c")
        await at.until(lambda: at.app.desk.question is not None)
        await at.pilot.press("ctrl+c")
        await at.until(lambda: not at.app.is_running)


@pytest.mark.slow
async def test_an_interrupt_where_nothing_is_lost_goes_at_once() -> None:
    async with program("create 2") as at:
        await at.pilot.press("ctrl+c")
        await at.until(lambda: not at.app.is_running)


@pytest.mark.slow
async def test_players_show_what_was_taken_and_who_leads() -> None:
    async with program("create 2 5+0") as at:
        for move in ("e2e4", "d7d5", "e4d5"):
            await at.type(move)
        await at.moved(3)
        text = str(at.screen.query_one(Players).render())
        assert "♟" in text
        assert "+1" in text
        assert "4:5" in text or "5:00" in text
