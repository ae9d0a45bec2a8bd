"""A Gymnasium environment: one seat of any variant against our levels, or all seats for one agent.

    env = FourfoldEnv("ffa", level=2)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from fourfold.clients.bots.levels import chooser
from fourfold.clients.environments.encoding import PLIES, Mask, Planes, encoding_of, follow, rewards
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS


class FourfoldEnv(gymnasium.Env[Planes, np.int64]):
    """The player at a seat, against computer players of a level at all the others; or without a level (None) the
    players at all seats.

    What is seen are the planes of `encoding`, turned to the player; `info["action_mask"]` has a 1 for each action that
    is a legal move, `info["seat"]` is whom they are for. An action that is no legal move loses the game. The reward
    comes at the end, also for a player who is out before: the others then play on by themselves. It is that of the
    player who moved; `info["rewards"]` has those of all. `seat` is its number in the order of turns; `budget` is how
    many seconds level 5 thinks.
    """

    def __init__(
        self,
        variant: str = "standard",
        *,
        level: int | None = 1,
        seat: int = 0,
        budget: float = 0.1,
        plies: int = PLIES,
        render_mode: str | None = None,
    ) -> None:
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.render_mode = render_mode
        self.encoding = encoding_of(variant)
        seats = VARIANTS[variant].seats
        if seat not in range(len(seats)):
            names = ", ".join(side.name for side in seats)
            raise ValueError(f"{variant} has the seats 0 to {len(seats) - 1} ({names}), not {seat}.")
        self._variant, self._level, self._seat, self._budget, self._plies = variant, level, seat, budget, plies
        self._choose = chooser(level or 1)
        self.position = Position.start(variant)
        """The position on the board."""
        self._first = 0
        self.action_space = spaces.Discrete(self.encoding.actions)
        self.observation_space = spaces.Box(0, 255, self.encoding.shape, np.uint8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Planes, dict[str, Any]]:
        """Begin a game, and play it up to the seat's turn. The seed is that of the others' moves too; option `fen`
        begins from a FEN or FEN4."""
        self.begin(seed, options)
        return self.encoding.see(self.position, self.seat), self.info()

    def step(self, action: np.int64) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Play the move of an action, and then the others' up to the agent's next turn, or to the end."""
        reward, over, long, told = self.play(int(action))
        return self.encoding.see(self.position, self.seat), reward, over, long, self.info() | told

    @property
    def seat(self) -> int:
        """Whom the agent plays: its own seat, or the one to move."""
        return self.position.turn if self._level is None else self._seat

    def begin(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """What `reset` does, without looking at the board."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(1 << 31))
        self._choose = chooser(self._level or 1, drawn)
        self.position = follow(Position.start(self._variant, fen=(options or {}).get("fen"), seed=drawn))
        self._first = self.position.ply
        self._await_turn()

    def play(self, action: int) -> tuple[float, bool, bool, dict[str, Any]]:
        """What `step` does, without looking at the board."""
        seat = self.seat
        move = self.encoding.move(self.position, action) if self.position.turn == seat else None
        if move is None:
            return -1.0, True, False, {"illegal": True}
        self.position = follow(self.position.play(move))
        self._await_turn()
        if self.position.outcome is None:
            return 0.0, False, self._long, {}
        brought = rewards(self.position)
        return brought[seat], True, False, {"rewards": np.array(brought)}

    def mask(self, into: Mask) -> Mask:
        """A 1 for each action that is a legal move of the agent, in an array of zeros."""
        return self.encoding.mask(self.position, into) if self.position.turn == self.seat else into

    def _await_turn(self) -> None:
        while self.position.outcome is None and self.position.turn != self.seat and not self._long:
            self.position = follow(self.position.play(self._choose(self.position, self._budget)))

    @property
    def _long(self) -> bool:
        return self.position.ply - self._first >= self._plies

    def info(self) -> dict[str, Any]:
        """The mask of the agent's actions, and its seat."""
        return {"action_mask": self.mask(np.zeros(self.encoding.actions, np.int8)), "seat": self.seat}

    def render(self) -> str | None:
        """The board as text, in the mode ``ansi``."""
        return str(self.position) if self.render_mode == "ansi" else None
