"""Antichess for four: compulsory captures, kings that are ordinary pieces, and its ends."""

from __future__ import annotations

import random

import pytest

from fourfold.engine import Game, IllegalMove, Position, Termination
from fourfold.engine.perft import perft
from tests.conftest import some
from tests.engine.reference import Board

NAME = "antichess4"


def cross(turn: str, pieces: str) -> Position:
    """The position of pieces such as `h1rK`."""
    placed = {piece[:-2]: piece[-2:] for piece in pieces.split()}
    rows = []
    for rank in range(14, 0, -1):
        cells = []
        for file in "abcdefghijklmn":
            corner = file in "abclmn" and not 3 < rank < 12
            cells.append("x" if corner else placed.get(f"{file}{rank}", "1"))
        rows.append(",".join(cells))
    return Position.from_fen(f"{turn}-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'/'.join(rows)}", NAME)


@pytest.mark.parametrize("seed", some(1, *range(3)))
def test_the_moves_are_the_captures_if_there_are_any(seed: int) -> None:
    """Compared with the reference, which knows how pieces move. Everything is written and read again."""
    chance, game = random.Random(seed), Game(Position.start(NAME))
    forced = 0
    while game.position.outcome is None and game.plies < 300:
        position = game.position
        tries = list(Board(position).tries(position.turn))
        taking = {one.text for one in tries if one.target in Board(position).stones or one.also_takes is not None}
        assert set(position.legal_texts()) == (taking or {one.text for one in tries})
        assert position.checked() == () and Position.from_fen(position.fen(), NAME) == position
        forced += bool(taking)
        game.play(chance.choice(sorted(position.legal_texts())))
        if game.plies == 60:
            game.leave(game.position.turn)
    assert forced > 20
    assert Game.from_pgn4(str(game)).position == game.position


def test_the_start() -> None:
    position = Position.start(NAME)
    assert [perft(position, depth) for depth in (1, 2, 3)] == [20, 399, 7960]  # no checks, unlike in survivor
    assert not position.rights and position.kings == (-1,) * 4
    assert "/bK,bP,10,gP,gQ/" in position.fen() and "-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-x" in position.fen()


def test_who_has_no_piece_left_wins() -> None:
    position = cross("R", "h4rR h2rP h9bK g13yP m8gP")
    assert position.legal_texts() == ["h4h9"]
    with pytest.raises(IllegalMove):
        position.find("h2h3")
    over = position.play("h4h9")
    assert over.outcome is not None and over.outcome.termination is Termination.NO_PIECES
    assert over.outcome.winners == (1,) and over.outcome.standings == (2, 1, 2, 2)
    assert position.san("h4h9") == "Rh4xKh9"
    again = Position.from_fen(over.fen(), NAME).outcome
    assert again is not None and again.winners == (1,)


def test_who_has_no_move_wins() -> None:
    blocked = cross("R", "h4rP h5bP g13yP m8gP")
    assert blocked.legal_moves == () and blocked.outcome is not None
    assert (blocked.outcome.termination, blocked.outcome.winners) == (Termination.STALEMATE, (0,))
    # Not before the own turn.
    assert cross("B", "h4rP h5bP g13yP m8gP").outcome is None


def test_a_king_is_taken_and_a_pawn_becomes_one() -> None:
    position = cross("R", "h13rP e5rQ g7bK b9bP g12yP m8gP")
    assert "e5g7" in position.legal_texts() and "h13h14k" not in position.legal_texts()
    after = position.play("e5g7")
    assert after.alive == (0, 1, 2, 3) and after.outcome is None and after.eliminated == ()
    promotion = cross("R", "h13rP b9bP g12yP m8gP").play("h13h14k")
    assert str(promotion.piece_at("h14")) == str(Position.start(NAME).piece_at("h1"))


def test_one_who_leaves_is_grey_and_still_taken() -> None:
    position = cross("R", "h4rR h9bQ e12bP g13yP m8gP").eliminate(1, Termination.RESIGNATION)
    assert position.alive == (0, 2, 3) and position.legal_texts() == ["h4h9"]
    after = position.play("h4h9")
    assert after.outcome is None and after.seats[after.turn] == "yellow"
    last = after.eliminate(2, Termination.RESIGNATION).eliminate(3, Termination.TIME)
    assert last.outcome is not None and last.outcome.winners == (0,) and last.outcome.standings == (1, 4, 3, 2)


def test_two_last_pieces_at_once() -> None:
    """A pawn that captures en passant onto a piece takes two. The first player after the mover wins."""
    position = cross("Y", "g13yP k8gP e11rN f11bP")
    for move in ("g13g11", "k8j8", "e11g12"):
        position = position.play(move)
    over = position.play("f11g12")
    assert over.outcome is not None and over.outcome.winners == (2,) and over.outcome.standings == (2, 2, 1, 2)
