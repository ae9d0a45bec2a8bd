"""Several games in parallel: equal to Gymnasium's own vector of our environments, and compatible with its wrappers."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from gymnasium.wrappers.vector import RecordEpisodeStatistics  # noqa: E402

from fourfold.clients.environments.single import FourfoldEnv  # noqa: E402
from fourfold.clients.environments.vector import FourfoldVectorEnv  # noqa: E402
from fourfold.engine import VARIANTS  # noqa: E402

QUICK = ("threecheck", "ffa")
ALL = [variant if variant in QUICK else pytest.param(variant, marks=pytest.mark.slow) for variant in VARIANTS]
MATED = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"


def same(one: Any, other: Any) -> None:
    """Whether two results of vector environments are equal, including dictionaries and arrays of arrays."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key, value in one.items():
            same(value, other[key])
    elif isinstance(one, np.ndarray) and one.dtype == object:
        for left, right in zip(one, other, strict=True):
            same(left, right)
    else:
        assert type(one) is type(other)
        np.testing.assert_array_equal(one, other)


def chosen(masks: Any, chance: Any) -> Any:
    """A random legal action for each game, or any action if there is none."""
    options = [np.flatnonzero(mask) for mask in masks]
    return np.array([chance.choice(some) if len(some) else 0 for some in options])


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("level", [None, 1])
@pytest.mark.parametrize("variant", ALL)
def test_it_is_what_gymnasium_makes_of_our_environments(variant: str, level: int | None, mode: AutoresetMode) -> None:
    ours = FourfoldVectorEnv(3, variant, level=level, plies=30, autoreset_mode=mode)
    make = partial(FourfoldEnv, variant, level=level, plies=30)
    theirs = SyncVectorEnv([make] * 3, autoreset_mode=mode)
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    assert ours.metadata == theirs.metadata | {"autoreset_mode": mode}
    seen, infos = ours.reset(seed=5)
    for one, other in zip((seen, infos), theirs.reset(seed=5), strict=True):
        same(one, other)
    chance, ends = np.random.default_rng(1), 0
    for _ in range(70):
        actions = chosen(infos["action_mask"], chance)
        answer, expected = ours.step(actions), theirs.step(actions)
        for one, other in zip(answer, expected, strict=True):
            same(one, other)
        seen, _, terminations, truncations, infos = answer
        assert seen in ours.observation_space
        ends += int((terminations | truncations).sum())
    assert ends >= 3


def test_one_agent_plays_all_seats() -> None:
    envs = FourfoldVectorEnv(2, "ffa", render_mode="ansi")
    _, infos = envs.reset(seed=1)
    for turn in range(8):
        assert infos["seat"].tolist() == [turn % 4] * 2 and infos["action_mask"].any(axis=1).all()
        infos = envs.step(infos["action_mask"].argmax(axis=1))[-1]
    assert envs.render() == tuple(str(env.position) for env in envs.envs)


def test_the_mover_has_the_reward_and_all_are_told() -> None:
    envs = FourfoldVectorEnv(2, "standard")
    envs.reset(options={"fen": MATED})
    mate = envs.envs[0].encoding.action(envs.envs[0].position, envs.envs[0].position.find("g6g7"))
    _, rewards, terminations, _, infos = envs.step(np.array([mate, 0]))
    assert rewards.tolist() == [1, -1] and terminations.all()
    assert infos["rewards"][0].tolist() == [1, -1] and infos["_rewards"].tolist() == [True, False]
    assert infos["illegal"].tolist() == [False, True]


def test_games_that_only_a_reset_begins_anew() -> None:
    envs = FourfoldVectorEnv(2, "standard", autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(options={"fen": MATED})
    before, *_ = envs.step(np.array([0, 0]))
    with pytest.raises(ValueError, match=r"The games \[0, 1\] have ended"):
        envs.step(np.array([0, 0]))
    seen, infos = envs.reset(seed=[1, None], options={"reset_mask": np.array([True, False])})
    assert infos["_action_mask"].tolist() == [True, False]
    assert (seen[1] == before[1]).all() and not (seen[0] == before[0]).all()
    with pytest.raises(ValueError, match="There are 2 games and 3 seeds"):
        envs.reset(seed=[1, 2, 3])


def test_the_wrappers_of_gymnasium() -> None:
    envs = RecordEpisodeStatistics(FourfoldVectorEnv(2, "kingofthehill", level=2, plies=10))
    _, infos = envs.reset(seed=1)
    lengths = []
    for _ in range(24):
        *_, infos = envs.step(chosen(infos["action_mask"], np.random.default_rng(2)))
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert lengths and set(lengths) == {5}
