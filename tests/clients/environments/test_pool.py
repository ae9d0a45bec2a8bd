"""The pool of opponents, and the environments that draw from it."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")

from fourfold.clients.environments.encoding import encoding_of  # noqa: E402
from fourfold.clients.environments.policies import policy  # noqa: E402
from fourfold.clients.environments.pool import Pool  # noqa: E402
from fourfold.clients.environments.single import FourfoldEnv  # noqa: E402
from fourfold.clients.environments.vector import FourfoldVectorEnv  # noqa: E402
from fourfold.engine import VARIANTS, Position  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # Gymnasium's about unusual environments


def first(position: Position) -> int:
    """A policy: the action with the lowest number."""
    return int(encoding_of(position.variant).mask(position).argmax())


def test_the_hard_ones_come_most() -> None:
    pool, chance = Pool(), np.random.default_rng(1)
    for name, points in (("easy", 1.0), ("even", 0.5), ("hard", 0.0)):
        pool.add(name, first)
        for _ in range(20):
            pool.record(name, points)
    drawn = [pool.draw(chance).name for _ in range(400)]
    assert drawn.count("hard") > drawn.count("even") > drawn.count("easy") > 0
    assert [round(pool[name].share, 2) for name in ("easy", "even", "hard")] == [0.95, 0.5, 0.05]
    alike = Pool(curve=0)
    alike.add("one", first), alike.add("other", first)
    alike.record("one", 1.0)
    assert 60 < sum(alike.draw(chance).name == "one" for _ in range(200)) < 140


def test_the_easiest_leaves_a_full_pool() -> None:
    pool = Pool(size=2)
    pool.add("level 1", first, keep=True)
    pool.record("level 1", 1.0)
    for name in ("a", "b", "c"):
        pool.add(name, first)
        pool.record(name, 1.0 if name == "a" else 0.0)
    assert [opponent.name for opponent in pool] == ["level 1", "b", "c"] and len(pool) == 3
    pool.record("a", 1.0)
    with pytest.raises(ValueError, match="an opponent 'b' already"):
        pool.add("b", first)
    with pytest.raises(ValueError, match="The pool is empty"):
        Pool().draw(np.random.default_rng(1))


def test_a_game_is_recorded_for_each_opponent() -> None:
    pool = Pool()
    pool.add("level 1", policy(1, seed=1))
    pool.add("first", first)
    env = FourfoldEnv("teams", seat=1, opponents=pool, plies=40)
    _, info = env.reset(seed=3)
    assert sorted(env.others) == [0, 2, 3] and env.seat == 1
    names = [env.others[seat] for seat in (0, 2)]  # 3 is the partner
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(np.int64(info["action_mask"].argmax()))
        over = terminated or truncated
    assert {opponent.name: opponent.games for opponent in pool} == {
        name: names.count(name) for name in ("level 1", "first")
    }
    mated = FourfoldEnv(opponents=pool)
    mated.reset(options={"fen": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"})
    before = pool[mated.others[1]].points
    mated.step(np.int64(mated.encoding.action(mated.position, mated.position.find("g6g7"))))
    assert pool[mated.others[1]].points == before + 1


def test_the_same_seed_gives_the_same_opponents() -> None:
    def drawn() -> list[dict[int, str]]:
        pool = Pool()
        for number in range(5):
            pool.add(str(number), first)
        env, found = FourfoldEnv("ffa", opponents=pool, plies=4), []
        env.reset(seed=1)
        for _ in range(4):
            found.append(env.others)
            env.reset()
        return found

    assert drawn() == drawn() and len({tuple(one.values()) for one in drawn()}) > 1


def test_an_opponent_without_a_legal_action() -> None:
    pool = Pool()
    pool.add("broken", lambda position: 0)
    env = FourfoldEnv("standard", seat=1, opponents=pool)
    with pytest.raises(ValueError, match="'broken' chose 0, which is no legal action"):
        env.reset(seed=1)


def test_games_in_parallel_share_a_pool() -> None:
    pool = Pool()
    pool.add("first", first)
    envs = FourfoldVectorEnv(3, "standard", opponents=pool, plies=6)
    _, infos = envs.reset(seed=1)
    for _ in range(3):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert pool["first"].games == 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_gymnasium_makes_every_variant(variant: str) -> None:
    env = gymnasium.make(f"Fourfold/{variant}-v0", level=None)
    _, info = env.reset(seed=1)
    assert info["action_mask"].sum() == len(Position.start(variant, seed=env.unwrapped.position.seed).legal_moves) or (
        variant == "chess960"
    )
    assert env.unwrapped.position.variant == variant


def test_gymnasium_makes_games_in_parallel() -> None:
    envs = gymnasium.make_vec("Fourfold/ffa-v0", num_envs=2, plies=8)
    assert isinstance(envs.unwrapped, FourfoldVectorEnv) and envs.num_envs == 2
    _, infos = envs.reset(seed=1)
    assert infos["action_mask"].sum() == 40
