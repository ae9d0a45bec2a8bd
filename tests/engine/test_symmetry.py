"""Modern four-player chess looks the same from every seat: a quarter turn of board and seats changes nothing."""

from __future__ import annotations

import random

import pytest

from fourfold.engine.perft import perft
from fourfold.engine.pieces import Piece
from fourfold.engine.position import Position
from fourfold.engine.setup import Setup
from fourfold.engine.variants import VARIANTS, opening


def turned(text: str) -> str:
    """A move's text after a quarter turn clockwise of the board, as red's side becomes blue's."""
    square = ""
    squares = []
    for letter in text + " ":
        if square and not letter.isdigit() and square[-1].isdigit():
            file, rank = "abcdefghijklmn".index(square[0]), int(square[1:]) - 1
            squares.append("abcdefghijklmn"[rank] + str(13 - file + 1))
            square = ""
        square += letter
    return "".join(squares) + square.strip()


def turned_setup(position: Position) -> Setup:
    """The position with everybody moved on by a seat, without rights."""
    index = position.geometry.index
    pieces = {
        index[turned(square)]: Piece((piece.seat + 1) % 4, piece.kind, piece.grey)
        for square, piece in position.pieces().items()
    }
    return Setup(pieces, (position.turn + 1) % 4)


@pytest.mark.parametrize("variant", ["survivor", "ffa"])
@pytest.mark.parametrize("seed", range(4))
def test_a_game_turned_is_the_same_game(variant: str, seed: int) -> None:
    chance = random.Random(seed)
    position = opening(variant)
    rights = position.rules.notation.read(position.fen(), position.rules).castling
    setup = turned_setup(position)
    other = Position.from_setup(position.rules, Setup(setup.pieces, setup.turn, rights))
    assert turned("h1k14") == "a7n4"
    for _ in range(160):
        assert sorted(map(turned, position.legal_texts())) == sorted(other.legal_texts())
        assert other.alive == tuple(sorted((seat + 1) % 4 for seat in position.alive))
        if position.points is not None and other.points is not None:
            assert other.points == position.points[3:] + position.points[:3]
        if position.outcome is not None:
            assert other.outcome is not None and other.outcome.termination is position.outcome.termination
            break
        text = chance.choice(sorted(position.legal_texts()))
        position, other = position.play(position.find(text)), other.play(other.find(turned(text)))


@pytest.mark.parametrize("variant", [name for name, rules in VARIANTS.items() if len(rules.seats) == 4])
def test_perft_is_the_same_whoever_begins(variant: str) -> None:
    position = opening(variant)
    rules = position.rules
    rights = rules.notation.read(position.fen(), rules).castling
    counts = set()
    for turn in range(4):
        setup = Setup(rules.notation.read(position.fen(), rules).pieces, turn, rights)
        counts.add(perft(Position.from_setup(rules, setup), 3))
    assert counts == {7800}
