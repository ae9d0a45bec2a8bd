"""Boards from every seat's side."""

import pytest

from fourfold.clients.terminal.text import drawing
from fourfold.clients.terminal.text.ink import Ink
from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.clients.terminal.text.view import View
from fourfold.engine.variants import VARIANTS, opening, seats

LETTERS = Ink(None, unicode=False)


@pytest.mark.parametrize(("variant", "seat"), [(name, seat) for name in VARIANTS for seat in seats(name)])
def test_ones_own_king_is_at_the_bottom_and_the_board_is_all_there(variant: str, seat: str) -> None:
    position = opening(variant)
    orientation = Orientation.of(position, seat)
    names = position.geometry.names
    king = position.kings[position.seats.index(seat)]
    if king >= 0 and variant != "racingkings":  # whose kings run the same way
        assert orientation.places[names[king]][0] == len(orientation.rows) - 1
    assert set(orientation.places) == set(names)
    for name, (row, column) in orientation.places.items():
        assert orientation.name(row, column) == name
        assert {orientation.row_labels[row], orientation.column_labels[column]} == {name[0], name[1:]}


def test_a_quarter_turn() -> None:
    position = opening("survivor")
    row, column = Orientation.of(position).places["d1"]
    assert Orientation.of(position, "green").places["d1"] == (column, 13 - row)
    assert Orientation.of(position, "yellow").places["d1"] == (13 - row, 13 - column)
    assert Orientation.of(position, "blue").places["d1"] == (13 - column, row)


def test_beyond_the_board_there_is_nothing() -> None:
    orientation = Orientation.of(opening("survivor"))
    assert orientation.name(0, 0) is None
    assert orientation.name(-1, 5) is None
    assert orientation.name(3, 14) is None


def test_the_moves_of_a_piece_are_marked() -> None:
    position = opening("standard", position="4k3/8/4r3/8/8/8/4Q3/4K3 b - - 0 1")
    lines = drawing.board(View.of(position, brackets=True).asking(position, "e6"), LETTERS)
    assert lines == [
        " 8  .  .  .  . [k] .  .  .",
        " 7  .  .  .  .  X  .  .  .",
        " 6  .  .  .  . [r] .  .  .",
        " 5  .  .  .  .  X  .  .  .",
        " 4  .  .  .  .  X  .  .  .",
        " 3  .  .  .  .  X  .  .  .",
        " 2  .  .  .  . {Q} .  .  .",
        " 1  .  .  .  .  K  .  .  .",
        "    a  b  c  d  e  f  g  h",
    ]


def test_a_pawn_taken_in_passing_is_marked_where_the_taker_goes() -> None:
    position = opening("standard", position="4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    view = View.of(position, Orientation.of(position, "black")).asking(position, "e5")
    assert drawing.board(view, LETTERS)[5] == " 6  .  .  .  X {X} .  .  ."
