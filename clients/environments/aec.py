"""A PettingZoo environment of any variant: one agent for each seat, in turns.

>>> from fourfold.clients.environments.aec import FourfoldAEC
>>> env = FourfoldAEC("teams", plies=20)
>>> env.reset(seed=1)
>>> _ = env.action_space("red").seed(1)  # the same moves each time: all agents share the space
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     done = termination or truncation
...     env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
>>> env.position.ply
20
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from fourfold.clients.environments.encoding import PLIES, VERSION, encoding_of, follow, rewards
from fourfold.engine.position import Position


class FourfoldAEC(AECEnv):  # type: ignore[misc]
    """A PettingZoo environment. The agents are the colours of the seats.

    * `variant`: a name in `fourfold.engine.VARIANTS`.
    * `plies`: the length at which a game is truncated, without reward.
    * `setup`: the name of a starting array.
    * The option `fen` of `reset` starts from a FEN or FEN4.

    A player who is out has no more turns. All players get their rewards at the end of the game. An illegal action
    raises `ValueError`.
    """

    def __init__(
        self, variant: str = "standard", *, setup: str | None = None, plies: int = PLIES, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.metadata = {"render_modes": ["ansi"], "name": f"fourfold_{variant}_v{VERSION}", "is_parallelizable": False}
        self.render_mode = render_mode
        self.encoding = encoding_of(variant)
        self._variant = variant
        self._setup = setup
        self._plies = plies
        self.position = Position.start(variant, setup)
        """The engine's position on the board."""
        self._first = 0
        self._chance = np.random.default_rng()
        self.possible_agents = list(self.position.seats)
        actions = spaces.Discrete(self.encoding.actions)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, self.encoding.shape, np.uint8),
                "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of observations: the planes of `encoding`, and a mask of the legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of actions: the numbers of moves in `encoding`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. The seed draws the array, where the variant does, and decides the moves of walking kings.
        Without a seed, a generator draws one; the last given seed started that generator."""
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        drawn = int(self._chance.integers(1 << 31)) if seed is None else seed
        fen = (options or {}).get("fen")
        self.position = follow(Position.start(self._variant, self._setup, fen=fen, seed=drawn))
        self._first = self.position.ply
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.position.turn]
        self._conclude()

    def step(self, action: int | None) -> None:
        """Play an action for the agent to move. Raises `ValueError` if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = None if action is None else self.encoding.move(self.position, action)
        if move is None:
            raise ValueError(f"{action} is no legal action of {agent}: take one whose action_mask is 1.")
        self._cumulative_rewards[agent] = 0
        self.position = follow(self.position.play(move))
        self.agent_selection = self.possible_agents[self.position.turn]
        self._conclude()
        self._accumulate_rewards()

    def _conclude(self) -> None:
        """Tell the end of the game, if it is over."""
        if self.position.outcome is not None:
            self.rewards = dict(zip(self.possible_agents, rewards(self.position), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.position.ply - self._first >= self._plies:
            self.truncations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        """An agent's observation now. Its mask is empty while another agent is to move."""
        seat = self.possible_agents.index(agent)
        seen = self.encoding.see(self.position, seat)
        return {"observation": seen, "action_mask": self.encoding.mask(self.position, seat)}

    def render(self) -> str | None:
        """The board as text, in the mode ``ansi``."""
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
