"""The search in games of two teams: mates by either partner, checks to a partner, and incremental sums."""

import random
from collections.abc import Callable

import pytest

from fourfold.clients.bots.search.alpha_beta import FULL, MATE, Search
from fourfold.clients.bots.search.evaluation import Evaluation
from fourfold.clients.bots.search.mailbox import Mailbox
from fourfold.engine.position import Position
from fourfold.engine.variants import opening

FOREVER = float("inf")

Four = Callable[..., Position]
KINGS = "rKh1 bKa7 yKg14 gKn8"


@pytest.mark.parametrize("memory", [2, FULL])
def test_a_mate_of_the_next_player_is_found(memory: int, four: Four) -> None:
    search = Search(four("teams", f"{KINGS} rRb4 rRe10 bPb11"), FOREVER, memory=memory)
    assert search.best(4).text == "e10a10"
    assert search.score == MATE - 1


@pytest.mark.parametrize("memory", [2, FULL])
def test_a_mate_by_the_partner_is_found(memory: int, four: Four) -> None:
    """Yellow mates Green at the next turn, and neither Blue nor Red's own move changes that."""
    search = Search(four("teams", f"{KINGS} rPd2 bPb11 yRm11 yRj5"), FOREVER, memory=memory)
    search.best(6)
    assert search.score == MATE - 3


def test_a_partner_in_check_can_still_move(four: Four) -> None:
    """Red's queen gives check to Green, who moves before Red does. If Blue's knight takes the queen instead, Yellow's
    queen takes Green's king before Green can move."""
    position = four("teams", f"{KINGS} rQl6 bNk8 yQh8", turn="B")
    assert position.find("k8l6") in position.legal_moves
    for depth in (2, 3):
        assert Search(position, FOREVER).best(depth).source != position.find("k8l6").source
    free = four("teams", f"{KINGS} rQl6 bNk8 yQh9", turn="B")
    assert Search(free, FOREVER).best(3).text == "k8l6"


def test_incremental_sums_equal_new_ones() -> None:
    for seed in range(3):
        chance = random.Random(seed)
        root = position = opening("teams")
        board = Mailbox(root)
        while position.outcome is None and position.ply < 120:
            assert board.identity() == Mailbox(position).identity()
            assert board.worth() == Evaluation(root).of(position)
            moves = sorted(position.legal_moves, key=str)
            captures = [move for move in moves if position.total & move.bit]
            move = chance.choice(captures if captures and chance.random() < 0.5 else moves)
            assert board.make(move)
            position = position.play(move)


def test_the_same_search_visits_the_same_nodes() -> None:
    found = []
    for _ in range(2):
        search = Search(opening("teams"), FOREVER)
        search.most = 2000
        found.append((search.best().text, search.score, search.depth, search.nodes))
    assert found[0] == found[1]
