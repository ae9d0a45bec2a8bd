"""Looking back at games."""

from fourfold.clients.games.review import Review, written
from fourfold.engine.notation import pgn, smith
from fourfold.engine.notation.game import Game, Line, Step
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening


def test_every_ply_has_its_position_and_move() -> None:
    game = next(pgn.read("1. e4 e5 2. Nf3 *"))
    review = Review(game)
    assert review.plies == 3
    assert [review.last(ply) for ply in range(4)] == [None, "e2e4", "e7e5", "g1f3"]
    position = game.start
    for ply in range(1, 4):
        position = position.play(position.find(review.last(ply) or ""))
        assert review.position(ply) == position
    assert review.lines() == ["   1 e4      2 e5", "   3 Nf3"]


def test_a_game_may_begin_with_black() -> None:
    fen = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1"
    review = Review(next(pgn.read(f'[FEN "{fen}"]\n\n1... e5 2. e4 Ke7 *')))
    assert review.lines() == ["   1 e5", "   2 e4      3 Ke7"]


def test_nothing_played() -> None:
    review = Review(Game(opening("survivor")))
    assert (review.plies, review.lines(), review.last(0)) == (0, [], None)


def test_who_left_is_named_and_costs_no_ply() -> None:
    review = Review(smith.read('[Variant "survivor"]\nh2h3 b7c7 g13g12 m8l8\nR a5c6\n'))
    assert review.plies == 5
    assert any("(red: resignation)" in line for line in review.lines())
    assert 0 not in review.position(4).alive


def test_how_a_draw_is_written() -> None:
    start = opening("standard")
    step = Step.of_draw(start, Termination.AGREEMENT)
    assert written(step) == "(agreement)"
    assert Review(Game(start, line=Line([step]))).plies == 0
