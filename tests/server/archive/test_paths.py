"""The keys of positions, and the explorer's part of a game."""

import random
from collections import defaultdict

import chess
import pytest

from fourfold.engine.fourplayer.rules import FFA
from fourfold.engine.match.commands import Create, Propose, Resign, Vote
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.notation import options
from fourfold.engine.variants import opening, opening_of
from fourfold.server.archive.facts import fold
from fourfold.server.archive.paths import PLIES, key
from tests.server.archive.played import Game, mate, of_four

KEYS = {
    ("standard", None): -8580926514603508334,
    ("standard", "8/P1k5/8/8/3pP3/8/K7/8 b - e3 0 1"): 6168257072313917843,
    ("standard", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"): 5962350147014226267,
    ("ffa", None): -8098452115931925652,
    ("teams", None): 6603121589673156888,
}


@pytest.mark.parametrize(("variant", "position"), KEYS)
def test_keys_stay_what_they_are(variant: str, position: str | None) -> None:
    """Archives contain these keys. A changed key would separate a position's old games from its new ones."""
    assert key(opening(variant, position=position)) == KEYS[variant, position]


def test_positions_are_the_same_that_python_chess_takes_for_the_same() -> None:
    ours: dict[str, set[int]] = defaultdict(set)
    theirs: dict[int, set[str]] = defaultdict(set)
    for seed in range(30):
        chance = random.Random(seed)
        board, position = chess.Board(), opening("standard")
        for _ in range(60):
            if position.outcome is not None:
                break
            text = chance.choice(sorted(position.legal_texts()))
            board.push_uci(text)
            position = position.play(position.find(text))
            ours[board.epd(en_passant="legal")].add(key(position))
            theirs[key(position)].add(board.epd(en_passant="legal"))
    assert len(ours) > 1000
    assert all(len(same) == 1 for same in [*ours.values(), *theirs.values()])


def test_what_else_the_players_have_does_not_count() -> None:
    start = opening("ffa")
    text = start.fen()
    assert text.count("0,0,0,0-0-") == 1
    assert key(opening("ffa", position=text.replace("0,0,0,0-0-", "9,0,3,0-7-"))) == key(start)


def test_other_rules_make_another_position() -> None:
    usual = opening_of(FFA)
    assert key(opening_of(options.read(options.write(FFA), FFA))) == key(usual)
    assert key(opening_of(options.read("PromoteTo=D", FFA))) != key(usual)


async def test_the_first_moves_count_that_stood_in_the_end() -> None:
    game = mate(archived=False)
    _, (facts,) = await fold("abc", game.decisions)
    assert [move for _, move in facts.path] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    undone = Game(Create("standard"), ["ann", "bob"])
    undone.move("e2e4")
    assert undone.state is not None
    undone.do(Propose(ProposalKind.UNDO, undone.state.seq, plies=1), "ann")
    undone.do(Vote(1, True), "bob")
    undone.play(3, PLIES + 5)
    undone.do(Resign(), "ann")
    _, (facts,) = await fold("abc", undone.decisions)
    played = [step.move for step in undone.state.line]
    assert played[0] != "e2e4" and len(played) > PLIES
    assert [move for _, move in facts.path] == played[:PLIES]


async def test_dead_kings_do_not_choose() -> None:
    game = of_four(archived=False)
    assert game.state is not None
    _, (facts,) = await fold("abc", game.decisions)
    position, chosen = game.state.start, []
    for step in list(game.state.line)[:PLIES]:
        if step.move is not None and position.walk is None:
            chosen.append((key(position), step.move))
        position = step.play(position)
    assert list(facts.path) == list(dict.fromkeys(chosen))
