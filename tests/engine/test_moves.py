"""Moves, each made once, and the tables that threats come from: bounded, and the same after they were emptied."""

from __future__ import annotations

import random

import pytest

from fourfold.engine import zobrist
from fourfold.engine.tables import Tables, tables_of
from fourfold.engine.variants import VARIANTS, opening


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_move_is_made_once(variant: str) -> None:
    tables = tables_of(VARIANTS[variant])
    position = opening(variant)
    for move in position.legal_moves:
        assert tables.moves.by_text[move.text] is move
        assert tables.moves.move(move.source, move.target, move.promotion) is move
        assert move.bit == 1 << move.target


@pytest.mark.parametrize("variant", VARIANTS)
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


def test_keys_are_fixed_for_ever() -> None:
    assert zobrist.key(1, 0, 5, 4) == 0xF803ECFEEDB6EEBA < 1 << 64
    chance = random.Random(1)
    names = {tuple(chance.randrange(200) for _ in range(chance.randrange(1, 5))) for _ in range(5000)}
    assert len({zobrist.key(*name) for name in names}) == len(names)
