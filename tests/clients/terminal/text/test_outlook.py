"""Boards seen from every seat."""

import pytest

from fourfold.clients.terminal.text import drawing
from fourfold.clients.terminal.text.ink import Ink
from fourfold.clients.terminal.text.outlook import Outlook
from fourfold.clients.terminal.text.view import View
from fourfold.engine.variants import VARIANTS, opening, seats

LETTERS = Ink(None, unicode=False)


@pytest.mark.parametrize(("variant", "seat"), [(name, seat) for name in VARIANTS for seat in seats(name)])
def test_ones_own_king_is_at_the_bottom_and_the_board_is_all_there(variant: str, seat: str) -> None:
    position = opening(variant)
    outlook = Outlook.of(position, seat)
    names = position.geometry.names
    row, _ = outlook.places[names[position.kings[position.seats.index(seat)]]]
    assert row == len(outlook.rows) - 1
    assert set(outlook.places) == set(names)
    for name, (row, column) in outlook.places.items():
        assert outlook.name(row, column) == name
        assert {outlook.row_labels[row], outlook.column_labels[column]} == {name[0], name[1:]}


def test_a_quarter_turn() -> None:
    position = opening("survivor")
    row, column = Outlook.of(position).places["d1"]
    assert Outlook.of(position, "green").places["d1"] == (column, 13 - row)
    assert Outlook.of(position, "yellow").places["d1"] == (13 - row, 13 - column)
    assert Outlook.of(position, "blue").places["d1"] == (13 - column, row)


def test_beyond_the_board_there_is_nothing() -> None:
    outlook = Outlook.of(opening("survivor"))
    assert outlook.name(0, 0) is None
    assert outlook.name(-1, 5) is None
    assert outlook.name(3, 14) is None


def test_the_moves_of_a_piece_are_marked() -> None:
    position = opening("standard", position="4k3/8/4r3/8/8/8/4Q3/4K3 b - - 0 1")
    lines = drawing.board(View.of(position, brackets=True, asked="e6"), LETTERS)
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
    view = View.of(position, Outlook.of(position, "black"), asked="e5")
    assert drawing.board(view, LETTERS)[5] == " 6  .  .  .  X {X} .  .  ."
