"""Board, panel and messages on screens of every size: the board comes first."""

import pytest
from textual.widgets import Static

from fourfold.clients.games.game import Notice
from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.board_layout import BoardLayout, Place
from fourfold.clients.terminal.fullscreen.main_screen import Banner
from fourfold.clients.terminal.fullscreen.players import Players
from fourfold.clients.terminal.fullscreen.setup import SetupScreen
from tests.clients.terminal.fullscreen.driving import Driver

from .test_local_play import program


def covered(at: Driver) -> list[str]:
    """The squares that are not clickable at their expected places."""
    board = at.screen.query_one(BoardView)
    missing = []
    for name in board.grid.orientation.geometry.names:
        x, y = board.grid.corner(name)
        for dx, dy in ((0, 0), (board.grid.square.width - 1, board.grid.square.height - 1)):
            place = board.region.offset.x + x + dx, board.region.offset.y + y + dy
            if not at.screen.region.contains_point(place) or at.screen.get_widget_at(*place)[0] is not board:
                missing.append(name)
                break
    return missing


def title(at: Driver) -> str:
    """The first line."""
    return str(at.screen.query_one("#title", Static).render())


@pytest.mark.parametrize(
    ("opening", "size", "place"),
    [
        ("create 2", (40, 12), Place.HIDDEN),
        pytest.param("create 2", (60, 20), Place.BESIDE, marks=pytest.mark.slow),
        ("create 2", (50, 40), Place.BELOW),
        pytest.param("create 2", (80, 24), Place.BESIDE, marks=pytest.mark.slow),
        pytest.param("create 2", (200, 60), Place.BESIDE, marks=pytest.mark.slow),
        ("create 4", (60, 20), Place.HIDDEN),
        pytest.param("create 4", (50, 40), Place.BELOW, marks=pytest.mark.slow),
        ("create 4", (80, 24), Place.BESIDE),
        pytest.param("create 4", (200, 60), Place.BESIDE, marks=pytest.mark.slow),
        pytest.param("setup 2", (40, 12), Place.HIDDEN, marks=pytest.mark.slow),
        ("setup 4", (60, 20), Place.HIDDEN),
    ],
)
async def test_the_whole_board_is_seen(opening: str, size: tuple[int, int], place: Place) -> None:
    async with program(opening, size=size) as at:
        layout = at.screen.query_one(BoardLayout)
        await at.until(lambda: layout.place is place and not covered(at))
        panel = at.screen.query_one("#side")
        assert panel.display is (place is not Place.HIDDEN)


@pytest.mark.slow
async def test_the_title_has_the_news_only_where_there_is_no_room_for_them() -> None:
    async with program("create 4", size=(60, 20)) as at:
        layout = at.screen.query_one(BoardLayout)
        await at.until(lambda: layout.place is Place.HIDDEN)
        at.app.say("something new")
        await at.until(lambda: "something new" in title(at))
        await at.pilot.resize_terminal(200, 60)
        await at.until(lambda: layout.place is Place.BESIDE and title(at).startswith("Fourfold"))


async def test_a_key_shows_the_panel_in_place_of_the_board() -> None:
    async with program("create 4", size=(60, 20)) as at:
        players = at.screen.query_one(Players)
        await at.until(lambda: at.screen.query_one(BoardLayout).place is Place.HIDDEN)
        assert not players.region
        await at.pilot.press("f7")
        await at.until(lambda: players.region.height == 8)
        await at.type("h2h4")
        await at.moved(1)
        await at.pilot.press("f7")
        await at.until(lambda: not covered(at))


@pytest.mark.slow
async def test_where_there_is_room_the_key_does_nothing() -> None:
    async with program("create 2") as at:
        await at.pilot.press("f7")
        assert at.screen.query_one(BoardLayout).place is Place.BESIDE
        assert not covered(at)


@pytest.mark.slow
async def test_on_a_small_screen_the_first_line_has_the_news() -> None:
    async with program("create 2 5+3", size=(40, 12)) as at:
        await at.until(lambda: title(at).startswith("4:5"))
        await at.type("e2e5")
        await at.until(lambda: "Illegal move: The pawn on e2" in title(at))
        await at.type("e2e4")
        await at.until(lambda: "White plays e4" in title(at))
        await at.type("draw")
        await at.until(lambda: "Black proposes a draw" in title(at))


@pytest.mark.slow
async def test_an_outage_takes_no_rows_from_the_board() -> None:
    async with program("create 2", size=(40, 12)) as at:
        await at.until(lambda: not covered(at))
        at.app.heard(Notice("Lost the connection; trying again...", connected=False))
        await at.until(lambda: title(at).startswith("offline "))
        assert at.screen.query_one(Banner).region.height == 0
        assert not covered(at)
        await at.pilot.resize_terminal(80, 24)
        await at.until(lambda: at.screen.query_one(Banner).region.height == 1)
        assert not covered(at)


@pytest.mark.slow
async def test_a_board_too_large_begins_at_ones_own_side() -> None:
    async with program("create 4", size=(40, 12)) as at:
        await at.until(lambda: not {"h1", "h2", "h4"} & set(covered(at)))
        await at.click("h2", "h4")
        await at.moved(1)


@pytest.mark.slow
async def test_the_palette_is_behind_the_same_key() -> None:
    async with program("setup 2", size=(40, 12)) as at:
        await at.until(lambda: at.screen.query_one(BoardLayout).place is Place.HIDDEN)
        await at.pilot.press("f7")
        await at.until(lambda: at.screen.query_one("#palette").region.height == 3)
        assert isinstance(at.screen, SetupScreen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opening", "signs"),
    [("create 2", {"[P]", "(R)", "[N]"}), ("create 4", {">Rp", " Rr", ">Rn"})],
)
async def test_movable_pieces_are_marked_where_there_is_no_colour(
    monkeypatch: pytest.MonkeyPatch, opening: str, signs: set[str]
) -> None:
    """Only on movable pieces of the player to move, as on the plain board."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with program(opening, size=(60, 20)) as at:
        board = at.screen.query_one(BoardView)
        await at.until(lambda: board.size == board.grid.size)
        rows = ["".join(segment.text for segment in board.render_line(y)) for y in range(board.size.height)]
        drawn = {row[3 + 3 * n :][:3] for row in rows for n in range(board.grid.columns)}
        letters = {"♙": "P", "♖": "R", "♘": "N"}
        assert signs <= {"".join(letters.get(sign, sign) for sign in cell).replace("\ufe0e", "") for cell in drawn}
        first, second = rows[0], rows[1]
        assert not set("[]()>") & set(first + second)


@pytest.mark.slow
async def test_with_colour_the_board_needs_no_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    async with program("create 2", size=(60, 20)) as at:
        board = at.screen.query_one(BoardView)
        await at.until(lambda: board.size == board.grid.size)
        assert "[" not in "".join(segment.text for y in range(9) for segment in board.render_line(y))
