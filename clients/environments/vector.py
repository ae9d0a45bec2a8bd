"""A Gymnasium vector environment: several games of a variant in parallel.

>>> from fourfold.clients.environments.vector import FourfoldVectorEnv
>>> envs = FourfoldVectorEnv(8, "ffa")
>>> observations, infos = envs.reset(seed=1)
>>> actions = infos["action_mask"].argmax(axis=1)  # an action for each game
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)
>>> observations.shape
(8, 43, 14, 14)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from fourfold.clients.environments.encoding import PLIES, Planes
from fourfold.clients.environments.pool import Pool
from fourfold.clients.environments.single import FourfoldEnv

Stepped: TypeAlias = tuple[Planes, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class FourfoldVectorEnv(VectorEnv[Planes, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games in parallel, each a `FourfoldEnv`. With `level=None`, one agent plays all seats of all games.
    All games share the pool `opponents`.

    Observations, rewards, ends and `infos` have a row for each game; `infos["action_mask"]` is a matrix.
    `autoreset_mode` decides how a finished game starts again:

    * `NEXT_STEP`: by the next `step`, which ignores the action for this game;
    * `SAME_STEP`: by the same `step`; `infos["final_obs"]` and `infos["final_info"]` then have the last observation and
      info;
    * `DISABLED`: only by `reset`, for the games in its option `reset_mask`.
    """

    def __init__(
        self,
        num_envs: int,
        variant: str = "standard",
        *,
        level: int | None = None,
        seat: int = 0,
        opponents: Pool | None = None,
        budget: float = 0.1,
        plies: int = PLIES,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"A vector environment has at least one game, not {num_envs}.")
        self.num_envs, self.render_mode = num_envs, render_mode
        self.envs = [
            FourfoldEnv(
                variant, level=level, seat=seat, opponents=opponents, budget=budget, plies=plies,
                render_mode=render_mode,
            )
            for _ in range(num_envs)
        ]  # fmt: skip
        first = self.envs[0]
        self.metadata = first.metadata | {"autoreset_mode": autoreset_mode}
        self._mode = autoreset_mode
        self.single_observation_space, self.single_action_space = first.observation_space, first.action_space
        self.observation_space = batch_space(first.observation_space, num_envs)
        self.action_space = batch_space(first.action_space, num_envs)
        self._over = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Start all games, or those in the option `reset_mask`. An integer seed counts up from the first game; a
        sequence has a seed for each game. Other options are those of `FourfoldEnv`. Raises `ValueError` for the wrong
        number of seeds."""
        if seed is None or isinstance(seed, int):
            seeds = [None if seed is None else seed + index for index in range(self.num_envs)]
        else:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"There are {self.num_envs} games and {len(seeds)} seeds.")
        chosen = (options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_))
        for index in np.flatnonzero(chosen).tolist():
            self.envs[index].begin(seeds[index], options)
            self._over[index] = False
        return self._look(chosen)

    def step(self, actions: NDArray[np.int64]) -> Stepped:
        """Play an action in each game. In the mode `DISABLED`, raises `ValueError` if a game has ended and was not
        reset."""
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            raise ValueError(f"The games {np.flatnonzero(self._over).tolist()} have ended: reset them by a reset_mask.")
        rewards = np.zeros(self.num_envs)
        terminations, truncations = np.zeros((2, self.num_envs), np.bool_)
        ended: dict[str, Any] = {}
        for index, env in enumerate(self.envs):
            if self._over[index]:
                env.begin()
                continue
            rewards[index], terminations[index], truncations[index], told = env.play(int(actions[index]))
            if self._mode is AutoresetMode.SAME_STEP and (terminations[index] or truncations[index]):
                told = {"final_obs": env.encoding.see(env.position, env.seat), "final_info": env.info() | told}
                env.begin()
            if told:
                ended = self._add_info(ended, told, index)
        if self._mode is not AutoresetMode.SAME_STEP:
            self._over = terminations | truncations
        seen, infos = self._look(np.ones(self.num_envs, np.bool_))
        return seen, rewards, terminations, truncations, infos | ended

    def _look(self, chosen: NDArray[np.bool_]) -> tuple[Planes, dict[str, Any]]:
        """The observations of all games, and the masks of the chosen ones."""
        layout = self.envs[0].encoding.layout
        # Bytes, in which numpy's arrays lie: an assignment to one element of an array takes several times as long.
        seen, legal = bytearray(self.num_envs * layout.size), bytearray(self.num_envs * layout.actions)
        seats = np.zeros(self.num_envs, np.int64)
        for index, env in enumerate(self.envs):
            seat = env.seat
            layout.see(env.position, seat, seen, index * layout.size)
            if chosen[index]:
                seats[index] = seat
                if env.position.turn == seat:
                    layout.mask(env.position, legal, index * layout.actions)
        return np.frombuffer(seen, np.uint8).reshape(self.num_envs, *self.envs[0].encoding.shape), {
            "action_mask": np.frombuffer(legal, np.int8).reshape(self.num_envs, layout.actions),
            "_action_mask": chosen.copy(), "seat": seats, "_seat": chosen.copy(),
        }  # fmt: skip

    def render(self) -> tuple[str, ...] | None:
        """The boards as text, in the mode ``ansi``."""
        boards = [env.render() for env in self.envs]
        return tuple(board for board in boards if board is not None) or None
