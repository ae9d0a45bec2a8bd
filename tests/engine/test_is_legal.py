"""Single moves: legal exactly if they are in the list of all legal moves; what changes is what differs."""

from __future__ import annotations

import random

import pytest

from fourfold.engine import VARIANTS, Position, Termination
from fourfold.engine.movegen import is_legal, legal_moves
from tests.conftest import some


@pytest.mark.parametrize("variant", some(4, *VARIANTS))
@pytest.mark.parametrize("seed", some(1, 0, 1, 2))
def test_a_move_is_legal_if_it_is_listed(variant: str, seed: int) -> None:
    chance = random.Random(seed)
    position = Position.start(variant, seed=seed)
    every = list(position.tables.moves.by_text.values())
    for number in range(120):
        if position.outcome is not None:
            assert not any(position.is_legal(move) for move in every[:200])
            position = Position.start(variant, seed=seed)
        usual = set(legal_moves(position, position.turn))
        some = {*chance.sample(every, 300), *(move for move in every if move.source in position._armies[position.turn])}
        assert {move for move in some if is_legal(position, move)} == usual & some, position.fen()
        listed = set(position.movable())
        assert position.rules.own_legality or listed == usual
        fresh, asked = position.draft().seal(), some | listed
        if position.rules.own_legality:  # each question plays all moves
            asked = {*sorted(listed, key=str)[number % 4 :: 4], *chance.sample(sorted(some, key=str), 12)}
        assert {move for move in asked if fresh.draft().seal().is_legal(move)} == listed & asked, position.fen()
        if number % 40 == 39 and len(position.seats) == 4:
            position = position.eliminate(position.turn, Termination.RESIGNATION)
        else:
            position = position.play(position.walk or chance.choice(sorted(position.legal_texts())))


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",  # en passant would open the rank
        "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1",
        "4k3/4r3/8/8/1b6/2N5/8/R3K2R w KQ - 0 1",
        "rnbq1bnr/pppPkppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQ - 0 5",
    ],
)
def test_pins_checks_and_promotions(fen: str) -> None:
    position = Position.from_fen(fen)
    for move in position.tables.moves.by_text.values():
        assert Position.from_fen(fen).draft().seal().is_legal(move) == (move in position.legal_moves), move


@pytest.mark.parametrize("variant", some(4, *VARIANTS))
def test_what_has_changed_is_what_differs(variant: str) -> None:
    chance = random.Random(7)
    position = Position.start(variant, seed=7)
    promoted = 0
    for _ in range(1200):
        if position.outcome is not None:
            position = Position.start(variant, seed=7)
        moves = position.legal_moves
        promotions = [move for move in moves if move.promotion is not None]
        move = chance.choice(promotions or moves)
        promoted += bool(promotions)
        after = position.play(position.walk or move)
        before, now = (dict(enumerate(map(one.man_at, range(one.geometry.size)))) for one in (position, after))
        assert {square: after.changed.get(square) for square in before if before[square] is not now[square]} == {
            square: man for square, man in now.items() if man is not before[square]
        }
        assert all(after.changed[square] is now[square] for square in after.changed), position.fen()
        position = after
    assert promoted or position.checks is not None or not any(man.pawn for man in Position.start(variant).men(0))
