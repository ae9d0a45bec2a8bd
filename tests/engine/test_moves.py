"""The tables that moves and threats come from: bounded, and the same after they were emptied."""

from __future__ import annotations

import random

import pytest

from engine import zobrist
from engine.attacks import Threats
from engine.moves import Reach
from engine.perft import perft
from engine.rules import Rules
from engine.tables import Tables, tables_of
from engine.variants import VARIANTS, opening


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_move_is_made_once(variant: str) -> None:
    tables = tables_of(VARIANTS[variant])
    position = opening(variant)
    for move in position.legal_moves():
        assert tables.moves.by_text[move.text] is move
        assert tables.moves.move(move.source, move.target, move.promotion) is move
        assert move.bit == 1 << move.target


def test_tables_stay_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reach, "LIMIT", 3)
    monkeypatch.setattr(Threats, "LIMIT", 1)
    rules: Rules = VARIANTS["standard"]
    tables = Tables(rules)
    monkeypatch.setattr("engine.position.tables_of", lambda _: tables)
    position = opening("standard", position="r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    assert position.tables is tables
    assert perft(position, 3) == 97862
    assert max(len(threats) for threats in tables.threats) == 1


def test_keys_are_fixed_for_ever() -> None:
    assert zobrist.key() == 0 or zobrist.key() > 0
    assert zobrist.key(1, 2, 3) == zobrist.key(1, 2, 3) < 1 << 64
    chance = random.Random(1)
    names = {tuple(chance.randrange(200) for _ in range(chance.randrange(1, 5))) for _ in range(5000)}
    assert len({zobrist.key(*name) for name in names}) == len(names)
