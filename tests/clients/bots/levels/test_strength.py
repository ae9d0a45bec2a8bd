"""The strengths of level 5 in Elo: the curve, and moves that depend on nothing but the position and the seed."""

import math
from itertools import count, pairwise

import pytest

from fourfold.clients.__main__ import main
from fourfold.clients.bots.levels import chooser
from fourfold.clients.bots.levels.level5 import Level5
from fourfold.clients.bots.levels.strength import STRONGEST, WEAKEST, Strength, elo, strength
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, opening
from tests.conftest import some

MIDDLE = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7"


def moves_of(seed: int, elo: int, *, pace: float = 0, moves: int = 6) -> list[str]:
    """The moves of a game against itself. Each look at the clock takes `pace` seconds."""
    ticks = count()
    choose = chooser(5, seed, lambda: pace * next(ticks), elo)
    position, made = opening("standard", position=MIDDLE), list[str]()
    for _ in range(moves):
        made.append(choose(position, 1e6))
        position = position.play(position.find(made[-1]))
    return made


def test_strengths_grow_in_nodes_and_fall_in_noise() -> None:
    every = [strength(elo) for elo in range(WEAKEST, STRONGEST + 1)]
    assert all(low.nodes <= high.nodes and low.noise >= high.noise for low, high in pairwise(every))
    assert all(low.nodes < high.nodes for low, high in pairwise(every[::100]))
    assert every[0].nodes > 0 and every[-1].noise >= 0


@pytest.mark.parametrize("wrong", [WEAKEST - 1, STRONGEST + 1, 0, -1500])
def test_outside_the_range_the_error_names_it(wrong: int) -> None:
    with pytest.raises(ValueError, match=f"{WEAKEST} to {STRONGEST}, not {wrong}"):
        strength(wrong)
    with pytest.raises(ValueError, match=f"{WEAKEST} to {STRONGEST}, not {wrong}"):
        chooser(5, elo=wrong)
    with pytest.raises(ValueError, match=f"{WEAKEST} to {STRONGEST}, not '{wrong}'"):
        elo(str(wrong))


def test_a_text_that_is_no_number_is_refused() -> None:
    assert elo(str(WEAKEST)) == WEAKEST
    for text in ("", "strong", "1500.5", "²"):
        with pytest.raises(ValueError, match=f"{WEAKEST} to {STRONGEST}"):
            elo(text)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--elo", str(STRONGEST + 1)], f"strengths in Elo are {WEAKEST} to {STRONGEST}, not '{STRONGEST + 1}'"),
        (["--elo", "strong"], f"strengths in Elo are {WEAKEST} to {STRONGEST}, not 'strong'"),
        (["--elo", str(WEAKEST), "--level", "4"], "only level 5 has a strength in Elo, not level 4"),
    ],
)
def test_the_command_refuses_other_strengths(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bot", "room", *arguments])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_only_level_5_has_a_strength(level: int) -> None:
    with pytest.raises(ValueError, match=f"Only level 5 has a strength in Elo, not level {level}"):
        chooser(level, elo=WEAKEST)


@pytest.mark.parametrize("elo", [WEAKEST, (WEAKEST + STRONGEST) // 200 * 100])
def test_moves_depend_on_the_seed_and_not_on_the_speed_of_the_machine(elo: int) -> None:
    assert moves_of(1, elo) == moves_of(1, elo, pace=0.01)


def test_another_seed_gives_another_game() -> None:
    assert len({tuple(moves_of(seed, WEAKEST)) for seed in range(4)}) > 1


def test_earlier_games_have_no_effect() -> None:
    """The strength does not grow with what the bot remembers."""
    position = opening("standard", position=MIDDLE)
    made = []
    for before in (False, True):
        level = Level5(3, strength=Strength(600, 0))
        if before:
            level.choose(opening("standard", position=MIDDLE.replace(" w ", " b ")), math.inf)
        move = level.choose(position, math.inf)
        assert level.search is not None
        made.append((move, level.search.nodes, level.search.score))
    assert made[0] == made[1]


@pytest.mark.parametrize("variant", ["standard", "atomic", "ffa", "teams"])
def test_the_nodes_are_the_most(variant: str) -> None:
    position = opening(variant, position=MIDDLE) if variant == "standard" else opening(variant)
    level = Level5(0, strength=Strength(500, 50))
    position.find(level.choose(position, math.inf))
    assert level.search is None or 0 < level.search.nodes <= 501


def position_of(variant: str) -> Position:
    """A position outside the opening book."""
    position = opening(variant)
    for _ in range(2 * len(position.seats)):
        position = position.play(position.walk or position.legal_moves[0])
    return position


@pytest.mark.parametrize("variant", some(4, *VARIANTS))
def test_every_variant_has_strengths(variant: str) -> None:
    position = position_of(variant)
    assert chooser(5, 0, elo=WEAKEST)(position, math.inf) in position.legal_texts()


def test_noise_hides_no_mate() -> None:
    position = opening("standard", position="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    for seed in range(10):
        assert Level5(seed, strength=Strength(2000, 1000)).choose(position, math.inf) == "a1a8"


def test_noise_makes_weak_moves_likelier() -> None:
    """Without noise, the knight takes the free rook. With much noise, often not."""
    position = opening("standard", position="4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1")
    taken = []
    for noise in (0.0, 1000.0):
        moves = [Level5(seed, strength=Strength(500, noise)).choose(position, math.inf) for seed in range(8)]
        taken.append(moves.count("c3d5"))
    assert taken[0] == 8 and taken[1] < 6


def test_without_a_strength_there_is_no_noise() -> None:
    level = Level5(0, deepest=2)
    level.choose(opening("standard", position=MIDDLE), math.inf)
    assert level.search is not None and not level.search.noise
