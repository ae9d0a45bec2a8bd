"""No input makes a parser fail or hang, or accept something it can't write back."""

import time
from collections.abc import Callable, Iterable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourfold.engine.notation import pgn, pgn4, smith
from fourfold.engine.notation.game import Game
from tests.fuzz.mutations import mutate
from tests.fuzz.targets import TARGETS, vectors

names = pytest.mark.parametrize("name", TARGETS)


@names
def test_what_was_found_once_stays_mended(name: str) -> None:
    for path in vectors(name):
        TARGETS[name].check(path.read_bytes())


@names
def test_seeds_pass(name: str) -> None:
    seeds = TARGETS[name].seeds
    assert len(seeds) > 3
    for seed in seeds[:: max(1, len(seeds) // 10)]:
        TARGETS[name].check(seed)


@names
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(random=st.randoms(use_true_random=False))
def test_what_is_nearly_right(name: str, random: Random) -> None:
    target = TARGETS[name]
    target.check(mutate(random, target.seeds, target.words))


@names
@settings(max_examples=10)
@given(data=st.binary(max_size=100) | st.text(max_size=50).map(str.encode))
def test_what_is_nothing_at_all(name: str, data: bytes) -> None:
    TARGETS[name].check(data)


@pytest.mark.slow
@names
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(1, 4))])
def test_for_longer(name: str, seed: int) -> None:
    target, random = TARGETS[name], Random(seed)
    seeds = target.seeds
    for _ in range(3000 if "pgn" not in name and name != "smith" else 500):
        target.check(mutate(random, seeds, target.words))


def _smith(text: str) -> list[Game]:
    return [smith.read(text)]


LONG: dict[str, tuple[Callable[[str], Iterable[Game]], str]] = {
    "tags without end, in one line": (pgn.read, ' [a "' * 100_000),
    "tags without end, in lines": (pgn.read, ' [a "\n' * 100_000),
    "angle brackets": (pgn.read, "< " * 200_000),
    "comments on one move": (pgn.read, "1. e4 " + "{a}" * 500_000),
    "glyphs on one move": (pgn.read, "1. e4 " + "$1$2" * 150_000),
    "parentheses": (pgn.read, "1. e4 " + "(" * 200_000 + ")" * 200_000),
    "empty variations": (pgn.read, "1. e4 " + "()" * 200_000),
    "a number": (pgn.read, "1" * 400_000 + "a"),
    "a backslash": (pgn.read, ' [a "' + "\\" * 400_001),
    "a clock": (pgn.read, "e4 {[%clk" + " " * 400_000),
    "promotions": (pgn4.read, f'[RuleVariants "{"PromoteTo=QQRRBBNN " * 5_000}"]\nh2-h3'),
    "a walking king": (pgn4.read, "K" + "1" * 400_000),
    "points": (pgn4.read, f'[StartFen4 "R-0,0,0,0-1,1,1,1-1,1,1,1-{"9" * 400_000},0,0,0-0-x"]\nh2-h3'),
    "dashes": (pgn4.read, f'[StartFen4 "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-{"-" * 400_000}"]\nh2-h3'),
    "letters behind a move": (_smith, "e2e4" + "p" * 400_000 + "Q" * 100_000),
}


@pytest.mark.parametrize("why", LONG)
@pytest.mark.slow
def test_a_text_made_to_take_long_does_not(why: str) -> None:
    read, text = LONG[why]
    began = time.process_time()
    assert len(list(read(text))) <= 1
    # Each takes a second or less. If the time grew with the square of the length, it would take a minute.
    assert time.process_time() - began < 10
