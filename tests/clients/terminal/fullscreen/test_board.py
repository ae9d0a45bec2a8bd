"""The board as a widget: clicks and keys land on squares, at every size and from every seat."""

import pytest
from textual.app import App, ComposeResult

from fourfold.clients.terminal.fullscreen.board import BoardView
from fourfold.clients.terminal.fullscreen.grid import SIZES, Size
from fourfold.clients.terminal.fullscreen.paint import ShownPiece, SquareLook, square
from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.clients.terminal.text.view import View
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.variants import opening


class Board(App[None]):
    """A board alone, with a list of pressed squares."""

    def __init__(self, variant: str, seat: str, *, ascii: bool = False) -> None:
        super().__init__()
        self.position = opening(variant)
        self.orientation = Orientation.of(self.position, seat)
        self.ascii = ascii
        self.pressed: list[tuple[str, bool]] = []

    def compose(self) -> ComposeResult:
        yield BoardView(ascii=self.ascii)

    def on_mount(self) -> None:
        self.board.show(View.of(self.position, self.orientation))
        self.board.focus()

    @property
    def board(self) -> BoardView:
        return self.query_one(BoardView)

    def on_board_view_pressed(self, event: BoardView.Pressed) -> None:
        self.pressed.append((event.square, event.dropped))

    def text(self) -> list[str]:
        return [self.board.render_line(y).text for y in range(self.board.size.height)]


@pytest.mark.parametrize("variant", [pytest.param("standard", marks=pytest.mark.slow), "survivor"])
async def test_clicks_land_on_squares(variant: str) -> None:
    app = Board(variant, opening(variant).seats[0])
    async with app.run_test(size=(200, 60)) as pilot:
        names = app.position.geometry.names
        asked = [names[0], names[30], names[-1]]
        for seat in app.position.seats:
            app.board.show(View.of(app.position, Orientation.of(app.position, seat)))
            for room in (Size(47, 21), Size(170, 60)):
                app.board.fit(room)
                await pilot.pause()
                grid = app.board.grid
                for name in asked:
                    x, y = grid.corner(name)
                    await pilot.click(BoardView, offset=(x + grid.square.width - 1, y + grid.square.height - 1))
                assert app.pressed == [(name, False) for name in asked]
                app.pressed.clear()


async def test_a_drag_is_a_press_and_a_drop() -> None:
    app = Board("standard", "white")
    async with app.run_test(size=(80, 24)) as pilot:
        app.board.fit(Size(47, 21))
        await pilot.pause()
        await pilot.mouse_down(BoardView, offset=app.board.grid.corner("e2"))
        await pilot.hover(BoardView, offset=app.board.grid.corner("e4"))
        await pilot.mouse_up(BoardView, offset=app.board.grid.corner("e4"))
        assert app.pressed == [("e2", False), ("e4", True)]


@pytest.mark.parametrize(("seat", "beyond"), [("red", "h3"), ("blue", "c7"), ("yellow", "g12"), ("green", "l8")])
async def test_keys_go_the_way_they_point(seat: str, beyond: str) -> None:
    """Up leads away from the own side, for every seat."""
    app = Board("survivor", seat)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("up")
        start = app.board.cursor
        await pilot.press("up", "enter", "down")
        assert app.pressed == [(beyond, False)]
        assert app.board.cursor == start
        await pilot.press(*["h"] * 5)
        row, column = app.orientation.places[app.board.cursor or ""]
        assert column == 3  # on a missing corner
        assert row == app.orientation.places[start or ""][0]


async def test_zoom_goes_through_the_sizes() -> None:
    app = Board("standard", "white")
    async with app.run_test(size=(80, 24)) as pilot:
        board = app.board
        board.fit(Size(47, 21))
        assert board.grid.square == SIZES[1]
        board.zoom(1)
        await pilot.pause()
        assert board.grid.square == SIZES[2]
        assert board.size == board.grid.size
        board.fit(Size(10, 5))
        assert board.grid.square == SIZES[1]  # one size more than fits, as before
        for size in (SIZES[0], SIZES[0]):
            board.zoom(-1)
            assert board.grid.square == size
        for size in (*SIZES[1:], SIZES[0], SIZES[1]):
            board.zoom(0)
            assert board.grid.square == size


async def test_letters_are_plain_ascii() -> None:
    app = Board("survivor", "red", ascii=True)
    async with app.run_test(size=(80, 24)):
        lines = app.text()
        assert all(line.isascii() for line in lines)
        assert lines[13].split()[1:] == ["Rr", "Rn", "Rb", "Rq", "Rk", "Rb", "Rn", "Rr"]
        assert "".join(lines).count("Gk") == 1


async def test_glyphs_have_the_text_form() -> None:
    app = Board("standard", "black")
    async with app.run_test(size=(80, 24)):
        lines = app.text()
        assert lines[0].split()[1:] == ["♜", "♞", "♝", "♚", "♛", "♝", "♞", "♜"]
        assert lines[1].count("♟\ufe0e") == 8
        assert lines[-1].split() == list("hgfedcba")


async def test_marks_and_cursor_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Board("survivor", "red", ascii=True)
    async with app.run_test(size=(80, 24)):
        pieces = {
            "h1": Piece(0, PieceKind.KING),
            "h5": Piece(1, PieceKind.QUEEN),
            "g5": Piece(2, PieceKind.PAWN, grey=True),
        }
        marks = {"checked": frozenset(("h1",)), "targets": frozenset(("h2",)), "captures": frozenset(("h5", "a5"))}
        app.board.show(View(app.orientation, app.position.seats, pieces, "red", last=("g5",), asked="h1", **marks))
        lines = app.text()
        assert "!Rk" in lines[13]
        assert " X " in lines[12]
        assert "xBq" in lines[9]
        assert "*yp" in lines[9]
        assert "{X}" in lines[9]
        marked = SquareLook(True, True, ShownPiece("red", "k", False), check=True, selected=True, cursor=True)
        styles = [segment.style for line in square(marked, SIZES[1], True, False) for segment in line]
        assert all(style is not None and style.color is None and style.bgcolor is None for style in styles)
