"""The opening book, as level 4 uses it."""

from collections.abc import Sequence

import pytest

from fourfold.clients.bots.levels import level4
from fourfold.clients.bots.levels.lookahead import Lookahead
from fourfold.clients.bots.openings import book
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, opening, opening_of
from tests.conftest import some
from tests.engine.large_board import LARGE
from tests.engine.own_array import CAVALRY


def after(moves: str, variant: str = "standard", setup: str | None = None) -> Position:
    position = opening(variant, setup=setup)
    for text in moves.split():
        position = position.play(position.find(text))
    return position


def texts(moves: Sequence[object]) -> set[str]:
    return {getattr(move, "text", "") for move in moves}


def test_reactive_lines_branch_on_what_the_opponent_plays() -> None:
    spanish = book.reactive(after("e2e4 e7e5 g1f3 b8c6"))
    sicilian = book.reactive(after("e2e4 c7c5 g1f3 b8c6"))
    assert "f1b5" in texts(spanish) and "d2d4" in texts(sicilian)
    assert set(level4.moves(Lookahead(after("e2e4 e7e5 g1f3 b8c6")))) == set(spanish)


def test_moves_count_as_often_as_lines_have_them() -> None:
    first = [move.text for move in book.reactive(opening("standard"))]
    assert first.count("e2e4") > first.count("c2c4") > 0


def test_transpositions_are_known_by_their_position() -> None:
    one, other = after("d2d4 g8f6 c2c4 e7e6 b1c3"), after("c2c4 g8f6 b1c3 e7e6 d2d4")
    assert texts(book.reactive(one)) == texts(book.reactive(other)) != set()


def test_setup_lines_go_on_whatever_the_opponent_does() -> None:
    position = after("d2d4 h7h5 g1f3 h8h6")
    assert not book.reactive(position)
    assert "c1f4" in texts(book.setup(position))


def test_a_setup_is_followed_out_of_the_lines() -> None:
    position = after("d2d4 h7h5 g1f3 h8h6")
    assert texts(level4.moves(Lookahead(position))) == texts(book.setup(position)) != set()


def test_a_setup_waits_where_a_man_is_in_danger() -> None:
    position = after("c2c4 b7b5")
    assert texts(book.setup(position)) == {"g1f3", "g2g3"}
    assert texts(level4.moves(Lookahead(position))) == {"c4b5"}


def test_castling_within_a_setup() -> None:
    position = after("g1f3 h7h6 g2g3 h6h5 f1g2 h8h6 e1g1 a7a6")
    assert book.setup(position)


@pytest.mark.parametrize(
    "variant", some(1, *(name for name, rules in VARIANTS.items() if len(rules.seats) == 4 and not rules.kingless))
)
@pytest.mark.parametrize("setup", ["modern", "classic"])
def test_every_seat_of_four_has_setups(variant: str, setup: str) -> None:
    position = opening(variant, setup=setup)
    for seat in range(4):
        view = book.Perspective(position, seat)
        moves = book.setup(position)
        assert len(moves) > 100
        assert {"j1i3", "h2h3", "f2f4"} <= {view.to_red(move.text) for move in moves}
        assert all(view.from_red(view.to_red(move.text)) == move.text for move in moves)
        position = position.play(next(move for move in moves if view.to_red(move.text) == "j1i3"))


def test_a_setup_of_four_goes_on() -> None:
    position = after("j1i3 a10c9 e14f12 n10l9", "survivor")  # red ignores the others' moves
    assert {"g2g4", "k2k3"} & texts(book.setup(position))


def test_named_lines_of_teams_branch_on_every_opponents_move() -> None:
    sicilian, scandinavian = after("h2h3 b6d6", "teams", "classic"), after("h2h3 b7c7", "teams", "classic")
    assert texts(book.reactive(sicilian)) == {"g13g12", "h13h11", "h13h12"}
    assert not book.reactive(scandinavian)
    modern = sicilian.play(sicilian.find("h13h12"))
    assert texts(level4.moves(Lookahead(modern))) == texts(book.reactive(modern)) == {"m8k8", "m9l9", "n10l9"}


@pytest.mark.parametrize("variant", ["survivor", "ffa", "teams"])
@pytest.mark.parametrize("setup", ["modern", "classic"])
def test_replies_depend_on_what_a_neighbour_does(variant: str, setup: str) -> None:
    """Two games that differ in one move of one opponent get different answers."""
    start = opening(variant, setup=setup)
    blue = book.Perspective(start, 1)
    ways = set()
    for move in ("h13h11", "d13d11", "e14f12"):
        position = start
        for text in ("d2d3", blue.from_red("g2g4"), move, "m11l11", "d3d4"):
            position = position.play(position.find(text))
        ways.add(frozenset(blue.to_red(text) for text in texts(book.replies(position))))
    assert len(ways) > 1


def test_replies_are_mirrored_with_the_king() -> None:
    """Red's king side is towards green. Blue's is towards yellow in the classic array, and towards red in the modern
    one."""
    modern, classic = opening("survivor"), opening("survivor", setup="classic")
    assert [book.Perspective(modern, 0).side(seat) for seat in (1, 2, 3)] == ["queenside", "opposite", "kingside"]
    assert [book.Perspective(modern, 1).side(seat) for seat in (0, 2, 3)] == ["kingside", "queenside", "opposite"]
    assert [book.Perspective(classic, 1).side(seat) for seat in (0, 2, 3)] == ["queenside", "kingside", "opposite"]


def test_there_are_no_replies_for_two() -> None:
    assert book.replies(after("e2e4")) == []


def test_replies_are_legal() -> None:
    position = after("g2g4 b7d7 h13h11 m8k8", "ffa")
    known = book.replies(position)
    assert known and set(known) <= set(position.legal_moves)


def test_no_setups_where_the_array_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    for rules in (LARGE, CAVALRY):  # another board for four, and another array
        monkeypatch.setitem(VARIANTS, rules.name, rules)
        assert book.setup(opening_of(rules)) == book.replies(opening_of(rules)) == []
    for array in ("0", "317", "959"):
        position = opening("chess960", setup=array)
        assert book.setup(position) == [] and level4.moves(Lookahead(position))
    usual = opening("chess960", setup="518")
    assert texts(book.setup(usual)) == texts(book.setup(opening("standard"))) != set()
