"""The effect of every command, in a game on this machine."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest

from fourfold.clients.games.game import News
from fourfold.clients.games.local import LocalVenue
from fourfold.clients.terminal.controller.controller import Controller
from fourfold.clients.terminal.parser.commands import Propose
from fourfold.clients.terminal.text import drawing
from fourfold.clients.terminal.text.ink import Ink

LETTERS = Ink(None, unicode=False)
FOOLS = ("f2f3", "e7e5", "g2g4", "d8h4")


class Keyboard:
    """A front end that records what it shows."""

    def __init__(self, venue: LocalVenue) -> None:
        self.desk = Controller(venue, self)
        self.lines: list[str] = []
        self.boards: list[list[str]] = []
        self.bells = 0
        self.zoomed: list[int] = []

        self.room: tuple[int, int] | None = None

    def say(self, text: str) -> None:
        self.lines.append(text)

    def quote(self, text: str) -> None:
        self.lines.append(text)

    def show(self) -> None:
        view = self.desk.view
        assert view is not None
        self.boards.append(drawing.board(view, LETTERS))

    def zoom(self, by: Literal[-1, 0, 1]) -> None:
        self.zoomed.append(by)

    def heard(self, news: News) -> None:
        pass

    def moved(self) -> None:
        pass

    def bell(self) -> None:
        self.bells += 1

    async def types(self, *lines: str) -> str:
        """Type lines, each when the game expects input. Return the answers."""
        before = len(self.lines)
        async with asyncio.timeout(240):
            for line in lines:
                await self.desk.idle()
                await self.desk.do(line)
            if not self.desk.over:
                await self.desk.idle()
        return "\n".join(self.lines[before:])

    @property
    def moves(self) -> tuple[str, ...]:
        assert self.desk.game is not None
        return self.desk.game.table.moves


@asynccontextmanager
async def keyboard() -> AsyncIterator[Keyboard]:
    async with LocalVenue(pace=0) as venue:
        one = Keyboard(venue)
        async with one.desk:
            yield one


@pytest.fixture
async def two() -> AsyncIterator[Keyboard]:
    """Two people at a board."""
    async with keyboard() as one:
        await one.types("create")
        yield one


@pytest.fixture
async def four() -> AsyncIterator[Keyboard]:
    """Four people at a board."""
    async with keyboard() as one:
        await one.types("create 4")
        yield one


async def test_moves_are_said_and_shown(two: Keyboard) -> None:
    assert two.desk.prompt == "White to move: "
    assert await two.types("e2;e4") == "White plays e4 (e2e4)."
    assert two.boards[-1][4] == " 4  .  .  .  .  P* .  .  ."
    assert two.boards[-1][1] == " 7 [p][p][p][p][p][p][p][p]"
    assert two.desk.prompt == "Black to move: "
    assert await two.types("move e7 e5", "Qh5", "nc6", "Bc4", "g8f6", "Qxf7") == "\n".join(
        [
            "Black plays e5 (e7e5).",
            "White plays Qh5 (d1h5).",
            "Black plays Nc6 (b8c6).",
            "White plays Bc4 (f1c4).",
            "Black plays Nf6 (g8f6).",
            "White plays Qxf7# (h5f7). Check to black.",
            "White wins by checkmate.",
        ]
    )
    assert two.desk.prompt == "The game is over: "
    over = "The game is over: no more moves can be made. 'rematch' asks for another, 'history' looks back."
    assert await two.types("a7a6") == over


async def test_a_bad_move_is_explained_and_changes_nothing(two: Keyboard) -> None:
    assert "Illegal move: The pawn on e2 cannot go to e5." in await two.types("e2e5")
    assert "Your own piece stands on e2" in await two.types("e1e2")
    assert two.moves == ()


async def test_the_moves_of_a_piece(two: Keyboard) -> None:
    assert await two.types("g1?") == "The white knight on g1 can move: to f3 and h3."
    assert two.boards[-1][5] == " 3  .  .  .  .  .  X  .  X"
    assert await two.types("help e2") == "The white pawn on e2 can move: to e3 and e4."
    assert await two.types("a1?") == "The white rook on a1 has no legal move."
    assert await two.types("e4?") == "There is no piece on e4."
    assert await two.types("e7?") == "The black pawn on e7 can move once it is black's turn: to e5 and e6."
    assert two.boards[-1][2] == " 6  .  .  .  .  X  .  .  ."
    assert "'e9' is not a square" in await two.types("e9?")
    assert (await two.types("moves")).startswith("White has 20 legal moves: a2a3 a2a4 ")


async def test_an_undo_asks_everybody_else_in_turn(four: Keyboard) -> None:
    await four.types("h2h4", "b7d7", "undo 2")
    assert four.desk.prompt == "Red, yellow proposes to undo 2 moves. Do you agree (yes or no)? "
    await four.types("yes")
    assert four.desk.prompt.startswith("Blue, ")
    await four.types("y")
    said = await four.types("ok")
    assert "Everybody agrees." in said and "2 moves taken back: the game stands after move 0." in said
    assert four.moves == ()
    await four.types("redo 2", "yes", "yes", "yes")
    assert four.moves == ("h2h4", "b7d7")


async def test_one_no_is_enough(two: Keyboard) -> None:
    await two.types("e2e4", "draw")
    assert two.desk.prompt == "White, black proposes a draw. Do you agree (yes or no)? "
    assert "The proposal is refused." in await two.types("no")
    assert "too soon" in await two.types("draw") or "again in" in two.lines[-1]
    assert "Nothing is being voted on." in await two.types("yes")


async def test_a_draw_that_the_rules_grant_needs_nobodys_yes(two: Keyboard) -> None:
    await two.types("draw", "no")  # an offer would have to wait after this
    await two.types(*("g1f3", "g8f6", "f3g1", "f6g8") * 2)
    said = await two.types("draw")
    assert "threefold" in said or "repe" in said
    assert two.desk.game is not None
    assert two.desk.game.table.status == "finished"


@pytest.mark.parametrize(
    ("opening", "first"), [("create black=1", "e2e4"), ("create 4 blue=1 yellow=1 green=1", "h2h4")]
)
async def test_an_undo_without_a_number_leads_back_to_ones_last_turn(opening: str, first: str) -> None:
    async with keyboard() as one:
        await one.types(opening)
        assert await one.types("undo") == "You asked to undo 1 move; there are 0."
        await one.types(first)
        assert one.desk.game is not None
        assert len(one.moves) == len(one.desk.game.table.seats)
        await one.types("undo")
        assert one.moves == ()
        await one.types(first)
        before = one.moves
        await one.types("undo 2")
        assert one.moves[: len(before) - 2] == before[:-2]


async def test_who_has_not_moved_has_no_turn_to_go_back_to() -> None:
    async with keyboard() as one:
        await one.types("create white=1")
        said = await one.types("undo")
        assert said == "You have not moved yet. 'undo 1' proposes to take back the last move of others."


async def test_too_many_moves_to_undo(two: Keyboard) -> None:
    assert await two.types("undo 5") == "You asked to undo 5 moves; there are 0."
    await two.types("e2e4")
    assert await two.types("undo 2") == "You asked to undo 2 moves; there is 1."
    assert await two.types("redo 1") == "You asked to redo 1 move; there are 0."


async def test_a_series_and_its_score(two: Keyboard) -> None:
    await two.types("e2e4")
    assert await two.types("score") == "This is the first game; nobody has scored yet.\nMaterial: white 39, black 39."
    assert "White wins by resignation." in await two.types("resign")
    said = await two.types("rematch", "yes")
    assert "Game 2 of the series: white (Player 2), black (Player 1)." in said
    assert "white (Player 2) 0, black (Player 1) 1" in await two.types("score")


async def test_four_and_who_is_out(four: Keyboard) -> None:
    said = await four.types("h2h4", "resign red")
    assert "Red resigns." in said
    assert "Red is out of the game: resignation." in said
    assert four.boards[-1][13].split()[1:] == ["rr", "rn", "rb", "rq", "rk", "rb", "rn", "rr"]
    assert "red: Player 1, you, out: resignation" in await four.types("who")
    assert "There is no seat 'white' here. Seats: red, blue" in await four.types("resign white")


async def test_looking_back(two: Keyboard) -> None:
    await two.types("e2e4", "e7e5", "g1f3")
    assert (await two.types("history")).splitlines() == ["   1 e4      2 e5", "   3 Nf3"]
    await two.types("first")
    assert two.boards[-1][4] == " 4  .  .  .  .  .  .  .  ."
    assert two.desk.prompt == "Looking at move 0: "
    await two.types("forward 2")
    assert two.desk.view is not None and two.desk.view.ply == 2
    assert "'last' brings you back" in await two.types("b8c6")
    await two.types("back")
    assert two.boards[-1][4] == " 4  .  .  .  .  P* .  .  ."
    assert (await two.types("fen")).startswith("rnbqkbnr/pppppppp/8/8/4P3")
    await two.types("history 2", "last")
    assert two.desk.view.ply is None
    assert "The game has 3 moves." in await two.types("history 9")
    await two.types("b8c6")
    assert two.moves[-1] == "b8c6"


async def test_the_board_turns_and_grows(two: Keyboard) -> None:
    await two.types("flip")
    assert two.boards[-1][0].startswith(" 1")
    await two.types("flip white")
    assert two.boards[-1][0].startswith(" 8")
    await two.types("zoom", "zoom in", "zoom out")
    assert two.zoomed == [0, 1, -1]


async def test_what_is_not_there_is_said(two: Keyboard) -> None:
    assert await two.types("clocks") == "This game is untimed."
    assert await two.types("link") == "This game has no address: it is on this machine only."
    assert "There are no rooms and no accounts on this machine" in await two.types("join abc")
    assert "no command 'xyzzy'" in await two.types("xyzzy")
    assert await two.types("", "   ") == ""
    assert "There are no games right now" in await two.types("rooms")


async def test_help(two: Keyboard) -> None:
    assert "2 Votes: undo, redo, draw" in await two.types("?")
    assert "undo [N]" in await two.types("help 2")
    assert "Also: y, agree" in await two.types("help yes")


async def test_help_asks_for_a_square(two: Keyboard) -> None:
    await two.types("help")
    assert two.desk.prompt == "Which piece would you like to find the moves for (a square)? "
    assert await two.types("d7") == "The black pawn on d7 can move once it is black's turn: to d5 and d6."
    assert two.desk.prompt == "White to move: "
    assert "undo [N]" in await two.types("help", "2")
    assert two.desk.question is None
    assert await two.types("help", "") != "" and two.desk.question is None


async def test_what_is_no_square_is_carried_out(two: Keyboard) -> None:
    assert "White plays e4 (e2e4)." in await two.types("help", "e2e4")
    assert "There is no command 'frob'." in await two.types("help", "frob")
    await two.types("help", "draw")
    assert two.desk.question is None
    assert two.desk.prompt == "White, black proposes a draw. Do you agree (yes or no)? "


async def test_a_vote_is_not_kept_waiting_by_an_offer(two: Keyboard) -> None:
    await two.types("e2e4", "help")
    await two.desk.carry_out(Propose("draw"))
    assert two.desk.question is None
    assert "agree" in two.desk.prompt


@pytest.mark.parametrize(("columns", "rows"), [(40, 12), (80, 24), (200, 60)])
async def test_help_fits_the_terminal(two: Keyboard, columns: int, rows: int) -> None:
    """Every page leaves room for the typed line and the next question, and no line is lost."""
    two.room = (columns, rows)
    for topic in ("help", *(f"help {number}" for number in range(1, 8))):
        said = []
        page = await two.types(topic)
        while True:
            lines = page.splitlines()
            assert 1 <= len(lines) <= rows - 2 and max(map(len, lines)) < columns
            said += [line.strip() for line in lines]
            if two.desk.question is None or not two.desk.prompt.startswith("Page "):
                break
            page = await two.types("")
        await two.types("")
        whole = " ".join(" ".join(said).split())
        for line in two.desk.language.help(topic.removeprefix("help").strip() or None):
            assert " ".join(line.split()) in whole


async def test_begin_asks_for_players_and_setup() -> None:
    async with keyboard() as one:
        await one.types("begin")
        assert one.desk.prompt == "Two players or four (2 or 4; Enter: 2)? "
        assert "There is no variant 'three'" in await one.types("three")
        assert one.desk.prompt == "Two players or four (2 or 4; Enter: 2)? "
        await one.types("4")
        assert one.desk.prompt == "Game or setup (Enter: game)? "
        assert "Type 'game'" in await one.types("maybe")
        await one.types("setup")
        assert one.desk.editor is not None and len(one.desk.editor.rules.seats) == 4
        await one.types("cancel", "begin", "", "")
        assert one.desk.game is not None and one.desk.game.table.variant == "standard"
        await one.types("begin", "four", "g")
        assert one.desk.game.table.variant == "survivor"


@pytest.mark.parametrize("word", ["cancel", "leave", "no"])
async def test_how_many_can_be_given_up(word: str) -> None:
    async with keyboard() as one:
        for answers in ([], ["4"]):
            await one.types("begin", *answers)
            assert await one.types(word) == "Cancelled."
            assert one.desk.question is None and one.desk.game is None


async def test_quit_is_no_answer_to_how_many() -> None:
    async with keyboard() as one:
        await one.types("begin", "quit")
        assert one.desk.over


async def test_a_draw_that_may_be_claimed_is_announced(two: Keyboard) -> None:
    knights = ("g1f3", "g8f6", "f3g1", "f6g8")
    assert "You have nothing to claim" in await two.types("claim")
    said = await two.types(*knights, *knights)
    assert "White may claim a draw by threefold repetition: 'claim' ends the game." in said
    assert "Draw by threefold repetition." in await two.types("claim")


async def test_a_proposal_is_taken_back(two: Keyboard) -> None:
    await two.types("e2e4", "draw")
    assert "The proposal is taken back." in await two.types("withdraw")
    assert two.desk.prompt == "Black to move: "
    assert await two.types("withdraw") == "Nothing is being voted on."


async def test_at_one_keyboard_nobody_is_sent_away(two: Keyboard) -> None:
    assert "'bot black 3' gives it away" in await two.types("kick black")
    assert "'abort' calls it off" in await two.types("close")


async def test_in_ffa_a_draw_ends_the_game_on_points() -> None:
    async with keyboard() as one:
        await one.types("create ffa", "h2h4", "b7d7", "h13h11", "m8k8", "draw")
        shared = "red, blue, yellow and green would share first place with 10"
        assert one.desk.prompt.startswith(f"Blue, red proposes to end the game on points: {shared}.")
        assert f"Red proposes to end the game on points: {shared}." in one.lines
        said = await one.types("yes", "yes", "yes")
        assert "Red, blue, yellow and green share first place on points, as everybody agreed to end." in said


async def test_saved_and_read_again(two: Keyboard, tmp_path: Path) -> None:
    await two.types(*FOOLS[:3])
    for name in ("game.pgn", "game.smith", "game"):
        path = tmp_path / name
        assert await two.types(f"save {path}") == f"Saved to {path}."
        said = await two.types("create", f"read {path}")
        assert f"Read 3 moves from {path}." in said
        assert two.moves == FOOLS[:3]
    await two.types("undo 1", "yes")
    assert two.moves == FOOLS[:2]


async def test_reading_a_game_to_its_end(two: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "mate.smith"
    path.write_text("f2f3 e7e5\ng2g4 d8h4\n")
    assert "Black wins by checkmate." in await two.types(f"r {path}")
    assert two.moves == FOOLS


async def test_reading_a_bad_game(two: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "bad.smith"
    path.write_text("e2e4 e7e5\ne4e5\n")
    said = await two.types(f"read {path}")
    assert f"{path}, line 2: move 3, 'e4e5': The pawn on e4 cannot go to e5. Reading stops there." in said
    assert two.moves == ("e2e4", "e7e5")
    assert await two.types("read nowhere.smith") == "There is no file nowhere.smith."
    assert two.moves == ("e2e4", "e7e5"), "play goes on"


@pytest.mark.parametrize("command", ["r", "save"])
async def test_a_wrong_file_name_does_not_swallow_the_lines_after_it(two: Keyboard, command: str) -> None:
    await two.types("e2e4", command, "nowhere/game.smith")
    assert "nowhere" in two.lines[-1]
    await two.types("e7e5")
    assert two.moves == ("e2e4", "e7e5")


async def test_nothing_is_overwritten_unasked(two: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "game.smith"
    path.write_text("precious")
    await two.types("e2e4", f"save {path}")
    assert two.desk.prompt == f"{path} exists already. Overwrite it (yes or no)? "
    assert await two.types("no") == "Nothing was saved."
    assert path.read_text() == "precious"
    await two.types("save", str(path), "yes")
    assert path.read_text() == "e2e4\n"


async def test_a_game_is_not_lost_unasked(two: Keyboard) -> None:
    await two.types("e2e4", "create")
    assert two.desk.prompt == "This game would be lost. Continue (yes or no)? "
    await two.types("no", "e7e5")
    assert two.moves == ("e2e4", "e7e5")
    await two.types("leave", "yes")
    assert two.desk.game is None
    assert two.desk.prompt == "Lobby: "


async def test_quit_offers_to_save(two: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "last.pgn"
    await two.types("e2e4", "quit")
    assert two.desk.prompt.startswith("Type a file name to save the game, or press Enter")
    assert not two.desk.over
    await two.types(str(path))
    assert two.desk.over
    assert "1. e4" in path.read_text()


async def test_quit_without_saving() -> None:
    async with keyboard() as one:
        await one.types("create", "e2e4", "quit", "")
        assert one.desk.over
    async with keyboard() as one:
        await one.types("quit")
        assert one.desk.over


async def test_what_is_asked_is_asked_until_it_is_answered(two: Keyboard, tmp_path: Path) -> None:
    await two.types("e2e4", "quit")
    asked = two.desk.prompt
    assert "'.doc' is not a game format" in await two.types(str(tmp_path / "game.doc"))
    assert two.desk.prompt == asked
    await two.types("yes")
    assert two.desk.prompt == asked
    await two.types("no")
    assert two.desk.over
    assert not os.listdir(tmp_path)


async def test_a_file_is_asked_for(two: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "game.smith"
    path.write_text("e2e4\n")
    await two.types("r")
    assert two.desk.prompt == "Read which file (Enter: none)? "
    assert "There is no file nowhere." in await two.types("nowhere")
    assert two.desk.question is None
    await two.types("r", str(path))
    assert two.moves == ("e2e4",)
    await two.types("r", "")
    assert two.desk.question is None


async def test_setup_mode(two: Keyboard) -> None:
    await two.types("setup")
    assert two.desk.prompt == "Setup: "
    await two.types("+ wK e1", "+bKe8", "+ white pawn e8")
    said = await two.types("done")
    assert "Black has no king: put exactly one on the board." in said
    assert "White's pawn on e8 should have promoted." in said
    assert await two.types("- a1") == "There is no piece on a1."
    assert "There is no square 'e9'" in await two.types("+ wK e9")
    assert "there are white" in await two.types("+ xK e4") or two.lines
    await two.types("+ bK e8", "+ wP d4", "+ bP e5", "= black", "e2?")
    assert "There are no moves in setup mode" in two.lines[-1]
    await two.types("done", "e5d4")
    assert two.moves == ("e5d4",)
    assert two.desk.game is not None
    assert two.desk.game.table.start.startswith("4k3/8/8/4p3/3P4/8/8/4K3 b")


async def test_setup_of_a_king_in_check_is_refused_and_can_be_given_up(two: Keyboard) -> None:
    await two.types("e2e4", "setup", "fen 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
    assert "Black's king is in check" in await two.types("done")
    await two.types("cancel", "e7e5")
    assert two.moves == ("e2e4", "e7e5")


async def test_castling_in_setup(two: Keyboard) -> None:
    await two.types("setup", "fen start", "clear", "+ wK e1", "+ wR h1", "+ bK e8", "castling", "done", "O-O")
    assert two.moves == ("e1g1",)


async def test_computer_players_take_their_turn_and_vote() -> None:
    async with keyboard() as one:
        await one.types("create 4 bots=1", "h2h4")
        assert len(one.moves) == 4
        assert one.desk.prompt == "Red to move: "
        await one.types("undo 4")
        assert one.moves == ()
        said = await one.types("h2h3", "who")
        assert "blue: Level 1" in said


async def test_a_computer_player_stands_in_and_is_sent_away(two: Keyboard) -> None:
    said = await two.types("e2e4", "bot black 1")
    assert "Level 1 stands in for black." in said
    assert len(two.moves) == 2
    await two.types("d2d4")
    assert len(two.moves) == 4
    assert "The player at black is back." in await two.types("sit black")
    assert two.desk.game is not None and two.desk.game.seats == ("white", "black")


async def test_setup_keeps_the_computer_players() -> None:
    async with keyboard() as one:
        await one.types("create black=1", "setup", "fen start", "- d8", "done", "e2e4")
        assert len(one.moves) == 2


async def test_alone_one_is_you_and_nothing_else() -> None:
    async with keyboard() as one:
        await one.types("create 2 bots=1")
        assert "white: you, to move" in await one.types("who")


async def test_a_game_that_is_called_off_was_no_draw(two: Keyboard) -> None:
    assert "The game was aborted: nobody has won." in await two.types("abort")


async def test_nothing_is_to_be_saved_of_a_file_as_it_was_read(two: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    await two.types("e2e4", "e7e5", f"save {path}", f"read {path}")
    assert not two.desk.unsaved
    await two.types("g1f3")
    assert two.desk.unsaved
    await two.types(f"read {path}", "yes", "quit")
    assert two.desk.over


async def test_a_clock_stays_where_it_was_when_its_player_resigned() -> None:
    async with keyboard() as one:
        await one.types("create 2 5+3")
        game = one.desk.game
        assert game is not None and game.table.clocks is not None
        await asyncio.sleep(0.3)
        await one.types("resign")
        left = game.left("white")
        assert left is not None and left <= 300_000 - 250
        assert game.left("black") == 300_000


async def test_a_limit_for_each_move_alone() -> None:
    async with keyboard() as one:
        await one.types("create 2 0d30", "e2e4", "e7e5", "g1f3")
        assert one.moves == ("e2e4", "e7e5", "g1f3")
        assert "white 0:30, black 0:" in (said := await one.types("clocks"))
        assert said.endswith("(running); 30 s for each move.")


async def test_a_move_over_its_limit_loses() -> None:
    async with keyboard() as one:
        await one.types("create 2 0d0.2")
        async with asyncio.timeout(240):
            assert one.desk.game is not None
            while one.desk.game.table.result is None:  # the time may be over before this is reached
                await one.desk.caught_up(one.desk.game.table.seq + 1)
        assert "White has run out of time." in one.lines


async def test_time_is_told() -> None:
    async with keyboard() as one:
        await one.types("create 5+3")
        said = await one.types("clocks")
        assert said.startswith("Time left: white ") and said.endswith("(running), black 5:00; 5 min + 3 s a move.")
