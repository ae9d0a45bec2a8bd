"""The engine against the simple reference: the same moves everywhere, and the same game after each."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.engine.errors import InvalidSetup
from fourfold.engine.pieces import NOBODY, Piece, PieceKind
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.setup import Setup
from fourfold.engine.tables import tables_of
from fourfold.engine.variants import VARIANTS, opening
from tests.conftest import some
from tests.engine.reference import Board

KINDS = [
    PieceKind.PAWN,
    PieceKind.PAWN,
    PieceKind.PAWN,
    PieceKind.KNIGHT,
    PieceKind.BISHOP,
    PieceKind.ROOK,
    PieceKind.QUEEN,
]


def agree(position: Position, board: Board) -> None:
    """Everything that both know is equal while the game goes on."""
    if position.ended is not None:
        return
    assert Board(position).__dict__ == board.__dict__, position.fen()
    assert sorted(move.text for move in position.movable()) == sorted(board.legal(board.turn)), position.fen()
    checked = tuple(seat for seat in board.alive if board.in_check(seat))
    assert position.checked() == checked, position.fen()


def play_out(position: Position, seed: int, plies: int) -> None:
    chance = random.Random(seed)
    board = Board(position)
    for _ in range(plies):
        agree(position, board)
        if position.outcome is not None:
            break
        # Captures and pawn moves make a lively game.
        moves = sorted(position.legal_texts())
        lively = [text for text in moves if position.tables.moves.by_text[text].bit & position.total]
        text = chance.choice(lively if lively and chance.random() < 0.4 else moves)
        position = position.play(position.find(text))
        board = board.play(text)


@pytest.mark.parametrize("variant", some(2, "standard", "survivor", "ffa", "teams"))
@pytest.mark.parametrize("seed", some(1, 0, 1, 2))
def test_the_same_game(variant: str, seed: int) -> None:
    play_out(opening(variant), seed, 90)


@st.composite
def setups(draw: st.DrawFn, rules: Rules) -> Setup:
    """Positions that no game reaches: few pieces or many, some of them grey, with rights where possible."""
    tables = tables_of(rules)
    seats = range(len(rules.seats))
    chance = random.Random(draw(st.integers(0, 2**32)))
    crowd = draw(st.integers(2, 40))
    free = list(range(rules.geometry.size))
    chance.shuffle(free)
    pieces: dict[int, Piece] = {}
    castling = set()
    for castle in tables.castles:
        if chance.random() < 0.15 and not {castle.move.source, castle.rook.source} & pieces.keys():
            pieces[castle.move.source] = Piece(castle.seat, PieceKind.KING)
            pieces[castle.rook.source] = Piece(castle.seat, PieceKind.ROOK)
            castling.add((castle.seat, castle.short))
    turn = chance.choice(seats)
    en_passant = {}
    for step in tables.double_steps.values():
        if chance.random() < 0.1 and step.seat not in en_passant and step.landed not in pieces and step.seat != turn:
            pieces[step.landed] = Piece(step.seat, PieceKind.PAWN)
            en_passant[step.seat] = step.skipped
            takers = [man for men in step.takers for man, _ in men if not tables.promotes(man.seat, man.square)]
            taker = chance.choice(takers)
            pieces.setdefault(taker.square, taker.piece)
    free = [square for square in free if square not in pieces]
    for seat in seats:
        if Piece(seat, PieceKind.KING) not in pieces.values():
            pieces[free.pop()] = Piece(seat, PieceKind.KING)
    for square in free[:crowd]:
        seat, kind = chance.choice(seats), chance.choice(KINDS)
        grey = len(seats) > 2 and chance.random() < 0.15
        board, ahead = rules.geometry, rules.seats[seat].forward
        if kind is PieceKind.PAWN and (board.depth(square, ahead) == 1 or tables.promotes(seat, square)):
            kind = PieceKind.KNIGHT
        pieces[square] = Piece(NOBODY if grey and chance.random() < 0.2 else seat, kind, grey)
    return Setup(pieces, turn, frozenset(castling), en_passant)


@pytest.mark.parametrize("variant", ["standard", "survivor", "ffa", "teams"])
@settings(max_examples=60)
@given(data=st.data())
@pytest.mark.slow
def test_strange_positions(variant: str, data: st.DataObject) -> None:
    rules = VARIANTS[variant]
    try:
        position = Position.from_setup(rules, data.draw(setups(rules)))
    except InvalidSetup as error:
        assert {fault.code for fault in error.faults} <= {
            "opponent_in_check",
            "impossible_check",
            "adjacent_kings",
            "extra_king",
            "impossible_castling_right",
            "impossible_en_passant",
        }
        return
    play_out(position, 0, 3)
