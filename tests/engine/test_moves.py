"""Shared move objects, and the tables of threats: bounded, and unchanged after being emptied."""

from __future__ import annotations

import random

import pytest

from fourfold.engine import zobrist
from fourfold.engine.movegen import legal_moves
from fourfold.engine.tables import Tables, tables_of
from fourfold.engine.variants import VARIANTS, opening
from tests.conftest import some


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_move_is_made_once(variant: str) -> None:
    tables = tables_of(VARIANTS[variant])
    position = opening(variant)
    for move in position.legal_moves:
        assert tables.moves.by_text[move.text] is move
        assert tables.moves.move(move.source, move.target, move.promotion) is move
        assert move.bit == 1 << move.target


@pytest.mark.parametrize("variant", some(4, *VARIANTS))
def test_threats_stay_bounded_and_true(variant: str) -> None:
    tables = Tables(VARIANTS[variant])
    chance = random.Random(1)
    square = tables.rules.geometry.size // 2 + 3
    threats = tables.threats[square]
    sliders = threats.mask & tables.far
    found = {sliders & chance.getrandbits(sliders.bit_length()) for _ in range(1500)}
    lists = {bits: threats[bits] for bits in found}
    assert len(lists) > 512 >= len(threats)
    assert all(threats[bits] == lines for bits, lines in lists.items())


@pytest.mark.parametrize("variant", some(4, *VARIANTS))
def test_captures_are_among_the_legal_moves(variant: str) -> None:
    """Alone, these are the captures and promotions among all legal moves."""
    chance = random.Random(variant)
    seen = 0
    for game in range(6):
        position = opening(variant, seed=game)
        while position.outcome is None and position.ply < 200:
            seat, moves = position.turn, position.legal_moves
            legal = legal_moves(position, seat) if position.rules.own_legality else moves
            found = legal_moves(position, seat, taking=True)
            wanted = [
                move
                for move in legal
                if position.castle_of(move) is None
                and (move.promotion is not None or position.taken(position.armies[seat][move.source], move))
            ]
            assert {move.text for move in found} == {move.text for move in wanted}
            assert len(found) == len(wanted)
            seen += len(found)
            position = position.play(
                chance.choice([move for move in wanted if move in moves] or list(moves))
                if chance.random() < 0.2
                else chance.choice(moves)
            )
    assert seen > 100


def test_keys_are_fixed_for_ever() -> None:
    assert zobrist.key(1, 0, 5, 4) == 0xF803ECFEEDB6EEBA < 1 << 64
    chance = random.Random(1)
    names = {tuple(chance.randrange(200) for _ in range(chance.randrange(1, 5))) for _ in range(5000)}
    assert len({zobrist.key(*name) for name in names}) == len(names)
