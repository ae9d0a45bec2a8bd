"""The environments: the tests of PettingZoo and Gymnasium, and the features of ours."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import some

np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, performance_benchmark, seed_test  # noqa: E402
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: E402

from fourfold.clients.environments.aec import FourfoldAEC  # noqa: E402
from fourfold.clients.environments.encoding import VERSION, encoding_of, rewards  # noqa: E402
from fourfold.clients.environments.policies import policy  # noqa: E402
from fourfold.clients.environments.single import FourfoldEnv  # noqa: E402
from fourfold.clients.environments.vector import FourfoldVectorEnv  # noqa: E402
from fourfold.engine import VARIANTS, Position, Termination  # noqa: E402
from fourfold.engine.questions import taken_in_passing  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of these libraries about unusual environments
PAGE = Path(__file__).parents[3] / "clients" / "environments" / "README.md"
QUICK = ("threecheck", "ffa")
SHAPES = {2: (25, 8, 8), 3: (34, 14, 14), 4: (43, 14, 14)}
MEASURED = ["ffa", *(pytest.param(variant, marks=pytest.mark.campaign) for variant in VARIANTS if variant != "ffa")]
ALL = [variant if variant in QUICK else pytest.param(variant, marks=pytest.mark.slow) for variant in VARIANTS]


@pytest.mark.parametrize("variant", ALL)
def test_as_pettingzoo_wants_it(variant: str) -> None:
    api_test(FourfoldAEC(variant), num_cycles=60)
    seed_test(lambda: FourfoldAEC(variant), num_cycles=10)


@pytest.mark.parametrize("variant", ALL)
def test_as_gymnasium_wants_it(variant: str) -> None:
    check_env(FourfoldEnv(variant), skip_render_check=True)


@pytest.mark.parametrize("variant", ALL)
def test_the_parallel_form(variant: str) -> None:
    env = turn_based_aec_to_parallel(FourfoldAEC(variant, plies=40))
    seen, _ = env.reset(seed=1)
    chance = np.random.default_rng(1)
    while env.agents:
        acting = {agent: np.flatnonzero(seen[agent]["action_mask"]) for agent in env.agents}
        actions = {agent: int(chance.choice(some)) if len(some) else 0 for agent, some in acting.items()}
        seen, _, ended, truncated, _ = env.step(actions)
    assert all(truncated.values()) or all(ended.values())


@pytest.mark.parametrize("variant", ALL)
def test_as_openspiel_wants_it(variant: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from fourfold.clients.environments import spiel

    assert spiel.FourfoldState
    game = pyspiel.load_game(f"fourfold_{variant}(plies=40)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    state = game.new_initial_state()
    texts = {state.action_to_string(action) for action in state.legal_actions()}
    assert texts == {state.position.san(move) for move in state.position.legal_moves}
    begun = pyspiel.load_game(f"fourfold_{variant}(seed=518)").new_initial_state().position
    assert begun == Position.start(variant, seed=518)


@pytest.mark.slow
@pytest.mark.parametrize("variant", MEASURED)
def test_performance_is_measured(variant: str) -> None:
    performance_benchmark(FourfoldAEC(variant))


@pytest.mark.parametrize("variant", some(4, *VARIANTS))
def test_actions_are_the_legal_moves(variant: str) -> None:
    chance, position, encoding = random.Random(2), Position.start(variant), encoding_of(variant)
    assert encoding.shape == ((36, 8, 8) if variant == "crazyhouse" else SHAPES[len(position.seats)])
    for _ in range(80):
        if position.outcome is not None:
            return
        mask = encoding.mask(position)
        moves = {encoding.action(position, move): move for move in position.legal_moves}
        assert set(np.flatnonzero(mask)) == set(moves) and len(moves) == len(position.legal_moves)
        assert all(encoding.move(position, action) is move for action, move in moves.items())
        assert encoding.move(position, next(action for action in range(encoding.actions) if not mask[action])) is None
        position = position.play(position.walk or chance.choice(position.legal_moves))


@pytest.mark.parametrize("variant", ["ffa", "survivor", "teams"])
def test_every_seat_sees_the_same_from_its_side(variant: str) -> None:
    """In an array that looks the same from every seat, all observations are equal."""
    position, encoding = Position.start(variant, "modern"), encoding_of(variant)
    first = encoding.see(position, 0)
    assert first[0, 12, 3:11].all() and first[5, 13, 7] == 1  # the own pawns, and the king to the right of the queen
    assert (first[7 * 4 + 4] == 1).sum() == 160
    for seat in range(1, 4):
        assert (encoding.see(position, seat) == first).all()
    turns = [position.replace(turn=seat) for seat in range(4)]
    actions = [{encoding.action(turn, move) for move in turn.legal_moves} for turn in turns]
    assert len(actions[0]) == 20 and all(some == actions[0] for some in actions)


def test_what_is_seen() -> None:
    encoding = encoding_of("standard")
    position = Position.start().play("e4").play("a6").play("e5").play("d5")
    white, black = encoding.see(position, 0), encoding.see(position, 1)
    assert white[0, 3, 4] == 1 and white[7, 3, 3] == 1  # e5 and d5, from White's side
    assert black[0, 4, 4] == 1 and black[7, 4, 3] == 1  # d5 and e5, from Black's
    assert white[15].sum() == 4 and white[15, 7, 0] == 1  # rooks that may castle
    assert white[16, 2, 3] == 1 and white[16].sum() == 1  # d6 may be taken on
    assert white[17].sum() == 2 and white[18].all() and white[19].all() and white[20].all()
    assert not white[21:23].any() and (white[24] == 1).all()
    given = Position.from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 1+3 7 9", "threecheck")
    checks = encoding_of("threecheck").see(given, 1)
    assert (checks[22] == 2).all() and not checks[21].any() and (checks[23] == 7).all()


def test_en_passant_is_seen_where_it_can_be_taken() -> None:
    """For two players, exactly the squares of legal captures en passant. For four, also the squares where another
    seat's pawn can still capture."""
    seen = 0
    for variant in VARIANTS:
        encoding, chance, seats = encoding_of(variant), random.Random(4), len(Position.start(variant).seats)
        plane = 7 * seats + 2
        for _ in range(2):
            position = Position.start(variant)
            while position.outcome is None and position.ply < 60:
                army = position.armies[position.turn]
                pawns = [move for move in position.legal_moves if move.drop is None and army[move.source].pawn]
                position = position.play(position.walk or chance.choice(pawns or position.legal_moves))
                view = encoding.see(position, 0)[plane].ravel()
                marked = {step.skipped for step in position.steps if view[encoding.layout.places[0][step.skipped]]}
                taking = {move.target for move in position.legal_moves if taken_in_passing(position, move)}
                last = {step.skipped for step in position.steps if step.seat == (position.turn + 1) % seats}
                assert view.sum() == len(marked) and taking <= marked
                assert marked & last == taking & last, position
                if position.outcome is None:
                    skipped = (step for step in position.steps if step.skipped in marked)
                    assert all(any(position.takers(seat, step) for seat in position.alive) for step in skipped)
                seen += len(taking)
    assert seen > 5


def test_rewards() -> None:
    assert rewards(Position.start()) == [0, 0]
    mated = Position.start().play("f3").play("e5").play("g4").play("Qh4")
    assert rewards(mated) == [-1, 1]
    four = Position.start("survivor")
    for seat in (2, 0, 3):
        four = four.eliminate(seat, Termination.RESIGNATION)
    assert rewards(four) == pytest.approx([-1 / 3, 1, -1, 1 / 3])
    assert rewards(Position.start("teams").eliminate(1, Termination.RESIGNATION)) == [1, -1, 1, -1]
    assert rewards(Position.start("teams").end_in_draw(Termination.AGREEMENT)) == [0, 0, 0, 0]


def test_ends() -> None:
    env = FourfoldAEC("standard", plies=3, render_mode="ansi")
    assert env.metadata["name"] == f"fourfold_standard_v{VERSION}"
    env.reset()
    with pytest.raises(ValueError, match="is no legal action of white: take one whose action_mask is 1"):
        env.step(0)
    for _ in range(3):
        env.step(env.encoding.action(env.position, env.position.legal_moves[0]))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert env.render() == str(env.position)
    env.reset(options={"fen": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"})
    env.step(env.encoding.action(env.position, env.position.find("g6g7")))
    assert env.rewards == {"white": 1, "black": -1} and all(env.terminations.values())
    # Possible draws are claimed.
    env.reset(options={"fen": "7k/8/5K2/8/8/8/8/R7 w - - 99 90"})
    env.step(env.encoding.action(env.position, env.position.find("a1a2")))
    assert all(env.terminations.values()) and env.rewards == {"white": 0, "black": 0}


def test_games_without_a_seed_follow_from_the_last() -> None:
    env, other = FourfoldAEC("chess960"), FourfoldAEC("chess960")
    arrays: list[list[str]] = [[], []]
    for one, seen in ((env, arrays[0]), (other, arrays[1])):
        one.reset(seed=518)
        assert one.position.fen() == Position.start().fen()
        for _ in range(10):
            one.reset()
            seen.append(one.position.fen())
    assert arrays[0] == arrays[1] and len(set(arrays[0])) > 5
    env.reset(seed=0)
    assert env.position.fen() == Position.start("chess960", seed=0).fen()
    env, other = FourfoldAEC("ffa"), FourfoldAEC("ffa")
    for one in (env, other):
        one.reset()
    assert env.position.seed != other.position.seed


def test_seats_and_games_that_are_not_there() -> None:
    for variant, seat in (("standard", 7), ("standard", -1), ("ffa", 4)):
        with pytest.raises(ValueError, match=rf"{variant} has the seats 0 to \d \(.*\), not {seat}"):
            FourfoldEnv(variant, seat=seat)
        with pytest.raises(ValueError, match="has the seats 0 to"):
            FourfoldVectorEnv(2, variant, seat=seat)
    with pytest.raises(ValueError, match="at least one game, not 0"):
        FourfoldVectorEnv(0)


def test_a_move_that_is_none_loses() -> None:
    env = FourfoldEnv("standard", level=2, seat=1)
    env.reset(seed=1)
    assert env.position.turn == 1 and env.position.ply == 1
    _, reward, terminated, _, info = env.step(np.int64(0))
    assert (reward, terminated, info["illegal"]) == (-1, True, True)


def test_policies() -> None:
    env = FourfoldAEC("standard")
    env.reset(options={"fen": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"})
    env.step(policy(2)(env.position))
    assert env.rewards == {"white": 1, "black": -1}
    with pytest.raises(ValueError, match="not 6"):
        policy(6)


def test_the_page() -> None:
    names: dict[str, Any] = {}
    text = PAGE.read_text()
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(block, "README.md", "exec"), names)
    for row in re.findall(r"^\| (`.*) \| (\d+) x (\d+) x (\d+) \| (\d+) \|$", text, re.MULTILINE):
        for variant in re.findall(r"`(\w+)`", row[0]):
            assert (*encoding_of(variant).shape, encoding_of(variant).actions) == tuple(map(int, row[1:]))
