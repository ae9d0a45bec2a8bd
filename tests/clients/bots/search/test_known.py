"""The transposition table gives back its entries, and forgets the oldest."""

import random

import pytest

from fourfold.clients.bots.search.alpha_beta import DEEPEST, MATE
from fourfold.clients.bots.search.known import AT_LEAST, AT_MOST, EXACT, Known, bound_of, depth_of, score_of
from fourfold.engine.variants import opening


def test_entries_come_back() -> None:
    chance, known = random.Random(1), Known()
    moves = [None, *opening("teams").legal_moves, *opening("crazyhouse").legal_moves]
    entries = {
        chance.getrandbits(62): (
            chance.randint(0, DEEPEST + 64), chance.randint(-2 * MATE, 2 * MATE),
            chance.choice((EXACT, AT_LEAST, AT_MOST)), chance.choice(moves),
        )
        for _ in range(500)
    }  # fmt: skip
    for key, (depth, score, bound, move) in entries.items():
        known.remember(key, depth, score, bound, move, 1000)
    assert len(known) == 500
    for key, (depth, score, bound, move) in entries.items():
        entry = known.entry(key)
        assert (depth_of(entry), score_of(entry), bound_of(entry)) == (depth, score, bound)
        assert known.move(entry) is move
    assert known.entry(1) == -1


@pytest.mark.parametrize("score", [-2 * MATE, -1, 0, 2 * MATE])
def test_a_later_entry_replaces_an_earlier_one(score: int) -> None:
    known = Known()
    known.remember(7, 3, 40, EXACT, None, 10)
    known.remember(7, 0, score, AT_MOST, None, 10)
    entry = known.entry(7)
    assert (len(known), depth_of(entry), score_of(entry), bound_of(entry)) == (1, 0, score, AT_MOST)


def test_the_older_half_makes_room() -> None:
    known = Known()
    for key in range(11):
        known.remember(key, 1, key, EXACT, None, 10)
    assert len(known) == 6
    assert [key for key in range(11) if known.entry(key) >= 0] == [5, 6, 7, 8, 9, 10]
