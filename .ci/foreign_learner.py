"""A program of somebody else's that learns, for .ci/run: it passes mypy --strict on the installed package and its extra
`env`."""

from typing import Any, assert_type

import gymnasium
import numpy as np
from numpy.typing import NDArray

from fourfold.clients.environments.aec import FourfoldAEC
from fourfold.clients.environments.encoding import Encoding, Mask, Planes, encoding_of, rewards
from fourfold.clients.environments.policies import policy
from fourfold.clients.environments.pool import Opponent, Pool
from fourfold.clients.environments.single import FourfoldEnv
from fourfold.clients.environments.vector import FourfoldVectorEnv
from fourfold.engine import Position

encoding = assert_type(encoding_of("ffa"), Encoding)
position = Position.start("ffa")
seen, mask = assert_type(encoding.see(position, 0), Planes), assert_type(encoding.mask(position), Mask)
action = assert_type(policy(2, seed=1)(position), int)
print(seen.shape, mask.sum(), encoding.move(position, action), assert_type(rewards(position), list[float]))

env = FourfoldEnv("threecheck", level=None)
observation, info = env.reset(seed=1)
assert_type(info, dict[str, Any])
observation, reward, terminated, truncated, info = env.step(np.int64(mask.argmax()))
assert_type(observation, Planes), assert_type(reward, float), assert_type(terminated, bool)

envs = FourfoldVectorEnv(2)
observations, infos = envs.reset(seed=1)
observations, returned, terminations, truncations, infos = envs.step(np.zeros(2, np.int64))
assert_type(observations, Planes), assert_type(returned, NDArray[np.float64])
assert_type(terminations | truncations, NDArray[np.bool_])

pool = Pool(size=4)
pool.add("level 1", policy(1, seed=1), keep=True)
against = FourfoldEnv("ffa", opponents=pool, plies=8)
against.reset(seed=1)
assert_type(pool["level 1"], Opponent), assert_type(against.others, dict[int, str])
made = gymnasium.make("Fourfold/ffa-v0", level=None)
print(made.reset(seed=1)[1]["seat"], gymnasium.make_vec("Fourfold/standard-v0", num_envs=2).num_envs)

many = FourfoldAEC("teams", plies=20)
many.reset(seed=1)
assert_type(many.position, Position)
